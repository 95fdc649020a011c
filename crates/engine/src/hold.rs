//! One generator thread that holds connections: opens its part of them at a pace, parks a request on each or leaves it
//! idle, and counts what is lost.
//!
//! A slot is used for one connection only: one that is lost stays lost, so the number of live ones tells the truth.

use crate::backend::{Backend, End, Event, Slot, Wake};
use crate::deadlines::Deadlines;
use crate::evidence::{self, Hidden, Seen};
use crate::recorder::Recorder;
use crate::requests::Requests;
use crate::shard::Sink;
use crate::ticker::{Ticker, Ticks};
use plimsoll_measure::{ErrorClass, Gauges, Sight};
use plimsoll_plan::{HoldLoad, Park};
use plimsoll_protocol::http1::{Answer, Came, LastHead, Progress, RequestKind, ResponseReader, field};
use std::collections::HashMap;

/// Field of an answer in which a service says when it sent it: nanoseconds of `CLOCK_MONOTONIC`, decimal.
const SENT_FIELD: &str = "sent-monotonic-ns";
/// Connections being made at once, by all shards together; below the usual accept backlog of a service.
const CONNECTING_LIMIT: u32 = 256;
/// Connections begun before answers are looked at again.
const STARTS_PER_ROUND: usize = 64;
/// After so many failures in a row, with no connection left, no more are to come: the service is not there.
const HOPELESS: u32 = 64;
/// The longest wait, so that a stop is noticed.
const LONGEST_WAIT_NS: u64 = 250_000_000;
/// A request whose answer was not accepted is parked again after this long, so that a failing service is not hammered.
const AGAIN_AFTER_NS: u64 = 1_000_000_000;

/// What one shard has to do.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) shard: u32,
    pub(crate) shards: u32,
    pub(crate) start_ns: u64,
    pub(crate) ticks: Ticks,
    /// Zero of the shard's clock on the clock that the service stamps its answers with.
    pub(crate) zero_ns: u64,
    pub(crate) connect_timeout_ns: u64,
    pub(crate) response_timeout_ns: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Connecting,
    /// Open, and nothing is sent.
    Idle,
    /// Open, and an answer is to come.
    Awaiting,
    Lost,
}

/// A connection. A million of them must fit.
struct Held {
    /// When the request that is out was due, ns.
    intended_ns: u64,
    sent_ns: u64,
    /// Which request of the scenario is out.
    request: u16,
    answer: RequestKind,
    state: State,
    /// A whole answer has come on it.
    served: bool,
}

const _: () = assert!(size_of::<Held>() <= 24);

pub(crate) struct Holder<B> {
    backend: B,
    requests: Requests,
    recorder: Recorder,
    terms: Terms,
    load: HoldLoad,
    end_ns: u64,
    /// How many connections this shard opens.
    count: u32,
    /// By slot; those that are not due yet are missing.
    held: Vec<Held>,
    /// Answers of which only the beginning has come.
    unfinished: HashMap<Slot, ResponseReader>,
    last_head: LastHead,
    connects: Deadlines,
    pings: Deadlines,
    again: Deadlines,
    pinged: u64,
    sent: u64,
    connecting: u32,
    live: u32,
    awaiting: u32,
    failures_in_row: u32,
    ticker: Ticker,
}

impl<B: Backend> Holder<B> {
    pub(crate) fn new(backend: B, requests: Requests, hidden: Hidden, load: &HoldLoad, terms: Terms) -> Self {
        let count = load.connections / terms.shards + u32::from(terms.shard < load.connections % terms.shards);
        let end_ns = terms.start_ns + nanos(load.opening()) + nanos(load.duration);
        Self {
            backend,
            requests,
            recorder: Recorder::new(hidden),
            ticker: Ticker::new(terms.start_ns, terms.ticks, Some(end_ns)),
            load: load.clone(),
            end_ns,
            count,
            held: Vec::with_capacity(count as usize),
            unfinished: HashMap::new(),
            last_head: LastHead::default(),
            connects: Deadlines::after(terms.connect_timeout_ns),
            pings: Deadlines::after(terms.response_timeout_ns),
            again: Deadlines::after(AGAIN_AFTER_NS),
            pinged: 0,
            sent: 0,
            connecting: 0,
            live: 0,
            awaiting: 0,
            failures_in_row: 0,
            terms,
        }
    }

