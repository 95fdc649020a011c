//! Scripts of Postman: what they check of a response and take out of it.

use crate::journey::{Check, CheckOf, Expected, Journeys, Take, TakeFrom};
use crate::left_out::Place;
use crate::read::json::list;
use crate::read::script::{Bodies, argument, lines};
use crate::text::Text;
use plimsoll_plan::is_number;
use serde_json::Value;
use std::time::Duration;

/// What scripts check and take.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    pub(super) statuses: Vec<String>,
    pub(super) takes: Vec<Take>,
    pub(super) checks: Vec<Check>,
}

/// What scripts check and take; the rest of them is left out.
pub(super) fn scripts(journeys: &mut Journeys, place: &Place, events: &Value) -> Scripts {
    let mut all = Scripts::default();
    for (index, event) in list(events).enumerate() {
        let place = place.key("event").index(index);
        let text = match &event["script"]["exec"] {
            Value::String(text) => text.clone(),
            lines => list(lines).filter_map(Value::as_str).collect::<Vec<_>>().join("\n"),
        };
        let is_test = event["listen"] == "test";
        let mut bodies = Bodies::of(&BODY);
        let mut known = Vec::new();
        let mut others = 0;
        for line in lines(&text, &["pm.test("]) {
            // What is checked under a condition is not always so.
            let is_checked = is_test && !line.is_on_condition;
            let line = line.text;
            let set = [
                "environment.set(",
                "collectionVariables.set(",
                "globals.set(",
                "variables.set(",
                "setEnvironmentVariable(",
                "setGlobalVariable(",
            ];
            if let Some(rest) = set.iter().find_map(|call| line.split_once(call)).map(|(_, rest)| rest) {
                let variable = rest.split(['"', '\'', '`']).nth(1).unwrap_or_default().to_owned();
                if is_test {
                    all.takes.push(Take {
                        all: false,
                        place: place.clone(),
                        variable,
                        from: taken_from(rest, &bodies),
                    });
                } else {
                    journeys.leave_out(
                        &place,
                        format!("`{variable}`, which a script computes"),
                        "plans have no scripts; where a request needs it, the plan has it from the environment",
                    );
                }
            } else if let Some(statuses) = expected_statuses(line, &known).filter(|_| is_checked) {
                all.statuses.extend(statuses);
            } else if let Some(of) = check(line, &bodies).filter(|_| is_checked) {
                all.checks.push(Check {
                    place: place.clone(),
                    what: "a check of a test script".to_owned(),
                    of,
                });
            } else if let Some(named) = named_status(line) {
                known.push(named);
            } else if !bodies.take_in(line) && !is_frame(line) {
                others += 1;
            }
        }
        if others > 0 {
            let what = if is_test {
                "a test script"
            } else {
                "a script that runs before the request"
            };
            let lines = if others == 1 {
                "1 line of it is"
            } else {
                &format!("{others} lines of it are")
            };
            journeys.leave_out(&place, what, format!("plans have no scripts; {lines} not carried over"));
        }
    }
    all
}

/// What a line checks of a response besides its status: `pm.expect(pm.response.json().state).to.eql("open");`.
fn check(line: &str, bodies: &Bodies) -> Option<CheckOf> {
    let line = line.trim_end_matches(';').trim_end();
    if let Some((_, bound)) = line.split_once("responseTime).to.be.below(") {
        return milliseconds(bound.strip_suffix(')')?);
    }
    if let Some((_, tested)) = line.split_once("tests[").and_then(|(_, rest)| rest.split_once("] =")) {
        let tested = tested.trim();
        return match tested.strip_prefix("responseTime <") {
            Some(bound) => milliseconds(bound),
            None => literal(tested.strip_prefix("responseBody.has(")?.strip_suffix(')')?)
                .map(Text::literal)
                .map(CheckOf::Body),
        };
    }
    if let Some((_, arguments)) = line.split_once("response.to.have.header(") {
        let arguments = arguments.strip_suffix(')')?;
        return match arguments.split_once(',') {
            Some((name, is)) => Some(CheckOf::Header(literal(name)?, is_text(literal(is)?))),
            None => Some(CheckOf::Header(literal(arguments)?, Expected::Any)),
        };
    }
    let (value, expected) = line.split_once("pm.expect(")?.1.split_once(").to.")?;
    if value.trim() == "pm.response.text()" {
        let included = ["include(", "contain(", "contains("].iter();
        let included = included.filter_map(|call| expected.strip_prefix(call)).next()?;
        return literal(included.strip_suffix(')')?)
            .map(Text::literal)
            .map(CheckOf::Body);
    }
    let path = bodies.path(value.trim())?;
    match expected {
        "exist" => return Some(CheckOf::Json(path, Expected::Any)),
        "be.true" => return Some(CheckOf::Json(path, is_text("true"))),
        "be.false" => return Some(CheckOf::Json(path, is_text("false"))),
        _ => {}
    }
    if let Some(name) = expected.strip_prefix("have.property(") {
        let name = literal(name.strip_suffix(')')?)?;
        let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        return is_word.then(|| CheckOf::Json(format!("{path}.{name}"), Expected::Any));
    }
    let equal = [
        "eql(",
        "equal(",
        "equals(",
        "eq(",
        "be.eql(",
        "be.equal(",
        "deep.equal(",
    ]
    .iter();
    let is = equal.filter_map(|call| expected.strip_prefix(call)).next()?;
    Some(CheckOf::Json(path, is_text(literal(is.strip_suffix(')')?)?)))
}

