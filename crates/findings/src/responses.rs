//! What came back in several runs together.

use crate::run::ErrorFinding;
use schemars::JsonSchema;
use serde::Serialize;

/// What came back to one variant of a comparison, in a sweep, or in a measurement of a study.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct ResponsesFinding {
    /// To what.
    pub of: ResponsesOf,
    /// Requests that finished, those of warm-ups as well.
    pub finished: u64,
    /// Responses by first digit of the status; index 0 is 1xx.
    pub status: [u64; 5],
    /// Responses with a status outside 100 to 599.
    pub status_other: u64,
    /// Failures by class, most frequent first. The example is that of the first run that has one, its time since the
    /// beginning of that run.
    pub errors: Vec<ErrorFinding>,
}

/// To what responses came back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ResponsesOf {
    /// A run.
    #[default]
    Run,
    /// All sizes of a sweep.
    AllSizes,
    /// A variant of a comparison.
    Variant {
        /// Its name.
        name: String,
    },
}
