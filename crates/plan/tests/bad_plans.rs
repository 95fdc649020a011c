//! Plans that are refused, and what is said about them: `snapshots/bad_plans__messages.snap` shows each below its plan.

mod refused;

use plimsoll_plan::{Mismatch, Plan};
use refused::{AROUND_JOURNEYS, CALLS, JOURNEYS, STAND_INS, USERS, WEB_SOCKETS};
use std::fmt::Write;
use std::path::Path;

/// Whole plans.
const PLANS: &[&str] = &[
    "",
    "- a\n- list\n",
    "load: { rate: 1/s, duration: 10s }\n",
    "target:\n",
    "target: [http://h/]\n",
    "target: 127.0.0.1:3000\n",
    "target: ftp://127.0.0.1:3000\n",
    "target: { url: http://h/, tls: { insecure: true } }\n",
    "target: { url: https://h/, tls: { insecure: true, ca: ca.pem } }\n",
    "target: { url: https://h/, tls: { key: client.key } }\n",
    "target: { url: https://h/, tls: { versions: 1.1 } }\n",
    "target: { url: https://h/, resolve: h:443 }\n",
    "target: { url: https://h/, resolve: h:80:127.0.0.1 }\n",
    "target: { url: https://h/, resolve: [h:443:127.0.0.1, h:443:127.0.0.2] }\n",
    "target: { url: http+unix://%2Fa, resolve: h:443:127.0.0.1 }\n",
    "target: http://[fe80::1%eth0]/\n",
    "target: { url: http://h/, auth: {} }\n",
    "target: { url: http://h/, auth: { bearer: secret, basic: { user: me } } }\n",
    "target: { url: http://h/, auth: { bearer: secret token } }\n",
    "target: { url: http://h/, auth: { bearer: secret, bearer_file: token } }\n",
    "target: { url: http://h/, auth: { bearer_file: no/such/token } }\n",
    "target: { url: http://h/, auth: { basic: { user: 'secret:secret' } } }\n",
    "target: { url: http://h/, auth: { basic: { password: secret } } }\n",
    "target: { url: http://me:secret@h/, auth: { bearer: secret } }\n",
    "target: { url: http://h/, auth: secret }\n",
    "target: { url: http://h/, http: 3 }\n",
    "target: { url: http://h/, http: 2 }\nconnections: { streams: 0 }\n",
    "target: { url: http://h/, http: 2 }\nconnections: { pipelining: 4 }\n",
    "target: { url: http://h/, http: 2 }\nconnections: { keep_alive: false, streams: 2 }\n",
    "target: { url: http://h/, http: 2 }\nconnections: { streams: 2 }\nload: { model: hold, connections: 5, duration: 5s, park: nothing }\n",
    "target: { url: http://h/, follow_redirects: 51 }\n",
    "target: { url: http://h/, follow_redirects: 5 }\nload: { model: hold, connections: 5, duration: 5s }\n",
    "target: { url: http://h/, proxy: https://p/ }\n",
    "target: { url: http://h/, proxy: http://me:secret@p/x }\n",
    "target: { url: http+unix://%2Fa, proxy: http://p/ }\n",
    "target: { url: http://h/, http: 2, proxy: http://p/ }\n",
    "target: http://h/\nobjectives: [handshake p99 <= 20ms]\n",
    "target: http://h/\nobjectives: [opening p99 <= 50ms]\n",
    "target: http://h/\nobjectives: [journey p99 <= 2s]\n",
    "target: http://h/\nobjectives: [journey p99(pay) <= 2s]\nscenario: { journeys: [{ name: play, actions: [request: {}] }] }\n",
    "target: http://h/\nobjectives: [p99(play) <= 2s]\nscenario: { journeys: [{ name: play, actions: [request: {}] }] }\n",
    "target: http://h/\nobjectives: [errors(play) = 0]\nscenario: { journeys: [{ name: play, actions: [request: {}] }] }\n",
    "target: http://h/\nobjectives: [journey failed <= 1%]\n",
    "target: http://me:sec/ret@h/\n",
    "target: ${URL}\n",
    "target: http://h/#top\n",
    "target: { ulr: http://h/ }\n",
    "target: { url: http://h/, command: node server.js, pid: 12 }\n",
    "target: { url: http://h/, command: node server.js, container: web }\n",
    "target: { url: http://h/, pid: 12, container: web }\n",
    "target: { url: http://h/, container: / }\n",
    "target: http://h/\nobjectives: [memory <= 400MiB]\n",
    "target: { url: http://h/, pid: 12 }\nobjectives: [memory <= 400]\n",
    "target: { url: http://h/, pid: 12 }\nobjectives: [loop delay p99 <= 50ms]\n",
    "target: { url: http://h/, env: { A: b } }\n",
    "target: { url: http://h/, command: 'PORT=1 node server.js' }\n",
    "target: { url: http://h/, command: 'node server.js | tee log' }\n",
    "target: { url: http://h/, command: \"node 'server.js\" }\n",
    "target: { url: http://h/, command: node s.js, stdout: files }\n",
    "target: { url: http://h/, command: node s.js, ready: /health }\n",
    "target: { url: http://h/, command: node s.js, ready: { path: health } }\n",
    "target: { url: http://h/, cpus: 3-1 }\n",
    "target: http://h/\ntarget: http://i/\n",
    "target: http://h/\nobjektives: []\n",
    "target: http://h/\n\tseed: 1\n",
    "target: http://h/\nname: \"unclosed\n",
    "target: http://h/\n---\ntarget: http://i/\n",
    "{\"target\": \"http://h/\", \"seed\": -1}",
    "{\"target\": \"http://h/\", \"load\": {\"rate\": \"fast\", \"duration\": \"10s\"}}",
    "target: *nowhere\n",
    "target: !env URL\n",
];

