//! `plimsoll fleet resume`: a run whose process died is completed by what its agents have.

use super::fleet::{Room, number};
use crate::bench::{Bench, Going, Ran};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A run of two agents that has recorded something.
fn begun(room: &Room) -> (Going, PathBuf) {
    let url = room.url();
    let own = [
        "run",
        &url,
        "--fleet",
        &room.broker,
        "--agents",
        "2",
        "-R",
        "100",
        "-d",
        "60s",
    ];
    let mut run = Going::begin(room.bench.command(&own).args(["--progress", "json"]));
    for _ in 0..2 {
        run.wait_for(|line| line.contains("\"progress\""));
    }
    (run, room.bench.directory())
}

fn resume(room: &Room, directory: &Path, more: &[&str]) -> Ran {
    let directory = directory.to_str().expect("text");
    let own = ["fleet", "resume", directory, "--fleet", &room.broker, "--json"];
    room.bench.run(&[&own[..], more].concat())
}

fn said(findings: &Value) -> String {
    let notices = findings["notices"].as_array().expect("notices").iter();
    let texts = notices.filter_map(|notice| notice["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn run_that_died_is_completed_with_every_request_once() {
    let Some(room) = Room::open() else { return };
    let (one, other) = (room.agent("one", &[]), room.agent("other", &[]));
    let (mut run, directory) = begun(&room);
    // Nothing is taken of one that is alive.
    resume(&room, &directory, &[]).expect(1, &["its run still goes on"]);
    run.kill();
    let kept = number(&room.bench.report(&directory).json(), "/totals/sent");

    let resumed = resume(&room, &directory, &[]);
    let findings = resumed.json();
    resumed.expect(105, &[]);
    let came = room.count();
    assert_eq!(number(&findings, "/totals/sent"), came, "{}", resumed.stdout);
    assert_eq!(number(&findings, "/totals/scheduled"), came, "{}", resumed.stdout);
    assert!(came > kept, "agents went on until their leases ended: {came}, {kept}");
    assert_eq!(findings["verdict"], "interrupted");
    let more = format!("its agents began {} requests more", came - kept);
    assert!(said(&findings).contains(&more), "{}", said(&findings));
    assert_eq!(findings["generator"]["agents"].as_array().map(Vec::len), Some(2));
    // It is a directory as any other, and complete.
    let report = room.bench.report(&directory).json();
    assert_eq!(report, findings);
    let again = resume(&room, &directory, &[]);
    again.expect(1, &["it is complete", "plimsoll report"]);
    // Agents are free at once.
    let ran = room.bench.run(&[
        "run",
        &room.url(),
        "--fleet",
        &room.broker,
        "--agents",
        "2",
        "-R",
        "50",
        "-d",
        "1s",
        "--json",
    ]);
    assert_eq!(number(&ran.json(), "/totals/completed"), 50, "{}", ran.stderr);
    one.interrupt();
    other.interrupt();
}

#[test]
fn run_that_died_with_an_agent_lacks_what_that_had() {
    let Some(room) = Room::open() else { return };
    let (one, mut other) = (room.agent("one", &[]), room.agent("other", &[]));
    let (mut run, directory) = begun(&room);
    run.kill();
    other.kill();
    let resumed = resume(&room, &directory, &["--min-agents", "1"]);
    let findings = resumed.json();
    resumed.expect(105, &[]);
    assert_eq!(findings["verdict"], "interrupted");
    let said = said(&findings);
    assert!(
        said.contains("agent other does not respond: what it measured after"),
        "{said}"
    );
    assert!(number(&findings, "/totals/sent") <= room.count());
    one.interrupt();
}

#[test]
fn run_without_agents_elsewhere_has_nothing_to_be_completed_with() {
    let bench = Bench::new();
    bench.short_run("malformed.js");
    let directory = bench.directory();
    let directory = directory.to_str().expect("text");
    let ran = bench.run(&["fleet", "resume", directory, "--fleet", "nats://127.0.0.1:1"]);
    ran.expect(1, &["no agents of other machines", "plimsoll report"]);
}