    /// Runs until the time is over or the sink says stop.
    pub(crate) fn run(mut self, sink: &mut impl Sink) {
        self.ticker.cpu_ns = self.backend.cpu_ns();
        let mut now_ns = self.backend.now_ns();
        while !sink.stopped() && now_ns < self.end_ns {
            self.open_due(now_ns);
            self.expire(now_ns);
            self.ping_due(now_ns);
            let until_ns = self.next_wake_ns(now_ns);
            self.backend.wait(until_ns, Wake::AtOnce);
            while self.take_event() {}
            now_ns = self.backend.now_ns();
            while now_ns >= self.ticker.ends_ns() {
                self.tick(self.ticker.ends_ns(), sink);
            }
        }
        if now_ns > self.ticker.start_ns() {
            self.tick(now_ns, sink);
        }
    }

    /// Connections that may still come.
    fn to_come(&self) -> u64 {
        let hopeless = self.live + self.connecting == 0 && self.failures_in_row >= HOPELESS;
        let not_begun = if hopeless {
            0
        } else {
            self.count as usize - self.held.len()
        };
        not_begun as u64 + u64::from(self.connecting)
    }

    /// When the next connection is due; `None` when all are.
    fn next_open_ns(&self) -> Option<u64> {
        let own = self.held.len() as u64;
        let number = own * u64::from(self.terms.shards) + u64::from(self.terms.shard);
        let after_ns = u128::from(number) * 1_000_000_000_000_000 / u128::from(self.load.pace.micro_per_s().max(1));
        (own < u64::from(self.count) && self.to_come() > 0).then(|| self.terms.start_ns + after_ns as u64)
    }

    fn may_connect(&self) -> bool {
        self.connecting < (CONNECTING_LIMIT / self.terms.shards).max(4)
    }

    fn open_due(&mut self, mut now_ns: u64) {
        for _ in 0..STARTS_PER_ROUND {
            let Some(due_ns) = self.next_open_ns().filter(|&due_ns| due_ns <= now_ns) else {
                return;
            };
            if !self.may_connect() {
                return;
            }
            self.recorder.woke(now_ns - due_ns);
            self.open(now_ns);
            now_ns = self.backend.now_ns();
        }
    }

    fn open(&mut self, now_ns: u64) {
        let slot = self.held.len() as Slot;
        self.held.push(Held {
            intended_ns: 0,
            sent_ns: 0,
            request: 0,
            answer: RequestKind::Other,
            state: State::Connecting,
            served: false,
        });
        match self.backend.connect(slot) {
            Ok(()) => {
                self.connecting += 1;
                self.connects.push(slot, now_ns);
            }
            Err(fault) => {
                self.held[slot as usize].state = State::Lost;
                self.recorder
                    .show_failure(fault.class, now_ns, || evidence::not_connected(fault));
                self.not_opened(fault.class);
            }
        }
    }

    fn not_opened(&mut self, class: ErrorClass) {
        self.failures_in_row += 1;
        self.recorder.failed(class);
    }

    /// Sends a request, whose answer may take as long as it likes unless it is a ping.
    fn send(&mut self, slot: Slot, intended_ns: u64, now_ns: u64) {
        let number = self.sent * u64::from(self.terms.shards) + u64::from(self.terms.shard);
        self.sent += 1;
        let (request, answer, bytes) = self.requests.encode(number);
        let held = &mut self.held[slot as usize];
        held.intended_ns = intended_ns;
        held.sent_ns = now_ns;
        // A plan has at most a thousand requests.
        held.request = request as u16;
        held.answer = answer;
        held.state = State::Awaiting;
        self.awaiting += 1;
        self.recorder.counters.scheduled += 1;
        self.recorder.counters.sent += 1;
        self.recorder.counters.sent_bytes += bytes.len() as u64;
        self.backend.send(slot, bytes);
    }

    /// Pings go evenly round all connections: the place of a connection in the interval is that of its slot.
    fn next_ping_ns(&self) -> Option<u64> {
        let interval = self.load.ping.filter(|_| self.load.park == Park::Nothing)?;
        let all = u128::from(self.terms.shards) * u128::from(self.count.max(1));
        let place = u128::from(self.pinged) * u128::from(self.terms.shards) + u128::from(self.terms.shard);
        Some(self.terms.start_ns + (place * interval.as_nanos() / all) as u64)
    }

    fn ping_due(&mut self, now_ns: u64) {
        while let Some(due_ns) = self.next_ping_ns().filter(|&due_ns| due_ns <= now_ns) {
            let slot = (self.pinged % u64::from(self.count.max(1))) as Slot;
            self.pinged += 1;
            // One whose last ping is not answered yet has a timeout already.
            if self
                .held
                .get(slot as usize)
                .is_some_and(|held| held.state == State::Idle)
            {
                self.recorder.durations.schedule_lag.record(now_ns - due_ns);
                self.send(slot, due_ns, now_ns);
                self.pings.push(slot, now_ns);
            }
        }
    }