/// Lines after a valid target.
const REST: &[&str] = &[
    "seed: 18446744073709551616",
    "seed: [1]",
    "objectives: cpu <= 80%",
    "objectives: []",
    "objectives: [cpu <= 120%]",
    "objectives: [cpu < 80%]",
    "objectives: [p99 <= 100]",
    "objectives: [p99 <= 100ms, p99 <= 1s]",
    "objectives: [latencies <= 100ms]",
    "objectives: [p99 <= 0ms]",
    "judging: { window: 1m }\nload: { rate: 10/s, duration: 30s }",
    "judging: { warm_up: 30s }\nload: { rate: 10/s, duration: 30s }",
    "judging: { passing_windows: 0.9 }",
    "load: { rate: 1000/s, duratoin: 30s }",
    "load: { rate: 1000/s, duration: 5 }",
    "load: { rate: 1000/s, duration: }",
    "load: { rate: 1000/s }",
    "load: { rate: 100 parsecs, duration: 30s }",
    "load: { rate: 0, duration: 30s }",
    "load: { rate: -5/s, duration: 30s }",
    "load: { rate: 11M/s, duration: 30s }",
    "load: { rate: 1/h, duration: 30s }",
    "load: { rate: 1/s, duration: 0s }",
    "load: { rate: 1/s, duration: 400d }",
    "load: { rate: 1/s, duration: 10s, stages: ['30s:100'] }",
    "load: { stages: [] }",
    "load: { stages: ['30s-100'] }",
    "load: { stages: ['30s:many'] }",
    "load: { model: closed, stages: [] }",
    "load: { model: closed, stages: ['30s:5/s'] }",
    "load: { model: closed, stages: [{ hold: 2.5, duration: 1s }] }",
    "load: { model: closed, stages: [{ hold: 0, duration: 1s }] }",
    "load: { model: closed, stages: [{ hold: 99000000, duration: 1s }] }",
    "load: { model: closed, stages: [{ hold: 5, duration: 0s }] }",
    "load: { model: closed, stages: [{ ramp_to: 5, hold: 5, duration: 1s }] }",
    "load: { model: closed, connections: 5, stages: [{ hold: 5, duration: 1s }] }",
    "load: { model: closed, duration: 5s, stages: [{ hold: 5, duration: 1s }] }",
    "load: { model: hold, connections: 5, duration: 1s, stages: [{ hold: 5, duration: 1s }] }",
    "load: { stages: [{ ramp_to: 5/s, hold: 5/s, duration: 1s }] }",
    "load: { stages: [{ hold: 5/s, duration: 1s }, { ramp_to: 5/s }] }",
    "load: { stepping: { start: 1/s, step: 1/s, every: 1s, steps: 0 } }",
    "load: { stepping: { start: 9M/s, step: 1M/s, every: 1s, steps: 3 } }",
    "load: { rate: 1/s, duration: 10s, connections: 5 }",
    "load: { model: close, connections: 5, duration: 5s }",
    "load: { model: hold, connections: 5 }",
    "load: { model: hold, duration: 5s }",
    "load: { model: hold, connections: 5, duration: 5s, rate: 1/s }",
    "load: { model: hold, connections: 5, duration: 5s, park: requests }",
    "load: { model: hold, connections: 5, duration: 5s, ping: 1500ms }",
    "load: { model: hold, connections: 5, duration: 5s, ports: 9-8 }",
    "load: { model: hold, connections: 5, duration: 5s, pace: 0/s }",
    "load: { rate: 1/s, duration: 10s, park: nothing }",
    "connections: { keep_alive: yes }",
    "connections: { keep_alive: false, pipelining: 4 }",
    "connections: { streams: 4 }",
    "connections: { response_timeout: 0s }",
    "search: { start: 1000/s, max: 10/s }",
    "search: { budget: 1s, step: 5s }",
    "search:",
    "sizing: { demand: 0/s }",
    "sizing: { demand: -5/s }",
    "sizing: { demand: 20M/s }",
    "sizing: { demand: 5/s, headroom: 100% }",
    "sizing: { demand: 5/s, headroom: 0.3 }",
    "sizing: { demand: 5/s, price: 0.12 }",
    "sizing: { demand: 5/s, price: 0/h }",
    "sizing: { demand: 5/s, price: -0.12/h }",
    "sizing: { demands: 5/s }",
    "fleet: 127.0.0.1:4222",
    "fleet: http://u:hunter2@127.0.0.1:4222",
    "fleet: nats://u:hunter2@10.0.0.1:4222",
    "fleet: { agents: 2 }",
    "fleet: { url: local, agents: 65 }",
    "fleet: { url: 'nats://127.0.0.1', agents: 0 }",
    "fleet: { url: 'nats://127.0.0.1', agents: 2, min_agents: 3 }",
    "fleet: { url: local, key: run.key }",
    "fleet: { url: local, agent: 2 }",
    "load:\n  # rate: 5/s\n",
    "load:\n  - rate: 5/s\n",
];

