//! What an objective is held against.

use super::Step;
use super::held::HeldStep;
use crate::about::About;
use crate::rules::Rules;
use crate::window::{ended_users, service_errors};
use plimsoll_measure::Counters;
use plimsoll_plan::{Limit, Objective};

impl Step {
    /// What an objective is held against, over everything judged.
    pub(super) fn observed(&self, objective: &Objective, rules: &Rules) -> Option<f64> {
        let (response_time, journey_time, outcomes) = match rules.about(objective) {
            About::Requests(places) => {
                let request = self.requests.get(places.start)?;
                (&request.response_time, &request.journey_time, &request.outcomes)
            }
            About::Zone(place) => {
                let zone = self.zones.get(place)?;
                // Only response times and errors are judged by zones.
                (&zone.response_time, &self.journey_time, &zone.outcomes)
            }
            About::All => (&self.response_time, &self.journey_time, &self.outcomes),
        };
        match objective.limit {
            Limit::Cpu { .. } => self.service.cpu_judged(),
            Limit::LoopDelay { quantile, .. } => {
                (self.loop_delays.count() > 0).then(|| self.loop_delays.quantile_ns(quantile.value()) as f64)
            }
            Limit::Memory { .. } => self.service.memory_judged(),
            Limit::Throttled { .. } => self.service.throttled_share(),
            Limit::ResponseTime { quantile, .. } => Some(response_time.whole()?.quantile_ns(quantile.value()) as f64),
            Limit::JourneyTime { quantile, .. } => Some(journey_time.whole()?.quantile_ns(quantile.value()) as f64),
            Limit::JourneyFailed { .. } => {
                let (failed, ended) = self.ended_users(objective, rules)?;
                (ended > 0).then(|| failed as f64 / ended as f64)
            }
            Limit::HandshakeTime { quantile, .. } => {
                Some(self.handshake_time.whole()?.quantile_ns(quantile.value()) as f64)
            }
            Limit::OpeningTime { quantile, .. } => {
                Some(self.opening_time.whole()?.quantile_ns(quantile.value()) as f64)
            }
            Limit::MessageTime { quantile, .. } => {
                Some(self.message_time.whole()?.quantile_ns(quantile.value()) as f64)
            }
            Limit::Held { .. } => self.held.as_ref().map(HeldStep::share),
            Limit::Errors { .. } => {
                let (errors, finished) = service_errors(outcomes);
                let silent = self.held.as_ref().map(|_| 0.0);
                (finished > 0).then(|| errors as f64 / finished as f64).or(silent)
            }
            Limit::AchievedRate { .. } => {
                let Counters {
                    completed, scheduled, ..
                } = self.judged;
                (scheduled > 0).then(|| completed as f64 / scheduled as f64)
            }
        }
    }

    /// Where an objective is about users whose journey ended before its end: how many there were, and how many whose journey ended.
    pub(super) fn ended_users(&self, objective: &Objective, rules: &Rules) -> Option<(u64, u64)> {
        let Limit::JourneyFailed { .. } = objective.limit else {
            return None;
        };
        let outcomes = |place: usize| self.requests.get(place).map(|request| &request.outcomes);
        Some(ended_users(&self.outcomes, rules.places(objective), outcomes))
    }
}
