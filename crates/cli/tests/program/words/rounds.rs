//! Rounds for each value of a list, and as long as something is so, against a real service that knows what comes next.

use crate::bench::{Bench, free_port, service};
use serde_json::json;

/// So many users arrive.
const USERS: u64 = 20;

#[test]
fn users_go_through_the_lists_they_were_given() {
    let port = free_port();
    let bench = Bench::new();
    let plan = format!(
        r#"target:
  url: http://127.0.0.1:{port}
  command: node {service}
  env: {{ PORT: "{port}" }}
objectives: [errors <= 0%, p99 <= 60s]
scenario:
  variables: {{ user: {{ to: 1000 }} }}
  journeys:
    - name: look around
      actions:
        - request:
            name: look
            path: "/shelves/${{user}}"
            take: {{ ids: {{ json: "$.items[*].id" }}, things: {{ regex: 'href=([^>]+)', all: true }} }}
        - repeat:
            for each: {{ thing: "${{things}}" }}
            actions: [request: {{ name: follow, path: "${{thing}}" }}]
        - repeat:
            for each: {{ id: "${{ids}}" }}
            at most: 50
            count: {{ place: 0 }}
            actions:
              - set: {{ known: "${{id}}" }}
              - when:
                  value: "${{known}}"
                  is not: ""
                  actions: [request: {{ name: ask, path: "/things/${{user}}/${{place}}?a%22${{place}}" }}]
        - repeat:
            for each: {{ colour: [red, blue] }}
            actions: [request: {{ name: colour, path: "/colours/${{user}}/${{colour}}" }}]
        - when:
            all: [{{ value: "${{user}}", above: 10 }}, {{ not: {{ value: "${{user}}", at least: 15 }} }}]
            actions: [request: {{ name: offer, path: "/offers/${{user}}" }}]
        - set: {{ more: "true", left: "9" }}
        - repeat:
            while: {{ all: [{{ value: "${{more}}", is: "true" }}, {{ value: "${{left}}", above: 0 }}] }}
            at most: 10
            every: 2ms
            count: {{ page: 5 }}
            actions: [request: {{ name: turn, path: "/pages/${{user}}/${{page}}", take: {{ more: {{ json: $.more }}, left: {{ json: $.left }} }} }}]
load: {{ model: open, rate: 20/s, duration: 1s }}
"#,
        service = service("shelves.js")
    );
    bench.write("plan.yaml", &plan);
    let ran = bench.run(&["run", "plan.yaml", "--json"]);
    ran.expect(0, &[]);
    let findings = ran.json();
    let journey = &findings["journeys"][0];
    for (key, users) in [("started", USERS), ("finished", USERS), ("failed", 0)] {
        assert_eq!(journey[key], users, "{journey:#}");
    }
    let requests = findings["requests"].as_array().expect("a list").iter();
    let sent: Vec<u64> = requests
        .map(|request| request["sent"].as_u64().expect("a count"))
        .collect();
    // Users find 0 to 3 things, one and a half on average. Four have a number from 11 to 14.
    assert_eq!(sent, [USERS, USERS * 3 / 2, USERS * 3 / 2, 2 * USERS, 4, 3 * USERS]);
}

#[test]
fn users_who_come_again_log_in_once() {
    let bench = Bench::new();
    let plan = format!(
        r#"target: {{ url: "http://127.0.0.1:{port}", command: "node {service}", env: {{ PORT: "{port}" }} }}
objectives: [errors = 0, p99 <= 60s]
scenario:
  journeys:
    - actions:
        - once: {{ actions: [request: {{ name: log in, path: /log-in, take: {{ when: {{ header: date }} }} }}] }}
        - request: {{ name: ask, path: /ask, headers: {{ x-since: "${{when}}" }} }}
load: {{ model: closed, connections: 4, duration: 1s, think_time: 20ms }}
"#,
        port = free_port(),
        service = service("records.js")
    );
    bench.write("plan.yaml", &plan);
    let ran = bench.run(&["run", "plan.yaml", "--threads", "2", "--json"]);
    ran.expect(0, &[]);
    let findings = ran.json();
    let [log_in, ask] = [0, 1].map(|request: usize| findings["requests"][request]["sent"].as_u64());
    assert_eq!(log_in, Some(4), "{findings:#}");
    assert!(ask > Some(8), "{findings:#}");
    let journey = &findings["journeys"][0];
    assert_eq!(journey["new"], 4, "{journey:#}");
    let log_in = &journey["requests"][0];
    for (key, expected) in [("once", json!(true)), ("reached", json!(4)), ("share", json!(1.0))] {
        assert_eq!(log_in[key], expected, "{journey:#}");
    }
    assert_eq!(journey["requests"][1]["once"], false, "{journey:#}");
    let directory = bench.directory().display().to_string();
    let text = bench.run(&["report", &directory]).stdout;
    assert!(text.contains("log in (once)"), "{text}");
    assert!(text.contains("4 of the "), "{text}");
}