/// Keys of the one request of a scenario with the variables `user`, a number, and `colour`, a text.
const REQUESTS: &[&str] = &[
    "{ path: profiles }",
    "{ path: /a b }",
    "{ path: /${user} }",
    "{ path: '/${usr}' }",
    "path: /${usr}",
    "{ path: \"/${user\" }",
    "{ path: '${user}' }",
    "{ path: '/${colour}' }",
    "{ method: get }",
    "{ method: GET / }",
    "{ weight: 0 }",
    "{ headers: { x-a: \"one\\r\\ntwo\" } }",
    "{ headers: { 'x a': one } }",
    "{ headers: { Content-Length: 5 } }",
    "{ headers: { a: { b: c } } }",
    "{ body: a, json: {} }",
    "{ body_file: no/such/file }",
    "{ body_base64: '~~~' }",
    "{ json: { colour: '${colour}' } }",
    "{ expect: { status: 2000 } }",
    "{ expect: { status: [2xx, ok] } }",
    "{ expect: 200 }",
    "{ expect: { grpc_status: OK } }",
    "{ grpc: {} }",
    "{ grpc: { call: a.B/C }, body: a }",
    "{ grpc: { call: a.B/C }, method: GET }",
    "{ grpc: { call: a.B/C, message: {} } }",
    "{ grpc: { call: a.B/C, import_paths: . } }",
    "{ grpc: { call: a.B/C, message_base64: '~~~' } }",
    "{ grpc: { call: a.B/C, message_base64: [] } }",
    "{ grpc: { call: a.B/C, proto: no/such.proto } }",
    "{ grpc: { call: a.B/C }, expect: { grpc_status: Ok } }",
    "{ grpc: { call: a.B/C }, expect: { grpc_status: [] } }",
    "{ grpc: { call: a.B/C }, expect: { grpc_status: NOT_FOUND } }",
    "{ grpc: { call: a.B/C, deadline: 0s } }",
    "{ grpc: { call: a.B/C, deadline: 1s }, headers: { Grpc-Timeout: 1S } }",
];

