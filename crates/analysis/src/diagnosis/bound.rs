//! What runs out first: CPU, the patience of others, or neither.

use super::Case;
use super::cause::Bound;
use plimsoll_plan::Objective;

/// At the line the service, or its one event loop, is at least this busy: then CPU is what runs out.
const BUSY_AT_LINE: f64 = 0.7;
/// Without a line: at least this busy at the rate that was given.
const BUSY_AT_RATE: f64 = 0.5;
/// At least this share of a request's time is CPU, or is spent waiting for others.
const SHARE_OF_TIME: f64 = 0.5;

pub(super) fn bound(case: &Case<'_>) -> (Bound, String) {
    let broke_cpu = case.plan.objectives().iter().any(|objective| {
        let broke = case.line.and_then(|line| line.broke.as_deref());
        matches!(objective, Objective::Cpu { .. }) && broke == Some(objective.to_string().as_str())
    });
    if broke_cpu {
        return (Bound::Cpu, "the objective on CPU broke first above the line".to_owned());
    }
    match busy_core(case) {
        Some(busy) => {
            let at = if case.line.is_some() { "the line" } else { "this rate" };
            let because = format!("at {at} it keeps {} of one core busy", percent(busy));
            (Bound::Cpu, because)
        }
        None => by_time(case),
    }
}

/// How busy one core is, at the line or else at the rate of the diagnosis, if that is enough to be what runs out.
pub(super) fn busy_core(case: &Case<'_>) -> Option<f64> {
    let busy = busy_cores(case)?;
    match case.line.zip(super::rate(case.plain)) {
        Some((line, rate)) => Some(busy * line.rate_per_s / rate).filter(|busy| *busy >= BUSY_AT_LINE),
        None => Some(busy).filter(|busy| *busy >= BUSY_AT_RATE),
    }
}

/// Of what a request spends its time, where the load is too low to fill a core.
fn by_time(case: &Case<'_>) -> (Bound, String) {
    let mean_ms = case.mean_ms();
    if let Some(share) = upstream_share(case).filter(|share| *share >= SHARE_OF_TIME) {
        let because = format!("a request waits {} of its time for other services", percent(share));
        return (Bound::Upstream, because);
    }
    let Some(mean_ms) = mean_ms.filter(|mean_ms| *mean_ms > 0.0) else {
        return (Bound::Unknown, "no response came in the passes".to_owned());
    };
    let Some(us) = case.cost_us_per_request() else {
        return (Bound::Unknown, "the CPU of the service could not be sampled".to_owned());
    };
    let share = us / 1e3 / mean_ms;
    if share >= SHARE_OF_TIME {
        let because = format!("{} of a request's time is CPU", percent(share));
        return (Bound::Cpu, because);
    }
    let because = match upstream_share(case) {
        Some(waiting) => format!(
            "of a request's {mean_ms:.1} ms {} are CPU and {} waiting for other services",
            percent(share),
            percent(waiting)
        ),
        None => format!(
            "of a request's {mean_ms:.1} ms {} are CPU, and what it waits for was not counted",
            percent(share)
        ),
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
pub(super) fn upstream_share(case: &Case<'_>) -> Option<f64> {
    Some(case.counted?.upstream_share()?.min(1.0))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share.min(1.0) * 100.0)
}
