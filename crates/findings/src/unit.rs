//! Units of figures.

use schemars::JsonSchema;
use serde::Serialize;

/// The unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Milliseconds.
    Ms,
    /// Microseconds.
    Us,
    /// Per second.
    PerS,
    /// Bytes.
    Bytes,
    /// A share of 1.
    Share,
    /// A bare number.
    Number,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Self; 6] = [Self::Ms, Self::Us, Self::PerS, Self::Bytes, Self::Share, Self::Number];
}
