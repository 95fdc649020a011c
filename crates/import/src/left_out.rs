//! What a plan does not have of the file that it was made of.

use plimsoll_plan::Shown;
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
    let words = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    let shown: String = Shown::of_text(&line).into();
    match shown.char_indices().nth(MOST_LETTERS) {
        None => shown,
        Some((end, _)) => format!("{}…", &shown[..end]),
    }
}
