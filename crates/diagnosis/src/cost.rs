//! What time in a pass is of the CPU that a request costs.

use crate::calls::Work;
use crate::counted::Counted;
use crate::{Case, rate};
use plimsoll_findings::{CauseKind, Findings};
use plimsoll_measure::Profile;

/// A cause takes at least this share of the CPU per request, or of the busy time of the profile.
pub(crate) const SHARE_MIN: f64 = 0.05;
/// Lines named beside the costliest.
pub(crate) const OTHER_PLACES_MAX: usize = 4;
/// With this many tasks per request for the threadpool, threads beside the event loop work for those.
const POOL_CALLS_MAX: f64 = 0.1;

/// CPU of the service per request in a pass, µs.
pub(crate) fn cpu_us_per_request(pass: &Findings) -> Option<f64> {
    let service = pass.target_resources.as_ref()?;
    service.cpu_us_per_request.filter(|us| *us > 0.0)
}

/// Cores that the service kept busy in a pass with a profile, without those of the sampling.
pub(crate) fn profiled_cores(pass: &Findings, profile: &Profile) -> Option<f64> {
    let service = pass.target_resources.as_ref()?;
    let sampling = profile.sampler_us as f64 / profile.span_us.max(1) as f64;
    Some(service.busy_cores() - sampling).filter(|cores| *cores > 0.0)
}

impl Case<'_> {
    /// What a request costs, µs: its CPU without probe, or what the event loop was busy with counters.
    pub(crate) fn cost_us_per_request(&self) -> Option<f64> {
        cpu_us_per_request(self.plain).or_else(|| self.active_us_per_request())
    }

    /// A share of that, µs.
    pub(crate) fn us_of_share(&self, share: f64) -> Option<f64> {
        self.cost_us_per_request().map(|us| us * share)
    }

    /// Time in calls of a kind as a share of the CPU meanwhile, with what threads of V8 do because of them.
    pub(crate) fn counted_share(&self, kind: CauseKind, ns: u64) -> f64 {
        let (Some(counted), Some(cpu_us)) = (self.counted, self.counted_cpu_us.or(self.cost_us_per_request())) else {
            return 0.0;
        };
        let with_threads = match kind {
            // Native code, which leaves no garbage and nothing to compile; and pauses, for which the figure is theirs.
            CauseKind::SyncCrypto
            | CauseKind::SyncZlib
            | CauseKind::EventLoopStall
            | CauseKind::ProcessPerRequest
            | CauseKind::ThreadpoolWork
            | CauseKind::MessageCompression
            | CauseKind::Gc => 1.0,
            _ => threads_factor(counted),
        };
        (counted.per_request(ns) / 1e3 / cpu_us * with_threads).min(1.0)
    }

    /// What collections take of the CPU on the event loop: how long they take is counted, or else sampled.
    pub(crate) fn collecting_share(&self) -> f64 {
        let Some(counted) = self.counted else {
            let during = self.costs.iter().filter(|cost| cost.work == Work::Known(CauseKind::Gc));
            return self.cpu_share_of(during.map(|cost| cost.us).sum());
        };
        let gc = &counted.gc;
        let ns = gc.minor.ns + gc.major.ns + gc.incremental.ns + gc.weak.ns;
        self.counted_share(CauseKind::Gc, ns)
    }

    /// Share of the busy time of the profile.
    pub(crate) fn share_of(&self, us: u64) -> f64 {
        us as f64 / self.busy_us.max(1.0)
    }

    /// Time in the profile as a share of the CPU that the service used in the same pass. Who is interrupted counts as busy
    /// meanwhile, so the profile may be busy for longer than that.
    pub(crate) fn cpu_share_of(&self, us: u64) -> f64 {
        let cpu_us = self.profile_cores.unwrap_or(0.0) * self.span_us;
        us as f64 / cpu_us.max(self.busy_us).max(1.0)
    }

    /// What was counted, as time in the profile, µs: that of as many requests as completed meanwhile.
    pub(crate) fn counted_in_profile_us(&self, ns: u64) -> u64 {
        let us = self.counted.map_or(0.0, |counted| counted.per_request(ns) / 1e3);
        (us * rate(self.plain).unwrap_or(0.0) * self.span_us / 1e6) as u64
    }

    /// What the event loop was busy per request with counters, µs.
    fn active_us_per_request(&self) -> Option<f64> {
        let counted = self.counted?;
        Some(counted.per_request(counted.event_loop.active_ns) / 1e3).filter(|us| *us > 0.0)
    }
}

/// What the CPU of the service in the pass with the profile was spent on, as shares of it.
pub(crate) struct Cpu {
    /// What the profile saw the event loop do.
    pub(crate) main_share: f64,
    pub(crate) pool_share: f64,
    v8_share: f64,
    /// All threads took turns on one core.
    one_core: bool,
}

impl Cpu {
    pub(crate) fn of(case: &Case<'_>, profile: &Profile) -> Self {
        let (pool_us, v8_us) = (profile.pool_us as f64, profile.v8_us as f64);
        let beside_us = pool_us + v8_us;
        let service = case.plain.target_resources.as_ref();
        let one_core = profile.shares_cores && service.is_some_and(|service| service.cores == 1);
        let room_us = if one_core { 0.0 } else { beside_us };
        let measured_us = case.profile_cores.map(|cores| cores * case.span_us);
        let all_us = measured_us.unwrap_or(case.busy_us + beside_us).max(beside_us).max(1.0);
        Self {
            // While a thread is interrupted, its function goes on.
            main_share: (case.busy_us - profile.started_us as f64).min(all_us - room_us) / all_us,
            pool_share: pool_us / all_us,
            v8_share: v8_us / all_us,
            one_core,
        }
    }

    /// What the event loop does together with what another thread does for it. On one core the other thread runs while the
    /// function that woke it goes on, or that waits for it: its time is the function's already.
    pub(crate) fn with(&self, on_loop: f64, beside: f64) -> f64 {
        if self.one_core {
            on_loop.max(beside)
        } else {
            on_loop + beside
        }
    }

    /// What collecting takes, that much of it on the event loop: threads of V8 do most of it.
    pub(crate) fn collecting(&self, on_loop: f64) -> f64 {
        self.with(on_loop, self.v8_share)
    }

    /// What the event loop does without collections, as a share for each share of the profile. On one core the threads that collect
    /// interrupt any function, so that the profile has their time in all of them.
    pub(crate) fn running(&self, gc_share: f64, collecting: f64) -> f64 {
        if self.one_core && gc_share < 1.0 {
            (self.main_share - collecting).max(0.0) / (1.0 - gc_share)
        } else {
            self.main_share
        }
    }
}

/// How much more CPU the process used than the threads that serve. What is more is mostly that of threads of V8, which
/// collect garbage and compile, and is shared out in proportion to the time of those that they do it for.
fn threads_factor(counted: &Counted) -> f64 {
    let pool = counted.functions.iter().filter(|function| function.kind == "pool");
    let pool_calls = counted.per_request(pool.map(|function| function.calls).sum());
    if counted.main_ns == 0 || pool_calls > POOL_CALLS_MAX || counted.starts_threads() {
        return 1.0;
    }
    (counted.process_ns.saturating_sub(counted.started_ns) as f64 / counted.main_ns as f64).max(1.0)
}
