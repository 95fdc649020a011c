//! What a sweep comes to, and what to do next.

use super::findings::{LawFinding, Parameter, ScaleVerdict, Scaling, Tells};
use super::{ComparisonInfo, Ended};
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

fn greatest(scaling: &Scaling) -> u32 {
    scaling.points.last().map_or(0, |point| point.size)
}

pub(super) fn headline(scaling: &Scaling, info: &ComparisonInfo) -> ScaleHeadline {
    match (&scaling.law, scaling.verdict) {
        (_, ScaleVerdict::Failed) => match &info.ended {
            Some(Ended::Failed(why)) => ScaleHeadline::CouldNotGoOn { why: why.clone() },
            _ => ScaleHeadline::TooFewSizes,
        },
        (_, ScaleVerdict::Invalid) => ScaleHeadline::GeneratorLate,
        (None, _) => ScaleHeadline::StoppedEarly,
        (Some(law), _) => {
            let sizes = Sizes {
                sizes_of: scaling.sizes_of.clone(),
                greatest: greatest(scaling),
            };
            fitted(law, sizes)
        }
    }
}

/// A peak is named where the points need coherency, without which there is none.
fn fitted(law: &LawFinding, sizes: Sizes) -> ScaleHeadline {
    match (law.tells, law.peak_size, law.peak_per_s) {
        (Tells::Contention, ..) => ScaleHeadline::LevelsOff {
            per_s: ceiling(law),
            sizes,
        },
        (Tells::Either, ..) => ScaleHeadline::MayPeak { sizes },
        (Tells::Neither, ..) => ScaleHeadline::Grows { sizes },
        (Tells::Both | Tells::Coherency, Some(size), Some(per_s)) => ScaleHeadline::Peaks { size, per_s, sizes },
        (Tells::Both | Tells::Coherency, ..) => ScaleHeadline::NoPeak { sizes },
    }
}

/// What throughput levels off towards without coherency.
fn ceiling(law: &LawFinding) -> f64 {
    law.lambda.value / law.sigma.value
}

pub(super) fn next_step(scaling: &Scaling) -> ScaleNextStep {
    let greatest = greatest(scaling);
    match (&scaling.law, scaling.verdict) {
        (_, ScaleVerdict::Interrupted) => ScaleNextStep::RunToEnd,
        (None, _) => ScaleNextStep::SeeService,
        (Some(law), _) => match law.tells {
            Tells::Both | Tells::Coherency => ScaleNextStep::MovePeak,
            Tells::Contention => ScaleNextStep::RaiseCeiling { per_s: ceiling(law) },
            Tells::Either => ScaleNextStep::TellApart {
                size: greatest.saturating_mul(4),
            },
            Tells::Neither => ScaleNextStep::GoOn { greatest },
        },
    }
}
