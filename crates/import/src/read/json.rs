//! Documents in JSON or YAML, as values with the keys that lead to them.

use crate::error::ImportError;
use crate::left_out::Place;
use serde_json::Value;

/// Aliases are expanded only so far that a small file stays small.
const MOST_ALIAS_EVENTS: usize = 100_000;

/// A document in JSON, or in YAML where it is none.
pub(crate) fn read(text: &str) -> Result<Value, ImportError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with(['{', '[']) {
        return serde_json::from_str(text).map_err(|error| {
            let place = Place::Line(error.line().max(1));
            ImportError::new(Some(&place), "text that is not JSON", "a document in JSON").hint(error.to_string())
        });
    }
    let options = serde_saphyr::options! {
        // As YAML 1.2 has it: `NO`, `on` and `007` are texts.
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        with_snippet: false,
        emit_comments: false,
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MOST_ALIAS_EVENTS },
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error: serde_saphyr::Error| {
        let place = error.location().map(|location| Place::Line(location.line() as usize));
        let why = error.without_snippet().to_string();
        ImportError::new(place.as_ref(), "text that is not YAML", "a document in YAML").hint(why)
    })
}

/// A text, a number or a truth value as text.
pub(crate) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

/// The elements of a list; of anything else there are none.
pub(crate) fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The entries of an object; of anything else there are none.
pub(crate) fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, value)| (key.as_str(), value))
}
