//! What a comparison comes to and what to do next, from its findings.

use super::{Blocks, ComparedRound};
use plimsoll_findings::{
    Changed, CompareHeadline, CompareNextStep, CompareVerdict, Comparison, FigureFinding, FigureVerdict, Metric, Notice,
};
use plimsoll_measure::run_directory::{ComparisonInfo, Ended};

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
        CompareVerdict::Passed | CompareVerdict::Inconclusive => gate_headline(comparison, rounds),
        CompareVerdict::NoDifference => match comparison.figures.first() {
            // The bound that the interval gives, for the figure that is named first.
            Some(&FigureFinding { figure, .. }) => CompareHeadline::NoDifference {
                figure,
                bound: bound(comparison, figure),
            },
            None => CompareHeadline::TooFewRounds,
        },
        CompareVerdict::Failed if is_complete(info) && is_open_ended(comparison) => CompareHeadline::NothingFailed,
        CompareVerdict::Invalid => generator_late(rounds),
        CompareVerdict::Interrupted => CompareHeadline::Interrupted {
            made: rounds.iter().filter(|round| Blocks::counts(info, round)).count(),
            wanted: match info.gate {
                None => Some((info.blocks + info.unused_blocks) as usize * info.variants.len()),
                Some(_) => None,
            },
        },
        CompareVerdict::Failed => match &info.ended {
            Some(Ended::Failed(why)) => CompareHeadline::CouldNotGoOn { why: why.clone() },
            _ => CompareHeadline::TooFewRounds,
        },
    }
}

/// By how much no variant differs more in a figure.
fn bound(comparison: &Comparison, figure: Metric) -> f64 {
    let of_all = comparison.figures.iter().filter(|finding| finding.figure == figure);
    let bounds = of_all.map(|finding| finding.change_low.abs().max(finding.change_high.abs()));
    bounds.fold(0.0, f64::max)
}

fn is_complete(info: &ComparisonInfo) -> bool {
    matches!(info.ended, Some(Ended::Complete))
}

/// Whether load lines may be higher than what was found.
fn is_open_ended(comparison: &Comparison) -> bool {
    let says_so = |notice: &Notice| matches!(notice, Notice::LoadLinesOpenEnded { .. });
    comparison.notices.iter().any(says_so)
}

fn generator_late(rounds: &[ComparedRound]) -> CompareHeadline {
    CompareHeadline::GeneratorLate {
        late: rounds.iter().filter(|round| round.invalid).count(),
        rounds: rounds.len(),
    }
}

/// Of a check that did not fail, by the metric that decides.
fn gate_headline(comparison: &Comparison, rounds: &[ComparedRound]) -> CompareHeadline {
    let deciding = comparison.gate.as_ref().and_then(|gate| {
        let mut figures = comparison.figures.iter();
        Some((figures.find(|figure| Some(figure.figure) == gate.metric)?, gate))
    });
    let Some((figure, gate)) = deciding else {
        return match rounds.iter().any(|round| round.invalid) {
            true => generator_late(rounds),
            false => CompareHeadline::TooFewRounds,
        };
    };
    let (figure, change, low, high) = (figure.figure, figure.change, figure.change_low, figure.change_high);
    if comparison.verdict == CompareVerdict::Inconclusive {
        return CompareHeadline::Unseen {
            figure,
            threshold: gate.threshold,
            sees: gate.sees.unwrap_or(f64::INFINITY),
            within_s: gate.within_s,
            change,
            low,
            high,
        };
    }
    let (at_least, at_most) = if figure.lower_is_better() {
        (low, high)
    } else {
        (-high, low)
    };
    CompareHeadline::Held {
        figure,
        threshold: gate.threshold,
        change,
        at_most,
        worse: at_least > 0.0,
    }
}

pub(super) fn next_step(comparison: &Comparison) -> CompareNextStep {
    match comparison.verdict {
        CompareVerdict::NoDifference if is_open_ended(comparison) => CompareNextStep::SearchFurther,
        CompareVerdict::Failed if comparison.headline == CompareHeadline::NothingFailed => {
            CompareNextStep::SearchFurther
        }
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
        CompareVerdict::Passed => CompareNextStep::Merge,
        CompareVerdict::Inconclusive => match comparison.gate.as_ref().and_then(|gate| Some((gate, gate.sees?))) {
            Some((gate, sees)) => CompareNextStep::MoreTime {
                threshold: gate.threshold,
                // Where the time was enough for the threshold, the loss is between that and none, and no time is known to decide it.
                needs_s: gate.needs_s.filter(|needs_s| *needs_s > gate.within_s),
                sees,
            },
            None => CompareNextStep::RelieveGenerator,
        },
        CompareVerdict::Invalid => CompareNextStep::RelieveGenerator,
        CompareVerdict::Interrupted => CompareNextStep::RunToEnd,
        CompareVerdict::Failed => CompareNextStep::SeeServiceLog,
    }
}