fn is_text(text: impl Into<String>) -> Expected {
    Expected::Is(Text::literal(text))
}

fn milliseconds(text: &str) -> Option<CheckOf> {
    let ms = text.trim().parse().ok().filter(|ms| *ms > 0)?;
    Some(CheckOf::Time(Duration::from_millis(ms)))
}

/// A text, a number or a truth value as a script writes it.
fn literal(written: &str) -> Option<String> {
    let written = written.trim();
    let quote = written.chars().next().filter(|c| "\"'`".contains(*c));
    let Some(quote) = quote else {
        let is_word = matches!(written, "true" | "false");
        return (is_word || is_number(written.as_bytes())).then(|| written.to_owned());
    };
    let inner = written.strip_prefix(quote)?.strip_suffix(quote)?;
    let is_plain = !inner.contains([quote, '\\']) && !inner.contains("{{") && !inner.contains("${");
    is_plain.then(|| inner.to_owned())
}

/// Where a script has the value from that it sets: `"token", pm.response.json().token)`.
fn taken_from(arguments: &str, bodies: &Bodies) -> TakeFrom {
    let value = arguments.split_once(',').map_or("", |(_, value)| argument(value));
    if let Some(name) = value.strip_prefix("pm.response.headers.get(") {
        return TakeFrom::Header(name.split(['"', '\'']).nth(1).unwrap_or_default().to_owned());
    }
    bodies.path(value).map_or(TakeFrom::Other, TakeFrom::Json)
}

/// The body of a response as scripts of Postman call it, whether they name it so or not.
const BODY: [&str; 5] = [
    "pm.response.json()",
    "jsonData",
    "JSON.parse(responseBody)",
    "responseJson",
    "response",
];

/// `const isCreated = responseCode.code === 201;`: what a script calls it that the status is this one.
fn named_status(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once('=')?;
    let name = ["const ", "let ", "var "]
        .iter()
        .find_map(|word| name.strip_prefix(word))?;
    Some((name.trim().to_owned(), compared_status(value)?))
}

/// The status in `responseCode.code === 201`.
fn compared_status(value: &str) -> Option<String> {
    let value = value.trim().trim_end_matches(';').trim_end();
    let rest = ["responseCode.code", "pm.response.code"]
        .iter()
        .find_map(|code| value.strip_prefix(code))?;
    let compared = rest.trim_start().strip_prefix("==")?;
    status(compared.trim_start_matches('=').trim())
}

fn status(text: &str) -> Option<String> {
    (text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.to_owned())
}

