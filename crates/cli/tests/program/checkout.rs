//! A short study of a real service, and what it needs around it.

use crate::bench::{Bench, PATIENT, Ran, free_url, service};
use std::fs;
use std::path::PathBuf;

/// A directory with a service, its plan, and one study of it.
pub(crate) struct Checkout(pub(crate) Bench);

const STUDY: &str = r#"
title: Ten times the work
question: Does a request cost more that does ten times the work?
differs: [nothing but the day]
size: { of: rounds, default: 3 }
prepare: sh -c "$PLIMSOLL --version > prepared"
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

pub(crate) const PUBLISHED: &str = r#"{
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
echo "{\"THREE\": \"$STUDY_SIZE\"}"
while :; do sleep 0.05; done"#;

impl Checkout {
    pub(crate) fn new() -> Self {
        let bench = Bench::new();
        for file in ["works.js", "package.json"] {
            fs::copy(service(file), bench.path(file)).expect("copied");
        }
        let url = free_url();
        let plan = format!(
            "target: {{ url: '{url}', command: node works.js, working_dir: ., env: {{ WORK_US: '200' }} }}\n\
             objectives: [errors = 0, {PATIENT}]\n"
        );
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

    /// In a directory below the checkout's.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        let mut command = self.0.command(args);
        Ran::of_command(command.current_dir(self.0.path("studies")))
    }

    /// The one directory of a study.
    pub(crate) fn directory(&self) -> PathBuf {
        self.0.only_directory_in("studies/runs")
    }
}
