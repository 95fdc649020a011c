//! Functions between double braces: of Postman, Artillery and `.http` files.

use super::dates::{DAY_JS, format};
use super::{Call, DIGITS, LETTERS, Made, SMALL_AND_DIGITS, email, numbers, text};

/// What Postman calls a dynamic variable.
pub(crate) fn postman(call: &str) -> Option<Call> {
    Some(match call {
        "$guid" | "$randomUUID" => Made::Uuid.into(),
        "$timestamp" => now("seconds", None),
        "$isoTimestamp" => now("iso8601", None),
        "$randomInt" => Made::Number(0, 1_000).into(),
        "$randomBoolean" => one_of(&["true", "false"]),
        "$randomAlphaNumeric" => Made::Text(1, SMALL_AND_DIGITS.to_owned()).into(),
        "$randomPassword" => Made::Text(15, format!("{LETTERS}{DIGITS}")).into(),
        "$randomEmail" | "$randomExampleEmail" => email(),
        _ => return None,
    })
}

/// What scripts of Artillery may call.
pub(crate) fn artillery(call: &str) -> Option<Call> {
    let (name, arguments) = arguments(call);
    Some(match (name, arguments.as_slice()) {
        // The name of the user itself.
        ("$uuid", []) => Call {
            is_of_client: true,
            ..Made::Uuid.into()
        },
        ("$guid", []) => Made::Uuid.into(),
        ("$randomNumber", []) => Made::Number(0, 1).into(),
        ("$randomNumber", [to]) => number("0", to)?,
        ("$randomNumber", [from, to]) => number(from, to)?,
        ("$randomString", []) => Made::Text(11, SMALL_AND_DIGITS.to_owned()).into(),
        ("$randomString", [length]) => text(length, SMALL_AND_DIGITS)?.into(),
        _ => return None,
    })
}

/// System variables of the REST client of VS Code, and those of JetBrains.
pub(crate) fn http(call: &str) -> Option<Call> {
    // Arguments stand behind blanks, or in parentheses.
    if let Some((name, rest)) = call
        .split_once(char::is_whitespace)
        .filter(|(name, _)| !name.contains('('))
    {
        return with_words(name, &words(rest));
    }
    let (name, arguments) = arguments(call);
    with_arguments(name, &arguments)
}

fn with_arguments(name: &str, arguments: &[&str]) -> Option<Call> {
    Some(match (name, arguments) {
        ("$guid" | "$uuid" | "$random.uuid", []) => Made::Uuid.into(),
        ("$randomInt" | "$random.integer", []) => Made::Number(0, 1_000).into(),
        ("$randomInt" | "$random.integer", [from, to]) => below(from, to)?,
        ("$random.alphabetic", [length]) => text(length, LETTERS)?.into(),
        ("$random.alphanumeric", [length]) => text(length, &format!("{LETTERS}{DIGITS}_"))?.into(),
        ("$random.hexadecimal", [length]) => text(length, "0123456789abcdef")?.into(),
        ("$random.numeric", [length]) => text(length, DIGITS)?.into(),
        ("$random.email", []) => email(),
        ("$timestamp", []) => now("seconds", None),
        ("$isoTimestamp", []) => now("iso8601", None),
        _ => return None,
    })
}

fn with_words(name: &str, words: &[String]) -> Option<Call> {
    match (name, words) {
        ("$timestamp", offset) => Some(now("seconds", of_words(offset)?)),
        ("$datetime" | "$localDatetime", [written, offset @ ..]) => {
            let format = match written.as_str() {
                "iso8601" => "iso8601".to_owned(),
                "rfc1123" => "%a, %d %b %Y %H:%M:%S GMT".to_owned(),
                written => format(written, &DAY_JS)?,
            };
            let call = now(&format, of_words(offset)?);
            Some(match name {
                "$localDatetime" => call.otherwise("the plan has it in UTC"),
                _ => call,
            })
        }
        (name, words) => {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            with_arguments(name, &words)
        }
    }
}

fn now(format: &str, offset: Option<String>) -> Call {
    Made::Now(format.to_owned(), offset).into()
}

fn number(from: &str, to: &str) -> Option<Call> {
    numbers(from, to).map(|(from, to)| Made::Number(from, to).into())
}

/// Up to the number before the second one.
fn below(from: &str, to: &str) -> Option<Call> {
    let (from, to) = numbers(from, to)?;
    (from < to).then(|| Made::Number(from, to - 1).into())
}

fn one_of(texts: &[&str]) -> Call {
    Made::OneOf(texts.iter().map(|text| (*text).to_owned()).collect()).into()
}

/// `name(a, b)` taken apart.
fn arguments(call: &str) -> (&str, Vec<&str>) {
    let Some((name, rest)) = call.split_once('(') else {
        return (call, Vec::new());
    };
    let inner = rest.trim_end().trim_end_matches(')').trim();
    match inner {
        "" => (name.trim(), Vec::new()),
        inner => (name.trim(), inner.split(',').map(str::trim).collect()),
    }
}

/// Words, of which those in quotes may have blanks.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let (word, after) = match first {
            '"' | '\'' => rest[1..].split_once(first).unwrap_or((&rest[1..], "")),
            _ => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

/// `-1 d` as an offset; `None` inside of none where nothing is added.
#[expect(
    clippy::option_option,
    reason = "no offset is another thing than one that plans do not have"
)]
fn of_words(words: &[String]) -> Option<Option<String>> {
    let [number, unit] = words else {
        return words.is_empty().then_some(None);
    };
    let number: i64 = number.parse().ok()?;
    let (times, unit) = match unit.as_str() {
        "w" => (7, "d"),
        "d" | "h" | "m" | "s" | "ms" => (1, unit.as_str()),
        // Months and years are of different lengths.
        _ => return None,
    };
    Some(Some(format!("{:+}{unit}", number.checked_mul(times)?)))
}
