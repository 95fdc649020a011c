//! What runs out first: CPU, the patience of others, or neither.

use crate::Case;
use plimsoll_findings::{Bound, BoundBecause, Quantity};

/// At the line the service, or its one event loop, is at least this busy: then CPU is what runs out.
const BUSY_AT_LINE: f64 = 0.7;
/// Without a line: at least this busy at the rate that was given.
const BUSY_AT_RATE: f64 = 0.5;
/// At least this share of a request's time is CPU, or is spent waiting for others.
const SHARE_OF_TIME: f64 = 0.5;

pub(crate) fn bound(case: &Case<'_>) -> (Bound, BoundBecause) {
    let broke = case.line.and_then(|line| line.broke.as_ref());
    if broke.is_some_and(|broke| broke.quantity == Quantity::Cpu) {
        return (Bound::Cpu, BoundBecause::CpuBroke);
    }
    match busy_core(case) {
        Some(busy) => {
            let at_line = case.line.is_some();
            (Bound::Cpu, BoundBecause::CoreBusy { at_line, busy })
        }
        None => by_time(case),
    }
}

/// How busy one core is, at the line or else at the rate of the diagnosis, if that is enough to be what runs out.
pub(crate) fn busy_core(case: &Case<'_>) -> Option<f64> {
    let busy = busy_cores(case)?;
    match case.line.zip(crate::rate(case.plain)) {
        Some((line, rate)) => Some(busy * line.rate_per_s / rate).filter(|busy| *busy >= BUSY_AT_LINE),
        None => Some(busy).filter(|busy| *busy >= BUSY_AT_RATE),
    }
}

/// Of what a request spends its time, where the load is too low to fill a core.
fn by_time(case: &Case<'_>) -> (Bound, BoundBecause) {
    let mean_ms = case.mean_ms();
    if let Some(share) = upstream_share(case).filter(|share| *share >= SHARE_OF_TIME) {
        return (Bound::Upstream, BoundBecause::WaitsForOthers { share });
    }
    let Some(request_ms) = mean_ms.filter(|mean_ms| *mean_ms > 0.0) else {
        return (Bound::Unknown, BoundBecause::NoResponse);
    };
    let Some(us) = case.cost_us_per_request() else {
        return (Bound::Unknown, BoundBecause::NoCpu);
    };
    let share = us / 1e3 / request_ms;
    if share >= SHARE_OF_TIME {
        return (Bound::Cpu, BoundBecause::TimeIsCpu { share });
    }
    let because = BoundBecause::TimeIsNeither {
        request_ms,
        cpu_share: share,
        waiting_share: upstream_share(case),
    };
    (Bound::Neither, because)
}

/// Cores that are busy at the rate of the diagnosis.
fn busy_cores(case: &Case<'_>) -> Option<f64> {
    let service = case.plain.target_resources.as_ref()?;
    let all = service.cpu_share * f64::from(service.cores);
    // With several processes the busiest core is not known, and all of them share the work.
    let threads = case.counted.map_or(1, |counted| counted.threads.max(1));
    Some(all / f64::from(threads.min(service.cores.max(1))))
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
