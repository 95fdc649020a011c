//! What a comparison comes to, and what to do next.

use crate::metric::Metric;
use crate::run::Headline;
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
    /// A check: a loss of the threshold is ruled out.
    Held {
        /// The metric that rules it out.
        figure: Metric,
        /// The loss that is ruled out.
        threshold: f64,
        /// Its change.
        change: f64,
        /// The largest loss that is not ruled out, as a change.
        at_most: f64,
        /// Whether it is worse beyond doubt, if by less than the threshold.
        worse: bool,
    },
    /// A check: neither a loss of the threshold nor its absence could be shown.
    Unseen {
        /// The metric that has to rule it out.
        figure: Metric,
        /// The loss that was looked for.
        threshold: f64,
        /// The least loss that nine of ten such checks find.
        sees: f64,
        /// How long the rounds could take together.
        within_s: f64,
        /// Its change.
        change: f64,
        /// Lower end of its interval.
        low: f64,
        /// Upper end of its interval.
        high: f64,
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
        /// Rounds that were wanted; `None` of a check, which goes on until it has decided.
        wanted: Option<usize>,
    },
    /// It could not go on.
    CouldNotGoOn {
        /// What was said of it.
        why: String,
    },
    /// Nothing failed above the load lines, so that any of them may be higher.
    NothingFailed,
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
    /// Give a check more time, or a threshold that it can see.
    MoreTime {
        /// The loss that was looked for.
        threshold: f64,
        /// The time in which it is found, seconds; `None` where that is longer than a day.
        needs_s: Option<f64>,
        /// The least loss that is found in the time that there was.
        sees: f64,
    },
    /// Merge the change.
    Merge,
    /// Give the generator what it lacked.
    RelieveGenerator,
    /// Let searches go on until something fails.
    SearchFurther,
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
