//! `plimsoll run`, `bench` and `capacity`, and the commands around them.

use crate::bench::{Bench, Going, PROGRAM, Ran, cannot_run, free_url, service};
use serde_json::Value;
use std::net::TcpListener;

#[test]
fn malformed_response_is_named() {
    let ran = Bench::new().short_run("malformed.js");
    assert_ne!(ran.code, 0);
    assert_eq!(ran.json()["errors"][0]["class"], "malformed");
}

#[test]
fn endless_body_times_out() {
    let ran = Bench::new().short_run("endless_body.js");
    assert_ne!(ran.code, 0);
    assert_eq!(ran.json()["errors"][0]["class"], "response_timeout");
}

#[test]
fn refused_port_fails_run() {
    let ran = Bench::new().run(&["bench", &free_url(), "-n", "5", "-c", "2", "--json"]);
    assert_ne!(ran.code, 0);
    assert_eq!(ran.json()["errors"][0]["class"], "refused");
}

#[test]
fn unknown_host_is_named() {
    Bench::new()
        .run(&["bench", "http://no-such-host.invalid/", "-n", "1"])
        .expect(1, &["no-such-host.invalid", "hint:"]);
}

#[test]
fn service_never_ready_shows_last_lines() {
    let bench = Bench::new();
    let url = free_url();
    let plan = format!(
        "target:\n  url: {url}\n  command: [node, {}]\n  ready: {{ timeout: 4s }}\n",
        Value::from(service("never_ready.js"))
    );
    bench.write("plan.yaml", &plan);
    bench
        .run(&["run", "plan.yaml"])
        .expect(1, &["was not ready within", "still loading the world", "hint:"]);
}

#[test]
fn service_crash_at_start_shows_last_lines() {
    Bench::new()
        .short_run("crashes.js")
        .expect(1, &["exited with status 7", "cannot find my configuration"]);
}

#[test]
fn service_death_ends_run() {
    let bench = Bench::new();
    let url = free_url();
    let script = service("dies.js");
    let ran = bench.run(&["run", &url, "-R", "100", "-d", "60s", "--", "node", &script]);
    ran.expect(1, &["the service ended during the run", "out of cheese"]);
    let said = |text: &str| text.matches("the service ended during the run").count();
    assert_eq!(
        (said(&ran.stdout), said(&ran.stderr)),
        (1, 1),
        "{}\n{}",
        ran.stdout,
        ran.stderr
    );
    assert!(ran.stdout.contains("out of cheese"), "{}", ran.stdout);
    assert!(bench.directory().join("report.html").exists());
}

#[test]
fn port_in_use_is_refused_before_start() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    let script = service("ok.js");
    Bench::new()
        .run(&["run", &format!("http://127.0.0.1:{port}/"), "--", "node", &script])
        .expect(1, &[&format!("port {port} is already in use"), "hint:"]);
}

#[test]
fn missing_cores_are_refused_before_start() {
    let bench = Bench::new();
    let script = service("ok.js");
    let url = free_url();
    for (option, whose) in [("--target-cpus", "service"), ("--generator-cpus", "generator")] {
        let pin = format!("failed to pin the {whose} to cpus 900: available are ");
        bench
            .run(&["run", &url, option, "900", "--", "node", &script])
            .expect(104, &[&pin, "hint: choose from ", option]);
    }
    let plan = format!("target: {{ url: '{url}', command: [node, '{script}'], cpus: '900' }}\n");
    bench.write(
        "plan.yaml",
        &(plan + "load: { model: open, rate: 10/s, duration: 1s }\n"),
    );
    bench
        .run(&["capacity", "plan.yaml"])
        .expect(104, &["failed to pin the service to cpus 900: available are "]);
    bench
        .run(&["hold", &url, "--generator-cpus", "900", "-c", "10"])
        .expect(104, &["failed to pin the generator to cpus 900: available are "]);
    assert!(!bench.path("runs").exists(), "a run directory was made");
}

#[test]
fn invalid_plan_names_place_and_starts_nothing() {
    let bench = Bench::new();
    for (text, parts) in [
        (
            "target: http://127.0.0.1:1/\nlaod: {}\n",
            &["plan.yaml:2:1", "laod", "load"][..],
        ),
        (
            "target: http://127.0.0.1:1/\nload: { model: open, rate: 100/s, duration: 5 parsecs }\n",
            &["plan.yaml:2:", "5 parsecs", "30s"],
        ),
        (
            "target: http://127.0.0.1:1/\nload: { model: open, rate: 0/s, duration: 5s }\n",
            &["plan.yaml:2:", "rate"],
        ),
        ("target: [\n", &["plan.yaml:"]),
    ] {
        bench.write("plan.yaml", text);
        bench.run(&["run", "plan.yaml"]).expect(104, parts);
    }
    bench.run(&["run", "missing.yaml"]).expect(104, &["missing.yaml"]);
    bench
        .run(&["bench", "http://127.0.0.1:1/", "-d", "5 parsecs"])
        .expect(104, &["5 parsecs", "30s"]);
    assert!(!bench.path("runs").exists(), "a run directory was made");
}

