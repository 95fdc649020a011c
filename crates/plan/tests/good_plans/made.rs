//! Values that are made: texts, random values and the time.

use super::{read, valid};
use insta::assert_snapshot;
use plimsoll_plan::{Draw, Plan, Values};

const PLAN: &str = r#"
target: http://127.0.0.1:3000
seed: 9
scenario:
  variables:
    id: { uuid: random, anew: true }
    amount: { from: 0, to: 1000, order: random }
    tint: { values: [red, blue], order: random, anew: true }
    code: { length: 6 }
    pin: { length: 4, characters: "0123456789", anew: true }
    sent: { now: milliseconds }
    day: { now: "%Y-%m-%d", offset: +1d12h }
    stamp: { now: iso8601, offset: -90m }
  journeys:
    - actions:
        - request: { method: POST, path: "/${day}/${code}?p=${pin}&s=${stamp}", headers: { x-id: "${id}" }, json: { at: "${sent}", of: "${amount}", in: "${tint} at ${sent}" } }
"#;

#[test]
fn made_values_are_kept_as_their_sources() {
    let json = read(PLAN);
    let saved: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let variables = saved["scenario"]["variables"].as_object().expect("variables");
    let lines: Vec<String> = variables
        .iter()
        .map(|(name, source)| format!("{name}: {source}"))
        .collect();
    assert_snapshot!(lines.join("\n"), @r#"
    id: {"uuid":"random","anew":true}
    amount: {"from":0,"to":1000,"order":"random"}
    tint: {"values":["red","blue"],"order":"random","anew":true}
    code: {"length":6,"characters":"abcdefghijklmnopqrstuvwxyz0123456789"}
    pin: {"length":4,"characters":"0123456789","anew":true}
    sent: {"now":"milliseconds","offset":"+0s"}
    day: {"now":"%Y-%m-%d","offset":"+36h"}
    stamp: {"now":"iso8601","offset":"-90m"}
    "#);
    // Numbers stand in JSON as such.
    let body = saved["scenario"]["journeys"][0]["actions"][0]["request"]["body"].as_str();
    assert_eq!(
        body,
        Some("{\"at\":${sent},\"of\":${amount},\"in\":\"${tint} at ${sent}\"}")
    );
}

#[test]
fn what_is_left_to_chance_follows_from_the_seed() {
    let plan = valid(Plan::parse(PLAN, "plan.yaml"));
    let draws = |plan: &Plan| -> Vec<Draw> {
        let variables = plan.scenario().variables.iter();
        variables.filter_map(|variable| variable.values.draw()).collect()
    };
    let anew: Vec<bool> = draws(&plan).iter().map(|draw| draw.anew).collect();
    assert_eq!(anew, [true, false, true, false, true]);
    let seeds: std::collections::BTreeSet<u64> = draws(&plan).iter().map(|draw| draw.seed).collect();
    assert_eq!(seeds.len(), 5, "each in a way of its own");
    let other = valid(plan.with(|draft| draft.seed = 10));
    assert!(draws(&other).iter().all(|draw| !seeds.contains(&draw.seed)));
    let now = plan
        .scenario()
        .variables
        .iter()
        .find(|variable| variable.name == "day")
        .expect("a variable");
    let Values::Now(now) = &now.values else {
        panic!("{now:?}")
    };
    let mut day = Vec::new();
    now.append(1_709_164_800_000_000_000, &mut day);
    assert_eq!(day, b"2024-03-01");
}

#[test]
fn sources_that_do_not_go_together_are_refused() {
    let words = |variable: &str, place: &str| {
        let plan = format!(
            "target: http://h/\nscenario: {{ variables: {{ v: {{ {variable} }} }}, requests: [{{ {place} }}] }}\n"
        );
        let error = Plan::parse(&plan, "plan.yaml").expect_err(variable);
        format!("{variable}: {}\n", error.mismatch().message())
    };
    let path = "path: '/${v}'";
    let all = [
        ("uuid: random, now: seconds", path),
        ("uuid: random, order: shuffled", path),
        ("now: seconds, anew: true", path),
        ("to: 9, anew: true", path),
        ("to: 9, offset: +1d", path),
        ("to: 9, characters: ab", path),
        ("from: 9", path),
        ("order: random", path),
        ("length: 0", path),
        ("length: 1001", path),
        ("length: 4, characters: ''", path),
        ("length: 4, characters: 'a b'", path),
        ("length: 4, characters: 'a\"'", "json: { a: '${v}' }"),
        ("now: minutes", path),
        ("now: '%Q'", path),
        ("now: '%d %b'", path),
        ("now: seconds, offset: 1d", path),
        ("now: seconds, offset: +40000d", path),
        ("now: seconds", "path: '${v}'"),
    ];
    let all: String = all.iter().map(|(variable, place)| words(variable, place)).collect();
    assert_snapshot!(all, @r#"
    uuid: random, now: seconds: found `uuid` and `now`, expected one of them
    uuid: random, order: shuffled: found `order` of `uuid`, expected `from` and `to`, `values`, or the `file` of a table beside it
    now: seconds, anew: true: found `anew` of `now`, expected `uuid`, `length` or `order: random` beside it
    to: 9, anew: true: found `anew` of a range, expected `uuid`, `length` or `order: random` beside it
    to: 9, offset: +1d: found `offset` of a range, expected `now` beside it
    to: 9, characters: ab: found `characters` of a range, expected the `length` of a random text beside it
    from: 9: found `from` without `to`, expected `from` and `to`
    order: random: found a variable without values, expected `from` and `to`, `values`, `uuid`, `length`, `now`, or `file`
    length: 0: found a text of 0 characters, expected from 1 to 1000
    length: 1001: found a text of 1001 characters, expected from 1 to 1000
    length: 4, characters: '': found no character, expected at least one
    length: 4, characters: 'a b': found ` ` of the variable, expected text that may stand in a path, such as %20 for a space
    length: 4, characters: 'a"': found characters of the variable `v`, expected text that JSON takes as it is
    now: minutes: found `minutes`, expected `seconds`, `milliseconds`, `iso8601`, or a format such as `%Y-%m-%d`
    now: '%Q': found `%Q`, expected one of %Y %y %m %d %j %H %I %M %S %3f %p %A %a %B %b %s, such as in `%Y-%m-%d`; `%%` is a `%`
    now: '%d %b': found a time such as `04 Feb`, expected text that may stand in a path, such as %20 for a space
    now: seconds, offset: 1d: found `1d`, expected an offset such as +1d or -90m
    now: seconds, offset: +40000d: found `+40000d`, expected an offset of at most 36525d
    now: seconds: found a path that begins with a variable, expected a path that begins with `/`
    "#);
}
