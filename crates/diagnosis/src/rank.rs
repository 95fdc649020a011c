//! All causes in one order: what they are predicted to give back.

use crate::Case;
use plimsoll_findings::{Assumption, Bound, Cause, CauseKind, Place, Predicted};
use std::cmp::Ordering;

/// More than this share is never promised: something always remains.
const SHARE_MAX: f64 = 0.95;
/// What remains gets cheaper as well, in this proportion to the share that goes: less code and data leave the caches to it. From
/// 40 fixes of 20 defects, `docs/benchmarks.md`.
const REST_SAVED: f64 = 0.15;
/// What a function of the service does is mostly what the service is there for: nobody can leave it out.
const OWN_WORK_SAVED: f64 = 0.5;

/// Says what each cause would give back, and puts the greatest first.
///
/// Where CPU runs out first, the line rises to C / ((1 − f)(1 − 0.15 f)) when a share f of the CPU per request goes. Where
/// it does not, nothing is predicted, and what counts is the share of a request's time.
pub(crate) fn rank(case: &Case<'_>, bound: Bound, causes: &mut [Cause]) {
    for cause in causes.iter_mut() {
        cause.predicted = predicted(case, bound, cause);
    }
    let of_lines: Vec<_> = causes.iter().map(|cause| line_predicted(case, causes, cause)).collect();
    for (cause, of_line) in causes.iter_mut().zip(of_lines) {
        cause.line_predicted = of_line;
    }
    let key = |cause: &Cause| {
        let factor = cause.predicted.as_ref().map_or(1.0, |predicted| predicted.factor);
        (factor, share_of_time(case, cause))
    };
    causes.sort_by(|a, b| {
        let ((a_factor, a_time), (b_factor, b_time)) = (key(a), key(b));
        descending(a_factor, b_factor)
            .then(descending(a_time, b_time))
            .then(a.kind.cmp(&b.kind))
    });
}

fn descending(a: f64, b: f64) -> Ordering {
    b.total_cmp(&a)
}

fn predicted(case: &Case<'_>, bound: Bound, cause: &Cause) -> Option<Predicted> {
    if bound != Bound::Cpu {
        return None;
    }
    if let Some(predicted) = &cause.predicted {
        return Some(predicted.clone());
    }
    let (share, assumption) = saved(cause)?;
    Some(without(case, share, assumption))
}

/// The share of the CPU per request that would go, and what is assumed for that.
fn saved(cause: &Cause) -> Option<(f64, Assumption)> {
    let share = cause.cpu_share?;
    Some(match cause.kind {
        CauseKind::HotFunction => (share * OWN_WORK_SAVED, Assumption::FunctionHalved),
        CauseKind::Gc if cause.place.is_none() => (share * OWN_WORK_SAVED, Assumption::GarbageHalved),
        _ => (share, Assumption::CostGone),
    })
}

/// Whoever fixes a line removes all that it costs: no time is counted for two causes, so their shares add up.
fn line_predicted(case: &Case<'_>, causes: &[Cause], cause: &Cause) -> Option<Predicted> {
    let line = |cause: &Cause| {
        let place: &Place = cause.place.as_ref().filter(|place| !place.is_function)?;
        Some((place.file.clone(), place.line))
    };
    let here = line(cause)?;
    let at_line = causes.iter().filter(|other| line(other).as_ref() == Some(&here));
    let shares: Vec<f64> = at_line
        .filter(|cause| cause.predicted.is_some())
        .filter_map(|cause| saved(cause).map(|(share, _)| share))
        .collect();
    (shares.len() > 1).then(|| without(case, shares.iter().sum(), Assumption::LineGone))
}

/// What is left when this share of the CPU per request goes.
fn without(case: &Case<'_>, share: f64, assumption: Assumption) -> Predicted {
    let left = (1.0 - share) * (1.0 - REST_SAVED * share);
    let factor = 1.0 / left.max(1.0 - SHARE_MAX);
    Predicted {
        load_line_per_s: case.line.map(|line| line.rate_per_s * factor),
        factor,
        assumption,
    }
}

/// How much of the time of a request would go.
fn share_of_time(case: &Case<'_>, cause: &Cause) -> f64 {
    let cpu_ms = cause.cpu_us_per_request.unwrap_or(0.0) / 1e3;
    let saved_ms = cause.wait_ms_per_request.unwrap_or(0.0) + cpu_ms;
    case.mean_ms()
        .filter(|mean_ms| *mean_ms > 0.0)
        .map_or(0.0, |mean_ms| saved_ms / mean_ms)
}
