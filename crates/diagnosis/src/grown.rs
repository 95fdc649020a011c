//! What figures of the probe, which are cumulative, come to in a window.

use plimsoll_measure::probe::{FunctionCounter, Pauses};

/// By how much a figure grew in the window. It comes from outside and may be anything; nothing is as large as this bound,
/// and of figures below it any number can be added up.
pub(crate) fn grown(now: u64, then: u64) -> u64 {
    const GROWN_MAX: u64 = 1 << 45;
    now.saturating_sub(then).min(GROWN_MAX)
}

/// By how much the figures of a function grew.
pub(crate) fn difference(now: &FunctionCounter, then: &FunctionCounter) -> FunctionCounter {
    FunctionCounter {
        name: now.name.clone(),
        kind: now.kind.clone(),
        calls: grown(now.calls, then.calls),
        ns: grown(now.ns, then.ns),
        bytes: grown(now.bytes, then.bytes),
        watched: grown(now.watched, then.watched),
        seen_again: grown(now.seen_again, then.seen_again),
    }
}

pub(crate) fn add_function(sum: &mut FunctionCounter, new: &FunctionCounter) {
    sum.calls += new.calls;
    sum.ns += new.ns;
    sum.bytes += new.bytes;
    sum.watched += new.watched;
    sum.seen_again += new.seen_again;
}

pub(crate) fn add_pauses(sum: &mut Pauses, now: Pauses, then: Pauses) {
    sum.count += grown(now.count, then.count);
    sum.ns += grown(now.ns, then.ns);
}
