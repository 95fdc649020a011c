//! YAML, and JSON as the part of YAML that it is, to a document; what the YAML library complains about to our errors.

use crate::notation::error::{PlanError, Source};
use crate::notation::mismatch::Mismatch;
use crate::notation::refusal::{Refusal, Why, about_key};
use crate::notation::tree::{Node, Reading, Value};
use crate::notation::written::{At, Place};
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_saphyr::{DefaultMessageFormatter, Error, MessageFormatter};

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
    let mut node: Node =
        serde_saphyr::from_str_with_options(source.text, options).map_err(|error| explain(source, &error))?;
    // An empty file has no keys.
    if matches!(node.value, Value::Null) && source.slice(node.place).is_empty() {
        node.value = Value::Map(Vec::new());
    }
    let reading = Reading { node: &node, source };
    At::deserialize(reading).map_err(|refusal| refused(source, refusal))
}

fn refused(source: Source<'_>, Refusal { place, why }: Refusal) -> PlanError {
    let mismatch = match why {
        Why::Mismatch(mismatch) => *mismatch,
        Why::Other(message) => no_yaml(source, place, &message),
    };
    source.error(place, "", mismatch)
}

fn explain(source: Source<'_>, error: &Error) -> PlanError {
    let place = error.location().and_then(Place::new);
    let at = |mismatch| source.error(place, "", mismatch);
    match error.without_snippet() {
        Error::AliasError { error, .. } => explain(source, error),
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
            let message = DefaultMessageFormatter.format_message(other);
            at(no_yaml(source, place, &message))
        }
    }
}

fn no_yaml(source: Source<'_>, place: Option<Place>, message: &str) -> Mismatch {
    Mismatch::new("text that is not YAML", format!("a {} in YAML or JSON", source.kind))
        .hint(without_quotes(message) + about_braces(source, place))
}

/// YAML takes the `}` of `${name}` for the end of a `{ … }` around it: the one trap in the way variables are written.
fn about_braces(source: Source<'_>, place: Option<Place>) -> &'static str {
    let line = place.map(|place| source.line(place));
    match line {
        Some(line) if line.contains("${") => "; between `{` and `}`, text with `${…}` needs quotes",
        _ => "",
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
