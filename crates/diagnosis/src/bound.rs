//! What runs out first. What broke first as the load rose decides, and what the passes saw of it explains it.

use crate::Case;
use crate::blocked::{collections_stop, connections_taken, loop_stands, loop_waits, pool_full};
use plimsoll_findings::{Bound, BoundBecause, Cause, Quantity, TargetFinding};

/// At the line the service, or its one event loop, is at least this busy: then CPU is what runs out.
const BUSY_AT_LINE: f64 = 0.7;
/// Without a line: at least this busy at the rate that was given.
const BUSY_AT_RATE: f64 = 0.5;
/// A core that is this busy where the objective broke is full, whatever else is wrong.
const FULL: f64 = 0.9;
/// A quota that keeps the service from running for this part of each second, a hundredth, is seen by a 99th percentile.
const THROTTLED_MS_PER_S_MIN: f64 = 10.0;
/// At least this share of a request's time is CPU, or is spent waiting for others.
const SHARE_OF_TIME: f64 = 0.5;
/// A request that takes at least this share of what it may take breaks a response time by itself, or by a few that queue.
const OF_BOUND_MIN: f64 = 0.2;

pub(crate) fn bound(case: &Case<'_>, causes: &[Cause]) -> (Bound, BoundBecause) {
    let Some(broke) = &case.broke else {
        return by_busy(case).unwrap_or_else(|| by_time(case));
    };
    if broke.objective.quantity == Quantity::Cpu {
        return (Bound::Cpu, BoundBecause::CpuBroke);
    }
    if broke.neighbour.is_some() {
        return (Bound::Neighbour, BoundBecause::NeighbourFull);
    }
    if let Some(ms_per_s) = broke.throttled_ms_per_s.filter(|ms| *ms >= THROTTLED_MS_PER_S_MIN) {
        let cpu_cores = case
            .plain
            .target_resources
            .as_ref()
            .map_or(0.0, TargetFinding::cpu_cores);
        return (Bound::Cpu, BoundBecause::Throttled { cpu_cores, ms_per_s });
    }
    let mean = broke.cpu_share.and_then(|share| case.of_one_core(share));
    let busy = broke.hottest_share.or(mean);
    if let Some(busy) = busy.filter(|busy| *busy >= FULL) {
        return (Bound::Cpu, BoundBecause::CoreFull { busy });
    }
    collections_stop(case, causes)
        .or_else(|| loop_stands(case, causes))
        .or_else(|| loop_waits(case, causes, busy))
        .or_else(|| pool_full(case, causes))
        .or_else(|| connections_taken(case, causes))
        .or_else(|| by_upstream(case))
        .or_else(|| by_busy(case))
        .unwrap_or_else(|| by_time(case))
}

fn by_busy(case: &Case<'_>) -> Option<(Bound, BoundBecause)> {
    let at_line = case.line.is_some();
    busy_core(case).map(|busy| (Bound::Cpu, BoundBecause::CoreBusy { at_line, busy }))
}

fn by_upstream(case: &Case<'_>) -> Option<(Bound, BoundBecause)> {
    let share = upstream_share(case).filter(|share| *share >= SHARE_OF_TIME)?;
    Some((Bound::Upstream, BoundBecause::WaitsForOthers { share }))
}

/// How busy one core is, at the line or else at the rate of the diagnosis, if that is enough to be what runs out.
pub(crate) fn busy_core(case: &Case<'_>) -> Option<f64> {
    let busy = busy_at_pass(case)?;
    match case.line.zip(crate::rate(case.plain)) {
        Some((line, rate)) => Some(busy * line.rate_per_s / rate).filter(|busy| *busy >= BUSY_AT_LINE),
        None => Some(busy).filter(|busy| *busy >= BUSY_AT_RATE),
    }
}

/// Of what a request spends its time, where the load is too low to fill a core.
fn by_time(case: &Case<'_>) -> (Bound, BoundBecause) {
    let mean_ms = case.mean_ms();
    if let Some(upstream) = by_upstream(case) {
        return upstream;
    }
    let Some(request_ms) = mean_ms.filter(|mean_ms| *mean_ms > 0.0) else {
        return (Bound::Unknown, BoundBecause::NoResponse);
    };
    let Some(us) = case.cost_us_per_request() else {
        return (Bound::Unknown, BoundBecause::NoCpu);
    };
    let share = us / 1e3 / request_ms;
    // A request that is CPU, and takes a hundredth of what it may, does not break that.
    let explains = case
        .response_bound()
        .is_none_or(|(bound_ms, _)| request_ms >= bound_ms * OF_BOUND_MIN);
    if share >= SHARE_OF_TIME && explains {
        return (Bound::Cpu, BoundBecause::TimeIsCpu { share });
    }
    let because = BoundBecause::TimeIsNeither {
        request_ms,
        cpu_share: share.min(1.0),
        waiting_share: upstream_share(case),
    };
    (Bound::Neither, because)
}

/// How busy one core is at the rate of the diagnosis.
fn busy_at_pass(case: &Case<'_>) -> Option<f64> {
    let service = case.plain.target_resources.as_ref()?;
    let hottest = service.hottest().map(|hottest| hottest.main_thread_share);
    hottest.or_else(|| case.of_one_core(service.cpu_share))
}

/// How much of the time that requests are under way they wait for others, at most 1.
pub(crate) fn upstream_share(case: &Case<'_>) -> Option<f64> {
    let counted = case.counted?;
    let traced = counted
        .traced
        .as_ref()
        .map(|traced| traced.share(traced.sums.waited_ns));
    Some(traced.or_else(|| counted.upstream_share())?.min(1.0))
}

impl Case<'_> {
    /// A busy share of all cores that the service may use, as one of one core, where all of its threads of JavaScript share the
    /// work.
    pub(crate) fn of_one_core(&self, share: f64) -> Option<f64> {
        let cores = self.plain.target_resources.as_ref()?.cpu_cores();
        let threads = self.counted.map_or(1, |counted| counted.threads.max(1));
        // Where a quota grants less than a core, that is what a thread can fill.
        (cores > 0.0).then(|| share * cores / f64::from(threads).min(cores))
    }

    /// The response time that broke first: its bound, ms, and the quantile that it is of.
    pub(crate) fn response_bound(&self) -> Option<(f64, f64)> {
        let objective = &self.broke.as_ref()?.objective;
        (objective.quantity == Quantity::ResponseTime).then(|| (objective.bound, objective.quantile.unwrap_or(1.0)))
    }
}
