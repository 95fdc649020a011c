//! Users on journeys, against a real service that refuses whatever does not come in order or with the values that it gave out.

use super::canary::{assert_hidden, canary};
use crate::bench::{Bench, Ran, free_port, service};
use serde_json::Value;

/// So many users arrive.
const USERS: u64 = 20;

/// A plan in which users log in, look at something, order it and wait until that is done, in this version of HTTP; the service has this fault.
fn plan(fault: &str, http: &str) -> String {
    let port = free_port();
    format!(
        r#"target:
  url: http://127.0.0.1:{port}
  http: {http}
  command: node {service}
  env: {{ PORT: "{port}", FAULT: "{fault}", HTTP: "{http}" }}
objectives: [errors <= 0%, p99 <= 60s]
scenario:
  variables: {{ name: {{ values: [ann, bob] }} }}
  journeys:
    - name: order
      actions:
        - request:
            name: log in
            method: POST
            path: /sessions
            json: {{ name: "${{name}}" }}
            expect: {{ status: 201 }}
            take: {{ token: {{ json: $.token }}, id: {{ json: $.user.id }}, page: {{ header: location }}, sid: {{ cookie: sid }} }}
        - pause: {{ from: 1ms, to: 20ms }}
        - request:
            name: browse
            path: "${{page}}"
            headers: {{ authorization: "Bearer ${{token}}" }}
            take: {{ etag: {{ header: etag }}, next: {{ regex: 'next-([a-z0-9]+)' }}, same: {{ between: {{ after: 'next-', before: '\"' }} }} }}
            check: [{{ json: $.id, is: "${{id}}" }}]
        - set: {{ what: "order of ${{next}}" }}
        - request:
            name: order
            method: POST
            path: "/orders/${{id}}"
            headers: {{ authorization: "Bearer ${{token}}", if-match: "${{etag}}" }}
            json: {{ token: "${{token}}", id: "${{what}}" }}
            expect: {{ status: 202 }}
        - repeat:
            until: {{ value: "${{state}}", is: done }}
            every: 5ms
            at most: 10
            actions:
              - request:
                  name: wait
                  path: "/orders/${{id}}"
                  headers: {{ authorization: "Bearer ${{token}}" }}
                  take: {{ state: {{ json: $.state }} }}
                  check: [{{ header: content-type, is: application/json }}, {{ body: items }}, {{ size: {{ at most: 100 }} }}]
        - when: {{ value: "${{state}}", is: open, actions: [request: {{ name: complain, path: /complaints }}] }}
load: {{ model: open, rate: 20/s, duration: 1s }}
"#,
        service = service("journey.js")
    )
}

fn run(fault: &str) -> (Bench, Ran, Value) {
    run_over("1.1", fault)
}

fn run_over(http: &str, fault: &str) -> (Bench, Ran, Value) {
    let bench = Bench::new();
    bench.write("plan.yaml", &plan(fault, http));
    let ran = bench.run(&["run", "plan.yaml", "--json"]);
    let findings = ran.json();
    (bench, ran, findings)
}

/// Journeys that came to each request, and ended there.
fn funnel(findings: &Value) -> Vec<(u64, u64)> {
    let requests = findings["journeys"][0]["requests"].as_array().expect("a list").iter();
    let count = |of: &Value| of.as_u64().expect("a count");
    requests
        .map(|at| (count(&at["reached"]), count(&at["failed"])))
        .collect()
}

#[test]
fn users_come_to_the_end_with_the_values_they_were_given() {
    let (bench, ran, findings) = run("");
    ran.expect(0, &[]);
    let journey = &findings["journeys"][0];
    for (key, users) in [("started", USERS), ("finished", USERS), ("failed", 0), ("under_way", 0)] {
        assert_eq!(journey[key], users, "{journey:#}");
    }
    // Those of the warm-up are left out.
    assert!(journey["time"]["count"].as_u64() > Some(0), "{journey:#}");
    let all = (USERS, 0);
    assert_eq!(funnel(&findings), [all, all, all, all, (0, 0)]);
    // Each of them waits for three rounds.
    let sent = findings["requests"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|request| &request["sent"]);
    assert_eq!(sent.collect::<Vec<_>>(), [USERS, USERS, USERS, 3 * USERS, 0]);
    let drawn = bench.report(&bench.directory());
    assert_eq!(drawn.stdout, ran.stdout, "the same findings follow from the records");
}

