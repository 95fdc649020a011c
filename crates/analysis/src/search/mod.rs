//! The capacity search: which rate to try next, and where the load line lies.
//!
//! Pure and without memory: every decision follows from the steps that are over, so that a run
//! which is read back decides as it did live. The rate climbs until a step fails, then steps close
//! in on the line from both sides, then both ends of the bracket are tried again until it is
//! probable enough that the line is between them. `docs/capacity.md` explains it to readers.

mod aim;
mod line;
mod posterior;
mod seen;

use crate::findings::StepVerdict;
use crate::step::StepOutcome;
pub(crate) use line::load_line;
use plimsoll_plan::{Judging, Objective, Plan, Rate};
use seen::Seen;
use std::time::Duration;

/// Confidence of the interval.
const CONFIDENCE: f64 = 0.95;
/// Each end of the bracket is tried until this probable to be on its side of the line.
const END_CONFIDENCE: f64 = 0.9;
/// Windows of a step that only looks where the line might be.
const CLIMB_WINDOWS: u32 = 3;
/// How much longer a step is that confirms an end of the bracket: long steps see queues that grow
/// slowly, and lose less to the warm-up.
const CONFIRM_FACTOR: u32 = 2;
/// Least rate that is tried before the search gives up.
const FLOOR: Rate = Rate::per_s(1);

/// Decides the steps of a capacity search.
#[derive(Debug, Clone)]
pub struct Search {
    bounds: plimsoll_plan::Search,
    judging: Judging,
    objectives: Vec<Objective>,
}

/// What to do after the steps so far.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Run this step.
    Step(NextStep),
    /// The search is over.
    Done(SearchResult),
}

/// The step to run next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextStep {
    /// Rate to offer.
    pub rate: Rate,
    /// How long, warm-up included and draining not.
    pub duration: Duration,
    /// The first part that is not judged.
    pub warm_up: Duration,
    /// What it is for.
    pub purpose: Purpose,
}

/// What a step is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Look for a rate that fails, or from above for one that passes.
    Climb,
    /// Narrow the bracket.
    Bisect,
    /// Try an end of the bracket again.
    Confirm,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult {
    /// Greatest rate that passed; `None` when none did.
    pub passed: Option<Rate>,
    /// Least rate above it that failed.
    pub failed: Option<Rate>,
    /// Lower end of the interval, requests per second.
    pub interval_low_per_s: f64,
    /// Upper end of the interval; `None` when nothing failed.
    pub interval_high_per_s: Option<f64>,
    /// Confidence of the interval, 0 to 1.
    pub confidence: f64,
    /// Objective that broke first above the line, by its place in the plan.
    pub broke: Option<usize>,
    /// Step at the greatest rate that passed: the one to report.
    pub step: Option<u32>,
    /// Why it ended.
    pub ending: Ending,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The bracket is as narrow as was asked for, and both its ends are confirmed.
    Converged,
    /// The time was up first.
    BudgetSpent,
    /// The greatest rate that may be offered passed.
    MaxHolds,
    /// The generator could not offer this rate in time.
    GeneratorLimit(Rate),
    /// Not even the lowest rate passed.
    NothingHolds,
    /// The run stopped before the search was over.
    Stopped,
}

