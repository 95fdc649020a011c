//! What happens while something is measured, as a line of JSON each.

use super::{safe, schema, texts};
use crate::words;
use plimsoll_findings::Event;
use serde_json::Value;

/// One line without its end; `None` for what the result says.
#[must_use]
pub fn event_json(event: &Event<'_>) -> Option<String> {
    if matches!(event, Event::Finished(_) | Event::RoundsFinished) {
        return None;
    }
    let mut json = serde_json::to_value(event).expect("events consist of structs, strings and numbers");
    if let Event::StepFinished(step) = event {
        texts::step(step, &mut json);
    }
    // It begins with blanks where a terminal shows it in columns.
    texts::set(&mut json, "text", words::event(event).trim_start());
    Some(safe(&json.to_string()))
}

/// The JSON Schema (draft 2020-12) of each such line.
#[must_use]
pub fn event_schema() -> Value {
    let mut schema = schema::of::<Event<'_>>();
    let choices = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    choices.into_iter().flatten().for_each(schema::with_text);
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn events_are_lines_of_json_with_text() {
        let path = Path::new("runs/a\nb");
        let text = event_json(&Event::DirectoryCreated { path }).expect("it is told");
        assert_eq!(
            text,
            r#"{"type":"directory_created","path":"runs/a\nb","text":"run directory runs/a\nb"}"#
        );
        assert_eq!(event_json(&Event::RoundsFinished), None);
    }

    /// A reader tells events apart by their type.
    #[test]
    fn every_event_of_the_schema_has_a_type_and_a_text() {
        let schema = event_schema();
        let choices = schema["oneOf"].as_array().expect("a choice for each event");
        assert!(choices.len() > 10, "{schema:#}");
        for choice in choices {
            assert!(choice["properties"]["type"]["const"].is_string(), "{choice:#}");
            assert!(choice["properties"]["text"].is_object(), "{choice:#}");
        }
    }
}
