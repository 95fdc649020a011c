//! Whether messages of one sender come to one receiver in the order in which they were sent.

use super::mark::mixed;
use crate::backend::Slot;

/// Pairs of sender and receiver that are kept at a time, so that memory is bounded. A pair that finds its place taken takes it over.
const PLACES: usize = 1 << 16;

/// The last message of a sender at a receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Last {
    receiver: Slot,
    sender: u32,
    number: u64,
}

/// The last messages between pairs of one shard's receivers and all senders.
#[derive(Debug)]
pub(super) struct Order {
    senders: u64,
    /// Empty until there is something to keep.
    places: Vec<Option<Last>>,
}

impl Order {
    /// Where number n is of sender n modulo `senders`.
    pub(super) fn new(senders: u64) -> Self {
        Self {
            senders: senders.max(1),
            places: Vec::new(),
        }
    }

    /// Whether a message comes behind the one of the same sender that came to this receiver before; `None` where none did that is still known.
    pub(super) fn is_kept(&mut self, receiver: Slot, number: u64) -> Option<bool> {
        if self.places.is_empty() {
            self.places.resize(PLACES, None);
        }
        // There are fewer connections than that.
        let sender = (number % self.senders) as u32;
        let place = mixed(u64::from(receiver) << 32 | u64::from(sender)) as usize % PLACES;
        let last = &mut self.places[place];
        let before = last.filter(|last| (last.receiver, last.sender) == (receiver, sender));
        let is_kept = before.map(|last| last.number < number);
        *last = Some(Last {
            receiver,
            sender,
            number: before.map_or(number, |last| last.number.max(number)),
        });
        is_kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_messages_of_one_sender_to_one_receiver_have_an_order() {
        let mut order = Order::new(10);
        let seen =
            [(1, 3), (2, 13), (1, 4), (1, 23), (1, 13), (1, 33), (2, 3)].map(|(to, number)| order.is_kept(to, number));
        let expected = [None, None, None, Some(true), Some(false), Some(true), Some(false)];
        assert_eq!(seen, expected);
    }

    #[test]
    fn memory_does_not_grow_with_the_pairs() {
        let mut order = Order::new(1);
        for receiver in 0..3 * PLACES as Slot {
            order.is_kept(receiver, 0);
        }
        assert_eq!(order.places.len(), PLACES);
    }
}
