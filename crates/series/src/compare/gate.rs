//! A check: when its rounds are looked at, when it is over, and what it comes to.

use super::figures::{self, Figure};
use super::{Blocks, ComparedRound, block_s};
use crate::check::{FALSE_ALARMS, Judge, LET_THROUGH, Noise, is_due};
use plimsoll_findings::{CompareVerdict, FigureVerdict, GateDecision, GateFinding};
use plimsoll_measure::run_directory::{ComparisonInfo, Look};

/// The look that is due after the newest round, when this share of the time is over; `is_last` says that no further block
/// fits into the time.
#[must_use]
pub fn look(info: &ComparisonInfo, rounds: &[ComparedRound], time_share: f64, is_last: bool) -> Option<Look> {
    let looks = &info.gate.as_ref()?.looks;
    let blocks = Blocks::of(info, rounds).complete.len() as u32;
    let time_share = if is_last { 1.0 } else { time_share };
    (is_last || is_due(blocks, looks)).then_some(Look { blocks, time_share })
}

/// Whether the newest look has decided, or was the last one.
pub(super) fn is_over(info: &ComparisonInfo, rounds: &[ComparedRound]) -> bool {
    let Some(look) = info.gate.as_ref().and_then(|gate| gate.looks.last()) else {
        return false;
    };
    let blocks = Blocks::of(info, rounds);
    look.time_share >= 1.0 || is_decided(&figures::all(info, &blocks, judge(info, &blocks).as_ref()))
}

/// How figures are judged at the newest look; `None` before the first, and where nothing is to be decided: what came since a look is
/// decided at the next one.
pub(super) fn judge(info: &ComparisonInfo, blocks: &Blocks<'_>) -> Option<Judge> {
    let looks = &info.gate.as_ref()?.looks;
    let is_of_look = looks.last()?.blocks as usize == blocks.complete.len();
    Judge::at(looks).filter(|_| is_of_look)
}

/// What of each judged figure would have been found, in the place of what a comparison of so many rounds would see.
pub(super) fn add_what_is_seen(info: &ComparisonInfo, figures: &mut [Figure]) {
    let judged = figures
        .iter_mut()
        .filter(|figure| figure.finding.judged && info.gate.is_some());
    for Figure { finding, estimate, .. } in judged {
        finding.detectable = figures::loss_share(finding.figure, Noise::seen(estimate).least_found(estimate.blocks));
    }
}

/// It fails at once, and passes as soon as no other metric looks as if it might fail it.
pub(super) fn is_decided(figures: &[Figure]) -> bool {
    match decision(figures) {
        GateDecision::Worse => true,
        GateDecision::Passed => !figures.iter().any(Figure::is_suspicious),
        GateDecision::Undecided => false,
    }
}

fn decision(figures: &[Figure]) -> GateDecision {
    if figures.iter().any(|figure| figure.finding.failed) {
        return GateDecision::Worse;
    }
    match deciding(figures).map(|deciding| deciding.finding.verdict) {
        Some(FigureVerdict::Held | FigureVerdict::Better) => GateDecision::Passed,
        _ => GateDecision::Undecided,
    }
}

/// The figure that has to rule out a loss. No other takes its place: where it is not known, nothing is decided.
fn deciding(figures: &[Figure]) -> Option<&Figure> {
    figures.iter().find(|figure| figure.decides)
}

/// What a check that was made to its end comes to.
pub(super) fn verdict(figures: &[Figure]) -> CompareVerdict {
    match decision(figures) {
        GateDecision::Worse => CompareVerdict::Worse,
        GateDecision::Passed => CompareVerdict::Passed,
        GateDecision::Undecided => CompareVerdict::Inconclusive,
    }
}

/// `None` where nothing was to be decided.
pub(super) fn gate(info: &ComparisonInfo, rounds: &[ComparedRound], figures: &[Figure]) -> Option<GateFinding> {
    let gate = info.gate.as_ref()?;
    let deciding = deciding(figures);
    let took_s = gate.looks.last().map_or(0.0, |look| look.time_share) * gate.within_s;
    let needs_s = deciding.and_then(|figure| {
        let loss = figures::too_much(figure.finding.figure, gate.threshold);
        Noise::seen(&figure.estimate).seconds_for(loss, info.unused_blocks, block_s(rounds, took_s))
    });
    Some(GateFinding {
        decision: decision(figures),
        threshold: gate.threshold,
        metric: deciding.map(|figure| figure.finding.figure),
        within_s: gate.within_s,
        looks: gate.looks.len() as u32,
        false_alarms: FALSE_ALARMS,
        let_through: LET_THROUGH,
        sees: deciding.map(|figure| figure.finding.detectable),
        needs_s,
        fail_if_inconclusive: gate.fail_if_inconclusive,
    })
}
