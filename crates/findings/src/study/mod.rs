//! What a study found.

mod headline;
mod verdicts;

pub use headline::{Besides, EffectBecause, FigureOf, MeasurementHeadline, Rule, StudyHeadline, WhatIsHere};
pub use verdicts::{EffectVerdict, StudyVerdict};

use crate::responses::ResponsesFinding;
use crate::run::Notice;
use crate::unit::Unit;
use plimsoll_measure::Host;
use schemars::JsonSchema;
use serde::Serialize;

/// Everything that the report of a study shows.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StudyFindings {
    /// `plimsoll.study-findings/2`.
    pub format: String,
    /// Name of the study.
    pub name: String,
    /// What it is about.
    pub title: String,
    /// What it asks, one sentence.
    pub question: String,
    /// How large it was measured, where that can be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<SizeFinding>,
    /// Where the published figures are from.
    pub source: Vec<String>,
    /// When it began, RFC 3339, UTC.
    pub started_at: String,
    /// How long it took, seconds.
    pub duration_s: f64,
    /// Version of plimsoll.
    pub version: String,
    /// The machine.
    pub host: Host,
    /// What it comes to.
    pub verdict: StudyVerdict,
    /// The same in more detail.
    pub headline: StudyHeadline,
    /// What differs between the published case and here, a sentence each.
    pub differs: Vec<String>,
    /// Every effect, as it was published and as it is here.
    pub effects: Vec<EffectFinding>,
    /// What was measured, in order.
    pub measurements: Vec<MeasurementFinding>,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
}

/// How large a study was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SizeFinding {
    /// What is counted, such as clients.
    pub of: String,
    /// How many there were.
    pub here: u32,
    /// How many the study asks for.
    pub asked: u32,
}

/// An effect, as it was published and as it is here.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EffectFinding {
    /// What it is called.
    pub name: String,
    /// What became of it.
    pub verdict: EffectVerdict,
    /// Why.
    pub because: EffectBecause,
    /// When it counts as reproduced; `None` where it is only shown.
    pub rule: Option<Rule>,
    /// What was published; from another machine and another day, never to be mixed with what is here.
    pub published: Option<PublishedFinding>,
    /// What is here.
    pub here: Option<HereFinding>,
    /// Size of the effect here as a share of the published one, of the logarithms of the ratios.
    pub share_of_published: Option<f64>,
}

/// What was published.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PublishedFinding {
    /// What it is, in words and with its unit.
    pub what: String,
    /// The figure that the other is divided by.
    pub from: Option<f64>,
    /// The figure that is divided.
    pub to: Option<f64>,
    /// The ratio.
    pub ratio: Option<f64>,
    /// Where no figure was published: how the one stands to the other.
    pub direction: Option<PublishedDirection>,
    /// A figure that has to be reached.
    pub at_least: Option<f64>,
    /// A figure that must not be passed.
    pub at_most: Option<f64>,
}

/// More or less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PublishedDirection {
    /// More.
    More,
    /// Less.
    Less,
}

/// What was measured of an effect.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HereFinding {
    /// Which figure, and of what.
    pub what: WhatIsHere,
    /// Unit of the figures.
    pub unit: Unit,
    /// The figure that the other is divided by; `None` beside a bound.
    pub from: Option<f64>,
    /// The figure that is divided, or is held against a bound.
    pub to: f64,
    /// The ratio of the two, of a single step where they are several steps apart; beside a bound, the ratio to it.
    /// `None` where it has no end.
    pub ratio: Option<f64>,
    /// Lower end of the interval that holds the ratio.
    pub low: Option<f64>,
    /// Upper end; `None` as well where it has none.
    pub high: Option<f64>,
    /// Steps that lie between the two figures.
    pub steps: u32,
}

/// Something that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MeasurementFinding {
    /// What the study calls it.
    pub name: String,
    /// What it is.
    pub kind: MeasuredBy,
    /// Its directory, inside that of the study.
    pub directory: Option<String>,
    /// What it found, or why it could not be made.
    pub headline: MeasurementHeadline,
    /// What came back to its requests.
    pub responses: Vec<ResponsesFinding>,
}

/// What a measurement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MeasuredBy {
    /// A comparison of variants.
    Compare,
    /// A sweep of sizes.
    Scale,
    /// A search of the load line.
    Capacity,
    /// One run.
    Run,
    /// A program of the study.
    Command,
}
