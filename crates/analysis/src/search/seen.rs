//! What the steps so far show: the bracket, and the distribution behind it.

use super::belief::Belief;
use super::cold::cold_steps;
use super::share_between;
use crate::step_summary::StepOutcome;
use plimsoll_findings::StepVerdict;
use plimsoll_plan::{Level, Objective};
use std::time::Duration;

/// An end of the bracket is sure when it is this probable to be on its side of the line.
pub(super) const END_CONFIDENCE: f64 = 0.85;

/// Levels that differ by less than this share are one level to the search.
const SAME_LEVEL: f64 = 0.005;

/// The judged steps, digested.
pub(super) struct Seen<'a> {
    /// Steps that say something of the service, in order.
    pub(super) steps: Vec<&'a StepOutcome>,
    pub(super) belief: Belief,
    /// Greatest level that passed and is more probably below the line than above it.
    pub(super) low: Option<Level>,
    /// Least level above `low` that failed and is more probably above the line; or what the
    /// generator could not offer, when that is less.
    pub(super) high: Option<Level>,
    /// Least level that the generator cannot offer in time, as far as its steps tell.
    pub(super) generator_limit: Option<Level>,
    history: &'a [StepOutcome],
    /// At least one response was correct.
    pub(super) anything_works: bool,
    /// Windows that must have been judged at a level before one may rely on it.
    windows_to_rely_on: u32,
}

impl<'a> Seen<'a> {
    /// `None` when no step says anything of the service.
    pub(super) fn of(
        history: &'a [StepOutcome],
        objectives: &[Objective],
        wanted: f64,
        windows_to_rely_on: u32,
    ) -> Option<Self> {
        let steps: Vec<_> = history.iter().filter(|s| says_something(s)).collect();
        let cold = cold_steps(&steps);
        let is_warm = |step: &&StepOutcome| steps.iter().zip(&cold).all(|(s, cold)| s.step != step.step || !cold);
        let warm: Vec<_> = steps.iter().copied().filter(is_warm).collect();
        // What a cold service carries, a warm one does too.
        let steps: Vec<_> = steps
            .iter()
            .copied()
            .filter(|s| is_warm(s) || s.verdict == StepVerdict::Passed)
            .collect();
        if steps.is_empty() {
            return None;
        }
        let mut seen = Self {
            belief: Belief::of(&steps, &warm, objectives, wanted),
            low: None,
            high: None,
            generator_limit: generator_limit(history),
            history,
            anything_works: steps.iter().any(|s| s.requests_passed > 0),
            steps,
            windows_to_rely_on,
        };
        seen.low = seen
            .levels(StepVerdict::Passed)
            .filter(|&r| seen.line_below(r) < 0.5)
            .max();
        let above_low = |level: &Level| seen.low.is_none_or(|low| *level > low);
        let failed = seen
            .levels(StepVerdict::Breached)
            .filter(|&r| seen.line_below(r) >= 0.5);
        let failed = failed.filter(above_low).min();
        seen.high = failed.into_iter().chain(seen.generator_limit.filter(above_low)).min();
        Some(seen)
    }

    /// Probability that the load line is below this level.
    pub(super) fn line_below(&self, level: Level) -> f64 {
        self.belief.below(level.as_f64())
    }

    /// Both ends very probably on their sides of the line, and no further apart than `width`.
    pub(super) fn sure_bracket(&self, width: f64) -> Option<(Level, Level)> {
        let (low, high) = (self.sure_low()?, self.sure_high()?);
        (share_between(low, high) <= width + 1e-9).then_some((low, high))
    }

    /// The same, and its lower end was held long enough to rely on it.
    pub(super) fn confirmed(&self, width: f64) -> Option<(Level, Level)> {
        let relied_on = |&(low, _): &(Level, Level)| self.windows_judged_at(low) >= self.windows_to_rely_on;
        self.sure_bracket(width).filter(relied_on)
    }

    /// The bracket to report: the confirmed one, else what is more probable than not.
    pub(super) fn bracket(&self, width: f64) -> (Option<Level>, Option<Level>) {
        self.confirmed(width)
            .map_or((self.low, self.high), |(low, high)| (Some(low), Some(high)))
    }

    /// Greatest level that passed and is very probably below the line.
    pub(super) fn sure_low(&self) -> Option<Level> {
        let sure = |&level: &Level| self.line_below(level) <= 1.0 - END_CONFIDENCE;
        self.levels(StepVerdict::Passed).filter(sure).max()
    }

    /// Least level that failed and is very probably above the line. What the generator could not
    /// offer needs no confirmation.
    pub(super) fn sure_high(&self) -> Option<Level> {
        let sure = |&level: &Level| self.line_below(level) >= END_CONFIDENCE;
        let failed = self.levels(StepVerdict::Breached).filter(sure).min();
        let limit = self.generator_limit.filter(|_| self.generator_limit == self.high);
        failed.into_iter().chain(limit).min()
    }

