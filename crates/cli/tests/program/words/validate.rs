//! `plimsoll validate` and `plimsoll mcp`: nothing is measured.

use crate::bench::{Bench, Ran};
use serde_json::json;

#[test]
fn valid_plan_is_printed_with_defaults_and_without_secrets() {
    let bench = Bench::new();
    let plan = "target: { url: 'http://127.0.0.1:1/', env: { TOKEN: canary } }\nobjectives: [p99 <= 50ms]\n";
    bench.write("plimsoll.yaml", &plan.replace("env:", "command: node app.js, env:"));
    let ran = bench.run(&["validate"]);
    ran.expect(0, &[]);
    let plan = ran.json();
    assert_eq!(plan["objectives"], json!(["p99 <= 50ms"]));
    assert_eq!(plan["search"]["budget"], "90s");
    assert!(!ran.stdout.contains("canary"), "{}", ran.stdout);
    assert!(!bench.path("runs").exists());
}

#[test]
fn plan_on_standard_input_and_url_are_checked() {
    let bench = Bench::new();
    let script = format!(
        "echo 'target: http://127.0.0.1:1/' | {} validate -",
        crate::bench::PROGRAM
    );
    let ran = Ran::of_command(bench.other("sh").args(["-c", &script]));
    assert_eq!(ran.json()["target"]["url"], "http://127.0.0.1:1/");
    let ran = bench.run(&["validate", "http://127.0.0.1:2/"]);
    assert_eq!(ran.json()["target"]["url"], "http://127.0.0.1:2/");
}

#[test]
fn invalid_plan_is_refused_with_its_place() {
    let bench = Bench::new();
    bench.write("plan.yaml", "target: http://127.0.0.1:1/\nobjectives: [p99 <= soon]\n");
    bench
        .run(&["validate", "plan.yaml"])
        .expect(104, &["plan.yaml:2:", "expected"]);
    bench
        .run(&["validate"])
        .expect(104, &["plimsoll.yaml: found no such file"]);
}

#[test]
fn mcp_is_said_to_come_with_npm() {
    Bench::new().run(&["mcp", "--limit", "60"]).expect(
        104,
        &["npm package `plimsoll`", "hint: run it by npm: npx plimsoll mcp"],
    );
}
