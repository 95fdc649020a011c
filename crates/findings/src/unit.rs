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
    /// Requests per second.
    PerS,
    /// Users per second, who send several requests each.
    UsersPerS,
    /// Users at a time.
    Users,
    /// Connections that are held.
    Connections,
    /// Bytes.
    Bytes,
    /// A share of 1.
    Share,
    /// A bare number.
    Number,
}

impl Unit {
    /// Every unit.
    pub const ALL: [Self; 9] = [
        Self::Ms,
        Self::Us,
        Self::PerS,
        Self::UsersPerS,
        Self::Users,
        Self::Connections,
        Self::Bytes,
        Self::Share,
        Self::Number,
    ];
}
