//! A service that is watched for growth. What a soak finds is for the tests of the analysis; here it takes its arguments, and an end.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, Going, free_url};
use serde_json::{Value, json};

#[test]
fn interrupted_soak_has_a_result_up_to_there() {
    let bench = Bench::with_services();
    let search = json!({ "format": "plimsoll.findings/3", "load_line": { "rate_per_s": 50.0 } });
    bench.write("search/findings.json", &search.to_string());
    let url = free_url();
    let mut command = bench.command(&["soak", &url, "--line", "search", "-d", "10h", "--json"]);
    let mut going = Going::begin(command.args(["--", "node", "ok.js"]));
    going.wait_for(|line| line.contains("40/s of 40/s"));
    let ran = going.interrupt();
    assert_eq!(ran.code, 105, "{ran:?}");

    let found = ran.json();
    assert_eq!(found["command"], "soak");
    // 80 % of the line.
    assert_eq!(found["steps"][0]["offered_per_s"], 40.0, "{found}");
    let trends = found["soak"]["trends"].as_array().expect("trends");
    let quantities: Vec<&Value> = trends.iter().map(|trend| &trend["quantity"]).collect();
    assert_eq!(
        quantities,
        ["memory_bytes", "cpu_us_per_request", "p99_ms", "descriptors"]
    );
    let again = bench.report(&bench.directory()).json();
    assert_eq!(again["soak"], found["soak"]);
}

#[test]
fn soak_that_cannot_be_is_refused() {
    let bench = Bench::new();
    let url = "http://127.0.0.1:9/";
    let closed = json!({ "target": { "url": url }, "load": { "model": "closed", "connections": 2, "duration": "1s" } });
    bench.write("closed.yaml", &closed.to_string());
    bench.write("run/findings.json", r#"{ "format": "plimsoll.findings/3" }"#);
    for (args, words) in [
        (&["soak", "closed.yaml"][..], "no rate given"),
        (&["soak", url, "-R", "10", "-d", "30s"], "expected at least 1m"),
        (&["soak", url, "--line", "nowhere"], "nowhere/findings.json"),
        (&["soak", url, "--line", "run"], "run: a run without a load line"),
        (&["soak", url, "--line", "0"], "found a rate of zero"),
        (&["soak", url, "--line", "10", "-R", "10"], "cannot be used with"),
        (
            &["shock", url, "--line", "run", "--burst", "2"],
            "run: a run without a load line",
        ),
    ] {
        bench.run(args).expect(104, &[words]);
    }
}
