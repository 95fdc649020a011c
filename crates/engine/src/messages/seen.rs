//! Which messages for several connections have come to which of them, so that none counts twice at one.

use super::mark::mixed;
use crate::backend::Slot;

/// Arrivals that are remembered, so that memory is bounded: 8 MB for each shard. One that finds its place taken takes it over, so that a
/// message that comes once more after a million others may count as a further arrival, and none ever counts as doubled that is not.
const PLACES: usize = 1 << 20;

/// The last arrivals at the connections of one shard.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Empty until there is something to keep. Connection and number, in bits that no other pair has.
    places: Vec<u64>,
}

/// Of a connection; what is left are those of the number.
const SLOT_BITS: u32 = 24;

impl Seen {
    /// Notes an arrival; whether it is the first of this message at this connection, as far as is known.
    pub(super) fn is_first(&mut self, slot: Slot, number: u64) -> bool {
        if self.places.is_empty() {
            self.places.resize(PLACES, u64::MAX);
        }
        // A shard has fewer connections than 16 million, and a run fewer messages than 2^40.
        let pair = number << SLOT_BITS | u64::from(slot) & ((1 << SLOT_BITS) - 1);
        let place = &mut self.places[mixed(pair) as usize % PLACES];
        std::mem::replace(place, pair) != pair
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_connection_gets_a_message_once() {
        let mut seen = Seen::default();
        let first = [(1, 7), (2, 7), (1, 8), (1, 7), (2, 7), (1, 9)].map(|(slot, number)| seen.is_first(slot, number));
        assert_eq!(first, [true, true, true, false, false, true]);
    }

    #[test]
    fn what_is_forgotten_is_never_taken_for_another() {
        let mut seen = Seen::default();
        for number in 0..3 * PLACES as u64 {
            assert!(seen.is_first(3, number), "{number}");
        }
        assert_eq!(seen.places.len(), PLACES);
    }
}
