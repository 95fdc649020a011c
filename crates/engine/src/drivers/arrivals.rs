//! Starts requests when they are due, on whichever connection is free.

use super::{Driver, Starts};
use crate::backend::{Backend, Slot};
use crate::connection::{InFlight, Protocol, Start};
use crate::outcomes::{Holds, Outcomes};
use crate::pool::{Change, Limits, Pool};
use crate::recorder::Recorder;
use crate::wake_policy::{Awaited, Wait, WakePolicy, Wakeups};
use plimsoll_measure::ErrorClass;
use plimsoll_protocol::Response;
use std::collections::VecDeque;

/// Due requests that wait for a connection; beyond it they are dropped, so that memory is bounded.
const QUEUE_LIMIT: usize = 1 << 20;
/// Due requests handed out before responses are looked at again.
const STARTS_PER_ROUND: usize = 64;
/// How finely timeouts are kept: this part of the shorter timeout.
const EXPIRE_PART: u64 = 50;

/// Requests by a schedule (open model) or by users who wait for one another's responses (closed model).
pub(crate) struct Arrivals<S> {
    source: S,
    /// Due, and waiting for a connection.
    queue: VecDeque<Start>,
    /// Connections with room, the most recently used on top. May name some that have gone since.
    idle: Vec<Slot>,
    /// Whether a slot stands in `idle`.
    listed: Vec<bool>,
    changes: Vec<Change>,
    policy: WakePolicy,
    next_expire_ns: u64,
    expire_every_ns: u64,
}

impl<S: Starts> Arrivals<S> {
    pub(crate) fn new(source: S, wakeups: Wakeups, limits: &Limits, start_ns: u64) -> Self {
        let shortest = limits.response_timeout_ns.min(limits.connect_timeout_ns);
        let expire_every_ns = (shortest / EXPIRE_PART).clamp(1_000_000, 1_000_000_000);
        Self {
            source,
            queue: VecDeque::new(),
            idle: Vec::new(),
            listed: Vec::new(),
            changes: Vec::new(),
            policy: WakePolicy::new(wakeups),
            next_expire_ns: start_ns + expire_every_ns,
            expire_every_ns,
        }
    }

