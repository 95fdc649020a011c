//! Holds clients that share connections: opens its part of them at a pace, parks a request of each in a stream of its own, and counts
//! those that are lost.
//!
//! None takes the place of one that is lost, as with connections. A connection is opened for a client that finds no stream.

use super::Driver;
use super::delivery::deliver;
use super::held::{AGAIN_AFTER_NS, Holding, STARTS_PER_ROUND};
use super::opening::Opening;
use crate::backend::{Backend, Slot};
use crate::connection::{InFlight, Protocol, Start};
use crate::deadlines::Deadlines;
use crate::evidence;
use crate::messages::Reception;
use crate::outcomes::{Holds, Outcomes};
use crate::pool::{Change, Limits, Pool};
use crate::recorder::Recorder;
use crate::wake_policy::Wait;
use plimsoll_measure::ErrorClass;
use plimsoll_protocol::Response;
use std::collections::VecDeque;

/// A client of this shard, by its place among them.
type ClientId = u32;

/// What is known of a client.
#[derive(Debug, Clone, Copy, Default)]
struct Client {
    /// The connection that its request was parked on last; `None` before, and once it is lost.
    on: Option<Slot>,
    /// How many requests of its own it has had.
    requests: u32,
}

pub(crate) struct HeldStreams {
    holding: Holding,
    end_ns: u64,
    opening: Opening,
    clients: Vec<Client>,
    live: u64,
    /// Requests that have no stream yet.
    waiting: VecDeque<Start>,
    /// Connections that may have room for clients to come.
    roomy: Vec<Slot>,
    /// Most clients that share a connection.
    each: usize,
    connects: Deadlines,
    /// Clients whose last response was not an accepted one.
    again: Deadlines,
    /// Clients whose requests have had a response since the last change, and whether it was accepted.
    responded: Vec<(ClientId, bool)>,
    /// Some have failed since then. The connection of one who is lost is not for those who wait for another one.
    has_failed: bool,
    /// What takes the messages that arrive, where any are sent.
    reception: Option<Reception>,
}

impl HeldStreams {
    pub(crate) fn new(holding: Holding, limits: &Limits, reception: Option<Reception>) -> Self {
        let opening = Opening::new(&holding.load, holding.share, holding.start_ns);
        Self {
            end_ns: holding.end_ns(),
            clients: Vec::with_capacity(opening.count() as usize),
            opening,
            live: 0,
            waiting: VecDeque::new(),
            roomy: Vec::new(),
            each: limits.at_once as usize,
            connects: Deadlines::after(limits.connect_timeout_ns),
            again: Deadlines::after(AGAIN_AFTER_NS),
            responded: Vec::new(),
            has_failed: false,
            reception,
            holding,
        }
    }

    fn look<B: Backend, C: Protocol>(&mut self, pool: &Pool<B, C>) {
        self.opening.look(self.waiting.len() as u64, pool.is_empty());
    }

    /// The next request of a client. Its number says whose it is: those of one client are as far apart as there are clients.
    fn request_of(&mut self, client: ClientId) -> Start {
        let share = self.holding.share;
        let all = u64::from(self.holding.load.connections);
        let own = share.first() + u64::from(client) * share.stride();
        let requests = &mut self.clients[client as usize].requests;
        let number = own + u64::from(*requests) * all;
        *requests = requests.wrapping_add(1);
        Start::new(number, 0)
    }

    /// Whose request this is.
    fn client_of(&self, number: u64) -> ClientId {
        let share = self.holding.share;
        let own = number % u64::from(self.holding.load.connections);
        (own.saturating_sub(share.first()) / share.stride()) as ClientId
    }

