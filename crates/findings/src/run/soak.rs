//! Whether a service grows under a load that does not change.

use schemars::JsonSchema;
use serde::Serialize;

/// What a soak saw of growth.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SoakFinding {
    /// For how long the service was watched after the warm-up, seconds.
    pub watched_s: f64,
    /// Confidence of the intervals, 0 to 1.
    pub confidence: f64,
    /// Growth in an hour that matters, as a share of the mean.
    pub matters_share_per_h: f64,
    /// Everything that was looked at.
    pub trends: Vec<TrendFinding>,
}

/// How a figure of the service changed over time.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrendFinding {
    /// Which one; its name ends in its unit.
    pub quantity: TrendQuantity,
    /// What its slope says.
    pub outcome: TrendOutcome,
    /// The slope, where there was enough to see one.
    pub slope: Option<Slope>,
}

/// A straight line through a figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Slope {
    /// Mean of the figure.
    pub mean: f64,
    /// Growth in an hour, in the unit of the figure.
    pub per_h: f64,
    /// Least growth in an hour that it may be.
    pub low_per_h: f64,
    /// Greatest growth in an hour that it may be.
    pub high_per_h: f64,
}

/// Something that grows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Growth {
    /// What.
    pub quantity: TrendQuantity,
    /// In an hour, in its unit.
    pub per_h: f64,
}

/// What may grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrendQuantity {
    /// Resident memory of the service, bytes.
    MemoryBytes,
    /// CPU per request, microseconds.
    CpuUsPerRequest,
    /// 99th percentile of the response time in a window, ms.
    P99Ms,
    /// Open descriptors of the service.
    Descriptors,
}

/// What a slope says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrendOutcome {
    /// It grows beyond doubt, and may grow by more than matters.
    Grows,
    /// It does not grow by as much as matters.
    Steady,
    /// Too short to say: the interval has growth that matters, and none.
    Undecided,
    /// It was not seen, as of a service on another machine.
    NotSeen,
}
