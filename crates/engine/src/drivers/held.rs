//! Holds connections: opens its part of them at a pace, parks a request on each or leaves it idle, and counts what is lost.
//!
//! None takes the place of one that is lost, so the number of live ones tells the truth.

use super::delivery::deliver;
use super::opening::Opening;
use super::{Driver, Speaking, nanos};
use crate::backend::{Backend, Slot};
use crate::connection::{InFlight, Protocol, Start};
use crate::deadlines::Deadlines;
use crate::messages::Reception;
use crate::outcomes::{Holds, Outcomes};
use crate::pool::{CLOSING_NS, Change, Limits, Pool};
use crate::recorder::Recorder;
use crate::wake_policy::Wait;
use plimsoll_measure::ErrorClass;
use plimsoll_plan::{HoldLoad, Park};
use plimsoll_protocol::Response;
use plimsoll_schedule::AgentShare;

/// Connections begun before responses are looked at again.
pub(super) const STARTS_PER_ROUND: usize = 64;
/// A request whose response was not accepted is parked again after this long, so that a failing service is not hammered.
pub(super) const AGAIN_AFTER_NS: u64 = 1_000_000_000;

/// What is held.
#[derive(Debug, Clone)]
pub(crate) struct Holding {
    pub(crate) load: HoldLoad,
    /// The connections and requests of this shard.
    pub(crate) share: AgentShare,
    pub(crate) start_ns: u64,
    /// Zero of the shard's clock on the clock that the service stamps its responses with.
    pub(crate) zero_ns: u64,
    /// Whether a request is parked on each; else it opens the connection, or asks whether the service is there.
    pub(crate) parks: bool,
}

impl Holding {
    /// When the last connection has been held for as long as it was to be.
    pub(super) fn end_ns(&self) -> u64 {
        self.start_ns + nanos(self.load.opening()) + nanos(self.load.duration)
    }
}

pub(crate) struct Held {
    holding: Holding,
    end_ns: u64,
    opening: Opening,
    connects: Deadlines,
    pings: Deadlines,
    again: Deadlines,
    closing: Deadlines,
    pinged: u64,
    sent: u64,
    /// Whether the last response was an accepted one.
    accepted: bool,
    /// What takes the messages that arrive, where any are sent.
    reception: Option<Reception>,
    /// What the connections say, if anything.
    speaking: Option<Speaking>,
}

impl Held {
    pub(crate) fn new(
        holding: Holding,
        limits: &Limits,
        reception: Option<Reception>,
        speaking: Option<Speaking>,
    ) -> Self {
        Self {
            end_ns: holding.end_ns(),
            opening: Opening::new(&holding.load, holding.share, holding.start_ns),
            connects: Deadlines::after(limits.connect_timeout_ns),
            pings: Deadlines::after(limits.response_timeout_ns),
            again: Deadlines::after(AGAIN_AFTER_NS),
            closing: Deadlines::after(CLOSING_NS),
            pinged: 0,
            sent: 0,
            accepted: true,
            reception,
            speaking,
            holding,
        }
    }

    fn look<B: Backend, C: Protocol>(&mut self, pool: &Pool<B, C>) {
        self.opening.look(pool.connecting().into(), pool.is_empty());
    }

    fn open_due<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, mut now_ns: u64) -> bool {
        for _ in 0..STARTS_PER_ROUND {
            let has_place = pool.may_connect();
            if !self.opening.take_due(now_ns, has_place, &mut pool.recorder) {
                return false;
            }
            match pool.connect(now_ns) {
                Ok(slot) => self.connects.push(slot, now_ns),
                Err(class) => self.not_opened(pool, class),
            }
            self.look(pool);
            now_ns = pool.backend.now_ns();
        }
        true
    }

    fn not_opened<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, class: ErrorClass) {
        self.opening.failed();
        pool.recorder.connection_failed(class);
    }

    fn send<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, slot: Slot, intended_ns: u64, now_ns: u64) {
        let share = self.holding.share;
        let number = share.first() + self.sent * share.stride();
        self.sent += 1;
        pool.recorder.counters.scheduled += 1;
        pool.start(slot, Start::new(number, intended_ns), now_ns);
    }

    /// Pings go evenly round all connections: the place of a connection in the interval is that of its number.
    fn next_ping_ns(&self) -> Option<u64> {
        let (load, count) = (&self.holding.load, self.opening.count());
        let interval = load.ping.filter(|_| load.park == Park::Nothing && count > 0)?;
        let (round, own) = (self.pinged / count, self.pinged % count);
        let number = self.holding.share.first() + own * self.holding.share.stride();
        let place_ns = u128::from(number) * interval.as_nanos() / u128::from(load.connections.max(1));
        Some(self.holding.start_ns + (u128::from(round) * interval.as_nanos() + place_ns) as u64)
    }

    /// Sends pings that are due; `true` when there may be more.
    fn ping_due<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, mut now_ns: u64) -> bool {
        for _ in 0..STARTS_PER_ROUND {
            let Some(due_ns) = self.next_ping_ns().filter(|&due_ns| due_ns <= now_ns) else {
                return false;
            };
            let slot = (self.pinged % self.opening.count()) as Slot;
            self.pinged += 1;
            // One whose last ping has no response yet has a timeout already.
            if pool.is_idle(slot) {
                pool.recorder.woke(now_ns - due_ns);
                self.send(pool, slot, due_ns, now_ns);
                self.pings.push(slot, now_ns);
                now_ns = pool.backend.now_ns();
            }
        }
        true
    }
}

