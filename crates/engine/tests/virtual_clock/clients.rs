//! Protocols other than HTTP/1.1: one of many requests at a time on a connection, and a layer below it.

use super::{MS, job_of, open, scenario};
use plimsoll_engine::{Control, Job, Requests};
use plimsoll_measure::{ErrorClass, Sight, Tick};
use plimsoll_protocol::{Came, Client, Completions, Failure, RequestFailure, Response, Standing, StreamEnd};
use plimsoll_sim::backend::{Peer, VirtualBackend};
use std::borrow::Cow;
use std::convert::Infallible;

/// Requests and responses of three bytes: the number of the request on its connection, what it is, and a line end. Responses come in
/// any order: `.` is a success, `!` an error, `x` gives the request up, `-` declines it, and `e` says that the connection ends and
/// which request is the last that is seen.
#[derive(Debug, Clone)]
pub(super) struct Numbered<T> {
    awaited: Vec<(u8, T)>,
    next: u8,
    leaves: bool,
}

impl<T> Numbered<T> {
    pub(super) fn new() -> Self {
        Self {
            awaited: Vec::new(),
            next: 0,
            leaves: false,
        }
    }
}

impl<T: Copy> Client for Numbered<T> {
    type Request = u8;
    type Token = T;
    type Shared = ();

    const NAME: &'static str = "numbered";
    const INDEPENDENT: bool = true;

    fn open(&mut self, _out: &mut Vec<u8>) {}

    fn start<'v>(&mut self, request: &u8, _value: impl Fn(usize) -> &'v [u8], token: T, out: &mut Vec<u8>) {
        self.awaited.push((self.next, token));
        out.extend_from_slice(&[self.next, *request, b'\n']);
        self.next = self.next.wrapping_add(1);
    }

    fn capacity(&self) -> u32 {
        if self.leaves {
            0
        } else {
            4_u32.saturating_sub(self.in_flight())
        }
    }

    fn in_flight(&self) -> u32 {
        self.awaited.len() as u32
    }

    fn oldest(&self) -> Option<&T> {
        self.awaited.first().map(|(_, token)| token)
    }

    fn receive(
        &mut self,
        bytes: &[u8],
        _shared: &mut (),
        _out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<Standing, Failure> {
        for response in bytes.chunks(3) {
            let place = self.awaited.iter().position(|(number, _)| *number == response[0]);
            let Some(place) = place.filter(|_| response.len() == 3) else {
                let reason = "a number that nobody waits for".to_owned();
                return Err(Failure::Malformed { reason });
            };
            if response[1] == b'e' {
                self.leaves = true;
                for (_, token) in self.awaited.drain(place + 1..) {
                    completions.unseen(&token, "END");
                }
                continue;
            }
            let (_, token) = self.awaited.remove(place);
            let whole = |status| Response {
                status,
                bytes: response,
                in_one_piece: true,
            };
            let came = Came::Nothing;
            match response[1] {
                b'x' => completions.failed(&token, &RequestFailure::Reset { code: "TIRED", came }),
                b'-' => completions.failed(&token, &RequestFailure::Refused),
                b'!' => completions.response(&token, &whole(500)),
                _ => completions.response(&token, &whole(200)),
            }
        }
        Ok(match (self.leaves, self.awaited.is_empty()) {
            (false, _) => Standing::Open,
            (true, false) => Standing::Leaving,
            (true, true) => Standing::Closing,
        })
    }

    fn end_of_stream(&mut self, _end: StreamEnd, _completions: &mut impl Completions<T>) -> Result<(), Failure> {
        if self.awaited.is_empty() {
            Ok(())
        } else {
            Err(Failure::CutOff)
        }
    }

    fn give_up(&mut self, _out: &mut Vec<u8>) -> Option<T> {
        (!self.awaited.is_empty()).then(|| self.awaited.remove(0).1)
    }

    fn came(&self) -> Came {
        Came::Nothing
    }

    fn beginning(&self) -> &[u8] {
        &[]
    }

    fn idle_limit_ns(&self) -> u64 {
        u64::MAX
    }
}

/// A layer below a protocol: it opens with a greeting that has to be returned, and turns every bit over.
#[derive(Debug, Clone)]
struct Sealed<C> {
    inner: C,
    is_open: bool,
}

const GREETING: &[u8] = b"hello";

fn sealed(bytes: &mut [u8]) {
    bytes.iter_mut().for_each(|byte| *byte = !*byte);
}

impl<C: Client> Client for Sealed<C> {
    type Request = C::Request;
    type Token = C::Token;
    type Shared = C::Shared;

    const NAME: &'static str = C::NAME;
    const INDEPENDENT: bool = C::INDEPENDENT;

    fn open(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(GREETING);
    }

