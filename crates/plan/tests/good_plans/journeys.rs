//! What users do.

use super::{read_key, valid};
use insta::assert_snapshot;
use plimsoll_plan::Plan;

const PLAN: &str = r#"
target: { url: http://127.0.0.1:3000/api, auth: { bearer: target-token } }
scenario:
  variables: { user: { to: 9 }, key: { uuid: random }, tint: { values: [red, blue], order: shuffled } }
  journeys:
    - name: order
      weight: 3
      actions:
        - request: { method: POST, path: /login, json: { user: "${user}" }, take: { token: { json: "$.token" }, page: { header: location } } }
        - pause: { from: 1s, to: 1500ms }
        - set: { state: "" }
        - repeat:
            until: { value: "${state}", is: done }
            every: 2s
            at most: 5
            actions:
              - request:
                  path: /orders
                  headers: { x-token: "${token}" }
                  json: { token: "a ${token}" }
                  take: { state: { between: { after: "<b>", before: "</b>" } }, id: { regex: "id=(<i>)(.)", group: 2 } }
                  check: [{ header: content-type, is: text/html }, { header: etag }, { json: $.error, is not: full }, { lacks: sorry }, { body: thank you }, { matches: "no. [0-9]+" }, { size: { at most: 9 } }, { time: 1500ms }]
                  on_failure: continue
        - chance: { of: 30%, actions: [set: { both: "${user} and ${token}" }, pause: 1s, pause: { mean: 2s }, pause: { mean: 2s, deviation: 300ms }] }
        - when: { value: "${state}", is: done, actions: [request: { path: "${page}" }] }
    - actions: [request: { path: /plain }]
"#;

const ROUNDS: &str = r#"
target: http://127.0.0.1:3000
scenario:
  variables: { user: { to: 9 } }
  before:
    - request: { path: /shops, take: { shops: { json: "$[*]" } } }
  journeys:
    - actions:
        - once: { actions: [request: { path: /in, take: { in: { json: $.in } } }] }
        - repeat:
            for each: { shop: "${shops}" }
            actions:
              - request: { path: "/${shop}", take: { ids: { json: "$.items[*].id" }, links: { regex: 'href="(.)"', all: true } } }
              - repeat: { for each: { id: "${ids}" }, at most: 5, count: { place: 0 }, actions: [request: { path: "/items/${id}?${place}" }] }
              - repeat: { for each: { link: "${links}" }, every: 1s, actions: [request: { path: "/${link}", json: { ids: "${ids}" } }] }
        - repeat: { for each: { colour: [red, "${user}"] }, actions: [request: { path: "/${colour}?${in}", take: { more: { json: $.more } } }] }
        - repeat: { while: { value: "${more}", is not: "false" }, at most: 9, count: { page: 1 }, actions: [request: { path: "/p/${page}", take: { more: { json: $.more } } }] }
        - when: { value: "${more}", is not: red, actions: [request: { path: /rest }] }
        - set: { left: "7", least: "${user}" }
        - when: { value: "${left}", at least: "${least}", actions: [request: { path: /some, check: [{ json: $.left, below: 9.5 }, { header: age, above: "${least}" }] }] }
        - when: { not: { any: [{ value: "${left}", below: -1e3 }, { value: "${more}", is: "${least}" }] }, actions: [request: { path: /more }] }
        - repeat:
            until: { all: [{ value: "${left}", at most: 0 }, { not: { value: "${more}", is: red } }] }
            at most: 3
            actions: [request: { path: /last, take: { left: { json: $.left } } }]
"#;

#[test]
fn rounds_for_lists_and_conditions() {
    assert_snapshot!(read_key("scenario", ROUNDS));
    let plan = valid(Plan::parse(ROUNDS, "plan.yaml"));
    // What was taken before the load is a list there as well.
    let place = plan
        .scenario()
        .variables
        .iter()
        .position(|variable| variable.name == "shops");
    let mut values = vec![None; place.expect("one of them") + 2];
    values[place.expect("one of them")] = Some(br#"["a","b"]"#.as_slice().into());
    valid(plan.given(&values));
}

#[test]
fn journeys() {
    assert_snapshot!(read_key("scenario", PLAN));
}

#[test]
fn texts_of_journeys_are_hidden_but_those_of_checks() {
    let redacted = valid(Plan::parse(PLAN, "plan.yaml")).to_json_redacted();
    for secret in ["target-token", "<b>", "<i>", "no. ", "done", " and "] {
        assert!(!redacted.contains(secret), "{secret}: {redacted}");
    }
    assert!(
        redacted.contains("thank you") && redacted.contains("text/html"),
        "{redacted}"
    );
}

#[test]
fn requests_of_journeys_are_named_in_the_order_they_are_written() {
    let plan = valid(Plan::parse(PLAN, "plan.yaml"));
    let names = plan.scenario().all_requests().map(|request| request.name.as_str());
    assert_eq!(
        names.collect::<Vec<_>>(),
        ["POST /api/login", "GET /api/orders", "GET ${page}", "GET /api/plain"]
    );
}

#[test]
fn what_is_done_before_is_known_to_all() {
    let plan = r#"
target: http://h/api
scenario:
  before:
    - request: { method: POST, path: /keys, take: { key: { json: $.key } } }
  requests: [{ path: "/a?${key}", json: { key: "${key}" } }]
  after:
    - request: { method: DELETE, path: "/keys/${key}" }
"#;
    assert_snapshot!(read_key("scenario", plan));
    let plan = valid(Plan::parse(plan, "plan.yaml"));
    let before = valid(plan.before().map(|before| before.expect("some")));
    assert_eq!(before.scenario().action_requests()[0].request.name, "POST /api/keys");
    let values = [Some(b"a\"b".as_slice().into()), None];
    let given = valid(plan.given(&values));
    let after = valid(given.after().map(|after| after.expect("some")));
    assert!(!given.to_json_redacted().contains("a\\\"b") && !after.to_json_redacted().contains("a\\\"b"));
    let texts = |plan: &Plan| {
        plan.scenario()
            .variables
            .iter()
            .map(|variable| {
                let mut text = Vec::new();
                variable.values.append(0, &mut text);
                String::from_utf8(text).expect("text")
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(&given), ["a\"b", "a\\\"b"]);
    assert_eq!(texts(&after), texts(&given));
    assert!(
        plan.given(&[Some(b"a b".as_slice().into()), None]).is_err(),
        "no path has a space"
    );
}
