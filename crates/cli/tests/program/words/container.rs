//! A service that runs in a container: found by its control group, whoever made that.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, Ran, can_run_limited, cannot_run, free_port, group_parent, service};
use std::fs;
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

const POLL: Duration = Duration::from_millis(20);

/// A control group with the name that a runtime would give it, and what was put there.
struct Container {
    bench: Bench,
    id: String,
    group: PathBuf,
    inside: Vec<Child>,
}

impl Container {
    /// With half a core.
    fn new(id_begins: &str) -> Self {
        let bench = Bench::new();
        // Those of other tests that run are others.
        let id = format!("{id_begins}{:0>58x}", u64::from(std::process::id()));
        let group = group_parent("cpu").join(format!("docker-{id}.scope"));
        fs::create_dir(&group).expect("this may be done here");
        let container = Self {
            bench,
            id,
            group,
            inside: Vec::new(),
        };
        container.set("cpu.cfs_period_us", "100000");
        container.set("cpu.cfs_quota_us", "50000");
        container.set("cpu.max", "50000 100000");
        container
    }

    /// A value of the version of control groups that is there.
    fn set(&self, file: &str, value: &str) {
        let path = self.group.join(file);
        if path.exists() {
            fs::write(path, value).expect("the kernel takes it");
        }
    }

    /// A command that runs in it, started by a shell that went there first.
    fn put(&mut self, command: &str, environment: &[(&str, String)]) -> u32 {
        let procs = self.group.join("cgroup.procs");
        let script = format!("echo $$ > {}; exec {command}", procs.display());
        let mut shell = self.bench.other("sh");
        shell
            .args(["-c", &script])
            .envs(environment.iter().map(|(name, value)| (*name, value)));
        let child = shell
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let pid = child.id();
        self.inside.push(child);
        let is_inside =
            || fs::read_to_string(&procs).is_ok_and(|pids| pids.lines().any(|line| line == pid.to_string()));
        while !is_inside() {
            thread::sleep(POLL);
        }
        pid
    }

    /// A service in it, once it listens.
    fn serve(&mut self, environment: &[(&str, String)]) -> u16 {
        let port = free_port();
        let own = [("PORT", port.to_string())];
        self.put(&format!("node {}", service("works.js")), &[environment, &own].concat());
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            thread::sleep(POLL);
        }
        port
    }

    fn run(&self, port: u16, container: &str) -> Ran {
        let url = format!("http://127.0.0.1:{port}/");
        let load = ["run", &url, "-R", "20", "-d", "2s", "--json", "--container", container];
        self.bench.run(&load)
    }

    /// Diagnoses it under this name.
    fn expect_line_of_works(&self, url: &str, name: &str) {
        let load = ["-R", "50", "-d", "2s", "--warm-up", "500ms", "--json"];
        let ran = self
            .bench
            .run(&[&["diagnose", url, "--container", name][..], &load].concat());
        // Nobody but the profile knows of it.
        assert!(ran.stdout.contains("works.js"), "{ran:?}");
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        for child in &mut self.inside {
            let _ = child.kill();
            let _ = child.wait();
        }
        // What was killed may be counted there for a moment.
        for _ in 0..500 {
            if fs::remove_dir(&self.group).is_ok() {
                return;
            }
            thread::sleep(POLL);
        }
    }
}

