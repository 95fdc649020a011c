//! What one shard does with the content that its held connections receive: it finds the messages, and records what became of them.

use super::ledger::{Arrival, Ledger};
use super::order::Order;
use super::search::MarkSearch;
use crate::backend::Slot;
use crate::recorder::Recorder;
use std::sync::Arc;

pub(crate) struct Reception {
    ledger: Arc<Ledger>,
    search: MarkSearch,
    order: Order,
}

impl Reception {
    pub(crate) fn new(ledger: Arc<Ledger>) -> Self {
        Self {
            search: MarkSearch::new(ledger.marks),
            order: Order::new(ledger.sendings.senders),
            ledger,
        }
    }

    /// Takes a piece of the response to request `number`, on the connection of a slot.
    pub(crate) fn take(&mut self, slot: Slot, number: u64, piece: &[u8], now_ns: u64, recorder: &mut Recorder) {
        let (ledger, order) = (&self.ledger, &mut self.order);
        let sendings = &ledger.sendings;
        self.search
            .take(slot, number, piece, |message| match ledger.arrive(message) {
                Some(Arrival::First { delivered }) => {
                    let time_ns = now_ns.saturating_sub(sendings.intended_ns(message));
                    recorder.message(sendings.request, time_ns, delivered, order.is_kept(slot, message));
                }
                Some(Arrival::Again) => recorder.message_again(sendings.request),
                None => {}
            });
    }

    /// Whether nothing more is awaited.
    pub(crate) fn is_over(&self, now_ns: u64) -> bool {
        self.ledger.is_over(now_ns)
    }
}