#[test]
fn messages_about_stand_ins() {
    let mut shown = String::new();
    for neighbour in STAND_INS {
        let plan = format!("target:\n  url: http://h/\n  beside:\n    - {{ {neighbour} }}\n");
        match Plan::parse(&plan, "plan.yaml") {
            Ok(read) => panic!("{plan}\nwas read as {}", read.to_json()),
            Err(error) => write!(shown, "{neighbour}\n{error}\n\n========\n").unwrap(),
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn messages_about_calls() {
    const CART: &str = "syntax = \"proto3\"; package shop; message Item { uint64 id = 1; string name = 2; }
        service Cart { rpc Add(Item) returns (Item); rpc Watch(Item) returns (stream Item); }";
    let said = |call: &str, file: &str| {
        let plan = format!(
            "target: http://h/\nscenario:\n  variables: {{ user: {{ to: 7 }}, many: {{ to: 1000000 }}, colour: {{ values: [red] }} }}\n  \
             requests:\n    - grpc: {{ proto: cart.proto, {call} }}\n"
        );
        let files = |_: &Path, _| Ok(file.as_bytes().to_vec());
        let error = Plan::parse_with(&plan, "plan.yaml", &files, &|_| None).expect_err(call);
        format!("{error}\n")
    };
    let mut all: Vec<String> = CALLS.iter().map(|call| said(call, CART)).collect();
    all.push(said("call: shop.Cart/Add", "syntax = \"proto3\";\nmesage Item {}\n"));
    all.push(said("call: shop.Cart/Add", "import \"shop/item.proto\";\n"));
    insta::assert_snapshot!(all.join("\n"));
}

/// Scenarios.
const SCENARIOS: &[&str] = &[
    "{}",
    "{ requests: [] }",
    "{ requests: { path: / } }",
    "{ requests: [{ path: /a }, { path: /a }] }",
    "{ variables: { user: { from: 5, to: 1 } }, requests: [{}] }",
    "{ variables: { user: {} }, requests: [{}] }",
    "{ variables: { user: { to: 3, values: [a] } }, requests: [{}] }",
    "{ variables: { user: { values: [] } }, requests: [{}] }",
    "{ variables: [user], requests: [{}] }",
];

/// Actions of held connections, where `SEND` is a request that is in order.
const ACTIONS: &[&str] = &[
    "[]",
    "[{}]",
    "[pause: 5s]",
    "[request: SEND]",
    "[repeat: { actions: [request: SEND] }]",
    "[repeat: { every: 5s }]",
    "[repeat: { every: 5s, actions: [] }]",
    "[repeat: { every: 0s, actions: [request: SEND] }]",
    "[repeat: { every: 2h, actions: [request: SEND] }]",
    "[repeat: { every: 1us, actions: [request: SEND] }]",
    "[repeat: { every: 5s, actions: [emit: SEND] }]",
    "[repeat: { every: 5s, actions: [request: SEND, request: SEND] }]",
    "[repeat: { every: 5s, actions: [repeat: { every: 5s, actions: [request: SEND] }] }]",
    "[repeat: { every: 5s, actions: [request: SEND], request: SEND }]",
    "[{ repeat: { every: 5s, actions: [request: SEND] }, request: SEND }]",
    "[repeat: { every: 5s, actions: [request: SEND] }, repeat: { every: 5s, actions: [request: { path: '/${message}' }] }]",
    "[repeat: { every: 5s, actions: [request: { path: /throw }] }]",
    "[repeat: { every: 5s, actions: [request: { path: '/${mesage}' }] }]",
    "[repeat: { every: 5s, actions: [request: { path: '/${message}', name: wait }] }]",
    "[repeat: { every: 5s, actions: [request: { path: '/${message}', weight: 2 }] }]",
    "[repeat: { every: 5s, actions: [request: { path: '/${message}', url: 'me:secret@h' }] }]",
    "[repeat: { every: 5s, actions: [request: { path: '/${message}', url: 'http://h/?secret=1' }] }]",
];

/// Plans whose actions are in order, and do not fit the rest.
const AROUND_ACTIONS: &[&str] = &[
    "target: http://h/\nscenario: { ACTIONS }\n",
    "target: http://h/\nscenario: { ACTIONS }\nload: { model: closed, connections: 5, duration: 5s }\n",
    "target: http://h/\nscenario: { ACTIONS }\nload: { model: hold, connections: 5, duration: 5s, park: nothing }\n",
    "target: { url: http://h/, proxy: http://p/ }\nscenario: { ACTIONS }\nload: { model: hold, connections: 5, duration: 5s }\n",
    "target: http://h/\nscenario: { variables: { message: { to: 5 } }, ACTIONS }\nload: { model: hold, connections: 5, duration: 5s }\n",
];

#[test]
fn messages_about_web_sockets() {
    let mut shown = String::new();
    for plan in WEB_SOCKETS {
        let plan = plan.replace("SEND", "send: { text: '${message}' }");
        let plan = plan.replace("HOLD", "load: { model: hold, connections: 5, duration: 5s }");
        match Plan::parse(&plan, "plan.yaml") {
            Ok(read) => panic!("{plan}\nwas read as {}", read.to_json()),
            Err(error) => write!(shown, "{plan}\n{error}\n\n========\n").unwrap(),
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn messages() {
    let target = "target: http://127.0.0.1:3000\n";
    let variables = "variables: { user: { to: 9 }, colour: { values: [red, 'dark \"blue\"'] } }";
    let scenario = |request: &&str| format!("{target}scenario:\n  {variables}\n  requests:\n    - {request}\n");
    let plans = PLANS.iter().map(ToString::to_string);
    let plans = plans.chain(REST.iter().chain(USERS).map(|lines| format!("{target}{lines}\n")));
    let plans = plans.chain(REQUESTS.iter().map(scenario));
    let plans = plans.chain(
        SCENARIOS
            .iter()
            .map(|scenario| format!("{target}scenario: {scenario}\n")),
    );
    let hold = "load: { model: hold, connections: 4000000, duration: 300s }";
    let plans = plans.chain(ACTIONS.iter().map(|actions| {
        let actions = actions.replace("SEND", "{ path: '/send/${message}' }");
        format!("{target}{hold}\nscenario:\n  requests: [{{ name: wait }}]\n  actions: {actions}\n")
    }));
    let actions = "requests: [{}], actions: [repeat: { every: 1s, actions: [request: { path: '/${message}' }] }]";
    let plans = plans.chain(AROUND_ACTIONS.iter().map(|plan| plan.replace("ACTIONS", actions)));
    let plans = plans.chain(JOURNEYS.iter().map(|actions| {
        let actions = actions.replace("ASK", "request: { path: /a }");
        let actions = actions.replace("TAKE", "request: { path: /a, take: { token: { json: $.token } } }");
        let actions = actions.replace("LIST", "request: { path: /l, take: { ids: { json: '$[*]' } } }");
        format!("{target}scenario:\n  {variables}\n  journeys:\n    - actions: {actions}\n")
    }));
    let journeys = "journeys: [{ actions: [request: { path: /a }] }]";
    let plans = plans.chain(AROUND_JOURNEYS.iter().map(|plan| plan.replace("JOURNEYS", journeys)));
    let mut shown = String::new();
    for plan in plans {
        match Plan::parse(&plan, "plan.yaml") {
            Ok(read) => panic!("{plan}\nwas read as {}", read.to_json()),
            Err(error) => write!(shown, "{plan}\n{error}\n\n========\n").unwrap(),
        }
    }
    insta::assert_snapshot!(shown);
}

/// What is said about a flag of the command line, where there is no file to point at.
#[test]
fn messages_about_flags() {
    let said: Vec<Mismatch> = vec![
        plimsoll_plan::parse_duration("30").unwrap_err(),
        plimsoll_plan::parse_rate("100 parsecs").unwrap_err(),
        plimsoll_plan::parse_stage("30s").unwrap_err(),
        plimsoll_plan::parse_cpus("one").unwrap_err(),
        plimsoll_plan::parse_share("0.9").unwrap_err(),
        "p99 < 100ms".parse::<plimsoll_plan::Objective>().unwrap_err(),
        plimsoll_plan::Url::parse("localhost:3000").unwrap_err(),
        plimsoll_plan::split_command("").unwrap_err(),
        "evn".parse::<plimsoll_plan::Arrivals>().unwrap_err(),
    ];
    let said: Vec<String> = said.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let error = Plan::parse(&" ".repeat((1 << 20) + 1), "plan.yaml").unwrap_err();
    insta::assert_snapshot!(error, @"plan.yaml: found 1048577 bytes, expected at most 1048576 bytes");
}

#[test]
fn a_file_that_grows_too_large_is_not_read() {
    let mut plan = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let last = format!("*a{}, ", level - 1).repeat(10);
        writeln!(plan, "a{level}: &a{level} [{last}]").unwrap();
    }
    let plan = format!(
        "target: http://h/\nscenario:\n  requests:\n    - json:\n        {}\n",
        plan.replace('\n', "\n        ")
    );
    let error = Plan::parse(&plan, "plan.yaml").unwrap_err();
    assert!(error.to_string().contains("grows too large"), "{error}");
    let deep = format!(
        "target: http://h/\nscenario: {{ requests: [{{ json: {}{} }}] }}\n",
        "[".repeat(500),
        "]".repeat(500)
    );
    assert!(Plan::parse(&deep, "plan.yaml").is_err());
}

#[test]
fn only_regular_files_are_bodies() {
    let plan = "target: http://h/\nscenario: { requests: [{ body_file: /dev/zero }] }\n";
    insta::assert_snapshot!(Plan::parse(plan, "plan.yaml").unwrap_err(), @r"
    plan.yaml:2:37: found `/dev/zero`, expected a readable file of at most 16 MiB
      |
    2 | scenario: { requests: [{ body_file: … }] }
      |                                     ^
    hint: it is a device, expected a regular file
    ");
}

#[test]
fn a_host_with_a_port_where_no_file_is_may_be_a_url() {
    for (name, hint) in [
        ("localhost:3000", "hint: did you mean `http://localhost:3000`?"),
        ("127.0.0.1:3000", "hint: did you mean `http://127.0.0.1:3000`?"),
        ("no-such-plan.yaml", "write a first plan with `plimsoll init`"),
    ] {
        let error = Plan::open(Path::new(name)).expect_err("no such file").to_string();
        assert!(error.contains(hint), "{error}");
    }
}

/// What somebody writes who knows other tools, and what is said then.
#[test]
fn words_of_other_tools_are_known() {
    let action = |action: &str| {
        format!("target: http://h/\nscenario: {{ journeys: [{{ actions: [{{ request: {{}} }}, {{ {action} }}] }}] }}\n")
    };
    for (plan, hint) in [
        (action("get: /a"), "hint: did you mean `request`?"),
        (action("think: 1s"), "hint: did you mean `pause`?"),
        (action("loop: 5"), "hint: did you mean `repeat`?"),
        (
            action("request: { path: /, capture: { a: { json: $.a } } }"),
            "hint: did you mean `take`?",
        ),
        (action("pause: { min: 1s, max: 2s }"), "hint: did you mean `from`?"),
        (action("chance: 20%"), "hint: its keys are of, actions"),
        (action("once: [request: {}]"), "hint: its only key is `actions`"),
        (
            action("request: { path: /, check: { body: a } }"),
            "hint: write each element behind a dash and a blank, also where there is only one",
        ),
        (
            "target: http://h/\nload: { model: closed, users: 5, duration: 1s }\n".to_owned(),
            "hint: did you mean `connections`?",
        ),
    ] {
        let error = Plan::parse(&plan, "plan.yaml").expect_err(&plan).to_string();
        assert!(error.contains(hint), "{error}");
    }
}

#[test]
fn tables_are_named_with_their_columns() {
    let table = |_: &Path, _| Ok(b"email,password\na@h,b\n".to_vec());
    for name in ["account", "email"] {
        let plan = format!(
            "target: http://h/\nscenario: {{ variables: {{ account: {{ file: a.csv }} }}, requests: [path: '/${{{name}}}'] }}\n"
        );
        let error = Plan::parse_with(&plan, "plan.yaml", &table, &|_| None)
            .expect_err(name)
            .to_string();
        assert!(error.contains("did you mean `account.email`?"), "{error}");
    }
}
