//! What a sweep of sizes found.

mod headline;
mod law;

pub use headline::{ScaleHeadline, ScaleNextStep, Sizes};
pub use law::{LawFinding, LawPoint, Parameter, Tells};

use crate::comparison::RoundFinding;
use crate::responses::ResponsesFinding;
use crate::run::Notice;
use plimsoll_measure::Host;
use schemars::JsonSchema;
use serde::Serialize;

/// Everything that the report of a sweep shows.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Scaling {
    /// `plimsoll.scale-findings/3`.
    pub format: String,
    /// What was swept.
    pub name: String,
    /// Address of the service.
    pub target: String,
    /// When the sweep began, RFC 3339, UTC.
    pub started_at: String,
    /// Length of all rounds together, seconds; what lies between them is not in it.
    pub duration_s: f64,
    /// Version of plimsoll.
    pub version: String,
    /// The machine; `None` before the first round.
    pub host: Option<Host>,
    /// What it comes to.
    pub verdict: ScaleVerdict,
    /// The same in more detail.
    pub headline: ScaleHeadline,
    /// What to do next.
    pub next_step: ScaleNextStep,
    /// What the sizes count, such as `connections`.
    pub sizes_of: String,
    /// What every round offered, one sentence.
    pub load: String,
    /// Confidence of all intervals, 0 to 1.
    pub confidence: f64,
    /// What was measured at each size, ascending.
    pub points: Vec<ScalePoint>,
    /// The law that lies closest to the points.
    pub law: Option<LawFinding>,
    /// Every round in the order they were run.
    pub rounds: Vec<RoundFinding>,
    /// What came back, over all rounds of all sizes.
    pub responses: Vec<ResponsesFinding>,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
}

/// What a sweep comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScaleVerdict {
    /// The law was fitted.
    Fitted,
    /// The generator was the bottleneck in so many rounds that too few are left.
    Invalid,
    /// Stopped by the user; the figures are those until then.
    Interrupted,
    /// The service did not run, or too few rounds could be used.
    Failed,
}

/// A size and what was measured at it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ScalePoint {
    /// The size.
    pub size: u32,
    /// Mean throughput of its rounds, requests per second.
    pub throughput_per_s: f64,
    /// Throughput of each round, requests per second.
    pub rounds_per_s: Vec<f64>,
    /// What the law says, requests per second.
    pub fitted_per_s: Option<f64>,
    /// Throughput per unit of size, as a share of λ.
    pub efficiency: Option<f64>,
    /// Mean of the median response times, ms.
    pub p50_ms: Option<f64>,
    /// Mean CPU of the service per request, microseconds.
    pub cpu_us_per_request: Option<f64>,
}