#[test]
fn container_is_watched_with_all_that_is_in_it() {
    if !can_run_limited("cpu") {
        return;
    }
    let mut container = Container::new("5e0a01");
    let port = container.serve(&[]);
    // As by `docker exec`: it does not stem from the service.
    container.put("sleep 60", &[]);
    container.bench.write(
        ".local/share/containers/storage/overlay-containers/containers.json",
        &format!(r#"[{{"id":"{}","names":["shop"]}}]"#, container.id),
    );
    let path = container.group.display().to_string();
    for text in [&*container.id, &container.id[..6], &path] {
        let findings = container.run(port, text).json();
        let service = &findings["target_resources"];
        assert_eq!(service["processes_max"], 2, "{text}: {service}");
        assert_eq!(service["limits"]["cpu_cores"], 0.5, "{text}: {service}");
    }
    let url = format!("http://127.0.0.1:{port}/");
    let mut named = container
        .bench
        .command(&["run", &url, "-R", "20", "-d", "1s", "--container", "shop"]);
    let ran = Ran::of_command(named.env("HOME", container.bench.path(".")));
    assert!(!ran.stderr.contains("error: "), "{}", ran.stderr);
}

#[test]
fn container_that_is_not_one_of_those_that_run_is_refused() {
    if !can_run_limited("cpu") {
        return;
    }
    let mut first = Container::new("5e0b01");
    let mut second = Container::new("5e0b02");
    let port = first.serve(&[]);
    second.put("sleep 60", &[]);
    let (one, other) = (
        format!("{} (node)", &first.id[..12]),
        format!("{} (sleep)", &second.id[..12]),
    );
    first.run(port, "5e0b0").expect(
        104,
        &[
            &format!("find container 5e0b0: that may be any of {one}, {other}"),
            "give more of its id",
        ],
    );
    first.run(port, "nobodys").expect(
        104,
        &[
            "find container nobodys: no process is in one of that name",
            &one,
            &other,
            "`docker ps`",
        ],
    );
    first
        .run(port, &second.id)
        .expect(104, &[&format!("watch container {}", second.id), "is taken by node"]);
    first
        .bench
        .run(&["run", "http://127.0.0.1:9/", "--container", "a", "--pid", "1"])
        .expect(104, &["cannot be used with"]);
}

#[test]
fn container_is_diagnosed_by_its_inspector() {
    if !can_run_limited("cpu") {
        return;
    }
    let mut container = Container::new("5e0c01");
    let inspector = free_port();
    let options = format!("--inspect-port={inspector}");
    let port = container.serve(&[("WORK_US", "3000".to_owned()), ("NODE_OPTIONS", options)]);
    let url = format!("http://127.0.0.1:{port}/");
    container.expect_line_of_works(&url, &container.id[..8]);
}

/// The service listens on a unix socket, which leads out of its network, and its inspector within.
#[test]
fn inspector_in_another_network_is_reached() {
    if !can_run_limited("cpu") {
        return;
    }
    let may_enter = Command::new("unshare").args(["--net", "true"]).status();
    if !may_enter.is_ok_and(|status| status.success()) {
        cannot_run("this user may not enter network namespaces");
        return;
    }
    let mut container = Container::new("5e0d01");
    let socket = container.bench.path("service.sock");
    let script = format!("ip link set lo up && exec node {}", service("works.js"));
    let environment = [("PORT", socket.display().to_string()), ("WORK_US", "3000".to_owned())];
    container.put(
        &format!("unshare --net --pid --fork --kill-child sh -c '{script}'"),
        &environment,
    );
    while UnixStream::connect(&socket).is_err() {
        thread::sleep(POLL);
    }
    let url = format!("http+unix://{}/", socket.display().to_string().replace('/', "%2F"));
    container.expect_line_of_works(&url, &container.id);
}

#[test]
fn port_in_another_network_is_said_to_be_there() {
    if !can_run_limited("cpu") {
        return;
    }
    let allowed = Command::new("unshare")
        .args(["--user", "--map-root-user", "--net", "ip", "link", "set", "lo", "up"])
        .status();
    if !allowed.is_ok_and(|status| status.success()) {
        cannot_run("this host allows no user namespaces");
        return;
    }
    let mut container = Container::new("5e0e01");
    let port = free_port();
    container.bench.write(
        "all.cjs",
        "require('http').createServer((q, s) => s.end('ok')).listen(process.env.PORT, '0.0.0.0', () => require('fs').writeFileSync('up', ''));",
    );
    let script = "ip link set lo up; ip address add 192.0.2.7/32 dev lo; exec node all.cjs";
    let environment = [("PORT", port.to_string())];
    container.put(
        &format!("unshare --user --map-root-user --net sh -c '{script}'"),
        &environment,
    );
    while !container.bench.path("up").exists() {
        thread::sleep(POLL);
    }
    let listens = format!("it listens on 0.0.0.0:{port} of another network namespace");
    let own = format!("published for {port}, or its own address, http://192.0.2.7:{port}/");
    container.run(port, &container.id).expect(
        104,
        &["connection refused", &listens, "it has a network of its own", &own],
    );
}
