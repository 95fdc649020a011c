//! How the clock of an agent differs from that of the run.

/// Clocks of crystals drift apart by less than this, as a share of the time that passes; 200 ppm is more than any that is sold.
const DRIFT: f64 = 200e-6;

/// What is known of a clock: of many round trips the fastest says most, because the clock was read at some moment of it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Offset {
    /// Its reading less ours, ns.
    ahead_ns: i64,
    /// The difference was known to this when it was read, ns: half a round trip.
    error_ns: u64,
    /// When it was read, by our clock, ns.
    at_ns: u64,
}

impl Offset {
    /// The other clock showed `there_ns` somewhere between `sent_ns` and `received_ns` of ours.
    fn read(sent_ns: u64, there_ns: u64, received_ns: u64) -> Self {
        let round_ns = received_ns.saturating_sub(sent_ns);
        let middle_ns = sent_ns + round_ns / 2;
        Self {
            ahead_ns: (there_ns as i64).wrapping_sub(middle_ns as i64),
            error_ns: round_ns.div_ceil(2),
            at_ns: received_ns,
        }
    }

    /// How exactly it is known by now, ns: clocks drift.
    fn error_ns(&self, now_ns: u64) -> u64 {
        let age_ns = now_ns.saturating_sub(self.at_ns);
        self.error_ns + (age_ns as f64 * DRIFT) as u64
    }

    /// The better one of this and a newer one.
    fn or_newer(self, newer: Self) -> Self {
        if newer.error_ns <= self.error_ns(newer.at_ns) {
            newer
        } else {
            self
        }
    }
}

/// The clock of an agent, as far as it was read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TheirClock(Option<Offset>);

impl TheirClock {
    /// It showed `there_ns` between `sent_ns` and `now_ns` of ours. What was never sent was not responded to.
    pub(crate) fn read(&mut self, sent_ns: u64, there_ns: u64, now_ns: u64) {
        if sent_ns > 0 && sent_ns <= now_ns {
            let newer = Offset::read(sent_ns, there_ns, now_ns);
            self.0 = Some(self.0.map_or(newer, |known| known.or_newer(newer)));
        }
    }

    /// How exactly it is known by now, ns.
    pub(crate) fn error_ns(self, now_ns: u64) -> Option<u64> {
        self.0.map(|offset| offset.error_ns(now_ns))
    }

    /// What it shows less ours, ns, as far as that is known.
    pub(crate) fn ahead_ns(self) -> i64 {
        self.0.map_or(0, |offset| offset.ahead_ns)
    }

    /// What it shows when ours shows `at_ns`.
    pub(crate) fn there(self, at_ns: u64) -> u64 {
        at_ns.saturating_add_signed(self.ahead_ns())
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
    }

    #[test]
    fn clock_that_was_read_shows_what_ours_does_later() {
        let mut clock = TheirClock::default();
        assert_eq!((clock.there(5000), clock.error_ns(5000)), (5000, None));
        clock.read(1000, 1_001_050, 1100);
        assert_eq!((clock.there(5000), clock.error_ns(1100)), (1_005_000, Some(50)));
        // Nothing was sent then.
        for (sent_ns, now_ns) in [(0, 2000), (3000, 2000)] {
            clock.read(sent_ns, 7, now_ns);
        }
        assert_eq!(clock.ahead_ns(), 1_000_000);
        let mut behind = TheirClock::default();
        behind.read(1_000_000, 500, 1_000_000);
        assert_eq!(behind.there(2_000_000), 1_000_500);
    }
}
