//! Assertions of JMeter that plans have as checks.

use super::properties::property;
use crate::journey::{CheckOf, Expected};
use crate::read::xml::Element;
use std::time::Duration;

/// How an assertion compares texts, by the bits of JMeter.
const MATCH: u32 = 1;
const CONTAINS: u32 = 2;
const NOT_CONTAINS: u32 = 4 | CONTAINS;
const EQUALS: u32 = 8;
const SUBSTRING: u32 = 16;
const NOT_SUBSTRING: u32 = 4 | SUBSTRING;

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

/// The checks of an assertion with these texts; none where plans have not all of it.
pub(super) fn checks(element: &Element, texts: &[String]) -> Vec<CheckOf> {
    let number = |name: &str| property(element, name).and_then(|text| text.trim().parse::<u64>().ok());
    let is_on = |name: &str| property(element, name) == Some("true");
    let plain = |text: &str| !text.contains("${");
    match element.name.as_str() {
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
            let (path, is) = (property(element, "JSON_PATH"), property(element, "EXPECTED_VALUE"));
            let expected = match (is_on("JSONVALIDATION"), is_on("INVERT")) {
                _ if is_on("EXPECT_NULL") => None,
                (false, inverts) => (!inverts).then_some(Expected::Any),
                (true, _) if is_on("ISREGEX") => None,
                (true, inverts) => is.filter(|is| plain(is)).map(str::to_owned).map(|is| match inverts {
                    false => Expected::Is(is),
                    true => Expected::IsNot(is),
                }),
            };
            let both = path.filter(|path| plain(path)).zip(expected);
            both.map(|(path, expected)| CheckOf::Json(path.to_owned(), expected))
                .into_iter()
                .collect()
        }
        "ResponseAssertion" => {
            let is_of_body = property(element, "Assertion.test_field") == Some("Assertion.response_data");
            let kind = number("Assertion.test_type").unwrap_or_default() as u32;
            if !is_of_body || !texts.iter().all(|text| plain(text)) {
                return Vec::new();
            }
            let check = |text: &String| match kind {
                SUBSTRING => Some(CheckOf::Body(text.clone())),
                CONTAINS => Some(CheckOf::Matches(text.clone())),
                MATCH => Some(CheckOf::Matches(format!("^(?:{text})$"))),
                EQUALS => Some(CheckOf::Matches(format!("^{}$", escaped(text)))),
                NOT_SUBSTRING => Some(CheckOf::Lacks(text.clone())),
                NOT_CONTAINS if escaped(text) == *text => Some(CheckOf::Lacks(text.clone())),
                _ => None,
            };
            // All of them, or none: one alone would say something else.
            texts.iter().map(check).collect::<Option<_>>().unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// A text as an expression that matches nothing else.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
