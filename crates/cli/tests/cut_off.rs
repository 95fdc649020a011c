//! Whatever ends in the middle of a pass of a diagnosis: the service answers for as long as it lives, and what was seen
//! can be read.

use serde_json::Value;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_plimsoll");
const PASSES: [&str; 3] = ["plain", "counters", "profile"];

/// A diagnosis that goes on.
struct Going {
    dir: TempDir,
    port: u16,
    program: Child,
}

impl Going {
    fn begin(env: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let service = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/services/lives.cjs");
        let program = Command::new(PROGRAM)
            .args(["diagnose", &format!("http://127.0.0.1:{port}/"), "-R", "100"])
            .args(["-d", "3s", "--json", "--quiet", "--", "node"])
            .arg(service)
            .envs(env.iter().copied())
            .current_dir(dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        Self { dir, port, program }
    }

    /// The folder of the diagnosis, once there is one.
    fn folder(&self) -> Option<PathBuf> {
        let mut runs = fs::read_dir(self.dir.path().join("runs")).ok()?.flatten();
        runs.next().map(|entry| entry.path())
    }

    /// Until a pass has recorded its first second.
    fn wait_for(&mut self, pass: &str) {
        let recorded = |folder: PathBuf| {
            let ticks = folder_of(&folder, pass).map(|folder| fs::read(folder.join("ticks.jsonl")));
            ticks.is_some_and(|read| read.is_ok_and(|ticks| !ticks.is_empty()))
        };
        while !self.folder().is_some_and(recorded) {
            let over = self.program.try_wait().expect("its state").is_some();
            assert!(!over, "it ended before {pass}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn service(&self) -> String {
        fs::read_to_string(self.dir.path().join("pid")).expect("the service said who it is")
    }

    fn send(signal: &str, pid: &str) {
        let sent = Command::new("kill").args([signal, pid]).status().expect("kill");
        assert!(sent.success(), "{signal} to {pid}");
    }

    /// Asks the service itself.
    fn answer(&self) -> String {
        let mut socket = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        socket
            .write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            .expect("it takes a request");
        let mut text = String::new();
        socket.read_to_string(&mut text).expect("it answers");
        text
    }

    /// What `plimsoll report` makes of what is there.
    fn report(&self) -> (Option<i32>, Value) {
        let folder = self.folder().expect("a folder");
        let output = Command::new(PROGRAM)
            .arg("report")
            .arg(&folder)
            .arg("--json")
            .output()
            .expect("the program starts");
        (output.status.code(), json(&output))
    }
}

/// The run folder of a pass of the diagnosis in `folder`.
fn folder_of(folder: &Path, pass: &str) -> Option<PathBuf> {
    let mut passes = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    passes.find(|path| path.is_dir() && path.to_string_lossy().ends_with(pass))
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

/// Passes that the findings tell of.
fn passes(findings: &Value) -> Vec<&str> {
    let passes = findings["diagnosis"]["passes"].as_array().expect("passes");
    passes.iter().filter_map(|pass| pass["name"].as_str()).collect()
}

#[test]
fn a_service_outlives_a_killed_plimsoll() {
    for pass in PASSES {
        let mut going = Going::begin(&[]);
        going.wait_for(pass);
        going.program.kill().expect("killed");
        going.program.wait().expect("gone");
        for _ in 0..50 {
            assert!(going.answer().starts_with("HTTP/1.1 200"), "after {pass}");
        }
        Going::send("-KILL", &going.service());
        let (code, found) = going.report();
        // A pass that was cut off is judged by what it has; a diagnosis without all of them has not passed.
        assert!(
            pass == "profile" || matches!(code, Some(1 | 105)),
            "{pass}: {code:?} {found}"
        );
        assert!(passes(&found).contains(&pass), "{pass}: {found}");
    }
}

#[test]
fn what_was_seen_of_a_killed_service_is_told() {
    for pass in PASSES {
        let mut going = Going::begin(&[]);
        going.wait_for(pass);
        Going::send("-KILL", &going.service());
        let dir = going.dir;
        let output = going.program.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let found = json(&output);
        assert_eq!(found["verdict"], "failed");
        assert!(passes(&found).contains(&pass), "{pass}: {found}");
        drop(dir);
    }
}

#[test]
fn ctrl_c_leaves_what_was_seen() {
    for pass in PASSES {
        let mut going = Going::begin(&[]);
        going.wait_for(pass);
        Going::send("-INT", &going.program.id().to_string());
        let dir = going.dir;
        let output = going.program.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(105), "{output:?}");
        let found = json(&output);
        assert_eq!(found["verdict"], "interrupted");
        assert!(passes(&found).contains(&pass), "{pass}: {found}");
        drop(dir);
    }
}

#[test]
fn a_service_outlives_its_probe() {
    let going = Going::begin(&[("END_PROBE", "1")]);
    let dir = going.dir;
    let output = going.program.wait_with_output().expect("it ends");
    // A host that is busy with other things makes a late generator; that is not what is tested.
    assert!(matches!(output.status.code(), Some(0 | 106)), "{output:?}");
    let found = json(&output);
    assert_eq!(passes(&found), PASSES);
    let runs = fs::read_dir(dir.path().join("runs")).expect("runs").flatten().next();
    let diagnosis = runs.expect("a folder").path();
    for pass in PASSES {
        let folder = folder_of(&diagnosis, pass).expect("a folder of the pass");
        let again = Command::new(PROGRAM)
            .arg("report")
            .arg(&folder)
            .arg("--json")
            .output()
            .expect("the program starts");
        let totals = &json(&again)["totals"];
        assert_eq!(totals["errors"], 0, "{pass}: {totals}");
        assert!(
            totals["passed"].as_u64().is_some_and(|passed| passed > 200),
            "{pass}: {totals}"
        );
    }
}
