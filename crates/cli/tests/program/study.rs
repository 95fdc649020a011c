//! `plimsoll study`: a short study of a real service.

use crate::bench::{Bench, Ran, free_url, service};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// A folder with a service, its plan, and one study of it.
struct Checkout(Bench);

const STUDY: &str = r#"
title: Ten times the work
question: Does a request cost more that does ten times the work?
differs: [nothing but the day]
prepare: sh -c "echo ready > prepared"
beside: sh studies/work/beside.sh
measurements:
  work:
    kind: compare
    plan: ../../plan.yaml
    variants: { light: {}, heavy: { env: { WORK_US: "2000" } } }
    rate: 200/s
    rounds: 4
    duration: 500ms
    warm_up: 100ms
  once: { kind: run, plan: ../../plan.yaml, rate: 200/s, duration: 500ms, warm_up: 100ms }
  printed: { kind: command, command: sh studies/work/print.sh }
effects:
  CPU: { published: work, here: { of: work, figure: cpu } }
  errors: { published: errors, here: { of: once, figure: throughput } }
  printed: { here: { of: printed, figure: b }, against: { of: printed, figure: a } }
"#;

const PUBLISHED: &str = r#"{
  "source": ["a case made for this test"],
  "figures": {
    "work": { "what": "CPU of ten times the work ÷ of the work", "direction": "more" },
    "errors": { "what": "answers per second", "at_least": 1 }
  }
}"#;

/// Prints what the program beside it has given it.
const PRINT: &str =
    r#"printf '{"figures": {"a": {"unit": "ms", "values": [2]}, "b": {"unit": "ms", "values": [%s, 3]}}}' "$THREE""#;

const BESIDE: &str = r#"trap 'echo over >beside-ended; exit' TERM
test -e prepared || exit 1
echo '{"THREE": "3"}'
while :; do sleep 0.05; done"#;

impl Checkout {
    fn new() -> Self {
        let bench = Bench::new();
        for file in ["works.js", "package.json"] {
            fs::copy(service(file), bench.path(file)).expect("copied");
        }
        let url = free_url();
        let plan =
            format!("target: {{ url: '{url}', command: node works.js, working_dir: ., env: {{ WORK_US: '200' }} }}\n");
        bench.write("plan.yaml", &plan);
        for (file, text) in [
            ("study.yaml", STUDY),
            ("published.json", PUBLISHED),
            ("print.sh", PRINT),
            ("beside.sh", BESIDE),
        ] {
            bench.write(&format!("studies/work/{file}"), text);
        }
        Self(bench)
    }

    /// In a folder below the checkout's.
    fn run(&self, args: &[&str]) -> Ran {
        let mut command = self.0.command(args);
        Ran::of_command(command.current_dir(self.0.path("studies")))
    }

    /// The one folder of a study.
    fn folder(&self) -> PathBuf {
        self.0.only_folder_in("studies/runs")
    }
}

#[test]
fn a_study_is_run_judged_kept_and_read_back() {
    let checkout = Checkout::new();
    let ran = checkout.run(&["study", "work", "--json"]);
    let found = ran.expect(0, &["1 of 3: work (compare)"]).json();
    assert_eq!(found["verdict"], "reproduced", "{}", found["headline"]);
    assert_eq!(found["effects"][0]["verdict"], "reproduced");
    assert!(found["effects"][0]["here"]["ratio"].as_f64().expect("a ratio") > 1.5);
    assert_eq!(found["effects"][2]["verdict"], "shown");
    assert_eq!(found["effects"][2]["here"]["ratio"], 1.5);
    assert!(
        checkout.0.path("beside-ended").is_file(),
        "what ran beside had time to clean up"
    );

    let folder = checkout.folder();
    assert!(folder.to_string_lossy().ends_with("-study-work"));
    let page = fs::read_to_string(folder.join("report.md")).expect("a page");
    let measured = found["measurements"].as_array().expect("measurements");
    for measurement in &measured[..2] {
        let link = format!("{}/report.html", measurement["folder"].as_str().expect("a folder"));
        assert!(page.contains(&link) && folder.join(&link).is_file(), "{link}");
    }
    let again = checkout.0.report(&folder);
    assert_eq!(again.expect(0, &[]).json(), found, "the folder says the same");

    // As after a crash before the last measurement.
    let info = folder.join("study.json");
    let kept = fs::read_to_string(&info).expect("kept");
    let mut cut: Value = serde_json::from_str(&kept).expect("JSON");
    cut["parts"].as_array_mut().expect("parts").truncate(1);
    cut["ended"] = Value::Null;
    fs::write(&info, cut.to_string()).expect("written");
    let cut = checkout.0.report(&folder).expect(105, &[]).json();
    assert_eq!(cut["effects"][0]["verdict"], "reproduced");
    assert_eq!(cut["effects"][1]["because"], "once was not begun");
}

#[test]
fn an_effect_that_is_not_here_is_a_result() {
    let checkout = Checkout::new();
    let less = PUBLISHED.replace("\"more\"", "\"less\"");
    checkout.0.write("studies/work/published.json", &less);
    let found = checkout
        .run(&["study", "all", "--quiet", "--json"])
        .expect(0, &[])
        .json();
    assert_eq!(found["effects"][0]["verdict"], "reversed", "{found}");
    assert_eq!(found["verdict"], "partly");
}

#[test]
fn what_cannot_be_measured_does_not_keep_the_rest_from_being_measured() {
    let checkout = Checkout::new();
    let failing = "echo 'no such device' >&2; exit 3";
    checkout.0.write("studies/work/print.sh", failing);
    let found = checkout.run(&["study", "work", "--json"]).expect(1, &[]).json();
    assert_eq!(found["verdict"], "failed", "{found}");
    assert_eq!(found["effects"][0]["verdict"], "reproduced");
    let said = found["measurements"][2]["headline"].as_str().expect("a headline");
    assert!(said.contains("no such device"), "{said}");
}

#[test]
fn mistakes() {
    let checkout = Checkout::new();
    let listed = checkout.run(&["study", "list", "--json"]);
    assert_eq!(listed.expect(0, &[]).json()[0]["name"], "work");
    for (args, expected) in [
        (&["study", "wrok"][..], "found no study `wrok`, expected one of work"),
        (&["study", "list", "--studies", "work"], "found no study in"),
        (
            &["study", "all", "--markdown", "x.md"],
            "--junit and --markdown name one file",
        ),
    ] {
        checkout.run(args).expect(104, &[expected]);
    }
    checkout.0.write("studies/work/study.yaml", "titel: t\n");
    checkout
        .run(&["study", "work"])
        .expect(104, &["study.yaml:1:1", "did you mean `title`?"]);
}
