//! Calls of gRPC, to a server of @grpc/grpc-js.

use super::canary::{assert_hidden, canary};
use crate::bench::{Bench, Ran, free_url, service};
use serde_json::{Value, json};

/// A plan of calls whose items have these names, in turn.
fn plan(bench: &Bench, names: &[&str]) -> Value {
    json!({
        "target": {
            "url": free_url(),
            "command": ["node", service("grpc.js")],
            "env": { "LOG": bench.path("called.json") },
        },
        "scenario": {
            "variables": { "id": { "from": 1, "to": 3 }, "name": { "values": names } },
            "requests": [{
                "grpc": {
                    "proto": service("shop.proto"),
                    "call": "shop.Cart/Add",
                    "message": { "id": "${id}", "name": "${name}", "tags": ["a", "b"], "added": "2026-01-02T03:04:05Z" },
                },
                "headers": { "x-user": "u${id}" },
            }],
        },
        "objectives": ["errors = 0"],
        "load": { "rate": "120/s", "duration": "1s" },
    })
}

fn ran(bench: &Bench, plan: &Value) -> Ran {
    bench.write("plan.json", &plan.to_string());
    bench.run(&["run", "plan.json", "--json"])
}

/// Classes of errors, how often, and what the first of each was.
fn errors(findings: &Value) -> Vec<(String, u64, String)> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let errors = findings["errors"].as_array().expect("errors");
    let error = |error: &Value| {
        let count = error["count"].as_u64().expect("a count");
        (text(&error["class"]), count, text(&error["example"]["found"]))
    };
    errors.iter().map(error).collect()
}

