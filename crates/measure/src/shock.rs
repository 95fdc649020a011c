//! What disturbs a service on purpose, and when.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What disturbs a service on purpose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Shock {
    /// More load for a while.
    Burst {
        /// So many times the rate.
        times: f64,
    },
    /// A neighbour of the service stands still for a while: its connections stay open, and nothing comes.
    NeighbourPaused {
        /// What the plan calls it.
        name: String,
    },
    /// A neighbour of the service is ended, and started again after a while.
    NeighbourGone {
        /// What the plan calls it.
        name: String,
    },
    /// The service is ended, and started again at once.
    Restart,
}

/// A shock begins or ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShockMark {
    /// When, since the beginning of the run, ns.
    pub at_ns: u64,
    /// Which of both.
    pub phase: ShockPhase,
    /// What it is.
    pub shock: Shock,
    /// For how long every objective has to hold until the service counts as back, ns.
    pub steady_ns: u64,
}

/// Whether a shock begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShockPhase {
    /// From here on the service is disturbed.
    Begins,
    /// Nothing disturbs it any more.
    Ends,
}
