//! Messages on WebSockets that have responses, as a load: against npm `ws`, which loses, doubles, delays and closes as it is told to.

use super::canary::{assert_hidden, canary};
use crate::bench::{Bench, Ran, free_port, service};
use serde_json::Value;

/// What nobody may see of a message.
const SECRET: u32 = 95;

/// What a plan says of a load on `path` of a service with this environment.
fn run(path: &str, environment: &str, rest: &str) -> (Ran, Value) {
    run_in(
        &Bench::new(),
        path,
        environment,
        &format!("objectives: [errors = 0]\n{rest}"),
    )
}

fn run_in(bench: &Bench, path: &str, environment: &str, rest: &str) -> (Ran, Value) {
    let port = free_port();
    let plan = format!(
        "target:
  url: ws://127.0.0.1:{port}
  command: node {service}
  env: {{ PORT: \"{port}\", SEEN: \"{seen}\", {environment} }}
scenario:
  variables: {{ user: {{ from: 1, to: 3 }} }}
  requests:
    - {{ name: open, path: \"{path}?user=${{user}}\", headers: {{ sec-websocket-protocol: \"chat, soap\", sec-websocket-extensions: permessage-deflate }} }}
    - {{ name: say, weight: 3, send: {{ json: {{ text: \"${{message}}\", key: \"{secret}\" }} }} }}
    - {{ name: ask, send: {{ text: \"${{message}}?\" }} }}
judging: {{ warm_up: 0s, window: 100ms }}
{rest}
",
        service = service("web_socket.js"),
        seen = bench.path("seen").display(),
        secret = canary(SECRET)
    );
    bench.write("plan.yaml", &plan);
    let ran = bench.run(&["run", "plan.yaml", "--json"]);
    let findings = ran.json();
    assert_eq!(bench.report(&bench.directory()).stdout, ran.stdout);
    assert_hidden("a message", bench, &ran, &[canary(SECRET)]);
    (ran, findings)
}

/// Of 200 messages, ten at a time, so many pass, and the others fail in this way.
#[track_caller]
fn check(environment: &str, rest: &str, code: i32, passed: u64, class: Option<&str>) -> Value {
    let load = "load: { model: closed, connections: 10, requests: 200 }";
    let (ran, findings) = run("/echo", environment, &format!("{load}\n{rest}"));
    ran.expect(code, &[]);
    assert_eq!(findings["totals"]["passed"], passed, "{findings:#}");
    let error = &findings["errors"][0];
    let expected = class.map_or((Value::Null, Value::Null), |class| {
        (class.into(), (200 - passed).into())
    });
    assert_eq!(
        (&error["class"], &error["count"]),
        (&expected.0, &expected.1),
        "{findings:#}"
    );
    findings
}

#[test]
fn each_message_has_its_response() {
    let findings = check("", "", 0, 200, None);
    assert_eq!(findings["openings"]["count"], 10, "{findings:#}");
    assert_eq!(findings["totals"]["connections_opened"], 10);
    let names_and_counts = ["say", "ask"].iter().zip([150, 50]).enumerate();
    for (place, (name, count)) in names_and_counts {
        let request = &findings["requests"][place];
        assert_eq!(
            (&request["name"], &request["completed"]),
            (&(*name).into(), &count.into())
        );
    }
    assert_eq!(findings["requests"][2], Value::Null, "what opens is none of them");
    assert_eq!(findings["totals"]["status"], serde_json::json!([0, 0, 0, 0, 0]));
}

/// What the service saw of its connections, by how many messages each carried and how it was closed.
fn seen(bench: &Bench) -> Vec<String> {
    let seen = std::fs::read_to_string(bench.path("seen")).expect("what the service saw");
    seen.lines().map(str::to_owned).collect()
}

#[test]
fn each_message_opens_a_connection_where_none_is_kept() {
    for load in [
        "{ model: closed, connections: 10, requests: 200 }",
        "{ rate: 400, duration: 500ms }",
    ] {
        let bench = Bench::new();
        let rest = format!("objectives: [errors = 0]\nload: {load}\nconnections: {{ keep_alive: false }}\n");
        let (ran, findings) = run_in(&bench, "/echo", "", &rest);
        ran.expect(0, &[]);
        let totals = &findings["totals"];
        assert_eq!(totals["passed"], 200, "{findings:#}");
        assert_eq!(
            (&totals["connections_opened"], &findings["openings"]["count"]),
            (&200.into(), &200.into()),
            "{findings:#}"
        );
        assert_eq!(findings["errors"], serde_json::json!([]), "{findings:#}");
        assert_eq!(seen(&bench), vec!["1 1000"; 200]);
    }
}

#[test]
fn openings_are_judged() {
    let load = "load: { model: closed, connections: 2, requests: 100 }\nconnections: { keep_alive: false }\n";
    for (bound, code) in [("10s", 0), ("1us", 99)] {
        let rest = format!("objectives: [opening p99 <= {bound}]\n{load}");
        let (ran, findings) = run_in(&Bench::new(), "/echo", "", &rest);
        ran.expect(code, &[]);
        let objective = &findings["objectives"][0];
        assert_eq!(objective["objective"]["quantity"], "opening_time", "{findings:#}");
        assert_eq!(objective["passed"], code == 0, "{findings:#}");
    }
}

#[test]
fn an_unanswered_message_takes_its_connection_with_it() {
    let rest = "objectives: [errors = 0]
load: { model: closed, connections: 10, requests: 200 }
connections: { keep_alive: false, response_timeout: 400ms }
";
    let bench = Bench::new();
    let (ran, findings) = run_in(&bench, "/echo", "LOSE: \"20\"", rest);
    ran.expect(99, &[]);
    assert_eq!(findings["totals"]["passed"], 190, "{findings:#}");
    assert_eq!(findings["totals"]["connections_opened"], 200, "{findings:#}");
    let seen = seen(&bench);
    let carried_one = seen.iter().filter(|line| line.starts_with("1 ")).count();
    assert_eq!((seen.len(), carried_one), (200, 200));
}

#[test]
fn compressed_messages_are_opened() {
    for deflate in ["each", "context"] {
        check(&format!("DEFLATE: {deflate}"), "", 0, 200, None);
    }
}

#[test]
fn copies_of_a_response_count_once() {
    check("DOUBLE: \"2\"", "", 0, 200, None);
}

#[test]
fn lost_and_late_responses_time_out() {
    let timeout = "connections: { response_timeout: 400ms }";
    for environment in ["LOSE: \"20\"", "LATE: \"20\""] {
        let findings = check(environment, timeout, 99, 190, Some("response_timeout"));
        let example = findings["errors"][0]["example"].to_string();
        assert!(
            example.contains("a message with its `${message}` within 400 ms"),
            "{example}"
        );
        // A late response is none to the message that came after it.
        assert_eq!(findings["totals"]["connections_opened"], 10, "{findings:#}");
    }
}

#[test]
fn several_wait_on_one_connection() {
    let load = "load: { rate: 1000, duration: 200ms }\nconnections: { max: 1, pipelining: 100 }";
    let (_, findings) = run("/echo", "LATE: \"2\"", load);
    let opened = &findings["totals"]["connections_opened"];
    assert_eq!(
        (opened, &findings["totals"]["passed"]),
        (&1.into(), &200.into()),
        "{findings:#}"
    );
}

#[test]
fn a_close_in_the_middle_fails_by_its_code() {
    let findings = check("CLOSE: \"1008\"", "", 1, 0, Some("close_policy_violation"));
    let example = findings["errors"][0]["example"]["found"].to_string();
    assert!(
        example.contains("1008") && example.contains("enough of that"),
        "{example}"
    );
}

#[test]
fn a_refused_upgrade_fails_who_waits_for_it() {
    let load = "load: { model: closed, connections: 2, requests: 4 }";
    let (ran, findings) = run("/refuse", "", load);
    ran.expect(1, &[]);
    let error = &findings["errors"][0];
    assert_eq!(
        (&error["class"], &error["count"]),
        (&"status".into(), &4.into()),
        "{findings:#}"
    );
    assert!(error["example"].to_string().contains("members only"), "{findings:#}");
    assert_eq!(findings["openings"], Value::Null);
}

/// A loop that stands still for 700 of 1,000 ms: more than half of the messages were due meanwhile, and waited for a part of it.
#[test]
fn waiting_counts_from_the_intended_start() {
    let load = "load: { rate: 200, duration: 1s }\nconnections: { max: 2 }";
    let (_, findings) = run("/echo", "FREEZE: \"20\"", load);
    assert_eq!(findings["totals"]["passed"], 200, "{findings:#}");
    let median = findings["response_time"]["p50_ms"].as_f64().expect("a median");
    assert!(median > 100.0, "{findings:#}");
}

#[test]
fn a_url_alone_sends_marks() {
    let bench = Bench::new();
    let url = format!("ws://127.0.0.1:{}/echo", free_port());
    let mut command = bench.command(&["run", &url, "-c", "2", "-n", "50", "--json", "--", "node"]);
    let ran = Ran::of_command(command.arg(service("web_socket.js")));
    assert_eq!(ran.json()["totals"]["passed"], 50, "{}", ran.stdout);
    let unmarked = bench.run(&["bench", &url, "-b", "hello"]);
    unmarked.expect(104, &["found a message without `${message}`"]);
}
