//! One generator thread: takes due requests from its source, puts them on connections, ticks.
//!
//! Generic over the backend, so that the whole shard also runs on a virtual clock.

use crate::backend::{Backend, Slot, Wake};
use crate::evidence;
use crate::pool::{Change, Pool};
use crate::pulse::{Pulse, Wakeups};
use crate::source::{Source, Start};
use crate::ticker::{Ticker, Ticks};
use plimsoll_measure::{ErrorClass, Tick};
use std::collections::VecDeque;

/// Due requests that wait for a connection; beyond it they are dropped, so that memory is bounded.
const QUEUE_LIMIT: usize = 1 << 20;
/// Connections being made at once, below the usual accept backlog of a service.
const CONNECTING_LIMIT: u32 = 256;
/// Due requests handed out before answers are looked at again.
const STARTS_PER_ROUND: usize = 64;
/// The longest wait, so that a stop is noticed.
const LONGEST_WAIT_NS: u64 = 50_000_000;
/// How finely timeouts are kept: this part of the shorter timeout.
const EXPIRE_PART: u64 = 50;
/// A thread that spins looks once in less than a microsecond. When it took this long, its core had something else to do.
const SPIN_LOOK_MAX_NS: u64 = 5_000;

/// Whether to go on after a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Start nothing more and leave what is in flight.
    Stop,
}

/// What a shard hands its ticks to.
pub(crate) trait Sink {
    /// Takes a tick.
    fn tick(&mut self, tick: Tick);

    /// Whether the run is to end now.
    fn stopped(&self) -> bool;
}

pub(crate) struct Shard<B> {
    pool: Pool<B>,
    source: Source,
    /// Due, and waiting for a connection.
    queue: VecDeque<Start>,
    /// Connections with room, the most recently used on top. May name some that have gone since.
    idle: Vec<Slot>,
    /// Whether a slot stands in `idle`.
    listed: Vec<bool>,
    changes: Vec<Change>,
    pulse: Pulse,
    ticker: Ticker,
    next_expire_ns: u64,
    expire_every_ns: u64,
}

impl<B: Backend> Shard<B> {
    /// The first tick begins at `start_ns`.
    pub(crate) fn new(pool: Pool<B>, source: Source, wakeups: Wakeups, start_ns: u64, ticks: Ticks) -> Self {
        let shortest = pool.limits.response_timeout_ns.min(pool.limits.connect_timeout_ns);
        let expire_every_ns = (shortest / EXPIRE_PART).clamp(1_000_000, 1_000_000_000);
        Self {
            ticker: Ticker::new(start_ns, ticks, source.end_ns()),
            pulse: Pulse::new(wakeups),
            pool,
            source,
            queue: VecDeque::new(),
            idle: Vec::new(),
            listed: Vec::new(),
            changes: Vec::new(),
            next_expire_ns: start_ns + expire_every_ns,
            expire_every_ns,
        }
    }

    /// Runs until all is sent and answered, or the sink says stop.
    pub(crate) fn run(mut self, sink: &mut impl Sink) {
        self.ticker.cpu_ns = self.pool.backend.cpu_ns();
        let mut now_ns = self.pool.backend.now_ns();
        while !sink.stopped() {
            let looked_ns = now_ns;
            let scheduled = self.pool.recorder.counters.scheduled;
            let more_due = self.start_due(now_ns);
            let started = self.pool.recorder.counters.scheduled > scheduled;
            now_ns = self.pool.backend.now_ns();
            if now_ns >= self.next_expire_ns {
                self.expire(now_ns);
            }
            while now_ns >= self.ticker.ends_ns() {
                self.tick(self.ticker.ends_ns(), sink);
            }
            if self.is_done(now_ns) {
                break;
            }
            if more_due || self.pulse.spins() {
                self.pool.backend.wait(now_ns, Wake::AtOnce);
            } else {
                let (until_ns, wake) = self.next_wake(now_ns);
                if let Some(due_ns) = self.source.due_after_next_ns() {
                    let then_ns = self.pulse.end_ns(due_ns.max(until_ns + 1));
                    self.pool.backend.expect(now_ns, then_ns);
                }
                self.pool.backend.wait(until_ns, wake);
            }
            let changed = self.take_changes();
            now_ns = self.pool.backend.now_ns();
            if self.pulse.spins() && !started && !changed {
                self.idled(now_ns - looked_ns);
            }
        }
        if now_ns > self.ticker.start_ns() {
            self.tick(now_ns, sink);
        }
    }

    /// The thread, which spins, has found nothing to do for so long.
    fn idled(&mut self, ns: u64) {
        if ns <= SPIN_LOOK_MAX_NS {
            self.pool.recorder.spun_ns += ns;
        }
    }

    fn is_done(&self, now_ns: u64) -> bool {
        self.queue.is_empty() && self.pool.in_flight() == 0 && self.source.is_exhausted(now_ns)
    }

    /// How long to wait, and whether an answer ends it; see [`Wakeups`].
    fn next_wake(&self, now_ns: u64) -> (u64, Wake) {
        let mut at_ns = self.ticker.ends_ns().min(now_ns + LONGEST_WAIT_NS);
        if !self.pool.is_empty() || !self.queue.is_empty() {
            at_ns = at_ns.min(self.next_expire_ns);
        }
        let Some(due_ns) = self.source.next_due_ns() else {
            return (at_ns, self.pulse.wake(self.pool.in_flight()));
        };
        let answers_wait = self.queue.is_empty() && self.pulse.answers_wait(self.pool.backend.stamps());
        if matches!(self.source, Source::Open(_)) && answers_wait {
            (at_ns.min(self.pulse.end_ns(due_ns)), Wake::AtTheEnd)
        } else {
            (at_ns.min(due_ns), Wake::AtOnce)
        }
    }

