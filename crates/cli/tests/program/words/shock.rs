//! A service that is disturbed, and how it comes back. What it carries is made by its clock, so nothing depends on how fast the machine is.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, Ran, free_port};
use serde_json::{Value, json};
use std::thread;

/// Responds to 50 requests in a second, in their order. Begins to listen late, so that whoever starts it has to wait.
const SERVICE: &str = r"
const http = require('http');
const { PORT, MODE, STORE } = process.env;
const queue = [];
let [credit, last, lost] = [0, Date.now(), false];
// Without a bound, a request costs more the longer the queue is.
const rate = () => MODE === 'unbounded' ? 50 / (1 + queue.length / 25) : 50;
const fail = (status, response) => { response.statusCode = status; response.end(); };
const respond = (response) => {
  if (!STORE) return response.end('ok');
  if (MODE === 'stuck' && lost) return fail(500, response);
  http.get(STORE, (r) => r.resume().on('end', () => response.end('ok')))
    .on('error', () => { lost = true; fail(500, response); });
};
setInterval(() => {
  const now = Date.now();
  credit = Math.min(credit + (now - last) / 1000 * rate(), Math.max(queue.length, 1));
  last = now;
  for (; credit >= 1 && queue.length > 0; credit--) respond(queue.shift());
}, 5);
const server = http.createServer((_, response) => {
  if (MODE !== 'unbounded' && queue.length >= 20) return fail(503, response);
  queue.push(response);
});
setTimeout(() => server.listen(PORT, '127.0.0.1'), 300);
";
const STORE: &str = "require('http').createServer((_, s) => s.end('ok')).listen(process.env.PORT, '127.0.0.1')";

/// What is said of a shock, and the findings.
fn shocked(mode: &str, args: &[&str]) -> (Ran, Value) {
    let bench = Bench::new();
    bench.write("service.cjs", SERVICE);
    bench.write("store.cjs", STORE);
    let [port, store] = [free_port(), free_port()];
    let has_store = !matches!(mode, "bounded" | "unbounded");
    let mut target = json!({
        "url": format!("http://127.0.0.1:{port}/"),
        "command": ["node", "service.cjs"],
        "env": { "MODE": mode, "STORE": if has_store { format!("http://127.0.0.1:{store}/") } else { String::new() } },
    });
    if has_store {
        target["beside"] = json!([{ "name": "store", "command": ["node", "store.cjs"], "ready": { "port": store } }]);
    }
    let plan = json!({
        "target": target,
        "load": { "rate": "20/s", "duration": "1s" },
        "objectives": ["p99 <= 1s", "errors <= 5%"],
        "judging": { "window": "500ms", "warm_up": "500ms" },
    });
    bench.write("plan.yaml", &plan.to_string());
    let times = ["--before", "1s", "--steady", "2s", "--after", "5s"];
    let ran = bench.run(&[&["shock", "plan.yaml"], args, &times[..]].concat());
    let directory = bench.directory();
    let findings = bench.read(&directory.join("findings.json").display().to_string());
    let findings: Value = serde_json::from_str(&findings).expect("JSON");
    // What was recorded gives the same again.
    let again = bench.run(&["report", &directory.display().to_string(), "--json"]);
    let again: Value = serde_json::from_str(&again.stdout).expect("JSON");
    assert_eq!(again["shock"], findings["shock"]);
    (ran, findings)
}

/// The generator may be late on a busy machine; what became of the service is known then too.
#[track_caller]
fn assert_back(ran: &Ran, findings: &Value) {
    assert!(matches!(ran.code, 0 | 106), "{ran:?}");
    assert!(findings["shock"]["back_after_s"].is_f64(), "{ran:?}");
    assert_eq!(findings["shock"]["broke"], true, "{ran:?}");
}

#[track_caller]
fn assert_not_back(ran: &Ran, findings: &Value, state: &str) {
    assert!(matches!(ran.code, 99 | 106), "{ran:?}");
    assert_eq!(findings["shock"]["not_back"]["code"], state, "{ran:?}");
}

#[test]
fn disturbed_services_come_back_or_are_in_a_named_state() {
    const BURST: &[&str] = &["--burst", "6", "--for", "1s"];
    const GONE: &[&str] = &["--gone", "store", "--for", "1s"];
    const PAUSE: &[&str] = &["--pause", "store", "--for", "1500ms"];
    let all: [(&str, &[&str]); 5] = [
        ("bounded", BURST),
        ("unbounded", BURST),
        ("bounded", &["--restart"]),
        ("stuck", GONE),
        ("asking", PAUSE),
    ];
    let runs: Vec<_> = thread::scope(|scope| {
        let threads = all.map(|(mode, args)| scope.spawn(move || shocked(mode, args)));
        threads.map(|run| run.join().expect("it ran")).into_iter().collect()
    });
    let [bounded, unbounded, restarted, stuck, paused] = runs.as_slice() else {
        unreachable!("as many as there are")
    };

    let count =
        |(_, findings): &(Ran, Value), part: &str, what: &str| findings["shock"][part][what].as_u64().expect("a count");
    assert_back(&bounded.0, &bounded.1);
    assert!(count(bounded, "during", "shed") > 0, "{:?}", bounded.0);
    assert_eq!(count(bounded, "during", "failed"), 0, "{:?}", bounded.0);
    assert!(
        bounded.0.stdout.contains("Every objective held again") || bounded.0.code == 106,
        "{}",
        bounded.0.stdout
    );
    assert_not_back(&unbounded.0, &unbounded.1, "queue");
    assert_eq!(count(unbounded, "during", "shed"), 0, "{:?}", unbounded.0);

    assert_back(&restarted.0, &restarted.1);
    assert!(count(restarted, "until_back", "shed") > 0, "{:?}", restarted.0);

    assert_not_back(&stuck.0, &stuck.1, "failing");
    assert!(
        stuck.0.stderr.contains("shock begins: the loss of the neighbour store"),
        "{}",
        stuck.0.stderr
    );
    assert_back(&paused.0, &paused.1);
    assert_eq!(count(paused, "until_back", "shed"), 0, "{:?}", paused.0);
}

#[test]
fn shock_that_cannot_be_is_refused() {
    let bench = Bench::new();
    let url = "http://127.0.0.1:9/";
    let closed = json!({ "target": { "url": url }, "load": { "model": "closed", "connections": 2, "duration": "1s" } });
    bench.write("closed.yaml", &closed.to_string());
    for (args, words) in [
        (
            &["shock", url, "-R", "10"][..],
            "--burst <TIMES>|--pause <NEIGHBOUR>|--gone <NEIGHBOUR>|--restart",
        ),
        (&["shock", url, "-R", "10", "--burst", "1"], "expected a number above 1"),
        (&["shock", "closed.yaml", "--burst", "2"], "no rate given"),
        (
            &["shock", url, "-R", "10", "--pause", "redis"],
            "found the neighbour `redis`",
        ),
        (
            &["shock", url, "-R", "10", "--restart"],
            "--restart needs a service that plimsoll starts",
        ),
        (
            &["shock", url, "-R", "10", "--burst", "2", "--after", "3s"],
            "expected at least 6s",
        ),
        (
            &["shock", url, "-R", "10", "--burst", "2", "--objective", "p99 <= 9s"],
            "found --steady 5s, expected more than 9s",
        ),
    ] {
        let ran = bench.run(args);
        assert_eq!(ran.code, 104, "{ran:?}");
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}
