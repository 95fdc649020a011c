//! `plimsoll diagnose` against services with known costs.

use crate::bench::{Bench, service};
use serde_json::Value;
use std::fs;

/// The line of the service on which `text` stands.
fn line_of(service: &str, text: &str) -> u64 {
    let source = fs::read_to_string(service).expect("the service is there");
    let line = source.lines().position(|line| line.contains(text));
    line.expect("the line is in the service") as u64 + 1
}

#[test]
fn costly_lines_are_named_live_and_replayed() {
    let bench = Bench::new();
    let script = service("reads_and_logs.cjs");
    let ran = bench.diagnose(&script, &["-d", "3s", "--target-cpus", "0", "--json"]);
    // A host that is busy with other things makes a late generator; that is not what is tested.
    assert!(matches!(ran.code, 0 | 106), "{ran:?}");
    let findings = ran.json();
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
        assert_eq!(place["function"], "respond");
    }
    let passes: Vec<_> = findings["diagnosis"]["passes"]
        .as_array()
        .expect("passes")
        .iter()
        .collect();
    assert_eq!(passes.len(), 3);

    let directory = bench.directory();
    assert_eq!(bench.report(&directory).json(), findings);
    assert!(directory.join("report.html").exists());
    // Threads beside its own run elsewhere during the profile, which gives the service no second core.
    let runs = fs::read_dir(&directory).expect("the directory").flatten();
    let profiles: Vec<_> = runs
        .filter_map(|run| fs::read_to_string(run.path().join("profile-0.cpuprofile")).ok())
        .map(|text| serde_json::from_str::<Value>(&text).expect("JSON")["apart"].clone())
        .collect();
    assert_eq!(profiles, [plimsoll_thread::cpus(None).len() > 1]);
    let runs = fs::read_dir(&directory).expect("the directory").flatten();
    let cores: Vec<_> = runs
        .filter_map(|run| fs::read_to_string(run.path().join("findings.json")).ok())
        .map(|text| serde_json::from_str::<Value>(&text).expect("JSON")["target_resources"]["cores"].clone())
        .collect();
    assert_eq!(cores, [1, 1, 1]);
}
