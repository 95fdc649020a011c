//! Agents and a coordinator over a real broker, against a real service.

use crate::bench::{Bench, Going, Ran, can_run_broker, free_port, free_url, service};
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// A program that ends with the test.
struct Beside(Child);

impl Drop for Beside {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A broker and a service, each on a port of its own.
pub(super) struct Room {
    pub(super) bench: Bench,
    pub(super) broker: String,
    port: u16,
    _beside: [Beside; 2],
}

impl Room {
    /// `None` where there is no broker.
    pub(super) fn open() -> Option<Self> {
        Self::open_in(Bench::new(), &[])
    }

    /// The same with more arguments of the broker, which runs where the bench is.
    pub(super) fn open_in(bench: Bench, broker_args: &[&str]) -> Option<Self> {
        if !can_run_broker() {
            return None;
        }
        let (broker, port) = (free_port(), free_port());
        let nats = Command::new("nats-server")
            .args(["-a", "127.0.0.1", "-p", &broker.to_string()])
            .args(broker_args)
            .current_dir(bench.path("."))
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let service = Command::new("node")
            .arg(service("counts.js"))
            .env("PORT", port.to_string())
            .spawn()
            .expect("node starts");
        let room = Self {
            bench,
            broker: format!("nats://127.0.0.1:{broker}"),
            port,
            _beside: [Beside(nats), Beside(service)],
        };
        for port in [broker, port] {
            let listens = (0..600).any(|_| {
                let is_there = TcpStream::connect(("127.0.0.1", port)).is_ok();
                if !is_there {
                    thread::sleep(Duration::from_millis(20));
                }
                is_there
            });
            assert!(listens, "nothing listens on {port}");
        }
        Some(room)
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// An agent that listens.
    pub(super) fn agent(&self, name: &str, args: &[&str]) -> Going {
        let mut command = self
            .bench
            .command(&["agent", "--fleet", &self.broker, "--name", name, "--threads", "1"]);
        let mut agent = Going::begin(command.args(args));
        agent.wait_for(|line| line.contains("may send to"));
        agent
    }

    /// A target agent of a service that no run gets to start.
    pub(super) fn target(&self, args: &[&str]) -> Going {
        let plan = "target: { url: 'http://127.0.0.1:9/', command: 'node server.js' }\n";
        self.bench.write("shop.yaml", plan);
        let own = [
            "fleet",
            "target",
            "--fleet",
            &self.broker,
            "--service",
            "shop=shop.yaml",
        ];
        Going::begin(self.bench.command(&own).args(args))
    }

    fn run(&self, args: &[&str]) -> Command {
        let url = self.url();
        let own = ["run", &url, "--fleet", &self.broker, "--agents", "2", "--json"];
        let mut command = self.bench.command(&own);
        command.args(args);
        command
    }

    /// Requests that the service got.
    pub(super) fn count(&self) -> u64 {
        self.said("count=")
    }

    /// What the service says behind this.
    fn said(&self, what: &str) -> u64 {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let request = b"GET /count HTTP/1.1\r\nhost: h\r\nconnection: close\r\n\r\n";
        stream.write_all(request).expect("it reads");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("it responds");
        let (_, count) = response.split_once(what).expect("a count");
        let (count, _) = count.split_once(';').expect("its end");
        count.parse().expect("a number")
    }
}

pub(super) fn number(findings: &Value, pointer: &str) -> u64 {
    let value = findings
        .pointer(pointer)
        .unwrap_or_else(|| panic!("no {pointer} in {findings}"));
    value.as_u64().unwrap_or_else(|| panic!("{pointer}: {value}"))
}

#[test]
fn load_of_two_agents_is_exactly_the_load() {
    let Some(room) = Room::open() else { return };
    let (one, other) = (
        room.agent("one", &["--zone", "west"]),
        room.agent("other", &["--zone", "east"]),
    );
    let mut made = 0;
    for (args, requests) in [
        (&["-R", "301", "-d", "1s"][..], 301),
        // One connection alone, so that one of the agents has none.
        (&["-n", "57", "-c", "1"][..], 57),
        (&["-n", "203", "-c", "8"][..], 203),
    ] {
        let ran = Ran::of_command(&mut room.run(args));
        let findings = ran.json();
        made += requests;
        for what in ["scheduled", "sent", "completed"] {
            assert_eq!(
                number(&findings, &format!("/totals/{what}")),
                requests,
                "{args:?} {what}\n{}",
                ran.stderr
            );
        }
        assert_eq!(room.count(), made, "{args:?}");
        assert_eq!(names_of_agents(&findings), ["one", "other"]);
        let kept = room.bench.only_directory_in("runs");
        let replayed = room.bench.report(&kept);
        assert_eq!(replayed.json()["totals"], findings["totals"], "{args:?}");
        assert_eq!(replayed.json()["generator"], findings["generator"], "{args:?}");
        std::fs::remove_dir_all(kept).expect("it is there");
    }
    for agent in [one, other] {
        agent.interrupt().expect(0, &["share", "free"]);
    }
}

#[test]
fn agents_and_zones_are_shown_with_what_they_saw() {
    let Some(room) = Room::open() else { return };
    let (_one, _other) = (
        room.agent("one", &["--zone", "west"]),
        room.agent("other", &["--zone", "east"]),
    );
    let findings = Ran::of_command(&mut room.run(&["-R", "100", "-d", "3s"])).json();
    let seen = |of: &str| number(&findings, &format!("/generator/{of}/seen/response_time/count"));
    let all = number(&findings, "/response_time/count");
    assert!(all > 0, "{findings:#}");
    for [west, east] in [["agents/0", "agents/1"], ["zones/0", "zones/1"]] {
        assert_eq!(
            (seen(west) + seen(east), seen(west) > 0),
            (all, true),
            "{west}: {:#}",
            findings["generator"]
        );
    }
    let kept = room.bench.only_directory_in("runs");
    let replayed = room.bench.report(&kept);
    assert_eq!(replayed.json()["generator"], findings["generator"]);
    let text = room.bench.run(&["report", kept.to_str().expect("a path")]).stdout;
    for shown in ["one in west: ", "other in east: ", "west: 1 agent; p50 "] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
}

#[test]
fn rows_of_a_table_are_shared_by_agents() {
    const ROWS: u64 = 60;
    let Some(room) = Room::open() else { return };
    let (_one, _other) = (room.agent("one", &[]), room.agent("other", &[]));
    let rows: String = (0..ROWS).map(|row| format!("u{row}\n")).collect();
    room.bench.write("users.csv", &format!("name\n{rows}"));
    let plan = format!(
        "target: {}\nload: {{ rate: {ROWS}/s, duration: 1s }}\njudging: {{ warm_up: 0s, window: 1s }}\n\
         scenario: {{ variables: {{ user: {{ file: users.csv, once: true }} }}, \
         journeys: [{{ actions: [request: {{ path: '/${{user.name}}' }}] }}] }}\n",
        room.url()
    );
    room.bench.write("plan.yaml", &plan);
    let own = ["run", "plan.yaml", "--fleet", &room.broker, "--agents", "2", "--json"];
    let ran = room.bench.run(&own);
    let findings = ran.json();
    assert_eq!(number(&findings, "/totals/completed"), ROWS, "{}", ran.stderr);
    assert_eq!((room.count(), room.said("paths=")), (ROWS, ROWS));
}

#[test]
fn agent_that_is_killed_makes_the_run_invalid() {
    let Some(room) = Room::open() else { return };
    let (one, mut other) = (room.agent("one", &[]), room.agent("other", &[]));
    let mut run = Going::begin(&mut room.run(&["-R", "100", "-d", "30s", "--progress", "json"]));
    run.wait_for(|line| line.contains("\"progress\""));
    other.kill();
    let ran = run.end();
    let findings = ran.json();
    ran.expect(106, &["agent other"]);
    assert_eq!(findings["verdict"], "invalid", "{}", ran.stdout);
    let notices = findings["notices"].as_array().expect("notices");
    let lost = notices
        .iter()
        .find(|notice| notice["code"] == "agent_lost")
        .expect("a notice");
    assert!(
        lost["text"]
            .as_str()
            .is_some_and(|text| text.contains("agent other was not heard")),
        "{lost}"
    );
    // Nobody sends any more.
    let count = room.count();
    one.interrupt();
    assert_eq!(room.count(), count);
}

#[test]
fn target_that_an_agent_may_not_load_gets_nothing() {
    let Some(room) = Room::open() else { return };
    let (one, other) = (room.agent("one", &[]), room.agent("other", &["--allow", "127.0.0.1:9"]));
    let ran = Ran::of_command(&mut room.run(&["-R", "100", "-d", "1s"]));
    let target = format!("127.0.0.1:{}", room.port);
    let why = format!("agent other refused: it found the target {target}, expected one of 127.0.0.1:9");
    ran.expect(1, &[&why, &format!("--allow {target}")]);
    assert_eq!(room.count(), 0);
    one.interrupt();
    other.interrupt().expect(0, &["refused: it found the target"]);
}

#[test]
fn share_above_the_top_rate_of_an_agent_is_refused() {
    let Some(room) = Room::open() else { return };
    let (one, other) = (room.agent("one", &[]), room.agent("other", &["--max-rate", "10/s"]));
    let ran = Ran::of_command(&mut room.run(&["-R", "100", "-d", "1s"]));
    ran.expect(
        106,
        &["agent other refused: its share is 50/s, and it sends at most 10/s"],
    );
    assert_eq!(room.count(), 0);
    one.interrupt();
    other.interrupt().expect(0, &["refused: its share is 50/s"]);
}

fn names_of_agents(findings: &Value) -> Vec<&str> {
    let agents = findings["generator"]["agents"].as_array().expect("agents");
    agents
        .iter()
        .map(|agent| agent["name"].as_str().expect("a name"))
        .collect()
}

#[test]
fn local_fleet_makes_the_load_of_one_command() {
    let Some(room) = Room::open() else { return };
    let ran = room.bench.run(&[
        "run",
        &room.url(),
        "-R",
        "61",
        "-d",
        "1s",
        "--threads",
        "1",
        "--fleet",
        "local",
        "--agents",
        "3",
        "--json",
    ]);
    let findings = ran.json();
    assert_eq!(number(&findings, "/totals/completed"), 61, "{}", ran.stderr);
    assert_eq!(room.count(), 61);
    assert_eq!(names_of_agents(&findings), ["local-1", "local-2", "local-3"]);
}

#[test]
fn fleet_that_is_up_serves_runs_until_it_is_stopped() {
    let Some(room) = Room::open() else { return };
    let port = free_port().to_string();
    let mut up = Going::begin(&mut room.bench.command(&["fleet", "up", "--port", &port, "--threads", "1"]));
    let url = format!("nats://127.0.0.1:{port}");
    up.wait_for(|line| line.contains(&format!("--fleet {url}")));
    for made in [40, 80] {
        let ran = room.bench.run(&[
            "run",
            &room.url(),
            "-R",
            "40",
            "-d",
            "1s",
            "--fleet",
            &url,
            "--agents",
            "2",
            "--json",
        ]);
        let findings = ran.json();
        assert_eq!(names_of_agents(&findings), ["local-1", "local-2"], "{}", ran.stderr);
        assert_eq!(room.count(), made, "{}", ran.stderr);
    }
    let ran = up.interrupt();
    assert_eq!((ran.code, ran.stdout), (0, format!("{url}\n")), "{}", ran.stderr);
}

#[test]
fn fleet_that_is_up_shows_what_its_agents_refuse() {
    let Some(room) = Room::open() else { return };
    let port = free_port().to_string();
    let own = [
        "fleet",
        "up",
        "--port",
        &port,
        "--threads",
        "1",
        "--agents",
        "1",
        "--max-rate",
        "10/s",
    ];
    let mut up = Going::begin(&mut room.bench.command(&own));
    let url = format!("nats://127.0.0.1:{port}");
    up.wait_for(|line| line.contains(&format!("--fleet {url}")));
    let run = ["run", &room.url(), "-R", "40", "-d", "1s", "--fleet", &url];
    room.bench
        .run(&run)
        .expect(106, &["agent local-1 refused: its share is 40/s"]);
    up.wait_for(|line| line.contains("agent local-1: refused: its share is 40/s"));
    assert_eq!(room.count(), 0);
    up.interrupt().expect(0, &[]);
}

#[test]
fn fleet_whose_port_is_taken_says_so() {
    let Some(room) = Room::open() else { return };
    let ran = room.bench.run(&["fleet", "up", "--port", &room.port.to_string()]);
    ran.expect(
        1,
        &[
            "failed to keep a fleet on this machine: its broker:",
            "address already in use",
        ],
    );
    assert_eq!(ran.stdout, "");
}

#[test]
fn local_fleet_without_a_broker_says_what_installs_it() {
    let bench = Bench::new();
    for args in [
        &["fleet", "up"][..],
        &["run", "http://127.0.0.1:9/", "--fleet", "local"],
    ] {
        let ran = Ran::of_command(bench.command(args).env("PATH", "/nowhere"));
        ran.expect(1, &["found no nats-server in PATH", "hint: install it"]);
    }
    let run = ["run", "http://127.0.0.1:9/", "--fleet", "local", "--agents", "65"];
    let many = bench.run(&run);
    many.expect(104, &["found 65 agents on this machine, expected at most 64"]);
    let fewer = bench.run(&[&run[..], &["--min-agents", "66"]].concat());
    fewer.expect(104, &["--min-agents: found 66, expected at most the 65 of --agents"]);
}

#[test]
fn fleet_that_is_not_there_is_said_with_what_starts_it() {
    let bench = Bench::new();
    let broker = format!("nats://127.0.0.1:{}", free_port());
    for (url, code, words) in [
        (broker.as_str(), 1, "failed to reach the broker at 127.0.0.1:"),
        (
            "nats://u:hunter2@broker.example",
            104,
            "found nats:// for another machine",
        ),
    ] {
        for args in [
            &["run", "http://127.0.0.1:9/", "--fleet", url][..],
            &["agent", "--fleet", url],
        ] {
            let ran = bench.run(args);
            ran.expect(code, &[words, "hint: "]);
            assert!(!ran.stderr.contains("hunter2"), "{}", ran.stderr);
        }
    }
}

#[test]
fn command_that_loads_a_service_asks_the_fleet_for_it() {
    let bench = Bench::with_services();
    let (broker, url) = (format!("nats://127.0.0.1:{}", free_port()), free_url());
    for args in [
        &["capacity"][..],
        &["diagnose", "-R", "50", "-d", "1s"],
        &["shock", "-R", "50", "--burst", "2", "--for", "1s"],
        &["soak", "-R", "50"],
        &["compare", "-R", "50", "--b-env", "A=1"],
        &["scale", "--at", "1,2,3,4"],
    ] {
        let mut command = bench.command(args);
        let command = command.args([&url, "--fleet", &broker, "--", "node", "ok.js"]);
        Ran::of_command(command).expect(1, &["failed to reach the broker at 127.0.0.1:"]);
    }
}
