//! Examples of a document of OpenAPI: those that are written, else what a schema allows.

use crate::read::json::{entries, list};
use serde_json::{Map, Value};

/// References that lead from one to the next.
const MOST_REFERENCES: usize = 20;
/// Values in each other.
const DEPTH_MAX: usize = 12;
/// Values in an example.
const MOST_VALUES: usize = 2_000;

/// A document with references to its own parts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Document<'a>(pub(super) &'a Value);

/// An example.
#[derive(Debug, PartialEq)]
pub(super) struct Example {
    pub(super) value: Value,
    /// It is not in the document: it follows from a type.
    pub(super) is_made_up: bool,
}

/// What bounds the making of one.
struct Bounds<'a> {
    values: usize,
    is_made_up: bool,
    /// References that are being followed.
    through: Vec<&'a str>,
}

impl<'a> Document<'a> {
    /// What a reference leads to, if it is one; `None` where it leads out of the document, nowhere or in a circle.
    pub(super) fn resolved(self, of: &'a Value) -> Option<&'a Value> {
        let mut of = of;
        for _ in 0..MOST_REFERENCES {
            let Some(reference) = of["$ref"].as_str() else {
                return Some(of);
            };
            of = self.0.pointer(reference.strip_prefix('#')?)?;
        }
        None
    }

    pub(super) fn example_of_parameter(self, parameter: &'a Value) -> Option<Example> {
        let content = entries(&parameter["content"]).next().map(|(_, content)| content);
        self.example_of_media(content.unwrap_or(parameter))
    }

    /// Of what has `example`, `examples` or `schema`.
    pub(super) fn example_of_media(self, of: &'a Value) -> Option<Example> {
        let written = |value: &Value| Example {
            value: value.clone(),
            is_made_up: false,
        };
        if let Some(example) = of.get("example") {
            return Some(written(example));
        }
        let listed = entries(&of["examples"]).find_map(|(_, example)| self.resolved(example)?.get("value"));
        if let Some(example) = listed {
            return Some(written(example));
        }
        let mut bounds = Bounds {
            values: 0,
            is_made_up: false,
            through: Vec::new(),
        };
        let value = self.example(of.get("schema")?, 0, &mut bounds)?;
        Some(Example {
            value,
            is_made_up: bounds.is_made_up,
        })
    }

    fn example(self, schema: &'a Value, depth: usize, bounds: &mut Bounds<'a>) -> Option<Value> {
        bounds.values += 1;
        if depth > DEPTH_MAX || bounds.values > MOST_VALUES {
            return None;
        }
        if let Some(reference) = schema["$ref"].as_str() {
            // What holds itself ends here.
            if bounds.through.contains(&reference) || bounds.through.len() > MOST_REFERENCES {
                return None;
            }
            bounds.through.push(reference);
            let example = self
                .0
                .pointer(reference.strip_prefix('#')?)
                .and_then(|schema| self.example(schema, depth, bounds));
            bounds.through.pop();
            return example;
        }
        let written = schema
            .get("example")
            .or_else(|| schema["examples"].get(0))
            .or_else(|| schema.get("default"));
        let written = written
            .or_else(|| schema.get("const"))
            .or_else(|| schema["enum"].get(0));
        if let Some(written) = written {
            return Some(written.clone());
        }
        if schema["allOf"].is_array() {
            let mut all = Map::new();
            for part in list(&schema["allOf"]) {
                match self.example(part, depth + 1, bounds) {
                    Some(Value::Object(entries)) => all.extend(entries),
                    Some(other) if all.is_empty() && !schema["properties"].is_object() => return Some(other),
                    _ => {}
                }
            }
            if let Some(Value::Object(own)) = self.object(schema, depth, bounds) {
                all.extend(own);
            }
            return Some(Value::Object(all));
        }
        for kind in ["oneOf", "anyOf"] {
            if let Some(example) = list(&schema[kind]).find_map(|one| self.example(one, depth + 1, bounds)) {
                return Some(example);
            }
        }
        let kind = schema["type"].as_str().or_else(|| {
            list(&schema["type"])
                .filter_map(Value::as_str)
                .find(|kind| *kind != "null")
        });
        if kind == Some("object") || schema["properties"].is_object() {
            return self.object(schema, depth, bounds);
        }
        if kind == Some("array") {
            let item = self.example(&schema["items"], depth + 1, bounds);
            return Some(Value::Array(item.into_iter().collect()));
        }
        let value = made_up(schema, kind?)?;
        bounds.is_made_up = true;
        Some(value)
    }

    fn object(self, schema: &'a Value, depth: usize, bounds: &mut Bounds<'a>) -> Option<Value> {
        let mut object = Map::new();
        for (name, property) in entries(&schema["properties"]) {
            if property["readOnly"] == true {
                continue;
            }
            if let Some(value) = self.example(property, depth + 1, bounds) {
                object.insert(name.to_owned(), value);
            }
        }
        Some(Value::Object(object))
    }
}

fn made_up(schema: &Value, kind: &str) -> Option<Value> {
    let least = || schema["minimum"].as_i64().unwrap_or(1);
    Some(match kind {
        "boolean" => Value::Bool(true),
        "integer" => Value::from(least()),
        "number" => schema
            .get("minimum")
            .filter(|least| least.is_number())
            .cloned()
            .unwrap_or_else(|| Value::from(1)),
        "string" => {
            let text = match schema["format"].as_str() {
                Some("date") => "2026-01-01",
                Some("date-time") => "2026-01-01T00:00:00Z",
                Some("time") => "00:00:00Z",
                Some("uuid") => "00000000-0000-4000-8000-000000000000",
                Some("email") => "someone@example.com",
                Some("uri" | "url") => "https://example.com/",
                Some("hostname") => "example.com",
                Some("ipv4") => "192.0.2.1",
                Some("ipv6") => "2001:db8::1",
                Some("byte") => "ZXhhbXBsZQ==",
                _ => "example",
            };
            let least = schema["minLength"].as_u64().unwrap_or_default().min(1_000) as usize;
            Value::from(format!("{text:x<least$}"))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn example(document: &Value, schema: &Value) -> Option<Value> {
        Document(document)
            .example_of_media(&json!({ "schema": schema }))
            .map(|example| example.value)
    }

    #[test]
    fn examples_follow_from_schemas() {
        let document = json!({ "components": { "schemas": {
            "Pet": { "type": "object", "properties": {
                "id": { "type": "integer", "readOnly": true }, "name": { "type": "string", "example": "Rex" }, "parent": { "$ref": "#/components/schemas/Pet" },
                "tags": { "type": "array", "items": { "type": "string", "enum": ["a", "b"] } } } },
            "Loop": { "$ref": "#/components/schemas/Loop" },
        } } });
        for (schema, expected) in [
            (
                json!({ "$ref": "#/components/schemas/Pet" }),
                Some(json!({ "name": "Rex", "tags": ["a"] })),
            ),
            (json!({ "$ref": "#/components/schemas/Loop" }), None),
            (json!({ "$ref": "other.yaml#/Pet" }), None),
            (
                json!({ "allOf": [{ "$ref": "#/components/schemas/Pet" }, { "properties": { "n": { "type": "integer", "minimum": 7 } } }] }),
                Some(json!({ "name": "Rex", "tags": ["a"], "n": 7 })),
            ),
            (
                json!({ "oneOf": [{ "type": "boolean" }, { "type": "string" }] }),
                Some(json!(true)),
            ),
            (
                json!({ "type": ["null", "string"], "format": "date" }),
                Some(json!("2026-01-01")),
            ),
            (json!({ "type": "string", "minLength": 9 }), Some(json!("examplexx"))),
        ] {
            assert_eq!(example(&document, &schema), expected, "{schema}");
        }
    }

    #[test]
    fn schema_that_doubles_stays_small() {
        let property = json!({ "$ref": "#/s1" });
        let mut document = Map::new();
        for depth in 1..12 {
            let next = json!({ "$ref": format!("#/s{}", depth + 1) });
            let properties: Map<String, Value> = (0..20).map(|index| (format!("p{index}"), next.clone())).collect();
            document.insert(format!("s{depth}"), json!({ "properties": properties }));
        }
        document.insert("s12".to_owned(), json!({ "type": "string" }));
        let document = Value::Object(document);
        let text = example(&document, &property).expect("an example").to_string();
        assert!(text.len() < 100 * MOST_VALUES, "{}", text.len());
    }
}
