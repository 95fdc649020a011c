//! How the clock of an agent differs from that of the coordinator.

/// Clocks of crystals drift apart by less than this, as a share of the time that passes; 200 ppm is more than any that is sold.
const DRIFT: f64 = 200e-6;

/// What is known of a clock: of many round trips the fastest says most, because the clock was read at some moment of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Offset {
    /// Its reading less ours, ns.
    ahead_ns: i64,
    /// The difference was known to this when it was read, ns: half a round trip.
    error_ns: u64,
    /// When it was read, by our clock, ns.
    at_ns: u64,
}

impl Offset {
    /// The other clock showed `there_ns` somewhere between `sent_ns` and `received_ns` of ours.
    pub(crate) fn read(sent_ns: u64, there_ns: u64, received_ns: u64) -> Self {
        let round_ns = received_ns.saturating_sub(sent_ns);
        let middle_ns = sent_ns + round_ns / 2;
        Self {
            ahead_ns: (there_ns as i64).wrapping_sub(middle_ns as i64),
            error_ns: round_ns.div_ceil(2),
            at_ns: received_ns,
        }
    }

    /// How exactly it is known by now, ns: clocks drift.
    pub(crate) fn error_ns(&self, now_ns: u64) -> u64 {
        let age_ns = now_ns.saturating_sub(self.at_ns);
        self.error_ns + (age_ns as f64 * DRIFT) as u64
    }

    /// The better one of this and a newer one.
    pub(crate) fn or_newer(self, newer: Self) -> Self {
        if newer.error_ns <= self.error_ns(newer.at_ns) {
            newer
        } else {
            self
        }
    }

    /// The other clock less ours, ns.
    pub(crate) const fn ahead_ns(self) -> i64 {
        self.ahead_ns
    }

    /// What the other clock shows when ours shows `at_ns`.
    pub(crate) fn there(&self, at_ns: u64) -> u64 {
        at_ns.saturating_add_signed(self.ahead_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fastest_round_trip_counts_until_it_is_old() {
        // The other clock is 1,000,000 ahead.
        let fast = Offset::read(1000, 1_001_050, 1100);
        assert_eq!((fast.ahead_ns, fast.error_ns(1100)), (1_000_000, 50));
        let slow = Offset::read(2000, 1_002_010, 4000);
        assert_eq!(fast.or_newer(slow), fast);
        assert_eq!(slow.or_newer(fast), fast);
        // After ten seconds both clocks may have drifted apart by 2 ms.
        let late = Offset::read(10_000_000_000, 10_001_500_000, 10_001_000_000);
        assert_eq!(fast.or_newer(late), late);
        assert_eq!(fast.there(5000), 1_005_000);
        let behind = Offset::read(1_000_000, 500, 1_000_000);
        assert_eq!(behind.there(2_000_000), 1_000_500);
    }
}
