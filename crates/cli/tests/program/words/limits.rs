//! A service within limits: what is recorded of them and said about them.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, Going, can_limit, cannot_run, free_url, groups_of, service};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Whether the test can run; where not, it says so.
fn can_run(controller: &str) -> bool {
    let can = can_limit(controller);
    if !can {
        cannot_run(&format!(
            "this host allows no control group with the controller {controller}"
        ));
    }
    can
}

#[test]
fn busy_service_is_throttled_and_cpu_is_a_share_of_its_limit() {
    if !can_run("cpu") {
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

#[test]
fn service_that_is_out_of_memory_is_named() {
    if !can_run("memory") {
        return;
    }
    let bench = Bench::new();
    bench.write(
        "keeps.cjs",
        "const kept = [];
         require('http').createServer((q, s) => { kept.push(Buffer.alloc(16 << 20, 1)); s.end('ok'); }).listen(process.env.PORT, '127.0.0.1');",
    );
    let url = free_url();
    let load = [
        "run",
        &url,
        "-R",
        "50",
        "-d",
        "60s",
        "--memory-limit",
        "128MiB",
        "--json",
    ];
    let ran = bench.run(&[&load[..], &["--", "node", "--max-old-space-size=4096", "keeps.cjs"]].concat());
    ran.expect(
        1,
        &[
            "the heap of Node.js may grow to 4GiB",
            "killed by the kernel, because its memory reached the limit of 128MiB",
        ],
    );
    let findings = ran.json();
    assert_eq!(findings["headline"]["code"], "out_of_memory", "{findings}");
    assert_eq!(findings["next_step"]["code"], "raise_memory_limit", "{findings}");
}

#[test]
fn limits_without_a_service_to_start_are_refused() {
    let bench = Bench::new();
    let url = free_url();
    for (flag, value) in [
        ("--cpu-limit", "0.5"),
        ("--memory-limit", "512MiB"),
        ("--pids-limit", "9"),
    ] {
        let said = format!("{flag} needs a service that plimsoll starts");
        bench
            .run(&["run", &url, flag, value])
            .expect(104, &[&said, "after `--`"]);
    }
    for (flag, value, words) in [
        ("--cpu-limit", "0", "found `0`, expected cores from 0.01 to 4096"),
        ("--memory-limit", "512", "did you mean `512MiB`?"),
        ("--memory-limit", "1MiB", "found `1MiB`, expected at least 8MiB"),
        ("--pids-limit", "0", "0 is not in 1.."),
    ] {
        bench
            .run(&["run", &url, flag, value, "--", "node", "x.js"])
            .expect(104, &[words]);
    }
    bench
        .run(&[
            "run",
            &url,
            "--cpu-limit",
            "1.5",
            "--target-cpus",
            "0",
            "--",
            "node",
            "x.js",
        ])
        .expect(104, &["target.limits.cpu: found `1.5` cores of time on 1 of `0`"]);
    assert!(!bench.path("runs").exists(), "a run directory was made");
}
