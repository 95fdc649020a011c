//! What a service needs beside it: started before it, watched with it, stopped after it.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, Going, free_port};
use serde_json::{Value, json};
use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Listens on PORT, says in the file `order` when it begins and ends, and asks UPSTREAM for each response, if there is one.
const PROGRAM: &str = r"
const fs = require('fs'), http = require('http');
const say = (what) => fs.appendFileSync('order', `${process.env.NAME} ${what}\n`);
const upstream = process.env.UPSTREAM;
const ask = (done) => upstream ? http.get(upstream, (r) => r.resume().on('end', done)).on('error', done) : done();
ask(() => http.createServer((q, s) => q.url === '/end' ? process.exit(7) : ask(() => s.end('ok')))
  .listen(process.env.PORT, '127.0.0.1', () => { say('began'); console.log('listens now'); }));
process.on('SIGTERM', () => { say('ended'); process.exit(); });
";

/// A service that asks a neighbour, in a directory of its own.
struct Pair {
    bench: Bench,
    ports: [u16; 2],
}

impl Pair {
    /// With this of the neighbour besides its name and command.
    fn new(ready: Value) -> Self {
        let pair = Self {
            bench: Bench::new(),
            ports: [free_port(), free_port()],
        };
        let [port, upstream] = pair.ports;
        pair.bench.write("program.cjs", PROGRAM);
        let ready = match ready {
            Value::Null => json!({ "port": upstream }),
            ready => ready,
        };
        let plan = json!({
            "target": {
                "url": format!("http://127.0.0.1:{port}/"),
                "command": ["node", "program.cjs"],
                "env": { "NAME": "service", "UPSTREAM": format!("http://127.0.0.1:{upstream}/") },
                "beside": [{
                    "name": "store",
                    "command": ["node", "program.cjs"],
                    "env": { "NAME": "store", "PORT": upstream.to_string() },
                    "ready": ready,
                }],
            },
            "load": { "rate": "50/s", "duration": "1s" },
            "objectives": ["errors <= 50%"],
        });
        pair.bench.write("plan.yaml", &plan.to_string());
        pair
    }

    fn order(&self) -> String {
        fs::read_to_string(self.bench.path("order")).unwrap_or_default()
    }

    fn upstream_is_open(&self) -> bool {
        TcpStream::connect(("127.0.0.1", self.ports[1])).is_ok()
    }
}

#[test]
fn neighbour_runs_around_the_service_and_is_reported() {
    for ready in [Value::Null, json!({ "line": "listens now" })] {
        let pair = Pair::new(ready);
        let ran = pair.bench.run(&["run", "plan.yaml"]);
        assert!(matches!(ran.code, 0 | 106), "{ran:?}");
        assert_eq!(
            pair.order(),
            "store began\nservice began\nservice ended\nstore ended\n",
            "{ran:?}"
        );
        assert!(ran.stdout.contains("\nNeighbours "), "{}", ran.stdout);
        assert!(
            ran.stderr.contains("starting neighbour store: node program.cjs"),
            "{}",
            ran.stderr
        );
        let directory = pair.bench.directory();
        let output = fs::read_to_string(directory.join("beside-store.log")).expect("its output");
        assert_eq!(output, "listens now\n");
        let findings = fs::read_to_string(directory.join("findings.json")).expect("findings");
        let findings: Value = serde_json::from_str(&findings).expect("JSON");
        let store = &findings["neighbours"][0];
        assert_eq!(store["name"], "store");
        assert!(store["resources"]["rss_max_bytes"].as_u64() > Some(1 << 20), "{store}");
        // What was recorded gives the same again.
        let again = pair.bench.run(&["report", &directory.display().to_string(), "--json"]);
        let again: Value = serde_json::from_str(&again.stdout).expect("JSON");
        assert_eq!(again["neighbours"], findings["neighbours"]);
    }
}

