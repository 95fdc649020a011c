//! Held WebSockets, against npm `ws`, which loses, doubles, refuses and closes as it is told to.

use super::canary::{assert_hidden, canary};
use crate::bench::{Bench, Ran, free_port, service};
use serde_json::Value;

/// Connections, of which each says something five times.
const CONNECTIONS: u64 = 20;
const MESSAGES: u64 = 100;
/// What nobody may see of a message.
const SECRET: u32 = 95;

/// A plan that holds WebSockets on `path` and sends messages on them, against a service with this environment.
fn plan(path: &str, receivers: &str, environment: &str) -> String {
    let port = free_port();
    format!(
        "target:
  url: ws://127.0.0.1:{port}
  command: node {service}
  env: {{ PORT: \"{port}\", {environment} }}
scenario:
  requests: [{{ name: open, path: {path}, headers: {{ sec-websocket-protocol: \"chat, soap\" }} }}]
  actions:
    - repeat:
        every: 200ms
        actions:
          - send: {{ name: say, json: {{ text: \"${{message}}\", key: \"{secret}\" }}, receivers: {receivers} }}
load: {{ model: hold, connections: {CONNECTIONS}, pace: 1000/s, duration: 1s }}
connections: {{ response_timeout: 2s }}
",
        service = service("web_socket.js"),
        secret = canary(SECRET)
    )
}

fn run(plan: &str) -> (Ran, Value) {
    let bench = Bench::new();
    bench.write("plan.yaml", plan);
    let ran = bench.run(&["run", "plan.yaml", "--json"]);
    let findings = ran.json();
    assert_eq!(bench.report(&bench.directory()).stdout, ran.stdout);
    assert_hidden("a message", &bench, &ran, &[canary(SECRET)]);
    (ran, findings)
}

#[track_caller]
fn check(plan: &str, code: i32, lost: u64, doubled: u64) -> Value {
    let (ran, findings) = run(plan);
    ran.expect(code, &[]);
    let messages = &findings["hold"]["messages"];
    assert_eq!(messages["sent"], MESSAGES, "{findings:#}");
    assert_eq!(messages["lost"], lost, "{findings:#}");
    assert_eq!(messages["doubled"], doubled, "{findings:#}");
    findings
}

#[test]
fn echoes_are_delivered_in_order() {
    let findings = check(&plan("/echo", "1", ""), 0, 0, 0);
    let (hold, requests) = (&findings["hold"], &findings["requests"]);
    assert_eq!((&hold["opened"], &hold["lost"]), (&CONNECTIONS.into(), &0.into()));
    assert_eq!(hold["messages"]["time"]["count"], MESSAGES);
    assert_eq!(hold["messages"]["broadcast"], Value::Null);
    assert_eq!(hold["messages"]["out_of_order"], 0);
    assert_eq!(
        (&requests[0]["name"], &requests[0]["completed"]),
        (&"open".into(), &CONNECTIONS.into())
    );
    assert_eq!(
        (&requests[1]["name"], &requests[1]["completed"]),
        (&"say".into(), &MESSAGES.into())
    );
}

#[test]
fn lost_and_doubled_echoes_are_counted() {
    let findings = check(&plan("/echo", "1", "LOSE: \"10\", DOUBLE: \"25\""), 99, 10, 2);
    assert_eq!(findings["headline"]["code"], "messages_not_delivered");
}

#[test]
fn a_broadcast_to_all_others_passes() {
    let findings = check(&plan("/chat", "others", ""), 0, 0, 0);
    let broadcast = &findings["hold"]["messages"]["broadcast"];
    let arrivals = MESSAGES * (CONNECTIONS - 1);
    assert_eq!(broadcast["receivers"], CONNECTIONS - 1);
    assert_eq!(
        (&broadcast["arrivals"], &broadcast["missing"]),
        (&arrivals.into(), &0.into())
    );
    assert_eq!(findings["hold"]["messages"]["time"]["count"], arrivals);
}

#[test]
fn missing_and_doubled_arrivals_of_a_broadcast_are_counted() {
    let findings = check(&plan("/all", "all", "LOSE: \"10\", DOUBLE: \"25\""), 99, 0, 4);
    let broadcast = &findings["hold"]["messages"]["broadcast"];
    assert_eq!(
        (&broadcast["arrivals"], &broadcast["missing"]),
        (&1990.into(), &10.into())
    );
}

#[test]
fn a_refused_upgrade_is_an_error_by_status() {
    let (ran, findings) = run(&plan("/refuse", "1", ""));
    ran.expect(1, &[]);
    assert_eq!(
        (&findings["verdict"], &findings["hold"]["opened"]),
        (&"failed".into(), &0.into())
    );
    let error = &findings["errors"][0];
    assert_eq!(
        (&error["class"], &error["count"]),
        (&"status".into(), &CONNECTIONS.into())
    );
    assert!(error["example"].to_string().contains("members only"), "{findings:#}");
}

#[test]
fn close_codes_tell_losses_apart() {
    for (code, class) in [
        ("1001", "closed"),
        ("1008", "close_policy_violation"),
        ("4001", "close_private"),
    ] {
        let (ran, findings) = run(&plan("/echo", "1", &format!("CLOSE: \"{code}\"")));
        ran.expect(99, &[]);
        assert_eq!(findings["hold"]["lost"], CONNECTIONS, "{findings:#}");
        let error = &findings["errors"][0];
        assert_eq!((&error["class"], &error["count"]), (&class.into(), &CONNECTIONS.into()));
        let example = error["example"]["found"].to_string();
        assert!(
            example.contains(code) && example.contains("enough of that"),
            "{example}"
        );
    }
}
