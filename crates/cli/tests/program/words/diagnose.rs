//! `plimsoll diagnose` where it comes to no findings, or to few.

use crate::bench::{Bench, Going, Ran, free_port, service};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

const POLL: Duration = Duration::from_millis(20);

#[test]
fn service_death_keeps_partial_diagnosis() {
    let ran = Bench::new().diagnose(&service("dies.js"), &["-d", "60s"]);
    ran.expect(1, &[]);
    assert!(ran.stdout.contains("out of cheese"), "{}", ran.stdout);
}

#[test]
fn diagnosis_of_nobody_is_refused() {
    let bench = Bench::new();
    bench.run(&["diagnose", "http://127.0.0.1:9/"]).expect(
        104,
        &["a diagnosis needs a service that plimsoll starts, or one that runs and is watched"],
    );
    bench
        .run(&["diagnose", "http://127.0.0.1:9/", "--pid", "1", "--what-if"])
        .expect(104, &["--what-if needs a service that plimsoll starts"]);
}

/// A service that somebody else has started, and the port of its inspector.
struct Started {
    bench: Bench,
    child: Child,
    ports: [u16; 2],
}

impl Started {
    fn new() -> Self {
        Self::of(&[&service("works.js")])
    }

    /// With these arguments of Node.js, in the directory of the tests.
    fn of(arguments: &[&str]) -> Self {
        let ports = [free_port(), free_port()];
        let bench = Bench::new();
        let child = bench
            .other("node")
            .arg(format!("--inspect-port={}", ports[1]))
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .envs([("PORT", ports[0].to_string()), ("WORK_US", "3000".to_owned())])
            .stderr(Stdio::null())
            .spawn()
            .expect("node starts");
        let started = Self { bench, child, ports };
        while !started.is_open(0) {
            thread::sleep(POLL);
        }
        started
    }

    fn is_open(&self, port: usize) -> bool {
        TcpStream::connect(("127.0.0.1", self.ports[port])).is_ok()
    }

    fn diagnose(&self, seconds: &str) -> Command {
        let url = format!("http://127.0.0.1:{}/", self.ports[0]);
        let pid = self.child.id().to_string();
        let mut command = self.bench.command(&["diagnose", &url, "--pid", &pid, "-R", "50"]);
        command.args(["-d", seconds, "--warm-up", "500ms", "--json"]);
        command
    }

    /// It responds as before, and nobody can inspect it any more.
    fn is_unharmed(&mut self) {
        while self.is_open(1) {
            thread::sleep(POLL);
        }
        assert!(self.is_open(0));
        assert_eq!(self.child.try_wait().expect("ours"), None);
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn running_service_is_profiled_and_left_as_it_was() {
    let mut started = Started::new();
    let ran = Ran::of_command(&mut started.diagnose("2s"));
    let findings = ran.json();
    assert!(matches!(ran.code, 0 | 106), "{ran:?}");
    let cause = &findings["diagnosis"]["causes"][0];
    assert!(
        cause["place"]["file"]
            .as_str()
            .is_some_and(|file| file.ends_with("works.js")),
        "{cause}"
    );
    let notices = findings["notices"].as_array().expect("a list");
    assert!(
        notices.iter().any(|notice| notice["code"] == "not_counted"),
        "{notices:?}"
    );
    started.is_unharmed();
}

/// What tsx makes of it is one line, and in no file.
#[test]
fn code_that_a_loader_compiles_has_the_lines_of_its_source() {
    let mut started = Started::of(&["--import", "tsx", &service("works.ts")]);
    let ran = Ran::of_command(&mut started.diagnose("2s"));
    assert!(matches!(ran.code, 0 | 106), "{ran:?}");
    let place = &ran.json()["diagnosis"]["causes"][0]["place"];
    let file = place["file"].as_str().expect("a file");
    assert!(file.ends_with("works.ts"), "{place}");
    let source = std::fs::read_to_string(service("works.ts")).expect("it can be read");
    let line = place["line"].as_u64().expect("a line") as usize;
    // V8 may have put the one into the other.
    let begins = source.lines().nth(line - 1).unwrap_or_default();
    assert!(begins.contains("work("), "{place}: {begins}");
    started.is_unharmed();
}

#[test]
fn service_outlives_plimsoll_that_is_killed_while_it_profiles() {
    let mut started = Started::new();
    let mut going = Going::begin(&mut started.diagnose("3s"));
    going.wait_for(|line| line.contains("pass C"));
    while !started.is_open(1) {
        thread::sleep(POLL);
    }
    going.kill();
    assert!(started.is_open(0));
    assert_eq!(started.child.try_wait().expect("ours"), None);
}
