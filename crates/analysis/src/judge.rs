//! From windows to verdicts: how an objective fares over a step.

use crate::window::Judgement;
use plimsoll_findings::{Condition, ObjectiveFinding, Quantity, ShareInterval, Unit, Unjudged};
use plimsoll_measure::share_interval;
use plimsoll_plan::{Limit, Objective, Share};
use std::time::Duration;

const NS_PER_MS: f64 = 1e6;

/// How one objective fared over the judged windows of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    /// Windows that passed.
    pub passed: u32,
    /// Windows that were judged.
    pub judged: u32,
    /// Windows that cannot be judged again, because their histograms are lost.
    pub lost: u32,
    /// Figure over all of them together: ns for durations, else a share of 1.
    pub observed: Option<f64>,
    /// How many cases that is a share of, where each of them is one of its own.
    pub share_of: Option<u64>,
    /// Worst window, in the same unit.
    pub worst: Option<f64>,
    /// How the figures of the windows spread, in the same unit.
    pub values: Spread,
}

/// Mean and spread of a series of which only these are kept.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spread {
    /// Number of values.
    pub count: u32,
    /// Their mean.
    pub mean: f64,
    /// Sum of their squared distances from the mean.
    pub squares: f64,
}

impl Spread {
    /// Adds a value by the method of Welford, Technometrics 4, 1962.
    fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / f64::from(self.count);
        self.squares += before * (value - self.mean);
    }
}

impl Tally {
    /// Counts a window; `higher_is_worse` says which end of the values is the bad one.
    pub(crate) fn count(&mut self, judgement: Judgement, higher_is_worse: bool) {
        self.lost += u32::from(judgement.lost);
        let Some(passed) = judgement.passed else { return };
        self.judged += 1;
        self.passed += u32::from(passed);
        if let Some(value) = judgement.value {
            let worse = if higher_is_worse { f64::max } else { f64::min };
            self.values.add(value);
            self.worst = Some(self.worst.map_or(value, |worst| worse(worst, value)));
        }
    }

    /// Windows that did not pass.
    #[must_use]
    pub fn failed(&self) -> u32 {
        self.judged - self.passed
    }

    /// What became of `objective`: whether it holds, or why that is not known.
    pub(crate) fn finding(&self, objective: &Objective, holds: Result<bool, Unjudged>) -> ObjectiveFinding {
        let objective = condition(objective);
        let scale = if objective.unit == Unit::Ms { NS_PER_MS } else { 1.0 };
        let interval = |(share, of): (f64, u64)| {
            let (low, high) = share_interval(share, of as f64);
            ShareInterval { low, high }
        };
        ObjectiveFinding {
            objective,
            passed: holds.ok(),
            unjudged_because: holds.err(),
            observed: self.observed.map(|v| v / scale),
            interval: self.observed.zip(self.share_of).map(interval),
            worst: self.worst.map(|v| v / scale),
            windows_passed: self.passed,
            windows_judged: self.judged,
        }
    }
}

/// How many of `judged` windows may fail an objective. `errors = 0` speaks of every request, `journey failed = 0` of every user, and both
/// forgive no window.
pub(crate) fn allowed_failures(objective: &Objective, judged: u32, wanted: Share) -> u32 {
    match objective.limit {
        Limit::Errors { max } | Limit::JourneyFailed { max } if max.value() == 0.0 => 0,
        // The epsilon keeps 10 × (1 − 0.9) from falling below 1.
        _ => (f64::from(judged) * (1.0 - wanted.value()) + 1e-9).floor() as u32,
    }
}

pub(crate) fn higher_is_worse(objective: &Objective) -> bool {
    !matches!(objective.limit, Limit::AchievedRate { .. } | Limit::Held { .. })
}

/// An objective as findings have it.
#[must_use]
pub fn condition(objective: &Objective) -> Condition {
    let ms = |bound: Duration| bound.as_nanos() as f64 / NS_PER_MS;
    let (quantity, quantile, bound, unit) = match objective.limit {
        Limit::Cpu { max } => (Quantity::Cpu, None, max.value(), Unit::Share),
        Limit::ResponseTime { quantile, max } => (Quantity::ResponseTime, Some(quantile.value()), ms(max), Unit::Ms),
        Limit::HandshakeTime { quantile, max } => (Quantity::HandshakeTime, Some(quantile.value()), ms(max), Unit::Ms),
        Limit::OpeningTime { quantile, max } => (Quantity::OpeningTime, Some(quantile.value()), ms(max), Unit::Ms),
        Limit::JourneyTime { quantile, max } => (Quantity::JourneyTime, Some(quantile.value()), ms(max), Unit::Ms),
        Limit::JourneyFailed { max } => (Quantity::JourneyFailed, None, max.value(), Unit::Share),
        Limit::MessageTime { quantile, max } => (Quantity::MessageTime, Some(quantile.value()), ms(max), Unit::Ms),
        Limit::Held { min } => (Quantity::Held, None, min.value(), Unit::Share),
        Limit::LoopDelay { quantile, max } => (Quantity::LoopDelay, Some(quantile.value()), ms(max), Unit::Ms),
        Limit::Memory { max } => (Quantity::Memory, None, max.bytes() as f64, Unit::Bytes),
        Limit::Throttled { max } => (Quantity::Throttled, None, max.value(), Unit::Share),
        Limit::Errors { max } => (Quantity::Errors, None, max.value(), Unit::Share),
        Limit::AchievedRate { min } => (Quantity::AchievedRate, None, min.value(), Unit::Share),
    };
    Condition {
        quantity,
        quantile,
        zone: objective.zone.clone(),
        request: objective.request.clone(),
        bound,
        unit,
    }
}
