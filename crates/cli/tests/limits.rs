//! A generator that comes near the end of its ports or descriptors says so; one that runs out calls its result invalid.
#![cfg(target_os = "linux")]

use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_plimsoll");

/// A script of the shell that ends with the program and its arguments, and what the program found.
fn run(mut shell: Command, script: &str, args: &[&str]) -> (Option<i32>, Value) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let output = shell
        .args(["-c", &format!("{script} && exec \"$@\""), "sh", PROGRAM])
        .args(args)
        .current_dir(dir.path())
        .output()
        .expect("the shell starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let findings = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}\n{stderr}"));
    (output.status.code(), findings)
}

/// What it says of its limits.
fn near_limits(findings: &Value) -> Vec<&str> {
    let notices = findings["notices"].as_array().expect("a list").iter();
    let near = notices.filter(|notice| notice["code"] == "generator_near_limit");
    near.map(|notice| notice["message"].as_str().expect("a sentence"))
        .collect()
}

fn script() -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/services/ok.js");
    script.display().to_string()
}

fn free_url() -> (u16, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    (port, format!("http://127.0.0.1:{port}/"))
}

/// Ends with the test.
struct Service(Child);

impl Service {
    /// Listens when this returns.
    fn start(port: u16) -> Self {
        let mut child = Command::new("node")
            .arg(script())
            .env("PORT", port.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped"))
            .read_line(&mut line)
            .expect("a line");
        assert_eq!(line, "listening\n");
        Self(child)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn descriptors() {
    let (port, url) = free_url();
    let _service = Service::start(port);
    let with = |connections: &str| {
        let args = ["bench", &url, "-c", connections, "-d", "2s", "--json"];
        run(Command::new("sh"), "ulimit -n 300", &args).1
    };
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
    let shell = || {
        let mut unshare = Command::new("unshare");
        unshare.args(["--user", "--map-root-user", "--net", "sh"]);
        unshare
    };
    let range = "ip link set lo up && echo 40000 40099 > /proc/sys/net/ipv4/ip_local_port_range";
    if !shell()
        .args(["-c", range])
        .status()
        .is_ok_and(|status| status.success())
    {
        println!("skipped: this host allows no user namespaces");
        return;
    }
    let with = |connections: &str| {
        let (_, url) = free_url();
        let command = ["--", "node", &script()].map(ToOwned::to_owned);
        let mut args = vec!["bench", &url, "-c", connections, "-d", "2s", "--json"];
        args.extend(command.iter().map(String::as_str));
        run(shell(), range, &args)
    };
    let near = with("95").1;
    assert_ne!(near["verdict"], "invalid", "{near}");
    assert_eq!(
        near_limits(&near),
        ["95 of 100 local ports for connections from the generator to the service were taken"]
    );
    let (code, out) = with("120");
    assert_eq!(code, Some(106), "{out}");
    assert_eq!(out["errors"][0]["class"], "no_port");
}
