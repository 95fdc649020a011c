//! The connections of one shard: requests out, responses in, every outcome recorded.
//!
//! The pool does not decide when a request starts or on which connection; the driver does.

use crate::across::Across;
use crate::backend::{Arrived, Backend, End, Event, Fault, Gathers, Slot};
use crate::completions::Completions;
use crate::connection::{Connection, InFlight, Owner, Protocol, RequestsOf, Start, State};
use crate::evidence::{self, Hidden, Seen};
use crate::outcomes::{Holds, Outcomes};
use crate::recorder::Recorder;
use crate::requests::Prepared;
use plimsoll_measure::{ErrorClass, Gauges, Sight};
use plimsoll_protocol::websocket::CloseCode;
use plimsoll_protocol::{Came, Failure, Standing, StreamEnd};

/// How connections are used, in the engine's units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Most connections of this shard.
    pub(crate) connections: u32,
    /// Made at the start, before a request needs them.
    pub(crate) at_start: u32,
    /// Most of them that are being made at once.
    pub(crate) connecting: u32,
    /// Requests that each of them takes at a time, as far as the service allows it.
    pub(crate) at_once: u32,
    pub(crate) connect_timeout_ns: u64,
    /// From the intended start of a request; the greatest number is no limit.
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

/// How long a service that has closed a WebSocket may take to end its connection.
pub(crate) const CLOSING_NS: u64 = 2_000_000_000;

/// What a user sends.
#[derive(Debug)]
pub(crate) struct ForUser<'a> {
    /// Which request of the scenario.
    pub(crate) request: u16,
    /// By variable.
    pub(crate) values: &'a mut [Vec<u8>],
    /// Whether there are cookies among them.
    pub(crate) cookies: bool,
}

/// What the driver has to react to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// More bytes of a response.
    Nothing,
    /// Established, or a response was found, at this time: the connection can take a request.
    Ready { slot: Slot, now_ns: u64 },
    /// The connection is gone. Requests on it are recorded as failed, or [go out again](Pool::take_again).
    Lost,
    /// A connection could not be made. The request that it was for is still to be recorded.
    ConnectFailed { class: ErrorClass },
    /// A connection is there, and takes the request that [opens](plimsoll_protocol::Client::OPENED_BY_REQUEST) it.
    Connected { slot: Slot, now_ns: u64 },
    /// The request that was to open a connection has failed, which is recorded.
    NotOpened,
}

/// What opens connections and is no request like others.
#[derive(Debug)]
pub(crate) struct Openings<R> {
    pub(crate) requests: R,
    /// The number of the next one.
    pub(crate) next: u64,
    /// To the one after that.
    pub(crate) stride: u64,
}

pub(crate) struct Pool<B, C: Protocol> {
    pub(crate) backend: B,
    pub(crate) recorder: Recorder,
    pub(crate) limits: Limits,
    pub(crate) requests: RequestsOf<C>,
    /// What is said on connections that are held.
    pub(crate) messages: Option<RequestsOf<C>>,
    /// What opens connections, where that is none of `requests`.
    pub(crate) openings: Option<Openings<RequestsOf<C>>>,
    /// Each connection begins with a copy of it.
    client: C,
    shared: C::Shared,
    connections: Vec<Connection<C>>,
    free: Vec<Slot>,
    connecting: u32,
    open: u32,
    /// Connections that take no more requests, while those on them go on.
    leaving: u32,
    in_flight: u64,
    /// Where to go on looking for what has taken too long.
    expire_from: Slot,
    /// What a client has to say besides its requests.
    out: Vec<u8>,
    across: Across,
}

impl<B: Backend, C: Protocol> Pool<B, C> {
    pub(crate) fn new(backend: B, client: C, requests: RequestsOf<C>, hidden: Hidden, limits: Limits) -> Self {
        Self {
            recorder: Recorder::new(requests.count(), hidden, backend.gathers()),
            backend,
            limits,
            requests,
            messages: None,
            openings: None,
            client,
            shared: C::Shared::default(),
            connections: Vec::new(),
            free: Vec::new(),
            connecting: 0,
            open: 0,
            leaving: 0,
            in_flight: 0,
            expire_from: 0,
            out: Vec::new(),
            across: Across::default(),
        }
    }

    /// Makes room for all the connections that there may be, as where they are held: a list that grows by doubling takes more.
    pub(crate) fn reserve(&mut self) {
        self.connections.reserve_exact(self.limits.connections as usize);
    }

    pub(crate) fn gauges(&self, queued: u64, clients: Option<u64>) -> Gauges {
        Gauges {
            in_flight: self.in_flight,
            queued,
            connections: u64::from(self.open + self.leaving),
            clients,
            users: None,
        }
    }

