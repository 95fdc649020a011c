//! Assertions of JMeter that plans have as checks.

use super::constants::filled;
use super::properties::{self, is_of_response, property};
use crate::journey::{CheckOf, Expected};
use crate::read::xml::Element;
use crate::text::{Text, Values};
use plimsoll_plan::Pattern;
use plimsoll_plan::notation::Notation as _;
use std::time::Duration;

/// How an assertion compares texts, by the bits of JMeter.
const MATCH: u32 = 1;
const CONTAINS: u32 = 2;
const NOT_CONTAINS: u32 = NOT | CONTAINS;
const EQUALS: u32 = 8;
const SUBSTRING: u32 = 16;
const NOT_SUBSTRING: u32 = NOT | SUBSTRING;
const NOT: u32 = 4;
/// One of several texts is enough.
const OR: u32 = 32;
/// What an assertion looks at.
const BODY: &str = "Assertion.response_data";
const HEADERS: &str = "Assertion.response_headers";
const STATUS: &str = "Assertion.response_code";
/// More ranges of statuses are no list that somebody reads.
const MOST_RANGES: usize = 10;
/// Any status.
const ANY_STATUS: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// Whether an assertion holds whatever comes: it has no texts, or no time.
pub(super) fn is_of_nothing(element: &Element, texts: &[String]) -> bool {
    match element.name.as_str() {
        "ResponseAssertion" => texts.is_empty(),
        "DurationAssertion" => {
            property(element, "DurationAssertion.duration").is_none_or(|ms| matches!(ms.trim(), "" | "0"))
        }
        _ => false,
    }
}

/// Whether an assertion is about the status.
pub(super) fn is_of_status(element: &Element) -> bool {
    element.name == "ResponseAssertion" && property(element, "Assertion.test_field") == Some(STATUS)
}

/// Any status, where an assertion has a response be a success in its place.
pub(super) fn ignores_status(element: &Element) -> Option<Vec<String>> {
    let ignores = property(element, "Assertion.assume_success") == Some("true");
    ignores.then(|| ANY_STATUS.map(str::to_owned).to_vec())
}

/// The statuses with which an assertion of these texts holds, as a plan has them; `None` where it has no such list.
pub(super) fn statuses(element: &Element, texts: &[String]) -> Option<Vec<String>> {
    let kind: u32 = property(element, "Assertion.test_type")?.trim().parse().ok()?;
    let is_known = is_of_response(element) && !texts.is_empty() && !texts.iter().any(|text| text.contains("${"));
    let expressions: Vec<String> = match kind & !(NOT | OR) {
        MATCH => texts.iter().map(|text| format!("^(?:{text})$")).collect(),
        CONTAINS => texts.to_vec(),
        EQUALS => texts.iter().map(|text| format!("^{}$", escaped(text))).collect(),
        SUBSTRING => texts.iter().map(|text| escaped(text)).collect(),
        _ => return None,
    };
    let patterns: Vec<Pattern> = expressions
        .iter()
        .map(|text| Pattern::read(text).ok())
        .collect::<Option<_>>()?;
    let holds = |status: u32| {
        let status = status.to_string();
        let mut each = patterns
            .iter()
            .map(|pattern| pattern.find(status.as_bytes(), Some(0)).is_some() != (kind & NOT != 0));
        if kind & OR != 0 {
            each.any(|holds| holds)
        } else {
            each.all(|holds| holds)
        }
    };
    let ranges = ranges(&(100..600).filter(|status| holds(*status)).collect::<Vec<_>>());
    (is_known && (1..=MOST_RANGES).contains(&ranges.len())).then_some(ranges)
}

/// Statuses as a plan has them.
fn ranges(statuses: &[u32]) -> Vec<String> {
    let runs = statuses.chunk_by(|one, next| one + 1 == *next);
    let range = |run: &[u32]| match run {
        [only] => only.to_string(),
        [first, .., last] if first % 100 == 0 && *last == first + 99 => format!("{}xx", first / 100),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    };
    runs.map(range).collect()
}

