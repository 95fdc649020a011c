//! How late the generator itself was with what was due.

use plimsoll_measure::ShardLoad;

/// How late a generator turned to starts that were due, in the worst tick of the worst shard: 99 % of them at most, 99.9 %, and all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct WakeLag {
    pub(crate) p99_ns: u64,
    pub(crate) p999_ns: u64,
    pub(crate) max_ns: u64,
}

impl WakeLag {
    pub(crate) fn of(shard: &ShardLoad) -> Self {
        Self {
            p99_ns: shard.wake_lag_p99_ns,
            p999_ns: shard.wake_lag_p999_ns,
            max_ns: shard.wake_lag_max_ns,
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.p99_ns = self.p99_ns.max(other.p99_ns);
        self.p999_ns = self.p999_ns.max(other.p999_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// By the places of [`LATER`].
    pub(crate) const fn by_share(self) -> [u64; LATER.len()] {
        [self.p99_ns, self.p999_ns, self.max_ns]
    }
}

/// Shares of the starts that may be later than a bound.
pub(crate) const LATER: [f64; 3] = [0.01, 0.001, 0.0];
