//! What a check of a change decided.

use crate::metric::Metric;
use schemars::JsonSchema;
use serde::Serialize;

/// What a check decided and how it came to that.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GateFinding {
    /// What it decided.
    pub decision: GateDecision,
    /// The loss that must not get through, as a share: 0.05 is 5 % more CPU per request or 5 % less throughput.
    pub threshold: f64,
    /// The metric that has to rule out such a loss for the check to pass; the others can only fail it. `None` where too few
    /// rounds could be used.
    pub metric: Option<Metric>,
    /// How long the rounds could take together.
    pub within_s: f64,
    /// How often the rounds were looked at.
    pub looks: u32,
    /// The share of checks of an unchanged service that fail, at most.
    pub false_alarms: f64,
    /// The share of checks of a loss of the threshold that pass, at most.
    pub let_through: f64,
    /// The least loss that nine of ten checks on a machine as noisy as this find in this time; `None` as `metric`.
    pub sees: Option<f64>,
    /// The time in which nine of ten of them find a loss of the threshold, seconds; `None` where that is longer than a day.
    pub needs_s: Option<f64>,
    /// Whether a check that could not decide fails.
    pub fail_if_inconclusive: bool,
}

/// What a check decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateDecision {
    /// A metric is worse beyond doubt, and a loss of the threshold is not ruled out.
    Worse,
    /// A loss of the threshold is ruled out.
    Passed,
    /// Neither.
    Undecided,
}
