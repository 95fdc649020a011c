//! `plimsoll compare`: what it measures.

use crate::bench::{Bench, Ran, free_url, git, service};
use serde_json::Value;

fn cpu(comparison: &Value) -> &Value {
    let figures = comparison["figures"].as_array().expect("figures");
    let found = figures.iter().find(|figure| figure["figure"] == "cpu_per_request");
    found.expect("CPU can be sampled")
}

#[test]
fn ten_times_the_work_is_worse_and_fails() {
    let bench = Bench::with_services();
    let with_more_work = |which: &str| {
        let shape = [which, "WORK_US=2000", "--fail-if-worse", "5%"];
        bench.compare(&[&shape[..], &["--", "node", "works.js"]].concat())
    };
    let found = with_more_work("--b-env").expect(99, &[]).json();
    assert_eq!(found["verdict"], "worse", "{}", found["headline"]);
    assert_eq!(cpu(&found)["verdict"], "worse");
    assert_eq!(found["variants"][1]["what"], "WORK_US=[redacted] node works.js");
    assert_eq!(found["rounds"].as_array().expect("rounds").len(), 12);
    assert_eq!(found["variants"][0]["rounds_used"], 4);
    assert_eq!(
        bench.report(&bench.directory()).expect(99, &[]).json(),
        found,
        "the directory says the same"
    );
    assert!(bench.directory().join("report.html").is_file());

    assert_eq!(with_more_work("--a-env").expect(0, &[]).json()["verdict"], "better");
}

#[test]
fn predicted_gain_is_shown_beside_measured() {
    let service = service("parses.cjs");
    let diagnosed = Bench::new();
    let mut diagnose = diagnosed.command(&["diagnose", &free_url(), "-R", "100", "-d", "3s", "--target-cpus", "0"]);
    diagnose.args(["--json", "--", "node", &service]);
    let causes = Ran::of_command(&mut diagnose).json()["diagnosis"]["causes"].take();
    let directory = diagnosed.directory().display().to_string();

    let bench = Bench::new();
    let against = |fixed: &[&str]| {
        let shape = ["--b-env", "KEEP=1", "--diagnosis", &directory];
        bench.compare(&[&shape[..], fixed, &["--", "node", &service]].concat())
    };
    let nothing = against(&["--fixed", "parses.cjs:1000"]);
    nothing.expect(
        104,
        &[
            "predicts nothing for `parses.cjs:1000`",
            "it predicts a gain for",
            "parses.cjs:10",
        ],
    );
    let found = against(&["--fixed", "parses.cjs:10"]).expect(0, &[]).json();
    let prediction = &found["prediction"];
    assert_eq!(prediction["predicted"], causes[0]["predicted"]["factor"], "{causes:#}");
    let cause = prediction["cause"].as_str().expect("words");
    assert!(
        cause.starts_with("JSON.parse") && cause.ends_with("parses.cjs:10"),
        "{cause}"
    );
    assert!(prediction["proven"].as_f64() > Some(1.2), "{prediction}");
    let drawn_again = bench.report(&bench.directory()).json();
    assert_eq!(&drawn_again["prediction"], prediction, "the directory says the same");
}

#[test]
fn compared_revisions_leave_no_worktree() {
    let bench = Bench::with_services();
    git(&bench, &["init", "--quiet", "--initial-branch=main"]);
    for (message, work) in [("cheap", "0"), ("dear", "2000")] {
        let text = bench.read("works.js").replace("?? 0", &format!("?? {work}"));
        bench.write("works.js", &text);
        git(&bench, &["add", "--all"]);
        git(&bench, &["commit", "--quiet", "-m", message]);
    }
    let found = bench
        .compare(&["--rev", "main~1..main", "--", "node", "works.js"])
        .expect(0, &[])
        .json();
    assert_eq!(found["verdict"], "worse", "{}", found["headline"]);
    assert_eq!(found["variants"][0]["name"], "main~1");
    assert_eq!(git(&bench, &["worktree", "list"]).lines().count(), 1);

    let ran = bench.compare(&["--rev", "nowhere", "--", "node", "works.js"]);
    ran.expect(
        1,
        &[
            "failed to use revision nowhere: it names no commit",
            "hint: `git branch -a`",
        ],
    );
}

#[test]
fn comparison_without_rate_offers_half_of_throughput() {
    let bench = Bench::with_services();
    let (url, works) = (free_url(), "node works.js");
    let mut command = bench.command(&["compare", &url, "--a", works, "--b", works, "--rounds", "4"]);
    command.args(["--a-env", "WORK_US=2000", "--b-env", "WORK_US=2000"]);
    command.args(["-d", "500ms", "--warm-up", "100ms", "--json"]);
    let ran = Ran::of_command(&mut command);
    // What is offered is asked here, not whether the machine let the rounds count.
    assert!([0, 106].contains(&ran.code), "{}", ran.code);
    let found = ran.json();
    let load = found["load"].as_str().expect("text");
    assert!(load.contains("half of the"), "{load}");
    // 2 ms of work each cannot be done more than 500 times a second.
    let rate: f64 = load
        .split("/s")
        .next()
        .and_then(|rate| rate.parse().ok())
        .expect("a rate");
    assert!((50.0..=250.0).contains(&rate), "{load}");
}
