//! What a comparison comes to, and what to do next.

use super::findings::{CompareVerdict, Comparison, FigureFinding, FigureVerdict};
use super::{ComparedRound, ComparisonInfo, Ended};
use crate::findings::{Headline, Metric};
use schemars::JsonSchema;
use serde::Serialize;

/// What a comparison comes to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum CompareHeadline {
    /// Judged figures are better, and none is worse.
    Better {
        /// The variant where there are two.
        variant: Option<String>,
        /// Figures that are better.
        better: Vec<Changed>,
    },
    /// Judged figures are worse, and none is better.
    Worse {
        /// The variant where there are two.
        variant: Option<String>,
        /// Figures that are worse.
        worse: Vec<Changed>,
    },
    /// Some are better and some are worse.
    Mixed {
        /// The variant where there are two.
        variant: Option<String>,
        /// Figures that are worse.
        worse: Vec<Changed>,
        /// Figures that are better.
        better: Vec<Changed>,
    },
    /// No judged figure differs by more than its interval tells.
    NoDifference {
        /// The figure that is named first.
        figure: Metric,
        /// The share by which it differs at most.
        bound: f64,
    },
    /// The generator was late in too many rounds.
    GeneratorLate {
        /// In how many.
        late: usize,
        /// Of how many.
        rounds: usize,
    },
    /// It was stopped.
    Interrupted {
        /// Rounds that were made.
        made: usize,
        /// Rounds that were wanted.
        wanted: usize,
    },
    /// It could not go on.
    CouldNotGoOn {
        /// What was said of it.
        why: String,
    },
    /// Too few rounds could be used.
    TooFewRounds,
}

/// A figure that changed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Changed {
    /// Which.
    pub figure: Metric,
    /// Of which variant, where there are several besides the first.
    pub variant: Option<String>,
    /// By which share.
    pub change: f64,
    /// Lower end of the interval that holds the true change.
    pub low: f64,
    /// Upper end of that interval.
    pub high: f64,
}

/// What to do after a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum CompareNextStep {
    /// Keep the change.
    Keep,
    /// Look for what the change costs.
    SeeCosts,
    /// Decide which figure matters.
    Decide,
    /// Take more rounds.
    MoreRounds {
        /// Least true change that four of five such comparisons would have found.
        detectable: f64,
        /// Rounds that find one of half that size.
        rounds: u32,
    },
    /// Give the generator what it lacked.
    RelieveGenerator,
    /// Run it again to its end.
    RunToEnd,
    /// See what the service wrote.
    SeeServiceLog,
}

/// Why a round is not used.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Unused {
    /// Records of it are lost.
    LostRecords,
    /// It came to nothing that can be compared.
    CameTo {
        /// What it came to.
        headline: Box<Headline>,
    },
    /// The first rounds of each variant find everything cold.
    Cold,
    /// Another round of its block could not be used.
    BlockIncomplete,
}

fn with(comparison: &Comparison, verdict: FigureVerdict) -> Vec<Changed> {
    let several = comparison.variants.len() > 2;
    let figures = comparison.figures.iter().filter(|f| f.judged && f.verdict == verdict);
    figures
        .map(|figure| Changed {
            figure: figure.figure,
            variant: several.then(|| figure.variant.clone()),
            change: figure.change,
            low: figure.change_low,
            high: figure.change_high,
        })
        .collect()
}

pub(super) fn headline(comparison: &Comparison, info: &ComparisonInfo, rounds: &[ComparedRound]) -> CompareHeadline {
    let variant = match comparison.variants.as_slice() {
        [_, second] => Some(second.name.clone()),
        _ => None,
    };
    let worse = with(comparison, FigureVerdict::Worse);
    let better = with(comparison, FigureVerdict::Better);
    match comparison.verdict {
        CompareVerdict::Better => CompareHeadline::Better { variant, better },
        CompareVerdict::Worse => CompareHeadline::Worse { variant, worse },
        CompareVerdict::Mixed => CompareHeadline::Mixed { variant, worse, better },
        CompareVerdict::NoDifference => match comparison.figures.first() {
            // The bound that the interval gives, for the figure that is named first.
            Some(figure) => CompareHeadline::NoDifference {
                figure: figure.figure,
                bound: figure.change_low.abs().max(figure.change_high.abs()),
            },
            None => CompareHeadline::TooFewRounds,
        },
        CompareVerdict::Invalid => CompareHeadline::GeneratorLate {
            late: rounds.iter().filter(|round| round.invalid).count(),
            rounds: rounds.len(),
        },
        CompareVerdict::Interrupted => CompareHeadline::Interrupted {
            made: rounds.iter().filter(|round| round.unused_because.is_none()).count(),
            wanted: (info.blocks + info.unused_blocks) as usize * info.variants.len(),
        },
        CompareVerdict::Failed => match &info.ended {
            Some(Ended::Failed(why)) => CompareHeadline::CouldNotGoOn { why: why.clone() },
            _ => CompareHeadline::TooFewRounds,
        },
    }
}

pub(super) fn next_step(comparison: &Comparison) -> CompareNextStep {
    match comparison.verdict {
        CompareVerdict::Better => CompareNextStep::Keep,
        CompareVerdict::Worse => CompareNextStep::SeeCosts,
        CompareVerdict::Mixed => CompareNextStep::Decide,
        CompareVerdict::NoDifference => {
            let first = |figure: &FigureFinding| CompareNextStep::MoreRounds {
                detectable: figure.detectable,
                // The error falls with the root of the number.
                rounds: 4 * comparison.variants.first().map_or(0, |variant| variant.rounds_used),
            };
            comparison.figures.first().map_or(CompareNextStep::RunToEnd, first)
        }
        CompareVerdict::Invalid => CompareNextStep::RelieveGenerator,
        CompareVerdict::Interrupted => CompareNextStep::RunToEnd,
        CompareVerdict::Failed => CompareNextStep::SeeServiceLog,
    }
}
