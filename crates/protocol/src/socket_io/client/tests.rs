//! A connection from its opening to its end, with a service that says what it is told to.

mod upgrade;

use super::super::request::{EventLayout, SocketIoOpening, Transport};
use super::super::session::SWITCHED;
use super::*;
use crate::RequestFailure;
use crate::websocket::{Keys, accept_of};
use crate::{Part, RequestParts};

#[derive(Default)]
struct Log {
    opened: Vec<u16>,
    responded: Vec<u8>,
    messages: Vec<u8>,
    now_ms: u64,
    late_ms: Vec<u64>,
}

impl Completions<u8> for Log {
    fn response(&mut self, token: &u8, response: &Response<'_>) {
        assert_eq!(*response, Response::OF_MESSAGE);
        self.responded.push(*token);
    }

    fn opened(&mut self, _token: &u8, response: &Response<'_>) {
        self.opened.push(response.status);
    }

    fn message(&mut self, piece: &[u8], _ends: bool) {
        self.messages.extend_from_slice(piece);
    }

    fn now_ns(&self) -> u64 {
        self.now_ms * 1_000_000
    }

    fn pinged(&mut self, late_ns: u64) {
        self.late_ms.push(late_ns / 1_000_000);
    }

    fn keeps_beginning(&mut self, _token: &u8, _status: u16) -> bool {
        true
    }

    fn failed(&mut self, _token: &u8, failure: &RequestFailure<'_>) {
        unreachable!("{failure:?}");
    }

    fn unseen(&mut self, token: &u8, words: &str) {
        unreachable!("{token}: {words}");
    }
}

/// Sends a text as a service does, and gives what the client says to it.
fn say(client: &mut SocketIo<u8>, text: &str, log: &mut Log) -> (Result<Standing, Failure>, Vec<String>) {
    let mut out = Vec::new();
    let outcome = client.receive(&frame(text), &mut LastHead::default(), &mut out, log);
    (outcome, said(&out))
}

/// A short text as a service sends it.
fn frame(text: &str) -> Vec<u8> {
    [&[0x81, text.len() as u8][..], text.as_bytes()].concat()
}

/// The texts in what a client sends.
fn said(mut out: &[u8]) -> Vec<String> {
    let mut texts = Vec::new();
    while let [0x81, length, rest @ ..] = out {
        let (mask, rest) = rest.split_at(4);
        let (text, rest) = rest.split_at(usize::from(length & 0x7f));
        let text = text.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask);
        texts.push(String::from_utf8(text.collect()).unwrap());
        out = rest;
    }
    texts
}

const PARTS: RequestParts<'_> = RequestParts {
    method: "GET",
    authority: "shop",
    target: &[Part::Literal(b""), Part::Literal(b"/")],
    headers: &[],
    body: &[],
    keep_alive: true,
};

/// How a client of `/chat` begins.
fn opening(parts: &RequestParts<'_>, transport: Transport) -> SocketIoRequest {
    let auth = [Part::Literal(b"{\"user\":\""), Part::Variable(0), Part::Literal(b"\"}")];
    SocketIoRequest::Opening(SocketIoOpening::new(parts, "/chat", &auth, transport).unwrap())
}

/// What a service says to this request for a WebSocket.
fn switching(request: &str) -> String {
    let key = request.split("sec-websocket-key: ").nth(1).unwrap();
    let accept = accept_of(key.as_bytes().first_chunk().unwrap());
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: {accept}\r\n\r\n"
    )
}

/// A client of `/chat` that has asked for a WebSocket, and has one.
fn upgraded() -> (SocketIo<u8>, Log) {
    upgraded_of(SocketIo::new(WebSocket::new(Keys::new(1)), 2, true))
}

fn upgraded_of(mut client: SocketIo<u8>) -> (SocketIo<u8>, Log) {
    let mut out = Vec::new();
    client.start(&opening(&PARTS, Transport::WebSocket), |_| b"ann", 0, &mut out);
    let request = String::from_utf8(out).unwrap();
    assert!(
        request.starts_with("GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n"),
        "{request}"
    );
    let mut log = Log::default();
    let outcome = client.receive(
        switching(&request).as_bytes(),
        &mut LastHead::default(),
        &mut Vec::new(),
        &mut log,
    );
    assert_eq!(
        (outcome, client.capacity(), client.in_flight()),
        (Ok(Standing::Open), 0, 1)
    );
    (client, log)
}