    /// The next request if it is due.
    #[expect(
        clippy::inline_always,
        reason = "left to itself, the compiler calls it: 30 instructions a request, now that each protocol has a loop of its own"
    )]
    #[inline(always)]
    fn take_due(&mut self, recorder: &mut Recorder, now_ns: u64) -> Option<Start> {
        let start = self.source.take_due(now_ns, recorder)?;
        recorder.counters.scheduled += 1;
        recorder.woke(now_ns - start.intended_ns);
        self.policy.arrival(start.intended_ns);
        Some(start)
    }

    #[inline]
    fn submit<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, start: Start, now_ns: u64) {
        if self.source.owns_connections() {
            return self.submit_own(pool, start, now_ns);
        }
        // Whoever waits longer goes first.
        if self.queue.is_empty()
            && let Some(slot) = self.take_idle(pool, now_ns)
        {
            self.source.send(pool, slot, start, now_ns);
            self.relist(pool, slot);
            return;
        }
        self.enqueue(pool, start, now_ns);
    }

    /// A request of a user with a connection of its own, or of one who is to have one: a new one, or one that was opened for somebody
    /// who did not wait for it.
    #[inline(never)]
    fn submit_own<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, start: Start, now_ns: u64) {
        self.close_left(pool, now_ns);
        let own = self.source.connection_of(&start);
        let mut slot = own
            .filter(|(owner, slot)| pool.owner(*slot) == Some(*owner) && pool.can_take_now(*slot, now_ns))
            .map(|(_, slot)| slot);
        while slot.is_none() && self.queue.is_empty() {
            let Some(unused) = self.take_idle(pool, now_ns) else {
                break;
            };
            slot = pool.owner(unused).is_none().then_some(unused);
        }
        match slot {
            Some(slot) => self.source.send(pool, slot, start, now_ns),
            None => self.enqueue(pool, start, now_ns),
        }
    }

    /// A connection can take a request, and is one user's or nobody's yet.
    #[inline(never)]
    fn own_ready<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, slot: Slot, now_ns: u64) {
        self.requeue(pool);
        let owner = pool.owner(slot);
        let is_for = |start: &Start| owner.is_none_or(|owner| self.source.connection_of(start) == Some((owner, slot)));
        if pool.can_take(slot) && self.queue.front().is_some_and(is_for) {
            if let Some(start) = self.queue.pop_front() {
                self.source.send_waiting(pool, slot, start, now_ns);
            }
        } else if owner.is_none() {
            self.relist(pool, slot);
        }
        self.connect_for_queue(pool, now_ns);
    }

    /// Closes connections of users who have left.
    #[inline]
    fn close_left<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) {
        let mut makes_room = false;
        while let Some((owner, slot)) = self.source.take_left() {
            pool.close_of(owner, slot);
            makes_room = true;
        }
        if makes_room {
            self.connect_for_queue(pool, now_ns);
        }
    }

    /// No connection is free.
    #[inline(never)]
    fn enqueue<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, start: Start, now_ns: u64) {
        if self.queue.len() >= QUEUE_LIMIT {
            let request = self.source.request_of(&start, &pool.requests);
            pool.recorder.dropped(request);
            self.source.finished(&start, now_ns, false, &mut pool.recorder);
            return;
        }
        self.queue.push_back(start);
        self.connect_for_queue(pool, now_ns);
    }

    /// A connection with room, the most recently used first: so the pool stays as small as it can.
    #[inline]
    fn take_idle<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) -> Option<Slot> {
        while let Some(slot) = self.idle.pop() {
            self.listed[slot as usize] = false;
            if pool.can_take_now(slot, now_ns) {
                return Some(slot);
            }
        }
        None
    }

    #[inline]
    fn relist<B: Backend, C: Protocol>(&mut self, pool: &Pool<B, C>, slot: Slot) {
        let index = slot as usize;
        if index >= self.listed.len() {
            self.listed.resize(index + 1, false);
        }
        if !self.listed[index] && pool.can_take(slot) {
            self.listed[index] = true;
            self.idle.push(slot);
        }
    }

    /// Opens connections while more requests wait than those that are being made will take.
    fn connect_for_queue<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) {
        while pool.may_connect() && pool.room_to_come() < self.queue.len() as u64 {
            if let Err(class) = pool.connect(now_ns) {
                self.fail_waiting(pool, class, now_ns);
                return;
            }
        }
    }

    /// A connection is gone or, for a reason of this class, could not be made.
    #[inline(never)]
    fn lost<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, not_connected: Option<ErrorClass>) {
        let now_ns = pool.backend.now_ns();
        self.close_left(pool, now_ns);
        if let Some(class) = not_connected {
            self.fail_waiting(pool, class, now_ns);
        }
        self.requeue(pool);
        self.connect_for_queue(pool, now_ns);
        if !self.source.is_scheduled() {
            self.start_due(pool, now_ns);
        }
    }

    /// Requests that go out on another connection have waited longer than all others.
    fn requeue<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>) {
        while let Some(start) = pool.take_again() {
            self.queue.push_front(start);
        }
    }

    /// The request that has waited longest fails, because its connection could not be made.
    fn fail_waiting<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, class: ErrorClass, now_ns: u64) {
        if let Some(start) = self.queue.pop_front() {
            let request = self.source.request_of(&start, &pool.requests);
            pool.fail_waiting(request, &start, class);
            self.source.finished(&start, now_ns, false, &mut pool.recorder);
        }
    }

    /// Requests that have waited for a connection until their time was over.
    fn expire_queue<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) {
        let timeout_ns = pool.limits.response_timeout_ns;
        while let Some(&start) = self.queue.front()
            && now_ns.saturating_sub(start.intended_ns) >= timeout_ns
        {
            let request = self.source.request_of(&start, &pool.requests);
            pool.time_out_waiting(request, &start, now_ns);
            self.source.finished(&start, now_ns, true, &mut pool.recorder);
            self.queue.pop_front();
        }
    }
}

impl<S: Starts> Outcomes for Arrivals<S> {
    const HOLDS: Holds = Holds::Nothing;
    const TAKES_CONTENT: bool = S::TAKES_CONTENT;

    #[inline]
    fn responded(
        &mut self,
        request: &InFlight,
        response: &Response<'_>,
        failure: Option<ErrorClass>,
        now_ns: u64,
        recorder: &mut Recorder,
    ) {
        self.source.responded(request, response, failure, now_ns, recorder);
    }

    #[inline]
    fn content(&mut self, _slot: Slot, request: &InFlight, piece: &[u8], _now_ns: u64, _recorder: &mut Recorder) {
        self.source.content(request, piece);
    }

    #[inline]
    fn wants_head(&self, request: u16) -> bool {
        self.source.wants_head(request)
    }

    fn failed(&mut self, request: &InFlight, now_ns: u64, recorder: &mut Recorder) {
        self.source.finished(&request.elsewhere(false), now_ns, true, recorder);
    }

