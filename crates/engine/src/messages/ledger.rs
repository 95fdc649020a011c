//! Which messages of a run the service has accepted, and which have arrived: two bits of each. All shards share it.

use super::mark::{MESSAGES_MAX, Marks};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

const ACCEPTED: u64 = 1;
const ARRIVED: u64 = 2;
const BITS_EACH: u64 = 2;
const MESSAGES_PER_WORD: u64 = u64::BITS as u64 / BITS_EACH;
/// Words that are made together, once the first of them is needed: memory grows with what is sent.
const WORDS_PER_CHUNK: u64 = 1 << 13;

/// When messages are sent, which follows from their numbers alone: so they need no time stamp, and lateness of the generator counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sendings {
    /// When the first is due, ns; `None` where that is once all connections are open, or cannot be.
    pub(crate) first_ns: Option<u64>,
    /// For so long messages are due, ns.
    pub(crate) duration_ns: u64,
    /// Messages per second, in millionths.
    pub(crate) micro_per_s: u64,
    pub(crate) count: u64,
    /// Number n is sent for connection n modulo so many.
    pub(crate) senders: u64,
    /// For so long messages are awaited once no more are sent.
    pub(crate) awaited_ns: u64,
    /// Which request of the scenario sends them.
    pub(crate) request: u16,
    /// Connections that each is for; `None` where nobody knows.
    pub(crate) receivers: Option<u64>,
}

/// What became of a message that arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrival {
    /// It had not arrived before. With that it is delivered, unless the service has still to say that it accepts it.
    First { delivered: bool },
    /// It had.
    Again,
}

#[derive(Debug)]
pub(crate) struct Ledger {
    pub(crate) marks: Marks,
    pub(crate) sendings: Sendings,
    chunks: Box<[OnceLock<Box<[AtomicU64]>>]>,
    accepted: AtomicU64,
    delivered: AtomicU64,
    /// Arrivals at further connections.
    copies: AtomicU64,
    /// Shards that have still something to send.
    sending: AtomicU32,
    /// Shards whose connections are still being opened.
    opening: AtomicU32,
    /// When the first is due; [`UNKNOWN`] as long as nobody knows.
    first_ns: AtomicU64,
}

const UNKNOWN: u64 = u64::MAX;

impl Ledger {
    /// Of messages that so many shards send.
    pub(crate) fn new(marks: Marks, sendings: Sendings, sending: u32) -> Self {
        let sendings = Sendings {
            count: sendings.count.min(MESSAGES_MAX),
            ..sendings
        };
        let words = sendings.count.div_ceil(MESSAGES_PER_WORD);
        Self {
            marks,
            sendings,
            chunks: (0..words.div_ceil(WORDS_PER_CHUNK)).map(|_| OnceLock::new()).collect(),
            accepted: AtomicU64::new(0),
            delivered: AtomicU64::new(0),
            copies: AtomicU64::new(0),
            sending: AtomicU32::new(sending),
            opening: AtomicU32::new(sending),
            first_ns: AtomicU64::new(sendings.first_ns.unwrap_or(UNKNOWN)),
        }
    }

