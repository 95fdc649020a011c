//! What comes of calls of gRPC.

use crate::service::{
    Connection, END_STREAM, Outcome, RST_STREAM, call, data, frames, head, reset, settings, window_update,
};
use plimsoll_protocol::{Client, Standing};

const HEAD: &[(&str, &str)] = &[(":status", "200"), ("content-type", "application/grpc")];
const MESSAGE: &str = "\0\0\0\0\x02ab";
const NO_STATUS: Outcome = Outcome::Call(200, None, String::new());

/// What comes of a call to which the service says these frames.
fn outcome(frames: &[Vec<u8>]) -> Outcome {
    let mut connection = Connection::with_requests(0);
    connection.start(&call(5));
    assert_eq!(connection.receives(&frames.concat()), Ok(Standing::Open));
    match connection.outcomes().as_slice() {
        [(0, outcome)] => outcome.clone(),
        other => panic!("one outcome: {other:?}"),
    }
}

fn malformed(reason: &str) -> Outcome {
    Outcome::Malformed(reason.to_owned())
}

#[test]
fn a_call_goes_well_with_a_message_and_status_zero() {
    let well = Outcome::Response(200, String::new(), false);
    let ended = head(1, END_STREAM, &[("grpc-status", "0"), ("x-more", "y")]);
    assert_eq!(outcome(&[head(1, 0, HEAD), data(1, 0, MESSAGE), ended.clone()]), well);
    let (begin, rest) = MESSAGE.split_at(3);
    let pieces = [head(1, 0, HEAD), data(1, 0, begin), data(1, 0, rest), ended];
    assert_eq!(outcome(&pieces), well);
}

#[test]
fn a_status_in_trailers_or_alone_is_a_failure() {
    let status = [("grpc-status", "14"), ("grpc-message", "no%20stock")];
    let failed = Outcome::Call(200, Some(14), "no%20stock".to_owned());
    assert_eq!(outcome(&[head(1, 0, HEAD), head(1, END_STREAM, &status)]), failed);
    let behind_message = [head(1, 0, HEAD), data(1, 0, MESSAGE), head(1, END_STREAM, &status)];
    assert_eq!(outcome(&behind_message), failed);
    assert_eq!(outcome(&[head(1, END_STREAM, &[HEAD, &status].concat())]), failed);
    let of_proxy = [(":status", "503"), ("grpc-status", "14")];
    assert_eq!(
        outcome(&[head(1, END_STREAM, &of_proxy)]),
        Outcome::Call(503, Some(14), String::new())
    );
}

#[test]
fn a_response_without_grpc_status_is_a_failure_of_its_own() {
    for frames in [
        vec![head(1, 0, HEAD), data(1, END_STREAM, MESSAGE)],
        vec![head(1, 0, HEAD), head(1, END_STREAM, &[("x", "y")])],
        vec![head(1, END_STREAM, HEAD)],
        // Only the head of a response that ends with it may say what trailers say.
        vec![
            head(1, 0, &[HEAD, &[("grpc-status", "0")]].concat()),
            data(1, END_STREAM, MESSAGE),
        ],
    ] {
        assert_eq!(outcome(&frames), NO_STATUS);
    }
}

#[test]
fn a_response_that_is_none_to_a_call_is_malformed() {
    let ended = |fields: &[(&str, &str)]| head(1, END_STREAM, fields);
    let page = [(":status", "200"), ("content-type", "text/html")];
    for (frames, reason) in [
        (
            vec![head(1, 0, HEAD), ended(&[("grpc-status", "0")])],
            "grpc-status is 0, and there is no message",
        ),
        (
            vec![
                head(1, 0, HEAD),
                data(1, 0, "\0\0\0\0\x03ab"),
                ended(&[("grpc-status", "0")]),
            ],
            "the message is shorter than it says",
        ),
        (
            vec![head(1, 0, HEAD), data(1, 0, MESSAGE), ended(&[("grpc-status", "x")])],
            "grpc-status is no number: `x`",
        ),
        (
            vec![
                head(1, 0, HEAD),
                data(1, 0, MESSAGE),
                ended(&[("grpc-status", "0"), ("grpc-status", "14")]),
            ],
            "grpc-status is no number: `0, 14`",
        ),
        (
            vec![head(1, 0, HEAD), ended(&[(":status", "200")])],
            "the response has the pseudo-header `:status`, which none may have",
        ),
        (
            vec![head(1, 0, &page), data(1, END_STREAM, "<html>")],
            "the response has no content-type application/grpc",
        ),
        (vec![ended(&page)], "the response has no content-type application/grpc"),
        (
            vec![ended(&[(":status", "200"), ("grpc-status", "0")])],
            "the response has no content-type application/grpc",
        ),
    ] {
        assert_eq!(outcome(&frames), malformed(reason));
    }
}

#[test]
fn a_stream_that_is_reset_without_trailers_is_a_reset() {
    let cut_off = [head(1, 0, HEAD), data(1, 0, MESSAGE), reset(1, 8)];
    assert_eq!(outcome(&cut_off), Outcome::Reset("CANCEL".to_owned()));
}

#[test]
fn wrong_content_ends_the_stream_alone() {
    let mut connection = Connection::with_requests(1);
    connection.start(&call(5));
    connection.sent();
    let bytes = [head(3, 0, HEAD), data(3, 0, &MESSAGE.repeat(2)), data(3, 0, MESSAGE)];
    assert_eq!(connection.receives(&bytes.concat()), Ok(Standing::Open));
    assert_eq!(
        connection.outcomes(),
        [(1, malformed("there is more than one message"))]
    );
    let sent = frames(&connection.sent());
    assert_eq!(
        sent.iter().map(|frame| (frame.kind, frame.stream)).collect::<Vec<_>>(),
        [(RST_STREAM, 3)]
    );
    assert_eq!(connection.client.in_flight(), 1);
}

#[test]
fn another_status_of_http_is_a_response_with_that_status() {
    let not_found = [(":status", "404"), ("content-type", "text/html")];
    let plain = Outcome::Response(404, String::new(), false);
    assert_eq!(outcome(&[head(1, END_STREAM, &not_found)]), plain);
    assert_eq!(outcome(&[head(1, 0, &not_found), data(1, END_STREAM, "<html>")]), plain);
}

#[test]
fn a_call_waits_for_its_status_although_its_message_waits_for_windows() {
    let mut connection = Connection::new(100);
    connection.receives(&settings(&[(4, 10)])).expect("in order");
    connection.start(&call(30));
    connection.receives(&window_update(1, 100)).expect("in order");
    let bytes = [head(1, 0, HEAD), data(1, END_STREAM, MESSAGE)];
    connection.receives(&bytes.concat()).expect("in order");
    assert_eq!(connection.outcomes(), [(0, NO_STATUS)]);
}
