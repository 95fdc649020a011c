//! A service of several processes of Node.js: which of them serve, what each uses, and whether they are unlike busy.
#![cfg(target_os = "linux")]

use crate::bench::{Bench, can_limit, free_port};
use serde_json::{Value, json};
use std::fs;

/// A cluster of three workers. Each uses the CPU for WORK_US with each request, or only the first one does. The first one may end
/// after some requests, and another takes its place.
const CLUSTER: &str = r"
const cluster = require('cluster'), http = require('http');
const { WORK_US, ONLY_FIRST, ENDS_AFTER, PORT } = process.env;
if (cluster.isPrimary) {
  for (let i = 0; i < 3; i++) cluster.fork();
  cluster.on('exit', () => cluster.fork());
} else {
  const first = cluster.worker.id === 1;
  const us = !ONLY_FIRST || first ? Number(WORK_US) : 0;
  let left = first ? Number(ENDS_AFTER ?? Infinity) : Infinity;
  const used = () => { const { user, system } = process.cpuUsage(); return user + system; };
  http.createServer((q, s) => {
    const begin = used();
    while (used() - begin < us);
    s.end('ok');
    if (--left === 0) process.exit(3);
  }).listen(PORT, '127.0.0.1');
}
";

/// Two processes behind a balancer that gives each its turn.
const BALANCER: &str = r"
const http = require('http'), { spawn } = require('child_process');
const ports = process.env.PORTS.split(',');
const agent = new http.Agent({ keepAlive: true });
for (const PORT of ports) spawn('node', ['backend.cjs'], { env: { ...process.env, PORT }, stdio: 'inherit' });
let next = 0;
const pass = (q, s) => {
  const port = ports[next++ % ports.length];
  const up = http.get({ port, agent, path: '/' }, (r) => { s.statusCode = r.statusCode; r.pipe(s); });
  up.on('error', () => { s.statusCode = 502; s.end(); });
};
http.createServer(pass).listen(process.env.PORT, '127.0.0.1');
";
const BACKEND: &str = r"
const used = () => { const { user, system } = process.cpuUsage(); return user + system; };
require('http').createServer((q, s) => {
  const begin = used();
  while (used() - begin < 3000);
  s.end('ok');
}).listen(process.env.PORT, '127.0.0.1');
";

/// The findings of a run of some seconds in which each request has a connection of its own, so that workers get them in turn.
fn ran(files: &[(&str, &str)], env: &Value, limits: Value) -> (Bench, Value) {
    let bench = Bench::new();
    for (name, text) in files {
        bench.write(name, text);
    }
    let mut target = json!({
        "url": format!("http://127.0.0.1:{}/", free_port()),
        "command": ["node", files[0].0],
        "env": env,
    });
    if !limits.is_null() {
        target["limits"] = limits;
    }
    let plan = json!({
        "target": target,
        "load": { "rate": "90/s", "duration": "5s" },
        "connections": { "keep_alive": false },
        "objectives": ["cpu <= 15%", "errors <= 50%"],
    });
    bench.write("plan.yaml", &plan.to_string());
    let ran = bench.run(&["run", "plan.yaml"]);
    assert!(matches!(ran.code, 0 | 99 | 106), "{ran:?}");
    let directory = bench.directory();
    let findings = fs::read_to_string(directory.join("findings.json")).expect("findings");
    let findings: Value = serde_json::from_str(&findings).expect("JSON");
    // What was recorded gives the same again.
    let again = bench
        .run(&["report", &directory.display().to_string(), "--json"])
        .json();
    for key in ["target_resources", "notices", "objectives", "verdict"] {
        assert_eq!(again[key], findings[key], "{key}");
    }
    (bench, findings)
}

fn instances(findings: &Value) -> &[Value] {
    findings["target_resources"]["instances"]
        .as_array()
        .map_or(&[], Vec::as_slice)
}

fn roles(findings: &Value) -> Vec<(&str, &str)> {
    let role = |one| (text_of(one, "role"), text_of(one, "script"));
    instances(findings).iter().map(role).collect()
}

fn text_of<'a>(one: &'a Value, key: &str) -> &'a str {
    one[key].as_str().unwrap_or("-")
}

fn notice<'a>(findings: &'a Value, code: &str) -> Option<&'a Value> {
    let notices = findings["notices"].as_array().expect("notices");
    notices.iter().find(|notice| notice["code"] == code)
}