    /// All connections of one of the shards that send are open, or cannot be opened. To be said once by each.
    pub(crate) fn has_opened(&self, now_ns: u64) {
        if self.opening.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.first_ns.store(now_ns, Ordering::Release);
        }
    }

    /// When the first message is due, ns; `None` as long as nobody knows.
    pub(crate) fn first_ns(&self) -> Option<u64> {
        let first_ns = self.first_ns.load(Ordering::Acquire);
        (first_ns != UNKNOWN).then_some(first_ns)
    }

    /// When no more messages are due, ns.
    pub(crate) fn end_ns(&self) -> u64 {
        self.first_ns
            .load(Ordering::Acquire)
            .saturating_add(self.sendings.duration_ns)
    }

    /// When a message was to be sent, ns.
    pub(crate) fn intended_ns(&self, number: u64) -> u64 {
        let after_ns = u128::from(number) * 1_000_000_000_000_000 / u128::from(self.sendings.micro_per_s.max(1));
        self.first_ns
            .load(Ordering::Acquire)
            .saturating_add(u64::try_from(after_ns).unwrap_or(u64::MAX))
    }

    /// The service has accepted a message. Says whether with that it is delivered, because it had arrived before.
    pub(crate) fn accept(&self, number: u64) -> bool {
        let before = self.set(number, ACCEPTED);
        self.accepted.fetch_add(1, Ordering::Relaxed);
        let delivered = before & ARRIVED != 0;
        if delivered {
            self.delivered.fetch_add(1, Ordering::Relaxed);
        }
        delivered
    }

    /// A message has arrived; `None` if none with this number is ever sent.
    pub(super) fn arrive(&self, number: u64) -> Option<Arrival> {
        if number >= self.sendings.count {
            return None;
        }
        let before = self.set(number, ARRIVED);
        if before & ARRIVED != 0 {
            return Some(Arrival::Again);
        }
        let delivered = before & ACCEPTED != 0;
        if delivered {
            self.delivered.fetch_add(1, Ordering::Relaxed);
        }
        Some(Arrival::First { delivered })
    }

    /// A message for several connections has arrived at a further one.
    pub(super) fn arrive_further(&self) {
        self.copies.fetch_add(1, Ordering::Relaxed);
    }

    /// One of the shards that send has sent all that it is to send, and has the responses where there are any. To be said once by each.
    pub(crate) fn has_sent_all(&self) {
        self.sending.fetch_sub(1, Ordering::Release);
    }

    /// Whether nothing more is awaited: every message that was accepted has arrived, or has had its time.
    pub(crate) fn is_over(&self, now_ns: u64) -> bool {
        let all_sent = self.sending.load(Ordering::Acquire) == 0;
        let (accepted, delivered) = (
            self.accepted.load(Ordering::Relaxed),
            self.delivered.load(Ordering::Relaxed),
        );
        let under_way = match self.sendings.receivers {
            Some(each) if each > 1 => delivered + self.copies.load(Ordering::Relaxed) < accepted * each,
            _ => accepted != delivered,
        };
        (all_sent && !under_way) || now_ns >= self.end_ns().saturating_add(self.sendings.awaited_ns)
    }

    /// Sets a bit of a message, and gives those that it had.
    fn set(&self, number: u64, bit: u64) -> u64 {
        let word = number / MESSAGES_PER_WORD;
        let shift = number % MESSAGES_PER_WORD * BITS_EACH;
        let chunk = self.chunks[(word / WORDS_PER_CHUNK) as usize]
            .get_or_init(|| (0..WORDS_PER_CHUNK).map(|_| AtomicU64::new(0)).collect());
        let before = chunk[(word % WORDS_PER_CHUNK) as usize].fetch_or(bit << shift, Ordering::AcqRel);
        before >> shift & (ACCEPTED | ARRIVED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn ledger(count: u64) -> Ledger {
        let sendings = Sendings {
            first_ns: Some(10),
            duration_ns: 990,
            micro_per_s: 3_000_000,
            count,
            senders: 3,
            awaited_ns: 100,
            request: 1,
            receivers: Some(1),
        };
        Ledger::new(Marks::default(), sendings, 1)
    }

    #[test]
    fn whoever_completes_the_pair_delivers_it_once() {
        let ledger = ledger(2);
        assert!(!ledger.accept(0));
        assert_eq!(ledger.arrive(0), Some(Arrival::First { delivered: true }));
        assert_eq!(ledger.arrive(1), Some(Arrival::First { delivered: false }));
        assert!(ledger.accept(1));
        assert_eq!(ledger.arrive(1), Some(Arrival::Again));
        assert_eq!(ledger.arrive(2), None);
    }

    #[test]
    fn times_follow_from_numbers() {
        let ledger = ledger(2);
        assert_eq!(
            [0, 1, 3].map(|number| ledger.intended_ns(number)),
            [10, 333_333_343, 1_000_000_010]
        );
    }

    #[test]
    fn messages_are_due_once_all_shards_have_opened() {
        let sendings = Sendings {
            first_ns: None,
            ..ledger(2).sendings
        };
        let ledger = Ledger::new(Marks::default(), sendings, 2);
        ledger.has_opened(5);
        assert_eq!((ledger.first_ns(), ledger.end_ns()), (None, u64::MAX));
        ledger.has_opened(7);
        assert_eq!((ledger.first_ns(), ledger.end_ns()), (Some(7), 997));
    }

    #[test]
    fn what_is_under_way_is_awaited_for_a_while() {
        let ledger = ledger(1);
        assert!(!ledger.is_over(1000), "not all are sent");
        ledger.accept(0);
        ledger.has_sent_all();
        assert!(!ledger.is_over(1099), "one is under way");
        assert!(ledger.is_over(1100));
        ledger.arrive(0);
        assert!(ledger.is_over(0));
    }

    #[test]
    fn each_is_delivered_once_whoever_is_first() {
        const COUNT: u64 = 600_000;
        let ledger = ledger(COUNT);
        let (accepted, arrived) = thread::scope(|scope| {
            let accepts = scope.spawn(|| (0..COUNT).filter(|&number| ledger.accept(number)).count());
            let arrives = scope.spawn(|| {
                let delivered = Some(Arrival::First { delivered: true });
                (0..COUNT).filter(|&number| ledger.arrive(number) == delivered).count()
            });
            (accepts.join().expect("it ends"), arrives.join().expect("it ends"))
        });
        assert_eq!((accepted + arrived) as u64, COUNT);
        ledger.has_sent_all();
        assert!(ledger.is_over(0));
    }
}
