//! The engine's outside world on a virtual clock: connections that always succeed, and at their far end a peer that says what
//! it says at known times, in whatever protocol. Hours pass in seconds, and every run is the same.

use plimsoll_engine::backend::{Arrived, Backend, End, Event, Fault, Gathers, Slot, Wake};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A shard that waits so often in a row while nothing happens and no time passes would do so for ever.
const IDLE_WAITS_MAX: u32 = 1000;

const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/// The far end of connections.
pub trait Peer {
    /// What it says, once these bytes have come on the connection of a slot: each piece with the time at which it arrives,
    /// which is not before `now_ns`.
    fn receive(&mut self, slot: Slot, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)>;

    /// The connection of a slot is new.
    fn connected(&mut self, _slot: Slot) {}
}

impl<P: Peer + ?Sized> Peer for Box<P> {
    fn receive(&mut self, slot: Slot, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        (**self).receive(slot, bytes, now_ns)
    }

    fn connected(&mut self, slot: Slot) {
        (**self).connected(slot);
    }
}

/// Tells when a request that arrives at a given time has its response; both in nanoseconds.
pub trait ResponseTime {
    /// Must be at or after `arrived_ns`.
    fn responds_at_ns(&mut self, arrived_ns: u64) -> u64;
}

impl<F: FnMut(u64) -> u64> ResponseTime for F {
    fn responds_at_ns(&mut self, arrived_ns: u64) -> u64 {
        self(arrived_ns)
    }
}

/// A service that speaks HTTP/1.1 and responds alike to every request. A request has no body, and comes in one piece.
pub struct Http1Service<S>(S);

impl<S: ResponseTime> Peer for Http1Service<S> {
    fn receive(&mut self, _slot: Slot, _bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        vec![(self.0.responds_at_ns(now_ns), Cow::Borrowed(RESPONSE))]
    }
}

/// Responds at once, but for `frozen_ns` at the end of every `period_ns`, in which it does nothing.
#[must_use]
pub fn freezing(period_ns: u64, frozen_ns: u64) -> impl ResponseTime {
    move |arrived_ns: u64| {
        let phase_ns = arrived_ns % period_ns;
        if phase_ns < period_ns - frozen_ns {
            arrived_ns
        } else {
            arrived_ns - phase_ns + period_ns
        }
    }
}

/// How a service ends connections that rest for too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closing {
    /// After so long without a request, ns.
    pub after_ns: u64,
    /// The client sees it so much later, ns. What it sends meanwhile nobody reads.
    pub seen_after_ns: u64,
}

/// A backend whose time passes only while the shard waits.
pub struct VirtualBackend<P> {
    peer: P,
    /// How long the service takes to accept a connection, ns.
    accepting_ns: u64,
    closing: Option<Closing>,
    /// When the service ends the connection of a slot, if nothing comes on it.
    closes_ns: Vec<u64>,
    now_ns: u64,
    /// Waits since something happened or time passed.
    idle_waits: u32,
    pending: BinaryHeap<Reverse<(u64, u64, Slot, Kind)>>,
    /// Keeps events of the same moment in the order in which they were made.
    sequence: u64,
    /// How often a slot has been closed, so that events of an earlier connection are told apart.
    generation: Vec<u64>,
    /// What peers have said and has not arrived, by its place in the sequence; and what arrived last.
    said: HashMap<u64, Cow<'static, [u8]>>,
    arrived: Cow<'static, [u8]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Connected {
        generation: u64,
    },
    Said {
        generation: u64,
    },
    /// The service has ended the connection at this time, if it ended it then.
    Closed {
        generation: u64,
        closes_ns: u64,
    },
}

impl<S: ResponseTime> VirtualBackend<Http1Service<S>> {
    /// Before a service that speaks HTTP/1.1. The clock begins at zero.
    pub fn new(service: S) -> Self {
        Self::before(Http1Service(service))
    }
}

impl<P: Peer> VirtualBackend<P> {
    /// Before a peer of any protocol. The clock begins at zero.
    pub fn before(peer: P) -> Self {
        Self {
            peer,
            accepting_ns: 0,
            closing: None,
            closes_ns: Vec::new(),
            now_ns: 0,
            idle_waits: 0,
            pending: BinaryHeap::new(),
            sequence: 0,
            generation: Vec::new(),
            said: HashMap::new(),
            arrived: Cow::Borrowed(&[]),
        }
    }

    /// With a service that accepts each connection so long after it is asked for, ns.
    #[must_use]
    pub fn accepting_after(mut self, accepting_ns: u64) -> Self {
        self.accepting_ns = accepting_ns;
        self
    }

    /// With a service that ends connections which rest for too long.
    #[must_use]
    pub fn closing(mut self, closing: Closing) -> Self {
        self.closing = Some(closing);
        self
    }

