//! What may be so for a user or not: how a value compares with another one, and several of these together.

use crate::notation::Notation;
use crate::notation::mismatch::Mismatch;
use crate::plan::template::Template;
use schemars::{Schema, json_schema};
use std::cmp::Ordering;

/// Something that is so for a user or not.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// A value compares so with another one.
    Value(Template, Comparison),
    /// All of these are so; there is at least one.
    All(Vec<Condition>),
    /// At least one of these is so.
    Any(Vec<Condition>),
    /// This is not so.
    Not(Box<Condition>),
}

impl Condition {
    /// Most comparisons in one.
    pub(crate) const MOST: usize = 100;

    /// Whether it is so, where `holds` says it of each comparison; of no more than are needed.
    pub fn is_so(&self, holds: &impl Fn(&Template, &Comparison) -> bool) -> bool {
        match self {
            Self::Value(value, comparison) => holds(value, comparison),
            Self::All(all) => all.iter().all(|condition| condition.is_so(holds)),
            Self::Any(any) => any.iter().any(|condition| condition.is_so(holds)),
            Self::Not(condition) => !condition.is_so(holds),
        }
    }

    /// Gives `with` every text with places for variables in it, and its key below the one of the condition.
    pub(crate) fn each_template(&self, key: &str, with: &mut dyn FnMut(&str, &Template)) {
        match self {
            Self::Value(value, comparison) => {
                with(&format!("{key}.value"), value);
                with(&format!("{key}.{}", comparison.relation.word()), &comparison.with);
            }
            Self::All(several) | Self::Any(several) => {
                let word = if matches!(self, Self::All(_)) { "all" } else { "any" };
                for (index, condition) in several.iter().enumerate() {
                    condition.each_template(&format!("{key}.{word}[{index}]"), with);
                }
            }
            Self::Not(condition) => condition.each_template(&format!("{key}.not"), with),
        }
    }

    /// How many comparisons are in it.
    pub(crate) fn comparisons(&self) -> usize {
        match self {
            Self::Value(..) => 1,
            Self::All(several) | Self::Any(several) => several.iter().map(Self::comparisons).sum(),
            Self::Not(condition) => condition.comparisons(),
        }
    }
}

/// What a value is to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// How it is to compare.
    pub relation: Relation,
    /// With what.
    pub with: Template,
}

/// How a value compares with another one. But for the first two, both have to be numbers: nothing is below or above what is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// It is the same text.
    Is,
    /// It is another text.
    IsNot,
    /// It is a lower number.
    Below,
    /// It is no higher number.
    AtMost,
    /// It is no lower number.
    AtLeast,
    /// It is a higher number.
    Above,
}

impl Relation {
    /// Every one.
    pub const ALL: [Self; 6] = [
        Self::Is,
        Self::IsNot,
        Self::Below,
        Self::AtMost,
        Self::AtLeast,
        Self::Above,
    ];

    /// As a plan has it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Is => "is",
            Self::IsNot => "is not",
            Self::Below => "below",
            Self::AtMost => "at most",
            Self::AtLeast => "at least",
            Self::Above => "above",
        }
    }

    /// Whether it is about numbers.
    #[must_use]
    pub const fn is_of_numbers(self) -> bool {
        !matches!(self, Self::Is | Self::IsNot)
    }

    /// Whether `found` compares so with `with`.
    #[must_use]
    pub fn holds(self, found: &[u8], with: &[u8]) -> bool {
        match self {
            Self::Is => found == with,
            Self::IsNot => found != with,
            Self::Below => compared(found, with).is_some_and(Ordering::is_lt),
            Self::AtMost => compared(found, with).is_some_and(Ordering::is_le),
            Self::AtLeast => compared(found, with).is_some_and(Ordering::is_ge),
            Self::Above => compared(found, with).is_some_and(Ordering::is_gt),
        }
    }
}

/// What a number is compared with: a number, or a text with variables.
#[derive(Debug)]
pub(crate) struct NumberText;

impl Notation for NumberText {
    const EXPECTED: &'static str = "a number such as 10 or 2.5, or `${name}` of a value";
    const PLAIN: bool = false;

    fn read(text: &str) -> Result<Self, Mismatch> {
        match text.contains("${") || is_number(text.as_bytes()) {
            true => Ok(Self),
            false => Err(Self::mismatch(text)),
        }
    }

    fn schema() -> Schema {
        json_schema!({
            "type": ["string", "number"],
            "pattern": r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$|(^|[^$])\$\{",
        })
    }
}

/// Whether a text is a number: whole, with a fraction, or with an exponent, with blanks around it or without.
#[must_use]
pub fn is_number(text: &[u8]) -> bool {
    text_of(text).and_then(number).is_some()
}

/// How a number compares with another one, exactly where both are whole and have at most 38 digits; `None` where one is no number.
fn compared(found: &[u8], with: &[u8]) -> Option<Ordering> {
    let (found, with) = (text_of(found)?, text_of(with)?);
    match (found.parse::<i128>(), with.parse::<i128>()) {
        (Ok(found), Ok(with)) => Some(found.cmp(&with)),
        _ => number(found)?.partial_cmp(&number(with)?),
    }
}

fn text_of(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes.trim_ascii()).ok()
}

fn number(text: &str) -> Option<f64> {
    // Names such as `inf` are no numbers here.
    let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    let number = text.bytes().all(is_plain).then(|| text.parse::<f64>().ok())??;
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(found: &str, with: &str, expected: &[&str]) {
        let holding = Relation::ALL
            .iter()
            .filter(|relation| relation.holds(found.as_bytes(), with.as_bytes()))
            .map(|relation| relation.word())
            .collect::<Vec<_>>();
        assert_eq!(holding, expected, "{found} and {with}");
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        check("9", "10", &["is not", "below", "at most"]);
        check("10", "10", &["is", "at most", "at least"]);
        check("10", "10.0", &["is not", "at most", "at least"]);
        check(" 1e1\n", "9.5", &["is not", "at least", "above"]);
        check("-3", "+2", &["is not", "below", "at most"]);
        check("007", "7", &["is not", "at most", "at least"]);
        // Doubles have these as one.
        check("9007199254740993", "9007199254740992", &["is not", "at least", "above"]);
    }

    #[test]
    fn nothing_is_below_or_above_what_is_no_number() {
        for text in ["", "ten", "NaN", "inf", "1,000", "0x10", "1e999", "12 s", "--1"] {
            assert!(!is_number(text.as_bytes()), "{text}");
            check(text, "5", &["is not"]);
            check("5", text, &["is not"]);
        }
        check("NaN", "NaN", &["is"]);
    }

    proptest! {
        #[test]
        fn comparisons_are_those_of_the_numbers(left in -1e6..1e6_f64, right in prop_oneof![Just(0.0), -1e6..1e6_f64]) {
            let (found, with) = (left.to_string(), right.to_string());
            let holds = |relation: Relation| relation.holds(found.as_bytes(), with.as_bytes());
            prop_assert_eq!(holds(Relation::Below), left < right);
            prop_assert_eq!(holds(Relation::AtMost), left <= right);
            prop_assert_eq!(holds(Relation::AtLeast), left >= right);
            prop_assert_eq!(holds(Relation::Above), left > right);
        }

        #[test]
        fn any_two_texts_are_compared(found: Vec<u8>, with: Vec<u8>) {
            for relation in Relation::ALL {
                prop_assert!(!relation.is_of_numbers() || !relation.holds(&found, &with) || is_number(&found));
            }
        }
    }
}
