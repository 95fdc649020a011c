//! The requests of a scenario, each on its own.

use super::{FailureClass, Percentiles};
use schemars::JsonSchema;
use serde::Serialize;

/// One request of the scenario, or all the last ones together where there are more than are kept apart.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RequestFinding {
    /// Name in the plan; of several, that of the first.
    pub name: String,
    /// How many more requests of the scenario are counted with it.
    pub others: u32,
    /// Completed per second in the judged part (capacity: at the greatest rate that passed); `None` when there is none.
    pub rate_per_s: Option<f64>,
    /// Response time in the same part.
    pub response_time: Percentiles,
    /// Service time in the same part.
    pub service_time: Percentiles,
    /// Sent over the whole run.
    pub sent: u64,
    /// Responses over the whole run, correct or not.
    pub completed: u64,
    /// Correct responses over the whole run.
    pub passed: u64,
    /// Failures over the whole run.
    pub errors: u64,
    /// Failures as a share of those that finished, 0 to 1; `None` when none finished.
    pub error_share: Option<f64>,
    /// Responses by the first digit of their status, 1 to 5.
    pub status: [u64; 5],
    /// Responses with another status.
    pub status_other: u64,
    /// Failures by class, most frequent first.
    pub failures: Vec<RequestFailure>,
}

/// Failures of one request of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RequestFailure {
    /// What kind of failure it is.
    pub class: FailureClass,
    /// How many.
    pub count: u64,
}