    /// The same before any peer: an engine that is compiled for it is compiled for all of them.
    pub fn before_any<'p>(self) -> VirtualBackend<Box<dyn Peer + 'p>>
    where
        P: 'p,
    {
        VirtualBackend {
            peer: Box::new(self.peer),
            accepting_ns: self.accepting_ns,
            closing: self.closing,
            closes_ns: self.closes_ns,
            now_ns: self.now_ns,
            idle_waits: self.idle_waits,
            pending: self.pending,
            sequence: self.sequence,
            generation: self.generation,
            said: self.said,
            arrived: self.arrived,
        }
    }

    /// When a wait for so many events ends: with the last of them or after a while, but not before the first.
    fn together_ns(&self, events: usize, within_ns: u64) -> Option<u64> {
        let mut times_ns: Vec<u64> = self.pending.iter().map(|&Reverse((at_ns, ..))| at_ns).collect();
        times_ns.sort_unstable();
        let limit_ns = self.now_ns + within_ns;
        let last_ns = times_ns.get(events.saturating_sub(1)).copied();
        Some(last_ns.unwrap_or(limit_ns).min(limit_ns).max(*times_ns.first()?))
    }

    fn push(&mut self, at_ns: u64, slot: Slot, kind: Kind) {
        self.sequence += 1;
        self.pending.push(Reverse((at_ns, self.sequence, slot, kind)));
    }
}

impl<P: Peer> Backend for VirtualBackend<P> {
    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn cpu_ns(&self) -> u64 {
        0
    }

    fn connect(&mut self, slot: Slot) -> Result<(), Fault> {
        let index = slot as usize;
        if index >= self.generation.len() {
            self.generation.resize(index + 1, 0);
            self.closes_ns.resize(index + 1, u64::MAX);
        }
        self.push(
            self.now_ns + self.accepting_ns,
            slot,
            Kind::Connected {
                generation: self.generation[index],
            },
        );
        Ok(())
    }

    fn stamps(&self) -> bool {
        true
    }

    fn gathers(&self) -> Gathers {
        // No time passes until then.
        Gathers::All
    }

    fn ended_before_it_read(&mut self, _slot: Slot) -> Option<bool> {
        Some(true)
    }

    fn send(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) -> usize {
        let mut bytes = Vec::new();
        write(&mut bytes);
        if self.closes_ns[slot as usize] <= self.now_ns {
            return bytes.len();
        }
        self.closes_ns[slot as usize] = u64::MAX;
        let generation = self.generation[slot as usize];
        for (at_ns, said) in self.peer.receive(slot, &bytes, self.now_ns) {
            self.push(at_ns, slot, Kind::Said { generation });
            self.said.insert(self.sequence, said);
        }
        bytes.len()
    }

    fn close(&mut self, slot: Slot) {
        self.generation[slot as usize] += 1;
        self.closes_ns[slot as usize] = u64::MAX;
    }

    fn wait(&mut self, until_ns: u64, wake: Wake) {
        let next_ns = match wake {
            Wake::AtOnce => self.pending.peek().map_or(until_ns, |&Reverse((at_ns, ..))| at_ns),
            Wake::Together { events, within_ns } => self.together_ns(events, within_ns).unwrap_or(until_ns),
            Wake::AtTheEnd => until_ns,
        };
        let before_ns = self.now_ns;
        self.now_ns = self.now_ns.max(next_ns.min(until_ns));
        self.idle_waits = match self.now_ns > before_ns {
            true => 0,
            false => self.idle_waits + 1,
        };
        assert!(
            self.idle_waits < IDLE_WAITS_MAX,
            "the shard spins at {} ns",
            self.now_ns
        );
    }

    fn next_event(&mut self) -> Option<Event<'_>> {
        while self
            .pending
            .peek()
            .is_some_and(|&Reverse((at_ns, ..))| at_ns <= self.now_ns)
        {
            self.idle_waits = 0;
            let Reverse((at_ns, sequence, slot, kind)) = self.pending.pop()?;
            let said = self.said.remove(&sequence);
            let current = self.generation[slot as usize];
            match kind {
                Kind::Connected { generation } if generation == current => {
                    self.peer.connected(slot);
                    return Some(Event::Connected(slot));
                }
                Kind::Said { generation } if generation == current => {
                    if let Some(closing) = self.closing {
                        let closes_ns = at_ns + closing.after_ns;
                        self.closes_ns[slot as usize] = closes_ns;
                        self.push(
                            closes_ns + closing.seen_after_ns,
                            slot,
                            Kind::Closed { generation, closes_ns },
                        );
                    }
                    self.arrived = said?;
                    let found_ns = self.now_ns;
                    return Some(Event::Received(slot, &self.arrived, Arrived { at_ns, found_ns }));
                }
                Kind::Closed { generation, closes_ns }
                    if generation == current && self.closes_ns[slot as usize] == closes_ns =>
                {
                    return Some(Event::Closed(slot, End::Finished));
                }
                _ => {}
            }
        }
        None
    }
}
