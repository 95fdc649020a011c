//! The rules about what is sent.

use super::{Checked, check_path, flaw, rule};
use crate::notation::environment::ENVIRONMENT;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::plan::action::Action;
use crate::plan::draft::MOST_BODIES_BYTES;
use crate::plan::grpc::GrpcStatus;
use crate::plan::request::{Request, is_token};
use crate::plan::scenario::Scenario;
use crate::plan::table::{RowOrder, Table};
use crate::plan::take::kept_place;
use crate::plan::template::Template;
use crate::plan::variable::{Values, Variable};
use std::collections::HashSet;

/// More would say that something else is meant, and would make patterns and reports unwieldy.
const MOST_REQUESTS: usize = 1_000;
const MOST_WEIGHT: u64 = 10_000;
/// Of a random text.
const MOST_CHARACTERS: usize = 1_000;

pub(super) fn check_scenario(scenario: &Scenario) -> Checked {
    let requests = &scenario.requests;
    let key = "scenario.requests";
    let any = !requests.is_empty() || !scenario.journeys.is_empty();
    rule(any, key, "no request", "at least one")?;
    let all: Vec<_> = written(scenario);
    rule(
        all.len() <= MOST_REQUESTS,
        key,
        format!("{} requests", all.len()),
        format!("at most {MOST_REQUESTS}"),
    )?;
    for requests in [requests, &scenario.openings] {
        let weight: u64 = requests.iter().map(|request| u64::from(request.weight)).sum();
        rule(
            weight <= MOST_WEIGHT,
            key,
            format!("weights that add up to {weight}"),
            format!("at most {MOST_WEIGHT}"),
        )?;
    }
    let body_bytes: usize = all
        .iter()
        .flat_map(|(_, request)| request.body.literals())
        .map(<[u8]>::len)
        .sum();
    let most = format!("at most {MOST_BODIES_BYTES} bytes in all bodies together");
    rule(
        body_bytes <= MOST_BODIES_BYTES,
        key,
        format!("{body_bytes} bytes"),
        most,
    )?;
    let mut variables = HashSet::new();
    for variable in &scenario.variables {
        let key = format!("scenario.variables.{}", variable.name);
        let valid = !variable.name.is_empty() && !variable.name.contains(['{', '}', '$']);
        rule(valid, &key, quoted(&variable.name), "a name without `$`, `{` and `}`")?;
        let ours = variable.name.starts_with(ENVIRONMENT);
        let found = quoted(&variable.name);
        rule(
            !ours,
            &key,
            found,
            "a name that is not one of the environment's, which begin with `env.`",
        )?;
        let found = format!("the variable {} a second time", quoted(&variable.name));
        rule(variables.insert(&variable.name), &key, found, "each variable once")?;
        match variable.values.in_turn() {
            Values::Range { from, to } => {
                rule(
                    from <= to,
                    &key,
                    format!("a range from {from} to {to}"),
                    "the lower number first",
                )?;
            }
            Values::List(texts) => rule(!texts.is_empty(), format!("{key}.values"), "no value", "at least one")?,
            Values::Column(column) if column.is_first() => check_table(&key, column.table(), scenario)?,
            Values::Text { length, characters, .. } => {
                let found = format!("a text of {length} characters");
                let expected = format!("from 1 to {MOST_CHARACTERS}");
                rule(
                    (1..=MOST_CHARACTERS).contains(length),
                    format!("{key}.length"),
                    found,
                    expected,
                )?;
                let any = !characters.is_empty();
                rule(any, format!("{key}.characters"), "no character", "at least one")?;
            }
            Values::Column(_)
            | Values::Shuffled { .. }
            | Values::Random { .. }
            | Values::Uuid(_)
            | Values::Now(_)
            | Values::Message
            | Values::Kept { .. } => {}
        }
    }
    let mut names = HashSet::new();
    for (key, request) in all {
        let name_key = format!("{key}.name");
        rule(
            !request.name.is_empty(),
            &name_key,
            "no name",
            "a name for the request, different from all others",
        )?;
        let found = format!("a second request named {}", quoted(&request.name));
        rule(
            names.insert(&request.name),
            &name_key,
            found,
            "a different `name` for each",
        )?;
        check_request(&key, request, scenario)?;
    }
    Ok(())
}