fn joined() -> (SocketIo<u8>, Log) {
    joined_of(SocketIo::new(WebSocket::new(Keys::new(1)), 2, true))
}

fn joined_of(client: SocketIo<u8>) -> (SocketIo<u8>, Log) {
    let at_once = client.at_once;
    let (mut client, mut log) = upgraded_of(client);
    let (_, said) = say(&mut client, "0{\"sid\":\"a\",\"pingInterval\":25000}", &mut log);
    assert_eq!(said, ["40/chat,{\"user\":\"ann\"}"]);
    assert_eq!((client.capacity(), log.opened.len()), (0, 0));
    say(&mut client, "40/chat,{\"sid\":\"b\"}", &mut log).0.unwrap();
    assert_eq!(
        (&log.opened, client.capacity(), client.in_flight()),
        (&vec![SWITCHED], at_once, 0)
    );
    (client, log)
}

fn emit(client: &mut SocketIo<u8>, token: u8, asks: bool) -> Vec<String> {
    let event = [Part::Literal(b"[\"say\",\""), Part::Variable(0), Part::Literal(b"\"]")];
    let event = SocketIoRequest::Event(EventLayout::new("/chat", &event, asks));
    let mut out = Vec::new();
    client.start(&event, |_| b"hi", token, &mut out);
    said(&out)
}

#[test]
fn acknowledgements_are_responses_in_any_order() {
    let (mut client, mut log) = joined();
    assert_eq!(emit(&mut client, 1, true), ["42/chat,0[\"say\",\"hi\"]"]);
    assert_eq!(emit(&mut client, 2, true), ["42/chat,1[\"say\",\"hi\"]"]);
    assert_eq!((client.capacity(), client.oldest()), (0, Some(&1)));
    for text in [
        "42/chat,[\"news\"]",
        "43/chat,1[]",
        "43/chat,1[]",
        "43/chat,7[]",
        "43/chat,0[true]",
    ] {
        say(&mut client, text, &mut log).0.unwrap();
    }
    assert_eq!((log.responded, client.capacity()), (vec![2, 1], 2));
    assert!(String::from_utf8(log.messages).unwrap().contains("news"));
}

#[test]
fn events_without_acknowledgement_are_not_awaited() {
    let (mut client, _) = joined();
    assert_eq!(emit(&mut client, 1, false), ["42/chat,[\"say\",\"hi\"]"]);
    assert_eq!(client.in_flight(), 0);
}

#[test]
fn pings_get_pongs_and_attachments_are_passed_over() {
    let (mut client, mut log) = joined();
    assert_eq!(say(&mut client, "2", &mut log).1, ["3"]);
    for text in [
        "451-/chat,[\"picture\",{\"_placeholder\":true,\"num\":0}]",
        "not a packet",
        "2",
    ] {
        say(&mut client, text, &mut log).0.unwrap();
    }
    let (outcome, _) = say(&mut client, "hello", &mut log);
    assert!(matches!(outcome, Err(Failure::Malformed { .. })), "{outcome:?}");
}

#[test]
fn pings_are_due_so_long_after_the_opening_and_after_each_pong() {
    let (mut client, mut log) = joined();
    for now_ms in [25_007, 50_000, 75_300] {
        log.now_ms = now_ms;
        say(&mut client, "2", &mut log).0.unwrap();
    }
    assert_eq!(log.late_ms, [7, 0, 300]);
    // Without an interval nothing is due.
    let (mut client, mut log) = upgraded();
    say(&mut client, "0{\"sid\":\"a\"}", &mut log).0.unwrap();
    say(&mut client, "2", &mut log).0.unwrap();
    assert_eq!(log.late_ms, [0; 0]);
}

