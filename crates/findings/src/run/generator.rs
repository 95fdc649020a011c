//! What made the load, and whether it kept up.

use crate::Percentiles;
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
    /// The same of the 99.9th percentile; `None` also in directories of earlier versions.
    pub wake_lag_p999_ms: Option<f64>,
    /// Generator CPU per completed request, microseconds. What threads spend spinning is left out.
    pub cpu_us_per_request: Option<f64>,
    /// Whether it kept up in every judged step; `None` when nothing was judged.
    pub kept_up: Option<bool>,
    /// Each agent of the fleet that made the load, in the order of their shares; empty without a fleet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentFinding>,
    /// Zones of these agents, in the order of the first agent of each; empty where none has one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<ZoneFinding>,
}

/// An agent of a fleet.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct AgentFinding {
    /// What it is called.
    pub name: String,
    /// Where it stands, as its user calls that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Cores that it may use.
    pub cores: u32,
    /// Shards.
    pub shards: u32,
    /// Busiest shard in its busiest judged tick, 0 to 1; `None` without one.
    pub busy_share_max: Option<f64>,
    /// How late it woke for due starts, ms: the 99th percentile in the worst judged tick of the worst shard. `None` without one, and in the
    /// closed model.
    pub wake_lag_p99_ms: Option<f64>,
    /// What it saw of the service; `None` where it made the whole load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenFinding>,
}

/// Agents of a fleet that stand at one place.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct ZoneFinding {
    /// What it is called.
    pub name: String,
    /// How many agents stand there.
    pub agents: u32,
    /// What they saw of the service.
    pub seen: SeenFinding,
}

/// What was seen of the service from one place, over the judged part.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct SeenFinding {
    /// Errors as a share of the finished requests, 0 to 1; `None` where none finished.
    pub error_share: Option<f64>,
    /// Response time, from the intended start.
    pub response_time: Percentiles,
}
