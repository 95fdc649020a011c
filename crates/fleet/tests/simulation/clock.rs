//! Clocks that are unlike and drift apart.

use rand::{Rng, RngExt};

/// How a clock differs from the true one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    pub(crate) ahead_ns: u64,
    pub(crate) drift: f64,
}

impl Clock {
    pub(crate) fn shows(&self, true_ns: u64) -> u64 {
        (self.ahead_ns + true_ns).saturating_add_signed((true_ns as f64 * self.drift) as i64)
    }

    pub(crate) fn true_ns(&self, shown_ns: u64) -> u64 {
        (shown_ns.saturating_sub(self.ahead_ns) as f64 / (1.0 + self.drift)) as u64
    }

    /// Any that there may be.
    pub(crate) fn any(rng: &mut impl Rng) -> Self {
        Self {
            ahead_ns: rng.random_range(0..1_000_000_000_000_000),
            drift: rng.random_range(-50e-6..50e-6),
        }
    }
}
