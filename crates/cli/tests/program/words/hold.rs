//! `plimsoll hold` against a real long-poll service.

use crate::bench::{Bench, Going, PROGRAM, Ran, free_port, free_url, service};
use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

const CONNECTIONS: &str = "200";

/// The service, ended when it goes.
struct Service {
    child: Child,
    url: String,
}

impl Service {
    fn start(when_full: &str) -> Self {
        let port = free_port();
        let mut child = Command::new("node")
            .arg(service("long_poll.js"))
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

/// What a run with `hold` found.
struct Held {
    ran: Ran,
    findings: Value,
}

fn command(bench: &Bench, url: &str, args: &[&str]) -> Command {
    let mut command = bench.command(&["hold", url, "-c", CONNECTIONS, "--pace", "2000/s", "--json"]);
    command
        .args(if args.contains(&"-d") { &[][..] } else { &["-d", "1s"] })
        .args(args);
    command
}

fn hold(url: &str, args: &[&str]) -> Held {
    Held::of(Ran::of_command(&mut command(&Bench::new(), url, args)))
}

impl Held {
    fn of(ran: Ran) -> Self {
        let findings = ran.json();
        Self { ran, findings }
    }

    #[track_caller]
    fn check(&self, code: i32, verdict: &str, live: u64) {
        let findings = &self.findings;
        self.ran.expect(code, &[]);
        assert_eq!(findings["verdict"], verdict, "{findings:#}");
        assert_eq!(findings["hold"]["live"], live, "{findings:#}");
        // What nobody judged never passed.
        let notices = findings["notices"].as_array().expect("a list");
        let nothing_judged = notices.iter().any(|notice| notice["code"] == "nothing_judged");
        assert!(verdict != "passed" || !nothing_judged, "{notices:?}");
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
fn completed_request_is_parked_again() {
    let service = Service::start("");
    let held = hold(&service.url, &[]);
    held.check(0, "passed", 200);
    let (hold, totals) = (&held.findings["hold"], &held.findings["totals"]);
    let delivered = hold["delivered"].as_u64().expect("a count");
    assert!(delivered > 200, "{delivered}");
    assert_eq!(totals["sent"], 200 + delivered);
    assert_eq!(hold["delivery_time"]["count"], delivered);
    assert_eq!(hold["lost"], 0);
    // How long a request was parked is no response time.
    assert_eq!(held.findings["response_time"]["count"], 0);
}

#[test]
fn replayed_hold_gives_same_findings() {
    let service = Service::start("");
    let bench = Bench::new();
    let ran = Ran::of_command(&mut command(&bench, &service.url, &[]));
    let directory = bench.directory();
    assert!(directory.join("report.html").exists());
    assert_eq!(bench.report(&directory).stdout, ran.stdout);
}

#[test]
fn lost_connections_are_counted_by_class() {
    let service = Service::start("reset 5, end 7");
    let held = hold(&service.url, &[]);
    held.check(99, "breached", 188);
    assert_eq!(held.errors(), [("closed".to_owned(), 7), ("reset".to_owned(), 5)]);
    assert_eq!(held.findings["hold"]["lost"], 12);
    assert_eq!(
        held.findings["hold"]["live_max"].as_u64().map(|live| live <= 200),
        Some(true)
    );
}

#[test]
fn ended_service_loses_all_connections() {
    let script = service("long_poll.js");
    let service = Service::start("exit");
    let held = hold(&service.url, &["-d", "1m"]);
    held.check(99, "breached", 0);
    assert_eq!(held.findings["hold"]["lost"], 200);
    assert!(
        held.findings["duration_s"].as_f64() < Some(60.0),
        "nothing was left to be held"
    );

    let url = format!("http://127.0.0.1:{}/poll", free_port());
    let held = hold(&url, &["-d", "1m", "--", "env", "WHEN_FULL=exit", "node", &script]);
    held.check(1, "failed", 0);
    held.ran.expect(1, &["exited with status 3"]);
}

#[test]
fn hold_without_listener_fails() {
    let held = hold(&free_url(), &["-d", "1m"]);
    held.check(1, "failed", 0);
    assert_eq!(held.errors()[0].0, "refused");
    assert!(held.findings["duration_s"].as_f64() < Some(60.0), "it gave up");
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_leaves_what_was_seen() {
    let service = Service::start("");
    let bench = Bench::new();
    let mut going = Going::begin(&mut command(&bench, &service.url, &["-d", "5m"]));
    going.wait_for(|line| line.contains("200 of 200 live"));
    Held::of(going.interrupt()).check(105, "interrupted", 200);
}

/// With room for a fraction of the connections in a table: one table is not enough, several are.
#[test]
#[cfg(target_os = "linux")]
fn descriptor_limit_counts_for_each_table() {
    let service = Service::start("");
    let limited = |args: &[&str]| {
        let bench = Bench::new();
        let mut shell = bench.other("sh");
        shell
            .args(["-c", "ulimit -n 150 && exec \"$@\"", "sh", PROGRAM])
            .args(command(&bench, &service.url, args).get_args());
        Held::of(Ran::of_command(&mut shell))
    };
    let one = limited(&["--one-table"]);
    assert_eq!(one.errors()[0].0, "no_descriptor");
    one.ran.expect(
        106,
        &[
            "200 connections exceed the limit of 150 open descriptors",
            "--one-table",
            "ulimit -n",
        ],
    );
    let several = limited(&[]);
    several.check(0, "passed", 200);
    assert_eq!(several.findings["hold"]["shards"], 3);
}

#[test]
fn pings_keep_idle_connections() {
    let service = Service::start("");
    let held = hold(&service.url, &["--park", "nothing", "--ping", "1s", "-d", "2s"]);
    held.check(0, "passed", 200);
    assert!(
        held.findings["response_time"]["count"].as_u64() > Some(0),
        "{:#}",
        held.findings
    );
}

/// A service with room for 20 connections holds as many, whatever else it could do.
#[test]
fn a_search_in_connections_finds_the_room_of_a_service() {
    let (bench, port) = (Bench::new(), free_port());
    let plan = format!(
        r#"target: {{ url: "http://127.0.0.1:{port}/poll", command: node {}, env: {{ PORT: "{port}", ROOM: "20" }} }}
objectives: [errors = 0]
judging: {{ window: 200ms }}
load: {{ model: hold, connections: 10, pace: 2000/s, duration: 10s }}
search: {{ in: connections, start: 16, max: 40, step: 600ms, budget: 40s }}
"#,
        service("few.js")
    );
    bench.write("plan.yaml", &plan);
    let ran = bench.run(&["capacity", "plan.yaml", "--json"]);
    ran.expect(0, &[]);
    let findings = ran.json();
    let line = &findings["load_line"];
    let held = line["held"]["connections"].as_u64().expect("a line in connections");
    assert!((18..=20).contains(&held), "{line:#} {}", ran.stderr);
    assert!(
        line["held"]["failed"].as_u64().is_some_and(|failed| failed > 20),
        "{line:#}"
    );
    assert_eq!(line["broke"]["text"], "held >= 100%", "{line:#}");
    assert_eq!(findings["hold"]["live"], held, "the step at the line");
    let drawn = bench.report(&bench.directory());
    assert_eq!(drawn.stdout, ran.stdout, "the same findings follow from the records");
    // A rate is something else.
    let directory = bench.directory();
    let run = directory.to_str().expect("a path of text");
    let one_minute = ["soak", "plan.yaml", "-d", "1m", "--line", run];
    bench
        .run(&one_minute)
        .expect(104, &["found a load line in connections, expected one in requests"]);
    let refused = ["searches connections that are held, but", "hint: "];
    bench.run(&["diagnose", "plan.yaml"]).expect(104, &refused);
    bench
        .run(&["compare", "plan.yaml", "--load-line", "--b-env", "ROOM=10"])
        .expect(104, &refused);
}
