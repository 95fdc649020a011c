//! What a plan does not have of the file that it was made of.

use plimsoll_plan::Shown;
use plimsoll_plan::secret_names::is_token;
use std::fmt;

/// Where something is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// In this line, from 1.
    Line(usize),
    /// Under these keys, such as `log.entries[3]`.
    Path(String),
}

impl Place {
    /// Under a further key.
    pub(crate) fn key(&self, key: &str) -> Self {
        match self {
            Self::Line(line) => Self::Line(*line),
            Self::Path(path) if path.is_empty() => Self::Path(key.to_owned()),
            Self::Path(path) => Self::Path(format!("{path}.{key}")),
        }
    }

    /// In an element of a list.
    pub(crate) fn index(&self, index: usize) -> Self {
        match self {
            Self::Line(line) => Self::Line(*line),
            Self::Path(path) => Self::Path(format!("{path}[{index}]")),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "{line}"),
            Self::Path(path) => f.write_str(path),
        }
    }
}

/// Something that the plan does not have, or has otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Line or path in the file.
    pub place: String,
    /// What is written there. Nothing secret is in it.
    pub what: String,
    /// Why the plan does not have it, or what it has instead.
    pub why: String,
}

impl LeftOut {
    pub(crate) fn new(place: &Place, what: impl Into<String>, why: impl Into<String>) -> Self {
        Self {
            place: place.to_string(),
            what: shown(&what.into()),
            why: why.into(),
        }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.place, self.what, self.why)
    }
}

/// `3 requests`, `1 request`.
#[must_use]
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Longest text of a file that is repeated.
const MOST_LETTERS: usize = 100;

/// A text of the file as it may be repeated: one line, short, without what may be a secret.
pub(crate) fn shown(text: &str) -> String {
    shortened(Shown::of_text(&one_line(text)).into())
}

/// What the file calls something, as a person would call it: words that only look random stay, such as `memorySample1`. Names that
/// hold more than words, such as a URL, are shown like any other text.
pub(crate) fn called(name: &str) -> String {
    let line = one_line(name);
    let words_alone =
        !line.contains(['=', ':', '@', '?']) && !line.split(' ').any(|word| word.starts_with('-') || is_token(word));
    if words_alone { shortened(line) } else { shown(&line) }
}

fn one_line(text: &str) -> String {
    let words = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(MOST_LETTERS) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
