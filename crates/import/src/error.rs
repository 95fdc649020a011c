//! Why a file does not become a plan.

use crate::left_out::{Place, shown};
use std::fmt;

/// Why a file does not become a plan: where, what was found there, what was expected, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportError {
    place: Option<String>,
    found: String,
    expected: String,
    hint: Option<String>,
}

impl ImportError {
    pub(crate) fn new(place: Option<&Place>, found: impl AsRef<str>, expected: impl Into<String>) -> Self {
        Self {
            place: place.map(Place::to_string).filter(|place| !place.is_empty()),
            found: shown(found.as_ref()),
            expected: expected.into(),
            hint: None,
        }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What to do.
    #[must_use]
    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "found {}, expected {}", self.found, self.expected)
    }
}

impl std::error::Error for ImportError {}
