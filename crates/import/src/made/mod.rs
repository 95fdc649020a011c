//! Values that files of other tools make by functions, where plans have values of the same meaning.

mod braces;
mod dates;
mod jmeter;

pub(crate) use braces::{artillery, http, postman};
pub(crate) use jmeter::jmeter;

use crate::write::yaml::quoted;

/// Reads calls of the functions of a format; `None` of what plans have nothing like.
pub(crate) type Functions = fn(&str) -> Option<Call>;

/// What stands for a call of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) parts: Vec<Part>,
    /// The variable that keeps the value.
    pub(crate) keeps: Option<String>,
    /// A client has the same all the way.
    pub(crate) is_of_client: bool,
    /// What is otherwise in the plan.
    pub(crate) otherwise: Option<&'static str>,
}

impl Call {
    /// From which number to which it is any.
    pub(crate) fn numbers(&self) -> Option<(u64, u64)> {
        match self.parts.as_slice() {
            [Part::Made(Made::Number(from, to))] => Some((*from, *to)),
            _ => None,
        }
    }

    fn otherwise(self, how: &'static str) -> Self {
        Self {
            otherwise: Some(how),
            ..self
        }
    }
}

impl From<Made> for Call {
    fn from(made: Made) -> Self {
        Self::from(vec![Part::Made(made)])
    }
}

impl From<Vec<Part>> for Call {
    fn from(parts: Vec<Part>) -> Self {
        Self {
            parts,
            keeps: None,
            is_of_client: false,
            otherwise: None,
        }
    }
}

/// A part of what stands for a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Literal(String),
    Made(Made),
    /// A variable of the environment.
    Environment(String),
}

/// A source of values as plans have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Made {
    Uuid,
    /// Any whole number from one to another, both included.
    Number(u64, u64),
    /// The same, one after the other.
    Turn(u64, u64),
    /// Any of these texts.
    OneOf(Vec<String>),
    /// So many of these characters.
    Text(u32, String),
    /// The time in this format of plans, and how long after now.
    Now(String, Option<String>),
}

impl Made {
    /// As a plan has it: another one `anew`, or the same for a user all the way.
    pub(crate) fn source(&self, anew: bool) -> String {
        let anew = if anew { ", anew: true" } else { "" };
        match self {
            Self::Uuid => format!("{{ uuid: random{anew} }}"),
            Self::Number(from, to) => format!("{{ from: {from}, to: {to}, order: random{anew} }}"),
            Self::Turn(from, to) => format!("{{ from: {from}, to: {to} }}"),
            Self::OneOf(texts) => {
                let texts: Vec<String> = texts.iter().map(|text| quoted(&text.replace("${", "$${"))).collect();
                format!("{{ values: [{}], order: random{anew} }}", texts.join(", "))
            }
            Self::Text(length, characters) => match characters.as_str() {
                SMALL_AND_DIGITS => format!("{{ length: {length}{anew} }}"),
                characters => format!("{{ length: {length}, characters: {}{anew} }}", quoted(characters)),
            },
            Self::Now(format, None) => format!("{{ now: {} }}", quoted_format(format)),
            Self::Now(format, Some(offset)) => format!("{{ now: {}, offset: {offset} }}", quoted_format(format)),
        }
    }

    /// Whether it is left to chance.
    pub(crate) const fn is_by_chance(&self) -> bool {
        match self {
            Self::Uuid | Self::Number(..) | Self::OneOf(_) | Self::Text(..) => true,
            Self::Turn(..) | Self::Now(..) => false,
        }
    }
}

fn quoted_format(format: &str) -> String {
    match format {
        "seconds" | "milliseconds" | "iso8601" => format.to_owned(),
        format => quoted(format),
    }
}

/// A source of values that a file needs.
#[derive(Debug, Clone)]
pub(crate) struct MadeVariable {
    /// What stands for it in texts.
    pub(crate) key: String,
    /// What a plan is to call it.
    pub(crate) name: String,
    pub(crate) made: Made,
    /// Whether a user has another one each time.
    pub(crate) anew: bool,
}

/// What a variable for a call may be called: the name of the function.
pub(crate) fn name_of(call: &str) -> String {
    let name = call.trim_start_matches(['$', '_']);
    let end = name
        .find(|c: char| !c.is_alphanumeric() && c != '.')
        .unwrap_or(name.len());
    name[..end].to_owned()
}

/// What plans make random texts of unless they say otherwise.
const SMALL_AND_DIGITS: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";
/// Longer texts are no values.
const MOST_CHARACTERS: u32 = 1_000;

fn text(length: &str, characters: &str) -> Option<Made> {
    let length = length.trim().parse().ok()?;
    (1..=MOST_CHARACTERS)
        .contains(&length)
        .then(|| Made::Text(length, characters.to_owned()))
}

