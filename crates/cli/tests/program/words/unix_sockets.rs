//! Services that listen on a unix socket.
#![cfg(unix)]

use crate::bench::{Bench, Ran, service};
use std::os::unix::net::UnixListener;

/// The URL of `app.sock` in the directory of the bench, and its path.
fn app(bench: &Bench) -> (String, String) {
    let path = bench.path("app.sock").display().to_string();
    (format!("http+unix://{}/", path.replace('/', "%2F")), path)
}

#[test]
fn run_passes_and_says_target_as_written() {
    let bench = Bench::new();
    let (url, path) = app(&bench);
    let script = service("ok.js");
    let args = [
        "run",
        &url,
        "-R",
        "100",
        "-d",
        "2s",
        "--objective",
        "errors = 0",
        "--json",
        "--",
        "node",
        &script,
    ];
    let findings = bench.run(&args).json();
    assert_eq!(findings["target"], url.as_str());
    assert_eq!(findings["totals"]["passed"], 200, "{findings}");
    let resources = findings["generator"]["resources"].to_string();
    assert!(!resources.contains("ports"), "{resources}");
    let notices = findings["notices"].to_string();
    assert!(!notices.contains("port"), "{notices}");
    assert!(!bench.path("app.sock").exists(), "{path} is left behind");

    let directory = bench.directory();
    let report = bench.report(&directory).json();
    assert_eq!(report["target"], url.as_str());
    let plan = bench.read(&format!("{}/plan.json", directory.display()));
    assert!(plan.contains(&url), "{plan}");
}

#[test]
fn capacity_of_plan_finds_steps_that_pass() {
    let bench = Bench::new();
    let (url, _) = app(&bench);
    let script = service("token_bucket.js");
    bench.write(
        "plan.yaml",
        &format!("target: {{ url: '{url}', command: [node, {script:?}] }}\nobjectives: [errors = 0]\n"),
    );
    let ran = bench.run(&[
        "capacity",
        "plan.yaml",
        "--budget",
        "12s",
        "--step",
        "2s",
        "--start-rate",
        "50",
        "--max-rate",
        "100",
        "--json",
    ]);
    let findings = ran.json();
    assert_eq!(findings["target"], url.as_str(), "{}", ran.stderr);
    let steps = findings["steps"].as_array().expect("steps");
    assert!(
        !steps.is_empty() && steps.iter().all(|step| step["error_share"] == 0.0),
        "{findings}"
    );
}

#[test]
fn paths_without_service_are_errors_in_words() {
    let bench = Bench::new();
    let (url, path) = app(&bench);
    let attempt = || bench.run(&["bench", &url, "-d", "1s"]);
    attempt().expect(
        1,
        &[
            &format!("failed to connect to the unix socket {path}: no such file"),
            "hint: start the service",
        ],
    );
    bench.write("app.sock", "");
    attempt().expect(
        1,
        &["a regular file, not a socket", "hint: give the path of the socket"],
    );
    std::fs::remove_file(&path).expect("there");
    drop(UnixListener::bind(&path).expect("bound"));
    attempt().expect(1, &["nothing listens at this socket file", &format!("rm {path}")]);
    let script = service("ok.js");
    let started = bench.run(&["run", &url, "-d", "1s", "--", "node", &script]);
    started.expect(
        1,
        &[
            "EADDRINUSE",
            "an earlier run left it behind",
            &format!("hint: remove it with `rm {path}`"),
        ],
    );
}

#[test]
fn other_notations_and_tcp_flags_are_refused() {
    let bench = Bench::new();
    let meant = "hint: did you mean `http+unix://%2Frun%2Fapp.sock/`?";
    for url in [
        "unix:/run/app.sock",
        "http+unix:///run/app.sock",
        "http://unix:/run/app.sock",
        "/run/app.sock",
    ] {
        for command in ["run", "bench"] {
            bench.run(&[command, url]).expect(104, &[meant]);
        }
    }
    let (url, _) = app(&bench);
    let refused = |args: &[&str], code, words: &[&str]| {
        let _: &Ran = bench.run(args).expect(code, words);
    };
    refused(
        &["hold", &url, "-c", "2", "--ports", "1-3"],
        104,
        &["ports of a service at a unix socket"],
    );
    refused(
        &["bench", &url, "--local-addrs", "127.0.0.1"],
        104,
        &["the service is at a unix socket"],
    );
    let long = format!("http+unix://%2F{}/", "x".repeat(107));
    refused(
        &["bench", &long],
        104,
        &["a unix socket with 108 bytes, expected at most 107"],
    );
}

#[test]
fn connections_are_held() {
    let bench = Bench::new();
    let (url, _) = app(&bench);
    let script = service("ok.js");
    let args = [
        "hold", &url, "-c", "300", "--pace", "1000/s", "-d", "1s", "--park", "nothing", "--json", "--", "node", &script,
    ];
    let held = bench.run(&args).json();
    assert_eq!(
        (&held["hold"]["opened"], &held["hold"]["lost"]),
        (&300.into(), &0.into()),
        "{held}"
    );
}
