//! The journeys of a scenario: what became of their users, and how far they came.

use super::Percentiles;
use schemars::JsonSchema;
use serde::Serialize;

/// One journey.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct JourneyFinding {
    /// Name in the plan.
    pub name: String,
    /// Journeys that came to the end, per second in the judged part (capacity: at the greatest rate that passed); `None` when there is none.
    pub finished_per_s: Option<f64>,
    /// From the arrival of a user to the end of the journey, pauses included, in the same part; of users who came to the end.
    pub time: Percentiles,
    /// The same without pauses: how long a user waited for responses.
    pub waiting: Percentiles,
    /// Journeys that were begun over the whole run. In the open model each has a user of its own; in the closed model users begin one after the other.
    pub started: u64,
    /// Those of them that were the first of a user, who then had to do what is done `once`; `None` where nothing is.
    pub new: Option<u64>,
    /// Journeys that came to the end over the whole run.
    pub finished: u64,
    /// Journeys that ended before, because a request failed, over the whole run.
    pub failed: u64,
    /// Users who were still on the way when the run ended.
    pub under_way: u64,
    /// Its requests in the order in which they are written; those that have no metrics of their own are left out.
    pub requests: Vec<ReachedFinding>,
}

/// How many journeys came to a request, over the whole run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReachedFinding {
    /// Name of the request in the plan.
    pub request: String,
    /// Whether it is done `once`: on a user's first journey alone.
    pub once: bool,
    /// Journeys that came to it, each once.
    pub reached: u64,
    /// The same as a share of those that were begun, or of those that were the first of a user where it is done once, 0 to 1; `None` when there were
    /// none.
    pub share: Option<f64>,
    /// Journeys that ended with it, because it failed.
    pub failed: u64,
}