    pub(crate) fn in_flight(&self) -> u64 {
        self.in_flight
    }

    pub(crate) fn connecting(&self) -> u32 {
        self.connecting
    }

    /// How many more requests the connections that are being made can be expected to take.
    pub(crate) fn room_to_come(&self) -> u64 {
        u64::from(self.connecting) * u64::from(self.limits.at_once)
    }

    /// Whether it is known of each response when it came. Bytes that are read together have the stamp of the last of them, which
    /// says nothing of the others where several responses share a connection.
    pub(crate) fn stamps_each(&self) -> bool {
        self.backend.stamps() && self.limits.at_once == 1
    }

    /// Whether another connection may be opened now.
    pub(crate) fn may_connect(&self) -> bool {
        self.open + self.connecting < self.limits.connections && self.connecting < self.limits.connecting
    }

    /// Whether connections that are to be there from the start are still missing.
    pub(crate) fn is_below_start(&self) -> bool {
        self.open + self.connecting < self.limits.at_start
    }

    /// Whether connections are being closed in order.
    pub(crate) fn is_closing(&self) -> bool {
        C::OPENED_BY_REQUEST && self.leaving > 0
    }

    /// Whether there is no connection, so that nothing can expire.
    pub(crate) fn is_empty(&self) -> bool {
        self.open + self.leaving + self.connecting == 0
    }

    /// Whether `slot` is open and may take one more request.
    #[inline]
    pub(crate) fn can_take(&self, slot: Slot) -> bool {
        self.connections[slot as usize].can_take()
    }

    /// Whether `slot` is open, with room or without.
    pub(crate) fn is_open(&self, slot: Slot) -> bool {
        let connection = self.connections.get(slot as usize);
        connection.is_some_and(|connection| connection.state == State::Open)
    }

    /// Whether `slot` is open and no request is on it.
    pub(crate) fn is_idle(&self, slot: Slot) -> bool {
        let connection = self.connections.get(slot as usize);
        connection.is_some_and(|connection| connection.state == State::Open && connection.client.in_flight() == 0)
    }

    /// Whether `slot` takes no more requests, because the service is ending it.
    pub(crate) fn is_leaving(&self, slot: Slot) -> bool {
        let connection = self.connections.get(slot as usize);
        connection.is_some_and(|connection| connection.state == State::Leaving)
    }

    /// As [`Self::can_take`], and that it has not rested for so long that the service may be closing it. Then it is given up.
    #[inline]
    pub(crate) fn can_take_now(&mut self, slot: Slot, now_ns: u64) -> bool {
        let connection = &self.connections[slot as usize];
        if !connection.can_take() {
            return false;
        }
        let stale = connection.is_stale(now_ns);
        if stale {
            self.release(slot);
        }
        !stale
    }

    /// Whose connection this is alone; `None` where it is nobody's.
    pub(crate) fn owner(&self, slot: Slot) -> Option<Owner> {
        self.connections.get(slot as usize)?.owner
    }

    /// Gives an open connection to a user, as long as it lasts.
    pub(crate) fn give(&mut self, slot: Slot, owner: Owner) {
        self.connections[slot as usize].owner = Some(owner);
    }

    /// Closes the connection of a user who has left. It may be gone by now, and another one in its place.
    pub(crate) fn close_of(&mut self, owner: Owner, slot: Slot) {
        if self.owner(slot) == Some(owner) {
            self.release(slot);
        }
    }

    /// A request that is to be sent on another connection, the last one first.
    pub(crate) fn take_again(&mut self) -> Option<Start> {
        self.across.again.pop()
    }

