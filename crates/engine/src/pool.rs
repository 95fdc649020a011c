//! The connections of one shard: bytes out, answers in, every outcome recorded.
//!
//! The pool does not decide when a request starts or on which connection; the shard does.

use crate::backend::{Backend, End, Event, Fault, Slot};
use crate::connection::{Connection, InFlight, State};
use crate::evidence::{self, Hidden, Seen};
use crate::reading::{Capture, Done, Leave, read_answers};
use crate::recorder::Recorder;
use crate::requests::Requests;
use crate::source::Start;
use plimsoll_measure::{ErrorClass, Gauges, Sight};
use plimsoll_protocol::http1::{Came, LastHead, Truncated};

/// How connections are used, in the engine's units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Most connections of this shard.
    pub(crate) connections: u32,
    /// Requests in flight on one connection.
    pub(crate) pipelining: u16,
    pub(crate) keep_alive: bool,
    pub(crate) connect_timeout_ns: u64,
    pub(crate) response_timeout_ns: u64,
}

/// Connections that are looked at for one that has taken too long before due requests are looked at again.
const LOOKED_AT_PER_ROUND: usize = 4096;
/// Of these so many are ended, and the next ones this much later. Ending one takes about 10 µs here and as long in the
/// service: a thousand at once would delay every request that falls due meanwhile.
const ENDED_PER_ROUND: usize = 8;
const BETWEEN_ROUNDS_NS: u64 = 1_000_000;

/// A reset is taken for a keep-alive race only if the connection had rested for so long: one that was in use a moment ago is
/// not closed for being idle.
const RACE_REST_MIN_NS: u64 = 1_000_000;
/// Timers of services have milliseconds, and run late by as much: of two connections the one that rested for so much longer may be
/// the one that is still served.
const TIMER_GRAIN_NS: u64 = 2_000_000;

/// What the shard has to react to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// More bytes of an answer.
    Nothing,
    /// Established, or an answer came in, at this time: the connection can take a request.
    Ready { slot: Slot, now_ns: u64 },
    /// The connection is gone. Requests on it are recorded as failed, or [go out again](Pool::take_again).
    Lost,
    /// A connection could not be made. The request that it was for is still to be recorded.
    ConnectFailed { class: ErrorClass },
}

pub(crate) struct Pool<B> {
    pub(crate) backend: B,
    pub(crate) recorder: Recorder,
    pub(crate) limits: Limits,
    requests: Requests,
    connections: Vec<Connection>,
    free: Vec<Slot>,
    connecting: u32,
    open: u32,
    in_flight: u64,
    /// Where to go on looking for what has taken too long.
    expire_from: Slot,
    last_head: LastHead,
    /// How an answer in pieces begins, of which an example is wanted.
    capture: Option<Capture>,
    /// The longest rest of a connection after which a request was answered, ns.
    longest_rest_ns: u64,
    /// Intended starts of the requests that finished since the shard last looked.
    finished: Vec<u64>,
    /// Requests behind the last answer of a connection. The service has not seen them (RFC 9112, section 9.6).
    again: Vec<Start>,
}

impl<B: Backend> Pool<B> {
    pub(crate) fn new(backend: B, requests: Requests, hidden: Hidden, limits: Limits) -> Self {
        Self {
            backend,
            recorder: Recorder::new(hidden),
            limits,
            requests,
            connections: Vec::new(),
            free: Vec::new(),
            connecting: 0,
            open: 0,
            in_flight: 0,
            expire_from: 0,
            last_head: LastHead::default(),
            capture: None,
            longest_rest_ns: 0,
            finished: Vec::new(),
            again: Vec::new(),
        }
    }

    pub(crate) fn gauges(&self, queued: u64) -> Gauges {
        Gauges {
            in_flight: self.in_flight,
            queued,
            connections: u64::from(self.open),
        }
    }

    pub(crate) fn in_flight(&self) -> u64 {
        self.in_flight
    }

    pub(crate) fn connecting(&self) -> u32 {
        self.connecting
    }

    /// Whether another connection may be opened.
    pub(crate) fn has_room(&self) -> bool {
        self.open + self.connecting < self.limits.connections
    }

    /// Whether nothing can expire.
    pub(crate) fn is_empty(&self) -> bool {
        self.open + self.connecting == 0
    }

    /// Whether `slot` is open and may take one more request.
    pub(crate) fn can_take(&self, slot: Slot) -> bool {
        let connection = &self.connections[slot as usize];
        connection.state == State::Open && connection.in_flight < self.limits.pipelining
    }

    /// The same, and that it has not rested for so long that the service may be closing it. Then it is given up.
    #[inline]
    pub(crate) fn can_take_now(&mut self, slot: Slot, now_ns: u64) -> bool {
        let connection = &self.connections[slot as usize];
        if connection.state != State::Open || connection.in_flight >= self.limits.pipelining {
            return false;
        }
        let stale = connection.is_stale(now_ns);
        if stale {
            self.release(slot);
        }
        !stale
    }

    /// A request that is to be sent on another connection, the last one first.
    pub(crate) fn take_again(&mut self) -> Option<Start> {
        self.again.pop()
    }

