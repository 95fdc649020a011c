//! Services that redirect, followed over each protocol.

use crate::bench::{Bench, Ran, free_url, service};
use serde_json::{Value, json};

/// A plan of a service that redirects.
fn plan(bench: &Bench, requests: &Value) -> Value {
    json!({
        "target": {
            "url": free_url(),
            "follow_redirects": 3,
            "auth": { "basic": { "user": "me", "password": "secret" } },
            "command": ["node", service("moves.js")],
            "env": { "LOG": bench.path("asked.json") },
        },
        "scenario": {
            "variables": { "id": { "from": 1, "to": 3 } },
            "requests": requests,
        },
        "objectives": ["errors = 0"],
        "load": { "model": "closed", "connections": 2, "requests": 9 },
    })
}

fn ran(bench: &Bench, plan: &Value) -> Ran {
    bench.write("plan.json", &plan.to_string());
    bench.run(&["run", "plan.json", "--json"])
}

/// What the service was asked for, and how often.
fn asked(bench: &Bench) -> Value {
    serde_json::from_str(&bench.read("asked.json")).expect("JSON")
}

fn check_followed(bench: &Bench, plan: &Value) {
    let findings = ran(bench, plan).json();
    let totals = &findings["totals"];
    assert_eq!(
        (&totals["passed"], &totals["followed"]),
        (&json!(9), &json!(9)),
        "{findings}"
    );
    assert_eq!(
        (&totals["completed"], &totals["sent"]),
        (&json!(9), &json!(18)),
        "{findings}"
    );
    let me = "by Basic bWU6c2VjcmV0";
    let expected = [
        (format!("GET /old  {me}"), 3),
        (format!("GET /there  {me}"), 3),
        (format!("GET /there?a=b  {me}"), 3),
        (format!("POST /form a=b {me}"), 3),
        (format!("PUT /kept/1 1 {me}"), 1),
        (format!("PUT /kept/2 2 {me}"), 1),
        (format!("PUT /kept/3 3 {me}"), 1),
        (format!("PUT /stays/1 1 {me}"), 1),
        (format!("PUT /stays/2 2 {me}"), 1),
        (format!("PUT /stays/3 3 {me}"), 1),
    ];
    assert_eq!(asked(bench), json!(expected));
}

fn moving() -> Value {
    json!([
        { "path": "/old" },
        { "path": "/form", "method": "POST", "body": "a=b", "headers": { "content-type": "text/plain" } },
        { "path": "/kept/${id}", "method": "PUT", "body": "${id}" },
    ])
}

#[test]
fn redirects_are_followed_over_http1() {
    let bench = Bench::new();
    check_followed(&bench, &plan(&bench, &moving()));
}

#[test]
fn redirects_are_followed_over_http2() {
    let bench = Bench::new();
    let mut plan = plan(&bench, &moving());
    plan["target"]["http"] = json!(2);
    plan["target"]["env"]["HTTP"] = json!("2");
    check_followed(&bench, &plan);
}

#[test]
fn redirects_are_followed_over_tls_without_kept_connections() {
    let bench = Bench::new();
    let mut plan = plan(&bench, &moving());
    let certificate = rcgen::generate_simple_self_signed(["service".to_owned()]).expect("a certificate");
    bench.write("cert.pem", &certificate.cert.pem());
    bench.write("key.pem", &certificate.signing_key.serialize_pem());
    let target = &mut plan["target"];
    target["url"] = json!(target["url"].as_str().expect("a URL").replace("http:", "https:"));
    target["tls"] = json!({ "insecure": true });
    target["env"]["CERT"] = json!(bench.path("cert.pem"));
    target["env"]["KEY"] = json!(bench.path("key.pem"));
    plan["connections"] = json!({ "keep_alive": false });
    check_followed(&bench, &plan);
}

