//! YAML, and JSON as the part of YAML that it is, to a document; what the YAML library complains about to our errors.

use crate::notation::error::{PlanError, Source};
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::written::{At, Place};
use crate::secrets::looks_random;
use serde::de::DeserializeOwned;
use serde_saphyr::{DefaultMessageFormatter, Error, Location, MessageFormatter};

/// Reads a document. Aliases are expanded only so far that a small file stays small.
pub fn read_document<N: DeserializeOwned>(source: Source<'_>) -> Result<At<N>, PlanError> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        reject_unsupported_tags: true,
        with_snippet: false,
        emit_comments: false,
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::PassThrough,
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 100_000 },
    };
    serde_saphyr::from_str_with_options(source.text, options).map_err(|error| explain(source, &error))
}

fn explain(source: Source<'_>, error: &Error) -> PlanError {
    let place = error.location().and_then(Place::new);
    let at = |mismatch| source.error(place, "", mismatch);
    match error.without_snippet() {
        Error::AliasError { error, .. } => explain(source, error),
        Error::SerdeUnknownField { field, expected, .. } => {
            let listed = format!("one of the keys {}", expected.join(", "));
            at(about_key(field, "", listed).nearest(field, expected.iter().copied()))
        }
        Error::SerdeInvalidType {
            unexpected, expected, ..
        }
        | Error::SerdeInvalidValue {
            unexpected, expected, ..
        } => at(Mismatch::new(in_plan_words(unexpected), expected.as_str())),
        Error::Unexpected { expected, location } => {
            let expected = match *expected {
                "mapping start" => "a mapping of keys to values",
                "sequence start" => "a list",
                other => other,
            };
            at(Mismatch::new(kind_at(source, *location), expected))
        }
        Error::DuplicateMappingKey { key, .. } => at(about_key(
            key.as_deref().unwrap_or_default(),
            " a second time",
            "each key once".to_owned(),
        )),
        Error::Eof { .. } => at(Mismatch::new("the end of the file", format!("a {}", source.kind))),
        Error::MultipleDocuments { .. } => at(Mismatch::new(
            "a second document",
            format!("one {} in the file", source.kind),
        )),
        Error::Budget { .. } | Error::AliasReplayLimitExceeded { .. } => {
            let message = DefaultMessageFormatter.format_message(error).into_owned();
            at(Mismatch::new(
                "a file that grows too large when it is read",
                format!("a {}", source.kind),
            )
            .hint(message))
        }
        other => {
            let message = DefaultMessageFormatter.format_message(other).into_owned();
            at(
                Mismatch::new("text that is not YAML", format!("a {} in YAML or JSON", source.kind))
                    .hint(without_quotes(&message) + about_braces(source, place)),
            )
        }
    }
}

/// YAML takes the `}` of `${name}` for the end of a `{ … }` around it: the one trap in the way variables are written.
fn about_braces(source: Source<'_>, place: Option<Place>) -> &'static str {
    let line = place.map(|place| source.line(place));
    match line {
        Some(line) if line.contains("${") => "; between `{` and `}`, text with `${…}` needs quotes",
        _ => "",
    }
}

/// A key is repeated when it looks like one: what stands where a key should may be a part of a value.
fn about_key(key: &str, how: &str, expected: String) -> Mismatch {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !key.is_empty() && key.chars().all(plain) && !looks_random(key) {
        Mismatch::new(format!("the key {}{how}", quoted(key)), expected).plain()
    } else {
        Mismatch::new(format!("a key{how}"), expected)
    }
}

/// What the YAML library says, without what it quotes of the file.
fn without_quotes(message: &str) -> String {
    let mut kept = String::new();
    let mut quote = None;
    for c in message.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '`' | '\'') => {
                quote = Some(c);
                kept.push('…');
            }
            None => kept.push(c),
        }
    }
    kept
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

/// What kind of value begins at `location`.
fn kind_at(source: Source<'_>, location: Location) -> String {
    let place = Place::new(location);
    let begin = place.and_then(|place| place.bytes).map_or(0, |(begin, _)| begin);
    let text = source.text.get(begin..).unwrap_or_default();
    match text.chars().next() {
        // The place of an empty value is the colon before it.
        None | Some(':') => "nothing".to_owned(),
        Some('[') => "a list".to_owned(),
        Some('{') => "a mapping".to_owned(),
        Some('-') if text[1..].starts_with([' ', '\n', '\r']) => "a list".to_owned(),
        Some(_) => "text".to_owned(),
    }
}