    fn open_due<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, mut now_ns: u64) -> bool {
        for _ in 0..STARTS_PER_ROUND {
            let has_place = self.has_place(pool);
            if !self.opening.take_due(now_ns, has_place, &mut pool.recorder) {
                return false;
            }
            let client = self.clients.len() as ClientId;
            self.clients.push(Client::default());
            self.send(pool, client, now_ns);
            self.look(pool);
            now_ns = pool.backend.now_ns();
        }
        true
    }

    /// Whether one client more finds a stream, or a connection that is being made or may be.
    fn has_place<B: Backend, C: Protocol>(&mut self, pool: &Pool<B, C>) -> bool {
        pool.may_connect() || pool.room_to_come() > self.waiting.len() as u64 || self.room(pool).is_some()
    }

    /// A connection with room.
    fn room<B: Backend, C: Protocol>(&mut self, pool: &Pool<B, C>) -> Option<Slot> {
        while let Some(&slot) = self.roomy.last() {
            if pool.can_take(slot) {
                return Some(slot);
            }
            self.roomy.pop();
        }
        None
    }

    /// Sends the next request of a client.
    fn send<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, client: ClientId, now_ns: u64) {
        let start = self.request_of(client);
        pool.recorder.counters.scheduled += 1;
        match self.clients[client as usize].on {
            Some(slot) if pool.can_take(slot) => self.park(pool, slot, start, now_ns),
            _ => self.place(pool, start, now_ns),
        }
    }

    /// Parks a request on a connection with room, or has it wait for one.
    fn place<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, start: Start, now_ns: u64) {
        match self.room(pool) {
            Some(slot) => self.park(pool, slot, start, now_ns),
            None => {
                self.waiting.push_back(start);
                self.connect(pool, now_ns);
            }
        }
    }

    /// Parks what waits on a connection, and keeps in mind that it has room left where it is new.
    fn fill<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, slot: Slot, is_new: bool, now_ns: u64) {
        while pool.can_take(slot)
            && let Some(start) = self.waiting.pop_front()
        {
            self.park(pool, slot, start, now_ns);
        }
        if is_new && pool.can_take(slot) && !self.roomy.contains(&slot) {
            self.roomy.push(slot);
        }
    }

    fn park<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, slot: Slot, start: Start, now_ns: u64) {
        let client = self.client_of(start.number) as usize;
        if self.clients[client].on.replace(slot).is_none() {
            self.live += 1;
            pool.recorder.counters.clients_opened += 1;
        }
        let intended_ns = now_ns;
        pool.start(slot, Start { intended_ns, ..start }, now_ns);
    }

    /// Opens connections while more requests wait than those that are being made will take.
    fn connect<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) {
        while pool.may_connect() && pool.room_to_come() < self.waiting.len() as u64 {
            match pool.connect(now_ns) {
                Ok(slot) => self.connects.push(slot, now_ns),
                Err(class) => self.not_opened(pool, class),
            }
        }
    }

    /// A connection could not be made: the requests that no other one will take have failed with it.
    fn not_opened<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, class: ErrorClass) {
        self.opening.failed();
        let to_come = pool.room_to_come() as usize;
        let count = self.waiting.len().saturating_sub(to_come).min(self.each);
        for start in self.waiting.drain(..count).collect::<Vec<_>>() {
            self.lose(self.client_of(start.number));
            pool.recorder.connection_failed(class);
        }
    }

    /// A client has lost its stream, if it had one.
    fn lose(&mut self, client: ClientId) {
        let was_held = self.clients[client as usize].on.take().is_some();
        self.live -= u64::from(was_held);
    }

    /// The connection of a client takes no further request of it.
    fn disconnect<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, client: ClientId, now_ns: u64) {
        let recorder = &mut pool.recorder;
        recorder.show_failure(ErrorClass::Closed, now_ns, evidence::response_ends_connection);
        recorder.connection_failed(ErrorClass::Closed);
        self.lose(client);
    }

    /// Clients that have had a response go on, where their connection does.
    fn go_on<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, goes_on: bool, now_ns: u64) {
        let mut responded = std::mem::take(&mut self.responded);
        for (client, accepted) in responded.drain(..) {
            match (goes_on, accepted) {
                (false, _) => self.disconnect(pool, client, now_ns),
                (true, true) => self.send(pool, client, now_ns),
                (true, false) => self.again.push(client, now_ns),
            }
        }
        self.responded = responded;
    }
}

impl Outcomes for HeldStreams {
    const HOLDS: Holds = Holds::Requests;
    // Messages come to clients that are held.
    const TAKES_CONTENT: bool = true;

    fn responded(
        &mut self,
        request: &InFlight,
        response: &Response<'_>,
        failure: Option<ErrorClass>,
        now_ns: u64,
        recorder: &mut Recorder,
    ) {
        self.responded.push((self.client_of(request.number), failure.is_none()));
        // What is kept of a head are whole fields, in whatever pieces it came.
        let head = Some(response.bytes);
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
    fn content(&mut self, _slot: Slot, request: &InFlight, piece: &[u8], now_ns: u64, recorder: &mut Recorder) {
        if self.reception.is_none() {
            return;
        }
        let client = self.client_of(request.number);
        if let Some(reception) = &mut self.reception {
            reception.take(client, request.number, piece, now_ns, recorder);
        }
    }

    /// It may say when it was sent.
    fn wants_head(&self, _request: u16) -> bool {
        true
    }

    fn failed(&mut self, request: &InFlight, _now_ns: u64, _recorder: &mut Recorder) {
        self.has_failed = true;
        self.lose(self.client_of(request.number));
    }

    /// A plan that holds connections follows no redirects.
    fn redirected(&mut self, _start: Start, _response: &Response<'_>) {}
}

impl Driver for HeldStreams {
    fn start_due<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) -> bool {
        let more = self.open_due(pool, now_ns);
        while let Some(client) = self.again.pop_due(now_ns) {
            match self.clients[client as usize].on {
                Some(slot) if pool.is_open(slot) => self.send(pool, client, now_ns),
                _ => self.disconnect(pool, client, now_ns),
            }
        }
        more
    }

    fn react<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, change: Change) {
        let now_ns = pool.backend.now_ns();
        match change {
            Change::Nothing => return,
            Change::Ready { slot, .. } => {
                self.opening.succeeded();
                let is_new = self.responded.is_empty();
                self.go_on(pool, !pool.is_leaving(slot), now_ns);
                if !self.has_failed {
                    self.fill(pool, slot, is_new, now_ns);
                }
            }
            Change::Lost => self.go_on(pool, false, now_ns),
            Change::ConnectFailed { class } => self.not_opened(pool, class),
            // Connections that a request opens are not shared.
            Change::Connected { .. } | Change::NotOpened => {}
        }
        self.has_failed = false;
        while let Some(start) = pool.take_again() {
            self.place(pool, start, now_ns);
        }
        self.connect(pool, now_ns);
        self.look(pool);
    }

    fn expire<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) {
        while let Some(slot) = self.connects.pop_due(now_ns) {
            if let Some(change) = pool.expire(slot, now_ns, self) {
                self.react(pool, change);
            }
        }
    }

    fn wait<B: Backend, C: Protocol>(&self, pool: &Pool<B, C>, now_ns: u64, tick_ends_ns: u64) -> Wait {
        let finds_place =
            pool.may_connect() || pool.room_to_come() > self.waiting.len() as u64 || !self.roomy.is_empty();
        let soonest = [
            self.opening.next_ns(finds_place),
            self.connects.next_ns(),
            self.again.next_ns(),
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

    fn clients(&self) -> Option<u64> {
        Some(self.live)
    }

    fn end_ns(&self) -> Option<u64> {
        Some(self.end_ns)
    }

    fn finish(&mut self, now_ns: u64) {
        self.end_ns = self.end_ns.min(now_ns);
    }
}
