//! `plimsoll run` and `capacity` where figures are right only on a machine that does nothing else.

use crate::bench::{Bench, Ran, cannot_run, free_url, service};
use serde_json::Value;
use std::fs;

#[test]
#[cfg(target_os = "linux")]
fn spinning_generator_is_not_busy() {
    if plimsoll_thread::cpus(None).len() < 2 {
        cannot_run("a thread that spins needs a core for itself");
        return;
    }
    let bench = Bench::new();
    let (url, script) = (free_url(), service("ok.js"));
    let ran = bench.run(&[
        "run", &url, "-R", "100", "-d", "2s", "--spin", "--json", "--", "node", &script,
    ]);
    let findings = ran.expect(0, &[]).json();
    let host = findings["host"]["text"].as_str().expect("a line");
    assert!(host.ends_with(", spin"), "{host}");
    let busy_share = findings["generator"]["busy_share_max"].as_f64().expect("a share");
    assert!(busy_share < 0.95, "{busy_share}");
}

/// Searches the line of a service that refuses what comes above 300 requests per second.
fn search(bench: &Bench) -> Ran {
    let url = free_url();
    let script = service("token_bucket.js");
    bench.run(&[
        "capacity",
        &url,
        "--objective",
        "errors = 0",
        "--budget",
        "45s",
        "--step",
        "3s",
        "--bracket",
        "20%",
        "--start-rate",
        "150",
        "--",
        "node",
        &script,
    ])
}

#[test]
fn capacity_reports_load_line_first() {
    // A host that is busy with other things makes a late generator, and plimsoll says so; that is not what is tested.
    let attempt = || {
        let bench = Bench::new();
        let ran = search(&bench);
        (bench, ran)
    };
    let (bench, ran) = (0..2)
        .map(|_| attempt())
        .find(|(_, ran)| ran.code != 106)
        .unwrap_or_else(attempt);
    ran.expect(0, &[]);
    let head: String = ran.stdout.lines().take(5).collect();
    assert!(
        head.contains("load line") && head.contains("errors = 0"),
        "{}",
        ran.stdout
    );
    let findings: Value =
        serde_json::from_str(&fs::read_to_string(bench.directory().join("findings.json")).expect("findings"))
            .expect("JSON");
    let line = &findings["load_line"];
    let low = line["interval_low_per_s"].as_f64().expect("a lower end");
    let high = line["interval_high_per_s"].as_f64().expect("an upper end");
    // The bucket hides up to 60 requests above the rate from a step.
    assert!(low <= 330.0 && 290.0 <= high, "{line}");
}

#[test]
fn overloaded_generator_is_reported() {
    let bench = Bench::new();
    let url = free_url();
    let script = service("ok.js");
    let ran = bench.run(&[
        "run",
        &url,
        "-R",
        "3000000",
        "-d",
        "3s",
        "--timeout",
        "1s",
        "--json",
        "--",
        "node",
        &script,
    ]);
    assert_eq!(ran.code, 106, "{}\n{}", ran.stdout, ran.stderr);
    assert_eq!(ran.json()["verdict"], "invalid");
    assert_eq!(ran.json()["generator"]["kept_up"], false);
}

#[test]
fn passed_run_leaves_complete_directory() {
    let bench = Bench::new();
    let ran = bench.short_run("ok.js");
    ran.expect(0, &["the service is ready"]);
    let findings = ran.json();
    assert_eq!(findings["verdict"], "passed");
    assert_eq!(findings["totals"]["completed"], 200);
    assert_eq!(findings["totals"]["errors"], 0);
    let directory = bench.directory();
    for name in [
        "run.json",
        "plan.json",
        "host.json",
        "ticks.jsonl",
        "latency.hlog",
        "target.jsonl",
        "findings.json",
        "report.html",
    ] {
        assert!(
            directory.join(name).metadata().expect(name).len() > 0,
            "{name} is empty"
        );
    }
    assert!(
        fs::read_to_string(directory.join("service.log"))
            .expect("its output")
            .contains("listening")
    );

    // The same directory gives the same findings again.
    assert_eq!(bench.report(&directory).expect(0, &[]).json(), findings);
}

#[test]
fn run_with_only_500_never_passes() {
    let ran = Bench::new().short_run("status_500.js");
    ran.expect(99, &[]);
    assert_eq!(ran.json()["errors"][0]["class"], "status");
}

#[test]
fn junit_and_markdown_are_written() {
    let bench = Bench::new();
    let url = free_url();
    let script = service("status_500.js");
    bench
        .run(&[
            "run",
            &url,
            "-R",
            "50",
            "-d",
            "1s",
            "--junit",
            "junit.xml",
            "--markdown",
            "summary.md",
            "--",
            "node",
            &script,
        ])
        .expect(99, &[]);
    let junit = bench.read("junit.xml");
    assert!(junit.contains("<failure") && junit.contains("errors = 0"), "{junit}");
    assert!(bench.read("summary.md").contains("errors = 0"));
}

/// All of a run but its warm-up is judged, however short it is.
#[test]
fn short_run_with_failures_is_breached() {
    for (duration, failing_ms) in [("500ms", "400"), ("1s", "800"), ("1500ms", "900"), ("2s", "900")] {
        let bench = Bench::new();
        let errors = ["--objective", "errors = 0", "--json"];
        let mut words = vec!["run", "-R", "100", "-d", duration];
        let (url, script) = (free_url(), service("recovers.js"));
        words.insert(1, &url);
        words.extend(errors);
        words.extend(["--", "node", &script, failing_ms]);
        let ran = bench.run(&words);
        ran.expect(99, &[]);
        let judged = &ran.json()["objectives"][0];
        assert!(judged["observed"].as_f64() > Some(0.3), "{duration}: {judged}");
    }
}
