//! Which level to try: a guess at the line from how far the objectives were from breaking.

use super::seen::Seen;
use super::{Purpose, share_between};
use crate::step_summary::StepOutcome;
use plimsoll_findings::StepVerdict;
use plimsoll_plan::{Level, Limit, Objective};

/// The climb multiplies the level by this when nothing is known of the distance to the line.
const CLIMB_FACTOR: f64 = 2.0;
/// And never by more than this, since a step far above the line takes long to drain.
const CLIMB_FACTOR_MAX: f64 = 4.0;
/// The climb by CPU aims at this part of the predicted line; from there on it steps carefully.
const APPROACH: f64 = 0.75;
/// Response times above this share of the objective tell that the line is near.
const NEAR_RESPONSE_TIME: f64 = 0.25;
/// A failure this share below a level tells the same.
const FAILED_NEARBY: f64 = 0.2;

/// A level above `low`, while no level has failed.
pub(super) fn above(seen: &Seen, low: Level, objectives: &[Objective], bracket: f64) -> Level {
    let level = low.as_f64();
    let careful = (1.0 + 0.9 * bracket).min(CLIMB_FACTOR);
    let factor = match predicted_by_cpu(seen, low, objectives) {
        Some(line) if APPROACH * line > CLIMB_FACTOR_MAX * level => CLIMB_FACTOR_MAX,
        Some(line) if APPROACH * line > 1.25 * level => APPROACH * line / level,
        Some(line) => {
            // Near: first just below the line, then just above it, then in growing steps.
            let below = line * (1.0 - 0.4 * bracket) / level;
            let small_steps = seen.steps.windows(2).rev().take_while(|s| is_small_step(s)).count();
            let grown = careful.powi(1 << small_steps.min(4));
            if below > careful.sqrt() && small_steps == 0 {
                below
            } else {
                grown
            }
        }
        None => CLIMB_FACTOR,
    };
    let near = seen
        .last_at(low, StepVerdict::Passed)
        .is_some_and(|step| is_slow(step, objectives));
    let factor = if near { factor.min(1.0 + 8.0 * bracket) } else { factor };
    // A level that has failed before is near the line, whatever it seems now.
    let failed_before = seen.failed_within(low, FAILED_NEARBY);
    let factor = if failed_before {
        factor.min(1.0 + 4.0 * bracket)
    } else {
        factor
    };
    Level::from_f64(level * factor.min(CLIMB_FACTOR_MAX))
}

fn is_small_step(steps: &[&StepOutcome]) -> bool {
    share_between(steps[0].level, steps[1].level).abs() < 0.25
}

fn is_slow(step: &StepOutcome, objectives: &[Objective]) -> bool {
    objectives
        .iter()
        .zip(&step.tallies)
        .any(|(objective, tally)| match objective.limit {
            Limit::ResponseTime { max, .. } => tally
                .observed
                .is_some_and(|ns| ns > max.as_nanos() as f64 * NEAR_RESPONSE_TIME),
            _ => false,
        })
}

/// CPU grows nearly in proportion to the level, so it foretells where it will break.
fn predicted_by_cpu(seen: &Seen, low: Level, objectives: &[Objective]) -> Option<f64> {
    if let Some(line) = seen.belief.cpu {
        return Some(line.level);
    }
    let index = objectives.iter().position(|o| matches!(o.limit, Limit::Cpu { .. }))?;
    let Limit::Cpu { max } = objectives[index].limit else {
        return None;
    };
    let share_at = |level: Level| seen.last_at(level, StepVerdict::Passed)?.tallies[index].observed;
    let level = low.as_f64();
    let share = share_at(low).filter(|&share| share > 0.0)?;
    let proportional = level * max.value() / share;
    // A second point tells what the service burns without load.
    let second = seen
        .steps
        .iter()
        .map(|s| s.level)
        .filter(|r| share_between(*r, low) > 0.1);
    let Some(second) = second.max() else {
        return Some(proportional);
    };
    let slope = share_at(second).map(|s| (share - s) / (level - second.as_f64()));
    let secant = slope
        .filter(|&slope| slope > 0.0)
        .map(|slope| level + (max.value() - share) / slope);
    // A secant between noisy points may point anywhere; the proportion bounds it.
    Some(secant.map_or(proportional, |line| line.clamp(0.8 * proportional, 1.5 * proportional)))
}

