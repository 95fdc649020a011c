//! What runs beside the service because the service needs it.

use super::TargetFinding;
use schemars::JsonSchema;
use serde::Serialize;

/// A neighbour of the service, such as a database, that was started with it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NeighbourFinding {
    /// What the plan calls it.
    pub name: String,
    /// How it was started.
    pub command: String,
    /// What it used, over the same part as the service; CPU per request is per request to the service. `None` when it could not be
    /// sampled.
    pub resources: Option<TargetFinding>,
}
