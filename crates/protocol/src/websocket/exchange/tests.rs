//! Messages and their responses, in whatever order and pieces these come.

use super::super::client::Keys;
use super::super::handshake::Opening;
use super::super::message::MessageLayout;
use super::*;
use crate::{Part, RequestParts};

#[derive(Default)]
struct Log {
    opened: Vec<(u8, u16)>,
    responded: Vec<u8>,
}

impl Completions<u8> for Log {
    fn response(&mut self, token: &u8, response: &Response<'_>) {
        assert_eq!(*response, Response::OF_MESSAGE);
        self.responded.push(*token);
    }

    fn opened(&mut self, token: &u8, response: &Response<'_>) {
        self.opened.push((*token, response.status));
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

fn mark(number: u8) -> Vec<u8> {
    format!("plim{number:012}").into_bytes()
}

/// A text frame of a service.
fn frame(text: &[u8]) -> Vec<u8> {
    [&[0x81, text.len() as u8][..], text].concat()
}

fn receive(client: &mut Exchange<u8>, bytes: &[u8], log: &mut Log) -> Result<Standing, Failure> {
    client.receive(bytes, &mut ExchangeShared::default(), &mut Vec::new(), log)
}

fn send(client: &mut Exchange<u8>, number: u8) {
    let layout = MessageLayout::text(&[Part::Literal(b"say "), Part::Variable(0)]).marked_by(0);
    let mark = mark(number);
    client.start(&WebSocketRequest::Message(layout), |_| &mark, number, &mut Vec::new());
}

/// A client whose connection is open, with the messages 1 to `sent` under way.
fn exchange(at_once: u32, sent: u8) -> (Exchange<u8>, Log) {
    exchange_of(Exchange::new(WebSocket::new(Keys::new(1)), at_once, true), sent)
}

fn exchange_of(mut client: Exchange<u8>, sent: u8) -> (Exchange<u8>, Log) {
    let at_once = client.at_once;
    let parts = RequestParts {
        method: "GET",
        authority: "shop",
        target: &[Part::Literal(b"/")],
        headers: &[],
        body: &[],
        keep_alive: true,
    };
    let opening = WebSocketRequest::Opening(Opening::new(&parts).unwrap());
    let mut out = Vec::new();
    client.start(&opening, |_| b"", 0, &mut out);
    assert_eq!((client.capacity(), client.in_flight()), (0, 1));
    let request = String::from_utf8(out).unwrap();
    let key = request.split("sec-websocket-key: ").nth(1).unwrap();
    let accept = super::super::handshake::accept_of(key.as_bytes().first_chunk().unwrap());
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: {accept}\r\n\r\n"
    );
    let mut log = Log::default();
    receive(&mut client, head.as_bytes(), &mut log).unwrap();
    assert_eq!((&log.opened, client.capacity()), (&vec![(0, 101)], at_once));
    (1..=sent).for_each(|number| send(&mut client, number));
    (client, log)
}

#[test]
fn responses_are_matched_by_their_marks() {
    let (mut client, mut log) = exchange(3, 3);
    assert_eq!(
        (client.capacity(), client.in_flight(), client.oldest()),
        (0, 3, Some(&1))
    );
    for text in [
        &b"news that nobody asked for"[..],
        &[b"you said ", &mark(3)[..]].concat(),
        &[&mark(3)[..], b" again"].concat(),
        &[&mark(9)[..], b" of somebody else"].concat(),
        &[&mark(1)[..], b" and ", &mark(2)[..]].concat(),
    ] {
        receive(&mut client, &frame(text), &mut log).unwrap();
    }
    assert_eq!(
        (log.responded, client.in_flight(), client.capacity()),
        (vec![3, 1, 2], 0, 3)
    );
}

#[test]
fn a_mark_may_be_cut_within_a_message_alone() {
    let mark = mark(1);
    for cut in 1..mark.len() {
        let (mut client, mut log) = exchange(1, 1);
        let (begin, end) = mark.split_at(cut);
        for half in [begin, end] {
            receive(&mut client, &frame(half), &mut log).unwrap();
        }
        assert!(log.responded.is_empty(), "two messages, {cut}");
        let fragments = [
            &[0x01, begin.len() as u8][..],
            begin,
            b"\x89\0",
            &[0x80, end.len() as u8],
            end,
        ]
        .concat();
        for piece in fragments.chunks(5) {
            receive(&mut client, piece, &mut log).unwrap();
        }
        assert_eq!(log.responded, [1], "two fragments, {cut}");
    }
}

#[test]
fn a_response_is_over_with_the_last_piece_of_its_message() {
    let (first, second) = (mark(1), mark(2));
    let said = [&first[..], b" and ", &first, b" and ", &second, b", and so on"].concat();
    for cut in 0..=said.len() {
        let (mut client, mut log) = exchange(2, 2);
        let (begin, end) = said.split_at(cut);
        receive(&mut client, &[&[0x01, begin.len() as u8], begin].concat(), &mut log).unwrap();
        assert_eq!((&log.responded[..], client.in_flight()), (&[][..], 2), "{cut}");
        receive(&mut client, &[&[0x80, end.len() as u8], end].concat(), &mut log).unwrap();
        log.responded.sort_unstable();
        assert_eq!((&log.responded[..], client.in_flight()), (&[1, 2][..], 0), "{cut}");
    }
    let (mut client, mut log) = exchange(2, 2);
    receive(&mut client, &[&[0x01, 16], &first[..]].concat(), &mut log).unwrap();
    assert_eq!(client.give_up(&mut Vec::new()), Some(1));
    receive(&mut client, b"\x80\0", &mut log).unwrap();
    assert_eq!((log.responded, client.oldest()), (vec![], Some(&2)));
}

#[test]
fn messages_that_are_given_up_are_no_longer_awaited() {
    let (mut client, mut log) = exchange(2, 2);
    assert_eq!(client.give_up(&mut Vec::new()), Some(1));
    receive(&mut client, &frame(&mark(1)), &mut log).unwrap();
    receive(&mut client, &frame(&mark(2)), &mut log).unwrap();
    assert_eq!((log.responded, client.give_up(&mut Vec::new())), (vec![2], None));
}

#[test]
fn an_end_fails_what_waits_and_nothing_else() {
    let (mut client, mut log) = exchange(1, 1);
    let cut_off = client.end_of_stream(StreamEnd::Reset, &mut log);
    assert_eq!(
        (cut_off, client.give_up(&mut Vec::new())),
        (Err(Failure::CutOff), Some(1))
    );
    let (mut idle, mut log) = exchange(1, 0);
    assert_eq!(idle.end_of_stream(StreamEnd::Finished, &mut log), Ok(()));
    let (mut closed, mut log) = exchange(1, 1);
    let standing = receive(&mut closed, b"\x88\x02\x03\xe9", &mut log);
    assert_eq!((standing, closed.capacity()), (Ok(Standing::Leaving), 0));
    let end = closed.end_of_stream(StreamEnd::Finished, &mut log);
    assert!(matches!(end, Err(Failure::Closed { .. })), "{end:?}");
}

/// A client whose one message is under way.
fn exchange_of_one() -> (Exchange<u8>, Log) {
    let (client, log) = exchange_of(Exchange::new(WebSocket::new(Keys::new(1)), 1, false), 1);
    assert_eq!((client.capacity(), client.in_flight()), (0, 1));
    (client, log)
}

/// The code of the close frame that `out` is, if it is one.
fn close_code(out: &[u8]) -> Option<u16> {
    match out {
        [0x88, 0x82, mask @ .., high, low] if mask.len() == 4 => {
            Some(u16::from_be_bytes([high ^ mask[0], low ^ mask[1]]))
        }
        _ => None,
    }
}

#[test]
fn a_connection_for_one_message_is_closed_behind_its_response() {
    let (mut client, mut log) = exchange_of_one();
    let mut out = Vec::new();
    let mut take = |client: &mut Exchange<u8>, text: &[u8], log: &mut Log| {
        let standing = client.receive(text, &mut ExchangeShared::default(), &mut out, log);
        (standing, close_code(&std::mem::take(&mut out)))
    };
    let news = take(&mut client, &frame(b"news"), &mut log);
    assert_eq!(news, (Ok(Standing::Open), None));
    let response = take(&mut client, &frame(&mark(1)), &mut log);
    assert_eq!(response, (Ok(Standing::Leaving), Some(1000)));
    assert_eq!(
        (&log.responded[..], client.capacity(), client.in_flight()),
        (&[1][..], 0, 0)
    );
    // The close of the service says no more.
    let closed = take(&mut client, &[0x88, 2, 0x03, 0xe8], &mut log);
    assert_eq!(closed, (Ok(Standing::Leaving), None));
    assert_eq!(client.end_of_stream(StreamEnd::Finished, &mut log), Ok(()));
}

#[test]
fn a_service_may_close_a_connection_for_one_message_first() {
    let (mut client, mut log) = exchange_of_one();
    let said = [&frame(&mark(1))[..], &[0x88, 2, 0x03, 0xf3]].concat();
    assert_eq!(receive(&mut client, &said, &mut log), Ok(Standing::Leaving));
    assert_eq!(client.end_of_stream(StreamEnd::Finished, &mut log), Ok(()));
    let (mut client, mut log) = exchange_of_one();
    receive(&mut client, &said[said.len() - 4..], &mut log).unwrap();
    let failed = client.end_of_stream(StreamEnd::Finished, &mut log);
    assert!(matches!(failed, Err(Failure::Closed { .. })), "{failed:?}");
}

#[test]
fn a_connection_whose_one_message_is_given_up_is_of_no_use() {
    let (mut client, _) = exchange_of_one();
    assert_eq!(client.idle_limit_ns(), u64::MAX);
    let mut out = Vec::new();
    assert_eq!(client.give_up(&mut out), Some(1));
    assert_eq!(
        (close_code(&out), client.idle_limit_ns(), client.capacity()),
        (Some(1000), 0, 0)
    );
}
