//! Regular expressions, by which users find values in responses.

use crate::notation::Notation;
use crate::notation::mismatch::Mismatch;
use crate::secrets::Secret;
use regex::bytes::{Regex, RegexBuilder};
use schemars::{Schema, json_schema};
use std::fmt;

/// Most bytes of an expression when it is compiled. How long it searches is bounded by the text: it never looks back.
const COMPILED_BYTES_MAX: usize = 1 << 20;

/// A regular expression. It may be a secret, so that it prints nothing.
#[derive(Clone)]
pub struct Pattern {
    text: Secret,
    regex: Regex,
}

impl Pattern {
    /// The first match in `bytes`: its group of this number, all of it at 0. Without a number it is the first group, or all of it where there
    /// is no group.
    #[must_use]
    pub fn find<'b>(&self, bytes: &'b [u8], group: Option<u32>) -> Option<&'b [u8]> {
        let group = group.unwrap_or(self.groups().min(1)) as usize;
        match group {
            0 => self.regex.find(bytes).map(|found| found.as_bytes()),
            _ => self.regex.captures(bytes)?.get(group).map(|found| found.as_bytes()),
        }
    }

    /// What every match in `bytes` has there, as [`find`](Self::find) has it of the first. A match without the group is left out.
    pub fn find_all<'b>(&self, bytes: &'b [u8], group: Option<u32>) -> impl Iterator<Item = &'b [u8]> {
        let group = group.unwrap_or(self.groups().min(1)) as usize;
        let matches = self.regex.captures_iter(bytes);
        matches.filter_map(move |found| found.get(group).map(|found| found.as_bytes()))
    }

    /// How many groups it has.
    pub(crate) fn groups(&self) -> u32 {
        // The whole is one of them.
        u32::try_from(self.regex.captures_len() - 1).unwrap_or(u32::MAX)
    }

    pub(crate) fn text(&self) -> &Secret {
        &self.text
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl Notation for Pattern {
    const EXPECTED: &'static str = "a regular expression such as `id=([0-9]+)`";
    const PLAIN: bool = false;

    fn read(text: &str) -> Result<Self, Mismatch> {
        let regex = RegexBuilder::new(text).size_limit(COMPILED_BYTES_MAX).build();
        let regex = regex.map_err(|error| {
            // The last line says what is wrong, those before it repeat the expression.
            let said = error.to_string();
            let why = said.lines().last().unwrap_or_default();
            let found = match &error {
                regex::Error::CompiledTooBig(_) => "a regular expression that is too large".to_owned(),
                _ => format!(
                    "a regular expression with an error: {}",
                    why.trim_start_matches("error: ")
                ),
            };
            Mismatch::new(found, Self::EXPECTED)
                .hint("see https://docs.rs/regex for the syntax: there are neither look-around nor backreferences")
        })?;
        Ok(Self {
            text: Secret::new(text),
            regex,
        })
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "format": "regex" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Pattern {
        Pattern::read(text).unwrap_or_else(|mismatch| panic!("{mismatch}"))
    }

    #[test]
    fn a_value_is_a_group_or_all_of_the_match() {
        let found = |text: &str, group| {
            let found = pattern(text).find(b"\xff id=17; id=18", group).map(<[u8]>::to_vec);
            found.map(|bytes| String::from_utf8(bytes).expect("text"))
        };
        assert_eq!(found("id=([0-9]+)", None).as_deref(), Some("17"));
        assert_eq!(found("id=[0-9]+", None).as_deref(), Some("id=17"));
        assert_eq!(found("(i)(d)", Some(2)).as_deref(), Some("d"));
        assert_eq!(found("(i)(d)", Some(0)).as_deref(), Some("id"));
        assert_eq!(found("id=(x)?", None), None);
        assert_eq!(found("no", None), None);
        let all = |text: &str, group| {
            let pattern = pattern(text);
            let found = pattern.find_all(b"id=17; id=; id=18", group);
            found
                .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(all("id=([0-9]+)", None), ["17", "18"]);
        assert_eq!(all("id=([0-9])?", None), ["1", "1"]);
        assert_eq!(all("id=[0-9]*", None), ["id=17", "id=", "id=18"]);
        assert_eq!(all("no", None), [""; 0]);
    }

    #[test]
    fn expressions_that_cannot_be_used_are_refused_without_repeating_them() {
        for text in ["(hunter2", "hunter2(?=x)", r"(hunter2)\1", "((hunter2{100}){100}){100}"] {
            let mismatch = Pattern::read(text).expect_err(text);
            assert!(!mismatch.to_string().contains("hunter2"), "{mismatch}");
        }
    }
}
