//! Documents in JSON or YAML, as values with the keys that lead to them.

use crate::error::ImportError;
use crate::left_out::Place;
use serde_json::Value;

/// Aliases are expanded only so far that a small file stays small.
const MOST_ALIAS_EVENTS: usize = 100_000;
/// What a person writes in YAML is smaller.
const MOST_WRITTEN_BYTES: usize = 1 << 20;

/// A document in JSON, or in YAML where it is none.
pub(crate) fn read(text: &str) -> Result<Value, ImportError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with(['{', '[']) {
        return serde_json::from_str(text).map_err(|error| {
            let place = Place::Line(error.line().max(1));
            ImportError::new(Some(&place), "text that is not JSON", "a document in JSON").hint(error.to_string())
        });
    }
    yaml(text).or_else(|error| match text.len() <= MOST_WRITTEN_BYTES {
        true => yaml(&with_deeper_quotes(text)).map_err(|_| error),
        false => Err(error),
    })
}

fn yaml(text: &str) -> Result<Value, ImportError> {
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

/// A text in quotes may go on in lines that are indented less than YAML has it, which the parsers of JavaScript allow. Blanks in front of
/// these lines are no part of it.
fn with_deeper_quotes(text: &str) -> String {
    const DEEPER: &str = "                                        ";
    let mut made = String::with_capacity(text.len());
    let mut is_quoted = false;
    for line in text.split_inclusive('\n') {
        if is_quoted {
            made.push_str(DEEPER);
        }
        made.push_str(line);
        let mut before = ' ';
        let mut is_escaped = false;
        for c in line.chars() {
            let opens = !is_quoted && matches!(before, ' ' | '[' | '{' | ',');
            match c {
                '#' if !is_quoted && before == ' ' => break,
                '"' if is_quoted && !is_escaped || opens => is_quoted = !is_quoted,
                _ => {}
            }
            is_escaped = is_quoted && c == '\\' && !is_escaped;
            before = c;
        }
    }
    made
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn quoted_text_may_go_on_further_left() {
        let text =
            "a:\n  - b: \"query { # no comment\n    c \\\" d\n  }\" # \"comment\n    e: \"f\"\ng: it's \"plain\"\n";
        assert_eq!(
            read(text).expect("a document"),
            json!({ "a": [{ "b": "query { # no comment c \" d }", "e": "f" }], "g": "it's \"plain\"" })
        );
        let error = read("a: \"b\nc: }\n").expect_err("no end");
        assert!(error.to_string().contains("YAML"), "{error}");
    }
}
