//! `plimsoll diagnose` against real services with known costs.

use serde_json::Value;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_plimsoll");

fn service(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/services").join(name)
}

/// The line of the service on which `text` stands.
fn line_of(service: &Path, text: &str) -> u64 {
    let source = fs::read_to_string(service).expect("the service is there");
    let line = source.lines().position(|line| line.contains(text));
    line.expect("the line is in the service") as u64 + 1
}

fn diagnose(dir: &TempDir, service: &Path, more: &[&str]) -> Output {
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a free port")
        .port();
    Command::new(PROGRAM)
        .args(["diagnose", &format!("http://127.0.0.1:{port}/"), "-R", "100"])
        .args(more)
        .args(["--", "node"])
        .arg(service)
        .current_dir(dir.path())
        .output()
        .expect("the program starts")
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
    })
}

#[test]
fn costly_lines_are_named_and_the_folder_tells_the_same_again() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let script = service("reads_and_logs.cjs");
    let output = diagnose(&dir, &script, &["-d", "3s", "--json"]);
    // A host that is busy with other things makes a late generator; that is not what is tested.
    assert!(matches!(output.status.code(), Some(0 | 106)), "{output:?}");
    let findings = json(&output);
    let causes = findings["diagnosis"]["causes"].as_array().expect("causes");
    for (kind, text) in [
        ("sync-file-read", "readFileSync(file)"),
        ("blocking-write", "console.log"),
    ] {
        let cause = causes.iter().find(|cause| cause["kind"] == kind);
        let place = &cause.unwrap_or_else(|| panic!("no {kind} in {causes:#?}"))["place"];
        assert_eq!(place["line"], line_of(&script, text), "{place}");
        assert!(
            place["file"]
                .as_str()
                .is_some_and(|file| file.ends_with("reads_and_logs.cjs")),
            "{place}"
        );
        assert_eq!(place["function"], "answer");
    }
    let passes: Vec<_> = findings["diagnosis"]["passes"]
        .as_array()
        .expect("passes")
        .iter()
        .collect();
    assert_eq!(passes.len(), 3);

    let runs = dir.path().join("runs");
    let folder = fs::read_dir(&runs)
        .expect("runs")
        .flatten()
        .next()
        .expect("a folder")
        .path();
    let again = Command::new(PROGRAM)
        .arg("report")
        .arg(&folder)
        .arg("--json")
        .output()
        .expect("the program starts");
    assert_eq!(json(&again), findings);
    assert!(folder.join("report.html").exists());
}

#[test]
fn a_service_that_dies_leaves_what_was_seen() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let output = diagnose(&dir, &service("dies.js"), &["-d", "60s"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("out of cheese"), "{said}");
}

#[test]
fn a_service_that_is_not_started_here_is_refused() {
    let output = Command::new(PROGRAM)
        .args(["diagnose", "http://127.0.0.1:9/"])
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(104), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("a diagnosis needs a service that is started here"),
        "{said}"
    );
}
