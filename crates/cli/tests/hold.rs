//! `plimsoll hold` against a real long-poll service.

use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_plimsoll");
const CONNECTIONS: &str = "200";

fn script() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/services/long_poll.js");
    path.display().to_string()
}

/// A port that nothing listens on.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a free port")
        .port()
}

/// The service, ended when it goes.
struct Service {
    child: Child,
    url: String,
}

impl Service {
    fn start(when_full: &str) -> Self {
        let port = free_port();
        let mut child = Command::new("node")
            .arg(script())
            .env("PORT", port.to_string())
            .env("ALL", CONNECTIONS)
            .env("WHEN_FULL", when_full)
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped"))
            .read_line(&mut line)
            .expect("it says that it listens");
        Self {
            child,
            url: format!("http://127.0.0.1:{port}/poll"),
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Ran {
    code: i32,
    findings: Value,
    stderr: String,
    _dir: TempDir,
}

fn command(dir: &TempDir, url: &str, args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .args(["hold", url, "-c", CONNECTIONS, "--pace", "2000/s", "--json"])
        .args(if args.contains(&"-d") { &[][..] } else { &["-d", "1s"] })
        .args(args)
        .current_dir(dir.path());
    command
}

fn ran(dir: TempDir, output: &Output) -> Ran {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!stderr.contains("panicked"), "{stderr}");
    let stdout = String::from_utf8_lossy(&output.stdout);
    Ran {
        code: output.status.code().expect("ended by itself"),
        findings: serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}\n{stderr}")),
        stderr,
        _dir: dir,
    }
}

fn hold(url: &str, args: &[&str]) -> Ran {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let output = command(&dir, url, args).output().expect("the program starts");
    ran(dir, &output)
}

impl Ran {
    #[track_caller]
    fn check(&self, code: i32, verdict: &str, live: u64) {
        let findings = &self.findings;
        assert_eq!(self.code, code, "{findings:#}\n{}", self.stderr);
        assert_eq!(findings["verdict"], verdict, "{findings:#}");
        assert_eq!(findings["hold"]["live"], live, "{findings:#}");
    }

    /// Class and count of every error.
    fn errors(&self) -> Vec<(String, u64)> {
        let errors = self.findings["errors"].as_array().expect("a list");
        let mut errors: Vec<_> = errors
            .iter()
            .map(|error| {
                let class = error["class"].as_str().expect("a class").to_owned();
                (class, error["count"].as_u64().expect("a count"))
            })
            .collect();
        errors.sort();
        errors
    }
}

#[test]
fn what_is_answered_is_parked_again() {
    let service = Service::start("");
    let ran = hold(&service.url, &[]);
    ran.check(0, "passed", 200);
    let (hold, totals) = (&ran.findings["hold"], &ran.findings["totals"]);
    let delivered = hold["delivered"].as_u64().expect("a count");
    assert!(delivered > 200, "{delivered}");
    assert_eq!(totals["sent"], 200 + delivered);
    assert_eq!(hold["delivery_time"]["count"], delivered);
    assert_eq!(hold["lost"], 0);
    // How long a request was parked is no response time.
    assert_eq!(ran.findings["response_time"]["count"], 0);
}

#[test]
fn the_same_folder_gives_the_same_findings_again() {
    let service = Service::start("");
    let dir = tempfile::tempdir().expect("a temporary folder");
    let output = command(&dir, &service.url, &[]).output().expect("the program starts");
    let runs = dir.path().join("runs");
    let folder = std::fs::read_dir(&runs)
        .expect("runs")
        .flatten()
        .next()
        .expect("a run")
        .path();
    assert!(folder.join("report.html").exists());
    let again = Command::new(PROGRAM)
        .args(["report", "--json"])
        .arg(&folder)
        .output()
        .expect("the program starts");
    assert_eq!(
        String::from_utf8_lossy(&again.stdout),
        String::from_utf8_lossy(&output.stdout)
    );
}

#[test]
fn lost_connections_are_counted_by_class() {
    let service = Service::start("reset 5, end 7");
    let ran = hold(&service.url, &[]);
    ran.check(99, "breached", 188);
    assert_eq!(ran.errors(), [("closed".to_owned(), 7), ("reset".to_owned(), 5)]);
    assert_eq!(ran.findings["hold"]["lost"], 12);
    assert_eq!(
        ran.findings["hold"]["live_max"].as_u64().map(|live| live <= 200),
        Some(true)
    );
}

#[test]
fn a_service_that_ends_loses_all() {
    let service = Service::start("exit");
    let ran = hold(&service.url, &["-d", "1m"]);
    ran.check(99, "breached", 0);
    assert_eq!(ran.findings["hold"]["lost"], 200);
    assert!(
        ran.findings["duration_s"].as_f64() < Some(60.0),
        "nothing was left to be held"
    );

    let url = format!("http://127.0.0.1:{}/poll", free_port());
    let script = script();
    let ran = hold(&url, &["-d", "1m", "--", "env", "WHEN_FULL=exit", "node", &script]);
    ran.check(1, "failed", 0);
    assert!(ran.stderr.contains("exited with status 3"), "{}", ran.stderr);
}

#[test]
fn nothing_that_listens_is_no_pass() {
    let ran = hold(&format!("http://127.0.0.1:{}/", free_port()), &["-d", "1m"]);
    ran.check(1, "failed", 0);
    assert_eq!(ran.errors()[0].0, "refused");
    assert!(ran.findings["duration_s"].as_f64() < Some(60.0), "it gave up");
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_leaves_what_was_seen() {
    let service = Service::start("");
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut child = command(&dir, &service.url, &["-d", "5m"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    while !line.contains("200 of 200 live") {
        line.clear();
        assert_ne!(stderr.read_line(&mut line).expect("progress"), 0, "it ended");
    }
    let interrupted = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(interrupted.success());
    // What it still says must not block it.
    std::io::copy(&mut stderr, &mut std::io::sink()).expect("the rest");
    let output = child.wait_with_output().expect("it ends");
    ran(dir, &output).check(105, "interrupted", 200);
}

/// With room for a fraction of the connections in a table: one table is not enough, several are.
#[test]
#[cfg(target_os = "linux")]
fn the_limit_of_descriptors_counts_for_each_table() {
    let service = Service::start("");
    let limited = |args: &[&str]| {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let inner = command(&dir, &service.url, args);
        let output = Command::new("sh")
            .args(["-c", "ulimit -n 150 && exec \"$@\"", "sh", PROGRAM])
            .args(inner.get_args())
            .current_dir(dir.path())
            .output()
            .expect("the program starts");
        ran(dir, &output)
    };
    let one = limited(&["--one-table"]);
    assert_eq!(one.code, 106, "{}", one.stderr);
    assert_eq!(one.errors()[0].0, "no_descriptor");
    for part in [
        "200 connections do not fit into the limit of 150 open descriptors",
        "--one-table",
        "ulimit -n",
    ] {
        assert!(one.stderr.contains(part), "no `{part}` in {}", one.stderr);
    }
    let several = limited(&[]);
    several.check(0, "passed", 200);
    assert_eq!(several.findings["hold"]["shards"], 3);
}

#[test]
fn pings_keep_idle_connections() {
    let service = Service::start("");
    let ran = hold(&service.url, &["--park", "nothing", "--ping", "1s", "-d", "2s"]);
    ran.check(0, "passed", 200);
    assert!(
        ran.findings["response_time"]["count"].as_u64() > Some(0),
        "{:#}",
        ran.findings
    );
}
