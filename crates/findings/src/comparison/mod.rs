//! What a comparison found.

mod gate;
mod headline;

pub use gate::{GateDecision, GateFinding};
pub use headline::{Changed, CompareHeadline, CompareNextStep, Unused};

use crate::metric::Metric;
use crate::responses::{ResponsesBeside, ResponsesFinding};
use crate::run::Notice;
use crate::unit::Unit;
use plimsoll_measure::Host;
use schemars::JsonSchema;
use serde::Serialize;

/// Everything that the report of a comparison shows.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// `plimsoll.comparison-findings/3`.
    pub format: String,
    /// What was compared.
    pub name: String,
    /// Address of the service.
    pub target: String,
    /// When the comparison began, RFC 3339, UTC.
    pub started_at: String,
    /// Length of all rounds together, seconds; what lies between them is not in it.
    pub duration_s: f64,
    /// Version of plimsoll.
    pub version: String,
    /// The machine; `None` before the first round.
    pub host: Option<Host>,
    /// What it comes to.
    pub verdict: CompareVerdict,
    /// The same in more detail.
    pub headline: CompareHeadline,
    /// What to do next.
    pub next_step: CompareNextStep,
    /// What was compared; every other is set against the first.
    pub variants: Vec<VariantFinding>,
    /// What every round offered and where that came from, one sentence.
    pub load: String,
    /// Confidence that all intervals of judged figures hold at once, 0 to 1; of the others, that each holds.
    pub confidence: f64,
    /// The share by which a figure may be worse before the comparison fails; `None` when it never fails for that.
    pub fail_if_worse: Option<f64>,
    /// Whether a judged figure is worse by more than that.
    pub failed: bool,
    /// Every figure of every variant but the first, judged ones first.
    pub figures: Vec<FigureFinding>,
    /// What a check decided and how it came to that; `None` where nothing was to be decided.
    pub gate: Option<GateFinding>,
    /// What was predicted of the second variant, beside what came of it; `None` where nothing was.
    pub prediction: Option<PredictionFinding>,
    /// Every round in the order they were run.
    pub rounds: Vec<RoundFinding>,
    /// What came back to each variant, over all its rounds.
    pub responses: Vec<ResponsesFinding>,
    /// Whether that is the same for both of two variants; `None` where there are more, or one did not respond.
    pub responses_beside: Option<ResponsesBeside>,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
}

/// What a comparison comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CompareVerdict {
    /// A judged figure is better and none is worse.
    Better,
    /// A judged figure is worse and none is better, or there are more errors.
    Worse,
    /// Some judged figures are better and some are worse.
    Mixed,
    /// A check: a loss of the threshold is ruled out.
    Passed,
    /// A check: neither a loss of the threshold nor its absence could be shown in the time that there was.
    Inconclusive,
    /// No judged figure differs by more than its interval tells.
    NoDifference,
    /// The generator was the bottleneck in so many rounds that too few are left.
    Invalid,
    /// Stopped by the user; the figures are those of the blocks that were complete.
    Interrupted,
    /// A variant did not run, or too few rounds could be used.
    Failed,
}

/// How a figure of a variant stands to that of the first variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FigureVerdict {
    /// The whole interval is on the good side, and the change is not negligible.
    Better,
    /// The whole interval is on the bad side, and the change is not negligible.
    Worse,
    /// The change is no larger than the ends of the interval.
    NoDifference,
    /// In a check: a loss of the threshold is ruled out.
    Held,
    /// In a check: neither a loss of the threshold nor its absence is shown.
    Undecided,
    /// It has an interval and no verdict.
    Unjudged,
}

/// A variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VariantFinding {
    /// What it is called.
    pub name: String,
    /// What it is: its command, environment, revision or plan.
    pub what: String,
    /// Rounds of it that the figures are made from.
    pub rounds_used: u32,
}

/// A figure of a variant, set against that of the first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FigureFinding {
    /// What is compared.
    pub figure: Metric,
    /// Its unit.
    pub unit: Unit,
    /// The variant that is set against the first.
    pub variant: String,
    /// Whether it has a part in the verdict.
    pub judged: bool,
    /// Whether less of it is better.
    pub lower_is_better: bool,
    /// Of the first variant: the geometric mean over its rounds; of errors the mean.
    pub baseline: f64,
    /// The same of the variant.
    pub value: f64,
    /// Share by which the figure changes, 0.05 is 5 % more; the ratio is 1 more than this. Of errors it is the
    /// difference of the shares.
    pub change: f64,
    /// Lower end of the interval that holds the true change.
    pub change_low: f64,
    /// Upper end of that interval.
    pub change_high: f64,
    /// Least true change that four of five such comparisons would have called better or worse; in a check the least loss that
    /// nine of ten of them would have found.
    pub detectable: f64,
    /// How it stands.
    pub verdict: FigureVerdict,
    /// Whether it is worse by more than `fail_if_worse`.
    pub failed: bool,
    /// The change as each block saw it, in the order of the blocks.
    pub block_changes: Vec<f64>,
}

/// What fixing a cause was predicted to give, and what it gave: factors on the load line. The proven one is that of the load
/// line where rounds searched it, else that of the requests for which the same CPU is enough.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PredictionFinding {
    /// Run directory of the diagnosis, without its path.
    pub diagnosis: String,
    /// The cause that the second variant fixes, and its line where it has one.
    pub cause: String,
    /// The predicted factor.
    pub predicted: f64,
    /// Lower end of its interval; `None` by a diagnosis without one.
    pub predicted_low: Option<f64>,
    /// Upper end of its interval.
    pub predicted_high: Option<f64>,
    /// It was predicted to be at least the lower end.
    pub at_least: bool,
    /// Whether both intervals meet, so that the prediction held; `None` where one is missing.
    pub held: Option<bool>,
    /// The proven factor; `None` where there are too few rounds.
    pub proven: Option<f64>,
    /// Lower end of its interval.
    pub proven_low: Option<f64>,
    /// Upper end of its interval.
    pub proven_high: Option<f64>,
    /// How far the prediction is off, as a share of the proven gain: -0.5 for × 2 where × 3 was proven. `None` where no gain
    /// was proven.
    pub error: Option<f64>,
}

/// One round: an ordinary run of one variant.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RoundFinding {
    /// Number, from 0.
    pub round: u32,
    /// The block that it belongs to, from 0; a block has one round of each variant, and block 0 is not used.
    pub block: u32,
    /// Name of the variant.
    pub variant: String,
    /// Its run directory, inside that of the comparison.
    pub directory: String,
    /// Whether the figures use it.
    pub used: bool,
    /// Why not.
    pub unused_because: Option<Unused>,
    /// CPU of the service per completed request, microseconds.
    pub cpu_us_per_request: Option<f64>,
    /// Median response time, ms.
    pub p50_ms: Option<f64>,
    /// 99th percentile of the response time, ms.
    pub p99_ms: Option<f64>,
    /// Requests completed per second in the judged part; `None` when there is none.
    pub throughput_per_s: Option<f64>,
    /// Errors as a share of the finished requests, 0 to 1; `None` when none finished.
    pub error_share: Option<f64>,
    /// The load line, where that was searched, requests per second.
    pub load_line_per_s: Option<f64>,
}