/// The name of a header that has to be there, where a text is nothing but that.
fn header(text: &str) -> Option<CheckOf> {
    let name = text.trim().strip_suffix(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_name.then(|| CheckOf::Header(name.to_owned(), Expected::Any))
}

/// A text with variables in it, if no function is among them: what these make is known to nobody else.
fn with_variables(text: &str) -> Option<Text> {
    let made = Text::with_dollars(text);
    let is_plain = made.variables().all(|name| !name.starts_with("__"));
    is_plain.then_some(made)
}

/// The checks of an assertion with these texts; none where plans have not all of it.
pub(super) fn checks(element: &Element, texts: &[String], constants: &Values) -> Vec<CheckOf> {
    if !is_of_response(element) {
        return Vec::new();
    }
    let number = |name: &str| {
        let number = property(element, name).and_then(|text| properties::number(text, constants));
        number.filter(|number| *number >= 0.0).map(|number| number as u64)
    };
    let is_on = |name: &str| property(element, name) == Some("true");
    let plain = |text: &str| !text.contains("${");
    // Those of plugins have the name of their package in front.
    match element.name.rsplit('.').next().unwrap_or_default() {
        "DurationAssertion" => {
            let most = number("DurationAssertion.duration").filter(|ms| *ms > 0);
            most.map(|ms| CheckOf::Time(Duration::from_millis(ms)))
                .into_iter()
                .collect()
        }
        "SizeAssertion" => {
            let is_of_body = property(element, "Assertion.test_field") == Some("SizeAssertion.response_data");
            let (size, operator) = (number("SizeAssertion.size"), number("SizeAssertion.operator"));
            let bounds = match (size.filter(|_| is_of_body), operator) {
                (Some(size), Some(1)) => Some((Some(size), Some(size))),
                (Some(size), Some(3)) => Some((size.checked_add(1), None)),
                (Some(size), Some(4)) => size.checked_sub(1).map(|most| (None, Some(most))),
                (Some(size), Some(5)) => Some((Some(size), None)),
                (Some(size), Some(6)) => Some((None, Some(size))),
                _ => None,
            };
            bounds
                .map(|(least, most)| CheckOf::Size(least, most))
                .into_iter()
                .collect()
        }
        "JSONPathAssertion" => {
            let text = |name: &str| property(element, name).map(|text| filled(text, constants));
            let (path, is) = (text("JSON_PATH"), text("EXPECTED_VALUE"));
            let expected = match (is_on("JSONVALIDATION"), is_on("INVERT")) {
                _ if is_on("EXPECT_NULL") => None,
                (false, inverts) => (!inverts).then_some(Expected::Any),
                // An expression, unless it says otherwise; a text that matches nothing but itself is one as well.
                (true, _)
                    if property(element, "ISREGEX") != Some("false")
                        && is.as_ref().is_some_and(|is| escaped(is) != *is) =>
                {
                    None
                }
                (true, inverts) => is.and_then(|is| with_variables(&is)).map(|is| match inverts {
                    false => Expected::Is(is),
                    true => Expected::IsNot(is),
                }),
            };
            let both = path.filter(|path| plain(path)).zip(expected);
            both.map(|(path, expected)| CheckOf::Json(path, expected))
                .into_iter()
                .collect()
        }
        "ResponseAssertion" => {
            let kind = number("Assertion.test_type").unwrap_or_default() as u32;
            // Of an expression a variable is no part that a plan has.
            let are_plain = texts.iter().all(|text| plain(text));
            let is_one = texts.len() == 1;
            let kind = if is_one { kind & !OR } else { kind };
            let expression = |text: &String| match kind & !OR {
                SUBSTRING => Some(escaped(text)),
                CONTAINS => Some(format!("(?:{text})")),
                MATCH => Some(format!("^(?:{text})$")),
                EQUALS => Some(format!("^{}$", escaped(text))),
                _ => None,
            };
            let field = property(element, "Assertion.test_field").unwrap_or_default();
            if field == BODY && kind & OR != 0 && are_plain {
                let any: Option<Vec<String>> = texts.iter().map(expression).collect();
                return any.map(|any| CheckOf::Matches(any.join("|"))).into_iter().collect();
            }
            let check = |text: &String| match (field, kind) {
                (BODY, SUBSTRING) => with_variables(text).map(CheckOf::Body),
                (BODY, NOT_SUBSTRING) => with_variables(text).map(CheckOf::Lacks),
                _ if !plain(text) => None,
                (HEADERS, SUBSTRING | CONTAINS) => header(text),
                (BODY, CONTAINS) => Some(CheckOf::Matches(text.clone())),
                (BODY, MATCH | EQUALS) => expression(text).map(CheckOf::Matches),
                (BODY, NOT_CONTAINS) if escaped(text) == *text => Some(CheckOf::Lacks(Text::literal(text))),
                _ => None,
            };
            // All of them, or none: one alone would say something else.
            texts.iter().map(check).collect::<Option<_>>().unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// A text as an expression that matches nothing else.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
