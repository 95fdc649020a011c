//! A service within limits: what is said about them.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, Ran, can_limit, can_run_limited, free_url, service};

#[test]
fn service_that_is_out_of_memory_is_named() {
    if !can_run_limited("memory") {
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

#[test]
fn objectives_on_memory_and_throttled_time_are_judged() {
    if !can_run_limited("cpu") {
        return;
    }
    let bench = Bench::new();
    let url = free_url();
    // The last one bears a generator that is late.
    let objectives = ["memory <= 20MiB", "throttled <= 1%", "max <= 100s"].map(|text| ["--objective", text]);
    let load = ["run", &url, "-R", "100", "-d", "4s", "--cpu-limit", "0.2", "--json"];
    let mut command = bench.command(
        &[
            &load[..],
            objectives.as_flattened(),
            &["--", "node", &service("works.js")],
        ]
        .concat(),
    );
    // A fifth of a core grants 2 ms for each of a hundred requests.
    let ran = Ran::of_command(command.env("WORK_US", "4000"));
    let findings = ran.json();
    let [memory, throttled] = [0_usize, 1].map(|index| &findings["objectives"][index]);
    assert_eq!(memory["objective"]["text"], "memory <= 20MiB", "{findings}");
    assert_eq!(memory["objective"]["unit"], "bytes", "{memory}");
    let passed = [memory, throttled].map(|one| one["passed"].as_bool());
    assert_eq!(passed, [Some(false); 2], "{findings}");
    assert_eq!(throttled["objective"]["text"], "throttled <= 1%", "{throttled}");
    assert!(
        throttled["observed"].as_f64().is_some_and(|share| share > 0.01),
        "{throttled}"
    );
    assert_eq!(findings["next_step"]["code"], "hold_less_memory", "{findings}");
}

#[test]
fn objectives_that_cannot_be_judged_are_refused() {
    let bench = Bench::new();
    let url = free_url();
    bench.run(&["run", &url, "--objective", "memory <= 400MiB"]).expect(
        104,
        &[
            "an objective about memory, and a service that is not watched",
            "`command`",
        ],
    );
    if can_limit("cpu") {
        let throttled = [
            "run",
            &url,
            "-d",
            "1s",
            "--objective",
            "throttled <= 5%",
            "--",
            "node",
            &service("ok.js"),
        ];
        bench
            .run(&throttled)
            .expect(104, &["a service that no quota of CPU time bounds", "--cpu-limit"]);
    }
}

#[test]
fn delay_of_the_event_loop_is_judged_where_it_is_heard_of() {
    let run = |command: &[&str]| {
        let bench = Bench::new();
        let url = free_url();
        let port = url.trim_end_matches('/').rsplit(':').next().expect("a port").to_owned();
        let objectives =
            ["loop delay p99 <= 20ms", "loop delay max <= 100s", "max <= 100s"].map(|text| ["--objective", text]);
        let load = ["run", &url, "-R", "10", "-d", "3s", "--json"];
        let path = std::env::var("PATH").expect("there is one");
        let cleared = [
            format!("PATH={path}"),
            format!("PORT={port}"),
            "WORK_US=60000".to_owned(),
        ];
        let cleared: Vec<&str> = cleared.iter().map(String::as_str).collect();
        let works = service("works.js");
        let all = [
            &load[..],
            objectives.as_flattened(),
            &["--"],
            command,
            &cleared,
            &["node", &works],
        ]
        .concat();
        let findings = bench.run(&all).json();
        let passed = [0_usize, 1].map(|index| findings["objectives"][index]["passed"].as_bool());
        (passed, findings)
    };
    // Each request blocks the loop for 60 ms.
    let (passed, findings) = run(&["env"]);
    assert_eq!(passed, [Some(false), Some(true)], "{findings}");
    assert_eq!(findings["next_step"]["code"], "free_loop", "{findings}");
    assert!(
        findings["objectives"][0]["observed"]
            .as_f64()
            .is_some_and(|ms| ms > 20.0),
        "{findings}"
    );
    // Without its environment it does not load the probe.
    let (passed, findings) = run(&["env", "-i"]);
    assert_eq!(passed, [None, None], "{findings}");
    assert_eq!(
        findings["objectives"][0]["unjudged_because"]["code"], "no_loop",
        "{findings}"
    );
}
