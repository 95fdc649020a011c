//! The connections of one shard: bytes out, answers in, every outcome recorded.
//!
//! The pool does not decide when a request starts or on which connection; the shard does.

use crate::backend::{Backend, End, Event, Slot};
use crate::recorder::Recorder;
use crate::requests::Requests;
use plimsoll_measure::{ErrorClass, Gauges};
use plimsoll_protocol::http1::{LastHead, Progress, RequestKind, ResponseReader};
use std::collections::VecDeque;

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

/// Idle connections are given up before the service would close them: a request sent into a
/// closing connection is lost through nobody's fault. Node.js closes after 5 s by default.
const IDLE_LIMIT_NS: u64 = 4_000_000_000;

/// Connections that are looked at for one that has taken too long before due requests are looked at again.
const LOOKED_AT_PER_ROUND: usize = 4096;
/// Of these so many are ended, and the next ones this much later. Ending one takes about 10 µs here and as long in the
/// service: a thousand at once would delay every request that falls due meanwhile.
const ENDED_PER_ROUND: usize = 8;
const BETWEEN_ROUNDS_NS: u64 = 1_000_000;

/// A request on its way.
#[derive(Debug, Clone, Copy, Default)]
struct InFlight {
    intended_ns: u64,
    sent_ns: u64,
    /// Which request of the scenario.
    index: u32,
    answer: RequestKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Free,
    Connecting,
    Open,
}

struct Connection {
    state: State,
    reader: ResponseReader,
    /// The request whose answer comes next.
    front: InFlight,
    /// Those behind it; only with pipelining.
    behind: VecDeque<InFlight>,
    in_flight: u16,
    /// Connecting: since when. Open: last used.
    since_ns: u64,
}

impl Connection {
    fn new() -> Self {
        Self {
            state: State::Free,
            reader: ResponseReader::new(),
            front: InFlight::default(),
            behind: VecDeque::new(),
            in_flight: 0,
            since_ns: 0,
        }
    }

    fn push(&mut self, request: InFlight) {
        if self.in_flight == 0 {
            self.reader.expect(request.answer);
            self.front = request;
        } else {
            self.behind.push_back(request);
        }
        self.in_flight += 1;
    }

    fn pop(&mut self) -> InFlight {
        let done = self.front;
        self.in_flight -= 1;
        if let Some(next) = self.behind.pop_front() {
            self.reader.expect(next.answer);
            self.front = next;
        }
        done
    }
}

/// What the shard has to react to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// More bytes of an answer.
    Nothing,
    /// Established, or an answer came in, at this time: the connection can take a request.
    Ready { slot: Slot, now_ns: u64 },
    /// The connection is gone; requests on it are recorded as failed.
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
    /// Intended starts of the requests that finished since the shard last looked.
    finished: Vec<u64>,
}

impl<B: Backend> Pool<B> {
    pub(crate) fn new(backend: B, requests: Requests, limits: Limits) -> Self {
        Self {
            backend,
            recorder: Recorder::default(),
            limits,
            requests,
            connections: Vec::new(),
            free: Vec::new(),
            connecting: 0,
            open: 0,
            in_flight: 0,
            expire_from: 0,
            last_head: LastHead::default(),
            finished: Vec::new(),
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
        if let Err(class) = self.backend.connect(slot) {
            self.free.push(slot);
            return Err(class);
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
                    requests: &self.requests,
                    recorder: &mut self.recorder,
                    finished: &mut self.finished,
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
                    Err(class) => {
                        self.fail(slot, class);
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
            Event::ConnectFailed(slot, class) => {
                self.release(slot);
                Some(Change::ConnectFailed { class })
            }
            Event::Closed(slot, end) => {
                self.peer_ended(slot, end);
                Some(Change::Lost)
            }
        }
    }

    /// The peer ended the connection. That may be what ends the answer.
    fn peer_ended(&mut self, slot: Slot, end: End) {
        let now_ns = self.backend.now_ns();
        let connection = &mut self.connections[slot as usize];
        if connection.in_flight > 0
            && end == End::Finished
            && let Ok(Some(answer)) = connection.reader.end_of_stream()
        {
            let request = connection.pop();
            self.in_flight -= 1;
            let mut done = Done {
                requests: &self.requests,
                recorder: &mut self.recorder,
                finished: &mut self.finished,
            };
            done.answer(request, answer.status, now_ns);
        }
        self.fail(slot, ErrorClass::Reset);
    }

    /// Closes a connection; requests that are still on it fail. Only the first of them met the
    /// fault itself, those behind it lost their connection.
    fn fail(&mut self, slot: Slot, class: ErrorClass) {
        let connection = &mut self.connections[slot as usize];
        let mut class = class;
        while connection.in_flight > 0 {
            self.finished.push(connection.pop().intended_ns);
            self.recorder.failed(class);
            self.in_flight -= 1;
            class = ErrorClass::Reset;
        }
        self.release(slot);
    }

    /// Frees a slot without recording anything.
    fn release(&mut self, slot: Slot) {
        self.backend.close(slot);
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
                    changes.push(Change::ConnectFailed {
                        class: ErrorClass::ConnectTimeout,
                    });
                }
                State::Open if connection.in_flight > 0 => {
                    if now_ns.saturating_sub(connection.front.intended_ns) < self.limits.response_timeout_ns {
                        continue;
                    }
                    let request = connection.pop();
                    self.in_flight -= 1;
                    self.finished.push(request.intended_ns);
                    self.recorder
                        .timed_out(self.limits.response_timeout_ns, Some(now_ns - request.sent_ns));
                    self.fail(slot, ErrorClass::Reset);
                    changes.push(Change::Lost);
                }
                State::Open if now_ns.saturating_sub(connection.since_ns) >= IDLE_LIMIT_NS => {
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

/// Where the outcome of a request goes.
struct Done<'a> {
    requests: &'a Requests,
    recorder: &'a mut Recorder,
    finished: &'a mut Vec<u64>,
}

impl Done<'_> {
    #[inline]
    fn answer(&mut self, request: InFlight, status: u16, now_ns: u64) {
        self.recorder.answer(
            now_ns.saturating_sub(request.intended_ns),
            now_ns.saturating_sub(request.sent_ns),
            status,
            self.requests.accepts(request.index, status),
        );
        self.finished.push(request.intended_ns);
    }
}

/// Reads the answers in `bytes` and records them. `Err` when the connection cannot be used any
/// further, with the class of the failure of what is still on it.
#[inline]
fn read_answers(
    connection: &mut Connection,
    mut bytes: &[u8],
    now_ns: u64,
    keep_alive: bool,
    last_head: &mut LastHead,
    done: &mut Done<'_>,
) -> Result<(), ErrorClass> {
    while !bytes.is_empty() {
        if connection.in_flight == 0 {
            // Bytes that nobody asked for, such as a 408 before an idle connection is closed.
            return Err(ErrorClass::Malformed);
        }
        match connection.reader.feed(bytes, last_head) {
            Ok(Progress::NeedMore) => return Ok(()),
            Ok(Progress::Done { consumed, answer }) => {
                done.answer(connection.pop(), answer.status, now_ns);
                if !(keep_alive && answer.keep_alive) {
                    return Err(ErrorClass::Reset);
                }
                bytes = &bytes[consumed..];
            }
            Err(_) => return Err(ErrorClass::Malformed),
        }
    }
    Ok(())
}
