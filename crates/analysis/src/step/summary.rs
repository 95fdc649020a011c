//! What is left of a step once it is judged.

use super::seen::Seen;
use super::unjudged::unjudged;
use super::{RequestStep, Step};
use crate::judge::condition;
use crate::rules::Rules;
use crate::step_summary::{GeneratorSummary, RequestSummary, StepSummary};
use crate::window::{per_s, service_errors};
use plimsoll_findings::{StepFinding, StepVerdict};

impl Step {
    pub(crate) fn summary(&self, rules: &Rules) -> StepSummary {
        let (tallies, watch) = self.judge_up_to_now(rules);
        let (mut verdict, mut broke) = self.verdict(&tallies, &watch, rules);
        let (errors, finished) = service_errors(&self.outcomes);
        let response_time = self.response_time.percentiles();
        let judged = rules.objectives.iter().zip(&tallies);
        let invalid = verdict == StepVerdict::Invalid;
        let holds: Vec<_> = judged
            .clone()
            .zip(&self.tallies)
            .map(|((objective, tally), closed)| self.holds(objective, (tally, closed), invalid, rules))
            .collect();
        let objectives = judged.zip(&holds).map(|((o, t), holds)| t.finding(o, *holds)).collect();
        let is_certain = match verdict {
            StepVerdict::Passed => self.ended.is_some() && holds.iter().all(Result::is_ok),
            StepVerdict::Breached => self.ended.is_some() || holds.contains(&Ok(false)),
            StepVerdict::Invalid => self.ended.is_some(),
            StepVerdict::Unjudged => true,
        };
        if !is_certain {
            (verdict, broke) = (StepVerdict::Unjudged, None);
        }
        let finding = StepFinding {
            step: self.start.step,
            start_s: self.start.at_ns as f64 / 1e9,
            duration_s: self.end_ns.saturating_sub(self.start.at_ns) as f64 / 1e9,
            offered_per_s: self.start.rate_micro_per_s.map(|r| r as f64 / 1e6),
            users: self.start.users,
            connections: self.start.connections,
            throughput_per_s: self.throughput_per_s(),
            goodput_per_s: self
                .throughput_per_s()
                .and_then(|_| Some(per_s(self.good()?, self.judged_ns))),
            verdict,
            broke: broke.map(|index| condition(&rules.objectives[index])),
            objectives,
            response_time: response_time.clone(),
            cpu_share: self.service.cpu.share(),
            hottest_share: self.service.instances.hottest_share(),
            throttled_ms_per_s: self.service.throttled_ms_per_s(),
            cpu_us_per_request: self.service.cpu_us_per_request(),
            error_share: (finished > 0).then(|| errors as f64 / finished as f64),
            dropped: self.all.dropped,
            invalid_because: self
                .invalid_because(&watch, rules)
                .filter(|_| verdict == StepVerdict::Invalid),
        };
        StepSummary {
            response_time: response_time.clone(),
            service_time: self.service_time.percentiles(),
            schedule_lag: self.schedule_lag.percentiles(),
            response_time_curve: self.response_time.curve(),
            all_requests: RequestSummary {
                rate_per_s: self.throughput_per_s(),
                response_time,
                service_time: self.service_time.percentiles(),
                users_per_s: (self.judged_ns > 0).then(|| per_s(self.judged.users.finished, self.judged_ns)),
                journey_time: self.journey_time.percentiles(),
                waiting_time: self.waiting_time.percentiles(),
            },
            requests: self
                .requests
                .iter()
                .map(|request| request.summary(self.judged_ns))
                .collect(),
            service: self.service.finding(),
            neighbours: self.neighbours.summaries(),
            generator: GeneratorSummary {
                shards: self.shards,
                busy_share_max: watch.busy_share_max(),
                wake_lag: watch.wake_lag(rules.bounds),
                cpu_us_per_request: (self.generator_cpu_ns > 0 && self.judged.completed > 0)
                    .then(|| self.generator_cpu_ns as f64 / 1e3 / self.judged.completed as f64),
            },
            agents: self.agents.clone(),
            seen: self.seen.iter().map(Seen::finding).collect(),
            zones: self.zones(&rules.zones),
            unjudged: unjudged(&rules.objectives, &holds),
            nothing_judged: self.nothing_judged(),
            hold: None,
            is_lost: tallies.iter().any(|tally| tally.lost > 0),
            judged_windows: self.judged_windows,
            finding,
        }
    }

    /// Correct responses that were fast enough. Timed-out requests are slow and not correct, and
    /// must not be taken away twice. `None` where the histograms that would tell are lost.
    fn good(&self) -> Option<u64> {
        if self.response_time.is_lost() {
            return None;
        }
        use plimsoll_measure::ErrorClass::{ConnectTimeout, ResponseTimeout};
        let errors = &self.judged.errors;
        let timed_out = errors.get(ConnectTimeout).saturating_add(errors.get(ResponseTimeout));
        Some(self.judged.passed.saturating_sub(self.slow.saturating_sub(timed_out)))
    }

    /// `None` also where nothing was to be sent, as on connections that are held without a request.
    fn throughput_per_s(&self) -> Option<f64> {
        let anything = self.all.scheduled > 0 || self.judged.completed > 0;
        (self.judged_ns > 0 && anything).then(|| per_s(self.judged.completed, self.judged_ns))
    }
}

impl RequestStep {
    fn summary(&self, judged_ns: u64) -> RequestSummary {
        RequestSummary {
            rate_per_s: (judged_ns > 0).then(|| per_s(self.judged_completed, judged_ns)),
            response_time: self.response_time.percentiles(),
            service_time: self.service_time.percentiles(),
            users_per_s: (judged_ns > 0).then(|| per_s(self.judged_users, judged_ns)),
            journey_time: self.journey_time.percentiles(),
            waiting_time: self.waiting_time.percentiles(),
        }
    }
}
