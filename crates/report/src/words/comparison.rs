//! Comparisons and their figures in words.

use super::Tone;
use super::objective::in_unit;
use crate::figures;
use plimsoll_findings::{
    CompareVerdict, Comparison, FigureFinding, FigureVerdict, GateDecision, GateFinding, PredictionFinding,
};

pub(crate) fn compare_verdict(verdict: CompareVerdict) -> (Tone, &'static str) {
    match verdict {
        CompareVerdict::Better => (Tone::Good, "better"),
        CompareVerdict::Worse => (Tone::Bad, "worse"),
        CompareVerdict::Mixed => (Tone::Doubtful, "mixed"),
        CompareVerdict::NoDifference => (Tone::Unknown, "no difference found"),
        CompareVerdict::Passed => (Tone::Good, "passed"),
        CompareVerdict::Inconclusive => (Tone::Doubtful, "inconclusive"),
        CompareVerdict::Invalid => (Tone::Doubtful, "invalid"),
        CompareVerdict::Interrupted => (Tone::Doubtful, "interrupted"),
        CompareVerdict::Failed => (Tone::Bad, "failed"),
    }
}

pub(crate) fn figure_verdict(verdict: FigureVerdict) -> (Tone, &'static str) {
    match verdict {
        FigureVerdict::Better => (Tone::Good, "better"),
        FigureVerdict::Worse => (Tone::Bad, "worse"),
        FigureVerdict::NoDifference => (Tone::Unknown, "none found"),
        FigureVerdict::Held => (Tone::Good, "held"),
        FigureVerdict::Undecided => (Tone::Unknown, "not decided"),
        FigureVerdict::Unjudged => (Tone::Unknown, "not judged"),
    }
}

pub(crate) const CHANGE_HEADS: [&str; 5] = ["first", "variant", "change", "interval", "detectable"];

/// Both values, the change, its interval and the least change that would have been seen, in the order of
/// [`CHANGE_HEADS`].
pub(crate) fn change(figure: &FigureFinding) -> [String; 5] {
    let value = |value: f64| in_unit(value, figure.unit);
    [
        value(figure.baseline),
        value(figure.value),
        figures::signed_share(figure.change),
        format!(
            "{} to {}",
            figures::signed_share(figure.change_low),
            figures::signed_share(figure.change_high)
        ),
        figures::share(figure.detectable),
    ]
}

/// How many rounds there were and how many of them count, in words.
pub(crate) fn rounds(comparison: &Comparison) -> String {
    let used = comparison.rounds.iter().filter(|round| round.used).count() as u64;
    let each = comparison.variants.first().map_or(0, |variant| variant.rounds_used);
    format!(
        "{} run, {} used, {} of each variant",
        figures::count(comparison.rounds.len() as u64),
        figures::count(used),
        figures::count(each.into())
    )
}

/// What the intervals of judged figures promise, in words; fits after "the intervals of judged metrics".
pub(crate) fn intervals(comparison: &Comparison) -> String {
    match &comparison.gate {
        None => format!(
            "hold together with {} confidence",
            figures::share(comparison.confidence)
        ),
        Some(gate) => format!(
            "reach from the least loss ({} confidence) to the largest ({})",
            figures::share(1.0 - gate.false_alarms),
            figures::share(1.0 - gate.let_through)
        ),
    }
}

/// What is judged here.
pub(crate) fn command(comparison: &Comparison) -> &'static str {
    match comparison.gate {
        None => "compare",
        Some(_) => "check",
    }
}

/// A look at the rounds of a check: how the metric stands that decides.
pub(crate) fn looked(figure: &FigureFinding) -> String {
    let [.., change, interval, _] = change(figure);
    let (_, word) = figure_verdict(figure.verdict);
    format!("{} {change} ({interval}): {word}", super::metric(figure.figure))
}

fn decision(gate: &GateFinding) -> String {
    let threshold = figures::share(gate.threshold);
    match gate.decision {
        GateDecision::Worse => format!("failed: worse beyond doubt, and a loss of {threshold} is not ruled out"),
        GateDecision::Passed => format!(
            "held: a loss of {threshold} is ruled out; of such losses at most {} pass",
            figures::share(gate.let_through)
        ),
        GateDecision::Undecided => format!("not decided: a loss of {threshold} is neither found nor ruled out"),
    }
}

/// What became of the threshold that was set, in words.
pub(crate) fn threshold(comparison: &Comparison) -> Option<String> {
    if let Some(gate) = &comparison.gate {
        return Some(decision(gate));
    }
    let limit = figures::share(comparison.fail_if_worse?);
    Some(if comparison.failed {
        format!("failed: worse by more than {limit}")
    } else {
        format!("held: nothing is known to be worse by more than {limit}")
    })
}

/// What a diagnosis predicted of the second variant, in words.
pub(crate) fn prediction(of: &PredictionFinding) -> String {
    let number = figures::number;
    let factor = match (of.predicted_low, of.predicted_high) {
        (Some(low), _) if of.at_least => format!("at least × {}", number(low)),
        (Some(low), Some(high)) => format!(
            "× {}, between {} and {}",
            number(of.predicted),
            number(low),
            number(high)
        ),
        _ => format!("× {}", number(of.predicted)),
    };
    format!("load line {factor}, by {} for {}", of.diagnosis, of.cause)
}

/// What came of it, in words.
pub(crate) fn outcome(of: &PredictionFinding) -> Option<String> {
    let [proven, low, high] = [of.proven?, of.proven_low?, of.proven_high?].map(figures::number);
    let held = match of.held {
        Some(true) => ", within its interval",
        Some(false) => ", outside of its interval",
        None => "",
    };
    let error = match of.error {
        None => "no gain".to_owned(),

        Some(error) => {
            let side = if error < 0.0 { "too low" } else { "too high" };
            format!("predicted {side} by {} of the gain", figures::share(error.abs())) + held
        }
    };
    Some(format!("× {proven} ({low} to {high}); {error}"))
}
