//! YAML, and JSON as the part of YAML that it is, to a document; what the YAML library complains about to our errors.

use crate::error::{PlanError, Source};
use crate::mismatch::{Mismatch, quoted};
use crate::written::{At, Place};
use serde::de::DeserializeOwned;
use serde_saphyr::{DefaultMessageFormatter, Error, Location, MessageFormatter};

/// Reads a document. Aliases are expanded only so far that a small file stays small.
pub(crate) fn read_document<N: DeserializeOwned>(source: Source<'_>) -> Result<At<N>, PlanError> {
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
            at(Mismatch::new(format!("the key {}", quoted(field)), listed).nearest(field, expected.iter().copied()))
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
        Error::DuplicateMappingKey { key, .. } => {
            let key = key
                .as_deref()
                .map_or("a key".to_owned(), |key| format!("the key {}", quoted(key)));
            at(Mismatch::new(format!("{key} a second time"), "each key once"))
        }
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
                    .hint(message + about_braces(source, place)),
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

/// serde's words for what was found, in those of this crate.
fn in_plan_words(unexpected: &str) -> String {
    match unexpected {
        "sequence" => "a list".to_owned(),
        "map" => "a mapping".to_owned(),
        "unit value" => "nothing".to_owned(),
        other => match other.split_once(' ').map(|(_, value)| value.trim_matches(['`', '"'])) {
            Some(value) => quoted(value),
            None => other.to_owned(),
        },
    }
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
        Some(_) => quoted(text.lines().next().unwrap_or_default()),
    }
}
