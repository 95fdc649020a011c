//! A service that is watched for growth: arguments, an end, and what real services keep.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, Going, free_port, free_url};
use serde_json::{Value, json};
use std::net::TcpStream;
use std::process::Child;
use std::thread;
use std::time::Duration;

const POLL: Duration = Duration::from_millis(20);

#[test]
fn interrupted_soak_has_a_result_up_to_there() {
    let bench = Bench::with_services();
    let search = json!({ "format": "plimsoll.findings/3", "load_line": { "rate_per_s": 50.0 } });
    bench.write("search/findings.json", &search.to_string());
    let url = free_url();
    let mut command = bench.command(&["soak", &url, "--line", "search", "-d", "10h", "--json"]);
    let mut going = Going::begin(command.args(["--", "node", "ok.js"]));
    going.wait_for(|line| line.contains("40/s of 40/s"));
    let ran = going.interrupt();
    assert_eq!(ran.code, 105, "{ran:?}");

    let found = ran.json();
    assert_eq!(found["command"], "soak");
    // 80 % of the line.
    assert_eq!(found["steps"][0]["offered_per_s"], 40.0, "{found}");
    let trends = found["soak"]["trends"].as_array().expect("trends");
    let quantities: Vec<&Value> = trends.iter().map(|trend| &trend["quantity"]).collect();
    assert_eq!(
        quantities,
        [
            "kept_bytes",
            "native_bytes",
            "memory_bytes",
            "cpu_us_per_request",
            "p99_ms",
            "descriptors"
        ]
    );
    let again = bench.report(&bench.directory()).json();
    assert_eq!(again["soak"], found["soak"]);
}

#[test]
fn soak_that_cannot_be_is_refused() {
    let bench = Bench::new();
    let url = "http://127.0.0.1:9/";
    let closed = json!({ "target": { "url": url }, "load": { "model": "closed", "connections": 2, "duration": "1s" } });
    bench.write("closed.yaml", &closed.to_string());
    bench.write("run/findings.json", r#"{ "format": "plimsoll.findings/3" }"#);
    for (args, words) in [
        (&["soak", "closed.yaml"][..], "no rate given"),
        (&["soak", url, "-R", "10", "-d", "30s"], "expected at least 1m"),
        (&["soak", url, "--line", "nowhere"], "nowhere/findings.json"),
        (&["soak", url, "--line", "run"], "run: a run without a load line"),
        (&["soak", url, "--line", "0"], "found a rate of zero"),
        (&["soak", url, "--line", "10", "-R", "10"], "cannot be used with"),
        (
            &["shock", url, "--line", "run", "--burst", "2"],
            "run: a run without a load line",
        ),
    ] {
        bench.run(args).expect(104, &[words]);
    }
}

/// What a soak of a minute says of a service that keeps something of this kind.
fn kept(bench: &Bench, keeps: &str, mb_per_s: &str, pid: Option<u32>, url: &str) -> Value {
    let target = match pid {
        Some(pid) => json!({ "url": url, "pid": pid }),
        None => json!({
            "url": url,
            "command": ["node", "keeps.js"],
            "env": { "KEEPS": keeps, "MB_PER_S": mb_per_s },
        }),
    };
    let plan = json!({
        "target": target,
        "objectives": ["errors = 0"],
        "load": { "rate": "50/s", "duration": "60s" },
    });
    let name = format!("{keeps}-{}.json", pid.unwrap_or_default());
    bench.write(&name, &plan.to_string());
    let runs = format!("{name}-runs");
    let found = bench
        .run(&["soak", &name, "-d", "60s", "--json", "--runs-dir", &runs])
        .json();
    let again = bench.report(&bench.only_directory_in(&runs)).json();
    assert_eq!(again["soak"], found["soak"], "{keeps}");
    found["soak"].clone()
}

fn outcome(soak: &Value, quantity: &str) -> String {
    let trends = soak["trends"].as_array().expect("trends");
    let trend = trends.iter().find(|trend| trend["quantity"] == quantity);
    trend.expect("it is looked at")["outcome"]
        .as_str()
        .expect("a word")
        .to_owned()
}

#[track_caller]
fn held_by(soak: &Value, line: &str) {
    let lines = soak["kept"]["lines"].as_array().expect("lines");
    let place = lines
        .first()
        .map(|line| format!("{}:{}", line["place"]["file"], line["place"]["function"]));
    assert_eq!(place.as_deref(), Some(line), "{soak:#}");
}

/// Ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_services_keep_is_told_from_what_they_do_not() {
    let bench = Bench::with_services();
    let bench = &bench;
    let by_hand = free_port();
    let by_hand_url = format!("http://127.0.0.1:{by_hand}/");
    let mut node = bench.other("node");
    node.arg(format!("--inspect-port={}", free_port())).arg("keeps.js");
    node.env("PORT", by_hand.to_string()).env("KEEPS", "objects");
    let running = Running(node.spawn().expect("node starts"));
    while TcpStream::connect(("127.0.0.1", by_hand)).is_err() {
        thread::sleep(POLL);
    }
    let soaked = |keeps: &'static str, mb_per_s: &'static str| {
        let url = free_url();
        move || kept(bench, keeps, mb_per_s, None, &url)
    };
    let cases = [
        ("objects", "1"),
        ("buffers", "1"),
        ("bounded", "1"),
        ("native", "2"),
        ("nothing", "1"),
    ];
    let (found, attached) = thread::scope(|scope| {
        let started: Vec<_> = cases
            .map(|(keeps, mb_per_s)| scope.spawn(soaked(keeps, mb_per_s)))
            .into();
        let attached = scope.spawn(|| kept(bench, "objects", "1", Some(running.0.id()), &by_hand_url));
        let found = started.into_iter().map(|soak| soak.join().expect("it ran"));
        (found.collect::<Vec<_>>(), attached.join().expect("it ran"))
    });
    let [objects, buffers, bounded, native, nothing] = found.as_slice() else {
        unreachable!("five cases")
    };
    assert_eq!(outcome(objects, "kept_bytes"), "grows", "{objects:#}");
    held_by(objects, r#""keeps.js":"remember""#);
    assert_eq!(outcome(&attached, "kept_bytes"), "grows", "{attached:#}");
    held_by(&attached, r#""keeps.js":"remember""#);
    assert_eq!(outcome(buffers, "kept_bytes"), "grows", "{buffers:#}");
    held_by(buffers, r#""keeps.js":"hold""#);
    assert_eq!(outcome(native, "native_bytes"), "grows", "{native:#}");
    for (soak, quantity) in [
        (native, "kept_bytes"),
        (bounded, "kept_bytes"),
        (nothing, "kept_bytes"),
        (nothing, "native_bytes"),
        (nothing, "memory_bytes"),
    ] {
        assert_ne!(outcome(soak, quantity), "grows", "{quantity} of {soak:#}");
    }
    assert!(nothing["kept"]["collections"].as_u64() >= Some(6), "{nothing:#}");
}
