//! What figures of the probe, which are cumulative, come to in a window.

/// By how much a figure grew in the window. It comes from outside and may be anything; nothing is as large as this bound,
/// and of figures below it any number can be added up.
pub(crate) fn grown(now: u64, then: u64) -> u64 {
    const GROWN_MAX: u64 = 1 << 45;
    now.saturating_sub(then).min(GROWN_MAX)
}
