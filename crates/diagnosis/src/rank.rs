//! All causes in one order: what they are predicted to give back.

use crate::Case;
use crate::predict::{predicted, saved, without};
use plimsoll_findings::{Assumption, Bound, Cause, Place, Predicted};
use std::cmp::Ordering;

/// Says what each cause would give back, and puts the greatest first.
///
/// Where CPU does not run out first, causes of what does come first, and of the others what counts is the share of a request's time.
pub(crate) fn rank(case: &Case<'_>, bound: Bound, causes: &mut [Cause]) {
    for cause in causes.iter_mut() {
        cause.predicted = predicted(case, bound, cause);
    }
    if bound == Bound::Cpu {
        let of_lines: Vec<_> = causes.iter().map(|cause| line_predicted(case, causes, cause)).collect();
        for (cause, of_line) in causes.iter_mut().zip(of_lines) {
            cause.line_predicted = of_line;
        }
    }
    let key = |cause: &Cause| {
        let factor = cause.predicted.as_ref().map_or(1.0, |predicted| predicted.factor);
        (cause.predicted.is_some(), factor, share_of_time(case, cause))
    };
    causes.sort_by(|a, b| {
        let ((a_known, a_factor, a_time), (b_known, b_factor, b_time)) = (key(a), key(b));
        // Of CPU only what gives something stands before what makes requests wait.
        let first = if bound == Bound::Cpu {
            Ordering::Equal
        } else {
            b_known.cmp(&a_known)
        };
        first
            .then(descending(a_factor, b_factor))
            .then(descending(a_time, b_time))
            .then(a.kind.cmp(&b.kind))
    });
}

fn descending(a: f64, b: f64) -> Ordering {
    b.total_cmp(&a)
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

/// How much of the time of a request would go.
fn share_of_time(case: &Case<'_>, cause: &Cause) -> f64 {
    let cpu_ms = cause.cpu_us_per_request.unwrap_or(0.0) / 1e3;
    let saved_ms = cause.wait_ms_per_request.unwrap_or(0.0) + cpu_ms;
    case.mean_ms()
        .filter(|mean_ms| *mean_ms > 0.0)
        .map_or(0.0, |mean_ms| saved_ms / mean_ms)
}