#[test]
fn users_come_and_go_in_stages() {
    let bench = Bench::new();
    let stages = "[{ ramp_to: 3, duration: 1s }, { hold: 3, duration: 1s }, { hold: 1, duration: 1s }]";
    let load = format!("load: {{ model: closed, stages: {stages}, think_time: 10ms }}");
    let plan = plan("", "1.1").replace("load: { model: open, rate: 20/s, duration: 1s }", &load);
    assert!(plan.contains(&load), "{plan}");
    bench.write("plan.yaml", &plan);
    let ran = bench.run(&["run", "plan.yaml", "--json"]);
    ran.expect(0, &[]);
    let findings = ran.json();
    let points = findings["timeline"].as_array().expect("a list").iter();
    let users: Vec<_> = points.filter_map(|point| point["users"].as_u64()).collect();
    assert_eq!((users.iter().max(), users.last()), (Some(&3), Some(&1)), "{users:?}");
    let journey = &findings["journeys"][0];
    assert_eq!(
        journey["started"], journey["finished"],
        "whoever goes ends its journey first: {journey:#}"
    );
}

#[test]
fn a_journey_has_objectives_and_times_in_every_format() {
    let bench = Bench::new();
    let objectives = "errors <= 0%, journey failed(order) <= 1%, journey p50 <= 60s, journey max(order) <= 5900ms";
    // A tenth of it, shared by five requests, is more than a slow machine stops the generator for.
    let slow = plan("", "1.1").replace("from: 1ms, to: 20ms", "from: 6s, to: 6100ms");
    let longer = slow.replace("duration: 1s", "duration: 3s");
    bench.write("plan.yaml", &longer.replace("errors <= 0%, p99 <= 60s", objectives));
    let ran = bench.run(&[
        "run",
        "plan.yaml",
        "--json",
        "--markdown",
        "out.md",
        "--junit",
        "out.xml",
    ]);
    ran.expect(99, &[]);
    let findings = ran.json();
    let judged = findings["objectives"].as_array().expect("a list").iter();
    let judged = judged.map(|of| (of["objective"]["text"].as_str(), of["passed"].as_bool()));
    let expected = [
        (Some("errors = 0"), Some(true)),
        (Some("journey failed(order) <= 1%"), Some(true)),
        (Some("journey p50 <= 60000ms"), Some(true)),
        (Some("journey max(order) <= 5900ms"), Some(false)),
    ];
    assert_eq!(judged.collect::<Vec<_>>(), expected);
    let journey = &findings["journeys"][0];
    let ms = |of: &str| journey[of]["max_ms"].as_f64().expect("a time");
    // Users pause before and between their requests.
    assert!(ms("waiting") > 0.0 && ms("waiting") < ms("time"), "{journey:#}");
    let text = bench
        .run(&["report", bench.directory().to_str().expect("a path")])
        .stdout;
    let page = bench.read(bench.directory().join("report.html").to_str().expect("a path"));
    for (name, text) in [
        ("text", text),
        ("Markdown", bench.read("out.md")),
        ("JUnit", bench.read("out.xml")),
        ("page", page),
    ] {
        for part in [
            "waiting p99",
            "ended here",
            "journey max(order)",
            "journey failed(order)",
        ] {
            assert!(text.contains(part), "{part} in {name}: {text}");
        }
        // JUnit has figures of what failed alone.
        assert!(text.contains("0% (0% to ") || name == "JUnit", "{name}: {text}");
    }
}

#[test]
fn users_come_to_the_end_over_http2() {
    let (_, ran, findings) = run_over("2", "");
    ran.expect(0, &[]);
    let all = (USERS, 0);
    assert_eq!(funnel(&findings), [all, all, all, all, (0, 0)]);
}

