//! Figures are those of the service; where somebody else has its port the run says who, and fails.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, Going, PROGRAM, Ran, cannot_run, free_port, free_url, send, service};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{self, Child, Command, Stdio};
use std::thread;

fn listen(port: u16) -> TcpListener {
    TcpListener::bind(("127.0.0.1", port)).expect("nobody else has it")
}

fn url(port: u16) -> String {
    format!("http://127.0.0.1:{port}/")
}

fn ourselves() -> String {
    format!("(process {})", process::id())
}

/// A service of the tests that runs beside the program, ended when it goes.
struct Beside(Child);

impl Beside {
    /// Returns when it listens.
    fn start(name: &str, port: u16) -> Self {
        let mut node = Command::new("node");
        node.arg(service(name)).env("PORT", port.to_string());
        let started = Self(node.stdout(Stdio::null()).spawn().expect("node starts"));
        // A look whether the port can still be bound would take it from the service for a moment.
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            thread::yield_now();
        }
        started
    }

    fn pid(&self) -> String {
        self.0.id().to_string()
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Until the program has started the service: its output is opened after the look whether the port is free.
fn wait_for_start(bench: &Bench) {
    let runs = bench.path("runs");
    let has_output = |runs: &Path| {
        let entries = runs.read_dir().into_iter().flatten().flatten();
        entries
            .into_iter()
            .any(|entry| entry.path().join("service.log").exists())
    };
    while !has_output(&runs) {
        thread::yield_now();
    }
}

#[test]
fn port_taken_during_start_names_owner() {
    let bench = Bench::new();
    let port = free_port();
    let going = Going::begin(&mut bench.command(&["run", &url(port), "--", "sleep", "60"]));
    wait_for_start(&bench);
    let _stranger = listen(port);
    let words = format!("port {port} is taken by ");
    going
        .end()
        .expect(1, &["failed to start the service", &words, &ourselves(), "hint: "]);
}

#[test]
fn port_taken_during_run_fails_run_and_report() {
    let bench = Bench::new();
    let port = free_port();
    let script = format!("node {} & echo $! >pid; wait; sleep 1000", service("ok.js"));
    let url = url(port);
    let args = ["run", &url, "-R", "50", "-d", "120s", "--", "sh", "-c", &script];
    let mut going = Going::begin(&mut bench.command(&args));
    going.wait_for(|line| line.contains("left"));
    send("-KILL", bench.read("pid").trim());
    while TcpListener::bind(("127.0.0.1", port)).is_err() {
        thread::yield_now();
    }
    let _stranger = listen(port);
    let ran = going.end();
    ran.expect(1, &[&format!("port {port} is taken by "), &ourselves()]);
    let headline = "The figures are not those of the service: another process listens in its place";
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    assert!(words.join(" ").contains(headline), "{}", ran.stdout);
    let again = bench.report(&bench.directory());
    again.expect(1, &[]);
    assert_eq!(again.json()["verdict"], "failed");
    assert!(again.stdout.contains("port_taken"), "{}", again.stdout);
}

#[test]
fn pid_without_port_is_bad_argument() {
    let (port, other) = (free_port(), free_port());
    let beside = Beside::start("ok.js", other);
    let pid = beside.pid();
    let run = |port: u16| Bench::new().run(&["run", &url(port), "-d", "1s", "--pid", &pid]);
    let elsewhere = format!("listens on 127.0.0.1:{other}");
    run(port).expect(
        104,
        &["failed to watch process ", "connection refused", &elsewhere, "hint: "],
    );
    let _stranger = listen(port);
    let hint = format!("hint: watch that one with `--pid {}`", process::id());
    run(port).expect(104, &["is taken by ", &ourselves(), &elsewhere, &hint]);
    // Whatever its verdict, which on a host that is busy with other things may be that the generator was late.
    let its_own = run(other);
    assert!(!its_own.stderr.contains("error: "), "{}", its_own.stderr);
    Bench::new()
        .run(&["run", &url(port), "-d", "1s", "--pid", &(u32::MAX >> 1).to_string()])
        .expect(104, &["no such process"]);
}

#[test]
fn held_ports_of_others_fail_run() {
    let (port, strangers) = (free_port(), free_port());
    let beside = Beside::start("ok.js", port);
    let _stranger = listen(strangers);
    let ports = format!("{port},{strangers}");
    let url = url(port);
    let args = [
        "hold",
        &url,
        "-c",
        "4",
        "-d",
        "60s",
        "--ports",
        &ports,
        "--pid",
        &beside.pid(),
    ];
    Bench::new()
        .run(&args)
        .expect(1, &[&format!("port {strangers} is taken by "), &ourselves()]);
}

/// Within a user namespace of its own the program may not see what processes outside of it have open.
#[test]
fn hidden_sockets_give_notice() {
    let bench = Bench::new();
    let Some(mut shell) = bench.shell_in_namespace("--user", "true") else {
        cannot_run("this host allows no user namespaces");
        return;
    };
    let port = free_port();
    let beside = Beside::start("ok.js", port);
    let script = format!("{PROGRAM} run {} -R 20 -d 1s --json --pid {}", url(port), beside.pid());
    let ran = Ran::of_command(shell.args(["-c", &script]));
    let notices = ran.json()["notices"].to_string();
    assert!(
        notices.contains(&format!("could not check which process owns port {port}")),
        "{notices}"
    );
    assert!(!ran.stderr.contains("error: "), "{}", ran.stderr);

    // None of the processes that it has started has the port, and that much it sees.
    let Some(mut shell) = bench.shell_in_namespace("--user", "true") else {
        panic!("allowed before")
    };
    let stranger = free_port();
    let script = format!("{PROGRAM} run {} -- sleep 60", url(stranger));
    let going = Going::begin(shell.args(["-c", &script]));
    let before = bench.path("runs").read_dir().expect("runs").count();
    while bench.path("runs").read_dir().expect("runs").count() == before {
        thread::yield_now();
    }
    wait_for_start(&bench);
    let _stranger = listen(stranger);
    going.end().expect(
        1,
        &[&format!("port {stranger} is taken by a process of user "), "hint: "],
    );
}

#[test]
fn ready_path_failure_reports_last_response() {
    let ready = |url: &str, name: &str| {
        let bench = Bench::new();
        let text = format!(
            "target: {{ url: '{url}', command: [node, '{}'], ready: {{ path: /health, timeout: 5s }} }}",
            service(name)
        );
        bench.write("plan.yaml", &text);
        bench.run(&["run", "plan.yaml"])
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            ready(&free_url(), "redirects.js").expect(
                1,
                &["status 302, a redirect to /login\n", "hint: redirects are not followed"],
            );
        });
        let url = free_url();
        ready(&url, "status_500.js").expect(
            1,
            &[&format!("{url}health was not ready within 5s: status 500"), "hint: "],
        );
    });
}
