//! The language of this crate, described for editors, and its keys.

use crate::notation::keys_of;
use crate::plan::document::PlanDocument;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// An example of each key, `section.key = JSON` in a line, but for keys that are one of a few words.
const EXAMPLES: &str = include_str!("examples.txt");

/// The JSON Schema of the files that [`Plan::parse`](crate::Plan::parse) reads.
#[must_use]
pub fn json_schema() -> Value {
    let mut schema = schemars::schema_for!(PlanDocument);
    schema.insert("title".to_owned(), "plimsoll plan".into());
    let mut schema = schema.to_value();
    for (section, key, example) in examples() {
        let property = properties(&mut schema, section).and_then(|properties| properties.get_mut(key)?.as_object_mut());
        if let Some(property) = property {
            property
                .entry("examples")
                .or_insert_with(|| Value::Array(vec![example]));
        }
    }
    schema
}

/// Section, key and value of each example.
fn examples() -> impl Iterator<Item = (&'static str, &'static str, Value)> {
    EXAMPLES.lines().filter_map(|line| {
        let (key, example) = line.split_once(" = ")?;
        let (section, key) = key.split_once('.')?;
        Some((section, key, serde_json::from_str(example).ok()?))
    })
}

/// The keys of a section: those of the plan itself are at the top.
fn properties<'s>(schema: &'s mut Value, section: &str) -> Option<&'s mut Map<String, Value>> {
    let section = match section {
        "plan" => schema,
        section => schema.get_mut("$defs")?.get_mut(section)?,
    };
    section.get_mut("properties")?.as_object_mut()
}

/// Every key of a plan.
pub(crate) fn keys() -> &'static BTreeSet<String> {
    static KEYS: LazyLock<BTreeSet<String>> = LazyLock::new(|| keys_of(&[json_schema()]));
    &KEYS
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;

    /// All keys, by section and name.
    fn all(schema: &Value) -> Vec<(String, Value)> {
        let sections = schema["$defs"].as_object().expect("sections").iter();
        let sections = sections
            .map(|(name, section)| (name.as_str(), section))
            .chain([("plan", schema)]);
        let keys = sections.flat_map(|(name, section)| {
            let properties = section["properties"].as_object().into_iter().flatten();
            properties.map(move |(key, property)| (format!("{name}.{key}"), property.clone()))
        });
        keys.collect()
    }

    #[test]
    fn every_key_has_a_description_and_an_example_or_its_few_words() {
        for (key, property) in all(&json_schema()) {
            let description = property["description"].as_str().unwrap_or_default();
            assert!(description.len() > 5, "{key} has no description");
            let has_words = property.get("enum").is_some() || property["type"] == "boolean";
            let has_example = property["examples"]
                .as_array()
                .is_some_and(|examples| !examples.is_empty());
            assert!(has_words || has_example, "{key} has no example");
        }
    }

    #[test]
    fn every_example_is_of_a_key_and_of_its_shape() {
        let keys = all(&json_schema());
        assert_eq!(examples().count(), EXAMPLES.lines().count());
        for (section, key, example) in examples() {
            let name = format!("{section}.{key}");
            let (_, property) = keys
                .iter()
                .find(|(known, _)| *known == name)
                .unwrap_or_else(|| panic!("{name}"));
            let shapes = match property["anyOf"].as_array() {
                Some(shapes) => shapes.clone(),
                None => vec![property.clone()],
            };
            assert!(
                shapes.iter().any(|shape| has_shape(shape, &example)),
                "{name}: {example}"
            );
        }
    }

    #[test]
    fn a_number_to_compare_with_is_one_where_a_plan_takes_it() {
        let schema = json_schema();
        for section in ["condition", "when", "check"] {
            for key in ["below", "at most", "at least", "above"] {
                let property = &schema["$defs"][section]["properties"][key];
                for text in [
                    "10",
                    "+2.5",
                    "-1e3",
                    ".5",
                    "5.",
                    " 7 ",
                    "${n}",
                    "1 and ${n}",
                    "",
                    "ten",
                    "true",
                    "1,000",
                    "0x10",
                    "$${n}",
                ] {
                    let plan = format!(
                        "target: http://h/\nscenario: {{ variables: {{ n: {{ to: 9 }} }}, journeys: [{{ actions: [request: {{ path: /, check: [{{ json: $.n, {key}: \"{text}\" }}] }}] }}] }}\n"
                    );
                    let is_taken = crate::Plan::parse(&plan, "plan.yaml").is_ok();
                    assert_eq!(has_shape(property, &text.into()), is_taken, "{section}.{key}: {text}");
                }
                assert!(!has_shape(property, &true.into()) && has_shape(property, &2.5.into()));
            }
        }
    }

    /// Whether a value has the type of a schema, and where it is a text the pattern.
    fn has_shape(schema: &Value, value: &Value) -> bool {
        if schema.get("$ref").is_some() {
            return value.is_object();
        }
        let kinds = match &schema["type"] {
            Value::String(kind) => vec![kind.as_str()],
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => return true,
        };
        let kind = match value {
            Value::String(_) => "string",
            Value::Number(number) if number.is_u64() && kinds.contains(&"integer") => "integer",
            Value::Number(_) => "number",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
            Value::Bool(_) | Value::Null => "boolean",
        };
        let fits = |text: &str| match schema["pattern"].as_str() {
            Some(pattern) => Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(text)),
            None => true,
        };
        kinds.contains(&kind) && value.as_str().is_none_or(fits)
    }
}