const WORKER: (&str, &str) = ("instance", "cluster.cjs");
const PRIMARY: (&str, &str) = ("leader", "cluster.cjs");

#[test]
fn workers_of_a_cluster_are_its_instances() {
    let env = json!({ "WORK_US": "3000" });
    let (_bench, findings) = ran(&[("cluster.cjs", CLUSTER)], &env, Value::Null);
    assert_eq!(roles(&findings), [PRIMARY, WORKER, WORKER, WORKER], "{findings}");
    // Each gets a third of the requests.
    for worker in &instances(&findings)[1..] {
        assert!(worker["main_thread_share"].as_f64() > Some(0.0), "{worker}");
    }
    assert_eq!(notice(&findings, "uneven_instances"), None, "{findings}");
}

#[test]
fn busiest_of_the_workers_decides_and_is_named() {
    let env = json!({ "WORK_US": "8000", "ONLY_FIRST": "1" });
    let (bench, findings) = ran(&[("cluster.cjs", CLUSTER)], &env, Value::Null);
    let uneven = notice(&findings, "uneven_instances").expect("it is named");
    assert_eq!(
        (&uneven["number"], &uneven["others"]),
        (&json!(1), &json!(2)),
        "{uneven}"
    );
    let share = uneven["main_thread_share"].as_f64().expect("a share");
    let observed = findings["objectives"][0]["observed"].as_f64().expect("a share");
    let service = &findings["target_resources"];
    assert!(
        observed >= share && share > 2.0 * uneven["others_share"].as_f64().expect("a share"),
        "{uneven}"
    );
    assert!(
        observed >= service["cpu_share"].as_f64().expect("a share"),
        "{findings}"
    );
    let directory = bench.directory().display().to_string();
    let text = bench.run(&["report", &directory, "--markdown", "report.md"]).stdout;
    assert!(
        text.contains("\nInstances ") && text.contains("the main thread of instance 1"),
        "{text}"
    );
    let markdown = fs::read_to_string(bench.path("report.md")).expect("a report");
    assert!(markdown.contains("| instance | process | script |"), "{markdown}");
}

#[test]
fn worker_that_ends_and_is_forked_again_is_counted() {
    let env = json!({ "WORK_US": "1000", "ENDS_AFTER": "70" });
    let (_bench, findings) = ran(&[("cluster.cjs", CLUSTER)], &env, Value::Null);
    let changed = notice(&findings, "instances_changed").expect("it is said");
    assert_eq!(
        (&changed["ended"], &changed["started"]),
        (&json!(1), &json!(1)),
        "{changed}"
    );
    let ended = instances(&findings).iter().filter(|one| one["ended"] == true).count();
    assert_eq!(ended, 1, "{findings}");
}

#[test]
fn processes_behind_a_balancer_are_its_instances() {
    let ports = format!("{},{}", free_port(), free_port());
    let env = json!({ "PORTS": ports });
    let files = [("balancer.cjs", BALANCER), ("backend.cjs", BACKEND)];
    let (_bench, findings) = ran(&files, &env, Value::Null);
    let backend = ("instance", "backend.cjs");
    assert_eq!(
        roles(&findings),
        [("leader", "balancer.cjs"), backend, backend],
        "{findings}"
    );
    assert_eq!(notice(&findings, "uneven_instances"), None, "{findings}");
}

#[test]
fn limit_of_all_instances_bounds_each() {
    if !can_limit("cpu") {
        return;
    }
    let env = json!({ "WORK_US": "3000" });
    let (_bench, findings) = ran(&[("cluster.cjs", CLUSTER)], &env, json!({ "cpu": 0.5 }));
    assert_eq!(roles(&findings).len(), 4, "{findings}");
    // A part of half a core is less of a core.
    let share = findings["target_resources"]["cpu_share"].as_f64();
    for one in instances(&findings) {
        assert!(one["main_thread_share"].as_f64() <= share, "{findings}");
    }
    assert_eq!(findings["objectives"][0]["observed"].as_f64(), share, "{findings}");
}

#[test]
fn service_of_one_process_has_no_instances() {
    let (bench, findings) = ran(&[("backend.cjs", BACKEND)], &json!({}), Value::Null);
    assert_eq!(instances(&findings), [] as [Value; 0]);
    let ticks = fs::read_to_string(bench.directory().join("ticks.jsonl")).expect("records");
    assert!(!ticks.contains("instances"), "{ticks}");
}
