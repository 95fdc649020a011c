//! The schemas of findings as JSON, with the texts that stand in it.

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

/// Texts beside what is no code: the type, the key, what it says.
const BESIDE: &[(&str, &str, &str)] = &[
    ("Host", "text", "The machine in one line."),
    ("Condition", "text", "The objective as a plan writes it."),
    ("LoadLine", "interval_text", "The interval in words."),
    (
        "SizingFinding",
        "text",
        "The prediction in words, or why there is none.",
    ),
    ("SizingPrediction", "text", "What it is predicted from, in words."),
    ("Instances", "text", "The number and its interval in words."),
    ("ErrorFinding", "meaning", "What the class means."),
    ("ExampleFinding", "text", "The example in a sentence."),
    ("Diagnosis", "bound_text", "What runs out first, in words."),
    ("BrokeFirst", "text", "What broke first, in words."),
    (
        "Cause",
        "title",
        "What it is, and the package that it is reached through.",
    ),
    ("Cause", "costs", "What it costs each request."),
    ("Cause", "remedy", "What to do."),
    ("Cause", "doc", "The page that explains it."),
    (
        "Cause",
        "compiled_text",
        "How to build with source maps, where the place is compiled code.",
    ),
    ("Predicted", "text", "The prediction and its assumption in words."),
    ("Place", "text", "The line with its column and function."),
    ("WhatIf", "text", "What was left out and what that gave, in words."),
    ("FigureFinding", "text", "What is compared, in words."),
    (
        "Comparison",
        "threshold_text",
        "What became of the threshold that was set, where there is one.",
    ),
    ("PredictionFinding", "text", "The prediction in words."),
    (
        "PredictionFinding",
        "outcome_text",
        "What came of it, where that is known.",
    ),
    ("NoiseFindings", "text", "What a check can see here, in words."),
    ("Disturbance", "hint", "What to do about it."),
    ("LawFinding", "tells_text", "What the points tell, in words."),
    ("StudyHeadline", "text", "What it comes to, in words."),
    ("StudyFindings", "next_step", "What to do next, in words."),
    ("PublishedFinding", "text", "What was published, in words."),
    ("HereFinding", "text", "What is here, in words."),
];

/// Texts that are not always there.
const SOMETIMES: &[&str] = &["threshold_text", "outcome_text", "compiled_text"];

/// The schema of `T` and the texts that are added to it.
pub(crate) fn of<T: JsonSchema>() -> Value {
    let mut schema = schemars::schema_for!(T).to_value();
    let name = schema["title"].as_str().unwrap_or_default().to_owned();
    beside(&name, &mut schema);
    if let Some(Value::Object(defs)) = schema.get_mut("$defs") {
        for (name, def) in defs.iter_mut() {
            beside(name, def);
            coded(def, name == "Notice");
        }
    }
    schema
}

fn beside(name: &str, schema: &mut Value) {
    for (_, key, description) in BESIDE.iter().filter(|(of, ..)| *of == name) {
        add(schema, key, json!({"type": "string", "description": description}));
    }
}

/// Each choice of a type that has a code has a text.
fn coded(schema: &mut Value, has_hint: bool) {
    let choices = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    for choice in choices.into_iter().flatten() {
        if choice["properties"]["code"].is_null() {
            continue;
        }
        with_text(choice);
        if has_hint {
            let hint = json!({"type": ["string", "null"], "description": "What to do about it."});
            add(choice, "hint", hint);
        }
    }
}

pub(super) fn with_text(schema: &mut Value) {
    add(
        schema,
        "text",
        json!({"type": "string", "description": "The same in words."}),
    );
}

fn add(schema: &mut Value, key: &str, property: Value) {
    let Value::Object(schema) = schema else { return };
    let properties = schema.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    properties[key] = property;
    if SOMETIMES.contains(&key) {
        return;
    }
    let required = schema.entry("required").or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(required) = required {
        required.push(Value::from(key));
    }
}