    fn start<'v>(
        &mut self,
        request: &C::Request,
        value: impl Fn(usize) -> &'v [u8],
        token: C::Token,
        out: &mut Vec<u8>,
    ) {
        let begin = out.len();
        self.inner.start(request, value, token, out);
        sealed(&mut out[begin..]);
    }

    fn capacity(&self) -> u32 {
        if self.is_open { self.inner.capacity() } else { 0 }
    }

    fn in_flight(&self) -> u32 {
        self.inner.in_flight()
    }

    fn oldest(&self) -> Option<&C::Token> {
        self.inner.oldest()
    }

    fn receive(
        &mut self,
        bytes: &[u8],
        shared: &mut C::Shared,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<C::Token>,
    ) -> Result<Standing, Failure> {
        if !self.is_open {
            self.is_open = bytes == GREETING;
            return match self.is_open {
                true => Ok(Standing::Open),
                false => Err(Failure::Malformed {
                    reason: "not the greeting".to_owned(),
                }),
            };
        }
        let mut plain = bytes.to_vec();
        sealed(&mut plain);
        self.inner.receive(&plain, shared, out, completions)
    }

    fn end_of_stream(&mut self, end: StreamEnd, completions: &mut impl Completions<C::Token>) -> Result<(), Failure> {
        self.inner.end_of_stream(end, completions)
    }

    fn give_up(&mut self, out: &mut Vec<u8>) -> Option<C::Token> {
        let begin = out.len();
        let given_up = self.inner.give_up(out);
        sealed(&mut out[begin..]);
        given_up
    }

    fn came(&self) -> Came {
        self.inner.came()
    }

    fn beginning(&self) -> &[u8] {
        self.inner.beginning()
    }

    fn idle_limit_ns(&self) -> u64 {
        self.inner.idle_limit_ns()
    }
}

/// Slow requests take 30 ms, quick ones 1 ms; of the odd ones each fifth fails.
struct NumberedService {
    seals: bool,
    requests: u32,
}

impl Peer for NumberedService {
    fn receive(&mut self, _slot: u32, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        if self.seals && bytes == GREETING {
            return vec![(now_ns + MS, Cow::Borrowed(GREETING))];
        }
        let mut request = bytes.to_vec();
        if self.seals {
            sealed(&mut request);
        }
        let [number, kind, b'\n'] = request[..] else {
            return vec![(now_ns, Cow::Borrowed(b"?"))];
        };
        self.requests += 1;
        let outcome = if kind == b'o' && self.requests.is_multiple_of(5) {
            b'!'
        } else {
            b'.'
        };
        let mut response = vec![number, outcome, b'\n'];
        if self.seals {
            sealed(&mut response);
        }
        let takes_ns = if kind == b's' { 30 * MS } else { MS };
        vec![(now_ns + takes_ns, Cow::Owned(response))]
    }
}

fn run<C>(client: C, service: impl Peer, connections: u32) -> Tick
where
    C: plimsoll_engine::Protocol<Request = u8>,
{
    let scenario = scenario(&[("quick", "GET", 1), ("slow", "GET", 1), ("odd", "GET", 1)]);
    let mut job: Job = job_of(&scenario, open(300, 10));
    job.connections.max = connections;
    job.connections.response_timeout = std::time::Duration::from_millis(500);
    let requests = Requests::lay_out(&scenario, |request, _| Ok::<_, Infallible>(request.name.as_bytes()[0]));
    let requests = requests.unwrap_or_else(|never| match never {});
    let mut total = Tick::default();
    let on_tick: &mut dyn FnMut(Tick) -> Control = &mut |tick| {
        total.merge(&tick);
        Control::Continue
    };
    let backend = VirtualBackend::before(service).before_any();
    job.run_client_on(backend, client, requests, on_tick);
    total
}

fn check(tick: &Tick) {
    assert_eq!(tick.counters.scheduled, 3000);
    assert_eq!(tick.counters.finished(), 3000, "{:?}", tick.counters);
    assert_eq!(
        tick.counters.errors.get(ErrorClass::Status),
        tick.counters.errors.total()
    );
    let [quick, slow, odd] = tick.requests.as_slice() else {
        panic!("three requests")
    };
    assert_eq!((quick.passed, slow.passed, odd.completed), (1000, 1000, 1000));
    assert!((150..=250).contains(&odd.errors.total()), "{odd:?}");
    let example = tick
        .examples
        .get(Sight::Failure(ErrorClass::Status))
        .expect("an example");
    assert_eq!(example.request, "odd");
}

#[test]
fn a_client_with_many_requests_at_a_time_runs_in_the_same_loop() {
    let service = NumberedService {
        seals: false,
        requests: 0,
    };
    let tick = run(Numbered::new(), service, 5);
    check(&tick);
    assert!(tick.counters.connections_opened <= 5);
}

