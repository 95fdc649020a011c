//! What one shard does with the content that its held connections receive: it finds the messages, and records what became of them.

use super::ledger::{Arrival, Ledger};
use super::order::Order;
use super::search::MarkSearch;
use super::seen::Seen;
use crate::backend::Slot;
use crate::recorder::Recorder;
use std::sync::Arc;

pub(crate) struct Reception {
    ledger: Arc<Ledger>,
    search: MarkSearch,
    order: Order,
    /// Where messages are for several connections.
    seen: Option<Seen>,
}

impl Reception {
    pub(crate) fn new(ledger: Arc<Ledger>) -> Self {
        Self {
            search: MarkSearch::new(ledger.marks),
            order: Order::new(ledger.sendings.senders),
            seen: (ledger.sendings.receivers != Some(1)).then(Seen::default),
            ledger,
        }
    }

    /// Takes a piece of the response to request `number`, on the connection of a slot or of a client that shares one.
    pub(crate) fn take(&mut self, slot: Slot, number: u64, piece: &[u8], now_ns: u64, recorder: &mut Recorder) {
        let (ledger, order, seen) = (&self.ledger, &mut self.order, &mut self.seen);
        let sendings = &ledger.sendings;
        self.search.take(slot, number, piece, |message| {
            let Some(arrival) = ledger.arrive(message) else { return };
            let is_first_here = seen.as_mut().is_some_and(|seen| seen.is_first(slot, message));
            let time_ns = now_ns.saturating_sub(ledger.intended_ns(message));
            match arrival {
                Arrival::First { delivered } => {
                    recorder.message(sendings.request, time_ns, delivered, order.is_kept(slot, message));
                }
                Arrival::Again if is_first_here => {
                    ledger.arrive_further();
                    recorder.message_copy(sendings.request, time_ns, order.is_kept(slot, message));
                }
                Arrival::Again => recorder.message_again(sendings.request),
            }
        });
    }

    /// Takes a piece of a message that came by itself. No mark goes on behind its end.
    pub(crate) fn take_message(&mut self, slot: Slot, piece: &[u8], ends: bool, now_ns: u64, recorder: &mut Recorder) {
        self.take(slot, 0, piece, now_ns, recorder);
        if ends {
            self.search.end(slot);
        }
    }

    /// Whether nothing more is awaited.
    pub(crate) fn is_over(&self, now_ns: u64) -> bool {
        self.ledger.is_over(now_ns)
    }
}