    /// Begins to open a connection.
    pub(crate) fn connect(&mut self, now_ns: u64) -> Result<Slot, ErrorClass> {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.connections.push(Connection::new(self.client.clone()));
            (self.connections.len() - 1) as Slot
        });
        if let Err(fault) = self.backend.connect(slot) {
            self.free.push(slot);
            self.show_fault(&fault, now_ns);
            return Err(fault.class);
        }
        let connection = &mut self.connections[slot as usize];
        connection.state = State::Connecting;
        connection.since_ns = now_ns;
        self.connecting += 1;
        Ok(slot)
    }

    /// Sends a request on an open connection, and where no redirect led it.
    #[inline]
    pub(crate) fn start(&mut self, slot: Slot, start: Start, now_ns: u64) {
        let prepared = self.requests.prepare(start.number, start.intended_ns);
        let request = InFlight {
            hop: None,
            ..start.sent(prepared.request, now_ns)
        };
        let client = &mut self.connections[slot as usize].client;
        send(&mut self.backend, &mut self.recorder, slot, client, &prepared, request);
        self.in_flight += 1;
    }

    /// Sends a request on an open connection that a user sends.
    pub(crate) fn start_as(&mut self, slot: Slot, start: Start, user: ForUser<'_>, now_ns: u64) {
        let ForUser {
            request,
            values,
            cookies,
        } = user;
        let prepared = match start.hop {
            None => self.requests.prepare_as(request, values, cookies),
            Some(id) => self
                .requests
                .prepare_hop_as(request, values, cookies, &self.across.hops[id]),
        };
        let request = start.sent(request, now_ns);
        let client = &mut self.connections[slot as usize].client;
        send(&mut self.backend, &mut self.recorder, slot, client, &prepared, request);
        self.in_flight += 1;
    }

    /// Sends what opens a connection that is there.
    pub(crate) fn start_opening(&mut self, slot: Slot, now_ns: u64) {
        let Some(openings) = &mut self.openings else { return };
        let start = Start::new(openings.next, now_ns);
        openings.next += openings.stride;
        let prepared = openings.requests.prepare(start.number, start.intended_ns);
        let opening = start.sent(prepared.request, now_ns);
        let client = &mut self.connections[slot as usize].client;
        let bytes = write(&mut self.backend, slot, client, &prepared, opening);
        self.recorder.counters.sent_bytes += bytes as u64;
    }

    /// Sends a message on an open connection. It has no response.
    pub(crate) fn say_message(&mut self, slot: Slot, start: Start, now_ns: u64) {
        let Some(messages) = &mut self.messages else { return };
        let prepared = messages.prepare(start.number, start.intended_ns);
        let message = start.sent(prepared.request, now_ns);
        let client = &mut self.connections[slot as usize].client;
        send(&mut self.backend, &mut self.recorder, slot, client, &prepared, message);
        self.recorder.said(message.request);
    }

    /// Sends a request that has waited for this connection, perhaps where a redirect led it.
    #[inline(never)]
    pub(crate) fn start_waiting(&mut self, slot: Slot, start: Start, now_ns: u64) {
        match start.hop {
            None => self.start(slot, start, now_ns),
            Some(_) => self.start_hop(slot, start, now_ns),
        }
    }

    #[inline(never)]
    fn start_hop(&mut self, slot: Slot, start: Start, now_ns: u64) {
        let Some(id) = start.hop else { return };
        let prepared = self
            .requests
            .prepare_hop(start.number, start.intended_ns, &self.across.hops[id]);
        let request = start.sent(prepared.request, now_ns);
        let client = &mut self.connections[slot as usize].client;
        send(&mut self.backend, &mut self.recorder, slot, client, &prepared, request);
        self.in_flight += 1;
    }

    /// This request of the scenario, which waits for a connection, fails.
    pub(crate) fn fail_waiting(&mut self, request: u16, start: &Start, class: ErrorClass) {
        let request = self.waiting(request, start);
        self.recorder.failed(request.request, class);
    }

    /// This request of the scenario has waited for a connection until its time was over.
    pub(crate) fn time_out_waiting(&mut self, request: u16, start: &Start, now_ns: u64) {
        let timeout_ns = self.limits.response_timeout_ns;
        let request = self.waiting(request, start);
        let name = self.requests.name(request.request);
        let was_sent = start.hop.is_some();
        self.recorder.show_failure(ErrorClass::ResponseTimeout, now_ns, || {
            match was_sent {
                true => evidence::not_sent_on(timeout_ns),
                false => evidence::never_sent(timeout_ns),
            }
            .of(name)
        });
        let since_sent_ns = was_sent.then(|| now_ns.saturating_sub(request.sent_ns));
        self.recorder.timed_out(request.request, timeout_ns, since_sent_ns);
    }

    /// What is to be recorded of a request that has waited for a connection in vain.
    fn waiting(&mut self, request: u16, start: &Start) -> InFlight {
        self.across.hops.end(&start.sent(request, start.intended_ns))
    }

    /// Takes the next event of the last wait, records its outcome and tells what changed.
    #[inline]
    pub(crate) fn next_change<D: Outcomes>(&mut self, driver: &mut D) -> Option<Change> {
        let gathers = self.backend.gathers();
        match self.backend.next_event()? {
            Event::Received(slot, bytes, arrived) => {
                let Arrived { at_ns, mut found_ns } = arrived;
                if gathers != Gathers::Nothing {
                    found_ns = self.recorder.starts.turns_ns(found_ns);
                }
                self.recorder.counters.received_bytes += bytes.len() as u64;
                let connection = &mut self.connections[slot as usize];
                let was_full = C::INDEPENDENT && connection.client.capacity() == 0;
                let mut completions = Completions {
                    slot,
                    driver,
                    requests: &self.requests,
                    recorder: &mut self.recorder,
                    protocol: C::NAME,
                    across: &mut self.across,
                    since_ns: connection.since_ns,
                    served: connection.served,
                    now_ns: at_ns,
                    count: 0,
                };
                let outcome = connection
                    .client
                    .receive(bytes, &mut self.shared, &mut self.out, &mut completions);
                let (completed, served) = (completions.count, completions.served);
                connection.since_ns = at_ns;
                connection.served = served;
                self.in_flight -= u64::from(completed);
                if let Err(failure) = &outcome {
                    let beginning = connection.client.beginning();
                    let seen = if beginning.is_empty() { bytes } else { beginning };
                    let name = name(&self.requests, connection);
                    show_failure::<C>(failure, seen, name, at_ns, &mut self.recorder);
                    if D::HOLDS == Holds::Connections && matches!(failure, Failure::Unrequested { .. }) {
                        self.recorder
                            .show_failure(ErrorClass::Malformed, at_ns, || evidence::unrequested(seen));
                    }
                }
                let ready = completed > 0 || (was_full && connection.client.capacity() > 0);
                if outcome == Ok(Standing::Open) && connection.state == State::Open && self.out.is_empty() {
                    return Some(match ready {
                        false => Change::Nothing,
                        true => Change::Ready { slot, now_ns: found_ns },
                    });
                }
                Some(match outcome {
                    Ok(Standing::Open) => self.spoken(slot, ready, found_ns),
                    Ok(Standing::Leaving) => {
                        self.show_farewell::<D>(slot, at_ns);
                        self.leaves(slot, driver, found_ns)
                    }
                    Ok(Standing::Closing) => self.close_in_order(slot, driver, at_ns),
                    Err(failure) => self.leave(slot, &failure, driver, at_ns),
                })
            }
            Event::Connected(slot) => Some(self.connected(slot)),
            Event::ConnectFailed(slot, fault) => Some(self.connect_failed::<D>(slot, &fault)),
            Event::Closed(slot, end) => Some(self.peer_ended(slot, &end, driver)),
        }
    }

    #[inline(never)]
    fn connected(&mut self, slot: Slot) -> Change {
        let now_ns = self.backend.now_ns();
        if let Some(handshaken) = self.backend.handshake(slot) {
            self.recorder.shook_hands(handshaken);
        }
        self.connections[slot as usize].client.open(&mut self.out);
        if C::OPENED_BY_REQUEST {
            return Change::Connected { slot, now_ns };
        }
        self.spoken(slot, false, now_ns)
    }

    #[inline(never)]
    fn connect_failed<D: Outcomes>(&mut self, slot: Slot, fault: &Fault) -> Change {
        let now_ns = self.backend.now_ns();
        self.show_fault(fault, now_ns);
        self.not_connected::<D>(slot, fault.class)
    }

    /// The client may have something to say, and be ready for its first request.
    #[inline(never)]
    fn spoken(&mut self, slot: Slot, ready: bool, now_ns: u64) -> Change {
        self.say(slot);
        let connection = &mut self.connections[slot as usize];
        let is_new = connection.state == State::Connecting && connection.client.capacity() > 0;
        if is_new {
            connection.state = State::Open;
            self.connecting -= 1;
            self.open += 1;
            self.recorder.counters.connections_opened += 1;
        }
        if is_new || ready {
            Change::Ready { slot, now_ns }
        } else {
            Change::Nothing
        }
    }

    /// Sends what the client has to say besides its requests.
    fn say(&mut self, slot: Slot) {
        if !self.out.is_empty() {
            let out = &mut self.out;
            self.recorder.counters.sent_bytes += self.backend.send(slot, |bytes| bytes.append(out)) as u64;
        }
    }

    /// Keeps why a connection ends that requests are held on.
    #[inline(never)]
    fn show_farewell<D: Outcomes>(&mut self, slot: Slot, now_ns: u64) {
        let words = self.connections[slot as usize].client.farewell();
        if let Some(words) = words.filter(|_| D::HOLDS == Holds::Requests) {
            self.recorder
                .show_failure(ErrorClass::Closed, now_ns, || evidence::farewell(words));
        }
    }

    /// A connection takes no more requests; those on it go on.
    #[inline(never)]
    fn leaves<D: Outcomes>(&mut self, slot: Slot, driver: &mut D, now_ns: u64) -> Change {
        self.say(slot);
        let connection = &mut self.connections[slot as usize];
        match connection.state {
            // It has carried nothing, so that whoever waits for it is not to try again at once.
            State::Connecting if C::OPENED_BY_REQUEST && D::HOLDS == Holds::Nothing => {
                return self.peer_ended(slot, &End::Finished, driver);
            }
            State::Open => self.open -= 1,
            State::Connecting => self.connecting -= 1,
            State::Leaving | State::Free => return Change::Ready { slot, now_ns },
        }
        connection.state = State::Leaving;
        self.leaving += 1;
        Change::Ready { slot, now_ns }
    }

    fn show_fault(&mut self, fault: &Fault, now_ns: u64) {
        self.recorder
            .show_failure(fault.class, now_ns, || evidence::not_connected(fault));
    }

    fn not_connected<D: Outcomes>(&mut self, slot: Slot, class: ErrorClass) -> Change {
        // Where connections are held, what opens them is a request like others.
        if D::HOLDS != Holds::Nothing
            && let Some(request) = self.give_up(slot)
        {
            self.recorder.failed(request.request, class);
            self.release(slot);
            return Change::NotOpened;
        }
        self.release(slot);
        Change::ConnectFailed { class }
    }

    /// Closes a connection that cannot be used any further.
    #[cold]
    fn leave<D: Outcomes>(&mut self, slot: Slot, failure: &Failure, driver: &mut D, now_ns: u64) -> Change {
        let class = match failure {
            Failure::Malformed { .. } => ErrorClass::Malformed,
            Failure::CutOff => ErrorClass::Reset,
            Failure::Closed { code, .. } => ErrorClass::of_close(code.map(CloseCode::get)),
            Failure::Refused { .. } => ErrorClass::NotAdmitted,
            Failure::Unrequested { .. } => {
                self.recorder.counters.unrequested += 1;
                ErrorClass::Malformed
            }
        };
        if self.connections[slot as usize].state == State::Connecting {
            return self.not_connected::<D>(slot, class);
        }
        if D::HOLDS != Holds::Nothing || !matches!(failure, Failure::Unrequested { .. }) {
            self.fail(slot, class, driver, now_ns);
        } else {
            self.release(slot);
        }
        Change::Lost
    }

    /// Closes a connection that has had its last response; what is behind that goes out again.
    #[inline(never)]
    fn close_in_order<D: Outcomes>(&mut self, slot: Slot, driver: &mut D, now_ns: u64) -> Change {
        if self.connections[slot as usize].state == State::Connecting {
            self.release(slot);
            return match D::HOLDS {
                Holds::Connections | Holds::Requests => Change::NotOpened,
                // The response has said why, and is no outcome of its own.
                Holds::Nothing => Change::ConnectFailed {
                    class: ErrorClass::Status,
                },
            };
        }
        if D::HOLDS == Holds::Connections {
            self.recorder
                .show_failure(ErrorClass::Closed, now_ns, evidence::response_ends_connection);
            self.fail(slot, ErrorClass::Closed, driver, now_ns);
            return Change::Lost;
        }
        self.show_farewell::<D>(slot, now_ns);
        while let Some(request) = self.give_up(slot) {
            self.across.again.push(request.elsewhere(request.again));
        }
        self.release(slot);
        Change::Lost
    }

    /// The peer ended the connection. That may be what ends the response.
    #[inline(never)]
    fn peer_ended<D: Outcomes>(&mut self, slot: Slot, end: &End, driver: &mut D) -> Change {
        let now_ns = self.backend.now_ns();
        let connection = &mut self.connections[slot as usize];
        let (before, came) = (connection.client.in_flight(), connection.client.came());
        let (served, rested_ns) = (connection.served, connection.rested_ns());
        let is_leaving = connection.state == State::Leaving;
        let request = connection.client.oldest().map(|request| request.request);
        let mut completions = Completions {
            slot,
            driver,
            requests: &self.requests,
            recorder: &mut self.recorder,
            protocol: C::NAME,
            across: &mut self.across,
            since_ns: connection.since_ns,
            served,
            now_ns,
            count: 0,
        };
        let stream_end = match end {
            End::Finished => StreamEnd::Finished,
            End::Truncated | End::Reset { .. } | End::Failed(_) => StreamEnd::Reset,
        };
        let lost = match end {
            End::Failed(_) => ErrorClass::Tls,
            _ => ErrorClass::Reset,
        };
        let outcome = connection.client.end_of_stream(stream_end, &mut completions);
        let completed = completions.count;
        self.in_flight -= u64::from(completed);
        let perhaps_tls = !self.backend.is_secured();
        if connection.state == State::Connecting {
            if let Err(failure @ Failure::Closed { code, .. }) = &outcome {
                show_failure::<C>(failure, &[], "", now_ns, &mut self.recorder);
                return self.not_connected::<D>(slot, ErrorClass::of_close(code.map(CloseCode::get)));
            }
            // The response was one that refuses to open it.
            if completed > 0 || served {
                return self.close_in_order(slot, driver, now_ns);
            }
            self.recorder
                .show_failure(lost, now_ns, || evidence::cut_off(end, came, perhaps_tls));
            return self.not_connected::<D>(slot, lost);
        }
        let unseen = !is_kept::<C, D>() && outcome == Err(Failure::CutOff) && came == Came::Nothing && served;
        let raced = unseen && lost == ErrorClass::Reset && self.is_race(slot, end, rested_ns);
        let name = request.map_or("", |request| self.requests.name(request));
        let class = match outcome {
            Ok(()) if completed > 0 => return self.close_in_order(slot, driver, now_ns),
            // Where it is to last, client and service had agreed to end it.
            Ok(()) if !lasts::<C, D>() || is_leaving => {
                self.release(slot);
                return Change::Lost;
            }
            Err(failure @ Failure::Malformed { .. }) => {
                show_failure::<C>(&failure, &[], name, now_ns, &mut self.recorder);
                ErrorClass::Malformed
            }
            Err(failure @ Failure::Closed { code, .. }) => {
                let class = ErrorClass::of_close(code.map(CloseCode::get));
                show_failure::<C>(&failure, &[], name, now_ns, &mut self.recorder);
                class
            }
            _ if is_kept::<C, D>() && end.is_in_order() && came == Came::Nothing => {
                let perhaps_tls = perhaps_tls && before > 0 && !served;
                self.recorder.show_failure(ErrorClass::Closed, now_ns, || {
                    evidence::closed(end, perhaps_tls).of(name)
                });
                ErrorClass::Closed
            }
            _ if raced => {
                self.recorder
                    .show(Sight::KeepAliveRace, now_ns, || evidence::race(end, rested_ns).of(name));
                self.lose_race(slot, driver, now_ns);
                return Change::Lost;
            }
            _ => {
                let perhaps_tls = perhaps_tls && before > 0 && !served;
                self.recorder
                    .show_failure(lost, now_ns, || evidence::cut_off(end, came, perhaps_tls).of(name));
                lost
            }
        };
        self.fail(slot, class, driver, now_ns);
        Change::Lost
    }

    /// Whether the service ended a connection that it had served before the request on it could have been seen. See
    /// `docs/decisions/0023-keep-alive-races-are-told-apart.md`.
    fn is_race(&mut self, slot: Slot, end: &End, rested_ns: u64) -> bool {
        if C::INDEPENDENT && rested_ns < RACE_REST_MIN_NS {
            // Others were in flight, and have been read.
            return false;
        }
        if end.is_in_order() {
            self.hand_over(self.backend.now_ns());
            if let Some(unread) = self.backend.ended_before_it_read(slot) {
                return unread;
            }
        }
        // A reset leaves open who had read what. A service that closes what rests for too long has served no request after a
        // longer rest, but for what its timers are off by.
        let margin_ns = (rested_ns / 9).max(TIMER_GRAIN_NS);
        rested_ns >= RACE_REST_MIN_NS && rested_ns + margin_ns >= self.across.longest_rest_ns
    }

    /// Closes a connection; what is on it was never seen, and goes out once more where that may be done.
    fn lose_race<D: Outcomes>(&mut self, slot: Slot, driver: &mut D, now_ns: u64) {
        while let Some(request) = self.give_up(slot) {
            let as_get = self.across.hops.of(&request).is_some_and(|hop| hop.as_get);
            if (as_get || self.requests.may_repeat(request.request)) && !request.again {
                self.recorder.lost_race(request.request, true);
                self.across.again.push(request.elsewhere(true));
            } else {
                let request = self.across.hops.end(&request);
                self.recorder.lost_race(request.request, false);
                driver.failed(&request, now_ns, &mut self.recorder);
            }
        }
        self.release(slot);
    }

    /// Takes back the oldest request of a connection.
    fn give_up(&mut self, slot: Slot) -> Option<InFlight> {
        let request = self.connections[slot as usize].client.give_up(&mut self.out)?;
        self.in_flight -= 1;
        Some(request)
    }

    /// Closes a connection that has failed, and with it the requests on it.
    fn fail<D: Outcomes>(&mut self, slot: Slot, class: ErrorClass, driver: &mut D, now_ns: u64) {
        if lasts::<C, D>() && self.connections[slot as usize].client.in_flight() == 0 {
            self.recorder.connection_failed(class);
        }
        self.fail_requests(slot, class, driver, now_ns);
    }

    /// Closes a connection; requests that are still on it fail. Only the first of them met the fault itself, those behind it
    /// lost their connection, unless they are what is held, or this was ended with a word that is for all of them.
    fn fail_requests<D: Outcomes>(&mut self, slot: Slot, class: ErrorClass, driver: &mut D, now_ns: u64) {
        let mut class = class;
        while let Some(request) = self.give_up(slot) {
            let request = self.across.hops.end(&request);
            self.recorder.failed(request.request, class);
            driver.failed(&request, now_ns, &mut self.recorder);
            if D::HOLDS != Holds::Requests && !C::OPENED_BY_REQUEST {
                class = ErrorClass::Reset;
            }
        }
        self.release(slot);
    }

    /// The backend gives the kernel what it has gathered, at this time.
    #[inline]
    pub(crate) fn hand_over(&mut self, now_ns: u64) {
        if self.backend.gathers() != Gathers::Nothing {
            self.recorder.all_go_out(now_ns);
        }
    }

    /// Frees a slot without recording anything.
    fn release(&mut self, slot: Slot) {
        self.hand_over(self.backend.now_ns());
        self.backend.close(slot);
        // What its client would still have said is not for the next one.
        self.out.clear();
        self.across.kept.take_if(|kept| *kept == slot);
        let connection = &mut self.connections[slot as usize];
        match connection.state {
            State::Connecting => self.connecting -= 1,
            State::Open => self.open -= 1,
            State::Leaving => self.leaving -= 1,
            State::Free => return,
        }
        *connection = Connection::new(self.client.clone());
        self.free.push(slot);
    }

    /// Ends what has taken too long and appends what changed. Says when to go on with the next ones, or `None` when all
    /// connections have been looked at.
    ///
    /// Looking through all of them costs nothing per request, and the shard begins anew only a few dozen times per
    /// timeout.
    pub(crate) fn expire_all<D: Outcomes>(
        &mut self,
        now_ns: u64,
        driver: &mut D,
        changes: &mut Vec<Change>,
    ) -> Option<u64> {
        let before = changes.len();
        for slot in (self.expire_from..self.connections.len() as Slot).take(LOOKED_AT_PER_ROUND) {
            if changes.len() - before == ENDED_PER_ROUND {
                return Some(now_ns + BETWEEN_ROUNDS_NS);
            }
            self.expire_from = slot + 1;
            changes.extend(self.expire(slot, now_ns, driver));
        }
        if (self.expire_from as usize) < self.connections.len() {
            return Some(now_ns);
        }
        self.expire_from = 0;
        None
    }

    /// Ends a connection if it has taken too long to be made, its oldest request too long for a response, or if it is idle and
    /// has rested for too long.
    #[inline]
    pub(crate) fn expire<D: Outcomes>(&mut self, slot: Slot, now_ns: u64, driver: &mut D) -> Option<Change> {
        let connection = self.connections.get(slot as usize)?;
        match connection.state {
            State::Connecting => {
                let timeout_ns = self.limits.connect_timeout_ns;
                if connection.served {
                    // It was refused, and the service does not end it as it said.
                    return Some(self.close_in_order(slot, driver, now_ns));
                }
                let (opening, came) = (connection.client.in_flight() > 0, connection.client.came());
                (now_ns.saturating_sub(connection.since_ns) >= timeout_ns).then(|| {
                    let stage = self.backend.connect_stage(slot);
                    self.recorder
                        .show_failure(ErrorClass::ConnectTimeout, now_ns, || match opening {
                            true => evidence::opening_timeout(timeout_ns, came),
                            false => evidence::connect_timeout(timeout_ns, stage),
                        });
                    self.not_connected::<D>(slot, ErrorClass::ConnectTimeout)
                })
            }
            // It has closed the connection, and does not end it.
            State::Leaving if C::OPENED_BY_REQUEST && D::HOLDS == Holds::Nothing => {
                let waits_ns = now_ns.saturating_sub(connection.since_ns);
                (waits_ns >= CLOSING_NS).then(|| self.peer_ended(slot, &End::Finished, driver))
            }
            State::Open | State::Leaving => match connection.client.oldest() {
                Some(_) => self.is_over(slot, now_ns).then(|| self.time_out(slot, driver, now_ns)),
                // The service has said that it ends the connection, and has had time to.
                None if D::HOLDS == Holds::Connections && connection.state == State::Leaving => {
                    Some(self.peer_ended(slot, &End::Finished, driver))
                }
                None => (D::HOLDS == Holds::Nothing && connection.is_stale(now_ns)).then(|| {
                    self.release(slot);
                    Change::Lost
                }),
            },
            State::Free => None,
        }
    }

    /// The oldest request of a connection has had no whole response in time.
    fn time_out<D: Outcomes>(&mut self, slot: Slot, driver: &mut D, now_ns: u64) -> Change {
        self.time_out_oldest(slot, driver, now_ns);
        if !C::INDEPENDENT {
            self.fail_requests(slot, ErrorClass::Reset, driver, now_ns);
            return Change::Lost;
        }
        while self.is_over(slot, now_ns) {
            self.time_out_oldest(slot, driver, now_ns);
        }
        let connection = &self.connections[slot as usize];
        if connection.state == State::Leaving && connection.client.in_flight() == 0 {
            self.release(slot);
            return Change::Lost;
        }
        self.spoken(slot, true, now_ns)
    }

    fn time_out_oldest<D: Outcomes>(&mut self, slot: Slot, driver: &mut D, now_ns: u64) {
        let came = self.connections[slot as usize].client.came();
        let Some(request) = self.give_up(slot) else { return };
        let request = self.across.hops.end(&request);
        let timeout_ns = self.limits.response_timeout_ns;
        let name = self.requests.name(request.request);
        self.recorder.show_failure(ErrorClass::ResponseTimeout, now_ns, || {
            match C::OPENED_BY_REQUEST {
                true => evidence::unanswered(C::NAME, timeout_ns),
                false => evidence::timed_out(timeout_ns, came),
            }
            .of(name)
        });
        let since_sent_ns = now_ns.saturating_sub(request.sent_ns);
        self.recorder
            .timed_out(request.request, timeout_ns, Some(since_sent_ns));
        driver.failed(&request, now_ns, &mut self.recorder);
    }

    /// Whether the time of the oldest request of a connection is over.
    fn is_over(&self, slot: Slot, now_ns: u64) -> bool {
        let oldest = self.connections[slot as usize].client.oldest();
        oldest.is_some_and(|request| now_ns.saturating_sub(request.intended_ns) >= self.limits.response_timeout_ns)
    }
}