impl Outcomes for Held {
    const HOLDS: Holds = Holds::Connections;
    // Messages come to connections that are held.
    const TAKES_CONTENT: bool = true;

    fn responded(
        &mut self,
        request: &InFlight,
        response: &Response<'_>,
        failure: Option<ErrorClass>,
        now_ns: u64,
        recorder: &mut Recorder,
    ) {
        self.accepted = failure.is_none();
        if !self.holding.parks {
            return recorder.response(request, now_ns, response.status, failure);
        }
        let head = response.in_one_piece.then_some(response.bytes);
        deliver(
            request,
            response.status,
            head,
            failure,
            self.holding.zero_ns,
            now_ns,
            recorder,
        );
    }

    #[inline]
    fn content(&mut self, slot: Slot, request: &InFlight, piece: &[u8], now_ns: u64, recorder: &mut Recorder) {
        if let Some(reception) = &mut self.reception {
            reception.take(slot, request.number, piece, now_ns, recorder);
        }
    }

    #[inline]
    fn message(&mut self, slot: Slot, piece: &[u8], ends: bool, now_ns: u64, recorder: &mut Recorder) {
        if let Some(reception) = &mut self.reception {
            reception.take_message(slot, piece, ends, now_ns, recorder);
        }
    }

    fn failed(&mut self, _request: &InFlight, _now_ns: u64, _recorder: &mut Recorder) {}

    /// A plan that holds connections follows no redirects.
    fn redirected(&mut self, _start: Start, _response: &Response<'_>) {}
}

impl Driver for Held {
    fn start_due<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) -> bool {
        let mut more = self.open_due(pool, now_ns);
        if let Some(speaking) = &mut self.speaking {
            more |= speaking.send_due(pool, self.opening.to_come() > 0, pool.backend.now_ns());
            self.end_ns = speaking.end_ns().unwrap_or(self.end_ns);
        }
        more |= self.ping_due(pool, pool.backend.now_ns());
        while let Some(slot) = self.again.pop_due(now_ns) {
            if pool.is_idle(slot) {
                self.send(pool, slot, now_ns, now_ns);
            }
        }
        more
    }

    fn react<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, change: Change) {
        match change {
            Change::Nothing => return,
            Change::Ready { slot, .. } => {
                self.opening.succeeded();
                let accepted = std::mem::replace(&mut self.accepted, true);
                if pool.is_leaving(slot) {
                    self.closing.push(slot, pool.backend.now_ns());
                } else if self.holding.parks {
                    let now_ns = pool.backend.now_ns();
                    if accepted {
                        self.send(pool, slot, now_ns, now_ns);
                    } else {
                        self.again.push(slot, now_ns);
                    }
                }
            }
            Change::Lost => self.accepted = true,
            Change::ConnectFailed { class } => self.not_opened(pool, class),
            Change::Connected { slot, now_ns } => return self.send(pool, slot, now_ns, now_ns),
            Change::NotOpened => {
                self.accepted = true;
                self.opening.failed();
            }
        }
        self.look(pool);
    }

    fn expire<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) {
        let due = |held: &mut Self| {
            let lists = [&mut held.connects, &mut held.pings, &mut held.closing];
            lists.into_iter().find_map(|deadlines| deadlines.pop_due(now_ns))
        };
        while let Some(slot) = due(self) {
            if let Some(change) = pool.expire(slot, now_ns, self) {
                self.react(pool, change);
            }
        }
    }

    fn wait<B: Backend, C: Protocol>(&self, pool: &Pool<B, C>, now_ns: u64, tick_ends_ns: u64) -> Wait {
        let soonest = [
            self.opening.next_ns(pool.may_connect()),
            self.next_ping_ns(),
            self.connects.next_ns(),
            self.pings.next_ns(),
            self.again.next_ns(),
            self.closing.next_ns(),
            self.speaking.as_ref().and_then(|speaking| speaking.next_ns(now_ns)),
        ];
        let latest_ns = Wait::holding_at_most(now_ns, self.end_ns, tick_ends_ns);
        Wait::holding(now_ns, soonest.into_iter().flatten().fold(latest_ns, u64::min))
    }

    fn spins(&self) -> bool {
        false
    }

    fn is_done<B: Backend, C: Protocol>(&self, _pool: &Pool<B, C>, now_ns: u64) -> bool {
        let awaits = |reception: &Reception| !reception.is_over(now_ns);
        now_ns >= self.end_ns && !self.reception.as_ref().is_some_and(awaits)
    }

    fn queued(&self) -> u64 {
        self.opening.to_come()
    }

    fn end_ns(&self) -> Option<u64> {
        // What is said begins once all is open.
        self.speaking.is_none().then_some(self.end_ns)
    }

    fn finish(&mut self, now_ns: u64) {
        self.end_ns = self.end_ns.min(now_ns);
        if let Some(speaking) = &mut self.speaking {
            speaking.finish();
        }
    }
}
