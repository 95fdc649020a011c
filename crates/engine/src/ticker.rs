//! Time cut into ticks.

use crate::recorder::TickSpan;
use std::time::Duration;

/// How long ticks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticks {
    first: Duration,
    each: Duration,
}

impl Ticks {
    /// All as long as each other.
    #[must_use]
    pub const fn each(length: Duration) -> Self {
        Self {
            first: length,
            each: length,
        }
    }

    /// The same, with a first one as short as it has to be for a tick to begin `after` the start.
    #[must_use]
    pub fn with_one_at(after: Duration, length: Duration) -> Self {
        let beyond = after.as_nanos().checked_rem(length.as_nanos()).unwrap_or(0);
        let first = match u64::try_from(beyond) {
            Ok(0) | Err(_) => length,
            Ok(ns) => Duration::from_nanos(ns),
        };
        Self { first, each: length }
    }
}

/// Cuts time into ticks. The end of the load always falls on the end of a tick, so that no tick
/// is half load and half draining.
pub(crate) struct Ticker {
    index: u32,
    start_ns: u64,
    /// Length of this tick.
    tick_ns: u64,
    /// Length of the next ones.
    each_ns: u64,
    /// CPU time of the thread at the end of the last tick, ns.
    pub(crate) cpu_ns: u64,
    load_end_ns: Option<u64>,
}

impl Ticker {
    /// The first tick begins at `start_ns`.
    pub(crate) fn new(start_ns: u64, ticks: Ticks, load_end_ns: Option<u64>) -> Self {
        Self {
            index: 0,
            start_ns,
            tick_ns: ticks.first.as_nanos() as u64,
            each_ns: ticks.each.as_nanos() as u64,
            cpu_ns: 0,
            load_end_ns,
        }
    }

    /// The load ends earlier than was known, at the beginning of this tick.
    pub(crate) fn load_ends(&mut self, at_ns: u64) {
        self.load_end_ns = Some(self.load_end_ns.map_or(at_ns, |end_ns| end_ns.min(at_ns)));
    }

    pub(crate) fn start_ns(&self) -> u64 {
        self.start_ns
    }

    pub(crate) fn ends_ns(&self) -> u64 {
        let end_ns = self.start_ns + self.tick_ns;
        match self.load_end_ns {
            Some(load_end_ns) if self.start_ns < load_end_ns => end_ns.min(load_end_ns),
            _ => end_ns,
        }
    }

    pub(crate) fn next(&mut self, end_ns: u64) -> TickSpan {
        let draining = self.load_end_ns.is_some_and(|load_end_ns| self.start_ns >= load_end_ns);
        let span = TickSpan {
            index: self.index,
            start_ns: self.start_ns,
            end_ns,
            draining,
        };
        self.index += 1;
        self.tick_ns = self.each_ns;
        self.start_ns = end_ns;
        span
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_begins_after_the_warm_up_and_one_ends_with_the_load() {
        let ms = Duration::from_millis;
        for (after, length, load, expected) in [
            (100, 900, 1000, [100, 1000, 1900, 2800]),
            (200, 1000, 2000, [200, 1200, 2000, 3000]),
            (2500, 1000, 2700, [500, 1500, 2500, 2700]),
            (2000, 1000, 10_000, [1000, 2000, 3000, 4000]),
            (0, 1000, 1500, [1000, 1500, 2500, 3500]),
        ] {
            let mut ticker = Ticker::new(0, Ticks::with_one_at(ms(after), ms(length)), Some(load * 1_000_000));
            let ends = expected.map(|_| {
                let end_ns = ticker.ends_ns();
                ticker.next(end_ns);
                end_ns / 1_000_000
            });
            assert_eq!(ends, expected, "{after} {length} {load}");
        }
    }
}
