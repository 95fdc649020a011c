//! The capacity search: which level to try next, and where the load line lies.
//!
//! Pure and without memory: every decision follows from the steps that are over, so that a run
//! which is read back decides as it did live. The level climbs until a step fails, then steps close
//! in on the line from both sides, then both ends of the bracket are tried again until it is
//! probable enough that the line is between them. `docs/concepts/load-line.md` explains it to readers.

mod aim;
mod belief;
mod cold;
mod cpu_line;
mod line;
mod normal;
mod posterior;
mod reach;
mod seen;

use crate::judge::{Tally, allowed_failures};
use crate::step_summary::StepOutcome;
pub(crate) use line::load_line;
use plimsoll_findings::StepVerdict;
use plimsoll_plan::{HoldLoad, Judging, Level, Limit, Load, Objective, Plan, SearchUnit};
pub use reach::Reach;
use seen::Seen;
use std::time::Duration;

/// Confidence of the interval that is stated.
const CONFIDENCE: f64 = 0.95;
/// Confidence that it is computed with. The search stops by what it sees, and so rather after
/// windows that agree by luck; against simulated services this covers what is stated.
const NOMINAL_CONFIDENCE: f64 = 0.99;
/// The bracket is closed in on until it is this many times as wide as wanted; then its ends are set.
const WIDE: f64 = 2.0;
/// Windows of a step that only looks where the line might be.
const CLIMB_WINDOWS: u32 = 3;
/// How much longer a step is that confirms an end of the bracket: long steps see queues that grow
/// slowly, and lose less to the warm-up.
const CONFIRM_FACTOR: u32 = 2;
/// Least level that is tried before the search gives up.
const FLOOR: Level = Level::whole(1);

/// Decides the steps of a capacity search.
#[derive(Debug, Clone)]
pub struct Search {
    bounds: plimsoll_plan::Search,
    /// Least distance between two levels.
    grain: Level,
    /// How long a load takes from its beginning until it is what it is to be.
    lead_in: LeadIn,
    judging: Judging,
    objectives: Vec<Objective>,
}

/// How long a load takes from its beginning until it is what it is to be.
#[derive(Debug, Clone)]
enum LeadIn {
    /// The same whatever its level.
    Fixed(Duration),
    /// As long as it takes to open so many connections.
    Opening(HoldLoad),
}

impl LeadIn {
    fn of(plan: &Plan) -> Self {
        match (plan.search().unit, plan.load()) {
            (SearchUnit::Connections, Load::Hold(hold)) => Self::Opening(hold.clone()),
            (SearchUnit::Users, _) => Self::Fixed(plan.cycle()),
            (SearchUnit::Rate | SearchUnit::Connections, _) => Self::Fixed(Duration::ZERO),
        }
    }

    fn to(&self, level: Level) -> Duration {
        match self {
            Self::Fixed(fixed) => *fixed,
            Self::Opening(hold) => hold.of(level.number()).opening(),
        }
    }
}

/// What to do after the steps so far.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Run this step.
    Step(SearchStep),
    /// The search is over.
    Done(SearchResult),
}

/// The step to run next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchStep {
    /// Level to offer.
    pub level: Level,
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
    /// Look for a level that fails, or from above for one that passes.
    Climb,
    /// Narrow the bracket.
    Bisect,
    /// Try an end of the bracket again.
    Confirm,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult {
    /// Greatest level that passed; `None` when none did.
    pub passed: Option<Level>,
    /// Least level above it that failed.
    pub failed: Option<Level>,
    /// Lower end of the interval.
    pub interval_low: f64,
    /// Upper end of the interval; `None` when nothing failed.
    pub interval_high: Option<f64>,
    /// Confidence of the interval, 0 to 1.
    pub confidence: f64,
    /// Objective that broke first above the line, by its place in the plan.
    pub broke: Option<usize>,
    /// Step at the greatest level that passed: the one to report.
    pub step: Option<u32>,
    /// Windows that failed, and windows judged, in the steps up to the greatest level that passed.
    pub windows_up_to_line: (u32, u32),
    /// The step that alone puts an end of the interval far from the bracket.
    pub reach: Option<Reach>,
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
    /// The greatest level that may be offered passed.
    MaxHolds,
    /// The generator could not offer this level in time.
    GeneratorLimit(Level),
    /// Not even the lowest level passed.
    NothingHolds,
    /// The run stopped before the search was over.
    Stopped,
}

