//! Where a value stands in JSON.

use crate::notation::Notation;
use crate::notation::mismatch::{Mismatch, quoted};
use schemars::{Schema, json_schema};
use std::fmt;

/// Where a value stands in JSON: `$`, then names and numbers of elements; or several, by `[*]`, which are a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonPath(Vec<JsonStep>);

/// One step from a value of JSON into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonStep {
    /// To the value of this name in an object.
    Name(String),
    /// To this element of an array, from 0.
    Element(u64),
    /// To every element of an array.
    Every,
}

impl JsonPath {
    /// From the whole text to the value.
    #[must_use]
    pub fn steps(&self) -> &[JsonStep] {
        &self.0
    }

    /// Whether it leads to several values.
    pub(crate) fn is_of_several(&self) -> bool {
        self.0.contains(&JsonStep::Every)
    }
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        self.0.iter().try_for_each(|step| match step {
            JsonStep::Element(index) => write!(f, "[{index}]"),
            JsonStep::Every => f.write_str("[*]"),
            JsonStep::Name(name) if is_plain(name) => write!(f, ".{name}"),
            JsonStep::Name(name) => write!(f, "['{name}']"),
        })
    }
}

/// Whether a name may follow a dot.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

impl Notation for JsonPath {
    const EXPECTED: &'static str = "a path such as `$.items[0].id`, or `$.items[*].id` for all";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let mut rest = text.strip_prefix('$').ok_or_else(|| Self::mismatch(text))?;
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, behind) = step(rest).ok_or_else(|| {
                let hint = "names follow a dot or stand as ['name'], elements as [0] or, all of them, [*]; slices and filters are not \
                            supported";
                Mismatch::new(quoted(rest), Self::EXPECTED).plain().hint(hint)
            })?;
            steps.push(step);
            rest = behind;
        }
        Ok(Self(steps))
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": "^\\$", "examples": ["$.token", "$.items[0].id", "$.items[*].id"] })
    }
}

/// The step that a path begins with, and what is behind it.
fn step(path: &str) -> Option<(JsonStep, &str)> {
    if let Some(rest) = path.strip_prefix("['") {
        let (name, rest) = rest.split_once("']")?;
        return (!name.contains('\'')).then(|| (JsonStep::Name(name.to_owned()), rest));
    }
    if let Some(rest) = path.strip_prefix('[') {
        let (index, rest) = rest.split_once(']')?;
        if index == "*" {
            return Some((JsonStep::Every, rest));
        }
        let digits = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
        return digits
            .then(|| index.parse().ok())
            .flatten()
            .map(|index| (JsonStep::Element(index), rest));
    }
    let rest = path.strip_prefix('.')?;
    let end = rest.find(['.', '[']).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    is_plain(name).then(|| (JsonStep::Name(name.to_owned()), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_back_as_they_are_written() {
        for text in [
            "$",
            "$.token",
            "$.items[0].id",
            "$['a b'][12]",
            "$.a-b._c",
            "$['']",
            "$[*].a[*]",
        ] {
            assert_eq!(JsonPath::read(text).map(|path| path.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(
            JsonPath::read("$['plain']").map(|path| path.to_string()),
            Ok("$.plain".to_owned())
        );
        for text in [
            "",
            "token",
            "$token",
            "$.",
            "$..a",
            "$.*",
            "$[**]",
            "$[-1]",
            "$[a]",
            "$[]",
            "$[0",
            "$['a",
            "$['a''b']",
            "$[1:2]",
            "$.a b",
            "$[99999999999999999999]",
        ] {
            assert!(JsonPath::read(text).is_err(), "{text}");
        }
    }
}