#[test]
fn redirects_that_lead_away_or_on_and_on_are_errors() {
    let bench = Bench::new();
    let away = ran(&bench, &plan(&bench, &json!([{ "path": "/away" }]))).json();
    let error = &away["errors"][0];
    assert_eq!(
        (&error["class"], &error["count"]),
        (&json!("not_followed"), &json!(9)),
        "{away}"
    );
    let found = "status 302 Found, to http://elsewhere.test/there: load goes nowhere else";
    assert_eq!(error["example"]["found"], found, "{away}");
    assert_eq!(
        asked(&bench).as_array().map(Vec::len),
        Some(1),
        "only the service was asked"
    );

    let round = ran(&bench, &plan(&bench, &json!([{ "path": "/round" }]))).json();
    assert_eq!(round["errors"][0]["class"], "not_followed", "{round}");
    assert_eq!(
        round["errors"][0]["example"]["found"],
        "status 302 Found, to /round, after 3 others"
    );
    assert_eq!(round["totals"]["followed"], 27, "{round}");
}

#[test]
fn a_redirect_that_is_expected_is_the_response() {
    let bench = Bench::new();
    let plan = plan(&bench, &json!([{ "path": "/old", "expect": { "status": 301 } }]));
    let findings = ran(&bench, &plan).json();
    assert_eq!(findings["totals"]["passed"], 9, "{findings}");
    assert_eq!(findings["totals"]["redirects"], 9, "{findings}");
    assert_eq!(findings["totals"]["followed"], 0, "{findings}");
}

#[test]
fn redirects_are_followed_where_the_command_line_says_so() {
    let bench = Bench::new();
    let url = free_url();
    let old = format!("{url}old");
    let command = ["--", "node", &service("moves.js")];
    let run = ["run", &old, "-R", "100", "-d", "500ms"];
    let followed = bench
        .run(&[&run[..], &["--follow", "--json"], &command].concat())
        .json();
    assert_eq!(followed["totals"]["followed"], 50, "{followed}");
    let counted = bench.run(&[&run[..], &command].concat());
    // Lines break where the port of the service has them break.
    let said = counted.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("redirects, which are not followed"), "{counted:?}");
    assert!(said.contains("follow them with --follow"), "{counted:?}");
    bench
        .run(&[&["hold", &old, "--follow=2"][..], &command].concat())
        .expect(104, &["redirects to follow, and connections that are held"]);
}

/// Each user goes where the service leads it, with the cookie that came with the redirect.
#[test]
fn users_on_journeys_follow_redirects_with_their_cookies() {
    for (http, version) in [("1", json!("1.1")), ("2", json!(2))] {
        let bench = Bench::new();
        let plan = json!({
            "target": {
                "url": free_url(),
                "http": version,
                "follow_redirects": 2,
                "command": ["node", service("welcome.js")],
                "env": { "HTTP": http },
            },
            "scenario": {
                "variables": { "id": { "from": 1, "to": 8 } },
                "before": [{ "request": { "method": "POST", "path": "/login/first", "json": { "a": 1 } } }],
                "journeys": [{ "name": "visit", "actions": [
                    { "request": {
                        "name": "log in",
                        "method": "POST",
                        "path": "/login/u${id}",
                        "json": { "a": 1 },
                        "take": { "page": { "json": "$.page" } },
                        "check": [{ "json": "$.method", "is": "GET" }, { "json": "$.said", "is": "" }],
                    } },
                    { "request": {
                        "name": "change",
                        "method": "PUT",
                        "path": "/moved/u${id}",
                        "body": "new",
                        "check": [
                            { "json": "$.page", "is": "${page}" },
                            { "json": "$.method", "is": "PUT" },
                            { "json": "$.said", "is": "new" },
                        ],
                    } },
                ] }],
            },
            "objectives": ["errors = 0"],
            "load": { "model": "closed", "connections": 4, "requests": 40 },
        });
        let findings = ran(&bench, &plan).json();
        let totals = &findings["totals"];
        assert_eq!(
            [&totals["passed"], &totals["followed"], &totals["sent"]],
            [&json!(80), &json!(80), &json!(160)],
            "{findings}"
        );
        assert_eq!(findings["journeys"][0]["finished"], 40, "{findings}");
    }
}
