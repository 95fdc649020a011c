//! A connection from its opening handshake to its close.

use super::*;
use crate::{Part, RequestFailure, RequestParts};

#[derive(Default)]
struct Log {
    statuses: Vec<u16>,
    messages: Vec<String>,
    begun: Vec<u8>,
}

impl Completions<u8> for Log {
    fn response(&mut self, _token: &u8, response: &Response<'_>) {
        self.statuses.push(response.status);
    }

    fn message(&mut self, piece: &[u8], ends: bool) {
        self.begun.extend_from_slice(piece);
        if ends {
            let message = String::from_utf8(std::mem::take(&mut self.begun));
            self.messages.push(message.expect("text"));
        }
    }

    fn keeps_beginning(&mut self, _token: &u8, _status: u16) -> bool {
        true
    }

    fn failed(&mut self, _token: &u8, failure: &RequestFailure<'_>) {
        unreachable!("{failure:?}");
    }

    fn unseen(&mut self, token: &u8, _words: &str) {
        unreachable!("{token}");
    }
}

fn opening() -> WebSocketRequest {
    let parts = RequestParts {
        method: "GET",
        authority: "shop",
        target: &[Part::Literal(b"/")],
        headers: &[],
        body: &[],
        keep_alive: true,
    };
    WebSocketRequest::Opening(Opening::new(&parts).unwrap())
}

/// A client that has asked, and what opens its connection.
pub(super) fn asked() -> (WebSocket<u8>, Vec<u8>) {
    let mut client = WebSocket::new(Keys::new(1));
    let mut out = Vec::new();
    client.start(&opening(), |_| b"", 7, &mut out);
    let Stage::Opening(handshake) = &client.stage else {
        panic!("{client:?}")
    };
    let accept = handshake::accept_of(&handshake.key);
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: {accept}\r\n\r\n"
    );
    (client, head.into_bytes())
}

pub(super) fn receive(
    client: &mut WebSocket<u8>,
    bytes: &[u8],
    log: &mut impl Completions<u8>,
) -> (Result<Standing, Failure>, Vec<u8>) {
    let mut out = Vec::new();
    let outcome = client.receive(bytes, &mut LastHead::default(), &mut out, log);
    (outcome, out)
}

#[test]
fn what_comes_behind_the_handshake_is_read_wherever_it_is_cut() {
    for cut in 0..200 {
        let (mut client, mut bytes) = asked();
        bytes.extend_from_slice(b"\x01\x03Hel\x89\x02hi\x80\x02lo\x82\x00");
        let (first, second) = bytes.split_at(cut.min(bytes.len()));
        let mut log = Log::default();
        let mut said = Vec::new();
        for piece in [first, second] {
            let (outcome, out) = receive(&mut client, piece, &mut log);
            assert_eq!(outcome, Ok(Standing::Open), "{cut}");
            said.extend_from_slice(&out);
        }
        assert_eq!(
            (log.statuses, log.messages),
            (vec![101], vec!["Hello".to_owned(), String::new()])
        );
        assert_eq!((client.capacity(), client.in_flight()), (u32::MAX, 0));
        // The pong, masked.
        assert_eq!((said[0], said[1], said.len()), (0x8a, 0x82, 8));
    }
}

#[test]
fn refused_handshakes_are_responses() {
    for (pieces, standing) in [
        (
            &["HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\nno"][..],
            Standing::Closing,
        ),
        (
            &["HTTP/1.1 401 Unau", "thorized\r\ncontent-length: 2\r\n\r\nn", "o"],
            Standing::Closing,
        ),
        (
            &["HTTP/1.1 401 Unauthorized\r\nconnection: close\r\ncontent-length: 2\r\n\r\nno"],
            Standing::Open,
        ),
    ] {
        let (mut client, _) = asked();
        let mut log = Log::default();
        let outcomes: Vec<_> = pieces
            .iter()
            .map(|piece| receive(&mut client, piece.as_bytes(), &mut log).0)
            .collect();
        assert_eq!(outcomes.last(), Some(&Ok(standing)));
        assert_eq!((log.statuses, client.capacity()), (vec![401], 0));
    }
    let (mut client, _) = asked();
    let mut log = Log::default();
    receive(&mut client, b"HTTP/1.1 426 Upgrade Required\r\n\r\nno", &mut log)
        .0
        .unwrap();
    assert_eq!(client.end_of_stream(StreamEnd::Finished, &mut log), Ok(()));
    assert_eq!(log.statuses, [426]);
}

#[test]
fn a_handshake_without_an_end_is_cut_off() {
    let (mut client, head) = asked();
    let mut log = Log::default();
    receive(&mut client, &head[..30], &mut log).0.unwrap();
    assert_eq!(
        client.end_of_stream(StreamEnd::Finished, &mut log),
        Err(Failure::CutOff)
    );
    assert_eq!(client.give_up(&mut Vec::new()), Some(7));
}

#[test]
fn a_close_is_answered_and_said_at_the_end() {
    let (mut client, head) = asked();
    let mut log = Log::default();
    receive(&mut client, &head, &mut log).0.unwrap();
    let (outcome, out) = receive(&mut client, b"\x88\x05\x03\xf0bye", &mut log);
    assert_eq!((outcome, client.capacity()), (Ok(Standing::Leaving), 0));
    assert_eq!((out[0], out[1], out.len()), (0x88, 0x82, 8));
    let closed = Failure::Closed {
        code: CloseCode::new(1008),
        reason: "bye".into(),
    };
    assert_eq!(client.end_of_stream(StreamEnd::Finished, &mut log), Err(closed));
}

#[test]
fn masks_and_keys_differ() {
    let keys = Keys::new(3);
    assert_ne!(keys.draw(), keys.draw());
    let mut state = 0;
    assert_ne!(next_mask(&mut state), next_mask(&mut state));
}