/// What may be asked of a table by those who are given its rows.
fn check_table(key: &str, table: &Table, scenario: &Scenario) -> Checked {
    rule(
        !table.once() || !scenario.journeys.is_empty(),
        format!("{key}.once"),
        "`once` without journeys",
        "`false`: requests are given rows in turn, and users of `journeys` may be given each once",
    )?;
    rule(
        !table.once() || table.order() != RowOrder::Random,
        format!("{key}.order"),
        "`random`, and `once`",
        "`shuffled`: rows that are left to chance come again before all are used up",
    )?;
    let has_calls = scenario.requests.iter().any(|request| request.grpc.is_some());
    rule(
        table.order() == RowOrder::InTurn || !has_calls,
        format!("{key}.order"),
        "`shuffled` or `random`, and calls of gRPC",
        "`in turn`, as messages are encoded beforehand",
    )
}

/// Every request, and where it is written.
fn written(scenario: &Scenario) -> Vec<(String, &Request)> {
    let requests = scenario.requests.iter().enumerate();
    let mut all: Vec<_> = requests
        .map(|(index, request)| (format!("scenario.requests[{index}]"), request))
        .collect();
    let openings = scenario.openings.iter().enumerate();
    all.extend(openings.map(|(index, request)| (format!("scenario.openings[{index}]"), request)));
    written_in("scenario.actions", &scenario.actions, &mut all);
    for (index, journey) in scenario.journeys.iter().enumerate() {
        written_in(
            &format!("scenario.journeys[{index}].actions"),
            &journey.actions,
            &mut all,
        );
    }
    written_in("scenario.before", &scenario.before, &mut all);
    written_in("scenario.after", &scenario.after, &mut all);
    all
}

fn written_in<'a>(key: &str, actions: &'a [Action], all: &mut Vec<(String, &'a Request)>) {
    for (index, action) in actions.iter().enumerate() {
        let key = format!("{key}[{index}]");
        match action {
            Action::Request(action) => all.push((format!("{key}.request"), &action.request)),
            Action::Send(action) => all.push((format!("{key}.send"), &action.request)),
            other => written_in(&format!("{key}.{}.actions", other.word()), other.inner(), all),
        }
    }
}

/// That names and values may stand in a header, wherever it is sent.
pub(super) fn check_headers(key: &str, headers: &[(String, Template)]) -> Checked {
    for (name, value) in headers {
        // Not repeated: where a colon is missing, the value is in the name.
        let bad = name.chars().find(|c| !is_token(&c.to_string()));
        let found = bad.map_or("no name".to_owned(), |bad| {
            format!("{} in the name", quoted(&bad.to_string()))
        });
        rule(is_token(name), format!("{key}.headers"), found, "the name of a header")?;
        for literal in value.literals() {
            rule(
                is_header_value(&String::from_utf8_lossy(literal)),
                format!("{key}.headers.{name}"),
                "a line break or a control character",
                "a header without line breaks and control characters",
            )?;
        }
    }
    Ok(())
}

