//! For how long the event loop of the service kept timers waiting.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Delays of a tick, of all threads that serve.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LoopDelays {
    /// When they were taken in, since the beginning of the run, ns.
    pub at_ns: u64,
    /// Delays in µs, to three digits, and how many of each there were.
    pub delays: Vec<(u32, u32)>,
}

impl LoopDelays {
    /// Of delays in µs.
    #[must_use]
    pub fn of(at_ns: u64, delays_us: &[u32]) -> Self {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        for delay_us in delays_us {
            let count = counts.entry(rounded(*delay_us)).or_default();
            *count = count.saturating_add(1);
        }
        Self {
            at_ns,
            delays: counts.into_iter().collect(),
        }
    }
}

/// To three digits.
fn rounded(us: u32) -> u32 {
    let unit = 10_u32.pow(us.checked_ilog10().unwrap_or(0).saturating_sub(2));
    (us / unit).saturating_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_counted_to_three_digits() {
        let found = LoopDelays::of(7, &[0, 12, 999, 12_345, 12_399, u32::MAX]);
        let expected = [(0, 1), (12, 1), (999, 1), (12_300, 2), (4_290_000_000, 1)];
        assert_eq!((found.at_ns, &*found.delays), (7, &expected[..]));
    }
}
