//! Why an objective of a step, or all of it, was not judged.

use super::Step;
use crate::judge::{Tally, condition};
use plimsoll_findings::{Condition, Unjudged};
use plimsoll_plan::{Limit, Objective};

impl Step {
    /// Why an objective that no window judged was not judged.
    pub(super) fn unjudged(&self, objective: &Objective, tally: &Tally) -> Unjudged {
        if tally.lost > 0 {
            return Unjudged::HistogramsLost;
        }
        if let Some(why) = self.nothing_judged().filter(|_| self.judged_windows == 0) {
            return why;
        }
        match objective.limit {
            Limit::Cpu { .. } if !self.service.is_sampled() => Unjudged::NoCpu,
            Limit::Cpu { .. } => Unjudged::ShortWindows,
            Limit::LoopDelay { .. } => Unjudged::NoLoop,
            Limit::Memory { .. } => Unjudged::NoMemory,
            Limit::Throttled { .. } => Unjudged::NoQuota,
            Limit::ResponseTime { .. } => Unjudged::NoResponse,
            Limit::HandshakeTime { .. } => Unjudged::NoHandshake,
            Limit::OpeningTime { .. } => Unjudged::NoOpening,
            Limit::JourneyTime { .. } => Unjudged::NoJourney,
            Limit::JourneyFailed { .. } => Unjudged::NoJourneyEnded,
            Limit::MessageTime { .. } => Unjudged::NoMessage,
            Limit::Held { .. } => Unjudged::NothingMeasured,
            Limit::Errors { .. } => Unjudged::NothingFinished,
            Limit::AchievedRate { .. } => Unjudged::NothingScheduled,
        }
    }

    /// Why the step as a whole has no verdict, where no objective says it.
    pub(super) fn nothing_judged(&self) -> Option<Unjudged> {
        if self.judged_windows == 0 {
            Some(match self.end_ns.saturating_sub(self.start.at_ns) {
                0 => Unjudged::NothingMeasured,
                _ => Unjudged::WarmUp {
                    warm_up_s: self.start.warm_up_ns as f64 / 1e9,
                },
            })
        } else if self.outcomes.finished() == 0 && !self.is_judged_as_held() {
            Some(Unjudged::NothingFinished)
        } else {
            None
        }
    }

    /// Connections that are held may be all that is judged: by objectives, or by none that was lost where there are none.
    fn is_judged_as_held(&self) -> bool {
        self.held.is_some() && (self.tallies.is_empty() || self.tallies.iter().any(|t| t.judged > 0))
    }
}

pub(super) fn unjudged(objectives: &[Objective], holds: &[Result<bool, Unjudged>]) -> Vec<(Condition, Unjudged)> {
    let judged = objectives.iter().zip(holds);
    judged
        .filter_map(|(objective, holds)| Some((condition(objective), holds.err()?)))
        .collect()
}
