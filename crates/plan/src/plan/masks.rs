//! What is shown of the parts of a request.

use crate::plan::template::{Span, Template};
use crate::secrets::{REDACTED, Secret, is_harmless_header, looks_random, masked_text};

/// The path of a request: a template whose query has no values left, whose path has no parameters and nothing that looks
/// random or comes from the environment.
pub(crate) fn masked_path(path: &Template) -> Template {
    let mut masked = Template::default();
    let mut state = State::Path;
    let mut run = Vec::new();
    for span in &path.spans {
        match span {
            Span::Literal(bytes) => {
                for &byte in bytes {
                    let next = state.after(byte);
                    if next == state && !state.ends_run(byte) {
                        run.push(byte);
                        continue;
                    }
                    state.flush(&mut run, &mut masked, byte == b'=');
                    masked.push_literal(&[byte]);
                    state = next;
                }
            }
            Span::Sealed(_) => {
                state.flush(&mut run, &mut masked, false);
                hide(&mut masked);
            }
            Span::Variable(_) => {
                state.flush(&mut run, &mut masked, true);
                masked.spans.push(span.clone());
            }
        }
    }
    state.flush(&mut run, &mut masked, false);
    masked
}

/// Where in a path one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Path,
    /// Behind a `;` of a segment.
    Parameter,
    Name,
    Value,
}

impl State {
    fn after(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Path | Self::Parameter, b'?') => Self::Name,
            (Self::Path, b';') => Self::Parameter,
            (Self::Parameter, b'/') => Self::Path,
            (Self::Name, b'=') => Self::Value,
            (Self::Value | Self::Name, b'&') => Self::Name,
            _ => self,
        }
    }

    fn ends_run(self, byte: u8) -> bool {
        match self {
            Self::Path => byte == b'/',
            Self::Parameter => byte == b';',
            Self::Name => byte == b'&',
            Self::Value => false,
        }
    }

    /// Moves what was gathered to `masked`: as it is where that is harmless. A name is one only when a value or a place
    /// follows.
    fn flush(self, run: &mut Vec<u8>, masked: &mut Template, named: bool) {
        if run.is_empty() {
            return;
        }
        let text = String::from_utf8_lossy(run);
        let harmless = match self {
            Self::Path => !looks_random(&text) && !text.contains('@') && !text.contains("://"),
            Self::Name => named && is_plain_name(&text),
            Self::Parameter | Self::Value => text == REDACTED,
        };
        if harmless {
            masked.push_literal(run);
        } else {
            hide(masked);
        }
        run.clear();
    }
}

/// Adds the placeholder, unless it is there already.
fn hide(masked: &mut Template) {
    if let Some(Span::Literal(last)) = masked.spans.last()
        && last.ends_with(REDACTED.as_bytes())
    {
        return;
    }
    masked.push_literal(REDACTED.as_bytes());
}

fn is_plain_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '[' | ']');
    name.chars().all(plain) && !looks_random(name)
}

/// As [`masked_path`], without variables.
pub(crate) fn masked_url_path(path: &Secret) -> String {
    if path.is_sealed() {
        return format!("/{REDACTED}");
    }
    let masked = masked_path(&Template::literal(path.reveal()));
    let literals = masked.literals().map(String::from_utf8_lossy);
    literals.collect()
}

/// A header as it is shown: the value of a harmless one without what looks random, of others the placeholder.
pub(crate) fn masked_header(name: &str, value: &Template) -> Template {
    if !is_harmless_header(name) {
        return Template::literal(REDACTED);
    }
    let mut masked = Template::default();
    for span in &value.spans {
        match span {
            Span::Literal(bytes) => masked.push_literal(masked_text(&String::from_utf8_lossy(bytes)).as_bytes()),
            Span::Sealed(_) => hide(&mut masked),
            Span::Variable(_) => masked.spans.push(span.clone()),
        }
    }
    masked
}

/// How long a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyLength {
    /// Outside its variables.
    pub bytes: usize,
    /// Variables add to that.
    pub is_least: bool,
}

/// What stands for a body: how long it is.
pub(crate) fn body_text(body: &Template) -> String {
    if let Some(text) = body.as_literal().and_then(|bytes| std::str::from_utf8(bytes).ok())
        && told_length(text).is_some()
    {
        return text.to_owned();
    }
    let length = body_length(body);
    let least = if length.is_least { "at least " } else { "" };
    format!("[redacted, {least}{} bytes]", length.bytes)
}

/// Of a body, or of the one for which a text stands.
pub(crate) fn body_length(body: &Template) -> BodyLength {
    let text = body.as_literal().and_then(|bytes| std::str::from_utf8(bytes).ok());
    text.and_then(told_length).unwrap_or_else(|| BodyLength {
        bytes: body.literals().map(<[u8]>::len).sum(),
        is_least: body.variables().next().is_some(),
    })
}

fn told_length(text: &str) -> Option<BodyLength> {
    let told = text.strip_prefix("[redacted, ")?.strip_suffix(" bytes]")?;
    let number = told.strip_prefix("at least ");
    Some(BodyLength {
        bytes: number.unwrap_or(told).parse().ok()?,
        is_least: number.is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_keep_their_names_and_places() {
        for (path, masked) in [
            ("/a/b", "/a/b"),
            ("/a?token=hunter2&x=1", "/a?token=[redacted]&x=[redacted]"),
            ("/a?hunter2", "/a?[redacted]"),
            ("/a?q=${v}", "/a?q=${v}"),
            ("/a?q=x${v}y", "/a?q=[redacted]${v}[redacted]"),
            (
                "/a;jsessionid=hunter2/b;c?d=e",
                "/a;[redacted]/b;[redacted]?d=[redacted]",
            ),
            ("/u${v}/turns", "/u${v}/turns"),
            ("/hook/9f86d081884c7d659a2f/x", "/hook/[redacted]/x"),
            ("/a?b=c=d&&e", "/a?b=[redacted]&&[redacted]"),
        ] {
            let template = Template::parse(path, &["v"]).expect("a path");
            let text = masked_path(&template).to_text(&["v"]).expect("text");
            assert_eq!(text, masked, "{path}");
            let again = masked_path(&Template::parse(&text, &["v"]).expect("a path"));
            assert_eq!(again.to_text(&["v"]).as_deref(), Some(masked));
        }
    }
}
