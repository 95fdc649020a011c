//! What fixing a cause would give back: the load line without it, how far off that may be, and what would break next.
//!
//! Where CPU runs out first, the line rises to C / ((1 − f)(1 − 0.15 f)) when a share f of the CPU per request goes. Where
//! something else does, it rises until the next objective breaks, which is that of CPU.

use crate::Case;
use crate::blocked::{is_about, time_share};
use plimsoll_findings::{
    Assumption, Bound, Cause, CauseKind, Condition, Evidence, ObjectiveFinding, Predicted, Quantity, ResponseThen,
    StepVerdict,
};

/// What remains gets cheaper as well, in this proportion to the share that goes: less code and data leave the caches to it. From
/// 40 fixes of 20 defects, `docs/benchmarks.md`.
const REST_SAVED: f64 = 0.15;
/// What a function of the service does is mostly what the service is there for: nobody can leave it out.
const OWN_WORK_SAVED: f64 = 0.5;
/// How far the logarithm of the odds of what remains was off, upwards and downwards, in nine of ten of the fixes that were measured: it
/// is about the same for fixes that give a third and for those that give ten times as much. `docs/benchmarks.md`.
const LOG_ODDS_ABOVE: f64 = 0.4;
const LOG_ODDS_BELOW: f64 = 0.9;
/// Where no more than this remains, a small error of the share is a large one of the factor.
const REST_SMALL: f64 = 0.2;
/// A share of more than this cannot be told from all.
const SHARE_MAX: f64 = 0.99;
/// Beyond a multiple of the load that was seen, what a request costs is not known, but for that it hardly gets dearer.
const FACTOR_SEEN: f64 = 2.5;

/// Requests that come when the loop runs again wait for those that came before: so many for one that came while it stood still.
const QUEUED_BEHIND: f64 = 1.25;

/// What fixing a cause gives, as factors on the line: most probably, at least and at most.
#[derive(Debug, Clone, Copy)]
struct Factor {
    value: f64,
    low: f64,
    high: Option<f64>,
    at_least: bool,
}

pub(crate) fn predicted(case: &Case<'_>, bound: Bound, cause: &Cause) -> Option<Predicted> {
    match bound {
        Bound::Cpu => match &cause.predicted {
            Some(predicted) => Some(predicted.clone()),
            None => of_cpu(case, cause),
        },
        _ if is_about(bound, cause) => until_next(case, bound, cause),
        _ => None,
    }
}

/// The share of the CPU per request that would go, and what is assumed for that.
pub(crate) fn saved(cause: &Cause) -> Option<(f64, Assumption)> {
    let share = cause.cpu_share?;
    Some(match cause.kind {
        CauseKind::HotFunction => (share * OWN_WORK_SAVED, Assumption::FunctionHalved),
        CauseKind::Gc if cause.place.is_none() => (share * OWN_WORK_SAVED, Assumption::GarbageHalved),
        _ => (share, Assumption::CostGone),
    })
}

fn of_cpu(case: &Case<'_>, cause: &Cause) -> Option<Predicted> {
    let (share, assumption) = saved(cause)?;
    let predicted = without(case, share, assumption);
    Some(match assumption {
        // Half of it is no estimate: it may be a little, and it may be all.
        Assumption::FunctionHalved | Assumption::GarbageHalved => {
            let all = without_share(cause.cpu_share.unwrap_or(share));
            Predicted {
                high: all.high,
                at_least: false,
                ..predicted
            }
        }
        _ => predicted,
    })
}

/// What is left when this share of the CPU per request goes.
pub(crate) fn without(case: &Case<'_>, share: f64, assumption: Assumption) -> Predicted {
    of_factor(case, without_share(share), assumption)
}

fn without_share(share: f64) -> Factor {
    let share = share.clamp(0.0, SHARE_MAX);
    let rest = rest_without(share);
    let value = 1.0 / rest;
    Factor {
        value,
        low: 1.0 / rest_at(rest, LOG_ODDS_ABOVE),
        high: Some(1.0 / rest_at(rest, -LOG_ODDS_BELOW)),
        at_least: rest <= REST_SMALL,
    }
}

fn rest_without(share: f64) -> f64 {
    (1.0 - share) * (1.0 - REST_SAVED * share)
}

/// What remains where the logarithm of its odds is by so much greater than that of `rest`.
fn rest_at(rest: f64, by: f64) -> f64 {
    let odds = rest / (1.0 - rest).max(f64::EPSILON) * by.exp();
    odds / (1.0 + odds)
}

fn of_factor(case: &Case<'_>, factor: Factor, assumption: Assumption) -> Predicted {
    Predicted {
        load_line_per_s: case.line.map(|line| line.rate_per_s * factor.value),
        users: case.line.is_some_and(|line| line.users),
        factor: factor.value,
        low: factor.low,
        high: factor.high,
        at_least: factor.at_least,
        response_time: None,
        next: None,
        assumption,
    }
}

