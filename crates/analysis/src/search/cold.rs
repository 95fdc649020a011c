//! Which steps were made while the service was still cold.
//!
//! Code that is not compiled yet makes a request dearer, so that a level fails which passes later. Pure hindsight: once a
//! request has become clearly cheaper, what failed before says nothing of the load line.

use crate::step_summary::StepOutcome;

/// A request in a cold step costs more than this many times what it does once the service is warm.
const DEARER: f64 = 1.15;
/// Only steps that begin so soon may be cold: what is dear later has another reason, such as a neighbour on the host.
const SOON_NS: u64 = 60_000_000_000;

/// Whether each step was made before CPU per request was steady: at the same level or a lower one, at which a request costs
/// no less, it became clearly cheaper afterwards, and had not been so before. That it is dear again and again is overload.
pub(super) fn cold_steps(steps: &[&StepOutcome]) -> Vec<bool> {
    let is_cheaper = |other: &&&StepOutcome, step: &StepOutcome| {
        let costs = other.cpu_us_per_request.zip(step.cpu_us_per_request);
        other.level <= step.level && costs.is_some_and(|(other, step)| other * DEARER < step)
    };
    let is_cold = |(index, step): (usize, &&StepOutcome)| {
        let (before, after) = (&steps[..index], &steps[index + 1..]);
        step.start_ns < SOON_NS
            && after.iter().any(|other| is_cheaper(&other, step))
            && !before.iter().any(|other| is_cheaper(&other, step))
    };
    steps.iter().enumerate().map(is_cold).collect()
}
