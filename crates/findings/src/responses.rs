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

/// What came back to one variant beside what came back to another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct ResponsesBeside {
    /// Whether the statuses are the same: the share of no class of them differs by a hundredth.
    pub same_status: bool,
    /// Whether they are as long, on average: to a hundredth.
    pub same_length: bool,
    /// Whether the first responses to each request had the same status and body. `None` where bodies differ from one response to
    /// the next, and where they were not looked at, because the probe was not in the service.
    pub same_content: Option<bool>,
    /// Bytes of a response to the first of the two, on average, head included.
    pub mean_bytes: f64,
    /// Bytes of a response to the other, on average, head included.
    pub other_mean_bytes: f64,
}

impl ResponsesBeside {
    /// Nothing that was looked at differs.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.same_status && self.same_length && self.same_content != Some(false)
    }
}
