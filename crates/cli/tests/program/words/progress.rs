//! `--progress json`: what a program is told while another runs.

use crate::bench::{Bench, Ran, free_url, service};
use serde_json::Value;

/// Each line of standard error, which is nothing but JSON.
fn events(ran: &Ran) -> Vec<Value> {
    let parsed = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    ran.stderr.lines().map(parsed).collect()
}

#[test]
fn progress_is_json_lines_of_the_schema() {
    let schema: Value = serde_json::from_str(include_str!("../../../../../docs/reference/event.schema.json"))
        .expect("the schema is JSON");
    let choices = schema["oneOf"].as_array().expect("a choice for each event").iter();
    let known: Vec<&Value> = choices.map(|choice| &choice["properties"]["type"]["const"]).collect();
    let ran = Bench::new().run(&[
        "run",
        &free_url(),
        "-R",
        "50",
        "-d",
        "1s",
        "--json",
        "--progress",
        "json",
        "--",
        "node",
        &service("ok.js"),
    ]);
    let events = events(&ran);
    for event in &events {
        assert!(known.contains(&&event["type"]), "{event}");
        assert!(event["text"].is_string(), "{event}");
    }
    let types: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(
        types[..4],
        ["directory_created", "service_starting", "service_ready", "step_started"]
    );
    assert!(types.contains(&"progress"), "{types:?}");
    let step = events.last().expect("there are some");
    assert_eq!(step["type"], "step_finished");
    assert_eq!(step["objectives"], ran.json()["steps"][0]["objectives"]);
}

#[test]
fn failure_is_one_json_line() {
    let bench = Bench::new();
    for (args, exit_code) in [
        (&["capacity", "no.yaml"][..], 104),
        (&["compare", "no.yaml", "--b-env", "A=1"], 104),
    ] {
        let ran = bench.run(&[args, &["--progress=json"]].concat());
        assert_eq!(ran.code, exit_code);
        let events = events(&ran);
        assert_eq!(events.len(), 1, "{events:?}");
        assert_eq!(events[0]["type"], "failed");
        assert_eq!(events[0]["exit_code"], exit_code);
        assert_eq!(
            events[0]["message"],
            "no.yaml: found no such file, expected a plan in YAML or JSON"
        );
        assert!(
            events[0]["hint"]
                .as_str()
                .is_some_and(|hint| hint.contains("plimsoll init"))
        );
    }
}

#[test]
fn quiet_progress_is_refused() {
    Bench::new()
        .run(&["capacity", "--quiet", "--progress=json"])
        .expect(104, &["cannot be used with"]);
}
