//! `plimsoll compare`: mistakes, failures and interrupts.

use crate::bench::{Bench, Going};

#[test]
fn run_without_diagnosis_predicts_nothing() {
    let bench = Bench::with_services();
    let with = |directory: &str| bench.compare(&["--b-env", "A=1", "--diagnosis", directory, "--", "node", "ok.js"]);
    with("nowhere").expect(104, &["nowhere/findings.json", "plimsoll diagnose"]);
    bench.write("other/findings.json", "{}");
    with("other").expect(104, &["not the findings of a run"]);
}

#[test]
fn oversized_series_is_refused_before_start() {
    let bench = Bench::with_services();
    let args = [
        "compare",
        "--rounds",
        "300",
        "--a",
        "node ok.js",
        "--b",
        "node dies.js",
        "http://127.0.0.1:1/",
    ];
    bench
        .run(&args)
        .expect(104, &["may take 904 rounds, expected at most 800", "--rounds"]);
    assert!(!bench.path("runs").exists(), "a directory was made");
}

#[test]
fn broken_variant_is_named() {
    let bench = Bench::with_services();
    let ran = bench.compare(&["--a", "node ok.js", "--b", "node crashes.js"]);
    ran.expect(1, &["failed to run variant b", "cannot find my configuration"]);
    assert_eq!(
        bench.report(&bench.directory()).expect(1, &[]).json()["verdict"],
        "failed"
    );

    let bench = Bench::with_services();
    let found = bench
        .compare(&["--a", "node ok.js", "--b", "node dies.js"])
        .expect(1, &[])
        .json();
    assert_eq!(found["verdict"], "failed");
    let headline = found["headline"]["text"].as_str().expect("text");
    // It dies after a number of responses, which a busy machine may not make in the first round.
    assert!(headline.contains("b, round "), "{headline}");
    assert!(headline.contains(": The service ended by itself"), "{headline}");
}

#[test]
fn interrupted_comparison_keeps_partial_result() {
    let bench = Bench::with_services();
    let mut going = Going::begin(&mut bench.comparison(&["--a", "node ok.js", "--b", "node ok.js"]));
    going.wait_for(|line| line.starts_with("round  3"));
    let found = going.interrupt().expect(105, &[]).json();
    assert_eq!(found["verdict"], "interrupted");
    assert!(found["rounds"].as_array().expect("rounds").len() >= 3);
    assert_eq!(bench.report(&bench.directory()).expect(105, &[]).json(), found);
}

#[test]
fn invalid_comparison_is_refused_before_start() {
    let bench = Bench::with_services();
    for (variants, parts) in [
        (
            &["--", "node", "ok.js"][..],
            ["both variants are the same", "--rev main..HEAD"],
        ),
        (&["--a", "node ok.js"][..], ["variant b has no command", "give --b"]),
        (
            &["--b-env", "X"][..],
            ["for '--b-env <NAME=VALUE>': expected NAME=VALUE", "--help"],
        ),
        (
            &["--a", "X=1 node ok.js", "--b", "node ok.js"][..],
            ["--a: ", "--a-env NAME=VALUE"],
        ),
        (
            &["--rev", "main"][..],
            ["--rev needs a service that plimsoll starts", "`command` in the plan"],
        ),
        (
            &["http://127.0.0.1:1/", "--a", "x"][..],
            ["--a cannot be used with several plans", "name one plan"],
        ),
    ] {
        bench.compare(variants).expect(104, &parts);
        assert!(!bench.path("runs").exists());
    }
}