/// Whether a connection is to last, so that its end is a failure with or without a request on it.
const fn lasts<C: Protocol, D: Outcomes>() -> bool {
    matches!(D::HOLDS, Holds::Connections) || C::OPENED_BY_REQUEST
}

/// Whether a connection is kept for its own sake or that of the requests on it, so that no other one takes its place.
const fn is_kept<C: Protocol, D: Outcomes>() -> bool {
    !matches!(D::HOLDS, Holds::Nothing) || C::OPENED_BY_REQUEST
}

/// Sends a request on a connection. It waits for the hand-over to the kernel, where the backend gathers what is sent.
#[inline]
fn send<B: Backend, C: Protocol>(
    backend: &mut B,
    recorder: &mut Recorder,
    slot: Slot,
    client: &mut C,
    prepared: &Prepared<'_, C::Request>,
    request: InFlight,
) {
    let bytes = write(backend, slot, client, prepared, request);
    if backend.gathers() != Gathers::Nothing {
        recorder.starts.turned_to(request.sent_ns, request.lag_ns());
    }
    recorder.sent(&request, bytes);
}

/// Writes a request on a connection; returns how many bytes.
#[inline]
fn write<B: Backend, C: Protocol>(
    backend: &mut B,
    slot: Slot,
    client: &mut C,
    prepared: &Prepared<'_, C::Request>,
    request: InFlight,
) -> usize {
    backend.send(slot, |out| {
        client.start(prepared.laid_out, |variable| prepared.value(variable), request, out);
    })
}

