//! Held connections that send messages, against a real service that loses and doubles as many of them as it is told to.

use crate::bench::{Bench, Going, Ran, free_port, service};
use serde_json::Value;

/// So many are due in a second: each of 20 connections sends five times.
const MESSAGES: u64 = 100;

/// A plan that holds connections on `path`, against a service with this environment.
fn plan(path: &str, environment: &str, duration: &str) -> String {
    let port = free_port();
    format!(
        "target:
  url: http://127.0.0.1:{port}
  command: node {service}
  env: {{ PORT: \"{port}\", {environment} }}
scenario:
  requests: [{{ name: wait, path: {path} }}]
  actions:
    - repeat:
        every: 200ms
        actions:
          - request: {{ name: send, url: \"http://localhost:{port}\", method: POST, path: \"/send/${{message}}\", expect: {{ status: 202 }} }}
load: {{ model: hold, connections: 20, pace: 1000/s, duration: {duration} }}
connections: {{ response_timeout: 2s }}
",
        service = service("messages.js")
    )
}

fn run(bench: &Bench, plan: &str) -> (Ran, Value) {
    bench.write("plan.yaml", plan);
    let ran = bench.run(&["run", "plan.yaml", "--json"]);
    let findings = ran.json();
    (ran, findings)
}

#[track_caller]
fn check(plan: &str, code: i32, lost: u64, doubled: u64) -> Value {
    let (ran, findings) = run(&Bench::new(), plan);
    ran.expect(code, &[]);
    let messages = &findings["hold"]["messages"];
    assert_eq!(messages["sent"], MESSAGES, "{findings:#}");
    assert_eq!(messages["delivered"], MESSAGES - lost, "{findings:#}");
    assert_eq!(messages["lost"], lost, "{findings:#}");
    assert_eq!(messages["doubled"], doubled, "{findings:#}");
    assert_eq!(messages["time"]["count"], MESSAGES - lost, "{findings:#}");
    findings
}

#[test]
fn delivered_messages_pass_and_are_kept_apart() {
    let findings = check(&plan("/poll", "", "1s"), 0, 0, 0);
    assert_eq!(findings["hold"]["opened"], 20);
    let requests = &findings["requests"];
    assert_eq!(
        (&requests[0]["name"], &requests[1]["name"]),
        (&"wait".into(), &"send".into())
    );
    assert_eq!(requests[1]["completed"], MESSAGES);
    assert_eq!(findings["hold"]["delivered"], requests[0]["completed"]);
    assert_eq!(requests[0]["response_time"]["count"], 0);
}

#[test]
fn lost_and_doubled_messages_of_a_long_poll_are_counted() {
    // Of those that are doubled two are lost.
    let findings = check(&plan("/poll", "LOSE: \"10\", DOUBLE: \"25\"", "1s"), 99, 10, 2);
    assert_eq!(findings["headline"]["code"], "messages_not_delivered");
}

#[test]
fn lost_and_doubled_messages_of_event_streams_are_counted() {
    let findings = check(&plan("/events", "LOSE: \"20\", DOUBLE: \"30\"", "1s"), 99, 5, 2);
    // Each sender's go to one stream, once all streams are open.
    let messages = &findings["hold"]["messages"];
    assert!(messages["compared"].as_u64() > Some(0), "{messages}");
}

#[test]
fn messages_on_streams_of_http2_are_told_apart() {
    let over_http2 = |path: &str, environment: &str| {
        plan(path, &format!("HTTP: \"2\", {environment}"), "1s")
            .replace("  env:", "  http: 2\n  env:")
            .replace("response_timeout: 2s", "response_timeout: 2s, streams: 5")
    };
    let findings = check(&over_http2("/events", "LOSE: \"20\", DOUBLE: \"30\""), 99, 5, 2);
    assert_eq!(findings["hold"]["connections_max"], 4);
    check(&over_http2("/poll", ""), 0, 0, 0);
}

#[test]
fn messages_that_the_service_makes_up_count_as_none() {
    check(&plan("/events", "FORGE: \"on\"", "1s"), 0, 0, 0);
}

#[test]
fn replayed_messages_give_same_findings_without_secrets() {
    const CANARY: &str = "xq7canary";
    let bench = Bench::new();
    let plan =
        plan("/poll", "LOSE: \"10\"", "1s").replace("http://localhost", &format!("http://me:{CANARY}@localhost"));
    let with_headers = format!("headers: {{ x-key: {CANARY} }}, json: {{ key: {CANARY} }}, expect");
    let (ran, _) = run(
        &bench,
        &plan
            .replace("expect", &with_headers)
            .replace("${message}", &format!("${{message}}?key={CANARY}")),
    );
    ran.expect(99, &[]);
    let directory = bench.directory();
    assert_eq!(bench.report(&directory).stdout, ran.stdout);
    assert!(!ran.stdout.contains(CANARY) && !ran.stderr.contains(CANARY));
    for file in std::fs::read_dir(directory).expect("a directory").flatten() {
        let bytes = std::fs::read(file.path()).expect("a file");
        assert!(!String::from_utf8_lossy(&bytes).contains(CANARY), "{:?}", file.path());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_leaves_messages_under_way_unjudged() {
    let bench = Bench::new();
    bench.write("plan.yaml", &plan("/poll", "LOSE: \"2\"", "5m"));
    let mut going = Going::begin(&mut bench.command(&["run", "plan.yaml", "--json"]));
    going.wait_for(|line| line.contains("messages p99"));
    let ran = going.interrupt();
    ran.expect(105, &[]);
    let findings = ran.json();
    let messages = &findings["hold"]["messages"];
    assert_eq!(
        (&findings["verdict"], &messages["lost"]),
        (&"interrupted".into(), &Value::Null)
    );
    assert!(messages["sent"].as_u64() > messages["delivered"].as_u64(), "{messages}");
}