#[test]
fn a_client_that_is_refused_is_told_why() {
    let (mut client, mut log) = upgraded();
    say(&mut client, "0{\"sid\":\"a\"}", &mut log).0.unwrap();
    let (outcome, _) = say(&mut client, "44/chat,{\"message\":\"members only\"}", &mut log);
    let reason = "{\"message\":\"members only\"}".into();
    assert_eq!(outcome, Err(Failure::Refused { reason }));
    assert_eq!((log.opened.len(), client.give_up(&mut Vec::new())), (0, Some(0)));
}

#[test]
fn ends_of_a_session_are_said() {
    for text in ["41/chat,", "1"] {
        let (mut client, mut log) = joined();
        emit(&mut client, 1, true);
        let (outcome, _) = say(&mut client, text, &mut log);
        assert!(
            matches!(outcome, Err(Failure::Closed { code: None, .. })),
            "{outcome:?}"
        );
        assert_eq!(client.give_up(&mut Vec::new()), Some(1));
    }
    let (mut client, mut log) = joined();
    emit(&mut client, 1, true);
    assert_eq!(client.end_of_stream(StreamEnd::Reset, &mut log), Err(Failure::CutOff));
}

#[test]
fn a_packet_in_pieces_is_read_as_a_whole() {
    let (mut client, mut log) = joined();
    emit(&mut client, 1, true);
    let frames = [&b"\x01\x04"[..], b"43/c", b"\x80\x07", b"hat,0[]"].concat();
    for piece in frames.chunks(3) {
        client
            .receive(piece, &mut LastHead::default(), &mut Vec::new(), &mut log)
            .unwrap();
    }
    assert_eq!(log.responded, [1]);
}

/// A client whose one event is under way.
fn joined_for_one() -> (SocketIo<u8>, Log) {
    let (mut client, log) = joined_of(SocketIo::new(WebSocket::new(Keys::new(1)), 1, false));
    emit(&mut client, 1, true);
    assert_eq!((client.capacity(), client.in_flight()), (0, 1));
    (client, log)
}

#[test]
fn a_connection_for_one_event_is_left_behind_its_acknowledgement() {
    let (mut client, mut log) = joined_for_one();
    let (outcome, said) = say(&mut client, "2", &mut log);
    assert_eq!((outcome, said), (Ok(Standing::Open), vec!["3".to_owned()]));
    let mut out = Vec::new();
    let shared = &mut LastHead::default();
    let outcome = client.receive(&frame("43/chat,0[]"), shared, &mut out, &mut log);
    assert_eq!(
        (outcome, said_until_close(&out)),
        (Ok(Standing::Leaving), vec!["41/chat,".to_owned()])
    );
    assert_eq!(
        (&log.responded[..], client.capacity(), client.in_flight()),
        (&[1][..], 0, 0)
    );
    let news = say(&mut client, "42/chat,[\"news\"]", &mut log);
    assert_eq!(news, (Ok(Standing::Leaving), Vec::new()));
    assert_eq!(client.end_of_stream(StreamEnd::Finished, &mut log), Ok(()));
}

/// The texts before the close with code 1000 that ends what a client sends.
fn said_until_close(out: &[u8]) -> Vec<String> {
    let Some((texts, [0x88, 0x82, mask @ .., high, low])) = out.split_at_checked(out.len() - 8) else {
        panic!("no close");
    };
    assert_eq!(u16::from_be_bytes([high ^ mask[0], low ^ mask[1]]), 1000);
    said(texts)
}

#[test]
fn a_service_may_end_a_session_behind_its_one_acknowledgement() {
    let (mut client, mut log) = joined_for_one();
    let both = [frame("43/chat,0[]"), frame("41/chat,")].concat();
    let outcome = client.receive(&both, &mut LastHead::default(), &mut Vec::new(), &mut log);
    assert_eq!((outcome, &log.responded[..]), (Ok(Standing::Leaving), &[1][..]));
    let (mut client, mut log) = joined_for_one();
    let (outcome, _) = say(&mut client, "41/chat,", &mut log);
    assert!(matches!(outcome, Err(Failure::Closed { .. })), "{outcome:?}");
}