#[test]
fn messages_are_what_the_plan_says_with_its_values() {
    let bench = Bench::new();
    let mut plan = plan(&bench, &["tea", "milk"]);
    // As many as there are calls: however slow the service is, none needs another connection.
    plan["connections"] = json!({ "streams": 120 });
    let findings = ran(&bench, &plan).json();
    assert_eq!(findings["totals"]["passed"], 120, "{findings}");
    assert_eq!(findings["totals"]["connections_opened"], 1, "{findings}");
    let called: Vec<(String, u64)> = serde_json::from_str(&bench.read("called.json")).expect("counts");
    let expected: Vec<(String, u64)> = [
        ("1", "milk"),
        ("1", "tea"),
        ("2", "milk"),
        ("2", "tea"),
        ("3", "milk"),
        ("3", "tea"),
    ]
    .map(|(id, name)| (format!(r#"["{id}","{name}",["a","b"],"1767323045","u{id}"]"#), 20))
    .to_vec();
    assert_eq!(called, expected);
}

#[test]
fn statuses_are_errors_of_their_own() {
    let bench = Bench::new();
    let mut plan = plan(&bench, &["tea", "status 14", "status 5", "status 15"]);
    plan["scenario"]["requests"][0]["expect"] = json!({ "grpc_status": ["OK", "DATA_LOSS"] });
    let findings = ran(&bench, &plan).json();
    assert_eq!(
        (&findings["totals"]["passed"], &findings["totals"]["completed"]),
        (&json!(60), &json!(120)),
        "{findings}"
    );
    assert_eq!(findings["totals"]["status"], json!([0, 120, 0, 0, 0]), "{findings}");
    let found = |class: &str, name: &str| {
        let found = format!("grpc-status {name}: no stock for [redacted], nö");
        (class.to_owned(), 30, found)
    };
    let expected = [
        found("grpc_not_found", "NOT_FOUND"),
        found("grpc_unavailable", "UNAVAILABLE"),
    ];
    assert_eq!(errors(&findings), expected);
    assert_eq!(
        findings["errors"][0]["example"]["expected"],
        "grpc-status OK or DATA_LOSS"
    );
    // The plan that is kept says nothing of the messages, and is one all the same.
    assert_eq!(errors(&bench.report(&bench.directory()).json()), expected);
}

#[test]
fn messages_stay_out_of_output() {
    use base64::Engine as _;
    let bench = Bench::new();
    let canaries: Vec<String> = (0..2).map(canary).collect();
    let mut plan = plan(&bench, &["tea", "status 5"]);
    plan["scenario"]["requests"][0]["grpc"]["message"]["tags"] = json!([canaries[0]]);
    // The name of an item, its second field.
    let name = canaries[1].as_bytes();
    let encoded = base64::engine::general_purpose::STANDARD.encode([&[0x12, name.len() as u8], name].concat());
    let call = json!({ "call": "shop.Cart/Add", "message_base64": encoded });
    let requests = plan["scenario"]["requests"].as_array_mut().expect("a list");
    requests.push(json!({ "name": "encoded", "grpc": call }));
    let ran = ran(&bench, &plan);
    assert_eq!(ran.json()["totals"]["completed"], 120);
    assert_hidden("run of calls", &bench, &ran, &canaries);
}

#[test]
fn a_deadline_is_told_to_the_service() {
    let bench = Bench::new();
    let mut plan = plan(&bench, &["nothing"]);
    plan["scenario"]["requests"][0]["grpc"]["deadline"] = json!("50ms");
    let findings = ran(&bench, &plan).json();
    let [(class, count, _)] = errors(&findings).try_into().expect("one class");
    assert_eq!((class.as_str(), count), ("grpc_deadline_exceeded", 120), "{findings}");
}

#[test]
fn calls_are_made_over_tls() {
    let bench = Bench::new();
    let mut plan = plan(&bench, &["tea"]);
    let certificate = rcgen::generate_simple_self_signed(["service".to_owned()]).expect("a certificate");
    bench.write("cert.pem", &certificate.cert.pem());
    bench.write("key.pem", &certificate.signing_key.serialize_pem());
    let target = &mut plan["target"];
    target["url"] = json!(target["url"].as_str().expect("a URL").replace("http:", "https:"));
    target["tls"] = json!({ "insecure": true });
    target["env"]["CERT"] = json!(bench.path("cert.pem"));
    target["env"]["KEY"] = json!(bench.path("key.pem"));
    let findings = ran(&bench, &plan).json();
    assert_eq!(findings["totals"]["passed"], 120, "{findings}");
}

#[test]
fn responses_of_no_call_are_errors_with_safe_words() {
    let bench = Bench::new();
    let mut plan = plan(&bench, &["tea"]);
    plan["target"]["command"] = json!(["node", service("trailers.js")]);
    let does = [
        "no-status",
        "hostile-words",
        "no-number",
        "status-99",
        "page",
        "gateway",
    ];
    plan["scenario"]["variables"]["does"] = json!({ "values": does });
    plan["scenario"]["requests"][0]["headers"] = json!({ "x-does": "${does}" });
    let ran = ran(&bench, &plan);
    let findings = ran.json();
    assert_eq!(findings["totals"]["passed"], 0, "{findings}");
    let errors = errors(&findings);
    let counts: Vec<(&str, u64)> = errors
        .iter()
        .map(|(class, count, _)| (class.as_str(), *count))
        .collect();
    let expected = [
        ("grpc_internal", 20),
        ("grpc_no_status", 20),
        ("grpc_unknown", 20),
        ("malformed", 40),
        ("status", 20),
    ];
    let mut sorted = counts.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, expected, "{findings}");
    let text = bench.run(&["report", &bench.directory().display().to_string()]).stdout;
    let unwrapped = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in ["grpc-status INTERNAL", "grpc-status 99", "without grpc-status"] {
        assert!(unwrapped.contains(said), "{said} in {text}");
    }
    let drives = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!text.contains(drives), "{text:?}");
}

#[test]
fn a_method_that_the_service_lacks_is_unimplemented() {
    let bench = Bench::new();
    let mut plan = plan(&bench, &["tea"]);
    plan["scenario"]["requests"][0]["path"] = json!("/shop.Cart/Remove");
    let findings = ran(&bench, &plan).json();
    assert_eq!(errors(&findings)[0].0, "grpc_unimplemented", "{findings}");
}