    /// Hands out what is due; `true` when there may be more.
    fn start_due(&mut self, mut now_ns: u64) -> bool {
        for _ in 0..STARTS_PER_ROUND {
            let Some(start) = self.source.take_due(now_ns) else {
                return false;
            };
            self.pool.recorder.counters.scheduled += 1;
            self.pool.recorder.woke(now_ns - start.intended_ns);
            self.pulse.arrival(start.intended_ns);
            self.submit(start, now_ns);
            // In the closed model one answer makes one start: a look at the clock for each would be for nothing.
            if self.source.next_due_ns().is_none_or(|due_ns| due_ns > now_ns) {
                return false;
            }
            now_ns = self.pool.backend.now_ns();
        }
        true
    }

    #[inline]
    fn submit(&mut self, start: Start, now_ns: u64) {
        // Whoever waits longer goes first.
        if self.queue.is_empty()
            && let Some(slot) = self.take_idle(now_ns)
        {
            self.pool.start(slot, start.number, start.intended_ns, now_ns);
            self.relist(slot);
            return;
        }
        if self.queue.len() >= QUEUE_LIMIT {
            self.pool.recorder.counters.dropped += 1;
            self.source.finished(start.intended_ns, now_ns, false);
            return;
        }
        self.queue.push_back(start);
        self.connect_for_queue(now_ns);
    }

    /// A connection with room, the most recently used first: so the pool stays as small as it can.
    #[inline]
    fn take_idle(&mut self, now_ns: u64) -> Option<Slot> {
        while let Some(slot) = self.idle.pop() {
            self.listed[slot as usize] = false;
            if self.pool.can_take_now(slot, now_ns) {
                return Some(slot);
            }
        }
        None
    }

    #[inline]
    fn relist(&mut self, slot: Slot) {
        let index = slot as usize;
        if index >= self.listed.len() {
            self.listed.resize(index + 1, false);
        }
        if !self.listed[index] && self.pool.can_take(slot) {
            self.listed[index] = true;
            self.idle.push(slot);
        }
    }

    /// Opens connections while more requests wait than connections are being made for them.
    fn connect_for_queue(&mut self, now_ns: u64) {
        while self.pool.has_room()
            && self.pool.connecting() < CONNECTING_LIMIT
            && (self.pool.connecting() as usize) < self.queue.len()
        {
            if let Err(class) = self.pool.connect(now_ns) {
                self.fail_waiting(class, now_ns);
                return;
            }
        }
    }

    /// The request that has waited longest fails, because its connection could not be made.
    fn fail_waiting(&mut self, class: ErrorClass, now_ns: u64) {
        if let Some(start) = self.queue.pop_front() {
            self.pool.recorder.failed(class);
            self.source.finished(start.intended_ns, now_ns, false);
        }
    }

    /// `true` when there was any.
    fn take_changes(&mut self) -> bool {
        let mut any = false;
        while let Some(change) = self.pool.next_change() {
            self.react(change);
            any = true;
        }
        any
    }

    #[inline]
    fn react(&mut self, change: Change) {
        let now_ns = match change {
            Change::Nothing => return,
            Change::Ready { now_ns, .. } => now_ns,
            Change::Lost | Change::ConnectFailed { .. } => self.pool.backend.now_ns(),
        };
        while let Some(intended_ns) = self.pool.take_finished() {
            self.source.finished(intended_ns, now_ns, true);
        }
        match change {
            Change::Nothing => {}
            Change::Ready { slot, .. } => {
                while self.pool.can_take(slot)
                    && let Some(start) = self.queue.pop_front()
                {
                    // The answer may have been there for a while.
                    let now_ns = self.pool.backend.now_ns();
                    self.pool.start(slot, start.number, start.intended_ns, now_ns);
                }
                self.relist(slot);
            }
            Change::Lost => {
                // They have waited longer than all others.
                while let Some(start) = self.pool.take_again() {
                    self.queue.push_front(start);
                }
                self.connect_for_queue(now_ns);
            }
            Change::ConnectFailed { class } => {
                self.fail_waiting(class, now_ns);
                self.connect_for_queue(now_ns);
            }
        }
        // The closed model starts its next request at once, while the connection is at hand.
        if let Source::Closed(_) = self.source {
            self.start_due(now_ns);
        }
    }

    fn expire(&mut self, now_ns: u64) {
        let timeout_ns = self.pool.limits.response_timeout_ns;
        while let Some(start) = self.queue.front()
            && now_ns.saturating_sub(start.intended_ns) >= timeout_ns
        {
            let intended_ns = start.intended_ns;
            self.queue.pop_front();
            let seen = || evidence::never_sent(timeout_ns);
            self.pool
                .recorder
                .show_failure(ErrorClass::ResponseTimeout, now_ns, seen);
            self.pool.recorder.timed_out(timeout_ns, None);
            self.source.finished(intended_ns, now_ns, true);
        }
        let mut changes = std::mem::take(&mut self.changes);
        let go_on_ns = self.pool.expire(now_ns, &mut changes);
        self.next_expire_ns = go_on_ns.unwrap_or(now_ns + self.expire_every_ns);
        for change in changes.drain(..) {
            self.react(change);
        }
        self.changes = changes;
    }

    fn tick(&mut self, end_ns: u64, sink: &mut impl Sink) {
        let cpu_ns = self.pool.backend.cpu_ns();
        let gauges = self.pool.gauges(self.queue.len() as u64);
        let span = self.ticker.next(end_ns);
        let tick = self.pool.recorder.take(span, gauges, cpu_ns - self.ticker.cpu_ns);
        self.ticker.cpu_ns = cpu_ns;
        sink.tick(tick);
    }
}
