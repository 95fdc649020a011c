//! What held connections say on themselves: messages that are due by their numbers, each on the connection of its sender.

use crate::backend::{Backend, Slot};
use crate::connection::{Protocol, Start};
use crate::messages::Ledger;
use crate::pool::Pool;
use crate::wake_policy::AWAITED_LOOK_NS;
use plimsoll_schedule::AgentShare;
use std::sync::Arc;

/// Messages sent before what came in is looked at.
const SENT_PER_ROUND: usize = 256;

pub(crate) struct Speaking {
    ledger: Arc<Ledger>,
    share: AgentShare,
    /// Connections of this shard, which take turns.
    own: u64,
    /// Messages of this shard that were due.
    due: u64,
    /// All connections of this shard are open, or cannot be.
    has_opened: bool,
    /// No more are to be sent.
    is_over: bool,
    /// The others know it.
    told: bool,
}

impl Speaking {
    /// Of the shard that holds this share of the connections, `own` of them.
    pub(crate) fn new(ledger: Arc<Ledger>, share: AgentShare, own: u64) -> Self {
        Self {
            ledger,
            share,
            own,
            due: 0,
            has_opened: false,
            is_over: false,
            told: false,
        }
    }

    /// The message that is due next, and for which of the connections.
    fn next(&self) -> Option<(u64, Slot)> {
        let (round, own) = (self.due.checked_div(self.own)?, self.due % self.own);
        let sender = self.share.first() + own * self.share.stride();
        let number = round * self.ledger.sendings.senders + sender;
        (!self.is_over && number < self.ledger.sendings.count).then_some((number, own as Slot))
    }

    /// When the next message is due, or when to look whether one is.
    pub(crate) fn next_ns(&self, now_ns: u64) -> Option<u64> {
        let (number, _) = self.next()?;
        Some(match self.ledger.first_ns() {
            Some(_) => self.ledger.intended_ns(number),
            None => now_ns + AWAITED_LOOK_NS,
        })
    }

    /// When no more are due; `None` where they have been ended before.
    pub(crate) fn end_ns(&self) -> Option<u64> {
        (!self.is_over).then(|| self.ledger.end_ns())
    }

    /// Sends what is due; `true` when there may be more. `opening` is whether connections of this shard are still being opened.
    pub(crate) fn send_due<B: Backend, C: Protocol>(
        &mut self,
        pool: &mut Pool<B, C>,
        opening: bool,
        mut now_ns: u64,
    ) -> bool {
        if !opening && !self.has_opened {
            self.has_opened = true;
            self.ledger.has_opened(now_ns);
        }
        for _ in 0..SENT_PER_ROUND {
            let Some((number, slot)) = self.next() else {
                self.end(now_ns);
                return false;
            };
            let due_ns = self.ledger.intended_ns(number);
            if due_ns > now_ns {
                return false;
            }
            pool.recorder.woke(now_ns - due_ns);
            pool.recorder.counters.scheduled += 1;
            self.due += 1;
            if pool.is_idle(slot) {
                pool.say_message(slot, Start::new(number, due_ns), now_ns);
                let (request, delivered) = (self.ledger.sendings.request, self.ledger.accept(number));
                pool.recorder.message_accepted(request, delivered);
            } else {
                // Its sender has lost its connection, or never had one.
                pool.recorder.dropped(self.ledger.sendings.request);
            }
            now_ns = pool.backend.now_ns();
        }
        true
    }

    /// No more are sent from now on.
    pub(crate) fn finish(&mut self) {
        self.is_over = true;
    }

    /// The others are told once that all has been sent.
    fn end(&mut self, now_ns: u64) {
        if !self.told && (self.is_over || now_ns >= self.ledger.end_ns()) {
            (self.is_over, self.told) = (true, true);
            self.ledger.has_sent_all();
        }
    }
}
