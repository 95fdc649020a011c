//! How noisy a machine is: what a service that is compared with itself shows.

use crate::metric::Metric;
use plimsoll_measure::Host;
use schemars::JsonSchema;
use serde::Serialize;

/// What a check on this machine can see, and in which time.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NoiseFindings {
    /// `plimsoll.noise-findings/1`.
    pub format: String,
    /// The service that was compared with itself.
    pub name: String,
    /// When that began, RFC 3339, UTC.
    pub started_at: String,
    /// How long it took, seconds.
    pub took_s: f64,
    /// Version of plimsoll.
    pub version: String,
    /// The machine; `None` before the first round.
    pub host: Option<Host>,
    /// What every round offered.
    pub load: String,
    /// Blocks that could be used; a block has two rounds.
    pub blocks: u32,
    /// How long a block takes, seconds.
    pub block_s: f64,
    /// The metric that decides a check; `None` where too few rounds could be used.
    pub metric: Option<Metric>,
    /// How much each judged metric scatters, the deciding one first.
    pub scatter: Vec<Scatter>,
    /// Which loss a check finds in which time.
    pub finds: Vec<Finds>,
    /// Which loss a check finds in the time that it has if nothing else is said.
    pub sees: Option<Sees>,
    /// What disturbs the rounds.
    pub disturbances: Vec<Disturbance>,
}

/// How much a metric scatters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Scatter {
    /// Which.
    pub figure: Metric,
    /// Standard deviation of its change from block to block, as a share.
    pub deviation: f64,
}

/// A loss, and the time in which nine of ten checks find it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Finds {
    /// The loss, a share.
    pub loss: f64,
    /// The time, seconds; `None` where that is longer than a day.
    pub within_s: Option<f64>,
}

/// A time, and the least loss that nine of ten checks find in it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Sees {
    /// The time, seconds.
    pub within_s: f64,
    /// The loss, a share.
    pub loss: f64,
}

/// What disturbs the rounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Disturbance {
    /// The host gave cores of this virtual machine to others.
    Stolen {
        /// Share of the time of all cores.
        share: f64,
    },
    /// Other programs used the cores.
    OtherPrograms {
        /// How many cores on average.
        cores: f64,
        /// All there are.
        of: u32,
    },
    /// The generator was late.
    GeneratorLate {
        /// In so many rounds.
        late: u32,
        /// Of so many.
        of: u32,
    },
    /// CPU per request of the whole machine moved while it was measured.
    Drift {
        /// From the first to the second half, as a share.
        share: f64,
    },
}
