//! `plimsoll compare` as its users run it: real services, exit codes and messages.

use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder with the services of the tests, and the program in it.
struct Bench {
    dir: TempDir,
    url: String,
}

struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Ran {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self {
            code: output.status.code().expect("ended by itself"),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    #[track_caller]
    fn json(&self, code: i32) -> Value {
        assert_eq!(self.code, code, "{}\n{}", self.stdout, self.stderr);
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stderr))
    }

    #[track_caller]
    fn fails(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "{}\n{}", self.stdout, self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "no `{part}` in:\n{}", self.stderr);
        }
    }
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/services");
        for entry in fs::read_dir(services).expect("the services are there").flatten() {
            fs::copy(entry.path(), dir.path().join(entry.file_name())).expect("copied");
        }
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        Self {
            url: format!("http://127.0.0.1:{port}/"),
            dir,
        }
    }

    /// Four short rounds of each variant; `variants` come after the URL.
    fn compare(&self, variants: &[&str]) -> Command {
        let mut command = self.command(&["compare", &self.url]);
        // What comes after `--` is the service's.
        command.args([
            "--rounds",
            "4",
            "-R",
            "300",
            "-d",
            "500ms",
            "--warm-up",
            "100ms",
            "--json",
        ]);
        command.args(variants);
        command
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
        command.args(args).current_dir(self.dir.path());
        command
    }

    fn run(&self, variants: &[&str]) -> Ran {
        Ran::of(&self.compare(variants).output().expect("the program starts"))
    }

    fn folder(&self) -> String {
        let mut folders = fs::read_dir(self.dir.path().join("runs")).expect("runs").flatten();
        let folder = folders.next().expect("a folder").path();
        assert!(folders.next().is_none());
        folder.display().to_string()
    }

    /// What the folder comes to when it is read back.
    fn report(&self, code: i32) -> Value {
        let output = self.command(&["report", &self.folder(), "--json"]).output();
        Ran::of(&output.expect("the program starts")).json(code)
    }

    fn git(&self, args: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=n", "-c", "user.email=e@example.org"])
            .args(args)
            .current_dir(self.dir.path())
            .output()
            .expect("git runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

fn cpu(comparison: &Value) -> &Value {
    let figures = comparison["figures"].as_array().expect("figures");
    let found = figures.iter().find(|figure| figure["figure"] == "CPU per request");
    found.expect("CPU can be sampled")
}

#[test]
fn ten_times_the_work_is_worse_and_fails_when_asked_to() {
    let bench = Bench::new();
    let ran = bench.run(&[
        "--b-env",
        "WORK_US=2000",
        "--fail-if-worse",
        "5%",
        "--",
        "node",
        "works.js",
    ]);
    let found = ran.json(99);
    assert_eq!(found["verdict"], "worse", "{}", found["headline"]);
    assert_eq!(cpu(&found)["verdict"], "worse");
    assert_eq!(found["variants"][1]["what"], "WORK_US=2000 node works.js");
    assert_eq!(found["rounds"].as_array().expect("rounds").len(), 12);
    assert_eq!(found["variants"][0]["rounds_used"], 4);
    assert_eq!(bench.report(99), found, "the folder says the same");
    assert!(Path::new(&bench.folder()).join("report.html").is_file());

    let better = bench.run(&[
        "--a-env",
        "WORK_US=2000",
        "--fail-if-worse",
        "5%",
        "--",
        "node",
        "works.js",
    ]);
    assert_eq!(better.json(0)["verdict"], "better");
}

#[test]
fn a_variant_that_does_not_work_is_named() {
    let bench = Bench::new();
    let ran = bench.run(&["--a", "node ok.js", "--b", "node crashes.js"]);
    ran.fails(1, &["failed to run variant b", "cannot find my configuration"]);
    assert_eq!(bench.report(1)["verdict"], "failed");

    let bench = Bench::new();
    let found = bench.run(&["--a", "node ok.js", "--b", "node dies.js"]).json(1);
    assert_eq!(found["verdict"], "failed");
    let headline = found["headline"].as_str().expect("text");
    assert!(
        headline.contains("b, round 2: The service ended by itself"),
        "{headline}"
    );
}

#[test]
fn an_interrupted_comparison_leaves_what_it_saw() {
    let bench = Bench::new();
    let mut child = bench
        .compare(&["--a", "node ok.js", "--b", "node ok.js"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    while !line.starts_with("round  3") {
        line.clear();
        assert!(stderr.read_line(&mut line).expect("text") > 0, "it ended too soon");
    }
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status().expect("kill");
    assert!(sent.success());
    let found = Ran::of(&child.wait_with_output().expect("it ends")).json(105);
    assert_eq!(found["verdict"], "interrupted");
    assert!(found["rounds"].as_array().expect("rounds").len() >= 3);
    assert_eq!(bench.report(105), found);
}

#[test]
fn revisions_are_compared_and_nothing_stays_of_them() {
    let bench = Bench::new();
    bench.git(&["init", "--quiet", "--initial-branch=main"]);
    for (message, work) in [("cheap", "0"), ("dear", "2000")] {
        let text = fs::read_to_string(bench.dir.path().join("works.js")).expect("there");
        let text = text.replace("?? 0", &format!("?? {work}"));
        fs::write(bench.dir.path().join("works.js"), text).expect("written");
        bench.git(&["add", "--all"]);
        bench.git(&["commit", "--quiet", "-m", message]);
    }
    let found = bench.run(&["--rev", "main~1..main", "--", "node", "works.js"]).json(0);
    assert_eq!(found["verdict"], "worse", "{}", found["headline"]);
    assert_eq!(found["variants"][0]["name"], "main~1");
    assert_eq!(bench.git(&["worktree", "list"]).lines().count(), 1);

    let ran = bench.run(&["--rev", "nowhere", "--", "node", "works.js"]);
    ran.fails(
        1,
        &[
            "failed to use revision nowhere: it names no commit",
            "hint: `git branch -a`",
        ],
    );
}

#[test]
fn what_cannot_be_compared_is_said_before_anything_starts() {
    let bench = Bench::new();
    for (variants, parts) in [
        (
            &["--", "node", "ok.js"][..],
            ["both variants are the same", "--rev main..HEAD"],
        ),
        (&["--a", "node ok.js"][..], ["how variant b is started", "give --b"]),
        (&["--b-env", "X"][..], ["found `X`, expected NAME=VALUE", "--help"]),
        (
            &["--a", "X=1 node ok.js", "--b", "node ok.js"][..],
            ["--a: ", "--a-env NAME=VALUE"],
        ),
        (
            &["--rev", "main"][..],
            ["--rev needs a service that is started here", "`command` in the plan"],
        ),
        (
            &["http://127.0.0.1:1/", "--a", "x"][..],
            ["--a does not go with several plans", "name one plan"],
        ),
    ] {
        bench.run(variants).fails(104, &parts);
        assert!(!bench.dir.path().join("runs").exists());
    }
}

#[test]
fn without_a_rate_half_of_the_throughput_is_offered() {
    let bench = Bench::new();
    let (url, works) = (bench.url.as_str(), "node works.js");
    let mut command = bench.command(&["compare", url, "--a", works, "--b", works, "--rounds", "4"]);
    command.args(["--a-env", "WORK_US=2000", "--b-env", "WORK_US=2000"]);
    command.args(["-d", "500ms", "--warm-up", "100ms", "--json"]);
    let found = Ran::of(&command.output().expect("the program starts")).json(0);
    let load = found["load"].as_str().expect("text");
    assert!(load.contains("half of the"), "{load}");
    // 2 ms of work each cannot be done more than 500 times a second.
    let rate: f64 = load
        .split("/s")
        .next()
        .and_then(|rate| rate.parse().ok())
        .expect("a rate");
    assert!((50.0..=250.0).contains(&rate), "{load}");
}