/// The service counts who comes on which connection.
#[test]
fn users_have_connections_of_their_own_where_asked() {
    for (http, per_user) in [("1.1", true), ("2", true), ("1.1", false)] {
        let (bench, log) = (Bench::new(), "connections.json");
        let plan = plan("", http).replace("env: {", &format!("env: {{ LOG: \"{}\",", bench.path(log).display()));
        bench.write("plan.yaml", &format!("{plan}connections: {{ per_user: {per_user} }}\n"));
        let ran = bench.run(&["run", "plan.yaml", "--json"]);
        ran.expect(0, &[]);
        let written = bench.read(log);
        let connections: Vec<Vec<String>> = serde_json::from_str(&written).expect("users by connection");
        let mut users = connections.concat();
        users.sort_unstable();
        let all = users.len();
        users.dedup();
        assert_eq!(users.len() as u64, USERS, "{written}");
        if per_user {
            assert_eq!(connections.len() as u64, USERS, "{http}: {written}");
            assert_eq!(all as u64, USERS, "{http}: {written}");
        } else {
            assert!((connections.len() as u64) < USERS, "{written}");
        }
    }
}

/// Two users, then three, which is the most that may be there; how much they ask for is not looked at. A busy machine may take a step again.
#[test]
fn a_search_in_users_has_as_many_on_journeys() {
    let bench = Bench::new();
    bench.write("plan.yaml", &plan("", "1.1"));
    let users = ["--in", "users", "--start", "2", "--max", "3"];
    let bounds = ["--budget", "8s", "--step", "2s", "--json"];
    let ran = bench.run(&[&["capacity", "plan.yaml"], &users[..], &bounds].concat());
    let findings = ran.json();
    let steps = findings["steps"].as_array().expect("steps");
    let users: Vec<Option<u64>> = steps.iter().map(|step| step["users"].as_u64()).collect();
    assert!(users.is_sorted() && users[0] == Some(2), "{users:?} {}", ran.stderr);
    assert_eq!(users[users.len() - 1], Some(3), "{}", ran.stderr);
    assert!(steps.iter().all(|step| step["offered_per_s"].is_null()));
    let failed = |at: &Value| at["failed"] != 0;
    assert!(!failed(&findings["journeys"][0]), "{findings:#}");
    let drawn = bench.report(&bench.directory());
    assert_eq!(drawn.stdout, ran.stdout, "the same findings follow from the records");
}

#[test]
fn a_step_of_a_search_has_values_that_no_step_before_had() {
    let (bench, port) = (Bench::new(), free_port());
    let plan = format!(
        r#"target: {{ url: "http://127.0.0.1:{port}", command: node {}, env: {{ PORT: "{port}" }} }}
objectives: [errors = 0]
scenario:
  variables: {{ id: {{ from: 1, to: 1000000 }} }}
  journeys: [{{ name: visit, actions: [request: {{ path: "/${{id}}" }}] }}]
"#,
        service("once.js")
    );
    bench.write("plan.yaml", &plan);
    let bounds = [
        "--start", "20", "--max", "60", "--budget", "6s", "--step", "1s", "--json",
    ];
    let findings = bench.run(&[&["capacity", "plan.yaml"], &bounds[..]].concat()).json();
    assert!(findings["steps"].as_array().expect("steps").len() > 1, "{findings:#}");
    assert_eq!(findings["errors"], serde_json::json!([]), "{findings:#}");
}

#[track_caller]
fn check(fault: &str, class: &str, at: &[(u64, u64)], expected: &str, found: &str) {
    let (bench, ran, findings) = run(fault);
    ran.expect(99, &[]);
    assert_eq!(funnel(&findings)[..at.len()], *at, "{findings:#}");
    assert_eq!(findings["journeys"][0]["failed"], USERS, "{findings:#}");
    let error = &findings["errors"][0];
    assert_eq!(
        (&error["class"], &error["count"]),
        (&class.into(), &USERS.into()),
        "{findings:#}"
    );
    assert_eq!(error["example"]["expected"], expected, "{error:#}");
    assert_eq!(error["example"]["found"], found, "{error:#}");
    // What was given out is nobody's business.
    let text = bench
        .run(&["report", bench.directory().to_str().expect("a path")])
        .stdout;
    assert!(!text.contains("t\"1") && !ran.stdout.contains("t\\\"1"), "{text}");
}

