//! Lines of code.

use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// A line of code.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, JsonSchema)]
pub struct Place {
    /// Path, relative to the directory in which the service runs where it lies below it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; `None` where only the line is known.
    pub column: Option<u32>,
    /// The function; empty for an anonymous one.
    pub function: String,
    /// Whether `line` is where the function begins, because the line in it is not known.
    pub is_function: bool,
}

impl Place {
    /// Whether both are of one line.
    #[must_use]
    pub fn is_same_line(&self, other: &Self) -> bool {
        self.line == other.line && self.file == other.file
    }
}

/// `src/app.js:42`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
