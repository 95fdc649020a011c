//! Socket.IO, against the bot of `services/bookmarks`.

use super::canary::{assert_hidden, canary};
use crate::bench::{Bench, Ran, free_port};
use serde_json::Value;
use std::path::Path;

/// What nobody may see of an event.
const SECRET: u32 = 96;

/// What a plan says of these clients, who say something.
fn run(user: &str, rest: &str) -> (Ran, Value) {
    let port = free_port();
    let service = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../services/bookmarks/src/server.js");
    let plan = format!(
        "target:
  url: socket.io+ws://127.0.0.1:{port}
  command: node {service}
  env: {{ PORT: \"{port}\" }}
scenario:
  variables: {{ user: {{ from: 1, to: 5 }}, page: {{ from: 1, to: 9 }} }}
  requests:
    - {{ name: come, connect: {{ auth: {{ user: \"{user}${{user}}\", key: \"{secret}\" }} }} }}
{rest}
",
        service = service.display(),
        secret = canary(SECRET)
    );
    let bench = Bench::new();
    bench.write("plan.yaml", &plan);
    let ran = bench.run(&["run", "plan.yaml", "--json"]);
    let findings = ran.json();
    assert_eq!(bench.report(&bench.directory()).stdout, ran.stdout);
    assert_hidden("an event", &bench, &ran, &[canary(SECRET)]);
    (ran, findings)
}

const LOAD: &str = "    - { name: add, emit: { event: say, args: [\"add https://example.com/${page} a page #seen\"] } }
    - { name: search, weight: 3, emit: { event: say, args: [\"search #seen\"] } }
load: { model: closed, connections: 10, requests: 200 }
objectives: [errors = 0]
judging: { warm_up: 0s, window: 100ms }
";

#[test]
fn acknowledgements_are_responses() {
    let (ran, findings) = run("user-", LOAD);
    ran.expect(0, &[]);
    assert_eq!(findings["totals"]["passed"], 200, "{findings:#}");
    assert_eq!(findings["openings"]["count"], 10, "{findings:#}");
    assert_eq!(
        (&findings["requests"][1]["name"], &findings["requests"][1]["completed"]),
        (&"search".into(), &150.into())
    );
}

#[test]
fn a_client_that_is_refused_is_an_error_in_words() {
    let (ran, findings) = run("NOBODY ", LOAD);
    ran.expect(1, &[]);
    let error = &findings["errors"][0];
    assert_eq!(
        (&error["class"], &error["count"]),
        (&"not_admitted".into(), &200.into()),
        "{findings:#}"
    );
    assert!(
        error["example"].to_string().contains("expected `auth: { user }`"),
        "{findings:#}"
    );
}

#[test]
fn held_clients_emit_and_receive() {
    let rest = "  actions:
    - repeat:
        every: 200ms
        actions: [emit: { event: say, args: [\"remove ${message}\"] }]
load: { model: hold, connections: 10, pace: 1000/s, duration: 1s }
connections: { response_timeout: 2s }
";
    let (ran, findings) = run("user-", rest);
    ran.expect(0, &[]);
    let messages = &findings["hold"]["messages"];
    let figures = ["sent", "lost", "doubled"].map(|figure| messages[figure].as_u64());
    assert_eq!(figures, [Some(50), Some(0), Some(0)], "{findings:#}");
}

/// What this client comes to in a namespace where it emits an event, beside socket.io-client.
fn beside_its_own_client(transport: &str, namespace: &str, event: &str) -> (Value, String) {
    let bench = Bench::new();
    let load = "load: { model: closed, connections: 1, requests: 1 }";
    beside(&bench, transport, namespace, event, load)
}

fn beside(bench: &Bench, transport: &str, namespace: &str, event: &str, load: &str) -> (Value, String) {
    let port = free_port();
    let service = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/services/namespaces.js");
    let plan = format!(
        "target:
  url: socket.io+ws://127.0.0.1:{port}
  command: node {service}
  env: {{ PORT: \"{port}\", ORACLE: \"{oracle}\", SEEN: \"{seen}\" }}
scenario:
  requests:
    - {{ name: come, connect: {{ namespace: {namespace}, transport: {transport} }} }}
    - {{ name: say, emit: {{ event: {event} }} }}
{load}
judging: {{ warm_up: 0s, window: 100ms }}
",
        service = service.display(),
        oracle = bench.path("oracle.json").display(),
        seen = bench.path("seen").display(),
    );
    bench.write("plan.yaml", &plan);
    let findings = bench.run(&["run", "plan.yaml", "--json"]).json();
    let seen = std::fs::read(bench.path("oracle.json")).expect("what socket.io-client saw");
    let seen: Value = serde_json::from_slice(&seen).expect("JSON");
    let seen = seen[transport][format!("{namespace} {event}")]
        .as_str()
        .expect("a word")
        .to_owned();
    (findings, seen)
}

/// In every namespace it comes to the same.
fn namespaces_are_what_they_are_to_its_own_client(transport: &str) {
    for (namespace, event) in [
        ("/", "ask"),
        ("/open", "ask"),
        ("/members", "ask"),
        ("/polled", "ask"),
        ("/unknown", "ask"),
        ("/open", "leave"),
    ] {
        let (findings, seen) = beside_its_own_client(transport, namespace, event);
        let error = &findings["errors"][0];
        let (class, words) = match seen.split_once(": ") {
            None => {
                assert_eq!(seen, "acknowledged");
                assert_eq!(findings["totals"]["passed"], 1, "{namespace} {event}: {findings:#}");
                assert_eq!(findings["openings"]["count"], 1, "{namespace} {event}: {findings:#}");
                continue;
            }
            Some(("refused", words)) => ("not_admitted", words),
            Some(("disconnected", "io server disconnect")) => ("closed", "DISCONNECT"),
            Some(other) => panic!("{namespace} {event}: {other:?}"),
        };
        assert_eq!(error["class"], class, "{namespace} {event}: {findings:#}");
        assert!(error["example"].to_string().contains(words), "{words}: {findings:#}");
    }
}

#[test]
fn namespaces_on_a_web_socket_are_what_they_are_to_its_own_client() {
    namespaces_are_what_they_are_to_its_own_client("websocket");
}

#[test]
fn namespaces_after_an_upgrade_are_what_they_are_to_its_own_client() {
    namespaces_are_what_they_are_to_its_own_client("upgrade");
}

#[test]
fn each_event_opens_a_connection_where_none_is_kept_and_leaves_as_its_own_client() {
    for transport in ["websocket", "upgrade"] {
        let bench = Bench::new();
        let load = "load: { model: closed, connections: 5, requests: 60 }\nconnections: { keep_alive: false }";
        let (findings, _) = beside(&bench, transport, "/open", "ask", load);
        let totals = &findings["totals"];
        assert_eq!(
            (
                &totals["passed"],
                &totals["connections_opened"],
                &findings["openings"]["count"]
            ),
            (&60.into(), &60.into(), &60.into()),
            "{findings:#}"
        );
        let seen = bench.read("seen");
        let mut seen: Vec<_> = seen.lines().collect();
        let ours = seen.split_off(seen.len() - 60);
        let theirs = seen.first().expect("a client that went by itself");
        assert_eq!(ours, vec![*theirs; 60], "{transport}");
    }
}

/// How late the pings of a service came whose event loop stands still for so many milliseconds at a time.
fn lateness_of_pings(transport: &str, frozen_ms: u32, load: &str) -> Value {
    let bench = Bench::new();
    let port = free_port();
    let service = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/services/pings.js");
    let plan = format!(
        "target:
  url: socket.io+ws://127.0.0.1:{port}
  command: node {service}
  env: {{ PORT: \"{port}\", FROZEN: \"{frozen_ms}\" }}
scenario:
  requests:
    - {{ name: come, connect: {{ transport: {transport} }} }}
{load}
judging: {{ warm_up: 0s, window: 500ms }}
",
        service = service.display(),
    );
    bench.write("plan.yaml", &plan);
    let ran = bench.run(&["run", "plan.yaml", "--json"]);
    assert_eq!(bench.report(&bench.directory()).stdout, ran.stdout);
    let pings = ran.json()["pings"].clone();
    // How many come in this time is up to the machine.
    assert!(pings["count"].as_u64() > Some(0), "{pings:#}");
    pings
}

#[test]
fn pings_of_a_service_that_stands_still_are_late() {
    let held = "load: { model: hold, connections: 10, pace: 1000/s, duration: 3s }
objectives: [errors = 0]";
    let speaking = "    - { name: ask, emit: { event: ask } }
load: { rate: 20, duration: 3s }
connections: { min: 5 }
objectives: [errors = 0]";
    let [frozen, _] = [("websocket", held), ("upgrade", speaking)].map(|(transport, load)| {
        let pings = lateness_of_pings(transport, 300, load);
        assert!(pings["p99_ms"].as_f64() >= Some(200.0), "{pings:#}");
        pings
    });
    // A round trip, and what a busy machine adds, which it added there as well.
    let pings = lateness_of_pings("websocket", 0, held);
    assert!(
        pings["p50_ms"].as_f64() < frozen["p50_ms"].as_f64(),
        "{pings:#} {frozen:#}"
    );
}
