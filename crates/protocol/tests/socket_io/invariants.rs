//! What holds for any packets that a service may send on a connection of Socket.IO.

#[path = "../frame/mod.rs"]
mod frame;

use frame::frame;
use plimsoll_protocol::http1::LastHead;
use plimsoll_protocol::socket_io::{EventLayout, SocketIo, SocketIoOpening, SocketIoRequest, Transport};
use plimsoll_protocol::websocket::{Keys, WebSocket};
use plimsoll_protocol::{Client, Completions, Failure, Part, RequestFailure, RequestParts, Response};

/// Ends a packet in the input: never a byte of a text.
const END: u8 = 0xff;
/// Events that wait for their acknowledgements at a time, and in all.
const AT_ONCE: u32 = 3;
const EVENTS_MAX: u8 = 40;
/// The token of what opens the connection.
const OPENING: u8 = u8::MAX;
/// What belongs to the first key that these draw, so that the handshake is the same each time.
const SEED: u64 = 1;
const PARTS: RequestParts<'_> = RequestParts {
    method: "GET",
    authority: "chat",
    target: &[Part::Literal(b"/")],
    headers: &[],
    body: &[],
    keep_alive: true,
};
const ACCEPT: &str = "CNmsNPnQBXEVNeh6BuOiBCAvswo=";

/// What a service's packets came to.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) opened: u32,
    /// Events that were acknowledged, in that order.
    pub(crate) acknowledged: Vec<u8>,
    /// Events that still wait.
    pub(crate) in_flight: u32,
    /// What was handed on.
    pub(crate) messages: Vec<u8>,
    pub(crate) failure: Option<Failure>,
    /// Bytes that the client said.
    said: usize,
}

impl Completions<u8> for Outcome {
    fn response(&mut self, token: &u8, _response: &Response<'_>) {
        assert_ne!(*token, OPENING);
        self.acknowledged.push(*token);
    }

    fn opened(&mut self, token: &u8, response: &Response<'_>) {
        assert_eq!((*token, response.status), (OPENING, 101));
        self.opened += 1;
    }

    fn message(&mut self, piece: &[u8], ends: bool) {
        self.messages.extend_from_slice(piece);
        if ends {
            self.messages.push(END);
        }
    }

    fn keeps_beginning(&mut self, _token: &u8, _status: u16) -> bool {
        true
    }

    fn failed(&mut self, token: &u8, failure: &RequestFailure<'_>) {
        unreachable!("{token}: {failure:?}");
    }

    fn unseen(&mut self, token: &u8, words: &str) {
        unreachable!("{token}: {words}");
    }
}

/// A message of one frame, as a service sends it.
fn message(text: &[u8]) -> Vec<u8> {
    let first = match std::str::from_utf8(text) {
        Ok(_) => 0x81,
        Err(_) => 0x82,
    };
    frame(first, text)
}

/// A client that has a WebSocket and says an event whenever it may, and what these packets come to, each in pieces of this size.
pub(crate) fn outcome<'a>(packets: impl IntoIterator<Item = &'a [u8]>, size: usize) -> Outcome {
    let mut client = SocketIo::new(WebSocket::new(Keys::new(SEED)), AT_ONCE, true);
    let mut outcome = Outcome::default();
    let (mut out, mut last_head) = (Vec::new(), LastHead::default());
    let opening = SocketIoOpening::new(&PARTS, "/", &[], Transport::WebSocket).expect("a handshake");
    client.start(&SocketIoRequest::Opening(opening), |_| b"", OPENING, &mut out);
    let upgrade = format!(
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: {ACCEPT}\r\n\r\n"
    );
    client
        .receive(upgrade.as_bytes(), &mut last_head, &mut out, &mut outcome)
        .expect("the connection is open");
    let event = SocketIoRequest::Event(EventLayout::new("/", &[Part::Literal(b"[\"say\"]")], true));
    let mut events = 0;
    'packets: for packet in packets {
        while client.capacity() > 0 && events < EVENTS_MAX {
            client.start(&event, |_| b"", events, &mut out);
            events += 1;
        }
        for piece in message(packet).chunks(size) {
            if let Err(failure) = client.receive(piece, &mut last_head, &mut out, &mut outcome) {
                outcome.failure = Some(failure);
                break 'packets;
            }
        }
        assert!(client.in_flight() <= AT_ONCE);
    }
    outcome.in_flight = client.in_flight();
    outcome.said = out.len();
    // An event is acknowledged once, or waits.
    let mut once = outcome.acknowledged.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), outcome.acknowledged.len());
    let waiting = match outcome.opened {
        0 => outcome.in_flight.saturating_sub(1),
        _ => outcome.in_flight,
    };
    assert_eq!(u32::from(events), outcome.acknowledged.len() as u32 + waiting);
    // Whoever is asked to give up has nothing left in the end.
    while let Some(token) = client.give_up(&mut out) {
        assert!(token == OPENING || token < events);
    }
    assert_eq!(client.in_flight(), 0);
    outcome
}

/// What these contents of responses come to while a session is on long polling, each response in pieces of this size: what was opened, what the
/// client asked in all, and how it ended.
fn polled<'a>(contents: impl IntoIterator<Item = &'a [u8]>, size: usize) -> (u32, Vec<u8>, Option<Failure>) {
    let mut client = SocketIo::new(WebSocket::new(Keys::new(SEED)), AT_ONCE, true);
    let mut outcome = Outcome::default();
    let (mut out, mut last_head) = (Vec::new(), LastHead::default());
    let opening = SocketIoOpening::new(&PARTS, "/", &[], Transport::Upgrade).expect("a handshake");
    client.start(&SocketIoRequest::Opening(opening), |_| b"", OPENING, &mut out);
    for content in contents {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", content.len());
        let asked = out.len();
        for piece in [head.as_bytes(), content].concat().chunks(size) {
            if let Err(failure) = client.receive(piece, &mut last_head, &mut out, &mut outcome) {
                assert_eq!(client.give_up(&mut Vec::new()), Some(OPENING));
                return (outcome.opened, out, Some(failure));
            }
        }
        // There is always one request that waits.
        assert!(out.len() > asked);
        assert_eq!((client.in_flight(), client.capacity()), (1, 0));
        if out[asked..].windows(7).any(|bytes| bytes == b"Upgrade") {
            break;
        }
    }
    (outcome.opened, out, None)
}

/// No panic, no standstill, one acknowledgement for an event at most, and the same outcome in one piece, byte by byte, and in pieces as long
/// as the first byte says.
pub(crate) fn packets_come_to_the_same_however_they_are_cut(input: &[u8]) {
    let Some((&first, bytes)) = input.split_first() else {
        return;
    };
    let packets = || bytes.split(|&byte| byte == END);
    let whole = outcome(packets(), usize::MAX);
    let whole_polled = polled(packets(), usize::MAX);
    for size in [1, usize::from(first).max(1)] {
        assert_eq!(outcome(packets(), size), whole);
        assert_eq!(polled(packets(), size), whole_polled);
    }
}