impl Search {
    /// The search that `plan` describes.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        Self {
            bounds: plan.search(),
            grain: plan.search().unit.grain(),
            lead_in: LeadIn::of(plan),
            judging: plan.judging(),
            objectives: plan.objectives().to_vec(),
        }
    }

    /// What to do after these steps, given in the order they were run.
    #[must_use]
    pub fn decide(&self, history: &[StepOutcome]) -> Decision {
        let Some(seen) = self.seen(history) else {
            return self.before_anything_was_judged(history);
        };
        match self.next_level(&seen) {
            Ok((level, purpose)) => match self.fit(self.in_grains(&seen, level), purpose, history) {
                Some(step) => Decision::Step(step),
                None => Decision::Done(self.result(history, &seen, Ending::BudgetSpent)),
            },
            Err(ending) => Decision::Done(self.result(history, &seen, ending)),
        }
    }

    /// What is known when the run stops after these steps.
    #[must_use]
    pub fn stopped(&self, history: &[StepOutcome]) -> SearchResult {
        match self.decide(history) {
            Decision::Done(result) => result,
            Decision::Step(_) => match self.seen(history) {
                Some(seen) => self.result(history, &seen, Ending::Stopped),
                None => nothing_known(Ending::Stopped),
            },
        }
    }

    /// Whether the rest of a step is a waste of time: it has failed whatever comes, and not by a
    /// single mishap, which may well spoil two windows.
    #[must_use]
    pub fn should_stop_early(&self, running: &StepOutcome) -> bool {
        let wanted = self.judging.passing_windows;
        let lost = self.objectives.iter().zip(&running.tallies).any(|(objective, tally)| {
            let allowed = allowed_failures(objective, running.windows_planned, wanted);
            let enough = if is_far_off(objective, tally) { 2 } else { 3 };
            tally.failed() > allowed && tally.failed() >= enough
        });
        let judged = running.tallies.iter().map(|t| t.judged).max().unwrap_or(0);
        lost || (running.verdict == StepVerdict::Invalid && judged >= 2)
    }

    fn seen<'a>(&self, history: &'a [StepOutcome]) -> Option<Seen<'a>> {
        Seen::of(
            history,
            &self.objectives,
            self.judging.passing_windows.value(),
            self.windows_to_rely_on(),
        )
    }

    /// Judged windows that the load line must rest on: those of one step that confirms.
    fn windows_to_rely_on(&self) -> u32 {
        let windows = self.usual_windows() * CONFIRM_FACTOR;
        windows - self.warm_up_windows(windows)
    }

    fn warm_up_windows(&self, step: u32) -> u32 {
        if self.judging.warm_up.is_zero() {
            return 0;
        }
        self.windows(self.judging.warm_up.min(self.bounds.step / 5))
            .clamp(1, step - 1)
    }

    /// Windows of a step of the usual length, warm-up included.
    fn usual_windows(&self) -> u32 {
        self.windows(self.bounds.step).max(2)
    }

    fn windows(&self, length: Duration) -> u32 {
        (length.as_secs_f64() / self.judging.window.as_secs_f64()).round() as u32
    }

    /// Nothing says anything about the service yet: begin, or try again what was not judged.
    fn before_anything_was_judged(&self, history: &[StepOutcome]) -> Decision {
        let invalid = history.iter().filter(|s| s.verdict == StepVerdict::Invalid).count();
        let level = history
            .last()
            .map_or(self.bounds.start.min(self.bounds.max), |s| s.level);
        let retry = if invalid >= 2 { self.lower(level) } else { Some(level) };
        let step = retry.and_then(|level| self.fit(level, Purpose::Climb, history));
        match step.filter(|_| history.len() < 10) {
            Some(step) => Decision::Step(step),
            None if invalid >= 2 => Decision::Done(nothing_known(Ending::GeneratorLimit(level))),
            None => Decision::Done(nothing_known(Ending::BudgetSpent)),
        }
    }

    fn next_level(&self, seen: &Seen) -> Result<(Level, Purpose), Ending> {
        let Some(low) = seen.low else {
            return self.descend(seen);
        };
        let Some(high) = seen.high else {
            return self.climb(seen, low);
        };
        let bracket = self.bracket(low);
        if seen.confirmed(bracket).is_some() {
            if seen.generator_limit != Some(high) {
                return Err(Ending::Converged);
            }
            // Whatever kept the generator from its work may be over.
            if seen.late_at(high) > 2 {
                return Err(Ending::GeneratorLimit(high));
            }
            return Ok((high, Purpose::Climb));
        }
        Ok(if share_between(low, high) > WIDE * bracket {
            (aim::inside(seen, &self.objectives, bracket), Purpose::Bisect)
        } else {
            aim::around(seen, bracket)
        })
    }

    /// Wanted width of the bracket above this level; no narrower than two levels are apart.
    fn bracket(&self, low: Level) -> f64 {
        let least = self.grain.as_f64() / low.as_f64();
        self.bounds
            .bracket
            .value()
            .max(if least.is_finite() { least } else { 0.0 })
    }

    /// The nearest level there is; between the ends of the bracket where there is one between them.
    fn in_grains(&self, seen: &Seen, level: Level) -> Level {
        let grain = self.grain.micro();
        if level.micro().is_multiple_of(grain) {
            return level;
        }
        let nearest = Level::from_micro((level.micro() + grain / 2) / grain * grain).max(self.grain);
        let (above_low, below_high) = (
            seen.low.map(|low| Level::from_micro(low.micro() + grain)),
            seen.high
                .map(|high| Level::from_micro(high.micro().saturating_sub(grain))),
        );
        match (above_low, below_high) {
            (Some(least), Some(most)) if least <= most => nearest.clamp(least, most),
            (Some(least), None) => nearest.max(least),
            _ => nearest,
        }
    }

    fn climb(&self, seen: &Seen, low: Level) -> Result<(Level, Purpose), Ending> {
        // A step above it failed and is not believed yet.
        if let Some(doubtful) = seen.failed_above(low) {
            return Ok((doubtful, Purpose::Confirm));
        }
        if low < self.bounds.max {
            let level = aim::above(seen, low, &self.objectives, self.bracket(low));
            return Ok((level.min(self.bounds.max), Purpose::Climb));
        }
        if seen.line_below(low) > 1.0 - seen::END_CONFIDENCE {
            return Ok((low, Purpose::Confirm));
        }
        Err(Ending::MaxHolds)
    }

    /// Nothing passed yet: try lower levels until one does.
    fn descend(&self, seen: &Seen) -> Result<(Level, Purpose), Ending> {
        let lowest = seen.lowest_level();
        // A first failure may be bad luck, or a service that is not warm yet.
        if seen.steps_at(lowest) < 2 {
            return Ok((lowest, Purpose::Climb));
        }
        if !seen.anything_works {
            return Err(Ending::NothingHolds);
        }
        self.lower(lowest)
            .map(|level| (level, Purpose::Climb))
            .ok_or(Ending::NothingHolds)
    }

    fn lower(&self, level: Level) -> Option<Level> {
        let grain = self.grain.micro();
        let lower = Level::from_micro(level.micro() / 4 / grain * grain);
        (level > FLOOR).then(|| lower.max(FLOOR))
    }

    /// The longest form of the step that the budget has time for.
    fn fit(&self, level: Level, purpose: Purpose, history: &[StepOutcome]) -> Option<SearchStep> {
        let window = self.judging.window;
        let usual = self.usual_windows();
        let short = CLIMB_WINDOWS.min(usual);
        let wanted = match purpose {
            Purpose::Climb => short,
            Purpose::Bisect => usual,
            Purpose::Confirm => usual * CONFIRM_FACTOR,
        };
        let left = self.bounds.budget.saturating_sub(elapsed(history));
        let lead_in = self.lead_in.to(level);
        // One window more for the drain.
        let affordable = |windows: &u32| lead_in + window * (windows + 1) <= left;
        let count = [wanted, usual, short]
            .into_iter()
            .filter(|&w| w <= wanted)
            .find(affordable)?;
        Some(SearchStep {
            level,
            duration: lead_in + window * count,
            warm_up: lead_in + window * self.warm_up_windows(count),
            purpose,
        })
    }

    fn result(&self, history: &[StepOutcome], seen: &Seen, ending: Ending) -> SearchResult {
        let (low, high) = seen.bracket(seen.low.map_or(self.bounds.bracket.value(), |low| self.bracket(low)));
        let Some(low) = low else {
            return SearchResult {
                failed: seen.lowest_failed(),
                broke: seen.broke_at(seen.lowest_failed()),
                ..nothing_known(ending)
            };
        };
        // With no level above that failed for sure, one that failed and is doubted is better than none.
        let failed = high
            .filter(|&high| seen.generator_limit != Some(high))
            .or_else(|| seen.failed_above(low));
        let broke = seen.broke_at(failed);
        let (from, to) = seen.interval(NOMINAL_CONFIDENCE);
        let slack = self.hidden_growth(broke, seen.longest_at(low));
        SearchResult {
            passed: Some(low),
            failed,
            interval_low: from.min(low.as_f64()) / (1.0 + slack),
            interval_high: failed.map(|high| to.max(high.as_f64())),
            confidence: CONFIDENCE,
            broke,
            step: seen.step_passed_at(low),
            windows_up_to_line: seen.windows_up_to(low),
            reach: self.reach(history, seen, low, failed),
            ending,
        }
    }

    /// Share by which a level may exceed what the service can do for ever and still pass a step of
    /// this length: the queue then grows by that share of every second, and is seen only once the
    /// wait is longer than the objective allows.
    fn hidden_growth(&self, broke: Option<usize>, step: Duration) -> f64 {
        // Users who wait ask for nothing more, and connections are no more than they are.
        if self.bounds.unit != SearchUnit::Rate {
            return 0.0;
        }
        match broke.map(|index| self.objectives[index].limit) {
            Some(Limit::ResponseTime { max, .. }) if !step.is_zero() => max.as_secs_f64() / step.as_secs_f64(),
            _ => 0.0,
        }
    }
}

