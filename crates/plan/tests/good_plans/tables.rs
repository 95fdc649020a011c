//! Tables in files, whose rows users are given.

use super::valid;
use insta::assert_snapshot;
use plimsoll_plan::{Plan, PlanError, RowOrder};
use std::path::Path;

/// A plan whose users have these variables, of a file with these bytes.
fn parse(variable: &str, request: &str, file: &[u8]) -> Result<Plan, PlanError> {
    let text = format!(
        "target: http://h/\nseed: 7\nscenario:\n  variables: {{ a: {{ {variable} }} }}\n  journeys:\n    - actions: [request: {{ {request} }}]\n"
    );
    let files = |path: &Path, most: u64| match path.to_str() {
        Some("/plans/a.csv" | "/plans/a.jsonl" | "/plans/a.txt") if file.len() as u64 <= most => Ok(file.to_vec()),
        _ => Err(std::io::Error::new(std::io::ErrorKind::NotFound, "no such file")),
    };
    Plan::parse_with(&text, "/plans/plan.yaml", &files, &|_| None)
}

const REQUEST: &str = "path: '/${a.id}', headers: { x-a: '${a.name}' }, json: ['${a.name}']";

#[test]
fn a_table_is_kept_without_its_rows() {
    let plan = valid(parse(
        "file: a.csv, order: shuffled, once: true",
        REQUEST,
        b"id,name\n1,hunter2\n",
    ));
    let saved = plan.to_json();
    let variables =
        serde_json::from_str::<serde_json::Value>(&saved).expect("JSON")["scenario"]["variables"].to_string();
    assert_snapshot!(variables, @r#"{"a":{"file":"a.csv","columns":["id","name"],"order":"shuffled","once":true}}"#);
    assert!(!saved.contains("hunter2") && !format!("{plan:?}").contains("hunter2"));
    assert_eq!(valid(Plan::parse_saved(&saved, "plan.json")), plan);
    for saved in [saved, plan.to_json_redacted()] {
        assert_eq!(
            valid(Plan::parse_saved(&saved, "plan.json")).to_json_redacted(),
            plan.to_json_redacted()
        );
    }
}

#[test]
fn rows_are_shuffled_by_the_seed_of_the_plan() {
    let plan = valid(parse(
        "file: a.txt, separator: ';', columns: [id, name], order: shuffled",
        REQUEST,
        b"1;a\n2;b\n",
    ));
    let table = |plan: &Plan| plan.scenario().tables().next().cloned().expect("a table");
    assert_eq!(
        (table(&plan).count(), table(&plan).seed(), table(&plan).order()),
        (2, 7, RowOrder::Shuffled)
    );
    let other = valid(plan.with(|draft| draft.seed = 8));
    assert_eq!(table(&other).seed(), 8);
}

#[test]
fn a_million_rows_are_read() {
    let rows: String = (0..1_000_000).map(|row| format!("{row},user {row}\n")).collect();
    let plan = valid(parse("file: a.csv", REQUEST, format!("id,name\n{rows}").as_bytes()));
    let table = plan.scenario().tables().next().cloned().expect("a table");
    assert_eq!(table.count(), 1_000_000);
}

#[test]
fn values_stand_in_json_as_it_wants_them() {
    let plan = valid(parse(
        "file: a.jsonl",
        "path: /, json: ['${a.name}']",
        br#"{"id":1,"name":"a\"b\nc"}"#,
    ));
    let texts = plan.scenario().variables.iter().map(|variable| {
        let mut text = Vec::new();
        variable.values.append(0, &mut text);
        (variable.name.as_str(), String::from_utf8(text).expect("text"))
    });
    let expected = [
        ("a.id", "1"),
        ("a.id.json", "1"),
        ("a.name", "a\"b\nc"),
        ("a.name.json", r#"a\"b\nc"#),
    ];
    assert_eq!(
        texts.collect::<Vec<_>>(),
        expected.map(|(name, text)| (name, text.to_owned()))
    );
}

#[test]
fn messages_about_tables() {
    let check = |variable: &str, request: &str, file: &[u8]| match parse(variable, request, file) {
        Ok(read) => panic!("{variable}: was read as {}", read.to_json()),
        Err(error) => format!("{variable}\n{error}\n"),
    };
    let plain = "path: '/${a.id}'";
    let shown = [
        check("file: b.csv", plain, b""),
        check("file: a.csv", plain, b"id\n"),
        check("file: a.csv", plain, b"id,secret\n1,hunter2\n2"),
        check("file: a.csv", plain, b"id\n\"hunter2"),
        check("file: a.csv", plain, b"id\nhunter2\xff"),
        check("file: a.csv", plain, b"ID\n1\n"),
        check("file: a.csv", plain, b"id\n1\nhunter 2\n"),
        check("file: a.csv", "path: '${a.id}'", b"id\n/1\nhunter2\n"),
        check(
            "file: a.csv",
            "path: /, headers: { x-a: '${a.id}' }",
            b"id\n\"hunter\n2\"\n",
        ),
        check("file: a.jsonl", plain, b"{\"id\":1}\n{\"ID\":2}\n"),
        check("file: a.jsonl", plain, b"{\"id\":\"hunter2"),
        check("file: a.jsonl, separator: ';'", plain, b"{}"),
        check("file: a.csv, separator: ';;'", plain, b"id\n1\n"),
        check("file: a.csv, order: random, once: true", plain, b"id\n1\n"),
        check("file: a.csv, values: [b]", plain, b"id\n1\n"),
        check("to: 5, once: true", "path: /", b""),
    ];
    let shown = shown.join("\n");
    assert!(!shown.contains("hunter"), "{shown}");
    assert_snapshot!(shown);
}

#[test]
fn requests_take_rows_in_turn_alone() {
    let read = |variable: &str| {
        let text = format!(
            "target: http://h/\nscenario: {{ variables: {{ a: {{ file: a.csv, {variable} }} }}, requests: [{{ path: '/${{a.id}}' }}] }}\n"
        );
        Plan::parse_with(&text, "plan.yaml", &|_, _| Ok(b"id\n1\n".to_vec()), &|_| None)
    };
    assert!(read("order: shuffled").is_ok());
    let error = read("once: true").expect_err("no users");
    assert_snapshot!(error.mismatch().message(), @"found `once` without journeys, expected `false`: requests are given rows in turn, and users of `journeys` may be given each once");
}