    fn expire(&mut self, now_ns: u64) {
        while let Some(slot) = self.connects.pop_due(now_ns) {
            if self.held[slot as usize].state == State::Connecting {
                let timeout_ns = self.terms.connect_timeout_ns;
                self.recorder.show_failure(ErrorClass::ConnectTimeout, now_ns, || {
                    evidence::connect_timeout(timeout_ns)
                });
                self.lose(slot, ErrorClass::ConnectTimeout);
            }
        }
        while let Some(slot) = self.pings.pop_due(now_ns) {
            let held = &self.held[slot as usize];
            if held.state == State::Awaiting && now_ns - held.sent_ns >= self.terms.response_timeout_ns {
                let timeout_ns = self.terms.response_timeout_ns;
                let came = self.unfinished.get(&slot).map_or(Came::Nothing, ResponseReader::came);
                self.recorder.show_failure(ErrorClass::ResponseTimeout, now_ns, || {
                    evidence::timed_out(timeout_ns, came)
                });
                self.lose(slot, ErrorClass::ResponseTimeout);
            }
        }
        while let Some(slot) = self.again.pop_due(now_ns) {
            if self.held[slot as usize].state == State::Idle {
                self.send(slot, now_ns, now_ns);
            }
        }
    }

    fn next_wake_ns(&self, now_ns: u64) -> u64 {
        let open_ns = self.next_open_ns().filter(|_| self.may_connect());
        let soonest = [
            open_ns,
            self.next_ping_ns(),
            self.connects.next_ns(),
            self.pings.next_ns(),
            self.again.next_ns(),
        ];
        let latest_ns = self.ticker.ends_ns().min(self.end_ns).min(now_ns + LONGEST_WAIT_NS);
        soonest.into_iter().flatten().fold(latest_ns, u64::min)
    }

    /// Takes the next event of the last wait; `false` when there is none.
    fn take_event(&mut self) -> bool {
        let Some(event) = self.backend.next_event() else {
            return false;
        };
        match event {
            Event::Received(slot, bytes, now_ns) => {
                self.recorder.counters.received_bytes += bytes.len() as u64;
                let held = &self.held[slot as usize];
                if held.state != State::Awaiting {
                    // Line ends alone are nothing (RFC 9112, section 2.2).
                    if !bytes.iter().all(|byte| b"\r\n".contains(byte)) {
                        unrequested(&mut self.recorder, bytes, now_ns);
                        self.lose(slot, ErrorClass::Malformed);
                    }
                    return true;
                }
                let begun = self.unfinished.remove(&slot);
                let whole = begun.is_none();
                let mut reader = begun.unwrap_or_else(|| reader(held.answer));
                match reader.feed(bytes, &mut self.last_head) {
                    Ok(Progress::NeedMore) => {
                        self.unfinished.insert(slot, reader);
                    }
                    Ok(Progress::Done { consumed, answer }) => {
                        let sent_ns = whole.then(|| sent_ns(bytes)).flatten();
                        let rest = bytes[consumed..].iter().any(|byte| !b"\r\n".contains(byte));
                        if rest {
                            unrequested(&mut self.recorder, &bytes[consumed..], now_ns);
                        }
                        let request = self.held[slot as usize].request.into();
                        if !self.requests.accepts(request, answer.status) {
                            let accepted = self.requests.accepted_status(request);
                            let beginning = reader.beginning();
                            let seen = if beginning.is_empty() {
                                &bytes[..consumed]
                            } else {
                                beginning
                            };
                            self.recorder.show_failure(ErrorClass::Status, now_ns, || {
                                Seen::answer(answer.status, seen).expecting(evidence::statuses(accepted))
                            });
                        }
                        self.answered(slot, answer, sent_ns, now_ns);
                        if rest {
                            self.lose(slot, ErrorClass::Malformed);
                        }
                    }
                    Err(malformed) => {
                        let beginning = reader.beginning();
                        let seen = if beginning.is_empty() { bytes } else { beginning };
                        self.recorder
                            .show_failure(ErrorClass::Malformed, now_ns, || Seen::malformed(&malformed, seen));
                        self.lose(slot, ErrorClass::Malformed);
                    }
                }
            }
            Event::Connected(slot) => {
                self.connecting -= 1;
                self.live += 1;
                self.failures_in_row = 0;
                self.recorder.counters.connections_opened += 1;
                self.held[slot as usize].state = State::Idle;
                if self.load.park == Park::Request {
                    let now_ns = self.backend.now_ns();
                    self.send(slot, now_ns, now_ns);
                }
            }
            Event::ConnectFailed(slot, fault) => {
                let now_ns = self.backend.now_ns();
                self.recorder
                    .show_failure(fault.class, now_ns, || evidence::not_connected(fault));
                self.lose(slot, fault.class);
            }
            Event::Closed(slot, end) => self.peer_ended(slot, end),
        }
        true
    }