/// The run is over: the wait is cut short, and the verdict stays.
#[test]
fn an_interrupt_while_the_service_is_stopped_ends_the_wait() {
    let bench = Bench::new();
    let url = free_url();
    bench.write(
        "deaf.cjs",
        "process.on('SIGTERM', () => require('fs').writeFileSync('asked', ''));
         require('http').createServer((q, s) => s.end('ok')).listen(process.env.PORT, '127.0.0.1');",
    );
    bench.write(
        "plan.yaml",
        &format!(
            "target: {{ url: '{url}', command: node deaf.cjs, stop_grace: 10m }}
load: {{ model: open, rate: 50/s, duration: 1s }}
objectives: [errors = 0]
"
        ),
    );
    let going = Going::begin(&mut bench.command(&["run", "plan.yaml", "--json"]));
    while !bench.path("asked").exists() {
        std::thread::yield_now();
    }
    let ran = going.interrupt();
    // A busy machine makes a late generator.
    assert!(matches!(ran.code, 0 | 106), "{ran:?}");
    assert!(
        ran.json()["notices"].to_string().contains("was killed: node"),
        "{ran:?}"
    );
}

#[test]
fn interrupted_run_keeps_partial_result() {
    let bench = Bench::new();
    let url = free_url();
    let script = service("ok.js");
    let args = ["run", &url, "-R", "50", "-d", "120s", "--json", "--", "node", &script];
    let mut going = Going::begin(&mut bench.command(&args));
    // The first progress line in a pipe means that ticks have been written.
    going.wait_for(|line| line.contains("left"));
    let ran = going.interrupt();
    ran.expect(105, &[]);
    assert_eq!(ran.json()["verdict"], "interrupted");
    assert!(ran.json()["totals"]["completed"].as_u64().expect("a count") > 0);
    bench
        .run(&["report", &bench.directory().display().to_string()])
        .expect(105, &[]);
}

/// A disk of 40 KiB in a mount namespace of our own. Works without privileges where user
/// namespaces are allowed.
#[test]
#[cfg(target_os = "linux")]
fn full_disk_costs_directory_not_result() {
    let bench = Bench::new();
    let url = free_url();
    let script = format!(
        "mkdir -p runs && mount -t tmpfs -o size=40k none runs && {PROGRAM} run {url} -R 500 -d 8s --json -- node {}",
        service("ok.js")
    );
    let Some(mut shell) = bench.shell_in_namespace("--mount", "true") else {
        cannot_run("this host allows no user namespaces");
        return;
    };
    let ran = Ran::of_command(shell.args(["-c", &script]));
    assert!(ran.stderr.contains("no space left on device"), "{}", ran.stderr);
    assert_eq!(ran.json()["totals"]["completed"], 4000, "{}", ran.stderr);
}

#[test]
fn init_writes_runnable_plan() {
    let bench = Bench::new();
    let url = free_url();
    let script = service("ok.js");
    bench
        .run(&["init", "--url", &url, "--", "node", &script])
        .expect(0, &[]);
    let ran = bench.run(&["run", "-d", "2s", "--json"]);
    // On a host that is busy with other things the verdict may be that the generator was late.
    assert!(ran.code == 0 || ran.code == 106, "{}", ran.stderr);
    assert_eq!(ran.json()["totals"]["passed"], 200);
    bench.run(&["init"]).expect(1, &["it exists already", "--force"]);
}

#[test]
fn doctor_prints_json() {
    let checks = Bench::new().run(&["doctor", "--connections", "1000", "--json"]).json();
    let names: Vec<_> = checks
        .as_array()
        .expect("a list")
        .iter()
        .map(|check| check["name"].as_str().expect("a name"))
        .collect();
    assert!(names.iter().any(|name| name.contains("open files")), "{names:?}");
}

#[test]
fn foreign_local_address_is_refused() {
    let bench = Bench::new();
    for (command, address, said) in [
        (
            "bench",
            "192.0.2.1",
            "failed to send from 192.0.2.1: this machine does not have that address",
        ),
        ("hold", "127.0.0.1,192.0.2.1", "failed to send from 192.0.2.1"),
        (
            "bench",
            "::1",
            "the service is at 127.0.0.1, an address of the other family",
        ),
    ] {
        bench
            .run(&[command, &free_url(), "-c", "2", "-d", "1s", "--local-addrs", address])
            .expect(104, &[said, "hint: give addresses of this machine"]);
    }
    assert!(!bench.path("runs").exists());
}