/// A level inside the bracket.
pub(super) fn inside(seen: &Seen, objectives: &[Objective], bracket: f64) -> Level {
    let (Some(low), Some(high)) = (seen.low, seen.high) else {
        return Level::ZERO;
    };
    let (low_end, high_end) = (low.as_f64(), high.as_f64());
    let middle = (low_end * high_end).sqrt();
    // Every third step halves the bracket, whatever the guess: it may be wrong again and again.
    let guess = if seen.steps.len() % 3 == 2 {
        None
    } else {
        interpolated(seen, low, high, objectives)
    };
    let Some(line) = guess else {
        return Level::from_f64(middle);
    };
    // First just below the guess, then, if that passes, just above it.
    let below = line * (1.0 - 0.4 * bracket);
    let candidate = if low_end < line * (1.0 - 0.9 * bracket) {
        below
    } else {
        low_end * (1.0 + 0.9 * bracket)
    };
    let margin = (high_end / low_end).powf(0.1);
    Level::from_f64(candidate.clamp(low_end * margin, high_end / margin))
}

/// The end of the bracket that is still missing, when the line is nearly found: a level that passes
/// a little below it and one that fails a little above it, together no wider than `bracket`.
pub(super) fn around(seen: &Seen, bracket: f64) -> (Level, Purpose) {
    if let Some((low, _)) = seen.sure_bracket(bracket) {
        return (low, Purpose::Confirm);
    }
    let line = seen.median();
    let (below, above) = (line * (1.0 - 0.45 * bracket), line * (1.0 + 0.45 * bracket));
    // An end that is confirmed leaves the other one as much room as the bracket has.
    let above_low = seen.sure_low().map(|low| low.as_f64() * (1.0 + 0.95 * bracket));
    let below_high = seen.sure_high().map(|high| high.as_f64() / (1.0 + 0.95 * bracket));
    let target = if let Some(target) = above_low.filter(|&level| level > line * (1.0 + 0.2 * bracket)) {
        target
    } else if let Some(target) = below_high.filter(|&level| level < line * (1.0 - 0.2 * bracket)) {
        target
    } else if seen.last().is_some_and(|step| step.level.as_f64() < line) {
        above
    } else {
        below
    };
    // An end that is sure already would not narrow the bracket, however often it is tried.
    let is_sure = |level: &Level| [seen.sure_low(), seen.sure_high()].contains(&Some(*level));
    match seen.tried_near(target).filter(|level| !is_sure(level)) {
        Some(level) => (level, Purpose::Confirm),
        None => (Level::from_f64(target), Purpose::Bisect),
    }
}

/// Where the objective that broke at the upper end would meet its bound, by a straight line
/// through a figure of both ends that falls steadily with the level.
fn interpolated(seen: &Seen, low: Level, high: Level, objectives: &[Objective]) -> Option<f64> {
    let failed = seen.last_at(high, StepVerdict::Breached)?;
    let passed = seen.last_at(low, StepVerdict::Passed)?;
    let index = failed.broke?;
    if let (Limit::Cpu { .. }, Some(line)) = (objectives[index].limit, seen.belief.cpu) {
        return Some(line.level);
    }
    let margin = |step: &StepOutcome| margin(objectives[index].limit, step.tallies[index].observed?);
    let (above, below) = (margin(passed)?, margin(failed)?);
    if above <= 0.0 || below >= 0.0 {
        return None;
    }
    let (low, high) = (low.as_f64(), high.as_f64());
    Some(low + (high - low) * above / (above - below))
}

/// How far a figure is from its bound, above zero while it holds. Of response times the reciprocal
/// is taken: in a queue it falls almost linearly with the level (in M/M/1 exactly, as it is
/// proportional to µ − λ), where the response time itself shoots up.
fn margin(limit: Limit, observed: f64) -> Option<f64> {
    match limit {
        Limit::Cpu { max } => Some(max.value() - observed),
        Limit::ResponseTime { max, .. } if observed > 0.0 => Some(max.as_nanos() as f64 / observed - 1.0),
        _ => None,
    }
}
