//! The journeys of a scenario: what became of their users, and how far they came.

use super::Percentiles;
use schemars::JsonSchema;
use serde::Serialize;

/// One journey.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct JourneyFinding {
    /// Name in the plan.
    pub name: String,
    /// Users who came to its end, per second in the judged part (capacity: at the greatest rate that passed); `None` when there is none.
    pub finished_per_s: Option<f64>,
    /// From the arrival of a user to the end of the journey, pauses included, in the same part; of users who came to the end.
    pub time: Percentiles,
    /// The same without pauses: how long a user waited for responses.
    pub waiting: Percentiles,
    /// Users who began over the whole run. In the closed model each journey of a user counts.
    pub started: u64,
    /// Those of them whose first journey it was, so that they had to do what is done `once`; `None` where nothing is.
    pub new: Option<u64>,
    /// Users who came to the end over the whole run.
    pub finished: u64,
    /// Users whose journey ended before, because a request failed, over the whole run.
    pub failed: u64,
    /// Users who were still on the way when the run ended.
    pub under_way: u64,
    /// Its requests in the order in which they are written; those that have no metrics of their own are left out.
    pub requests: Vec<ReachedFinding>,
}

/// How many users came to a request of a journey, over the whole run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ReachedFinding {
    /// Name of the request in the plan.
    pub request: String,
    /// Whether it is done `once`: on a user's first journey alone.
    pub once: bool,
    /// Users who came to it, each once.
    pub users: u64,
    /// The same as a share of those who began the journey, or of those who were new where it is done once, 0 to 1; `None` when there were none.
    pub share: Option<f64>,
    /// Users whose journey ended with it, because it failed.
    pub failed: u64,
}
