//! Services that target agents start, over a real broker: judged by what they use there, and nothing of them stays.

use super::canary::{assert_hidden, canary};
use super::fleet::{Room, number};
use crate::bench::{Going, Ran, free_port, service};
use serde_json::Value;
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// What the configuration of the target agents calls the service.
const SHOP: [&str; 2] = ["--fleet-target", "shop"];

/// 10 ms of CPU for each request.
const WORKS: &str = "  env: { WORK_US: '10000' }\n";

/// A target agent.
struct Target {
    going: Going,
    port: u16,
}

impl Target {
    /// One whose service runs a script of the tests, with more in its plan.
    fn begin(room: &Room, name: &str, script: &str, target: &str, more: &[&str]) -> Self {
        let port = free_port();
        let plan = format!(
            "target:\n  url: http://127.0.0.1:{port}/\n  command: [node, {}]\n  stop_grace: 1s\n{target}",
            service(script)
        );
        room.bench.write(&format!("{name}.yaml"), &plan);
        let services = format!("shop={name}.yaml");
        let own = [
            "fleet",
            "target",
            "--fleet",
            &room.broker,
            "--name",
            name,
            "--service",
            &services,
        ];
        let mut going = Going::begin(room.bench.command(&own).args(more));
        going.wait_for(|line| line.contains("starts shop for runs"));
        Self { going, port }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    fn is_served(&self) -> bool {
        TcpStream::connect(("127.0.0.1", self.port)).is_ok()
    }

    /// Nothing of the service stays.
    fn expect_free(&self) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while self.is_served() {
            assert!(Instant::now() < deadline, "the service stays");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A command with the fleet and the service of one target agent, or of as many as the arguments say.
fn command(room: &Room, verb: &str, url: &str, args: &[&str]) -> Command {
    let own = [verb, url, "--fleet", &room.broker, "--agents", "1", "--json"];
    let mut command = room.bench.command(&own);
    command.args(SHOP).args(args);
    // So that nobody waits whether more come.
    if !args.contains(&"--fleet-targets") {
        command.args(["--fleet-targets", "1"]);
    }
    command
}

fn codes(findings: &Value) -> Vec<&str> {
    let notices = findings["notices"].as_array().expect("notices").iter();
    notices.filter_map(|notice| notice["code"].as_str()).collect()
}

#[test]
fn service_of_a_target_agent_is_judged_by_its_cpu_there() {
    let Some(room) = Room::open() else { return };
    let _agent = room.agent("one", &[]);
    let target = Target::begin(&room, "box", "works.js", WORKS, &[]);
    for (objective, code) in [("cpu <= 100%", 0), ("cpu <= 1%", 99)] {
        let args = ["-R", "50", "-d", "2s", "--objective", objective];
        let ran = Ran::of_command(&mut command(&room, "run", &target.url(), &args));
        let findings = ran.json();
        ran.expect(code, &["starting: shop on box", "the service is ready"]);
        assert_eq!(number(&findings, "/totals/completed"), 100, "{}", ran.stderr);
        let used = &findings["target_resources"];
        // A core may be slow or shared, but the work is counted in CPU time.
        let cpu_us = used["cpu_us_per_request"].as_f64().unwrap_or_default();
        assert!(cpu_us > 9_000.0, "{used:#}");
        target.expect_free();
        let kept = room.bench.only_directory_in("runs");
        assert_eq!(room.bench.report(&kept).json(), findings, "{objective}");
        std::fs::remove_dir_all(kept).expect("it is there");
    }
    target.going.interrupt().expect(0, &["a run has shop", "free"]);
}

#[test]
fn load_line_of_a_hosted_service_is_where_its_cpu_ends() {
    let Some(room) = Room::open() else { return };
    let _agent = room.agent("one", &[]);
    let target = Target::begin(&room, "box", "works.js", &format!("{WORKS}  cpus: 0\n"), &[]);
    let args = [
        "--start",
        "8/s",
        "--max",
        "60/s",
        "--step",
        "2s",
        "--budget",
        "10s",
        "--bracket",
        "40%",
        "--objective",
        // A service has so much of a core that others take as well.
        "cpu <= 20%",
    ];
    let ran = Ran::of_command(&mut command(&room, "capacity", &target.url(), &args));
    let findings = ran.json();
    // A machine that is busy with other things makes a late generator; that is not what is tested.
    assert!(matches!(ran.code, 0 | 106), "{ran:?}");
    if ran.code == 0 {
        let line = findings["load_line"]["rate_per_s"].as_f64().expect("a line");
        assert!(line <= 20.0, "{line} of 10 ms each");
        assert_eq!(findings["target_resources"]["cores"], 1);
    }
    target.expect_free();
}

#[test]
fn what_is_not_in_the_configuration_of_a_target_agent_is_refused() {
    let Some(room) = Room::open() else { return };
    let _agent = room.agent("one", &[]);
    let mut target = Target::begin(&room, "box", "ok.js", "", &[]);
    let url = target.url();
    let own = [
        "run",
        &url,
        "-R",
        "10",
        "-d",
        "1s",
        "--fleet",
        &room.broker,
        "--agents",
        "1",
    ];
    let mut unknown = room.bench.command(&own);
    Ran::of_command(unknown.args(["--fleet-target", "shp"])).expect(
        1,
        &[
            "start service shp with its target agents",
            "target agent box: it has shop",
            "hint: ",
        ],
    );
    target
        .going
        .wait_for(|line| line.contains("refused: it found service `shp`"));
    // A load that leads elsewhere would be judged by what a service uses that does not get it.
    let elsewhere = format!("http://127.0.0.1:{}/", free_port());
    Ran::of_command(&mut command(&room, "run", &elsewhere, &["-R", "10", "-d", "1s"])).expect(
        1,
        &["target agent box refused: it found a load of", "--reached-at shop="],
    );
    for args in [&SHOP[..], &["--fleet-targets", "2"]] {
        room.bench
            .run(&[&["run", &url, "-R", "10"][..], args].concat())
            .expect(104, &[]);
    }
    assert!(!target.is_served());
}

#[test]
fn throttled_time_of_a_hosted_service_without_a_quota_is_refused() {
    let Some(room) = Room::open() else { return };
    let _agent = room.agent("one", &[]);
    let target = Target::begin(&room, "box", "ok.js", "", &[]);
    let args = ["-R", "10", "-d", "1s", "--objective", "throttled <= 5%"];
    let ran = Ran::of_command(&mut command(&room, "run", &target.url(), &args));
    ran.expect(104, &["that no quota of CPU time bounds", "`target.limits.cpu`"]);
    target.expect_free();
}

#[test]
fn fleet_that_is_up_starts_services_for_runs() {
    let Some(room) = Room::open() else { return };
    let port = free_port();
    let plan = format!(
        "target:\n  url: http://127.0.0.1:{port}/\n  command: [node, {}]\n{WORKS}",
        service("works.js")
    );
    room.bench.write("shop.yaml", &plan);
    let broker = free_port();
    let (fleet, url) = (
        format!("nats://127.0.0.1:{broker}"),
        format!("http://127.0.0.1:{port}/"),
    );
    let own = [
        "fleet",
        "up",
        "--agents",
        "1",
        "--port",
        &broker.to_string(),
        "--service",
        "shop=shop.yaml",
    ];
    let mut up = Going::begin(&mut room.bench.command(&own));
    // The command that finds its load line.
    let next = format!("plimsoll capacity {url} --fleet {fleet} --fleet-target shop");
    up.wait_for(|line| line.contains(&next));
    let args = [
        &[
            "run", &url, "-R", "40", "-d", "1s", "--fleet", &fleet, "--json", "--agents", "1",
        ][..],
        &SHOP,
    ]
    .concat();
    let ran = room.bench.run(&args);
    // What is refused is for who started the fleet to see, too.
    let args = [
        "run",
        &url,
        "-R",
        "40",
        "-d",
        "1s",
        "--fleet",
        &fleet,
        "--agents",
        "1",
        "--fleet-target",
        "shp",
    ];
    room.bench.run(&args).expect(1, &["target agent local: it has shop"]);
    up.wait_for(|line| line.contains("target agent local: refused: it found service `shp`"));
    up.interrupt().expect(0, &[]);
    let findings = ran.json();
    assert!(ran.stderr.contains("starting: shop on local"), "{}", ran.stderr);
    assert_eq!(number(&findings, "/totals/completed"), 40, "{}", ran.stderr);
    assert!(
        findings["target_resources"]["cpu_us_per_request"].as_f64() > Some(9_000.0),
        "{findings:#}"
    );
    // What cannot be started is said before anything is.
    for (plan, said) in [("gone.yaml", "gone.yaml"), ("idle.yaml", "found no command")] {
        room.bench.write("idle.yaml", "target: http://127.0.0.1:9/\n");
        let ran = room.bench.run(&["fleet", "up", "--service", &format!("shop={plan}")]);
        assert!(ran.code != 0 && ran.stderr.contains(said), "{}", ran.stderr);
    }
}

/// It may hold a password, and the service is not the one who needs it.
#[test]
fn service_does_not_inherit_the_url_of_the_broker() {
    let Some(room) = Room::open() else { return };
    let _agent = room.agent("one", &[]);
    room.bench.write(
        "says.cjs",
        "require('node:fs').writeFileSync('said.txt', `${process.env.PLIMSOLL_FLEET} ${process.env.OWN}`)
require('node:http').createServer((_, response) => response.end()).listen(process.env.PORT, '127.0.0.1')
",
    );
    let port = free_port();
    let target = format!("{{ url: 'http://127.0.0.1:{port}/', command: node says.cjs, env: {{ OWN: its-own }} }}");
    room.bench.write("box.yaml", &format!("target: {target}\n"));
    let own = ["fleet", "target", "--name", "box", "--service", "shop=box.yaml"];
    let mut target = Going::begin(room.bench.command(&own).env("PLIMSOLL_FLEET", &room.broker));
    target.wait_for(|line| line.contains("starts shop for runs"));
    let url = format!("http://127.0.0.1:{port}/");
    let ran = Ran::of_command(&mut command(&room, "run", &url, &["-R", "20", "-d", "1s"]));
    ran.expect(0, &["the service is ready"]);
    target.interrupt().expect(0, &["free"]);
    assert_eq!(room.bench.read("said.txt"), "undefined its-own");
}

#[test]
fn output_of_a_hosted_service_that_dies_is_told() {
    let Some(room) = Room::open() else { return };
    let _agent = room.agent("one", &[]);
    let target = Target::begin(&room, "box", "dies.js", "", &[]);
    let ran = Ran::of_command(&mut command(&room, "run", &target.url(), &["-R", "100", "-d", "20s"]));
    ran.expect(1, &["the service ended during the run", "out of cheese"]);
    assert_eq!(ran.json()["verdict"], "failed");
}

/// A target agent knows the secrets of its own plan, and the service those of the run.
#[test]
fn secrets_that_a_hosted_service_prints_are_hidden() {
    let Some(room) = Room::open() else { return };
    let _agent = room.agent("one", &[]);
    room.bench.write(
        "tells.cjs",
        "require('node:http').createServer((request) => {
  console.error(`cannot serve ${request.headers.authorization} with ${process.env.OWN}`)
  process.exit(3)
}).listen(process.env.PORT, '127.0.0.1')
",
    );
    let (port, canaries) = (free_port(), [canary(1), canary(2)]);
    let [token, own] = &canaries;
    let target = format!("{{ url: 'http://127.0.0.1:{port}/', command: node tells.cjs, env: {{ OWN: '{own}' }} }}");
    room.bench.write("box.yaml", &format!("target: {target}\n"));
    let serve = ["fleet", "target", "--fleet", &room.broker, "--service", "shop=box.yaml"];
    let mut target = Going::begin(&mut room.bench.command(&serve));
    target.wait_for(|line| line.contains("starts shop for runs"));
    let url = format!("http://127.0.0.1:{port}/");
    let args = ["-R", "20", "-d", "20s", "--bearer", token];
    let ran = Ran::of_command(&mut command(&room, "run", &url, &args));
    ran.expect(1, &["the service ended during the run", "cannot serve"]);
    target.interrupt().expect(0, &["free"]);
    assert!(assert_hidden("a hosted service", &room.bench, &ran, &canaries) > 5);
}

#[test]
fn target_agent_that_is_killed_makes_the_run_invalid() {
    let Some(room) = Room::open() else { return };
    let _agent = room.agent("one", &[]);
    let mut target = Target::begin(&room, "box", "ok.js", "", &[]);
    let args = ["-R", "50", "-d", "60s", "--progress", "json"];
    let mut run = Going::begin(&mut command(&room, "run", &target.url(), &args));
    run.wait_for(|line| line.contains("\"progress\""));
    target.going.kill();
    let ran = run.end();
    assert_eq!(
        codes(&ran.json()).iter().filter(|code| **code == "agent_lost").count(),
        1,
        "{}",
        ran.stdout
    );
    ran.expect(106, &["target agent box"]);
    target.expect_free();
}

#[test]
fn service_of_a_run_that_is_killed_ends_with_its_lease() {
    let Some(room) = Room::open() else { return };
    let _agents = (room.agent("one", &[]), room.agent("two", &[]));
    let mut target = Target::begin(&room, "box", "ok.js", "", &[]);
    let args = ["-R", "50", "-d", "60s", "--progress", "json"];
    let mut run = Going::begin(&mut command(&room, "run", &target.url(), &args));
    run.wait_for(|line| line.contains("\"progress\""));
    assert!(target.is_served());
    // Who wants it meanwhile hears why not.
    let own = ["run", &target.url(), "-R", "10", "-d", "1s", "--fleet", &room.broker];
    let mut second = room.bench.command(&own);
    Ran::of_command(second.args(SHOP)).expect(1, &["target agent box: it belongs to another run"]);
    run.kill();
    target
        .going
        .wait_for(|line| line.contains("the run was not heard for 5 s"));
    assert!(!target.is_served());
}

#[test]
fn busiest_of_several_machines_counts() {
    let Some(room) = Room::open() else { return };
    let _agent = room.agent("one", &[]);
    let busy = Target::begin(&room, "busy", "works.js", WORKS, &[]);
    // The load leads to the first alone, as with a balancer that forgets the other.
    let url = busy.url();
    let place = format!("shop={url}");
    let _idle = Target::begin(&room, "idle", "works.js", WORKS, &["--reached-at", &place]);
    let args = [
        "-R",
        "50",
        "-d",
        "4s",
        "--fleet-targets",
        "2",
        "--objective",
        "cpu <= 30%",
    ];
    let ran = Ran::of_command(&mut command(&room, "run", &url, &args));
    let findings = ran.json();
    ran.expect(99, &["starting: shop on busy, idle"]);
    let instances = findings["target_resources"]["instances"].as_array().expect("instances");
    assert_eq!(instances.len(), 2, "{findings:#}");
    assert!(codes(&findings).contains(&"uneven_instances"), "{:?}", codes(&findings));
}

#[test]
fn diagnosis_of_a_hosted_service_names_its_line() {
    let Some(room) = Room::open() else { return };
    let _agent = room.agent("one", &[]);
    let target = Target::begin(&room, "box", "parses.cjs", "", &[]);
    let mut diagnosis = command(&room, "diagnose", &target.url(), &["-R", "50", "-d", "3s"]);
    let ran = Ran::of_command(&mut diagnosis);
    assert!(matches!(ran.code, 0 | 106), "{ran:?}");
    let findings = ran.json();
    let causes = findings["diagnosis"]["causes"].as_array().expect("causes");
    let parsing = causes.iter().find(|cause| cause["kind"] == "json");
    let place = &parsing.unwrap_or_else(|| panic!("no JSON in {causes:#?}"))["place"];
    assert!(
        place["file"].as_str().is_some_and(|file| file.ends_with("parses.cjs")),
        "{place}"
    );
    let source = std::fs::read_to_string(service("parses.cjs")).expect("the service is there");
    let line = source
        .lines()
        .position(|line| line.contains("kept ?? JSON.parse"))
        .expect("it parses") as u64
        + 1;
    assert_eq!(place["line"], line, "{place}");
    target.expect_free();
}
