//! `plimsoll check`: what it decides.

use crate::bench::{Bench, Ran, free_url, git};
use serde_json::Value;

/// A repository whose newest commit burns so many microseconds a request more than the one before.
fn repository(added_us: &str) -> Bench {
    let bench = Bench::with_services();
    git(&bench, &["init", "--quiet", "--initial-branch=main"]);
    for (message, work) in [("base", "0"), ("change", added_us)] {
        let text = bench.read("works.js").replace("?? 0", &format!("?? {work}"));
        bench.write("works.js", &text);
        git(&bench, &["add", "--all"]);
        git(&bench, &["commit", "--quiet", "--allow-empty", "-m", message]);
    }
    bench
}

fn check(bench: &Bench, options: &[&str]) -> Ran {
    let mut command = bench.command(&["check", &free_url(), "--base", "HEAD~1", "-R", "300", "-d", "500ms"]);
    command.args(["--warm-up", "100ms", "--json"]).args(options);
    Ran::of_command(command.args(["--", "node", "works.js"]))
}

fn looks(found: &Value) -> u64 {
    found["gate"]["looks"].as_u64().expect("a number")
}

#[test]
fn change_that_costs_far_more_stops_the_build_at_once() {
    let bench = repository("2000");
    let options = ["--within", "5m", "--markdown", "check.md", "--annotations", "github"];
    let files = [
        "--code-quality",
        "quality.json",
        "--history",
        "kept/history.jsonl",
        "--machine",
        "one",
    ];
    let ran = check(&bench, &[&options[..], &files].concat());
    let found = ran.expect(99, &["::error title=plimsoll check%3A worse::"]).json();
    assert_eq!(
        (&found["verdict"], &found["gate"]["decision"]),
        (&"worse".into(), &"worse".into())
    );
    assert!(looks(&found) < 3, "it went on: {}", found["gate"]);
    assert_eq!(found["variants"][1]["name"], "working tree");
    assert!(bench.read("check.md").starts_with("## ❌ "), "the verdict comes first");
    let issues: Value = serde_json::from_str(&bench.read("quality.json")).expect("JSON");
    assert_eq!(issues[0]["severity"], "critical");
    assert_eq!(found["notices"][0]["code"], "too_little_history");
    assert!(!bench.path("kept").exists(), "what was refused is not kept");
    assert_eq!(git(&bench, &["worktree", "list"]).lines().count(), 1);
    assert_eq!(
        bench.report(&bench.directory()).expect(99, &[]).json(),
        found,
        "the directory says the same"
    );
}
