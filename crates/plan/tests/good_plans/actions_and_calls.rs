//! What connections do while they are held, and calls of gRPC.

use super::{CART, read_key, valid};
use insta::assert_snapshot;
use plimsoll_plan::Plan;

#[test]
fn actions_of_held_connections() {
    let plan = r#"
target: { url: http://127.0.0.1:3001/held, auth: { bearer: target-token } }
scenario:
  variables: { colour: { values: [red, green] } }
  requests: [{ path: /poll }]
  actions:
    - repeat:
        every: 5s
        actions:
          - request:
              url: http://me:secret-word@127.0.0.1:3000/api
              method: POST
              path: /throw
              headers: { x-colour: "${colour}" }
              json: { to: anyone, name: "${message}" }
              expect: { status: 202 }
load: { model: hold, connections: 100, duration: 10s }
"#;
    // The target's token stays with the target; what the URL of the action says goes to the action alone.
    assert_snapshot!(read_key("scenario", plan), @r#"{"variables":{"colour":{"values":["red","green"]}},"requests":[{"name":"GET /held/poll","weight":1,"method":"GET","path":"/held/poll","headers":{"authorization":"Bearer target-token"},"expect":{"status":["200-399"]}}],"actions":[{"repeat":{"every":"5s","actions":[{"request":{"name":"POST /api/throw","url":"http://127.0.0.1:3000/","method":"POST","path":"/api/throw","headers":{"x-colour":"${colour}","content-type":"application/json","authorization":"Basic bWU6c2VjcmV0LXdvcmQ="},"body":"{\"to\":\"anyone\",\"name\":\"${message}\"}","expect":{"status":["202"]}}}]}}]}"#);
    let read = |text| valid(Plan::parse(text, "plan.yaml"));
    let redacted = read(plan).to_json_redacted();
    for secret in ["target-token", "secret-word", "bWU6c2VjcmV0LXdvcmQ", "anyone"] {
        assert!(!redacted.contains(secret), "{secret}");
    }
    let (repeat, action) = (read(plan).scenario().clone(), "POST /api/throw");
    let (repeat, sent) = repeat.repeated().expect("an action");
    assert_eq!((repeat.every.as_secs(), sent.request.name.as_str()), (5, action));
}

#[test]
fn messages_on_web_sockets() {
    let plan = r#"
target: wss://127.0.0.1:3001/chat
scenario:
  actions: [repeat: { every: 5s, actions: [send: { json: { secret: word, text: "${message}" }, receivers: others }] }]
load: { model: hold, connections: 100, duration: 10s }
"#;
    let scenario = read_key("scenario", plan);
    let send =
        r#"{"send":{"name":"send","text":"{\"secret\":\"word\",\"text\":\"${message}\"}","receivers":"others"}}"#;
    assert!(scenario.contains(send), "{scenario}");
    let opens = r#""path":"/chat","expect":{"status":["101"]}"#;
    assert!(scenario.contains(opens), "{scenario}");
    let plan = valid(Plan::parse(plan, "plan.yaml"));
    assert!(!plan.to_json_redacted().contains("secret"));
    let (_, sent) = plan.scenario().repeated().expect("an action");
    assert_eq!(
        (plan.scenario().sends_messages(), sent.receivers.count(100)),
        (true, Some(99))
    );
}

#[test]
fn messages_with_responses() {
    let plan = r#"
target: { url: "wss://127.0.0.1:3001/chat", auth: { bearer: target-token } }
scenario:
  variables: { user: { to: 9 } }
  requests:
    - { weight: 2, send: { json: { secret: word, id: "${message}", user: "${user}" } } }
    - { name: open, path: "/rooms?user=${user}" }
    - { name: ask, send: { text: "${message}?" } }
load: { model: closed, connections: 5, duration: 5s }
"#;
    let scenario = read_key("scenario", plan);
    let said =
        r#"{"name":"send","weight":2,"send":{"text":"{\"secret\":\"word\",\"id\":\"${message}\",\"user\":${user}}"}}"#;
    assert!(scenario.contains(said), "{scenario}");
    let opens = r#"{"name":"open","weight":1,"method":"GET","path":"/chat/rooms?user=${user}""#;
    assert!(scenario.contains(opens), "{scenario}");
    let plan = valid(Plan::parse(plan, "plan.yaml"));
    assert!(!plan.to_json_redacted().contains("secret"));
    let names = |requests: &[plimsoll_plan::Request]| -> Vec<String> {
        requests.iter().map(|request| request.name.clone()).collect()
    };
    let scenario = plan.scenario();
    assert_eq!(
        (names(&scenario.requests), names(&scenario.openings)),
        (vec!["send".to_owned(), "ask".to_owned()], vec!["open".to_owned()])
    );
    assert_eq!(valid(Plan::parse_saved(&plan.to_json(), "saved")), plan);
}

#[test]
fn events_of_socket_io() {
    let plan = r#"
target: socket.io+wss://127.0.0.1:3001
scenario:
  variables: { user: { to: 9 } }
  requests:
    - { name: come, connect: { namespace: /chat, transport: upgrade, auth: { secret: word, user: "user-${user}" } } }
    - { emit: { event: say, args: [hello, { "to": "${user}" }] } }
    - { name: ping, emit: { event: ping } }
"#;
    let scenario = read_key("scenario", plan);
    for expected in [
        r#""connect":{"namespace":"/chat","transport":"upgrade","auth":"{\"secret\":\"word\",\"user\":\"user-${user}\"}"}"#,
        r#"{"name":"say","weight":1,"emit":{"packet":"[\"say\",\"hello\",{\"to\":${user}}]"}}"#,
        r#"{"name":"ping","weight":1,"emit":{"packet":"[\"ping\"]"}}"#,
    ] {
        assert!(scenario.contains(expected), "{scenario}");
    }
    let plan = valid(Plan::parse(plan, "plan.yaml"));
    assert!(!plan.to_json_redacted().contains("secret"));
    assert_eq!(valid(Plan::parse_saved(&plan.to_json(), "saved")), plan);
}

#[test]
fn a_web_socket_alone_is_opened_and_sent_marks() {
    let plan = Plan::for_url("ws://127.0.0.1:3000/chat").unwrap();
    let scenario = plan.scenario();
    assert_eq!(
        (scenario.requests.len(), scenario.openings[0].name.as_str()),
        (1, "GET /chat")
    );
    assert!(scenario.requests[0].is_message());
    assert!(matches!(plan.load(), plimsoll_plan::Load::Open(_)));
    let held = Plan::holding("ws://127.0.0.1:3000/chat").unwrap();
    assert!(held.scenario().openings.is_empty() && matches!(held.load(), plimsoll_plan::Load::Hold(_)));
}

#[test]
fn calls_of_grpc() {
    let plan = "
target: http://h/v1
scenario:
  variables: { id: { from: 1, to: 2 }, name: { values: [tea, milk] } }
  requests:
    - grpc: { proto: protos/cart.proto, call: shop.Cart/Add, message: { id: '${id}', name: '${name}' } }
      headers: { x-user: '${id}' }
      expect: { grpc_status: [OK, ALREADY_EXISTS] }
    - { grpc: { call: shop.Cart/Clear, message_base64: CAE=, deadline: 1500ms }, path: /elsewhere }
";
    assert_eq!(read_key("target.http", plan), "\"2\"");
    assert_snapshot!(read_key("scenario.requests.0", plan), @r#"{"name":"POST /v1/shop.Cart/Add","weight":1,"method":"POST","path":"/v1/shop.Cart/Add","headers":{"x-user":"${id}","content-type":"application/grpc","te":"trailers"},"grpc":{"call":"shop.Cart/Add","message_base64":["CAESA3RlYQ==","CAISBG1pbGs="]},"expect":{"status":["200"],"grpc_status":["OK","ALREADY_EXISTS"]}}"#);
    assert_snapshot!(read_key("scenario.requests.1", plan), @r#"{"name":"POST /v1/elsewhere","weight":1,"method":"POST","path":"/v1/elsewhere","headers":{"content-type":"application/grpc","te":"trailers","grpc-timeout":"1500m"},"grpc":{"call":"shop.Cart/Clear","message_base64":["CAE="]},"expect":{"status":["200"],"grpc_status":["OK"]}}"#);
}

#[test]
fn messages_of_calls_are_hidden() {
    let files = |path: &std::path::Path, _| match path.file_name().and_then(|name| name.to_str()) {
        Some("a.proto") => Ok(CART.as_bytes().to_vec()),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    let plan = "target: http://h/
scenario: { requests: [{ grpc: { proto: a.proto, call: shop.Cart/Add, message: { name: '${env.NAME} hunter2' }, deadline: 500ms } }] }";
    let plan = valid(Plan::parse_with(plan, "plan.yaml", &files, &|_| {
        Some("topsecret".to_owned())
    }));
    let redacted = plan.to_json_redacted();
    assert!(
        redacted.contains("shop.Cart/Add") && redacted.contains("500m") && !redacted.contains("message"),
        "{redacted}"
    );
    let known = plimsoll_plan::KnownSecrets::of(&plan);
    assert_eq!(known.hide("no topsecret, no hunter2"), "no [redacted], no [redacted]");
}
