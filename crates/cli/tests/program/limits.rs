//! A generator that comes near the end of its ports, descriptors or memory says so; one that runs out, or whose core is taken
//! up by interrupts, calls its result invalid.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, PROGRAM, Ran, free_port, service};
use nix::sys::socket::{setsockopt, sockopt::UdpGsoSegment};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::net::UdpSocket;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Two seconds with so many connections, by a shell that was told something before.
fn run(mut shell: Command, before: &str, url: &str, connections: &str) -> Ran {
    shell.args(["-c", &format!("{before} && \"$@\""), "sh", PROGRAM]).args([
        "bench",
        url,
        "-c",
        connections,
        "-d",
        "2s",
        "--json",
    ]);
    Ran::of_command(&mut shell)
}

/// What it says of its limits.
fn near_limits(findings: &Value) -> Vec<&str> {
    let notices = findings["notices"].as_array().expect("a list").iter();
    let near = notices.filter(|notice| notice["code"] == "generator_near_limit");
    near.map(|notice| notice["message"].as_str().expect("a sentence"))
        .collect()
}

/// A service with a limit of its own, ended when it goes.
struct Service {
    child: Child,
    url: String,
}

impl Service {
    fn start() -> Self {
        let port = free_port();
        let mut child = Command::new("node")
            .arg(service("ok.js"))
            .env("PORT", port.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped"))
            .read_line(&mut line)
            .expect("it says that it listens");
        Self {
            child,
            url: format!("http://127.0.0.1:{port}/"),
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn descriptors() {
    let service = Service::start();
    let bench = Bench::new();
    let with = |connections| run(bench.other("sh"), "ulimit -n 300", &service.url, connections).json();
    let near = with("275");
    assert_ne!(near["verdict"], "invalid", "{near}");
    let said = near_limits(&near);
    assert!(
        matches!(said[..], [one] if one.ends_with("of 300 descriptors open")),
        "{said:?}"
    );
    assert_eq!(near_limits(&with("100")), [""; 0]);
    let out = with("400");
    assert_eq!(out["verdict"], "invalid", "{out}");
    assert_eq!(out["errors"][0]["class"], "no_descriptor");
}

/// A hundred ports, in a network of its own. Works without privileges where user namespaces are allowed.
#[test]
fn ports() {
    let shell = |bench: &Bench| {
        let mut unshare = bench.other("unshare");
        unshare.args(["--user", "--map-root-user", "--net", "sh"]);
        unshare
    };
    let range = "ip link set lo up && echo 40000 40099 > /proc/sys/net/ipv4/ip_local_port_range";
    let allowed = shell(&Bench::new()).args(["-c", range]).status();
    if !allowed.is_ok_and(|status| status.success()) {
        println!("skipped: this host allows no user namespaces");
        return;
    }
    // The service has to be in the same network; it says when it listens.
    let service = format!(
        "{{ PORT=3000 node {} > ready & }} && trap 'kill $!' EXIT",
        service("ok.js")
    );
    let before = format!("{range} && mkfifo ready && {service} && read -r _ < ready");
    let with = |connections| {
        let bench = Bench::new();
        run(shell(&bench), &before, "http://127.0.0.1:3000/", connections)
    };
    let near = with("95").json();
    assert_ne!(near["verdict"], "invalid", "{near}");
    assert_eq!(
        near_limits(&near),
        ["95 of 100 local ports for connections from the generator to the service were taken"]
    );
    let out = with("120");
    assert_eq!(out.code, 106, "{}", out.stderr);
    assert_eq!(out.json()["errors"][0]["class"], "no_port");
}

/// What is left is read from a file of ours, because to take nearly all memory of a machine that runs tests is no good idea.
#[test]
fn memory() {
    let bench = Bench::new();
    let shell = || {
        let mut unshare = bench.other("unshare");
        unshare.args(["--user", "--map-root-user", "--mount", "sh"]);
        unshare
    };
    let meminfo = "mount --bind meminfo /proc/meminfo";
    let left = |kib: u32| bench.write("meminfo", &format!("MemTotal: 1000000 kB\nMemAvailable: {kib} kB\n"));
    left(40_000);
    let allowed = shell().args(["-c", meminfo]).status();
    if !allowed.is_ok_and(|status| status.success()) {
        println!("skipped: this host allows no mounts");
        return;
    }
    let service = Service::start();
    let with = || run(shell(), meminfo, &service.url, "4").json();
    let near = with();
    assert_ne!(near["verdict"], "invalid", "{near}");
    assert_eq!(
        near_limits(&near),
        ["4.0 % of the memory of the generator's machine was left"]
    );
    left(60_000);
    assert_eq!(near_limits(&with()), [""; 0]);
}

/// Datagrams that the kernel takes apart in a soft interrupt, into as many as it allows, and throws away.
const DATAGRAMS: usize = 64;
/// Threads that send them: each gets as much of the core as the generator.
const FLOODS: usize = 8;

#[test]
fn soft_interrupts() {
    let allowed = sched_getaffinity(None).expect("some cores");
    let cpu = (0..CpuSet::MAX_CPU)
        .rfind(|&cpu| allowed.is_set(cpu))
        .expect("at least one");
    let service = Service::start();
    let run = || {
        let cpu = cpu.to_string();
        let load = ["bench", &service.url, "-c", "1", "-d", "4s", "--generator-cpus", &cpu];
        Bench::new().run(&[&load[..], &["--json"]].concat())
    };
    let quiet = run();
    assert_eq!(quiet.code, 0, "{}", quiet.stderr);

    let nobody_reads = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let flood = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let to = nobody_reads.local_addr().expect("its address");
    setsockopt(&flood, UdpGsoSegment, &1).expect("Linux 4.18");
    let over = AtomicBool::new(false);
    let ran = thread::scope(|scope| {
        let keep_sending = || {
            let mut here = CpuSet::new();
            here.set(cpu);
            sched_setaffinity(None, &here).expect("the core is allowed");
            while !over.load(Ordering::Relaxed) {
                let _ = flood.send_to(&[0; DATAGRAMS], to);
            }
        };
        for _ in 0..FLOODS {
            scope.spawn(keep_sending);
        }
        let ran = run();
        over.store(true, Ordering::Relaxed);
        ran
    });
    assert_eq!(ran.code, 106, "{}", ran.stderr);
    let notices = ran.json()["notices"].to_string();
    assert!(notices.contains("75 % of its time in soft interrupts"), "{notices}");
}