const AT_LOG_IN: [(u64, u64); 2] = [(USERS, USERS), (0, 0)];

#[test]
fn a_value_that_is_missing_ends_the_journey() {
    let found = "status 201: no such value in the JSON";
    check("missing", "take", &AT_LOG_IN, "a value at $.token", found);
    check("null", "take", &AT_LOG_IN, "a value at $.token", "status 201: null");
}

#[test]
fn a_body_that_is_not_json_ends_the_journey() {
    let found = "status 201: a body that is not JSON from line 1, column 1 on";
    check("not_json", "take", &AT_LOG_IN, "a value at $.token", found);
    let found = "status 201: a body that is not JSON from line 1, column 31 on";
    check("cut_short", "take", &AT_LOG_IN, "a value at $.token", found);
}

#[test]
fn a_body_that_is_too_long_ends_the_journey() {
    let found = "status 201: a body of 2097202 bytes, which is too long to be read";
    check("huge", "take", &AT_LOG_IN, "a value at $.token", found);
    let found = "status 201: one of 32768 bytes, which are more than 16384";
    check("long", "take", &AT_LOG_IN, "a value at $.token", found);
}

#[test]
fn a_value_that_would_smuggle_a_header_in_is_not_sent() {
    let expected = "a taken value that may stand in the header `authorization`";
    let found = "one with a line break or another control character";
    check("injected", "take", &[(USERS, 0), (USERS, USERS)], expected, found);
}

#[test]
fn a_connection_that_ends_in_the_middle_ends_the_journey() {
    let (_, _, findings) = run("closed_in_the_middle");
    assert_eq!(findings["errors"][0]["class"], "reset", "{findings:#}");
    assert_eq!(funnel(&findings)[..2], AT_LOG_IN, "{findings:#}");
}

#[test]
fn texts_of_a_journey_stay_out_of_output() {
    let c: Vec<String> = (90..108).map(canary).collect();
    let bench = Bench::new();
    let plan = format!(
        r#"target: {{ url: "http://127.0.0.1:{port}", command: "node {service}", env: {{ PORT: "{port}" }} }}
scenario:
  journeys:
    - actions:
        - request: {{ method: POST, path: /sessions, json: {{ name: "{0}" }}, take: {{ token: {{ json: $.token }} }} }}
        - set: {{ mine: "{1}", yours: "${{token}} {1}" }}
        - when: {{ value: "${{mine}} {2}", is: "{3}", actions: [request: {{ path: / }}] }}
        - repeat: {{ until: {{ value: "{4}", is: "{5}" }}, at most: 1, actions: [request: {{ path: "/users?key={6}", headers: {{ x-key: "{1}" }} }}] }}
        - repeat: {{ while: {{ value: "${{mine}} {9}", is: "{10}" }}, at most: 1, actions: [request: {{ name: "r0", path: / }}] }}
        - repeat: {{ while: {{ value: "{9}", is not: "{11}" }}, at most: 1, actions: [request: {{ name: "r1", path: /users, headers: {{ x-key: "{1}" }} }}] }}
        - repeat: {{ until: {{ value: "{4}", is not: "{12}" }}, at most: 1, actions: [request: {{ name: "r2", path: /users, headers: {{ x-key: "{1}" }} }}] }}
        - repeat: {{ for each: {{ one: ["{13}", "{13}x"] }}, actions: [request: {{ name: "r3", path: "/users?key=${{one}}", headers: {{ x-key: "{1}" }} }}] }}
        - when: {{ value: "{2}", is not: "{14}", actions: [request: {{ name: "r4", path: "/users?key={14}", headers: {{ x-key: "{1}" }} }}] }}
        - when: {{ not: {{ any: [{{ value: "{15}", below: 5 }}, {{ value: "${{mine}}", is: "{16}" }}] }}, actions: [request: {{ name: "r5", path: "/users?key={17}", headers: {{ x-key: "{1}" }} }}] }}
        - request: {{ path: /users, take: {{ rest: {{ between: {{ after: "{7}", before: "{7}" }} }}, more: {{ regex: "{8}(.)" }} }}, check: [{{ matches: "{8}(.)" }}] }}
load: {{ rate: 20/s, duration: 1s }}
"#,
        c[0],
        c[1],
        c[2],
        c[3],
        c[4],
        c[5],
        c[6],
        c[7],
        c[8],
        c[9],
        c[10],
        c[11],
        c[12],
        c[13],
        c[14],
        c[15],
        c[16],
        c[17],
        port = free_port(),
        service = service("journey.js")
    );
    bench.write("plan.yaml", &plan);
    let ran = bench.run(&["run", "plan.yaml", "--markdown", "out.md"]);
    ran.expect(99, &[]);
    assert!(assert_hidden("a journey", &bench, &ran, &c) > 5);
}