#[test]
fn neighbour_that_does_not_start_is_named() {
    let missing = Pair::new(json!({ "line": "never said", "timeout": "300ms" }));
    let ran = missing.bench.run(&["run", "plan.yaml"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let words =
        "failed to start neighbour store: it was not ready within 300ms: its output has no line with `never said`";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    assert!(!missing.upstream_is_open());
    assert!(!missing.order().contains("service"), "{}", missing.order());

    let taken = Pair::new(Value::Null);
    let _listener = std::net::TcpListener::bind(("127.0.0.1", taken.ports[1])).expect("free");
    let ran = taken.bench.run(&["run", "plan.yaml"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let words = format!("start neighbour store: port {} is already in use by ", taken.ports[1]);
    assert!(ran.stderr.contains(&words), "{}", ran.stderr);
}

#[test]
fn neighbour_that_ends_ends_the_run() {
    let pair = Pair::new(Value::Null);
    let plan = fs::read_to_string(pair.bench.path("plan.yaml")).expect("written");
    pair.bench.write("plan.yaml", &plan.replace("\"1s\"", "\"60s\""));
    let mut going = Going::begin(&mut pair.bench.command(&["run", "plan.yaml"]));
    going.wait_for(|line| line.contains(" of 50/s"));
    let _ = std::io::Write::write_all(
        &mut TcpStream::connect(("127.0.0.1", pair.ports[1])).expect("it listens"),
        b"GET /end HTTP/1.1\r\nhost: a\r\n\r\n",
    );
    let ran = going.end();
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.stdout.contains("A neighbour of the service ended by itself"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("neighbour store ended during the run: it exited with status 7"),
        "{}",
        ran.stdout
    );
}

#[test]
fn killed_run_leaves_no_neighbour() {
    let pair = Pair::new(Value::Null);
    let plan = fs::read_to_string(pair.bench.path("plan.yaml")).expect("written");
    pair.bench.write("plan.yaml", &plan.replace("\"1s\"", "\"60s\""));
    let mut going = Going::begin(&mut pair.bench.command(&["run", "plan.yaml"]));
    going.wait_for(|line| line.contains(" of 50/s"));
    going.kill();
    while pair.upstream_is_open() || Path::new(&format!("/proc/{}", going.child.id())).exists() {
        thread::sleep(Duration::from_millis(20));
    }
}

/// Forwards each request to PRICES, and its response to who asked.
const FORWARDING: &str = r"
const http = require('http');
http.createServer((asked, response) => {
  http.get(process.env.PRICES + asked.url, (given) => {
    response.writeHead(given.statusCode, given.headers);
    given.pipe(response);
  }).on('error', () => response.destroy());
}).listen(process.env.PORT, '127.0.0.1');
";

/// A plan for a service that forwards what a stand-in responds.
fn with_stand_in(bench: &Bench, responses: &Value, scenario: &Value) -> Value {
    bench.write("forwarding.cjs", FORWARDING);
    let [port, upstream] = [free_port(), free_port()];
    json!({
        "target": {
            "url": format!("http://127.0.0.1:{port}/"),
            "command": ["node", "forwarding.cjs"],
            "env": { "PRICES": format!("http://127.0.0.1:{upstream}") },
            "beside": [{ "name": "prices", "stand_in": { "port": upstream, "responses": responses } }],
        },
        "scenario": scenario,
        "load": { "rate": "50/s", "duration": "1s" },
        "objectives": ["errors = 0"],
    })
}

#[test]
fn stand_in_responds_as_the_plan_says() {
    let bench = Bench::new();
    let responses = json!([
        { "path": "/prices/*", "method": "GET", "response_time": "1ms", "status": 201, "headers": { "etag": "seven" }, "json": { "cents": 700 } },
        { "path": "/broken", "response_time": "0s", "errors": "100%", "body": "never" },
        { "path": "/sized", "response_time": { "from": "0s", "p50": "1ms", "to": "2ms" }, "size": { "from": "10B", "to": "20B" } },
    ]);
    let checked = |path: &str, status: u16, check: Value| json!({ "request": { "path": path, "expect": { "status": status }, "check": check } });
    let scenario = json!({ "journeys": [{ "actions": [
        checked("/prices/7?of=ann", 201, json!([{ "json": "$.cents", "is": "700" }, { "header": "etag", "is": "seven" }])),
        checked("/broken", 503, json!([{ "size": { "at most": 0 } }])),
        checked("/sized", 200, json!([{ "size": { "at least": 10, "at most": 20 } }])),
        checked("/unknown", 404, json!([{ "size": { "at most": 0 } }])),
    ] }] });
    bench.write("plan.yaml", &with_stand_in(&bench, &responses, &scenario).to_string());
    let ran = bench.run(&["run", "plan.yaml"]);
    assert!(matches!(ran.code, 0 | 106), "{ran:?}");
    let directory = bench.directory();
    let findings = fs::read_to_string(directory.join("findings.json")).expect("findings");
    let findings: Value = serde_json::from_str(&findings).expect("JSON");
    assert_eq!(findings["errors"], json!([]), "{findings}");
    let prices = &findings["neighbours"][0];
    let command = prices["command"].as_str().expect("a text");
    assert!(command.starts_with("stand-in on port "), "{prices}");
    assert!(
        prices["resources"]["rss_max_bytes"].as_u64() > Some(1 << 20),
        "{prices}"
    );
    let output = fs::read_to_string(directory.join("beside-prices.log")).expect("its output");
    assert_eq!(output, "no response for GET /unknown\n");
}

#[test]
fn stand_in_takes_as_long_as_in_a_run() {
    let bench = Bench::new();
    let scenario = json!({ "requests": [{ "name": "read", "path": "/a" }, { "name": "other", "path": "/b" }] });
    let median_ms = |time: Value| {
        let of = |path: &str, time: Value| json!({ "path": path, "response_time": time });
        let plan = with_stand_in(&bench, &json!([of("/a", time), of("/b", json!("0s"))]), &scenario);
        bench.write("plan.yaml", &plan.to_string());
        let ran = bench.run(&["run", "plan.yaml", "--json"]);
        assert!(matches!(ran.code, 0 | 106), "{ran:?}");
        let findings: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let mut requests = findings["requests"].as_array().expect("requests").iter();
        let read = requests.find(|request| request["name"] == "read").expect("one");
        read["service_time"]["p50_ms"].as_f64().expect("a time")
    };
    assert!(median_ms(json!({ "from": "30ms", "to": "31ms" })) >= 30.0);
    let directory = bench.directory().display().to_string();
    assert!(median_ms(json!({ "run": directory, "request": "read" })) >= 30.0);

    let nowhere = with_stand_in(&bench, &json!([{ "response_time": { "run": "nowhere" } }]), &scenario);
    bench.write("plan.yaml", &nowhere.to_string());
    let ran = bench.run(&["run", "plan.yaml"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.stderr
            .contains("failed to stand in for prices: response times of the run "),
        "{ran:?}"
    );
}
