//! A fleet, and objectives of its zones, as a plan says them.

use super::fleet::{Room, number};
use crate::bench::{Going, free_port};

/// A plan for two agents with a bound that each response is below, and one that none is.
fn write_plan(room: &Room, objectives: &str) {
    let fleet = format!(
        "{{ url: \"{}\", agents: 2 }}",
        room.broker.replace("://", "://someone:hunter2@")
    );
    let plan = format!(
        "target: {}\nload: {{ rate: 100/s, duration: 3s }}\nfleet: {fleet}\nobjectives: [{objectives}]\n",
        room.url()
    );
    room.bench.write("plan.yaml", &plan);
}

#[test]
fn plan_says_fleet_and_zones_that_are_judged() {
    let Some(room) = Room::open() else { return };
    let (_one, _other) = (
        room.agent("one", &["--zone", "west"]),
        room.agent("other", &["--zone", "east"]),
    );
    write_plan(
        &room,
        "zone west p99 <= 1m, zone east p99 <= 0.000001ms, zone east errors = 0",
    );
    let ran = room.bench.run(&["run", "plan.yaml", "--json"]);
    ran.expect(99, &[]);
    let findings = ran.json();
    assert_eq!(findings["generator"]["agents"].as_array().map(Vec::len), Some(2));
    let judged = findings["objectives"].as_array().expect("objectives").iter();
    // What windows did is known even where the machine is too slow for a verdict.
    let judged: Vec<(&str, bool, bool)> = judged
        .map(|judged| {
            let (passed, all) = (number(judged, "/windows_passed"), number(judged, "/windows_judged"));
            let zone = judged["objective"]["zone"].as_str().expect("a zone");
            (zone, all > 0 && passed == all, all > 0 && passed == 0)
        })
        .collect();
    assert_eq!(
        judged,
        [("west", true, false), ("east", false, true), ("east", true, false)]
    );
    let kept = room.bench.only_directory_in("runs");
    assert_eq!(room.bench.report(&kept).json()["objectives"], findings["objectives"]);
    let directory = kept.to_str().expect("a path");
    let ran = room
        .bench
        .run(&["report", directory, "--markdown", "run.md", "--junit", "run.xml"]);
    let written = |name: &str| std::fs::read_to_string(room.bench.path(name)).expect("it was written");
    for shown in [
        ran.stdout,
        written("run.md"),
        written("run.xml"),
        std::fs::read_to_string(kept.join("report.html")).expect("a page"),
    ] {
        assert!(shown.contains("zone east p99"), "{shown}");
    }
    let saved = std::fs::read_to_string(kept.join("plan.json")).expect("it is there");
    assert!(saved.contains("\"agents\": 2") && !saved.contains("hunter2"), "{saved}");
}

/// A load that ends with its rows is a whole one, but for an agent that is lost before it has handed in what it saw.
#[test]
fn agent_that_is_lost_after_the_last_row_makes_the_run_invalid() {
    let Some(room) = Room::open() else { return };
    let (_one, mut other) = (room.agent("one", &[]), room.agent("other", &[]));
    let slow = "const respond = (request, response) => setTimeout(() => response.end(), request.url > '/40' ? 6000 : 0)
require('node:http').createServer(respond).listen(process.env.PORT, '127.0.0.1')
";
    room.bench.write("slow.cjs", slow);
    let rows: String = (10..60).map(|row| format!("{row}\n")).collect();
    room.bench.write("rows.csv", &format!("n\n{rows}"));
    let plan = format!(
        "target: {{ url: 'http://127.0.0.1:{}/', command: node slow.cjs }}
load: {{ rate: 20/s, duration: 30s }}
fleet: {{ url: '{}', agents: 2 }}
objectives: [errors <= 0%]
scenario: {{ variables: {{ of: {{ file: rows.csv, once: true }} }}, journeys: [{{ actions: [request: {{ path: '/${{of.n}}' }}] }}] }}
",
        free_port(),
        room.broker
    );
    room.bench.write("plan.yaml", &plan);
    let mut run = Going::begin(&mut room.bench.command(&["run", "plan.yaml", "--json"]));
    run.wait_for(|line| line.contains("are used up"));
    other.kill();
    let ran = run.end();
    ran.expect(106, &["agent other was not heard"]);
    assert_eq!(ran.json()["verdict"], "invalid");
}

#[test]
fn zone_without_an_agent_is_refused() {
    let Some(room) = Room::open() else { return };
    let (_one, _other) = (room.agent("one", &["--zone", "west"]), room.agent("other", &[]));
    write_plan(&room, "zone south p99 <= 1m");
    let ran = room.bench.run(&["run", "plan.yaml", "--json"]);
    ran.expect(
        1,
        &["found agents in west, expected an agent in the zone of `zone south p99 <= 60000ms`"],
    );
    let ran = room.bench.run(&[
        "run",
        &room.url(),
        "-R",
        "10",
        "-d",
        "1s",
        "--objective",
        "zone south errors = 0",
    ]);
    ran.expect(1, &["found no fleet"]);
    assert_eq!(room.count(), 0);
}

#[test]
fn option_about_a_fleet_needs_one() {
    let bench = crate::bench::Bench::new();
    let ran = bench.run(&["run", "http://127.0.0.1:9/", "--agents", "2"]);
    ran.expect(
        104,
        &[
            "--agents says nothing without a fleet",
            "hint: name one with --fleet URL",
        ],
    );
}
