//! `plimsoll diagnose --what-if`: what cannot be left out of the service after the passes.

use crate::bench::{Bench, Ran, free_port};
use serde_json::Value;
use std::thread;

pub(crate) fn diagnose(bench: &Bench, options: &[&str], service: &str) -> Ran {
    let url = format!("http://127.0.0.1:{}/", free_port());
    let mut command = bench.command(&[
        "diagnose",
        &url,
        "-R",
        "50",
        "-d",
        "1500ms",
        "--warm-up",
        "500ms",
        "--json",
    ]);
    command.args(options).args(["--", "node", service]);
    Ran::of_command(&mut command)
}

pub(crate) fn what_ifs(found: &Value) -> Vec<(&str, &str)> {
    let what_ifs = found["diagnosis"]["what_if"].as_array().expect("what-ifs").iter();
    let named = what_ifs.map(|of| (of["without"].as_str(), of["headline"]["code"].as_str()));
    named
        .map(|(without, code)| (without.expect("a name"), code.expect("a code")))
        .collect()
}

#[test]
fn what_cannot_be_left_out_ends_nothing_else() {
    let diagnosed = |options: &[&str]| diagnose(&Bench::with_packages(), options, "layers.cjs").json();
    let (found, without_time) = thread::scope(|scope| {
        let without_time =
            scope.spawn(|| diagnosed(&["--what-if", "etag", "--what-if", "log", "--what-if-budget", "1ms"]));
        let found = diagnosed(&["--what-if", "log", "--what-if-budget", "20s"]);
        (found, without_time.join().expect("no panic"))
    });
    assert_eq!(
        what_ifs(&without_time),
        [("etag", "too_few_rounds"), ("log", "too_few_rounds")]
    );
    assert_eq!(what_ifs(&found), [("log", "could_not_go_on")]);
    let text = found["diagnosis"]["what_if"][0]["text"].as_str().expect("a text");
    assert!(text.contains("no request came to it"), "{text}");
}

#[test]
fn unknown_middleware_is_an_error_before_the_diagnosis() {
    let bench = Bench::with_packages();
    diagnose(&bench, &["--what-if", "middleware:morgan"], "layers.cjs").expect(
        1,
        &[
            "failed to leave out middleware:morgan: the service has nothing of that name",
            "it has middleware:spins (layers.cjs:5)",
        ],
    );
    diagnose(&bench, &["--what-if", "middleware:requireLogin"], "layers.cjs")
        .expect(1, &["it decides which requests get through"]);
    assert!(!bench.path("runs").exists());
    diagnose(&bench, &["--what-if", "logs"], "layers.cjs").expect(104, &["expected log, sync-read"]);
    bench
        .run(&["diagnose", "http://127.0.0.1:1/", "--pid", "1", "--what-if", "log"])
        .expect(104, &["needs a service that plimsoll starts"]);
}
