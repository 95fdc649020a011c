//! When what is held is due to be opened, at a pace, and how much is still to come.

use plimsoll_plan::HoldLoad;
use plimsoll_schedule::AgentShare;

/// After so many failures in a row, with no connection left, no more are to come: the service is not there.
const HOPELESS: u32 = 64;

/// The part of a shard in what is opened.
pub(super) struct Opening {
    share: AgentShare,
    start_ns: u64,
    micro_per_s: u64,
    /// How many this shard opens, and how many it has begun to.
    count: u64,
    begun: u64,
    failures_in_row: u32,
    to_come: u64,
}

impl Opening {
    pub(super) fn new(load: &HoldLoad, share: AgentShare, start_ns: u64) -> Self {
        let count = share.count_below(load.connections.into());
        Self {
            share,
            start_ns,
            micro_per_s: load.pace.micro_per_s().max(1),
            count,
            begun: 0,
            failures_in_row: 0,
            to_come: count,
        }
    }

    /// How many this shard opens in all.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// How many may still come, as was [seen](Self::look) last.
    pub(super) fn to_come(&self) -> u64 {
        self.to_come
    }

    /// When the next one is due; `None` when all have begun.
    pub(super) fn next_ns(&self) -> Option<u64> {
        let number = self.share.first() + self.begun * self.share.stride();
        let after_ns = u128::from(number) * 1_000_000_000_000_000 / u128::from(self.micro_per_s);
        (self.begun < self.count && self.to_come > 0).then(|| self.start_ns + after_ns as u64)
    }

    /// The next one begins.
    pub(super) fn begin(&mut self) {
        self.begun += 1;
    }

    /// The service is there.
    pub(super) fn succeeded(&mut self) {
        self.failures_in_row = 0;
    }

    /// A connection could not be made.
    pub(super) fn failed(&mut self) {
        self.failures_in_row += 1;
    }

    /// Takes notice of how many have begun and are not open yet, and whether there is no connection at all.
    pub(super) fn look(&mut self, under_way: u64, is_alone: bool) {
        let is_hopeless = is_alone && self.failures_in_row >= HOPELESS;
        let not_begun = if is_hopeless { 0 } else { self.count - self.begun };
        self.to_come = not_begun + under_way;
    }
}
