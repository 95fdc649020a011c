//! What the limits of a service deny it: CPU time where an objective broke, and memory.

use crate::step_summary::StepSummary;
use plimsoll_findings::Notice;
use plimsoll_measure::{GroupSample, TargetSample};

/// A hundredth of the time: less than that no 99th percentile sees.
const THROTTLED_MS_PER_S_MIN: f64 = 10.0;

/// Whether a quota that keeps a service from running for so long is one of the things that stop it.
pub(crate) fn holds_back(throttled_ms_per_s: f64) -> bool {
    throttled_ms_per_s >= THROTTLED_MS_PER_S_MIN
}

/// The quota, where it kept the service from running in steps that failed: at the least rate of these.
pub(crate) fn throttled<'a>(breached: impl Iterator<Item = &'a StepSummary>) -> Option<Notice> {
    let rate = |step: &&StepSummary| step.finding.offered().unwrap_or(f64::INFINITY);
    let least = breached.min_by(|a, b| rate(a).total_cmp(&rate(b)))?;
    let service = least.service.as_ref()?;
    let throttled_ms_per_s = service.throttled_ms_per_s().filter(|ms| holds_back(*ms))?;
    Some(Notice::Throttled {
        users: false,
        cpu_cores: service.cpu_cores(),
        throttled_ms_per_s,
        offered_per_s: least.finding.offered_per_s,
    })
}

/// Processes that the kernel ended for memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct OomKills(GroupSample);

impl OomKills {
    pub(crate) fn see(&mut self, sample: Option<TargetSample>) {
        if let Some(group) = sample.and_then(|sample| sample.group) {
            self.0 = group;
        }
    }

    pub(crate) fn notice(&self) -> Option<Notice> {
        let GroupSample {
            oom_kills,
            memory_limit_bytes,
            ..
        } = self.0;
        (oom_kills > 0).then_some(Notice::ProcessesKilled {
            kills: oom_kills,
            memory_limit_bytes,
        })
    }
}