/// Whole numbers that are not negative, the lower one first.
fn numbers(from: &str, to: &str) -> Option<(u64, u64)> {
    let both = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    (both.0 <= both.1).then_some(both)
}

/// An address that nobody has.
fn email() -> Call {
    let name = Part::Made(Made::Text(12, SMALL_AND_DIGITS.to_owned()));
    Call::from(vec![name, Part::Literal("@example.com".to_owned())])
        .otherwise("the plan has random letters and digits at example.com")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a call becomes, in one line.
    fn shown(call: Option<Call>) -> String {
        let Some(call) = call else { return "none".to_owned() };
        let part = |part: &Part| match part {
            Part::Literal(text) => text.clone(),
            Part::Made(made) => made.source(made.is_by_chance() && !call.is_of_client),
            Part::Environment(name) => format!("env {name}"),
        };
        let mut text: String = call.parts.iter().map(part).collect();
        if let Some(keeps) = &call.keeps {
            text += &format!(" as {keeps}");
        }
        text
    }

    #[test]
    fn functions_become_sources_of_values() {
        let cases: [(Functions, &str, &str); 35] = [
            (postman, "$guid", "{ uuid: random, anew: true }"),
            (postman, "$timestamp", "{ now: seconds }"),
            (postman, "$isoTimestamp", "{ now: iso8601 }"),
            (
                postman,
                "$randomInt",
                "{ from: 0, to: 1000, order: random, anew: true }",
            ),
            (
                postman,
                "$randomBoolean",
                "{ values: [\"true\", \"false\"], order: random, anew: true }",
            ),
            (postman, "$randomFirstName", "none"),
            (
                artillery,
                "$randomNumber(1, 10)",
                "{ from: 1, to: 10, order: random, anew: true }",
            ),
            (artillery, "$randomNumber(-5, 5)", "none"),
            (artillery, "$randomString(6)", "{ length: 6, anew: true }"),
            (artillery, "$uuid", "{ uuid: random }"),
            (artillery, "$loopCount", "none"),
            (http, "$randomInt 5 10", "{ from: 5, to: 9, order: random, anew: true }"),
            (
                http,
                "$random.integer(1, 3)",
                "{ from: 1, to: 2, order: random, anew: true }",
            ),
            (
                http,
                "$random.hexadecimal(4)",
                "{ length: 4, characters: \"0123456789abcdef\", anew: true }",
            ),
            (
                http,
                "$random.alphabetic 2",
                "{ length: 2, characters: \"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\", anew: true }",
            ),
            (http, "$randomInt 30 25", "none"),
            (http, "$timestamp -1 d", "{ now: seconds, offset: -1d }"),
            (http, "$timestamp 1 y", "none"),
            (http, "$datetime iso8601 2 w", "{ now: iso8601, offset: +14d }"),
            (http, "$datetime \"YYYY-MM-DD HH:mm\"", "{ now: \"%Y-%m-%d %H:%M\" }"),
            (http, "$datetime rfc1123", "{ now: \"%a, %d %b %Y %H:%M:%S GMT\" }"),
            (jmeter, "__UUID", "{ uuid: random, anew: true }"),
            (jmeter, "__UUID()", "{ uuid: random, anew: true }"),
            (
                jmeter,
                "__Random(1,100)",
                "{ from: 1, to: 100, order: random, anew: true }",
            ),
            (
                jmeter,
                "__Random(1,100,id)",
                "{ from: 1, to: 100, order: random, anew: true } as id",
            ),
            (
                jmeter,
                "__RandomString(3,ab\\,)",
                "{ length: 3, characters: \"ab,\", anew: true }",
            ),
            (jmeter, "__time()", "{ now: milliseconds }"),
            (jmeter, "__time(/1000,)", "{ now: seconds }"),
            (
                jmeter,
                "__time(yyyy-MM-dd'T'HH:mm:ss.SSS'Z')",
                "{ now: \"%Y-%m-%dT%H:%M:%S.%3fZ\" }",
            ),
            (
                jmeter,
                "__timeShift(d/M/yy,,P1DT12H,,)",
                "{ now: \"%-d/%-m/%y\", offset: +1d12h }",
            ),
            (jmeter, "__timeShift(yyyy,2020,P1D,,)", "none"),
            (jmeter, "__counter(FALSE,)", "{ from: 1, to: 1000000000 }"),
            (jmeter, "__counter(TRUE,)", "none"),
            (jmeter, "__urlencode(a b)", "a%20b"),
            (jmeter, "__env(USER_NAME)", "env USER_NAME"),
        ];
        for (functions, call, expected) in cases {
            assert_eq!(shown(functions(call)), expected, "{call}");
        }
    }
}
