//! When what is held is due to be opened, at a pace, and how much is still to come.

use crate::recorder::Recorder;
use plimsoll_plan::HoldLoad;
use plimsoll_schedule::AgentShare;

/// After so many failures in a row, with no connection left, no more are to come: the service is not there.
const HOPELESS: u32 = 64;

/// The part of a shard in what is opened.
pub(super) struct Opening {
    share: AgentShare,
    start_ns: u64,
    micro_per_s: u64,
    /// How many this shard opens, how many of them it has turned to when they were due, and how many it has begun to open.
    count: u64,
    noticed: u64,
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
            noticed: 0,
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

    /// Whether the next one begins now: it is due, and there is a place for it. Without a place, those that are due wait for one.
    /// How late the thread turned to each is recorded once, so the wait for a place, which is the service's doing, is no part of it.
    pub(super) fn take_due(&mut self, now_ns: u64, has_place: bool, recorder: &mut Recorder) -> bool {
        while (!has_place || self.noticed == self.begun)
            && let Some(due_ns) = self.due_ns(self.noticed).filter(|&due_ns| due_ns <= now_ns)
        {
            recorder.woke(now_ns - due_ns);
            self.noticed += 1;
        }
        let begins = has_place && self.to_come > 0 && self.noticed > self.begun;
        self.begun += u64::from(begins);
        begins
    }

    /// When to turn to the next one; `None` when that was done for all, or those that were due wait for a place.
    pub(super) fn next_ns(&self, has_place: bool) -> Option<u64> {
        self.due_ns(if has_place { self.begun } else { self.noticed })
    }

    /// When one of them is due, by its place among them.
    fn due_ns(&self, place: u64) -> Option<u64> {
        let number = self.share.first() + place * self.share.stride();
        let after_ns = u128::from(number) * 1_000_000_000_000_000 / u128::from(self.micro_per_s);
        (place < self.count && self.to_come > 0).then(|| self.start_ns + after_ns as u64)
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