/// Where something else than CPU breaks first: until the CPU does.
fn until_next(case: &Case<'_>, bound: Bound, cause: &Cause) -> Option<Predicted> {
    let (room, next) = room(case)?;
    let gone = |share: f64| 1.0 / rest_without(share.clamp(0.0, SHARE_MAX));
    let (factor, assumption) = match bound {
        Bound::EventLoop | Bound::Terminal | Bound::Memory => {
            // Of what waits in calls the CPU is not known: all of it may stay.
            let waits = matches!(cause.evidence, Evidence::Calls { .. });
            let saved = if waits { 0.0 } else { cause.cpu_share.unwrap_or(0.0) };
            let value = room * gone(saved);
            let low = (room * without_share(saved).low).min(value);
            let assumption = if bound == Bound::Memory {
                Assumption::CostGone
            } else {
                Assumption::LoopRuns
            };
            let factor = Factor {
                value,
                low,
                high: without_share(saved).high.map(|high| room * high),
                at_least: value >= FACTOR_SEEN || waits,
            };
            (factor, assumption)
        }
        Bound::Threadpool => (up_to(1.0, room), Assumption::PoolWide),
        // Others may respond more slowly to more calls at once.
        Bound::ConnectionPool if cause.kind == CauseKind::ConnectionPool => {
            (up_to(1.0, room), Assumption::ConnectionsEnough)
        }
        // With fewer calls others take so many more requests; with the same they may take no more.
        _ => (up_to(of_fewer_calls(cause), room), Assumption::OthersAsNow),
    };
    Some(Predicted {
        response_time: response_then(case, bound, cause),
        next,
        ..of_factor(case, factor, assumption)
    })
}

/// At least as now, at most until the next objective breaks.
fn up_to(value: f64, room: f64) -> Factor {
    let room = room.max(1.0);
    Factor {
        value: value.min(room),
        low: 1.0,
        high: Some(room),
        at_least: false,
    }
}

fn of_fewer_calls(cause: &Cause) -> f64 {
    match cause.evidence {
        Evidence::Repeated {
            again_per_request,
            per_request,
            ..
        } if per_request > again_per_request => per_request / (per_request - again_per_request),
        _ => 1.0,
    }
}

/// How much more load the CPU takes from the line on, and the objective of the plan that ends it.
fn room(case: &Case<'_>) -> Option<(f64, Option<Condition>)> {
    let service = case.plain.target_resources.as_ref()?;
    let at_line = case.line.zip(crate::rate(case.plain));
    let pass = service.cpu_share * at_line.map_or(1.0, |(line, rate)| line.rate_per_s / rate);
    let at_step = case.line.and_then(|line| {
        let steps = case
            .base
            .steps
            .iter()
            .filter(|step| step.verdict == StepVerdict::Passed);
        steps
            .filter(|step| step.offered_per_s == Some(line.rate_per_s))
            .find_map(|step| step.cpu_share)
    });
    let busy = at_step.unwrap_or(pass);
    let is_cpu = |found: &&ObjectiveFinding| found.objective.quantity == Quantity::Cpu;
    let objective = case.plain.objectives.iter().find(is_cpu).map(|found| &found.objective);
    // One thread fills one core, whatever the plan allows.
    let threads = case.counted.map_or(1, |counted| counted.threads.max(1));
    let cores = service.cpu_cores().max(f64::MIN_POSITIVE);
    let all = f64::from(threads).min(cores) / cores;
    let next = objective.filter(|objective| objective.bound <= all);
    let bound = next.map_or(all, |objective| objective.bound);
    (busy > 0.0).then(|| ((bound / busy).max(1.0), next.cloned()))
}

/// The response time without the cause.
fn response_then(case: &Case<'_>, bound: Bound, cause: &Cause) -> Option<ResponseThen> {
    match bound {
        Bound::EventLoop | Bound::Memory | Bound::Terminal => {
            // Requests that come while the loop stands still are the slowest ones: without them the quantile lies lower.
            let (_, quantile) = case.response_bound()?;
            let stands = (time_share(case, cause) * QUEUED_BEHIND).min(1.0);
            let at = |quantile: f64| {
                let curve = &case.plain.response_time_curve;
                curve
                    .iter()
                    .find(|point| point.quantile >= quantile)
                    .map(|point| point.ms)
            };
            Some(ResponseThen {
                quantile: Some(quantile),
                now_ms: at(quantile)?,
                then_ms: at(quantile * (1.0 - stands))?,
            })
        }
        _ => {
            let now_ms = case.mean_ms()?;
            let saved_ms = cause.wait_ms_per_request?;
            Some(ResponseThen {
                quantile: None,
                now_ms,
                then_ms: (now_ms - saved_ms).max(0.0),
            })
        }
    }
}