impl Search {
    /// The search that `plan` describes.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Self {
            bounds: plan.search,
            judging: plan.judging,
            objectives: plan.objectives.clone(),
        }
    }

    /// What to do after these steps, given in the order they were run.
    #[must_use]
    pub fn decide(&self, history: &[StepOutcome]) -> Decision {
        let Some(seen) = Seen::of(history, self.wanted()) else {
            return self.before_anything_was_judged(history);
        };
        match self.next_rate(&seen) {
            Ok((rate, purpose)) => match self.fit(rate, purpose, history) {
                Some(step) => Decision::Step(step),
                None => Decision::Done(self.result(&seen, Ending::BudgetSpent)),
            },
            Err(ending) => Decision::Done(self.result(&seen, ending)),
        }
    }

    /// What is known when the run stops after these steps.
    #[must_use]
    pub fn stopped(&self, history: &[StepOutcome]) -> SearchResult {
        match self.decide(history) {
            Decision::Done(result) => result,
            Decision::Step(_) => match Seen::of(history, self.wanted()) {
                Some(seen) => self.result(&seen, Ending::Stopped),
                None => nothing_known(Ending::Stopped),
            },
        }
    }

    /// Whether the rest of a step is a waste of time: it has failed whatever comes, and not by one
    /// unlucky window.
    #[must_use]
    pub fn should_stop_early(&self, running: &StepOutcome) -> bool {
        let wanted = self.judging.passing_windows;
        let lost = self.objectives.iter().zip(&running.tallies).any(|(objective, tally)| {
            let allowed = crate::judge::allowed_failures(objective, running.windows_planned, wanted);
            tally.failed() > allowed && tally.failed() >= 2
        });
        let judged = running.tallies.iter().map(|t| t.judged).max().unwrap_or(0);
        lost || (running.verdict == StepVerdict::Invalid && judged >= 2)
    }

    fn wanted(&self) -> f64 {
        self.judging.passing_windows.value()
    }

    /// Nothing says anything about the service yet: begin, or try again what was not judged.
    fn before_anything_was_judged(&self, history: &[StepOutcome]) -> Decision {
        let invalid = history.iter().filter(|s| s.verdict == StepVerdict::Invalid).count();
        let rate = history
            .last()
            .map_or(self.bounds.start.min(self.bounds.max), |s| s.rate);
        let retry = if invalid >= 2 { lower(rate) } else { Some(rate) };
        let step = retry.and_then(|rate| self.fit(rate, Purpose::Climb, history));
        match step.filter(|_| history.len() < 10) {
            Some(step) => Decision::Step(step),
            None if invalid >= 2 => Decision::Done(nothing_known(Ending::GeneratorLimit(rate))),
            None => Decision::Done(nothing_known(Ending::BudgetSpent)),
        }
    }

    fn next_rate(&self, seen: &Seen) -> Result<(Rate, Purpose), Ending> {
        let Some(low) = seen.low else {
            return descend(seen);
        };
        let Some(high) = seen.high else {
            return self.climb(seen, low);
        };
        let generator = seen.generator_limit == Some(high);
        if share_between(low, high) > self.bounds.bracket.value() {
            return Ok((
                aim::inside(seen, &self.objectives, self.bounds.bracket.value()),
                Purpose::Bisect,
            ));
        }
        let doubt_low = seen.line_below(low);
        let doubt_high = if generator { 0.0 } else { 1.0 - seen.line_below(high) };
        if doubt_low.max(doubt_high) > 1.0 - END_CONFIDENCE {
            return Ok((if doubt_low >= doubt_high { low } else { high }, Purpose::Confirm));
        }
        Err(if generator {
            Ending::GeneratorLimit(high)
        } else {
            Ending::Converged
        })
    }

    fn climb(&self, seen: &Seen, low: Rate) -> Result<(Rate, Purpose), Ending> {
        // A step above it failed and is not believed yet.
        if let Some(doubtful) = seen.failed_above(low) {
            return Ok((doubtful, Purpose::Confirm));
        }
        if low < self.bounds.max {
            let rate = aim::above(seen, low, &self.objectives, self.bounds.bracket.value());
            return Ok((rate.min(self.bounds.max), Purpose::Climb));
        }
        if seen.line_below(low) > 1.0 - END_CONFIDENCE {
            return Ok((low, Purpose::Confirm));
        }
        Err(Ending::MaxHolds)
    }

    /// The longest form of the step that the budget has time for.
    fn fit(&self, rate: Rate, purpose: Purpose, history: &[StepOutcome]) -> Option<NextStep> {
        let window = self.judging.window;
        let windows = |length: Duration| (length.as_secs_f64() / window.as_secs_f64()).round() as u32;
        let usual = windows(self.bounds.step).max(2);
        let short = CLIMB_WINDOWS.min(usual);
        let wanted = match purpose {
            Purpose::Climb => short,
            Purpose::Bisect => usual,
            Purpose::Confirm => usual * CONFIRM_FACTOR,
        };
        let left = self.bounds.budget.saturating_sub(elapsed(history));
        // One window more for the drain.
        let affordable = |windows: &u32| window * (windows + 1) <= left;
        let count = [wanted, usual, short]
            .into_iter()
            .filter(|&w| w <= wanted)
            .find(affordable)?;
        let warm_up = windows(self.judging.warm_up.min(self.bounds.step / 5)).clamp(1, count - 1);
        Some(NextStep {
            rate,
            duration: window * count,
            warm_up: if self.judging.warm_up.is_zero() {
                Duration::ZERO
            } else {
                window * warm_up
            },
            purpose,
        })
    }

    fn result(&self, seen: &Seen, ending: Ending) -> SearchResult {
        let Some(low) = seen.low else {
            return SearchResult {
                failed: seen.lowest_failed(),
                broke: seen.broke_at(seen.lowest_failed()),
                ..nothing_known(ending)
            };
        };
        let failed = seen.high.filter(|&high| seen.generator_limit != Some(high));
        let broke = seen.broke_at(failed);
        let tail = (1.0 - CONFIDENCE) / 2.0;
        let rate = |ln: f64| ln.exp();
        let low_per_s = rate(seen.posterior.quantile(tail)).min(low.as_f64_per_s());
        let slack = self.hidden_growth(broke, seen.longest_at(low));
        SearchResult {
            passed: Some(low),
            failed,
            interval_low_per_s: low_per_s / (1.0 + slack),
            interval_high_per_s: failed.map(|high| rate(seen.posterior.quantile(1.0 - tail)).max(high.as_f64_per_s())),
            confidence: CONFIDENCE,
            broke,
            step: seen.step_passed_at(low),
            ending,
        }
    }

    /// Share by which a rate may exceed what the service can do for ever and still pass a step of
    /// this length: the queue then grows by that share of every second, and is seen only once the
    /// wait is longer than the objective allows.
    fn hidden_growth(&self, broke: Option<usize>, step: Duration) -> f64 {
        match broke.map(|index| self.objectives[index]) {
            Some(Objective::ResponseTime { max, .. }) if !step.is_zero() => max.as_secs_f64() / step.as_secs_f64(),
            _ => 0.0,
        }
    }
}

