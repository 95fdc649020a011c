//! Whatever ends in the middle of a pass of a diagnosis: the service responds for as long as it lives, and what was seen
//! can be read.

use crate::bench::{Bench, Going, free_port, send, service};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

const PASSES: [&str; 3] = ["plain", "counters", "profile"];

/// Diagnoses that are cut off in each of their passes, side by side.
fn in_each_pass(cut_off: impl Fn(&str, Diagnosis) + Sync) {
    thread::scope(|scope| {
        for pass in PASSES {
            let cut_off = &cut_off;
            scope.spawn(move || {
                let mut diagnosis = Diagnosis::begin(&[]);
                diagnosis.wait_for(pass);
                cut_off(pass, diagnosis);
            });
        }
    });
}

/// A diagnosis that goes on.
struct Diagnosis {
    bench: Bench,
    going: Going,
}

impl Diagnosis {
    fn begin(env: &[(&str, &str)]) -> Self {
        let bench = Bench::new();
        let port = free_port();
        let url = format!("http://127.0.0.1:{port}/");
        let mut command = bench.command(&["diagnose", &url, "-R", "100", "-d", "3s", "--json", "--quiet"]);
        command
            .args(["--", "node", &service("lives.cjs")])
            .envs(env.iter().copied());
        let going = Going::begin(&mut command);
        Self { bench, going }
    }

    /// Until a pass has recorded its first second.
    fn wait_for(&mut self, pass: &str) {
        let runs = self.bench.path("runs");
        let recorded = || {
            let diagnosis = fs::read_dir(&runs).ok()?.flatten().next()?.path();
            fs::read(directory_of(&diagnosis, pass)?.join("ticks.jsonl")).ok()
        };
        while recorded().is_none_or(|ticks| ticks.is_empty()) {
            let over = self.going.child.try_wait().expect("its state").is_some();
            assert!(!over, "it ended before {pass}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// The process of the service.
    fn service(&self) -> String {
        self.bench.read("pid")
    }
}

/// The run directory of a pass of the diagnosis in `directory`.
fn directory_of(directory: &Path, pass: &str) -> Option<PathBuf> {
    let mut passes = fs::read_dir(directory).ok()?.flatten().map(|entry| entry.path());
    passes.find(|path| path.is_dir() && path.to_string_lossy().ends_with(pass))
}

/// Passes that the findings tell of.
fn passes(findings: &Value) -> Vec<&str> {
    let passes = findings["diagnosis"]["passes"].as_array().expect("passes");
    passes.iter().filter_map(|pass| pass["name"].as_str()).collect()
}

#[test]
fn killed_plimsoll_ends_service() {
    in_each_pass(|pass, mut diagnosis| {
        let service = diagnosis.service();
        diagnosis.going.kill();
        while Path::new(&format!("/proc/{service}")).exists() {
            thread::sleep(Duration::from_millis(10));
        }
        let report = diagnosis.bench.report(&diagnosis.bench.directory());
        let (code, found) = (report.code, report.json());
        // A pass that was cut off is judged by what it has; a diagnosis without all of them has not passed.
        assert!(pass == "profile" || matches!(code, 1 | 105), "{pass}: {code} {found}");
        assert!(passes(&found).contains(&pass), "{pass}: {found}");
    });
}

#[test]
fn killed_service_keeps_partial_result() {
    in_each_pass(|pass, diagnosis| {
        send("-KILL", &diagnosis.service());
        let found = diagnosis.going.end().expect(1, &[]).json();
        assert_eq!(found["verdict"], "failed");
        assert!(passes(&found).contains(&pass), "{pass}: {found}");
    });
}

#[test]
fn ctrl_c_keeps_partial_result() {
    in_each_pass(|pass, diagnosis| {
        let found = diagnosis.going.interrupt().expect(105, &[]).json();
        assert_eq!(found["verdict"], "interrupted");
        assert!(passes(&found).contains(&pass), "{pass}: {found}");
    });
}

#[test]
fn service_outlives_its_probe() {
    let Diagnosis { bench, going, .. } = Diagnosis::begin(&[("END_PROBE", "1")]);
    let ran = going.end();
    // A host that is busy with other things makes a late generator; that is not what is tested.
    assert!(matches!(ran.code, 0 | 106), "{ran:?}");
    assert_eq!(passes(&ran.json()), PASSES);
    for pass in PASSES {
        let directory = directory_of(&bench.directory(), pass).expect("a directory of the pass");
        let totals = &bench.report(&directory).json()["totals"];
        assert_eq!(totals["errors"], 0, "{pass}: {totals}");
        assert!(
            totals["passed"].as_u64().is_some_and(|passed| passed > 200),
            "{pass}: {totals}"
        );
    }
}