    /// A whole answer came. With a parked request the next one is sent.
    fn answered(&mut self, slot: Slot, answer: Answer, stamp_ns: Option<u64>, now_ns: u64) {
        self.awaiting -= 1;
        let held = &mut self.held[slot as usize];
        held.state = State::Idle;
        held.served = true;
        let accepted = self.requests.accepts(held.request.into(), answer.status);
        match self.load.park {
            Park::Nothing => {
                let response_time_ns = now_ns.saturating_sub(held.intended_ns);
                let service_time_ns = now_ns.saturating_sub(held.sent_ns);
                self.recorder
                    .answer(response_time_ns, service_time_ns, answer.status, accepted);
            }
            Park::Request => {
                // A stamp from the future is that of another machine's clock.
                let delivery_time_ns = stamp_ns.and_then(|ns| (self.terms.zero_ns + now_ns).checked_sub(ns));
                self.recorder.delivery(delivery_time_ns, answer.status, accepted);
            }
        }
        if !answer.keep_alive {
            self.recorder.show_failure(ErrorClass::Closed, now_ns, || {
                Seen::found("the response ends its connection").expecting("a connection that is held")
            });
            self.lose(slot, ErrorClass::Closed);
        } else if self.load.park == Park::Request {
            if accepted {
                self.send(slot, now_ns, now_ns);
            } else {
                self.again.push(slot, now_ns);
            }
        }
    }

    /// The peer ended the connection. That may be what ends the answer.
    fn peer_ended(&mut self, slot: Slot, end: End) {
        let begun = self.unfinished.remove(&slot);
        let came = begun.as_ref().map_or(Came::Nothing, ResponseReader::came);
        let in_the_middle = begun.is_some();
        if end == End::Finished
            && let Some(mut reader) = begun
            && let Ok(Some(answer)) = reader.end_of_stream()
        {
            // It says itself that it ends with the connection, so that is lost as well.
            let now_ns = self.backend.now_ns();
            self.answered(slot, answer, None, now_ns);
            return;
        }
        let in_order = end == End::Finished && !in_the_middle;
        let class = if in_order {
            ErrorClass::Closed
        } else {
            ErrorClass::Reset
        };
        let now_ns = self.backend.now_ns();
        let held = &self.held[slot as usize];
        let (awaiting, served) = (held.state == State::Awaiting, held.served);
        self.recorder.show_failure(class, now_ns, || match class {
            ErrorClass::Closed => evidence::closed(end, awaiting && !served),
            _ => evidence::cut_off(end, came, served || !awaiting),
        });
        self.lose(slot, class);
    }

    /// A connection that is not or no longer there.
    fn lose(&mut self, slot: Slot, class: ErrorClass) {
        self.backend.close(slot);
        self.unfinished.remove(&slot);
        let held = &mut self.held[slot as usize];
        match std::mem::replace(&mut held.state, State::Lost) {
            State::Connecting => {
                self.connecting -= 1;
                self.not_opened(class);
            }
            State::Idle => {
                self.live -= 1;
                self.recorder.failed(class);
            }
            State::Awaiting => {
                self.live -= 1;
                self.awaiting -= 1;
                self.recorder.failed(class);
            }
            State::Lost => {}
        }
    }

    fn tick(&mut self, end_ns: u64, sink: &mut impl Sink) {
        let cpu_ns = self.backend.cpu_ns();
        let gauges = Gauges {
            in_flight: self.awaiting.into(),
            queued: self.to_come(),
            connections: self.live.into(),
        };
        let span = self.ticker.next(end_ns);
        let tick = self.recorder.take(span, gauges, cpu_ns - self.ticker.cpu_ns);
        self.ticker.cpu_ns = cpu_ns;
        sink.tick(tick);
    }
}

/// Bytes that nobody asked for, such as a 408 before an idle connection is closed.
fn unrequested(recorder: &mut Recorder, bytes: &[u8], now_ns: u64) {
    recorder.counters.unrequested += 1;
    for sight in [Sight::Unrequested, Sight::Failure(ErrorClass::Malformed)] {
        recorder.show(sight, now_ns, || Seen {
            expected: String::new(),
            ..Seen::malformed(&"bytes came that no request had asked for", bytes)
        });
    }
}

fn reader(answer: RequestKind) -> ResponseReader {
    let mut reader = ResponseReader::new();
    reader.expect(answer);
    reader
}

fn sent_ns(answer: &[u8]) -> Option<u64> {
    std::str::from_utf8(field(answer, SENT_FIELD)?).ok()?.parse().ok()
}

fn nanos(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX / 4)
}
