//! The workflow files of the documentation are whole, and call commands and options that exist.

use super::Cli;
use clap::Parser as _;
use plimsoll_plan::split_command;
use serde_json::Value;

const GITHUB: &str = include_str!("../../../../docs/guides/workflows/github.yml");
const GITLAB: &str = include_str!("../../../../docs/guides/workflows/gitlab.yml");

fn parsed(text: &str) -> Value {
    serde_saphyr::from_str(text).expect("YAML")
}

/// Every string below a value.
fn strings<'a>(value: &'a Value, all: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => all.push(text),
        Value::Array(values) => values.iter().for_each(|value| strings(value, all)),
        Value::Object(values) => values.values().for_each(|value| strings(value, all)),
        _ => {}
    }
}

/// The words of each call of plimsoll, with the values of `variables` in their places.
fn calls(workflow: &Value, variables: &str) -> Vec<Vec<String>> {
    let mut texts = Vec::new();
    strings(workflow, &mut texts);
    let lines = texts.iter().map(|text| text.replace("\\\n", " "));
    let lines: Vec<String> = lines
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let call = |line: &String| {
        let command = line.trim().strip_prefix("npx ")?;
        let (command, _) = command.split_once(" > ").unwrap_or((command, ""));
        let mut command = command.to_owned();
        for (name, value) in workflow[variables].as_object().expect("variables") {
            command = command.replace(&format!("${name}"), value.as_str().expect("text"));
        }
        Some(split_command(&command).expect("a command line"))
    };
    lines.iter().filter_map(call).collect()
}

/// Each call is one that the program takes, and what it writes is kept.
#[track_caller]
fn assert_taken(calls: &[Vec<String>], kept: &Value, commands: &[&str]) {
    let names: Vec<&str> = calls.iter().map(|call| call[1].as_str()).collect();
    assert_eq!(names, commands);
    let kept = kept.to_string();
    for call in calls {
        Cli::try_parse_from(call).unwrap_or_else(|error| panic!("{call:?}\n{error}"));
        for pair in call
            .windows(2)
            .filter(|pair| ["--markdown", "--junit", "--code-quality"].contains(&&*pair[0]))
        {
            assert!(kept.contains(&pair[1]), "{} is not kept: {kept}", pair[1]);
        }
    }
}

#[test]
fn github_workflow_calls_commands_as_they_are() {
    let workflow = parsed(GITHUB);
    assert!(workflow["on"].as_object().expect("events").contains_key("pull_request"));
    for (name, job) in workflow["jobs"].as_object().expect("jobs") {
        assert!(job["runs-on"].is_string() && job["timeout-minutes"].is_u64(), "{name}");
        for step in job["steps"].as_array().expect("steps") {
            assert!(step["uses"].is_string() != step["run"].is_string(), "{name}: {step}");
        }
    }
    let steps = workflow["jobs"]["check"]["steps"].as_array().expect("steps");
    let artifact = steps.last().expect("steps");
    assert_taken(
        &calls(&workflow, "env"),
        &artifact["with"]["path"],
        &["doctor", "check", "diagnose"],
    );
}

#[test]
fn gitlab_workflow_calls_commands_as_they_are() {
    let workflow = parsed(GITLAB);
    let jobs = workflow.as_object().expect("jobs");
    for (name, job) in jobs.iter().filter(|(name, _)| *name != "variables") {
        let runs = job["stage"].is_string() && job["rules"].is_array() && job["script"].is_array();
        assert!(runs && job["timeout"].is_string(), "{name}");
    }
    assert_eq!(
        workflow["speed"]["allow_failure"]["exit_codes"][0],
        crate::exit::Exit::Inconclusive as u8
    );
    let artifacts = &workflow["speed"]["artifacts"];
    assert_taken(&calls(&workflow, "variables"), artifacts, &["doctor", "check"]);
}
