//! What must not be seen, and what is shown in its place.
//!
//! A plan holds raw text in [`Secret`]s alone, which print a placeholder. Whatever reports, records or complains gets
//! [`Shown`] text, which was redacted here. Raw text comes out by `reveal`, and `cargo xtask tidy` has the list of files
//! that may call it: those that encode a request or start a process.

mod code;
mod masks;
pub mod names;
mod pieces;
mod signs;
mod words;

pub(crate) use masks::{is_harmless_header, masked_text};
pub(crate) use names::sounds_secret;
pub(crate) use pieces::pieces;
pub(crate) use signs::looks_random;
pub(crate) use words::{is_plain, shown_words};

use serde::Serialize;
use std::fmt;

/// What stands for hidden text.
pub const REDACTED: &str = "[redacted]";

/// Text that a person may have meant for nobody else: a word of a command, a header, a value.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Secret {
    text: String,
    /// Nothing of it may be shown, however harmless it looks.
    sealed: bool,
}

impl Secret {
    /// `text`, of which the harmless parts may be shown.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            sealed: false,
        }
    }

    /// `text`, of which nothing may be shown.
    #[must_use]
    pub fn sealed(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            sealed: true,
        }
    }

    /// The raw text, for whoever sends it or starts a process with it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_sealed(&self) -> bool {
        self.sealed
    }

    /// With `change` made to its text.
    #[must_use]
    pub fn map(&self, change: impl FnOnce(&str) -> String) -> Self {
        Self {
            text: change(&self.text),
            sealed: self.sealed,
        }
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

/// Text that was redacted. Only this crate makes it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Shown(String);

impl Shown {
    pub(crate) fn new(text: String) -> Self {
        Self(text)
    }

    /// Something that a user wrote and that is none of the plan's values, such as an argument or what git said: URLs
    /// lose their users, passwords and queries, `NAME=value` its value, and what looks like a token goes.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Self(masked_text(text))
    }

    /// A line of somebody's program: literals and comments lose what may be a secret.
    #[must_use]
    pub fn of_code(line: &str) -> Self {
        Self(code::masked_code(line))
    }

    /// Of something of which nothing may be shown.
    #[must_use]
    pub fn hidden() -> Self {
        Self(REDACTED.to_owned())
    }

    /// The words of a command.
    #[must_use]
    pub fn of_command(argv: &[Secret]) -> Self {
        Self(shown_words(argv).join(" "))
    }

    /// A variable of an environment: its name.
    #[must_use]
    pub fn of_setting(name: &str) -> Self {
        Self(format!("{}={REDACTED}", masked_text(name)))
    }

    /// `parts` with a blank between them.
    #[must_use]
    pub fn join(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts: Vec<String> = parts
            .into_iter()
            .map(|part| part.0)
            .filter(|part| !part.is_empty())
            .collect();
        Self(parts.join(" "))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Shown> for String {
    fn from(shown: Shown) -> Self {
        shown.0
    }
}
