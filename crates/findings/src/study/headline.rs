//! What a study comes to, and why each of its effects is so.

use super::verdicts::{EffectVerdict, StudyVerdict};
use crate::comparison::CompareHeadline;
use crate::metric::Metric;
use crate::run::Headline;
use crate::scaling::ScaleHeadline;
use schemars::JsonSchema;
use serde::Serialize;

/// What a study comes to, effect by effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StudyHeadline {
    /// What it comes to.
    pub code: StudyVerdict,
    /// Effects that are here as well.
    pub reproduced: usize,
    /// Effects of which figures were published.
    pub judged: usize,
    /// The others among them, by what became of them.
    pub besides: Vec<Besides>,
}

/// Effects that are not here as they were published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Besides {
    /// What became of them.
    pub verdict: EffectVerdict,
    /// What they are called.
    pub effects: Vec<String>,
}

/// Why an effect has its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum EffectBecause {
    /// It goes the same way.
    SameDirection,
    /// It goes the same way and has a size.
    SameDirectionOfSize {
        /// Size as a share of the published one.
        share: f64,
    },
    /// It goes the same way, without end here.
    SameDirectionWithoutEnd,
    /// It goes the other way.
    OtherDirection,
    /// The interval holds both no effect and one that is large enough.
    IntervalHoldsBoth,
    /// No effect, or one that is not large enough.
    NoEffect,
    /// The two are the same here.
    Same,
    /// They are the same, and the interval reaches further.
    SameAndInterval,
    /// They are not the same.
    NotSame,
    /// The figure is inside the bound.
    Inside,
    /// It is inside, and the interval reaches across the bound.
    InsideAndInterval,
    /// It is outside.
    Outside,
    /// Nothing was published of it.
    NothingPublished,
    /// The generator was late in a measurement.
    GeneratorLate {
        /// Which.
        measurement: String,
    },
    /// A measurement was stopped.
    Stopped {
        /// Which.
        measurement: String,
    },
    /// A measurement could not be made.
    NotMeasured {
        /// Which.
        measurement: String,
    },
    /// A measurement was not begun.
    NotBegun {
        /// Which.
        measurement: String,
    },
    /// The measurement has no such figure.
    NoSuchFigure,
}

/// When an effect counts as reproduced.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Rule {
    /// On the same side of 1 with its whole interval.
    SameSide {
        /// And at least this share as large.
        least_share: f64,
    },
    /// Close to 1.
    Within {
        /// At most this share more or less.
        within: f64,
    },
    /// Above 1 with its whole interval.
    Above,
    /// Below 1 with its whole interval.
    Below,
    /// At least the bound with its whole interval.
    AtLeast,
    /// At most the bound with its whole interval.
    AtMost,
}

/// What a measurement of a study came to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum MeasurementHeadline {
    /// A comparison.
    Compared {
        /// What it came to.
        headline: CompareHeadline,
    },
    /// A sweep.
    Scaled {
        /// What it came to.
        headline: ScaleHeadline,
    },
    /// A run.
    Ran {
        /// What it came to.
        headline: Box<Headline>,
    },
    /// A program.
    Printed {
        /// The figures that it printed.
        figures: Vec<String>,
    },
    /// It could not be made.
    Failed {
        /// What was said of it.
        why: String,
    },
}

/// What was read off measurements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum WhatIsHere {
    /// A figure of a comparison.
    Compared {
        /// Which.
        figure: Metric,
        /// Of this variant …
        variant: String,
        /// … divided by that of this one.
        first: String,
    },
    /// A figure of a measurement, divided by another where there is one.
    Read {
        /// The figure.
        figure: FigureOf,
        /// What it is divided by.
        against: Option<FigureOf>,
    },
}

/// A figure of a measurement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FigureOf {
    /// Which; `None` of a program, whose figures have names of their own.
    pub figure: Option<Metric>,
    /// Name that a program gave it.
    pub name: Option<String>,
    /// The measurement.
    pub measurement: String,
    /// The size, where it is that of a size.
    pub size: Option<u32>,
}
