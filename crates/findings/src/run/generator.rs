//! What made the load, and whether it kept up.

use schemars::JsonSchema;
use serde::Serialize;

/// The generator's own state.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct GeneratorFinding {
    /// Shards.
    pub shards: u32,
    /// Busiest shard in its busiest judged tick, 0 to 1; `None` without one.
    pub busy_share_max: Option<f64>,
    /// 99th percentile of the schedule lag of the judged part, ms. Waiting for a free connection is in it. `None` where no
    /// request was sent.
    pub lag_p99_ms: Option<f64>,
    /// How late the generator itself woke for due starts, ms: the 99th percentile in the worst judged
    /// tick of the worst shard. `None` in the closed model, which has no due starts.
    pub wake_lag_p99_ms: Option<f64>,
    /// Generator CPU per completed request, microseconds. What threads spend spinning is left out.
    pub cpu_us_per_request: Option<f64>,
    /// Whether it kept up in every judged step; `None` when nothing was judged.
    pub kept_up: Option<bool>,
    /// Each agent of the fleet that made the load, in the order of their shares; empty without a fleet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentFinding>,
}

/// An agent of a fleet.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct AgentFinding {
    /// What it is called.
    pub name: String,
    /// Cores that it may use.
    pub cores: u32,
    /// Shards.
    pub shards: u32,
    /// Busiest shard in its busiest judged tick, 0 to 1; `None` without one.
    pub busy_share_max: Option<f64>,
    /// How late it woke for due starts, ms: the 99th percentile in the worst judged tick of the worst shard. `None` without one, and in the
    /// closed model.
    pub wake_lag_p99_ms: Option<f64>,
}