fn check_request(key: &str, request: &Request, scenario: &Scenario) -> Checked {
    rule(
        request.weight > 0,
        format!("{key}.weight"),
        "`0`",
        "a weight of at least 1",
    )?;
    if let Some(grpc) = &request.grpc {
        rule(
            request.method.as_str() == "POST",
            format!("{key}.method"),
            quoted(request.method.as_str()),
            "POST, by which calls of gRPC are made",
        )?;
        rule(
            grpc.accepted.contains(&GrpcStatus::OK),
            format!("{key}.expect.grpc_status"),
            "no `OK`",
            "`OK` and what else counts as a success",
        )?;
    }
    let path_key = format!("{key}.path");
    for (index, literal) in request.path.literals().enumerate() {
        check_path(&path_key, literal, index == 0 && request.path.starts_with_literal())?;
    }
    // What a user has taken is looked at when it is sent.
    let first = request.path.variables().next();
    let first = first.filter(|_| !request.path.starts_with_literal());
    let begins_with_kept = first.is_some_and(|first| kept_place(&scenario.variables, first).is_some());
    let column = first.and_then(|first| scenario.variables.get(first));
    let column = column.filter(|variable| matches!(variable.values, Values::Column(_)));
    if let Some(variable) = column {
        check_variable(variable, |text| text.starts_with('/'), "a path that begins with `/`")?;
    }
    rule(
        request.path.starts_with_literal() || begins_with_kept || column.is_some(),
        &path_key,
        "a path that begins with a variable",
        "a path that begins with `/`",
    )?;
    let safe_in_path = |text: &str| text.bytes().all(|b| b.is_ascii_graphic() && b != b'#');
    check_values(
        &request.path,
        scenario,
        safe_in_path,
        "text that may stand in a path, such as %20 for a space",
    )?;
    check_headers(key, &request.headers)?;
    for (name, value) in &request.headers {
        let key = format!("{key}.headers.{name}");
        let hint = match name.to_ascii_lowercase().as_str() {
            "content-length" => Some("it follows from the body"),
            "transfer-encoding" => Some("bodies are sent with `content-length`"),
            "connection" => Some("write `connections: { keep_alive: false }` in the plan, or give --no-keepalive"),
            _ => None,
        };
        if let Some(hint) = hint {
            let found = format!("the header `{name}`");
            return flaw(
                key,
                Mismatch::new(found, "a header that is not the generator's own").hint(hint),
            );
        }
        check_values(value, scenario, is_header_value, "text that may stand in a header")?;
    }
    let body_key = format!("{key}.body");
    let is_text = request
        .body
        .literals()
        .all(|literal| std::str::from_utf8(literal).is_ok());
    let found = "variables in a body that is not UTF-8";
    rule(
        is_text || request.body.as_literal().is_some(),
        body_key,
        found,
        "a body that is text, or has no variables",
    )?;
    let status_key = format!("{key}.expect.status");
    rule(
        !request.expect.status.is_empty(),
        &status_key,
        "no status",
        "at least one",
    )?;
    for (low, high) in &request.expect.status {
        let valid = 100 <= *low && low <= high && *high <= 599;
        rule(
            valid,
            &status_key,
            format!("{low}-{high}"),
            "a status from 100 to 599, the lower one first",
        )?;
    }
    Ok(())
}

/// The variables of `template` exist, and their texts may stand in it.
fn check_values(template: &Template, scenario: &Scenario, safe: impl Fn(&str) -> bool, expected: &str) -> Checked {
    for index in template.variables() {
        let Some(variable) = scenario.variables.get(index) else {
            let found = format!("variable number {index} of {}", scenario.variables.len());
            return flaw("scenario.variables", Mismatch::new(found, "a variable of the scenario"));
        };
        check_variable(variable, &safe, expected)?;
    }
    Ok(())
}

/// Each text of a variable may stand where it is to stand.
fn check_variable(variable: &Variable, safe: impl Fn(&str) -> bool, expected: &str) -> Checked {
    let key = format!("scenario.variables.{}", variable.name);
    match variable.values.in_turn() {
        Values::List(texts) => {
            for (index, text) in texts.iter().enumerate() {
                let found = format!("value {} of the variable", index + 1);
                rule(safe(text.reveal()), format!("{key}.values[{index}]"), found, expected)?;
            }
        }
        Values::Column(column) => {
            let table = column.table();
            let mut value = Vec::new();
            for row in 0..table.rows.count() {
                value.clear();
                column.append(row as u64, &mut value);
                if !safe(&String::from_utf8_lossy(&value)) {
                    let name = quoted(&variable.name);
                    let found = format!(
                        "a value of {name} in line {} of {}",
                        table.rows.line(row),
                        quoted(&table.file)
                    );
                    return flaw(key, Mismatch::new(found, expected));
                }
            }
        }
        Values::Text { characters, .. } => {
            let unsafe_one = characters.iter().find(|character| !safe(&character.to_string()));
            if let Some(character) = unsafe_one {
                return flaw(
                    format!("{key}.characters"),
                    Mismatch::new(format!("{} of the variable", quoted(&character.to_string())), expected),
                );
            }
        }
        Values::Now(now) => {
            let found = format!("a time such as {}", quoted(&now.sample()));
            rule(safe(&now.sample()), format!("{key}.now"), found, expected)?;
        }
        Values::Range { .. }
        | Values::Shuffled { .. }
        | Values::Random { .. }
        | Values::Uuid(_)
        | Values::Message
        | Values::Kept { .. } => {}
    }
    Ok(())
}

fn is_header_value(text: &str) -> bool {
    text.chars().all(|c| c == '\t' || !c.is_ascii_control())
}
