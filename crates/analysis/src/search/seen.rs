//! What the steps so far show: the bracket, and the distribution behind it.

use super::posterior::{Posterior, Trial};
use crate::findings::StepVerdict;
use crate::step::StepOutcome;
use plimsoll_plan::Rate;
use std::time::Duration;

/// The judged steps, digested.
pub(super) struct Seen<'a> {
    /// Steps that say something of the service, in order.
    pub(super) steps: Vec<&'a StepOutcome>,
    pub(super) posterior: Posterior,
    /// Greatest rate that passed and is more probably below the line than above it.
    pub(super) low: Option<Rate>,
    /// Least rate above `low` that failed and is more probably above the line; or what the
    /// generator could not offer, when that is less.
    pub(super) high: Option<Rate>,
    /// Least rate for which the generator was late twice.
    pub(super) generator_limit: Option<Rate>,
    /// At least one request was answered correctly.
    pub(super) anything_works: bool,
}

impl<'a> Seen<'a> {
    /// `None` when no step says anything of the service.
    pub(super) fn of(history: &'a [StepOutcome], wanted: f64) -> Option<Self> {
        let judged = |s: &&StepOutcome| matches!(s.verdict, StepVerdict::Passed | StepVerdict::Breached);
        let steps: Vec<_> = history.iter().filter(judged).collect();
        let trials: Vec<_> = steps.iter().map(|s| trial(s)).collect();
        if trials.is_empty() {
            return None;
        }
        let mut seen = Self {
            posterior: Posterior::of(&trials, wanted),
            low: None,
            high: None,
            generator_limit: generator_limit(history),
            anything_works: steps.iter().any(|s| s.requests_passed > 0),
            steps,
        };
        seen.low = seen
            .rates(StepVerdict::Passed)
            .filter(|&r| seen.line_below(r) < 0.5)
            .max();
        let above_low = |rate: &Rate| seen.low.is_none_or(|low| *rate > low);
        let failed = seen.rates(StepVerdict::Breached).filter(|&r| seen.line_below(r) >= 0.5);
        let failed = failed.filter(above_low).min();
        seen.high = failed.into_iter().chain(seen.generator_limit.filter(above_low)).min();
        Some(seen)
    }

    /// Probability that the load line is below this rate.
    pub(super) fn line_below(&self, rate: Rate) -> f64 {
        self.posterior.below(rate.as_f64_per_s().ln())
    }

    fn rates(&self, verdict: StepVerdict) -> impl Iterator<Item = Rate> {
        self.steps.iter().filter(move |s| s.verdict == verdict).map(|s| s.rate)
    }

    pub(super) fn lowest_rate(&self) -> Rate {
        self.steps.iter().map(|s| s.rate).min().unwrap_or_default()
    }

    pub(super) fn lowest_failed(&self) -> Option<Rate> {
        self.rates(StepVerdict::Breached).min()
    }

    /// Least rate above `low` at which a step failed.
    pub(super) fn failed_above(&self, low: Rate) -> Option<Rate> {
        self.rates(StepVerdict::Breached).filter(|&r| r > low).min()
    }

    pub(super) fn steps_at(&self, rate: Rate) -> usize {
        self.steps.iter().filter(|s| s.rate == rate).count()
    }

    /// The last step at `rate` with this verdict.
    pub(super) fn last_at(&self, rate: Rate, verdict: StepVerdict) -> Option<&'a StepOutcome> {
        let at_rate = |s: &&&StepOutcome| s.rate == rate && s.verdict == verdict;
        self.steps.iter().rev().find(at_rate).copied()
    }

    /// Objective that broke at `rate`, by its place in the plan.
    pub(super) fn broke_at(&self, rate: Option<Rate>) -> Option<usize> {
        self.last_at(rate?, StepVerdict::Breached)?.broke
    }

    /// The longest step at `rate` that passed: the one that shows most.
    pub(super) fn step_passed_at(&self, rate: Rate) -> Option<u32> {
        let passed = self
            .steps
            .iter()
            .filter(|s| s.rate == rate && s.verdict == StepVerdict::Passed);
        passed.max_by_key(|s| (s.windows_planned, s.step)).map(|s| s.step)
    }

    pub(super) fn longest_at(&self, rate: Rate) -> Duration {
        let passed = self
            .steps
            .iter()
            .filter(|s| s.rate == rate && s.verdict == StepVerdict::Passed);
        let longest_ns = passed.map(|s| s.end_ns.saturating_sub(s.start_ns)).max();
        Duration::from_nanos(longest_ns.unwrap_or(0))
    }
}

/// A step counts by the objective with the fewest windows passed: the one that decided it.
fn trial(step: &StepOutcome) -> Trial {
    let ln_rate = step.rate.as_f64_per_s().ln();
    let judged = step.tallies.iter().filter(|t| t.judged > 0);
    let worst = judged.min_by(|a, b| {
        let share = |t: &crate::Tally| f64::from(t.passed) / f64::from(t.judged);
        share(a).total_cmp(&share(b))
    });
    // Nothing works at all, although no objective speaks of it.
    let hopeless = step.verdict == StepVerdict::Breached && step.broke.is_none();
    match worst {
        Some(tally) if !hopeless => Trial {
            ln_rate,
            passed: tally.passed,
            judged: tally.judged,
        },
        _ => Trial {
            ln_rate,
            passed: if hopeless { 0 } else { step.windows_planned },
            judged: step.windows_planned,
        },
    }
}

/// The least rate at which the generator was late in two steps; one may be a hiccup of the host.
fn generator_limit(history: &[StepOutcome]) -> Option<Rate> {
    let mut invalid: Vec<_> = history
        .iter()
        .filter(|s| s.verdict == StepVerdict::Invalid)
        .map(|s| s.rate)
        .collect();
    invalid.sort_unstable();
    invalid.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}