/// The name of the oldest request of a connection.
fn name<'a, C: Protocol>(requests: &'a RequestsOf<C>, connection: &Connection<C>) -> &'a str {
    let oldest = connection.client.oldest();
    oldest.map_or("", |request| requests.name(request.request))
}

/// Keeps an example of what came instead of a response to the request with this name.
#[cold]
fn show_failure<C: Protocol>(failure: &Failure, bytes: &[u8], name: &str, now_ns: u64, recorder: &mut Recorder) {
    match failure {
        Failure::Malformed { reason } => {
            recorder.show_failure(ErrorClass::Malformed, now_ns, || {
                Seen::malformed(reason, bytes).in_protocol(C::NAME).of(name)
            });
        }
        Failure::Unrequested { bytes: count } => {
            let unrequested = &bytes[bytes.len().saturating_sub(*count)..];
            recorder.show(Sight::Unrequested, now_ns, || evidence::unrequested(unrequested));
        }
        Failure::Closed { code, reason } => {
            let class = ErrorClass::of_close(code.map(CloseCode::get));
            recorder.show_failure(class, now_ns, || evidence::web_socket_closed(*code, reason));
        }
        Failure::Refused { reason } => {
            recorder.show_failure(ErrorClass::NotAdmitted, now_ns, || {
                evidence::not_admitted(reason).of(name)
            });
        }
        Failure::CutOff => {}
    }
}