    /// Windows that failed, and windows judged, at levels up to `low`.
    pub(super) fn windows_up_to(&self, low: Level) -> (u32, u32) {
        let steps = self.steps.iter().filter(|s| s.level <= low);
        let worst = |s: &&StepOutcome| {
            s.tallies
                .iter()
                .map(|t| (t.failed(), t.judged))
                .max()
                .unwrap_or_default()
        };
        steps.map(worst).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    fn windows_judged_at(&self, level: Level) -> u32 {
        let judged = |s: &&&StepOutcome| s.level == level;
        self.steps
            .iter()
            .filter(judged)
            .map(|s| s.tallies.iter().map(|t| t.judged).max().unwrap_or(0))
            .sum()
    }

    /// The level tried so far that is nearest to this one, when it is practically the same.
    pub(super) fn tried_near(&self, near: f64) -> Option<Level> {
        let distance = |level: &Level| (level.as_f64() / near - 1.0).abs();
        let nearest = self
            .steps
            .iter()
            .map(|s| s.level)
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (distance(&nearest) < SAME_LEVEL).then_some(nearest)
    }

    fn levels(&self, verdict: StepVerdict) -> impl Iterator<Item = Level> {
        self.steps.iter().filter(move |s| s.verdict == verdict).map(|s| s.level)
    }

    /// Ends of the interval that holds the line with this confidence.
    pub(super) fn interval(&self, confidence: f64) -> (f64, f64) {
        let tail = (1.0 - confidence) / 2.0;
        let belief = self.belief.widened();
        (self.quantile_of(&belief, tail), self.quantile_of(&belief, 1.0 - tail))
    }

    /// The line is as probably below this level as above it.
    pub(super) fn median(&self) -> f64 {
        self.quantile_of(&self.belief, 0.5)
    }

    fn quantile_of(&self, belief: &Belief, probability: f64) -> f64 {
        let levels = || self.steps.iter().map(|s| s.level.as_f64());
        let (least, greatest) = (levels().fold(f64::INFINITY, f64::min), levels().fold(0.0, f64::max));
        belief.quantile(probability, least / 4.0, greatest * 4.0)
    }

    pub(super) fn last(&self) -> Option<&'a StepOutcome> {
        self.steps.last().copied()
    }

    pub(super) fn lowest_level(&self) -> Level {
        self.steps.iter().map(|s| s.level).min().unwrap_or_default()
    }

    pub(super) fn lowest_failed(&self) -> Option<Level> {
        self.levels(StepVerdict::Breached).min()
    }

    /// Whether a step failed at `level` or up to this share below it.
    pub(super) fn failed_within(&self, level: Level, share: f64) -> bool {
        let near = |failed: Level| failed <= level && failed.as_f64() > level.as_f64() * (1.0 - share);
        self.levels(StepVerdict::Breached).any(near)
    }

    /// Least level above `low` at which a step failed.
    pub(super) fn failed_above(&self, low: Level) -> Option<Level> {
        self.levels(StepVerdict::Breached).filter(|&r| r > low).min()
    }

    /// Steps at `level` in which the generator was late.
    pub(super) fn late_at(&self, level: Level) -> usize {
        late_at(self.history, level)
    }

    pub(super) fn steps_at(&self, level: Level) -> usize {
        self.steps.iter().filter(|s| s.level == level).count()
    }

    /// The last step at `level` with this verdict.
    pub(super) fn last_at(&self, level: Level, verdict: StepVerdict) -> Option<&'a StepOutcome> {
        let at_rate = |s: &&&StepOutcome| s.level == level && s.verdict == verdict;
        self.steps.iter().rev().find(at_rate).copied()
    }

    /// Objective that broke at `level`, by its place in the plan.
    pub(super) fn broke_at(&self, level: Option<Level>) -> Option<usize> {
        self.last_at(level?, StepVerdict::Breached)?.broke
    }

    /// The longest step at `level` that passed: the one that shows most.
    pub(super) fn step_passed_at(&self, level: Level) -> Option<u32> {
        let passed = self
            .steps
            .iter()
            .filter(|s| s.level == level && s.verdict == StepVerdict::Passed);
        passed.max_by_key(|s| (s.windows_planned, s.step)).map(|s| s.step)
    }

    pub(super) fn longest_at(&self, level: Level) -> Duration {
        let passed = self
            .steps
            .iter()
            .filter(|s| s.level == level && s.verdict == StepVerdict::Passed);
        let longest_ns = passed.map(|s| s.end_ns.saturating_sub(s.start_ns)).max();
        Duration::from_nanos(longest_ns.unwrap_or(0))
    }
}

/// Whether the step tells of the service.
fn says_something(step: &StepOutcome) -> bool {
    step.level > Level::ZERO && matches!(step.verdict, StepVerdict::Passed | StepVerdict::Breached)
}

/// The least level at which the generator was late in two steps more than it was in time, at that level
/// or above: once is a hiccup of the host, and what was offered once can be offered.
fn generator_limit(history: &[StepOutcome]) -> Option<Level> {
    let in_time = |level: Level| history.iter().filter(|s| says_something(s) && s.level >= level).count();
    let beyond = |level: &Level| late_at(history, *level) >= in_time(*level) + 2;
    history.iter().map(|s| s.level).filter(beyond).min()
}

fn late_at(history: &[StepOutcome], level: Level) -> usize {
    let late = |s: &&StepOutcome| s.verdict == StepVerdict::Invalid && s.level == level;
    history.iter().filter(late).count()
}
