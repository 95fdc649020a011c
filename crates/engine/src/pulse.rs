//! When arrivals share a wakeup.

use std::time::Duration;

/// How exactly a shard keeps the times of an open load. Each wakeup costs more CPU than a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wakeups {
    /// One for each arrival and each answer while arrivals are rare. From about 5,000 arrivals per
    /// second and shard an answer waits for the next arrival to be looked at; from about 25,000
    /// arrivals share a wakeup too, one every 100 µs.
    #[default]
    Adaptive,
    /// One for each, whatever it costs.
    Precise,
    /// One in this time at most: cheaper, and every start and answer up to that much later.
    Coalesce(Duration),
}

/// Arrivals at most this far apart: answers wait for the next one. Arrivals themselves stay where
/// they are, because a service that gets them in bunches may work cheaper than it would in production.
const FREQUENT_NS: u64 = 200_000;
/// Arrivals at most this far apart share wakeups: one for each would take the whole core.
const DENSE_NS: u64 = 40_000;
const DENSE_PULSE_NS: u64 = 100_000;
/// Weight of the newest distance in the mean is one in this many.
const MEMORY: u64 = 16;

/// Follows how close arrivals are, and says how long to gather.
#[derive(Debug)]
pub(crate) struct Pulse {
    wakeups: Wakeups,
    last_ns: u64,
    /// Moving mean of the distance between arrivals.
    distance_ns: u64,
}

impl Pulse {
    pub(crate) fn new(wakeups: Wakeups) -> Self {
        Self {
            wakeups,
            last_ns: 0,
            distance_ns: 2 * FREQUENT_NS,
        }
    }

    /// An arrival was intended at `at_ns`.
    #[inline]
    pub(crate) fn arrival(&mut self, at_ns: u64) {
        // In the closed model a user who could not be connected may be due before the one who came last.
        let distance_ns = at_ns.saturating_sub(self.last_ns);
        self.last_ns = at_ns;
        self.distance_ns = (self.distance_ns * (MEMORY - 1) + distance_ns) / MEMORY;
    }

    /// How long to gather arrivals and answers at least; zero gathers answers until the next
    /// arrival, `None` attends to each.
    pub(crate) fn length_ns(&self) -> Option<u64> {
        match self.wakeups {
            Wakeups::Precise => None,
            Wakeups::Adaptive if self.distance_ns <= DENSE_NS => Some(DENSE_PULSE_NS),
            Wakeups::Adaptive => (self.distance_ns <= FREQUENT_NS).then_some(0),
            Wakeups::Coalesce(time) => Some(time.as_nanos() as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(wakeups: Wakeups, rate_per_s: u64) -> Option<u64> {
        let mut pulse = Pulse::new(wakeups);
        (0..1000).for_each(|number| pulse.arrival(number * 1_000_000_000 / rate_per_s));
        pulse.length_ns()
    }

    #[test]
    fn dense_arrivals_share_wakeups() {
        assert_eq!(after(Wakeups::Adaptive, 4_000), None);
        assert_eq!(after(Wakeups::Adaptive, 6_000), Some(0));
        assert_eq!(after(Wakeups::Adaptive, 30_000), Some(DENSE_PULSE_NS));
        assert_eq!(after(Wakeups::Precise, 100_000), None);
        assert_eq!(after(Wakeups::Coalesce(Duration::from_millis(1)), 10), Some(1_000_000));
    }
}