    fn values_of(&mut self, request: &InFlight) -> Option<&[Vec<u8>]> {
        self.source.values_of(request)
    }

    fn redirected(&mut self, start: Start, response: &Response<'_>) {
        self.source.redirected(&start, response);
        self.queue.push_front(start);
    }
}

impl<S: Starts> Driver for Arrivals<S> {
    fn begin<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) {
        while pool.is_below_start() && pool.may_connect() {
            // Whoever needs it later says why there is none.
            if pool.connect(now_ns).is_err() {
                return;
            }
        }
    }

    fn start_due<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, mut now_ns: u64) -> bool {
        for _ in 0..STARTS_PER_ROUND {
            let Some(start) = self.take_due(&mut pool.recorder, now_ns) else {
                self.close_left(pool, now_ns);
                return false;
            };
            self.submit(pool, start, now_ns);
            // In the closed model one response makes one start: a look at the clock for each would be for nothing.
            if self.source.next_due_ns(now_ns).is_none_or(|due_ns| due_ns > now_ns) {
                return false;
            }
            now_ns = pool.backend.now_ns();
        }
        true
    }

    #[inline]
    fn react<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, change: Change) {
        let now_ns = match change {
            Change::Nothing => return,
            Change::Connected { slot, now_ns } => return pool.start_opening(slot, now_ns),
            Change::Ready { slot, now_ns } if self.source.owns_connections() => {
                self.close_left(pool, now_ns);
                self.own_ready(pool, slot, now_ns);
                now_ns
            }
            Change::Ready { slot, now_ns } => {
                if C::INDEPENDENT {
                    self.requeue(pool);
                }
                while pool.can_take(slot)
                    && let Some(start) = self.queue.pop_front()
                {
                    // The response may have been there for a while.
                    let now_ns = pool.backend.now_ns();
                    self.source.send_waiting(pool, slot, start, now_ns);
                }
                // The closed model starts its next request at once, while the connection is at hand.
                while !self.source.is_scheduled()
                    && pool.can_take(slot)
                    && let Some(start) = self.take_due(&mut pool.recorder, now_ns)
                {
                    self.source.send(pool, slot, start, now_ns);
                }
                self.relist(pool, slot);
                if C::INDEPENDENT {
                    // Its connection may be one that takes no more.
                    self.connect_for_queue(pool, now_ns);
                }
                now_ns
            }
            Change::Lost | Change::NotOpened => return self.lost(pool, None),
            Change::ConnectFailed { class } => return self.lost(pool, Some(class)),
        };
        if !self.source.is_scheduled() {
            self.start_due(pool, now_ns);
        }
    }

    #[inline]
    fn expire<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) {
        if now_ns < self.next_expire_ns {
            return;
        }
        self.expire_queue(pool, now_ns);
        let mut changes = std::mem::take(&mut self.changes);
        let go_on_ns = pool.expire_all(now_ns, self, &mut changes);
        self.next_expire_ns = go_on_ns.unwrap_or(now_ns + self.expire_every_ns);
        for change in changes.drain(..) {
            self.react(pool, change);
        }
        self.changes = changes;
    }

    fn wait<B: Backend, C: Protocol>(&self, pool: &Pool<B, C>, now_ns: u64, tick_ends_ns: u64) -> Wait {
        let may_expire = !pool.is_empty() || !self.queue.is_empty();
        let awaited = Awaited {
            latest_ns: if may_expire {
                tick_ends_ns.min(self.next_expire_ns)
            } else {
                tick_ends_ns
            },
            due_ns: self.source.next_due_ns(now_ns),
            after_ns: self.source.due_after_next_ns(),
            scheduled: self.source.is_scheduled(),
            queued: !self.queue.is_empty(),
            in_flight: pool.in_flight(),
            stamped: pool.stamps_each(),
        };
        self.policy.wait(now_ns, &awaited)
    }

    fn spins(&self) -> bool {
        self.policy.spins()
    }

    fn is_done<B: Backend, C: Protocol>(&self, pool: &Pool<B, C>, now_ns: u64) -> bool {
        self.queue.is_empty() && pool.in_flight() == 0 && !pool.is_closing() && self.source.is_exhausted(now_ns)
    }

    fn queued(&self) -> u64 {
        self.queue.len() as u64
    }

    fn users(&self) -> Option<u64> {
        self.source.users()
    }

    fn end_ns(&self) -> Option<u64> {
        self.source.end_ns()
    }

    fn finish(&mut self, now_ns: u64) {
        self.source.finish(now_ns);
    }
}
