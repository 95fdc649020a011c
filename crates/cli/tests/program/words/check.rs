//! `plimsoll check` and `plimsoll doctor --noise`: mistakes and interrupts.

use crate::bench::{Bench, Going, Ran, free_url, git};

#[test]
fn invalid_check_is_refused_before_start() {
    let bench = Bench::with_services();
    for (args, parts) in [
        (&["check", "--", "node", "ok.js"][..], &["--base <REV>"][..]),
        (
            &["check", "--base", "main..HEAD", "--", "node", "ok.js"],
            &[
                "--base: found the range main..HEAD, expected one revision",
                "plimsoll compare --rev",
            ],
        ),
        (
            &["check", "--base", "main", "--within", "70s", "--", "node", "ok.js"],
            &["--within: found 70s, expected at least 72s", "plimsoll doctor --noise"],
        ),
        (
            &[
                "check",
                "--base",
                "main",
                "--within",
                "17s",
                "-d",
                "1s",
                "--warm-up",
                "500ms",
                "--",
                "node",
                "ok.js",
            ],
            &["--within: found 17s, expected at least 18s"],
        ),
        (
            &["check", "--base", "main", "--threshold", "1%", "--", "node", "ok.js"],
            &["--threshold: expected at least 2%", "never called worse"],
        ),
        (
            &[
                "check",
                "--base",
                "main",
                "--history",
                "kept.jsonl",
                "--",
                "node",
                "ok.js",
            ],
            &["--history: found no rate", "set it with -R"],
        ),
        (
            &["check", "--base", "main", "--machine", "one", "--", "node", "ok.js"],
            &["--history <FILE>"],
        ),
        (
            &["check", "http://127.0.0.1:1/", "--base", "main"],
            &["--base needs a service that plimsoll starts"],
        ),
        (
            &["doctor", "--noise", "--for", "1s", "--", "node", "ok.js"],
            &[
                "--for: found 1s, expected at least 72s",
                "the longer, the more can be promised",
            ],
        ),
        (
            &["doctor", "--noise", "http://127.0.0.1:1/"],
            &["--noise needs a service that plimsoll starts"],
        ),
        (&["doctor", "--for", "1m"], &["--noise"]),
    ] {
        bench.run(args).expect(104, parts);
        assert!(!bench.path("runs").exists(), "{args:?}");
    }
}

#[test]
fn unknown_base_is_named() {
    let bench = Bench::with_services();
    let check = || {
        let mut check = bench.command(&["check", &free_url(), "--base", "nowhere", "-R", "100"]);
        Ran::of_command(check.args(["--", "node", "ok.js"]))
    };
    check().expect(
        1,
        &[
            "failed to use revision nowhere",
            "hint: run it in the repository of the service",
        ],
    );
    git(&bench, &["init", "--quiet", "--initial-branch=main"]);
    git(&bench, &["commit", "--quiet", "--allow-empty", "-m", "one"]);
    check().expect(
        1,
        &[
            "nowhere: it names no commit of this repository",
            "hint: `git branch -a`",
        ],
    );
}

/// What a machine can see says nothing of a service that does not work.
#[test]
fn noise_of_a_service_that_dies_is_not_promised() {
    let bench = Bench::with_services();
    let dies = "import { createServer } from 'node:http';\nlet seen = 0;\n\
                createServer((_, response) => {\n  response.end('ok');\n  if (++seen > 20) process.exit(1);\n})\
                .listen(process.env.PORT, '127.0.0.1');\n";
    bench.write("dies.js", dies);
    let mut noise = bench.command(&["doctor", "--noise", &free_url(), "-R", "100"]);
    Ran::of_command(noise.args(["--", "node", "dies.js"])).expect(
        1,
        &["failed to measure noise: once, round 1: The service ended by itself"],
    );
}

#[test]
fn interrupted_check_has_not_passed() {
    let bench = Bench::with_services();
    git(&bench, &["init", "--quiet", "--initial-branch=main"]);
    git(&bench, &["add", "--all"]);
    git(&bench, &["commit", "--quiet", "-m", "one"]);
    let mut check = bench.command(&["check", &free_url(), "--base", "main", "-R", "100", "-d", "500ms"]);
    check.args(["--warm-up", "100ms", "--json", "--", "node", "ok.js"]);
    let mut going = Going::begin(&mut check);
    going.wait_for(|line| line.starts_with("round  3"));
    let found = going.interrupt().expect(105, &[]).json();
    assert_eq!(found["verdict"], "interrupted");
    assert_eq!(found["gate"]["decision"], "undecided");
    assert_eq!(bench.report(&bench.directory()).expect(105, &[]).json(), found);
}

#[test]
fn base_that_was_not_built_is_named_with_what_builds_it() {
    let bench = Bench::with_services();
    git(&bench, &["init", "--quiet", "--initial-branch=main"]);
    bench.write("serves.js", "import './built.js';\n");
    bench.write(".gitignore", "built.js\nruns\n");
    git(&bench, &["add", "--all"]);
    git(&bench, &["commit", "--quiet", "-m", "one"]);
    bench.write("built.js", "import './ok.js';\n");
    let mut check = bench.command(&["check", &free_url(), "--base", "main", "-R", "100", "-d", "500ms"]);
    Ran::of_command(check.args(["--warm-up", "100ms", "--", "node", "serves.js"])).expect(
        1,
        &[
            "failed to run variant main: failed to start the service",
            "built.js",
            "hint: a revision has what is committed",
            "--setup 'npm ci && npm run build'",
        ],
    );
}