    /// The intended start of a request that has finished, well or not, since the last call.
    #[inline]
    pub(crate) fn take_finished(&mut self) -> Option<u64> {
        self.finished.pop()
    }

    /// Begins to open a connection.
    pub(crate) fn connect(&mut self, now_ns: u64) -> Result<(), ErrorClass> {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.connections.push(Connection::new());
            (self.connections.len() - 1) as Slot
        });
        if let Err(fault) = self.backend.connect(slot) {
            self.free.push(slot);
            self.not_connected(fault, now_ns);
            return Err(fault.class);
        }
        let connection = &mut self.connections[slot as usize];
        connection.state = State::Connecting;
        connection.since_ns = now_ns;
        self.connecting += 1;
        Ok(())
    }

    /// Sends request `number` on an open connection.
    #[inline]
    pub(crate) fn start(&mut self, slot: Slot, number: u64, intended_ns: u64, now_ns: u64) {
        let (index, answer, bytes) = self.requests.encode(number);
        self.connections[slot as usize].push(InFlight {
            intended_ns,
            sent_ns: now_ns,
            number,
            index,
            answer,
        });
        self.in_flight += 1;
        self.recorder.sent(now_ns.saturating_sub(intended_ns), bytes.len());
        self.backend.send(slot, bytes);
    }

    /// Takes the next event of the last wait, records its outcome and tells what changed.
    #[inline]
    pub(crate) fn next_change(&mut self) -> Option<Change> {
        match self.backend.next_event()? {
            Event::Received(slot, bytes, now_ns) => {
                self.recorder.counters.received_bytes += bytes.len() as u64;
                let connection = &mut self.connections[slot as usize];
                connection.since_ns = now_ns;
                let mut done = Done {
                    slot,
                    requests: &self.requests,
                    recorder: &mut self.recorder,
                    finished: &mut self.finished,
                    capture: &mut self.capture,
                    longest_rest_ns: &mut self.longest_rest_ns,
                };
                let before = connection.in_flight;
                let outcome = read_answers(
                    connection,
                    bytes,
                    now_ns,
                    self.limits.keep_alive,
                    &mut self.last_head,
                    &mut done,
                );
                let answered = before - connection.in_flight;
                self.in_flight -= u64::from(answered);
                Some(match outcome {
                    Ok(()) if answered == 0 => Change::Nothing,
                    Ok(()) => Change::Ready { slot, now_ns },
                    Err(leave) => {
                        self.leave(slot, leave);
                        Change::Lost
                    }
                })
            }
            Event::Connected(slot) => {
                self.connecting -= 1;
                self.open += 1;
                self.recorder.counters.connections_opened += 1;
                self.connections[slot as usize].state = State::Open;
                Some(Change::Ready {
                    slot,
                    now_ns: self.backend.now_ns(),
                })
            }
            Event::ConnectFailed(slot, fault) => {
                self.release(slot);
                self.not_connected(fault, self.backend.now_ns());
                Some(Change::ConnectFailed { class: fault.class })
            }
            Event::Closed(slot, end) => {
                self.peer_ended(slot, end);
                Some(Change::Lost)
            }
        }
    }

    fn not_connected(&mut self, fault: Fault, now_ns: u64) {
        self.recorder
            .show_failure(fault.class, now_ns, || evidence::not_connected(fault));
    }

    fn leave(&mut self, slot: Slot, leave: Leave) {
        match leave {
            Leave::Closing => self.go_out_again(slot),
            Leave::Malformed => self.fail(slot, ErrorClass::Malformed),
            Leave::Unrequested => {
                self.recorder.counters.unrequested += 1;
                self.release(slot);
            }
        }
    }

    /// The peer ended the connection. That may be what ends the answer.
    fn peer_ended(&mut self, slot: Slot, end: End) {
        let now_ns = self.backend.now_ns();
        let connection = &mut self.connections[slot as usize];
        if connection.in_flight == 0 {
            self.release(slot);
            return;
        }
        let (came, served, rested_ns) = (connection.reader.came(), connection.served, connection.rested_ns);
        let beginning = connection.reader.beginning().to_vec();
        let class = match connection.reader.end_of_stream() {
            // An error that ends with its connection is an error also where it ends with a reset, as those of Node.js do when
            // a request is too large to be read.
            Ok(Some(answer)) if end == End::Finished || answer.status >= 400 => {
                let Some(request) = connection.give_up() else { return };
                self.in_flight -= 1;
                let mut done = Done {
                    slot,
                    requests: &self.requests,
                    recorder: &mut self.recorder,
                    finished: &mut self.finished,
                    capture: &mut self.capture,
                    longest_rest_ns: &mut self.longest_rest_ns,
                };
                if done.answer(&request, answer.status, now_ns) {
                    done.show(request.index, answer.status, &beginning, &[], now_ns);
                }
                self.go_out_again(slot);
                return;
            }
            Err(Truncated::Malformed(malformed)) => {
                let class = ErrorClass::Malformed;
                self.recorder
                    .show_failure(class, now_ns, || Seen::malformed(&malformed, &[]));
                class
            }
            _ if came == Came::Nothing && served && self.is_race(slot, end, rested_ns) => {
                self.recorder
                    .show(Sight::KeepAliveRace, now_ns, || evidence::race(end, rested_ns));
                self.lose_race(slot);
                return;
            }
            _ => {
                let class = ErrorClass::Reset;
                self.recorder
                    .show_failure(class, now_ns, || evidence::cut_off(end, came, served));
                class
            }
        };
        self.fail(slot, class);
    }

    /// Whether the service ended a connection that it had served before the request on it could have been seen. See
    /// `docs/decisions/0023-keep-alive-races-are-told-apart.md`.
    fn is_race(&mut self, slot: Slot, end: End, rested_ns: u64) -> bool {
        if end == End::Finished
            && let Some(unread) = self.backend.ended_before_it_read(slot)
        {
            return unread;
        }
        // A reset leaves open who had read what. A service that closes what rests for too long has served no request after a
        // longer rest, but for what its timers are off by.
        let margin_ns = (rested_ns / 9).max(TIMER_GRAIN_NS);
        rested_ns >= RACE_REST_MIN_NS && rested_ns + margin_ns >= self.longest_rest_ns
    }

    /// Closes a connection; what is on it was never seen.
    fn lose_race(&mut self, slot: Slot) {
        let connection = &mut self.connections[slot as usize];
        while let Some(request) = connection.give_up() {
            self.finished.push(request.intended_ns);
            self.recorder.counters.keep_alive_races += 1;
            self.in_flight -= 1;
        }
        self.release(slot);
    }

    /// Closes a connection that has had its last answer; what is behind that goes out again.
    fn go_out_again(&mut self, slot: Slot) {
        let connection = &mut self.connections[slot as usize];
        while let Some(request) = connection.give_up() {
            self.again.push(Start {
                number: request.number,
                intended_ns: request.intended_ns,
            });
            self.in_flight -= 1;
        }
        self.release(slot);
    }

    /// Closes a connection; requests that are still on it fail. Only the first of them met the
    /// fault itself, those behind it lost their connection.
    fn fail(&mut self, slot: Slot, class: ErrorClass) {
        let connection = &mut self.connections[slot as usize];
        let mut class = class;
        while let Some(request) = connection.give_up() {
            self.finished.push(request.intended_ns);
            self.recorder.failed(class);
            self.in_flight -= 1;
            class = ErrorClass::Reset;
        }
        self.release(slot);
    }

    /// Frees a slot without recording anything.
    fn release(&mut self, slot: Slot) {
        self.backend.close(slot);
        self.capture.take_if(|capture| capture.slot == slot);
        let connection = &mut self.connections[slot as usize];
        match connection.state {
            State::Connecting => self.connecting -= 1,
            State::Open => self.open -= 1,
            State::Free => return,
        }
        *connection = Connection::new();
        self.free.push(slot);
    }

    /// Ends what has taken too long and appends what changed. Says when to go on with the next ones, or `None` when all
    /// connections have been looked at.
    ///
    /// Looking through all of them costs nothing per request, and the shard begins anew only a few dozen times per
    /// timeout.
    pub(crate) fn expire(&mut self, now_ns: u64, changes: &mut Vec<Change>) -> Option<u64> {
        let before = changes.len();
        for slot in (self.expire_from..self.connections.len() as Slot).take(LOOKED_AT_PER_ROUND) {
            if changes.len() - before == ENDED_PER_ROUND {
                return Some(now_ns + BETWEEN_ROUNDS_NS);
            }
            self.expire_from = slot + 1;
            let connection = &mut self.connections[slot as usize];
            match connection.state {
                State::Connecting if now_ns - connection.since_ns >= self.limits.connect_timeout_ns => {
                    self.release(slot);
                    let timeout_ns = self.limits.connect_timeout_ns;
                    self.recorder.show_failure(ErrorClass::ConnectTimeout, now_ns, || {
                        evidence::connect_timeout(timeout_ns)
                    });
                    changes.push(Change::ConnectFailed {
                        class: ErrorClass::ConnectTimeout,
                    });
                }
                State::Open if connection.in_flight > 0 => {
                    if now_ns.saturating_sub(connection.front.intended_ns) < self.limits.response_timeout_ns {
                        continue;
                    }
                    let came = connection.reader.came();
                    let Some(request) = connection.give_up() else { continue };
                    self.in_flight -= 1;
                    self.finished.push(request.intended_ns);
                    let timeout_ns = self.limits.response_timeout_ns;
                    self.recorder.show_failure(ErrorClass::ResponseTimeout, now_ns, || {
                        evidence::timed_out(timeout_ns, came)
                    });
                    self.recorder
                        .timed_out(self.limits.response_timeout_ns, Some(now_ns - request.sent_ns));
                    self.fail(slot, ErrorClass::Reset);
                    changes.push(Change::Lost);
                }
                State::Open if connection.is_stale(now_ns) => {
                    self.release(slot);
                    changes.push(Change::Lost);
                }
                _ => {}
            }
        }
        if (self.expire_from as usize) < self.connections.len() {
            return Some(now_ns);
        }
        self.expire_from = 0;
        None
    }
}