#[test]
fn players_of_the_profile_service_come_to_the_end() {
    let bench = Bench::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let plan = include_str!("../../../../../services/profile/plan-journey.yaml");
    let plan = plan
        .replace("3000", &free_port().to_string())
        .replace("working_dir: ../..", &format!("working_dir: {root}"))
        .replace("rate: 100/s", "rate: 20/s")
        .replace("duration: 30s", "duration: 1s");
    bench.write("plan.yaml", &plan);
    let findings = bench.run(&["run", "plan.yaml", "--json"]).json();
    let [play, look_in] = [0, 1].map(|place| &findings["journeys"][place]);
    assert_eq!(
        (&play["finished"], &play["failed"]),
        (&16.into(), &0.into()),
        "{findings:#}"
    );
    assert_eq!(
        (&look_in["finished"], &look_in["failed"]),
        (&4.into(), &0.into()),
        "{findings:#}"
    );
    assert_eq!(findings["requests"][1]["sent"], 3 * 16, "three turns each");
}

#[test]
fn each_row_of_a_file_is_for_one_user_whatever_the_threads_do() {
    const ROWS: usize = 40;
    let bench = Bench::new();
    let secret = canary(99);
    let rows: String = (0..ROWS).map(|row| format!("u{row},{secret}{row}\n")).collect();
    bench.write("accounts.csv", &format!("user,password\n{rows}"));
    let plan = format!(
        r#"target: {{ url: "http://127.0.0.1:{port}", command: "node {service}", env: {{ PORT: "{port}" }} }}
scenario:
  variables: {{ account: {{ file: accounts.csv, order: shuffled, once: true }} }}
  journeys:
    - actions:
        - request: {{ method: POST, path: /log-in, json: {{ user: "${{account.user}}", password: "${{account.password}}" }} }}
load: {{ model: closed, connections: 8, duration: 60s }}
"#,
        port = free_port(),
        service = service("records.js")
    );
    bench.write("plan.yaml", &plan);
    let ran = bench.run(&["run", "plan.yaml", "--threads", "2", "--json", "--markdown", "out.md"]);
    let findings = ran.json();
    let journey = &findings["journeys"][0];
    assert_eq!(
        (&journey["started"], &journey["finished"]),
        (&ROWS.into(), &ROWS.into()),
        "{findings:#}"
    );
    let mut received: Vec<String> = bench
        .read("received")
        .lines()
        .map(|line| {
            let request: Value = serde_json::from_str(line).expect("JSON");
            let body: Value = serde_json::from_str(request["body"].as_str().expect("a body")).expect("JSON");
            assert!(
                body["password"].as_str().expect("a password").starts_with(&secret),
                "{body}"
            );
            body["user"].as_str().expect("a user").to_owned()
        })
        .collect();
    received.sort_unstable();
    let mut expected: Vec<String> = (0..ROWS).map(|row| format!("u{row}")).collect();
    expected.sort_unstable();
    assert_eq!(received, expected);
    let said = "all 40 rows of accounts.csv are used up, each by one user: no more users came";
    assert!(findings["notices"].to_string().contains(said), "{findings:#}");
    assert!(assert_hidden("a table", &bench, &ran, &[secret]) > 5);
}
