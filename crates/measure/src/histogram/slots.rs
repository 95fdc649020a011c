//! A histogram as those of its slots that hold something.
//!
//! What is said of it is what HdrHistogram says of the same durations, to the last bit.

use super::Inner;

/// Values below this one have slots of their own; from there on each doubling has half as many slots.
const SLOTS_APART: u64 = 2048;
const SLOTS_OF_A_DOUBLING: u64 = SLOTS_APART / 2;
/// All slots: one hour is within the last doubling.
pub(crate) const SLOTS: u64 = SLOTS_APART + 31 * SLOTS_OF_A_DOUBLING;

/// Slots that hold something.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Slots {
    /// Least value of a slot, ns, and how many durations it holds; ascending, and none is 0.
    filled: Vec<(u64, u64)>,
    count: u64,
}

impl Slots {
    /// None yet, with room for so many.
    pub(crate) fn with_room_for(slots: usize) -> Self {
        let filled = Vec::with_capacity(slots);
        Self { filled, count: 0 }
    }

    /// Adds a slot behind those that are there, by its place among all slots; `None` where our histograms have none there.
    pub(crate) fn push(&mut self, place: u64, count: u64) -> Option<()> {
        let least_ns = least_ns(place)?;
        if count > 0 {
            self.filled.push((least_ns, count));
            self.count += count;
        }
        Some(())
    }

    /// Adds them to a histogram.
    pub(super) fn add_to(&self, inner: &mut Inner) {
        for &(least_ns, count) in &self.filled {
            inner.saturating_record_n(least_ns, count);
        }
    }

    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn quantile_ns(&self, quantile: f64) -> u64 {
        let wanted = ((quantile.min(1.0) * self.count as f64).ceil() as u64).max(1);
        let mut passed = 0;
        for &(least_ns, count) in &self.filled {
            passed += count;
            if passed >= wanted {
                return if quantile == 0.0 {
                    least_ns
                } else {
                    greatest_ns(least_ns)
                };
            }
        }
        0
    }

    pub(super) fn max_ns(&self) -> u64 {
        self.filled.last().map_or(0, |&(least_ns, _)| greatest_ns(least_ns))
    }

    pub(super) fn mean_ns(&self) -> f64 {
        let whole = self.count as f64;
        let part = |&(least_ns, count): &(u64, u64)| (least_ns + width_ns(least_ns) / 2) as f64 * count as f64 / whole;
        self.filled.iter().map(part).fold(0.0, |sum, part| sum + part)
    }

    pub(super) fn count_at_or_below(&self, ns: u64) -> u64 {
        let below = self.filled.iter().take_while(|(least_ns, _)| *least_ns <= ns);
        below.map(|(_, count)| count).sum()
    }
}

/// Least value of the slot at a place; `None` behind the last one.
const fn least_ns(place: u64) -> Option<u64> {
    if place < SLOTS_APART {
        return Some(place);
    }
    if place >= SLOTS {
        return None;
    }
    let doublings = place / SLOTS_OF_A_DOUBLING - 1;
    Some((place % SLOTS_OF_A_DOUBLING + SLOTS_OF_A_DOUBLING) << doublings)
}

/// Values that the slot of this one has.
const fn width_ns(ns: u64) -> u64 {
    match (ns / SLOTS_APART).checked_ilog2() {
        Some(doublings) => 1 << (doublings + 1),
        None => 1,
    }
}

/// Greatest value of a slot.
const fn greatest_ns(least_ns: u64) -> u64 {
    least_ns + width_ns(least_ns) - 1
}
