//! WebSockets that carry one message each, before a service that keeps count of what comes on each connection.

use super::{MS, job, open, run_on};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use plimsoll_engine::{Control, LaidOut};
use plimsoll_measure::{ErrorClass, Tick, Timing};
use plimsoll_plan::Plan;
use plimsoll_sim::backend::{Closing, Peer, VirtualBackend};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

const PLAN: &str = "target: ws://127.0.0.1:80/
scenario: { requests: [{ name: say, send: { text: \"${message}\" } }] }
connections: { keep_alive: false, response_timeout: 500ms }
";
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// From a message to its response.
const RESPONDS_NS: u64 = 5 * MS;

/// What came on one connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Seen {
    messages: u32,
    /// The code that the client closed it with.
    closed: Option<u16>,
}

/// Gives back what it is told, but for each message of this number.
struct Echo {
    silent_each: u32,
    messages: u32,
    /// The connections, and which of them a slot has now.
    seen: Rc<RefCell<Vec<Seen>>>,
    places: Vec<usize>,
}

impl Peer for Echo {
    fn connected(&mut self, slot: u32) {
        let mut seen = self.seen.borrow_mut();
        self.places.resize(self.places.len().max(slot as usize + 1), 0);
        self.places[slot as usize] = seen.len();
        seen.push(Seen::default());
    }

    fn receive(&mut self, slot: u32, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        if bytes.starts_with(b"GET ") {
            return vec![(now_ns + MS, Cow::Owned(switching(bytes).into_bytes()))];
        }
        let mut seen = self.seen.borrow_mut();
        let seen = &mut seen[self.places[slot as usize]];
        let [kind, length, mask @ ..] = bytes else {
            panic!("half a frame")
        };
        let (mask, payload) = mask.split_at(4);
        assert_eq!(usize::from(length & 0x7f), payload.len(), "one frame at a time");
        let payload: Vec<u8> = payload
            .iter()
            .zip(mask.iter().cycle())
            .map(|(byte, mask)| byte ^ mask)
            .collect();
        let frame = [&[*kind, payload.len() as u8][..], &payload].concat();
        let takes_ns = match kind {
            0x88 => {
                seen.closed = payload.first_chunk().map(|code| u16::from_be_bytes(*code));
                MS
            }
            _ => {
                seen.messages += 1;
                self.messages += 1;
                if self.messages.is_multiple_of(self.silent_each) {
                    return Vec::new();
                }
                RESPONDS_NS
            }
        };
        vec![(now_ns + takes_ns, Cow::Owned(frame))]
    }
}

/// The response that opens a WebSocket.
fn switching(request: &[u8]) -> String {
    let request = std::str::from_utf8(request).expect("a text");
    let key = request.split("sec-websocket-key: ").nth(1).expect("a key");
    let mut hash = sha1_smol::Sha1::new();
    hash.update(&key.as_bytes()[..24]);
    hash.update(GUID.as_bytes());
    let accept = BASE64.encode(hash.digest().bytes());
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: {accept}\r\n\r\n"
    )
}

/// Of 3,000 messages in 10 s.
fn run(silent_each: u32, closing: Option<Closing>) -> (Tick, Vec<Seen>) {
    let plan = Plan::parse(PLAN, "plan.yaml").expect("a plan");
    let mut job = job(open(300, 10));
    job.requests = LaidOut::of(&plan).expect("a valid plan");
    job.connections = plan.connections();
    let seen = Rc::default();
    let mut backend = VirtualBackend::before(Echo {
        silent_each,
        messages: 0,
        seen: Rc::clone(&seen),
        places: Vec::new(),
    });
    if let Some(closing) = closing {
        backend = backend.closing(closing);
    }
    let mut total = Tick::default();
    run_on(&job, backend, |tick| {
        total.merge(&tick);
        Control::Continue
    });
    let seen = seen.borrow().clone();
    (total, seen)
}

/// How a service ends a connection that was closed.
const ENDS: Closing = Closing {
    after_ns: MS,
    seen_after_ns: 0,
};

#[test]
fn each_message_has_a_connection_which_is_closed_in_order() {
    for closing in [Some(ENDS), None] {
        let (tick, seen) = run(u32::MAX, closing);
        let counters = &tick.counters;
        assert_eq!(
            (counters.scheduled, counters.passed, counters.finished()),
            (3000, 3000, 3000)
        );
        assert_eq!(counters.connections_opened, 3000);
        let once = Seen {
            messages: 1,
            closed: Some(1000),
        };
        assert_eq!(seen, vec![once; 3000]);
        let openings = &tick.durations[Timing::OpeningTime];
        assert_eq!((openings.count(), openings.quantile_ns(0.5) / MS), (3000, 1));
        // Opening is part of the way, and closing is not.
        let response_ns = tick.durations[Timing::ResponseTime].quantile_ns(1.0);
        assert!(
            (RESPONDS_NS + MS..RESPONDS_NS + 2 * MS).contains(&response_ns),
            "{response_ns}"
        );
    }
}

#[test]
fn a_message_without_a_response_closes_its_connection() {
    let (tick, seen) = run(100, None);
    let counters = &tick.counters;
    assert_eq!((counters.passed, counters.finished()), (2970, 3000));
    assert_eq!(counters.errors.get(ErrorClass::ResponseTimeout), 30);
    assert_eq!((counters.errors.total(), counters.connections_opened), (30, 3000));
    assert!(seen.iter().all(|seen| seen.messages == 1), "{seen:?}");
    assert_eq!(seen.iter().filter(|seen| seen.closed == Some(1000)).count(), 3000);
    assert_eq!(
        Duration::from_millis(500),
        Duration::from_nanos(tick.durations[Timing::ResponseTime].quantile_ns(1.0) / MS * MS)
    );
}