/// The statuses in `pm.response.to.have.status(201)` and `pm.expect(pm.response.code).to.equal(201)`, or in a list.
fn expected_statuses(line: &str, known: &[(String, String)]) -> Option<Vec<String>> {
    let line = line.trim_end_matches(';');
    if line.ends_with("pm.response.to.be.ok") {
        return Some(vec!["200".to_owned()]);
    }
    if line.ends_with("pm.response.to.be.success") {
        return Some(vec!["2xx".to_owned()]);
    }
    if let Some((_, listed)) = line.split_once("response.code).to.be.oneOf([") {
        let (listed, _) = listed.split_once(']')?;
        return listed.split(',').map(|text| status(text.trim())).collect();
    }
    let tested = line.split_once("tests[").and_then(|(_, rest)| rest.split_once("] ="));
    let expected = line
        .split_once("pm.expect(")
        .and_then(|(_, rest)| rest.split_once(").to.be.true"));
    if let Some(value) = tested.map(|(_, value)| value).or(expected.map(|(value, _)| value)) {
        let named = |(name, status): &(String, String)| (name == value.trim()).then(|| status.clone());
        return known
            .iter()
            .find_map(named)
            .or_else(|| compared_status(value))
            .map(|status| vec![status]);
    }
    let after = [
        "to.have.status(",
        "response.code).to.equal(",
        "response.code).to.eql(",
        "response.code).to.eq(",
        "response.code).to.be.equal(",
    ];
    let (_, rest) = after.iter().find_map(|call| line.split_once(call))?;
    status(argument(rest)).map(|status| vec![status])
}

/// Lines around a check, and those that do nothing.
fn is_frame(line: &str) -> bool {
    let line = line.trim_end_matches(';');
    line.is_empty()
        || line.starts_with("//")
        || matches!(line, "})" | "}" | "{")
        || line.starts_with("pm.test(") && line.ends_with('{')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_scripts_become_checks_where_they_are_plain() {
        let json = |path: &str, is: &str| Some(CheckOf::Json(path.to_owned(), is_text(is)));
        let there = |path: &str| Some(CheckOf::Json(path.to_owned(), Expected::Any));
        let header = |name: &str, expected| Some(CheckOf::Header(name.to_owned(), expected));
        let body = |text: &str| Some(CheckOf::Body(Text::literal(text)));
        let time = Some(CheckOf::Time(Duration::from_millis(200)));
        for (line, expected) in [
            (
                "pm.expect(pm.response.json().state).to.eql(\"open\");",
                json("$.state", "open"),
            ),
            (
                "pm.expect(data.items[0].price).to.equal(12.5)",
                json("$.items[0].price", "12.5"),
            ),
            ("pm.expect(jsonData.ok).to.be.true;", json("$.ok", "true")),
            ("pm.expect(jsonData.id).to.exist;", there("$.id")),
            ("pm.expect(jsonData).to.have.property('token');", there("$.token")),
            ("pm.response.to.have.header('ETag');", header("ETag", Expected::Any)),
            (
                "pm.response.to.have.header('Content-Type', 'text/html');",
                header("Content-Type", is_text("text/html")),
            ),
            ("pm.expect(pm.response.text()).to.include('thanks');", body("thanks")),
            ("tests['says thanks'] = responseBody.has('thanks');", body("thanks")),
            ("pm.expect(pm.response.responseTime).to.be.below(200);", time.clone()),
            ("tests['is fast'] = responseTime < 200;", time),
            ("pm.expect(jsonData.items.length).to.eql(3);", None),
            ("pm.expect(jsonData.name).to.eql(pm.environment.get('name'));", None),
            ("pm.expect(jsonData.name).to.eql('{{name}}');", None),
            ("pm.expect(jsonData.find(one)).to.eql(1);", None),
            ("pm.expect(other.state).to.eql('open');", None),
        ] {
            let mut bodies = Bodies::of(&BODY);
            bodies.take_in("const data = pm.response.json();");
            assert_eq!(check(line, &bodies), expected, "{line}");
        }
    }

    #[test]
    fn statuses_are_those_that_a_script_asserts() {
        let known = [("is200".to_owned(), "200".to_owned())];
        for (line, expected) in [
            ("pm.response.to.have.status(201);", Some("201")),
            ("pm.expect(pm.response.code).to.equal(204);", Some("204")),
            ("pm.test('ok', () => pm.response.to.have.status(200));", Some("200")),
            ("tests['ok'] = responseCode.code === 200;", Some("200")),
            ("tests['ok'] = is200;", Some("200")),
            ("pm.expect(is200).to.be.true;", Some("200")),
            ("tests['ok'] = isOther;", None),
            ("pm.response.to.have.status('OK');", None),
            ("pm.response.to.not.have.status(500);", None),
            ("const is404 = responseCode.code == 404;", None),
        ] {
            let found = expected_statuses(line, &known);
            assert_eq!(found, expected.map(|status| vec![status.to_owned()]), "{line}");
        }
        let named = named_status("const is404 = responseCode.code == 404;");
        assert_eq!(named, Some(("is404".to_owned(), "404".to_owned())));
        assert_eq!(named_status("const code = pm.response.code;"), None);
    }
}
