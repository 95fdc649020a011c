//! What was found where something else was expected: the one shape of every complaint of this crate.

use std::fmt;
use std::ops::Range;

/// Something was found where something else was expected. Reads as a fragment: "found `5`, expected a duration …".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    found: String,
    expected: String,
    hint: Option<Box<str>>,
    /// The bytes at fault inside the text that was read, when it is not all of it.
    pub(crate) part: Option<Range<usize>>,
    /// Whether what was read may be seen, as a number or a keyword may.
    pub(crate) plain: bool,
}

impl Mismatch {
    /// `found` is quoted text or a description; `expected` completes "expected …".
    #[must_use]
    pub fn new(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            found: found.into(),
            expected: expected.into(),
            hint: None,
            part: None,
            plain: false,
        }
    }

    /// With what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into().into_boxed_str());
        self
    }

    /// With the name among `known` that is closest to `name`, if one is close.
    #[must_use]
    pub fn nearest<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let closest = known
            .into_iter()
            .map(|known| {
                (
                    strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &known.to_lowercase()),
                    known,
                )
            })
            .filter(|&(likeness, _)| likeness > 0.6)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match closest {
            Some((_, known)) => self.hint(format!("did you mean `{known}`?")),
            None => self,
        }
    }

    /// At these bytes of the text that was read.
    pub(crate) fn at(mut self, part: Range<usize>) -> Self {
        self.part = Some(part);
        self
    }

    /// Of a text that was read behind so many bytes of another one.
    pub(crate) fn moved(mut self, bytes: usize) -> Self {
        self.part = self.part.map(|part| part.start + bytes..part.end + bytes);
        self
    }

    /// With the hint of another where it has none.
    pub(crate) fn or(mut self, other: Self) -> Self {
        if other.hint.as_ref().is_some_and(|hint| !hint.contains('`')) {
            self.hint = self.hint.or(other.hint);
        }
        self
    }

    /// About text that may be seen.
    pub(crate) fn plain(self) -> Self {
        Self { plain: true, ..self }
    }

    /// The same, about text that may be seen or not.
    pub(crate) fn plain_if(self, plain: bool) -> Self {
        Self { plain, ..self }
    }

    /// The same, about all of the text.
    pub(crate) fn of_whole(self) -> Self {
        Self { part: None, ..self }
    }

    /// The same, without what was found and what it is near to: it may be a secret.
    pub(crate) fn veiled(self, found: &str) -> Self {
        Self {
            found: found.to_owned(),
            plain: false,
            ..self
        }
    }

    /// "found …, expected …", without the hint.
    #[must_use]
    pub fn message(&self) -> String {
        format!("found {}, expected {}", self.found, self.expected)
    }

    /// What to do about it, when there is something to suggest.
    #[must_use]
    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Mismatch {}

/// `text` in backquotes, shortened, without control characters; "nothing" when there is none.
#[must_use]
pub fn quoted(text: &str) -> String {
    const MOST_CHARS: usize = 60;
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let mut short: String = text.chars().take(MOST_CHARS).flat_map(printable).collect();
    if text.chars().nth(MOST_CHARS).is_some() {
        short.push('…');
    }
    format!("`{short}`")
}

/// `c`, or its escape when a terminal would act on it.
pub(crate) fn printable(c: char) -> impl Iterator<Item = char> {
    let (escaped, plain) = if c.is_control() {
        (Some(c.escape_default()), None)
    } else {
        (None, Some(c))
    };
    escaped.into_iter().flatten().chain(plain)
}
