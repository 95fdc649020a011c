//! A generator that comes near the end of its ports or descriptors says so; one that runs out calls its result invalid.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, PROGRAM, Ran, free_port, service};
use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

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
