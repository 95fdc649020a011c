//! When a shard wakes up: for each arrival and each response, or for several together. All the constants are here;
//! `docs/concepts/engine-timing.md` says what was measured.

use crate::backend::Wake;
use std::fmt;
use std::time::Duration;

/// How exactly a shard keeps times. Each wakeup costs more CPU than a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wakeups {
    /// One for each arrival while they are rare; from about 10,000 per second and shard arrivals share one every 175 µs.
    /// Where the backend does not stamp responses, each has a wakeup too, up to about 5,000 arrivals per second; beyond, it
    /// waits for the next arrival. In the closed model responses share one where a shard gets more than 100,000 per second.
    #[default]
    Adaptive,
    /// One for each arrival, and for each response that is not stamped, whatever it costs.
    Precise,
    /// One in this time at most: cheaper, and every start and response up to that much later.
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

/// The longest wait, so that a stop is noticed.
const LONGEST_WAIT_NS: u64 = 50_000_000;
/// The same for a shard that holds connections. There may be as many such threads as a million connections need tables, and
/// nearly all that they have to do is to wait.
const LONGEST_HOLDING_WAIT_NS: u64 = 250_000_000;
/// Once no more messages are sent, a shard looks this often whether all have arrived at others.
pub(crate) const AWAITED_LOOK_NS: u64 = 10_000_000;
/// A thread that spins looks once in less than a microsecond. When it took this long, its core had something else to do.
pub(crate) const SPIN_LOOK_MAX_NS: u64 = 5_000;
/// Arrivals at most this far apart: responses wait for the next one even if they are not stamped. Arrivals themselves stay
/// where they are, because a service that gets them in bunches may work cheaper than it would in production.
const FREQUENT_NS: u64 = 200_000;
/// Arrivals at most this far apart share wakeups, of which each costs more than the request. A service that is near its
/// load line at such a rate has more than one request at hand anyway.
const DENSE_NS: u64 = 110_000;
const DENSE_PULSE_NS: u64 = 175_000;
/// Responses of the closed model at most this far apart share wakeups, which a service so fast pays for as well: it wakes
/// the generator.
const CLOSE_NS: u64 = 10_000;
/// With fewer requests in flight a wait for several responses leaves the service too little to work on.
const SHARED_FROM: u64 = 16;
/// How long responses that are taken together wait for one another.
const TOGETHER_NS: u64 = 50_000;
/// Weight of the newest distance in the mean is one in this many. Several responses of the closed model come at a time.
const MEMORY: u64 = 64;

/// A wait, and what is known of the one after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wait {
    pub(crate) until_ns: u64,
    pub(crate) wake: Wake,
    /// When the wait after it will end, if that is known already.
    pub(crate) then_ns: Option<u64>,
}

impl Wait {
    /// Of a shard that holds connections, for which something is due at `due_ns`.
    pub(crate) fn holding(now_ns: u64, due_ns: u64) -> Self {
        Self {
            until_ns: due_ns.min(now_ns + LONGEST_HOLDING_WAIT_NS),
            wake: Wake::AtOnce,
            then_ns: None,
        }
    }

    /// Until when it waits at most, if what is held ends at `end_ns`. Messages are awaited beyond that, and other shards know of
    /// them too.
    pub(crate) fn holding_at_most(now_ns: u64, end_ns: u64, tick_ends_ns: u64) -> u64 {
        tick_ends_ns.min(match now_ns < end_ns {
            true => end_ns,
            false => now_ns + AWAITED_LOOK_NS,
        })
    }
}

/// What a shard waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Awaited {
    /// When something else is to be done, whatever comes.
    pub(crate) latest_ns: u64,
    /// When the next request is due, if that is known, and when the one after it.
    pub(crate) due_ns: Option<u64>,
    pub(crate) after_ns: Option<u64>,
    /// Whether requests are due by a schedule, not by the responses before them.
    pub(crate) scheduled: bool,
    /// Whether a due request waits for a connection, which a response may set free.
    pub(crate) queued: bool,
    pub(crate) in_flight: u64,
    /// Whether it is known of each response when it came, however late it is read.
    pub(crate) stamped: bool,
}

/// Follows how close arrivals are, and says how long to wait.
#[derive(Debug)]
pub(crate) struct WakePolicy {
    wakeups: Wakeups,
    last_ns: u64,
    /// Moving mean of the distance between arrivals.
    distance_ns: u64,
}

