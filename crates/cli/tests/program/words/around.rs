//! What is done once before the load and once after it.

use super::canary::assert_hidden;
use crate::bench::{Bench, Going, Ran, free_port, service};
use serde_json::json;
use std::fs;

/// A plan that fetches a key, sends it with every request for so long, and gives it back; the service has this fault.
fn bench(fault: &str, duration: &str, scenario: &str) -> Bench {
    let bench = Bench::new();
    let plan = format!(
        r#"target: {{ url: "http://127.0.0.1:{port}", command: "node {service}", env: {{ PORT: "{port}", FAULT: "{fault}" }} }}
objectives: [errors <= 0%]
scenario:
  before:
    - request: {{ name: fetch, method: POST, path: /keys, expect: {{ status: 201 }}, take: {{ key: {{ json: $.key }} }} }}
  {scenario}
  after:
    - request: {{ method: DELETE, path: /keys, headers: {{ x-key: "${{key}}" }} }}
load: {{ rate: 50/s, duration: {duration} }}
"#,
        port = free_port(),
        service = service("keys.js")
    );
    bench.write("plan.yaml", &plan);
    bench
}

const REQUESTS: &str = r#"requests: [{ path: "/?a", headers: { x-key: "${key}" } }]"#;

#[track_caller]
fn check(bench: &Bench, ran: &Ran) {
    assert!(bench.path("given-back").exists(), "{}", ran.stderr);
    // Neither what the service was given nor what it printed is kept.
    let key = bench.read("key");
    fs::remove_file(bench.path("key")).expect("it is there");
    assert!(assert_hidden("a key", bench, ran, &[key]) > 5);
}

#[test]
fn requests_have_what_was_fetched_before() {
    let bench = bench("", "1s", REQUESTS);
    let ran = bench.run(&["run", "plan.yaml", "--json"]);
    let findings = ran.json();
    // It is no part of the load.
    assert_eq!(findings["totals"]["completed"], 50, "{findings:#}");
    assert_eq!(findings["errors"], json!([]), "{findings:#}");
    check(&bench, &ran);
}

#[test]
fn users_have_what_was_fetched_before() {
    let journey = r#"journeys: [{ actions: [request: { path: "/${key}", headers: { x-key: "${key}" } }, request: { name: again, headers: { x-key: "${key}" } }] }]"#;
    let bench = bench("", "1s", journey);
    let ran = bench.run(&["run", "plan.yaml", "--json"]);
    assert_eq!(ran.json()["journeys"][0]["finished"], 50);
    check(&bench, &ran);
}

#[test]
fn what_fails_before_the_load_ends_the_run() {
    let bench = bench("refuses", "60s", REQUESTS);
    let ran = bench.run(&["run", "plan.yaml"]);
    ran.expect(
        1,
        &[
            "failed to do what comes before the load: request `fetch`: found status 403 Forbidden, expected status 201",
            "hint: nothing was measured",
        ],
    );
    assert!(!bench.path("given-back").exists());
}

#[test]
fn what_comes_after_the_load_is_done_where_it_was_interrupted() {
    let bench = bench("", "60s", REQUESTS);
    let mut going = Going::begin(&mut bench.command(&["run", "plan.yaml"]));
    going.wait_for(|line| line.contains("left"));
    let ran = going.interrupt();
    ran.expect(105, &[]);
    check(&bench, &ran);
}
