//! Responses go to their requests.

use super::*;
use crate::{BodyEnd, RequestFailure};

/// What a client handed on, and how.
#[derive(Default)]
struct Log {
    responses: Vec<(u8, u16, String, bool)>,
    keeps: bool,
}

impl Completions<u8> for Log {
    fn response(&mut self, token: &u8, response: &Response<'_>) {
        let bytes = String::from_utf8_lossy(response.bytes).into_owned();
        self.responses
            .push((*token, response.status, bytes, response.in_one_piece));
    }

    fn keeps_beginning(&mut self, _token: &u8, _status: u16) -> bool {
        self.keeps
    }

    fn failed(&mut self, _token: &u8, failure: &RequestFailure<'_>) {
        unreachable!("{failure:?}: requests are not independent");
    }

    fn unseen(&mut self, token: &u8, _words: &str) {
        unreachable!("{token} is given up with its connection");
    }
}

fn get() -> RequestEncoder {
    let parts = crate::RequestParts {
        method: "GET",
        authority: "shop",
        target: &[crate::Part::Literal(b"/")],
        headers: &[],
        body: &[],
        keep_alive: true,
    };
    RequestEncoder::new(&parts).unwrap()
}

fn started(tokens: &[u8]) -> Http1<u8> {
    let mut client = Http1::new(4, true);
    for &token in tokens {
        client.start(&get(), |_| b"", token, &mut Vec::new());
    }
    client
}

/// Feeds `pieces` to a client with these requests in flight.
fn receive(client: &mut Http1<u8>, pieces: &[&str], keeps: bool) -> (Log, Result<Standing, Failure>) {
    let mut log = Log {
        keeps,
        ..Log::default()
    };
    let mut last = Ok(Standing::Open);
    for piece in pieces {
        last = client.receive(piece.as_bytes(), &mut Common::default(), &mut Vec::new(), &mut log);
    }
    (log, last)
}

#[test]
fn pipelined_responses_go_to_their_requests_in_order() {
    let (head, body) = ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n", "ok");
    let mut client = started(&[7, 8, 9]);
    assert_eq!((client.capacity(), client.in_flight()), (1, 3));
    let (log, standing) = receive(&mut client, &[&format!("{head}{body}{head}o")], false);
    assert_eq!(standing, Ok(Standing::Open));
    assert_eq!(log.responses, [(7, 200, format!("{head}{body}"), true)]);
    assert_eq!(client.oldest(), Some(&8));
    let end = BodyEnd::Length(2);
    let came = Came::Body {
        status: 200,
        received_bytes: 1,
        end,
    };
    assert_eq!(client.came(), came);
    let (log, _) = receive(&mut client, &["k"], false);
    assert_eq!(log.responses, [(8, 200, String::new(), false)]);
    let out = &mut Vec::new();
    assert_eq!((client.give_up(out), client.give_up(out)), (Some(9), None));
}

#[test]
fn the_beginning_of_a_response_in_pieces_is_kept_where_it_is_wanted() {
    for pieces in [
        &["HTTP/1.1 500 No\r\ncontent-length: 4\r\n\r\nn", "ope"][..],
        &["HTTP/1.1 50", "0 No\r\ncontent-length: 4\r\n\r\nno", "p", "e"],
        &["HTTP/1.1 50", "0 No\r\ncontent-length: 4\r\n\r\nnope"],
    ] {
        let (log, _) = receive(&mut started(&[1]), pieces, true);
        assert_eq!(log.responses, [(1, 500, pieces.concat(), false)]);
    }
    let (log, _) = receive(
        &mut started(&[1]),
        &["HTTP/1.1 500 No\r\ncontent-length: 1\r\n\r\n", "x"],
        false,
    );
    assert_eq!(log.responses, [(1, 500, String::new(), false)]);
}

#[test]
fn what_nobody_asked_for_is_told_apart_from_what_is_malformed() {
    let unrequested = Failure::Unrequested { bytes: 3 };
    let ok = "HTTP/1.1 204 No Content\r\n\r\n";
    for (bytes, expected) in [
        (format!("{ok}\r\n"), Ok(Standing::Open)),
        (format!("{ok}abc"), Err(unrequested)),
    ] {
        let (log, outcome) = receive(&mut started(&[1]), &[&bytes], false);
        assert_eq!((log.responses.len(), outcome), (1, expected));
    }
    let mut client = started(&[1]);
    let (_, outcome) = receive(&mut client, &["HT", "TPS/1.1 200 OK\r\n\r\n"], false);
    let reason = "status line is not HTTP/1.x: `HTTPS/1.1 200 OK`".to_owned();
    assert_eq!(outcome, Err(Failure::Malformed { reason }));
    assert_eq!(client.beginning(), b"HTTPS/1.1 200 OK\r\n\r\n");
    assert_eq!(client.give_up(&mut Vec::new()), Some(1));
}

#[test]
fn the_end_of_the_connection_ends_a_response_without_a_length() {
    let begun = || {
        let mut client = started(&[1, 2]);
        let (_, standing) = receive(&mut client, &["HTTP/1.1 200 OK\r\n\r\nabc"], false);
        assert_eq!(standing, Ok(Standing::Open));
        client
    };
    let mut log = Log::default();
    assert_eq!(begun().end_of_stream(StreamEnd::Finished, &mut log), Ok(()));
    assert_eq!(log.responses.len(), 1);
    assert_eq!(begun().end_of_stream(StreamEnd::Reset, &mut log), Err(Failure::CutOff));
    assert_eq!(started(&[]).end_of_stream(StreamEnd::Reset, &mut log), Ok(()));
    assert_eq!(
        started(&[1]).end_of_stream(StreamEnd::Finished, &mut log),
        Err(Failure::CutOff)
    );
    assert_eq!(log.responses.len(), 1);
}

#[test]
fn a_connection_rests_for_less_than_the_service_announced() {
    for (announced, limit_ms) in [
        ("", 4000),
        ("keep-alive: timeout=0\r\n", 0),
        ("keep-alive: timeout=1\r\n", 500),
        ("keep-alive: timeout=2\r\n", 1000),
        ("keep-alive: timeout=5\r\n", 4000),
        ("keep-alive: timeout=72\r\n", 71_000),
    ] {
        let mut client = started(&[1]);
        let response = format!("HTTP/1.1 204 No Content\r\n{announced}\r\n");
        let (log, _) = receive(&mut client, &[&response], false);
        assert_eq!(log.responses.len(), 1);
        assert_eq!(client.idle_limit_ns(), limit_ms * 1_000_000, "{announced:?}");
    }
}
