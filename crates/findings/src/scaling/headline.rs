//! What a sweep comes to, and what to do next.

use super::law::Parameter;
use schemars::JsonSchema;
use serde::Serialize;

/// What a sweep comes to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ScaleHeadline {
    /// It could not go on.
    CouldNotGoOn {
        /// What was said of it.
        why: String,
    },
    /// Too few sizes could be measured.
    TooFewSizes,
    /// The generator was late in too many rounds.
    GeneratorLate,
    /// It was stopped before there was a fit.
    StoppedEarly,
    /// Throughput levels off.
    LevelsOff {
        /// Towards this, requests per second.
        per_s: f64,
        /// What was measured.
        #[serde(flatten)]
        sizes: Sizes,
    },
    /// Throughput levels off, and whether it peaks is not known.
    MayPeak {
        /// What was measured.
        #[serde(flatten)]
        sizes: Sizes,
    },
    /// Throughput grows with the size.
    Grows {
        /// What was measured.
        #[serde(flatten)]
        sizes: Sizes,
    },
    /// The law has no peak.
    NoPeak {
        /// What was measured.
        #[serde(flatten)]
        sizes: Sizes,
    },
    /// Throughput has a peak.
    Peaks {
        /// At this size.
        size: Parameter,
        /// Throughput there, requests per second.
        per_s: f64,
        /// What was measured.
        #[serde(flatten)]
        sizes: Sizes,
    },
}

/// The sizes of a sweep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Sizes {
    /// What they count.
    pub sizes_of: String,
    /// The greatest that was measured.
    pub greatest: u32,
}

/// What to do after a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ScaleNextStep {
    /// Run it again to its end.
    RunToEnd,
    /// See what is wrong with the service, or give more sizes.
    SeeService,
    /// Move the peak.
    MovePeak,
    /// Raise the ceiling.
    RaiseCeiling {
        /// Where it is, requests per second.
        per_s: f64,
    },
    /// Measure larger sizes, which tell the two costs apart.
    TellApart {
        /// Up to this.
        size: u32,
    },
    /// Measure larger sizes, because nothing is in the way yet.
    GoOn {
        /// The greatest that was measured.
        greatest: u32,
    },
}
