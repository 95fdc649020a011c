//! A service that uses up its limit of CPU: what is recorded of it and said about it.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, Going, can_run_limited, free_url, groups_of, service};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

#[test]
fn busy_service_is_throttled_and_cpu_is_a_share_of_its_limit() {
    if !can_run_limited("cpu") {
        return;
    }
    let bench = Bench::new();
    let url = free_url();
    let script = service("works.js");
    // Each request takes 20 ms of CPU: at 50 of them a second a whole core, of which it has half.
    let load = [
        "run",
        &url,
        "-R",
        "50",
        "-d",
        "2s",
        "--objective",
        "cpu <= 80%",
        "--cpu-limit",
        "0.5",
    ];
    let mut command = bench.command(&[&load[..], &["--", "node", &script]].concat());
    let mut going = Going::begin(command.env("WORK_US", "20000"));
    let process = going.child.id();
    going.wait_for(|line| line.contains("ready"));
    let ran = going.end();

    let samples = fs::read_to_string(bench.directory().join("target.jsonl")).expect("samples");
    let samples: Vec<Value> = samples
        .lines()
        .map(|line| serde_json::from_str(line).expect("a sample"))
        .collect();
    let throttled_ns = |sample: &Value| sample["group"]["throttled_ns"].as_u64().expect("counted");
    assert!(
        samples.iter().all(|sample| sample["group"]["cpu_millicores"] == 500),
        "{samples:?}"
    );
    let (first, last) = (samples.first().expect("one"), samples.last().expect("one"));
    assert!(throttled_ns(last) > throttled_ns(first), "{samples:?}");

    // A busy machine makes a late generator, and gives the service less than its limit.
    assert!(matches!(ran.code, 0 | 99 | 106), "{ran:?}");
    assert!(ran.stdout.contains(" of 0.5 core, "), "{}", ran.stdout);
    assert!(ran.stdout.contains("throttled     for "), "{}", ran.stdout);
    let findings: Value =
        serde_json::from_str(&fs::read_to_string(bench.directory().join("findings.json")).expect("findings"))
            .expect("JSON");
    let target = &findings["target_resources"];
    assert_eq!(target["limits"]["cpu_cores"], 0.5, "{target}");
    // Of the whole run and of the judged part: about the same use of half a core.
    let share = target["cpu_share"].as_f64().expect("sampled");
    let cpu_ns = |sample: &Value| sample["cpu_ns"].as_f64().expect("counted");
    let at_ns = |sample: &Value| sample["at_ns"].as_f64().expect("counted");
    let whole = (cpu_ns(last) - cpu_ns(first)) / (at_ns(last) - at_ns(first)) / 0.5;
    assert!((share / whole - 1.0).abs() < 0.5, "{share} is not about {whole}");
    assert_eq!(groups_of(process), Vec::<PathBuf>::new());
}