/// So far beyond its bound that no luck explains it.
fn is_far_off(objective: &Objective, tally: &Tally) -> bool {
    let Some(observed) = tally.observed else {
        return true;
    };
    match objective.limit {
        Limit::Cpu { max } => observed > f64::midpoint(max.value(), 1.0),
        Limit::Memory { max } => observed > 2.0 * max.bytes() as f64,
        Limit::Throttled { max } => observed > 0.2 + max.value(),
        Limit::ResponseTime { max, .. }
        | Limit::HandshakeTime { max, .. }
        | Limit::OpeningTime { max, .. }
        | Limit::JourneyTime { max, .. }
        | Limit::MessageTime { max, .. }
        | Limit::LoopDelay { max, .. } => observed > 5.0 * max.as_nanos() as f64,
        Limit::Errors { max } | Limit::JourneyFailed { max } => observed > 0.1 + max.value(),
        Limit::AchievedRate { min } | Limit::Held { min } => observed < 0.9 * min.value(),
    }
}

/// Width of the bracket as a share of its lower end.
fn share_between(low: Level, high: Level) -> f64 {
    high.as_f64() / low.as_f64() - 1.0
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
        interval_low: 0.0,
        interval_high: None,
        confidence: CONFIDENCE,
        broke: None,
        step: None,
        windows_up_to_line: (0, 0),
        reach: None,
        ending,
    }
}