#[test]
fn a_layer_below_a_protocol_is_a_client_around_a_client() {
    let service = NumberedService {
        seals: true,
        requests: 0,
    };
    let client = Sealed {
        inner: Numbered::new(),
        is_open: false,
    };
    let tick = run(client, service, 5);
    check(&tick);
    let greetings = tick.counters.connections_opened * GREETING.len() as u64;
    assert_eq!(tick.counters.sent_bytes, 3000 * 3 + greetings);
}

/// A service that does not know the layer: no connection opens, and each waiting request fails with the reason.
#[test]
fn a_layer_that_does_not_come_up_is_a_failed_connection() {
    let service = NumberedService {
        seals: false,
        requests: 0,
    };
    let client = Sealed {
        inner: Numbered::new(),
        is_open: false,
    };
    let tick = run(client, service, 5);
    assert_eq!(tick.counters.connections_opened, 0);
    assert_eq!(
        tick.counters.errors.get(ErrorClass::Malformed),
        3000,
        "{:?}",
        tick.counters
    );
    let example = tick
        .examples
        .get(Sight::Failure(ErrorClass::Malformed))
        .expect("an example");
    assert_eq!(example.found, "not the greeting");
}

/// Takes 5 ms for each request, but for what a test wants of the number that it is among all requests.
pub(super) struct Fickle<F> {
    pub(super) requests: u32,
    pub(super) outcome: F,
}

/// What a service does with a request.
pub(super) enum Does {
    Responds(u8),
    Nothing,
    /// Ends the connection: this request is the last that it sees, and has a response later.
    Ends,
}

impl<F: FnMut(u32) -> Does> Peer for Fickle<F> {
    fn receive(&mut self, _slot: u32, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        let mut events = Vec::new();
        for request in bytes.chunks(3) {
            self.requests += 1;
            let mut say = |at_ns, what| events.push((at_ns, Cow::Owned(vec![request[0], what, b'\n'])));
            match (self.outcome)(self.requests) {
                Does::Responds(what) => say(now_ns + 5 * MS, what),
                Does::Nothing => {}
                Does::Ends => {
                    say(now_ns + 2 * MS, b'e');
                    say(now_ns + 20 * MS, b'.');
                }
            }
        }
        events
    }
}

fn fickle(connections: u32, outcome: impl FnMut(u32) -> Does) -> Tick {
    run(Numbered::new(), Fickle { requests: 0, outcome }, connections)
}

#[test]
fn a_request_that_is_given_up_leaves_its_connection_as_it_is() {
    let tick = fickle(5, |n| Does::Responds(if n.is_multiple_of(10) { b'x' } else { b'.' }));
    assert_eq!((tick.counters.passed, tick.counters.finished()), (2700, 3000));
    assert_eq!(tick.counters.errors.get(ErrorClass::StreamReset), 300);
    let example = tick.examples.get(Sight::Failure(ErrorClass::StreamReset));
    let found = &example.expect("an example").found;
    assert_eq!(
        found,
        "the service reset the stream: TIRED; not one byte of the response had come"
    );
    assert!(tick.counters.connections_opened <= 5, "{:?}", tick.counters);
}

#[test]
fn a_request_that_is_declined_goes_out_once_more() {
    let tick = fickle(5, |n| Does::Responds(if n.is_multiple_of(10) { b'-' } else { b'.' }));
    assert_eq!((tick.counters.passed, tick.counters.finished()), (3000, 3000));
    assert!((3300..=3340).contains(&tick.counters.sent), "{:?}", tick.counters);
    let tick = fickle(5, |_| Does::Responds(b'-'));
    assert_eq!(tick.counters.errors.get(ErrorClass::StreamReset), 3000);
    assert_eq!((tick.counters.sent, tick.counters.finished()), (6000, 3000));
}

#[test]
fn a_request_without_a_response_ends_alone() {
    let tick = fickle(5, |n| {
        if n.is_multiple_of(100) {
            Does::Nothing
        } else {
            Does::Responds(b'.')
        }
    });
    assert_eq!((tick.counters.passed, tick.counters.finished()), (2970, 3000));
    assert_eq!(tick.counters.errors.get(ErrorClass::ResponseTimeout), 30);
    assert!(tick.counters.connections_opened <= 5, "{:?}", tick.counters);
}

#[test]
fn no_request_is_lost_or_doubled_when_connections_end() {
    for connections in [1, 5] {
        let tick = fickle(connections, |n| {
            if n.is_multiple_of(7) {
                Does::Ends
            } else {
                Does::Responds(b'.')
            }
        });
        assert_eq!(tick.counters.passed, 3000, "{:?}", tick.counters);
        assert_eq!(tick.counters.finished(), 3000);
        assert!(tick.counters.connections_opened >= 300, "{:?}", tick.counters);
    }
}
