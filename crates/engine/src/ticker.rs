//! Time cut into ticks.

use crate::recorder::TickSpan;

/// Cuts time into ticks. The end of the load always falls on the end of a tick, so that no tick
/// is half load and half draining.
pub(crate) struct Ticker {
    index: u32,
    start_ns: u64,
    tick_ns: u64,
    /// CPU time of the thread at the end of the last tick, ns.
    pub(crate) cpu_ns: u64,
    load_end_ns: Option<u64>,
}

impl Ticker {
    /// The first tick begins at `start_ns`.
    pub(crate) fn new(start_ns: u64, tick_ns: u64, load_end_ns: Option<u64>) -> Self {
        Self {
            index: 0,
            start_ns,
            tick_ns,
            cpu_ns: 0,
            load_end_ns,
        }
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
        self.start_ns = end_ns;
        span
    }
}
