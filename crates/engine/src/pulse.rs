//! When arrivals, or answers, share a wakeup.

use crate::backend::Wake;
use std::fmt;
use std::time::Duration;

/// How exactly a shard keeps times. Each wakeup costs more CPU than a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wakeups {
    /// One for each arrival while they are rare; from about 10,000 per second and shard arrivals share one every 175 µs.
    /// Where the backend does not stamp answers, each has a wakeup too, up to about 5,000 arrivals per second; beyond, it
    /// waits for the next arrival. In the closed model answers share one where a shard gets more than 100,000 per second.
    #[default]
    Adaptive,
    /// One for each arrival, and for each answer that is not stamped, whatever it costs.
    Precise,
    /// One in this time at most: cheaper, and every start and answer up to that much later.
    Coalesce(Duration),
    /// None, because the thread never sleeps: it takes a core for itself. Not for a clock that stands still meanwhile.
    Spin,
}

/// As the flag says it; nothing by default.
impl fmt::Display for Wakeups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Adaptive => Ok(()),
            Self::Precise => f.write_str("precise"),
            Self::Coalesce(time) => write!(f, "coalesce {time:?}"),
            Self::Spin => f.write_str("spin"),
        }
    }
}

/// Arrivals at most this far apart: answers wait for the next one even if they are not stamped. Arrivals themselves stay where
/// they are, because a service that gets them in bunches may work cheaper than it would in production.
const FREQUENT_NS: u64 = 200_000;
/// Arrivals at most this far apart share wakeups, of which each costs more than the request. A service that is near its
/// load line at such a rate has more than one request at hand anyway.
const DENSE_NS: u64 = 110_000;
const DENSE_PULSE_NS: u64 = 175_000;
/// Answers of the closed model at most this far apart share wakeups, which a service so fast pays for as well: it wakes
/// the generator.
const CLOSE_NS: u64 = 10_000;
/// With fewer requests in flight a wait for several answers leaves the service too little to work on.
const SHARED_FROM: u64 = 16;
/// Weight of the newest distance in the mean is one in this many. Several answers of the closed model come at a time.
const MEMORY: u64 = 64;

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

    /// Whether to look again instead of waiting.
    pub(crate) fn spins(&self) -> bool {
        self.wakeups == Wakeups::Spin
    }

    /// An arrival was intended at `at_ns`.
    #[inline]
    pub(crate) fn arrival(&mut self, at_ns: u64) {
        // In the closed model a user who could not be connected may be due before the one who came last.
        let distance_ns = at_ns.saturating_sub(self.last_ns);
        self.last_ns = at_ns;
        self.distance_ns = (self.distance_ns * (MEMORY - 1) + distance_ns) / MEMORY;
    }

    /// How long to gather arrivals; zero attends to each.
    fn length_ns(&self) -> u64 {
        match self.wakeups {
            Wakeups::Adaptive if self.distance_ns <= DENSE_NS => DENSE_PULSE_NS,
            Wakeups::Adaptive | Wakeups::Precise | Wakeups::Spin => 0,
            Wakeups::Coalesce(time) => time.as_nanos() as u64,
        }
    }

    /// Whether answers may be read with the next arrival. Where they are `stamped` that changes no figure.
    pub(crate) fn answers_wait(&self, stamped: bool) -> bool {
        stamped
            || match self.wakeups {
                Wakeups::Precise | Wakeups::Spin => false,
                Wakeups::Adaptive => self.distance_ns <= FREQUENT_NS,
                Wakeups::Coalesce(_) => true,
            }
    }

    /// What is to end a wait for answers alone, as the closed model has it, while `in_flight` are awaited.
    pub(crate) fn wake(&self, in_flight: u64) -> Wake {
        if self.wakeups == Wakeups::Precise || self.distance_ns > CLOSE_NS || in_flight < SHARED_FROM {
            return Wake::AtOnce;
        }
        Wake::Together((in_flight / 2) as usize)
    }

    /// When what is due at `due_ns` is attended to: at the end of its pulse. Pulses begin at fixed moments, not when the
    /// last one was left, so that the next wakeup but one is known as well.
    pub(crate) fn end_ns(&self, due_ns: u64) -> u64 {
        match self.length_ns() {
            0 => due_ns,
            length_ns => due_ns.next_multiple_of(length_ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(wakeups: Wakeups, rate_per_s: u64) -> Pulse {
        let mut pulse = Pulse::new(wakeups);
        (0..1000).for_each(|number| pulse.arrival(number * 1_000_000_000 / rate_per_s));
        pulse
    }

    #[test]
    fn what_was_asked_for_is_said_as_it_was() {
        assert_eq!(Wakeups::default().to_string(), "");
        assert_eq!(Wakeups::Coalesce(Duration::from_millis(1)).to_string(), "coalesce 1ms");
        assert_eq!(Wakeups::Spin.to_string(), "spin");
    }

    #[test]
    fn dense_arrivals_share_wakeups() {
        assert_eq!(after(Wakeups::Adaptive, 8_000).length_ns(), 0);
        assert_eq!(after(Wakeups::Adaptive, 10_000).length_ns(), DENSE_PULSE_NS);
        assert_eq!(after(Wakeups::Precise, 100_000).length_ns(), 0);
        assert_eq!(
            after(Wakeups::Coalesce(Duration::from_millis(1)), 10).length_ns(),
            1_000_000
        );
    }

    #[test]
    fn close_answers_share_wakeups_when_others_are_in_flight() {
        assert_eq!(after(Wakeups::Adaptive, 90_000).wake(64), Wake::AtOnce);
        assert_eq!(after(Wakeups::Adaptive, 150_000).wake(15), Wake::AtOnce);
        assert_eq!(after(Wakeups::Adaptive, 150_000).wake(16), Wake::Together(8));
        assert_eq!(after(Wakeups::Adaptive, 150_000).wake(512), Wake::Together(256));
        assert_eq!(after(Wakeups::Precise, 150_000).wake(512), Wake::AtOnce);
    }

    #[test]
    fn a_pulse_ends_at_a_fixed_moment() {
        let pulse = after(Wakeups::Coalesce(Duration::from_millis(1)), 10);
        assert_eq!(pulse.end_ns(1), 1_000_000);
        assert_eq!(pulse.end_ns(1_000_000), 1_000_000);
        assert_eq!(after(Wakeups::Precise, 10).end_ns(1), 1);
    }

    #[test]
    fn answers_wait_where_that_changes_nothing_or_is_asked_for() {
        assert!(after(Wakeups::Precise, 10).answers_wait(true));
        assert!(!after(Wakeups::Precise, 100_000).answers_wait(false));
        assert!(!after(Wakeups::Adaptive, 4_000).answers_wait(false));
        assert!(after(Wakeups::Adaptive, 6_000).answers_wait(false));
    }
}
