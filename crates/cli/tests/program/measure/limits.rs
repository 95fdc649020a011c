//! A generator that comes near the end of its ports, descriptors or memory says so; one that runs out, whose core is taken up by
//! interrupts or whose CPU time is rationed, calls its result invalid.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, PROGRAM, Ran, cannot_run, free_port, service};
use nix::sys::socket::{setsockopt, sockopt::UdpGsoSegment};
use plimsoll_thread::{cpus, pin};
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::UdpSocket;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

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
    near.map(|notice| notice["text"].as_str().expect("a sentence"))
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

/// A hundred ports, in a network of its own.
#[test]
fn ports() {
    let range = "ip link set lo up && echo 40000 40099 > /proc/sys/net/ipv4/ip_local_port_range";
    // The service has to be in the same network; it says when it listens.
    let service = format!(
        "{{ PORT=3000 node {} > ready & }} && trap 'kill $!' EXIT",
        service("ok.js")
    );
    let before = format!("{range} && mkfifo ready && {service} && read -r _ < ready");
    let with = |connections| {
        let bench = Bench::new();
        let shell = bench.shell_in_namespace("--net", range)?;
        Some(run(shell, &before, "http://127.0.0.1:3000/", connections))
    };
    let Some(near) = with("95") else {
        cannot_run("this host allows no user namespaces");
        return;
    };
    let near = near.json();
    assert_ne!(near["verdict"], "invalid", "{near}");
    assert_eq!(
        near_limits(&near),
        ["95 of 100 local ports for connections from the generator to the service were taken"]
    );
    let out = with("120").expect("allowed before");
    assert_eq!(out.code, 106, "{}", out.stderr);
    assert_eq!(out.json()["errors"][0]["class"], "no_port");
}

/// What is left is read from a file of ours, because to take nearly all memory of a machine that runs tests is no good idea.
#[test]
fn memory() {
    let bench = Bench::new();
    let meminfo = "mount --bind meminfo /proc/meminfo";
    let left = |kib: u32| bench.write("meminfo", &format!("MemTotal: 1000000 kB\nMemAvailable: {kib} kB\n"));
    left(40_000);
    let service = Service::start();
    let with = || {
        let shell = bench.shell_in_namespace("--mount", meminfo)?;
        Some(run(shell, meminfo, &service.url, "4").json())
    };
    let Some(near) = with() else {
        cannot_run("this host allows no mounts");
        return;
    };
    assert_ne!(near["verdict"], "invalid", "{near}");
    assert_eq!(
        near_limits(&near),
        ["4% of the memory that the generator may use was left"]
    );
    left(60_000);
    assert_eq!(near_limits(&with().expect("allowed before")), [""; 0]);
}

/// Takes up a core with soft interrupts, until it goes.
struct Flood {
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Flood {
    /// Each gets as much of the core as the generator.
    const THREADS: usize = 8;
    /// Bytes that are sent at once, a datagram each: the kernel takes them apart in a soft interrupt, and throws them away.
    const DATAGRAMS: usize = 64;

    fn start(cpu: usize) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let thread = || {
            let over = Arc::clone(&over);
            thread::spawn(move || {
                pin(&[cpu]).expect("the core is allowed");
                let nobody_reads = UdpSocket::bind("127.0.0.1:0").expect("a port");
                let to = nobody_reads.local_addr().expect("its address");
                let from = UdpSocket::bind("127.0.0.1:0").expect("a port");
                setsockopt(&from, UdpGsoSegment, &1).expect("Linux 4.18");
                while !over.load(Ordering::Relaxed) {
                    let _ = from.send_to(&[0; Self::DATAGRAMS], to);
                }
            })
        };
        let threads = (0..Self::THREADS).map(|_| thread()).collect();
        Self { over, threads }
    }
}

impl Drop for Flood {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

#[test]
fn softirqs() {
    let cpu = *cpus(None).last().expect("at least one");
    let service = Service::start();
    let run = || {
        let cpu = cpu.to_string();
        let load = ["bench", &service.url, "-c", "1", "-d", "4s", "--generator-cpus", &cpu];
        Bench::new().run(&[&load[..], &["--json"]].concat())
    };
    let quiet = run();
    assert_eq!(quiet.code, 0, "{}", quiet.stderr);

    let flood = Flood::start(cpu);
    let ran = run();
    drop(flood);
    assert_eq!(ran.code, 106, "{}", ran.stderr);
    let notices = ran.json()["notices"].to_string();
    assert!(notices.contains("75% of its time in soft interrupts"), "{notices}");
}

/// A control group with a twentieth of a core, removed when it goes.
struct Rationed(PathBuf);

impl Rationed {
    /// `None` where this user or this host allows no such group.
    fn new() -> Option<Self> {
        let root = Path::new("/sys/fs/cgroup");
        let (hierarchy, quota, bound) = if root.join("cpu").is_dir() {
            (root.join("cpu"), "cpu.cfs_quota_us", "5000")
        } else {
            (root.to_owned(), "cpu.max", "5000 100000")
        };
        let path = hierarchy.join(format!("plimsoll-test-{}", process::id()));
        fs::create_dir(&path).ok()?;
        let group = Self(path);
        fs::write(group.0.join(quota), bound).ok()?;
        Some(group)
    }
}

impl Drop for Rationed {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn cpu_quota() {
    let Some(group) = Rationed::new() else {
        cannot_run("this host allows no control group with a quota");
        return;
    };
    let service = Service::start();
    let enter = format!("echo $$ > {}/cgroup.procs", group.0.display());
    let ran = run(Bench::new().other("sh"), &enter, &service.url, "4");
    assert_eq!(ran.code, 106, "{}", ran.stderr);
    let notices = ran.json()["notices"].to_string();
    assert!(notices.contains("CPU quota (cgroup)"), "{notices}");
}
