//! What does not fit into a document, before it is known which file it is in.

use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::written::Place;
use crate::secrets::looks_random;
use serde::de::{Error, Expected, Unexpected};
use std::fmt;

/// What does not fit, and where.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) place: Option<Place>,
    pub(crate) why: Why,
}

#[derive(Debug)]
pub(crate) enum Why {
    Mismatch(Box<Mismatch>),
    /// In words of who reads.
    Other(String),
}

impl Refusal {
    /// At `place`, unless it is known more closely.
    pub(crate) fn at(mut self, place: Option<Place>) -> Self {
        self.place = self.place.or(place);
        self
    }
}

impl From<Mismatch> for Refusal {
    fn from(mismatch: Mismatch) -> Self {
        Self {
            place: None,
            why: Why::Mismatch(Box::new(mismatch)),
        }
    }
}

impl Error for Refusal {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self {
            place: None,
            why: Why::Other(message.to_string()),
        }
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Mismatch::new(in_plan_words(&unexpected.to_string()), expected.to_string()).into()
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let listed = format!("one of the keys {}", expected.join(", "));
        let mismatch = about_key(field, "", listed);
        let meant = OF_OTHERS.iter().filter(|(word, _)| field.eq_ignore_ascii_case(word));
        match meant.map(|(_, key)| *key).find(|key| expected.contains(key)) {
            Some(key) => mismatch.hint(format!("did you mean `{key}`?")).into(),
            None => mismatch.nearest(field, expected.iter().copied()).into(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::Mismatch(mismatch) => mismatch.fmt(f),
            Why::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Refusal {}

/// What other tools call a key, and what it is called here.
const OF_OTHERS: [(&str, &str); 42] = [
    ("get", "request"),
    ("post", "request"),
    ("put", "request"),
    ("patch", "request"),
    ("delete", "request"),
    ("http", "request"),
    ("think", "pause"),
    ("wait", "pause"),
    ("sleep", "pause"),
    ("delay", "pause"),
    ("loop", "repeat"),
    ("foreach", "repeat"),
    ("if", "when"),
    ("steps", "actions"),
    ("flow", "actions"),
    ("requests", "actions"),
    ("capture", "take"),
    ("extract", "take"),
    ("save", "take"),
    ("assert", "check"),
    ("match", "check"),
    ("status", "expect"),
    ("data", "body"),
    ("body_json", "json"),
    ("query", "path"),
    ("uri", "path"),
    ("equals", "is"),
    ("eq", "is"),
    ("ne", "is not"),
    ("lt", "below"),
    ("lte", "at most"),
    ("gt", "above"),
    ("gte", "at least"),
    ("contains", "body"),
    ("min", "from"),
    ("min", "at least"),
    ("max", "to"),
    ("max", "at most"),
    ("count", "times"),
    ("users", "connections"),
    ("vus", "connections"),
    ("threads", "connections"),
];

/// A key is repeated when it looks like one: what stands where a key should may be a part of a value.
pub(crate) fn about_key(key: &str, how: &str, expected: String) -> Mismatch {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !key.is_empty() && key.chars().all(plain) && !looks_random(key) {
        Mismatch::new(format!("the key {}{how}", quoted(key)), expected).plain()
    } else {
        Mismatch::new(format!("a key{how}"), expected)
    }
}

/// serde's words for what was found, in those of this crate. The value is not repeated: it may be one that nobody is to
/// see.
fn in_plan_words(unexpected: &str) -> String {
    let kind = match unexpected {
        "sequence" => "a list",
        "map" => "a mapping",
        "unit value" => "nothing",
        other if other.starts_with("string") => "text",
        other if other.starts_with("bool") => "true or false",
        other if other.starts_with("integer") || other.starts_with("floating") => "a number",
        _ => "another kind of value",
    };
    kind.to_owned()
}