impl WakePolicy {
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

    /// How long to wait, and what ends the wait.
    pub(crate) fn wait(&self, now_ns: u64, awaited: &Awaited) -> Wait {
        let latest_ns = awaited.latest_ns.min(now_ns + LONGEST_WAIT_NS);
        let responses_wait = !awaited.queued && self.responses_wait(awaited.stamped);
        let (until_ns, wake) = match awaited.due_ns {
            None => (latest_ns, self.wake(awaited.in_flight)),
            Some(due_ns) if awaited.scheduled && responses_wait => (latest_ns.min(self.end_ns(due_ns)), Wake::AtTheEnd),
            Some(due_ns) => (latest_ns.min(due_ns), Wake::AtOnce),
        };
        Wait {
            until_ns,
            wake,
            then_ns: awaited.after_ns.map(|due_ns| self.end_ns(due_ns.max(until_ns + 1))),
        }
    }

    /// How long to gather arrivals; zero attends to each.
    fn length_ns(&self) -> u64 {
        match self.wakeups {
            Wakeups::Adaptive if self.distance_ns <= DENSE_NS => DENSE_PULSE_NS,
            Wakeups::Adaptive | Wakeups::Precise | Wakeups::Spin => 0,
            Wakeups::Coalesce(time) => time.as_nanos() as u64,
        }
    }

    /// Whether responses may be read with the next arrival. Where they are `stamped` that changes no figure.
    fn responses_wait(&self, stamped: bool) -> bool {
        stamped
            || match self.wakeups {
                Wakeups::Precise | Wakeups::Spin => false,
                Wakeups::Adaptive => self.distance_ns <= FREQUENT_NS,
                Wakeups::Coalesce(_) => true,
            }
    }

    /// What is to end a wait for responses alone, as the closed model has it, while `in_flight` are awaited.
    fn wake(&self, in_flight: u64) -> Wake {
        if self.wakeups == Wakeups::Precise || self.distance_ns > CLOSE_NS || in_flight < SHARED_FROM {
            return Wake::AtOnce;
        }
        Wake::Together {
            events: (in_flight / 2) as usize,
            within_ns: TOGETHER_NS,
        }
    }

    /// When what is due at `due_ns` is attended to: at the end of its pulse. Pulses begin at fixed moments, not when the
    /// last one was left, so that the next wakeup but one is known as well.
    fn end_ns(&self, due_ns: u64) -> u64 {
        match self.length_ns() {
            0 => due_ns,
            length_ns => due_ns.next_multiple_of(length_ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(wakeups: Wakeups, rate_per_s: u64) -> WakePolicy {
        let mut policy = WakePolicy::new(wakeups);
        (0..1000).for_each(|number| policy.arrival(number * 1_000_000_000 / rate_per_s));
        policy
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
    fn close_responses_share_wakeups_when_others_are_in_flight() {
        assert_eq!(after(Wakeups::Adaptive, 90_000).wake(64), Wake::AtOnce);
        assert_eq!(after(Wakeups::Adaptive, 150_000).wake(15), Wake::AtOnce);
        let together = |events| Wake::Together {
            events,
            within_ns: TOGETHER_NS,
        };
        assert_eq!(after(Wakeups::Adaptive, 150_000).wake(16), together(8));
        assert_eq!(after(Wakeups::Adaptive, 150_000).wake(512), together(256));
        assert_eq!(after(Wakeups::Precise, 150_000).wake(512), Wake::AtOnce);
    }

    #[test]
    fn a_pulse_ends_at_a_fixed_moment() {
        let policy = after(Wakeups::Coalesce(Duration::from_millis(1)), 10);
        assert_eq!(policy.end_ns(1), 1_000_000);
        assert_eq!(policy.end_ns(1_000_000), 1_000_000);
        assert_eq!(after(Wakeups::Precise, 10).end_ns(1), 1);
    }

    #[test]
    fn responses_wait_where_that_changes_nothing_or_is_asked_for() {
        assert!(after(Wakeups::Precise, 10).responses_wait(true));
        assert!(!after(Wakeups::Precise, 100_000).responses_wait(false));
        assert!(!after(Wakeups::Adaptive, 4_000).responses_wait(false));
        assert!(after(Wakeups::Adaptive, 6_000).responses_wait(false));
    }
}
