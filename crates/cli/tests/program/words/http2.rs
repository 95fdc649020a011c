//! Services that speak HTTP/2.

use crate::bench::{Bench, Ran, free_url, service};
use serde_json::{Value, json};
use std::collections::HashMap;

/// A plan of a service in clear text that does something else with each so many requests, and what the service saw.
struct Http2 {
    bench: Bench,
    plan: Value,
}

/// What the service counted.
struct Seen {
    /// Requests by path.
    asked: HashMap<String, u64>,
    /// Most of them at once.
    most: u64,
}

impl Http2 {
    fn new() -> Self {
        let bench = Bench::new();
        let plan = json!({
            "target": {
                "url": free_url(),
                "http": 2,
                "command": ["node", service("http2.js")],
                "env": { "LOG": bench.path("seen.json") },
            },
            "scenario": {
                "variables": { "id": { "from": 1, "to": 1000 } },
                "requests": [{ "path": "/${id}" }],
            },
            "objectives": ["errors = 0"],
            "load": { "rate": "200/s", "duration": "2s" },
        });
        Self { bench, plan }
    }

    /// Each so many requests it does this instead.
    fn that(mut self, does: &str, every: u64) -> Self {
        let env = &mut self.plan["target"]["env"];
        env["DOES"] = does.into();
        env["EVERY"] = every.to_string().into();
        self
    }

    /// One connection carries all requests of a run at once, however late a busy machine sends them.
    fn on_one_connection(mut self) -> Self {
        self.plan["connections"] = json!({ "streams": 400 });
        self
    }

    fn ran(&self) -> Ran {
        self.bench.write("plan.json", &self.plan.to_string());
        self.bench.run(&["run", "plan.json", "--json"])
    }

    fn seen(&self) -> Seen {
        let seen: Value = serde_json::from_str(&self.bench.read("seen.json")).expect("JSON");
        Seen {
            asked: serde_json::from_value::<Vec<(String, u64)>>(seen["asked"].clone())
                .expect("counts")
                .into_iter()
                .collect(),
            most: seen["most"].as_u64().expect("a count"),
        }
    }
}

#[test]
fn requests_share_one_connection() {
    let http2 = Http2::new().on_one_connection();
    let findings = http2.ran().json();
    assert_eq!(findings["totals"]["passed"], 400, "{findings}");
    assert_eq!(findings["totals"]["connections_opened"], 1, "{findings}");
    let seen = http2.seen();
    assert_eq!(seen.asked.len(), 400);
    assert!(seen.asked.values().all(|&times| times == 1));
}

#[test]
fn streams_bound_requests_in_flight() {
    let mut http2 = Http2::new();
    http2.plan["load"] = json!({ "model": "closed", "connections": 2, "requests": 400 });
    http2.plan["connections"] = json!({ "streams": 3 });
    let findings = http2.ran().json();
    assert_eq!(findings["totals"]["passed"], 400, "{findings}");
    assert_eq!(findings["totals"]["connections_opened"], 2);
    assert_eq!(http2.seen().most, 6);
}

#[test]
fn no_request_is_lost_or_doubled_when_connections_end() {
    let http2 = Http2::new().that("leave", 20);
    let findings = http2.ran().json();
    assert_eq!(findings["totals"]["passed"], 400, "{findings}");
    assert_eq!(findings["errors"], json!([]), "{findings}");
    assert!(
        findings["totals"]["connections_opened"].as_u64() > Some(10),
        "{findings}"
    );
    let seen = http2.seen();
    assert_eq!(seen.asked.len(), 400);
    assert!(seen.asked.values().all(|&times| times == 1));
}

#[test]
fn streams_that_are_reset_are_errors_of_their_own() {
    let http2 = Http2::new().that("reset", 20).on_one_connection();
    let findings = http2.ran().json();
    assert_eq!(findings["totals"]["passed"], 380, "{findings}");
    let [error] = findings["errors"].as_array().expect("errors").as_slice() else {
        panic!("one class: {findings}");
    };
    assert_eq!((&error["class"], &error["count"]), (&json!("stream_reset"), &json!(20)));
    let found = error["example"]["found"].as_str().expect("an example");
    assert!(
        found.starts_with("the service reset the stream: INTERNAL_ERROR"),
        "{found}"
    );
    assert_eq!(findings["totals"]["connections_opened"], 1, "the others go on");
}

#[test]
fn requests_without_a_response_end_alone() {
    let mut http2 = Http2::new().that("nothing", 100).on_one_connection();
    http2.plan["connections"]["response_timeout"] = "3s".into();
    let findings = http2.ran().json();
    assert_eq!(findings["totals"]["passed"], 396, "{findings}");
    assert_eq!(findings["errors"][0]["class"], "response_timeout", "{findings}");
    assert_eq!(findings["totals"]["connections_opened"], 1, "the others go on");
}

#[test]
fn connections_carry_one_request_without_keep_alive() {
    let mut http2 = Http2::new();
    http2.plan["connections"] = json!({ "keep_alive": false });
    http2.plan["load"]["rate"] = "50/s".into();
    let findings = http2.ran().json();
    assert_eq!(findings["totals"]["passed"], 100, "{findings}");
    assert_eq!(findings["totals"]["connections_opened"], 100, "{findings}");
}

#[test]
fn calls_are_counted_by_stream() {
    let http2 = Http2::new();
    http2.bench.write("plan.json", &http2.plan.to_string());
    let diagnose = ["diagnose", "plan.json", "--rate", "100", "-d", "2s", "--json"];
    let diagnosed = http2.bench.run(&diagnose).json();
    let causes = diagnosed["diagnosis"]["causes"].as_array().expect("causes");
    let parsing = causes.iter().find(|cause| cause["kind"] == "json");
    let parsing = parsing.unwrap_or_else(|| panic!("the probe counts streams: {diagnosed}"));
    assert!(parsing["place"].to_string().contains("http2.js"), "{parsing}");
    let per_request = parsing["per_request"].as_f64().expect("counted");
    assert!((0.9..1.1).contains(&per_request), "{parsing}");
}

#[test]
fn readiness_is_asked_for_in_the_version_of_the_plan() {
    let mut http2 = Http2::new();
    http2.plan["target"]["ready"] = json!({ "path": "/ready", "timeout": "20s" });
    let findings = http2.ran().json();
    assert_eq!(findings["totals"]["passed"], 400, "{findings}");
    assert_eq!(http2.seen().asked.get("/ready"), Some(&1));
}

#[test]
fn another_version_of_http_is_named_with_hint() {
    let mut http2 = Http2::new();
    http2.plan["target"]["ready"] = json!({ "path": "/ready", "timeout": "2s" });
    http2.plan["target"]["http"] = json!(1.1);
    http2
        .ran()
        .expect(1, &["HTTP/2", "hint: set `http: 2` in `target`, or give --http2"]);
    http2.plan["target"]["http"] = json!(2);
    http2.plan["target"]["command"] = json!(["node", service("ok.js")]);
    http2
        .ran()
        .expect(1, &["HTTP/1", "hint: set `target.http` to the version"]);
    http2.plan["target"]["ready"] = json!({});
    let findings = http2.ran().json();
    // Requests that wait for the same connection are cut off with it: on a slow machine they are more.
    let errors = findings["errors"].as_array().expect("errors");
    let malformed = errors.iter().find(|error| error["class"] == "malformed");
    let example = &malformed.expect("one of them is malformed")["example"];
    assert_eq!(example["expected"], "an HTTP/2 response", "{findings}");
    assert!(example["found"].to_string().contains("HTTP/1"), "{findings}");
}
