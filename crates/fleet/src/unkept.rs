//! What an agent keeps of the ticks of a step: those that have not come, and for a while those that have.

use plimsoll_measure::Tick;
use plimsoll_measure::run_directory::{tick_of_text, tick_text};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A tick that has come is kept for so long after, ns: a machine whose power fails loses what it wrote in its last half minute.
const SPARE_NS: u64 = 60_000_000_000;
/// So many of them, however long they are.
const SPARE_TICKS: RangeInclusive<u32> = 2..=600;

/// Ticks of a step, and how many there were.
#[derive(Debug, Default)]
pub(crate) struct Unkept {
    kept: BTreeMap<u32, Box<Tick>>,
    /// The coordinator has all before this one.
    came: u32,
    ticks: u32,
    started: u64,
    /// So many are kept that have come.
    spare: u32,
}

impl Unkept {
    /// None yet, of a step with ticks of this length.
    pub(crate) fn of_ticks(tick_ns: u64) -> Self {
        let spare = u32::try_from(SPARE_NS / tick_ns.max(1)).unwrap_or(u32::MAX);
        Self {
            spare: spare.clamp(*SPARE_TICKS.start(), *SPARE_TICKS.end()),
            ..Self::default()
        }
    }

    /// Takes in the next tick, and hands it on as it is to be sent.
    pub(crate) fn take(&mut self, mut tick: Box<Tick>) -> Box<Tick> {
        tick.index = self.ticks;
        self.ticks += 1;
        self.started = self.started.saturating_add(tick.counters.scheduled);
        // As it was read it takes a hundredth of the memory, and is not compressed again for sending.
        let read = tick_text(&tick).ok().and_then(|text| tick_of_text(&text));
        let tick = read.map_or(tick, Box::new);
        self.kept.insert(tick.index, tick.clone());
        tick
    }

    /// The coordinator has all ticks before this one.
    pub(crate) fn came(&mut self, before: u32) {
        self.came = self.came.max(before.min(self.ticks));
        let first = self.came.saturating_sub(self.spare);
        self.kept.retain(|index, _| *index >= first);
    }

    /// The coordinator has all of them.
    pub(crate) fn all_came(&mut self) {
        self.came(self.ticks);
    }

    /// Those that the coordinator may not have.
    pub(crate) fn not_come(&self) -> impl Iterator<Item = &Box<Tick>> {
        self.from(self.came)
    }

    /// Those from this one on that are still there.
    pub(crate) fn from(&self, from: u32) -> impl Iterator<Item = &Box<Tick>> {
        self.kept.range(from..).map(|(_, tick)| tick)
    }

    /// The first one that is still there; behind the last where none is.
    pub(crate) fn first(&self) -> u32 {
        self.kept.keys().next().copied().unwrap_or(self.ticks)
    }

    /// So many there were.
    pub(crate) const fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Requests that began in all of them.
    pub(crate) const fn started(&self) -> u64 {
        self.started
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(scheduled: u64) -> Box<Tick> {
        let mut tick = Tick::default();
        tick.counters.scheduled = scheduled;
        Box::new(tick)
    }

    fn indices<'a>(ticks: impl Iterator<Item = &'a Box<Tick>>) -> Vec<u32> {
        ticks.map(|tick| tick.index).collect()
    }

    #[test]
    fn tick_that_has_come_is_kept_a_minute_longer() {
        let mut seen = Unkept::of_ticks(20_000_000_000);
        for scheduled in 0..10 {
            assert_eq!(u64::from(seen.take(tick(scheduled)).index), scheduled);
        }
        assert_eq!((seen.ticks(), seen.started()), (10, 45));
        assert_eq!(indices(seen.not_come()).len(), 10);
        seen.came(7);
        // Late messages change nothing.
        seen.came(2);
        assert_eq!(indices(seen.not_come()), [7, 8, 9]);
        assert_eq!((seen.first(), indices(seen.from(5))), (4, vec![5, 6, 7, 8, 9]));
        // What it never saw cannot have come.
        seen.came(99);
        assert_eq!((seen.first(), indices(seen.not_come())), (7, vec![]));
        assert_eq!(Unkept::default().first(), 0);
    }
}
