//! The neighbour of a service that ran out before the service did.

use schemars::JsonSchema;
use serde::Serialize;

/// A neighbour whose CPU ran out where an objective broke, while the service had some left.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FullNeighbour {
    /// What the plan calls it.
    pub name: String,
    /// CPU time that it used there, in cores.
    pub busy_cores: f64,
    /// CPU time that it may use, in cores.
    pub cpu_cores: f64,
    /// For how much of each second a quota kept it from running, ms, where it was kept for so long that this is why it counts as full.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttled_ms_per_s: Option<f64>,
    /// It may use cores of the service: those are full, and it takes more of them than the service.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shares_cores: bool,
    /// Busy share of the cores that the service may use, 0 to 1, there.
    pub service_cpu_share: f64,
    /// Whether the rate is in users per second, and not in requests.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub users: bool,
    /// The rate there, per second; `None` where it is not constant or the model is closed.
    pub offered_per_s: Option<f64>,
}
