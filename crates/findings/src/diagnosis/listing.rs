//! Source lines with the time that they took.

use schemars::JsonSchema;
use serde::Serialize;

/// The functions that took most time by themselves, with their lines.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Listings {
    /// How long the profile is, seconds.
    pub over_s: f64,
    /// The costliest first.
    pub functions: Vec<Listing>,
}

/// A function and those of its lines that are worth reading.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Listing {
    /// Its name; empty for an anonymous function.
    pub function: String,
    /// Path of its file, relative to the directory in which the service runs where it lies below it.
    pub file: String,
    /// Where it begins, from 1.
    pub line: u32,
    /// The package that it belongs to; `None` for the service's own code.
    pub package: Option<String>,
    /// Time in it alone, with the builtins of the language that it calls, ms.
    pub ms: f64,
    /// That time as a share of the busy time.
    pub share: f64,
    /// Its lines, ascending; lines that took little may be left out between them.
    pub lines: Vec<ListedLine>,
}

/// A line of a function.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ListedLine {
    /// From 1.
    pub line: u32,
    /// Its text, without secrets and cut where it is long.
    pub text: String,
    /// Time in it, ms.
    pub ms: f64,
}
