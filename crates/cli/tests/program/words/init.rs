//! `plimsoll init`: the plan has what the service has, and a run of it passes.

use crate::bench::{Bench, Ran, free_url};

/// The services by which the probe is tested.
const SERVICES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../probe/test/services/");

/// Runs `plimsoll init` with these arguments for a service that is written in this framework.
fn init(bench: &Bench, framework: &str, arguments: &[&str]) -> Ran {
    let url = free_url();
    let file = if framework == "hono" {
        "routes.mjs"
    } else {
        "routes.cjs"
    };
    let service = format!("{SERVICES}{file}");
    let framework = format!("FRAMEWORK={framework}");
    let start = ["init", "--url", &url];
    let command = ["--", "env", &framework, "node", &service];
    bench.run(&[&start[..], arguments, &command].concat())
}

#[test]
fn plan_has_the_routes_of_each_framework() {
    for (framework, expected) in [
        ("express", &["/", "/any", "/one", "/two", "/admin/status"][..]),
        ("koa", &["/"]),
        ("fastify", &["/", "/any"]),
        ("hono", &["/"]),
        ("nest", &["/"]),
    ] {
        let bench = Bench::new();
        let ran = init(&bench, framework, &[]);
        assert_eq!(ran.code, 0, "{framework}: {}", ran.stderr);
        let plan = bench.read("plimsoll.yaml");
        for path in expected {
            let entry = format!("\n    - path: {path}\n");
            assert!(plan.contains(&entry), "{framework}: {entry} in {plan}");
        }
        let aside = "  #   id: { values: [1, 2, 3] }\n";
        assert!(plan.contains(aside), "{framework}: {plan}");
        assert!(
            plan.contains("\n    # - path: /api/users/${id}\n"),
            "{framework}: {plan}"
        );
        assert!(ran.stderr.contains("POST /api/users"), "{framework}: {}", ran.stderr);
        bench.run(&["validate"]).expect(0, &[]);
    }
}

#[test]
fn given_values_and_writes_make_a_plan_that_passes() {
    let bench = Bench::new();
    let ran = init(
        &bench,
        "express",
        &["--writes", "--value", "id=7,8", "--value", "page=1"],
    );
    ran.expect(
        0,
        &["not in the plan, 2:", "`page`: no route has a parameter of that name"],
    );
    assert!(
        bench
            .read("plimsoll.yaml")
            .contains("\n    id: { values: [\"7\", \"8\"] }\n")
    );
    let plan = bench.run(&["validate"]).json();
    assert_eq!(plan["scenario"]["requests"].as_array().map(Vec::len), Some(7));
    let ran = bench.run(&["run", "-d", "1s", "--json"]);
    assert!(ran.code == 0 || ran.code == 106, "{}", ran.stderr);
    assert_eq!(ran.json()["totals"]["passed"], 100);
}

#[test]
fn operations_of_a_document_are_tried_and_failures_are_comments() {
    let bench = Bench::new();
    bench.write(
        "openapi.yaml",
        "openapi: 3.0.0
paths:
  /one: { get: { operationId: first } }
  /gone: { get: {} }
  /api/users/{id}: { get: { parameters: [{ name: id, in: path, example: 7 }] } }
  /api/posts/{slug}: { get: { parameters: [{ name: slug, in: path, schema: { type: string } }] } }
",
    );
    init(&bench, "express", &["--from", "openapi.yaml"]).expect(0, &[]);
    let plan = bench.read("plimsoll.yaml");
    for line in [
        "    - name: first\n      path: /one\n",
        "    - path: /api/users/7\n",
        "    # It needs values of `slug`, above.\n    # - path: /api/posts/${slug}\n",
        "    # Sent once, it had status 404",
        "    # - path: /gone\n",
    ] {
        assert!(plan.contains(line), "{line} in {plan}");
    }
    let ran = init(&bench, "express", &["--force", "--from", "plimsoll.yaml"]);
    ran.expect(104, &["failed to read plimsoll.yaml: ", "expected OpenAPI 3"]);
}

#[test]
fn service_that_does_not_start_gets_a_plan_without_its_routes() {
    let bench = Bench::new();
    bench
        .run(&["init", "--url", &free_url(), "--", "node", "missing.js"])
        .expect(0, &["the routes of the service are not known", "Cannot find module"]);
    assert!(bench.read("plimsoll.yaml").contains("\n    - path: /\n"));
    bench
        .run(&["init", "--force", "--no-start", "--", "node", "missing.js"])
        .expect(0, &[]);
    assert!(bench.read("plimsoll.yaml").contains("missing.js"));
}