/// Width of the bracket as a share of its lower end.
fn share_between(low: Rate, high: Rate) -> f64 {
    high.as_f64_per_s() / low.as_f64_per_s() - 1.0
}

/// Nothing passed yet: try lower rates until one does.
fn descend(seen: &Seen) -> Result<(Rate, Purpose), Ending> {
    let lowest = seen.lowest_rate();
    // A first failure may be bad luck, or a service that is not warm yet.
    if seen.steps_at(lowest) < 2 {
        return Ok((lowest, Purpose::Climb));
    }
    if !seen.anything_works {
        return Err(Ending::NothingHolds);
    }
    lower(lowest)
        .map(|rate| (rate, Purpose::Climb))
        .ok_or(Ending::NothingHolds)
}

fn lower(rate: Rate) -> Option<Rate> {
    let lower = Rate::from_micro_per_s(rate.micro_per_s() / 4);
    (rate > FLOOR).then(|| lower.max(FLOOR))
}

fn elapsed(history: &[StepOutcome]) -> Duration {
    let begin = history.first().map_or(0, |s| s.start_ns);
    let end = history.last().map_or(0, |s| s.end_ns);
    Duration::from_nanos(end.saturating_sub(begin))
}

fn nothing_known(ending: Ending) -> SearchResult {
    SearchResult {
        passed: None,
        failed: None,
        interval_low_per_s: 0.0,
        interval_high_per_s: None,
        confidence: CONFIDENCE,
        broke: None,
        step: None,
        ending,
    }
}
