//! Responses as services send them and as they must not, each read whole, in every two pieces, and byte by byte.

use crate::invariants::{Event, events};
use plimsoll_protocol::RequestKind::{self, Connect, Head, Other};
use plimsoll_protocol::http1::{Completed, LastHead, ResponseReader};

#[track_caller]
pub(super) fn check(requests: &[RequestKind], stream: impl AsRef<[u8]>, expected: &[Event]) {
    let stream = stream.as_ref();
    let shown = stream[..stream.len().min(300)].escape_ascii().to_string();
    assert_eq!(events(requests, [stream]), expected, "whole: {shown}");
    // A long stream is cut where heads and chunks begin and end, near its ends.
    let looked_at = if stream.len() < 65_536 { 300 } else { 20 };
    let near_an_end = |cut: &usize| *cut < looked_at || stream.len() - cut < looked_at;
    for cut in (1..stream.len()).filter(near_an_end) {
        let (before, after) = stream.split_at(cut);
        assert_eq!(events(requests, [before, after]), expected, "cut at {cut}: {shown}");
    }
    if stream.len() < 2048 {
        assert_eq!(events(requests, stream.chunks(1)), expected, "byte by byte: {shown}");
    }
}

/// An response that leaves the connection open, followed by its closing.
pub(super) fn kept(status: u16, head_bytes: u64, body_bytes: u64) -> [Event; 2] {
    [
        Event::Response(Completed {
            status,
            keep_alive: true,
            keep_alive_s: None,
            head_bytes,
            body_bytes,
        }),
        Event::Closed,
    ]
}

/// An response after which the connection is of no more use.
pub(super) fn last(status: u16, head_bytes: u64, body_bytes: u64) -> [Event; 1] {
    [Event::Response(Completed {
        status,
        keep_alive: false,
        keep_alive_s: None,
        head_bytes,
        body_bytes,
    })]
}

pub(super) fn malformed(name: &str) -> [Event; 1] {
    [Event::Malformed(name.to_owned())]
}

pub(super) fn truncated(text: &str) -> [Event; 1] {
    [Event::Truncated(text.to_owned())]
}

#[test]
fn a_body_of_known_length() {
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello",
        &kept(200, 38, 5),
    );
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\nContent-Length:0\r\n\r\n",
        &kept(200, 37, 0),
    );
    check(
        &[Other],
        "HTTP/1.1 200\r\nCONTENT-LENGTH: \t5 \r\n\r\nhello",
        &kept(200, 37, 5),
    );
    check(
        &[Other],
        "HTTP/1.1 404 Not Found\r\ncontent-length: 3\r\n\r\nno\n",
        &kept(404, 45, 3),
    );
}

#[test]
fn lines_may_end_in_lf_and_empty_lines_may_come_first() {
    check(&[Other], "HTTP/1.1 200 OK\ncontent-length: 1\n\nx", &kept(200, 35, 1));
    check(
        &[Other],
        "\r\n\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx",
        &kept(200, 41, 1),
    );
}

#[test]
fn equal_lengths_are_one_length() {
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ncontent-length: 1, 01\r\nContent-Length: 1\r\n\r\nx",
        &kept(200, 61, 1),
    );
}

#[test]
fn lengths_that_are_none() {
    for value in [
        "",
        "-1",
        "+1",
        "1 1",
        "1,",
        "0x1",
        "1.0",
        "18446744073709551616",
        "99999999999999999999",
        "one",
    ] {
        let stream = format!("HTTP/1.1 200 OK\r\ncontent-length: {value}\r\n\r\nx");
        check(&[Other], stream, &malformed("ContentLength"));
    }
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ncontent-length: 1, 2\r\n\r\nxy",
        &malformed("ContentLengthConflict"),
    );
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxy",
        &malformed("ContentLengthConflict"),
    );
}

#[test]
fn the_greatest_length_is_a_length() {
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ncontent-length: 18446744073709551615\r\n\r\nx",
        &truncated("InBody { received: 1, expected: 18446744073709551615 }"),
    );
}

#[test]
fn responses_without_a_body() {
    check(
        &[Head],
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n",
        &kept(200, 38, 0),
    );
    check(
        &[Head],
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
        &kept(200, 47, 0),
    );
    check(&[Head], "HTTP/1.1 200 OK\r\n\r\n", &kept(200, 19, 0));
    check(&[Other], "HTTP/1.1 204 No Content\r\n\r\n", &kept(204, 27, 0));
    check(
        &[Other],
        "HTTP/1.1 304 Not Modified\r\ncontent-length: 900\r\n\r\n",
        &kept(304, 50, 0),
    );
}

#[test]
fn chunks() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n";
    for (body, content) in [
        ("0\r\n\r\n", 0),
        ("5\r\nhello\r\n0\r\n\r\n", 5),
        ("A\r\n0123456789\r\n00b\r\n0123456789a\r\n000\r\n\r\n", 21),
        ("3;name=value;other=\"a b\"\r\nabc\r\n0;last\r\n\r\n", 3),
        ("3 \t;x\r\nabc\r\n0 \r\n\r\n", 3),
        ("2\r\n\r\n\r\n0\r\n\r\n", 2),
        ("1\r\nx\r\n0\r\nexpires: never\r\nx-sum: 1\r\n\r\n", 1),
    ] {
        check(&[Other], format!("{head}{body}"), &kept(200, 47, content));
    }
    for (body, error) in [
        ("\r\n", "ChunkSize"),
        ("g\r\n", "ChunkSize"),
        ("-1\r\n", "ChunkSize"),
        ("1 1\r\n", "ChunkSize"),
        ("1\nx\r\n", "BareLf"),
        ("10000000000000000\r\n", "ChunkSize"),
        ("1\rx", "ChunkEnd"),
        ("1 \nx", "BareLf"),
        ("1;a\nx", "BareLf"),
        ("1\r\nxy\r\n", "ChunkEnd"),
        ("1\r\nx\ry", "ChunkEnd"),
        ("0\r\n\rx", "ChunkEnd"),
        ("0\r\na: b\n\n", "BareLf"),
        ("0\r\n\n", "BareLf"),
        ("0\r\na: b\rc", "ChunkEnd"),
    ] {
        check(&[Other], format!("{head}{body}"), &malformed(error));
    }
}

#[test]
fn codings_other_than_chunked() {
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        &kept(200, 53, 1),
    );
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        &kept(200, 72, 0),
    );
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked, gzip\r\n\r\nabc",
        &last(200, 53, 3),
    );
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ntransfer-encoding: identity\r\n\r\nabc",
        &last(200, 48, 3),
    );
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        &last(200, 57, 5),
    );
}

#[test]
fn identity_is_no_coding() {
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ntransfer-encoding: Identity\r\ncontent-length: 3\r\n\r\nabc",
        &kept(200, 67, 3),
    );
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ntransfer-encoding: identity, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        &kept(200, 57, 1),
    );
}

#[test]
fn a_line_may_go_on_in_the_next_one() {
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\na: b\r\n folded\r\n\tagain\r\ncontent-length:\r\n 1\r\n\r\nx",
        &kept(200, 63, 1),
    );
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip,\r\n chunked\r\n\r\n0\r\n\r\n",
        &kept(200, 55, 0),
    );
    check(
        &[Other],
        "HTTP/1.1 200 OK\ncontent-length: 0\nconnection: x,\n close\n\n",
        &last(200, 57, 0),
    );
    // The fold is a blank, so this is no number, and must not become one.
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n 0\r\n\r\n0123456789",
        &malformed("ContentLength"),
    );
}

#[test]
fn status_lines_that_differ_from_the_rule() {
    for line in [
        "HTTP/1.1 204",
        "HTTP/1.1 204 ",
        "HTTP/1.1  204  No",
        "HTTP/1.2 204 No",
        "HTTP/1.9 204 No",
        "HTTP/1.1 204 N\u{f6}",
    ] {
        check(
            &[Other],
            format!("{line}\r\n\r\n"),
            &kept(204, line.len() as u64 + 4, 0),
        );
    }
}

#[test]
fn how_long_a_connection_is_kept() {
    let announced = |fields: &str| {
        let head = format!("HTTP/1.1 200 OK\r\n{fields}content-length: 0\r\n\r\n");
        match events(&[Other], [head.as_bytes()]).first() {
            Some(Event::Response(response)) => response.keep_alive_s,
            other => panic!("{other:?}"),
        }
    };
    for (fields, seconds) in [
        ("", None),
        ("Keep-Alive: timeout=5\r\n", Some(5)),
        ("keep-alive: max=100, Timeout = 72\r\n", Some(72)),
        ("keep-alive: timeout=0\r\n", Some(0)),
        ("keep-alive: timeout=-1\r\n", None),
        ("keep-alive: timeouts=5\r\n", None),
        ("keep-alive: 300\r\n", None),
        // As much as it can hold.
        ("keep-alive: timeout=99999999\r\n", Some(u16::MAX)),
    ] {
        assert_eq!(announced(fields), seconds, "{fields}");
    }
}

#[test]
fn an_empty_transfer_encoding_says_nothing() {
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntransfer-encoding:\r\n\r\n0\r\n\r\n",
        &kept(200, 67, 0),
    );
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ntransfer-encoding: ,\r\ncontent-length: 1\r\n\r\nx",
        &kept(200, 60, 1),
    );
}

#[test]
fn framing_by_two_rules_ends_the_connection() {
    let both = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n";
    check(&[Other, Other], both, &last(200, 68, 1));
    let unknown_to_1_0 =
        "HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n";
    check(&[Other, Other], unknown_to_1_0, &last(200, 71, 1));
}

#[test]
fn a_body_until_the_connection_closes() {
    check(&[Other], "HTTP/1.1 200 OK\r\n\r\nall of it", &last(200, 19, 9));
    check(
        &[Other],
        "HTTP/1.0 200 OK\r\nconnection: keep-alive\r\n\r\n",
        &last(200, 43, 0),
    );
}

#[test]
fn who_keeps_the_connection() {
    let response = |version: &str, connection: &str| {
        format!("HTTP/1.{version} 200 OK\r\nConnection: {connection}\r\ncontent-length: 0\r\n\r\n")
    };
    check(&[Other], response("1", "close"), &last(200, 57, 0));
    check(&[Other], response("1", "Upgrade, CLOSE"), &last(200, 66, 0));
    check(&[Other], response("1", "keep-alive, close"), &last(200, 69, 0));
    check(&[Other], response("1", "enclosed"), &kept(200, 60, 0));
    check(&[Other], response("0", "Keep-Alive"), &kept(200, 62, 0));
    check(&[Other], response("0", "keep-alive, close"), &last(200, 69, 0));
    check(
        &[Other],
        "HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n",
        &last(200, 38, 0),
    );
}

#[test]
fn interim_responses_are_skipped() {
    let hints = "HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n";
    let stream = format!("HTTP/1.1 100 Continue\r\n\r\n{hints}HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx");
    check(&[Other], stream, &kept(200, 25 + 57 + 38, 1));
    check(
        &[Other],
        "HTTP/1.1 100 Continue\r\n\r\n",
        &truncated("InHead { received: 25 }"),
    );
    let many = format!("{}HTTP/1.1 204 No\r\n\r\n", "HTTP/1.1 102 P\r\n\r\n".repeat(50_000));
    check(&[Other], many, &kept(204, 50_000 * 18 + 19, 0));
    let endless = "HTTP/1.1 102 P\r\n\r\n".repeat(60_000);
    check(&[Other], endless, &malformed("TooManyInterim"));
}

#[test]
fn responses_that_end_http() {
    let upgrade = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n\x01\x02";
    check(&[Other], upgrade, &last(101, 77, 0));
    check(
        &[Connect],
        "HTTP/1.1 200 Connection established\r\n\r\nanything",
        &last(200, 39, 0),
    );
    check(
        &[Connect],
        "HTTP/1.1 407 No\r\ncontent-length: 1\r\n\r\nx",
        &kept(407, 38, 1),
    );
}

#[test]
fn several_responses_on_one_connection() {
    let stream = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok\
                  HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n\
                  HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n\
                  HTTP/1.1 500 Oh\r\nconnection: close\r\n\r\nbye";
    let responses = [kept(200, 38, 2), kept(200, 38, 0), kept(200, 47, 1)].map(|[response, _]| response);
    check(
        &[Other, Head, Other, Other],
        stream,
        &[&responses[..], &last(500, 38, 3)].concat(),
    );
    let unrequested = malformed("Unrequested");
    check(&[Other, Head, Other], stream, &[&responses[..], &unrequested].concat());
    check(&[], "HTTP/1.1 408 Request Timeout\r\n\r\n", &unrequested);
}

/// Cookies may be anywhere in it.
#[test]
fn a_head_that_is_kept_is_whole_however_long_it_is() {
    for padding in [1, 5_000, 100_000] {
        let head = format!(
            "HTTP/1.1 200 OK\r\nx: {}\r\nset-cookie: a=1\r\ncontent-length: 9999\r\n\r\n",
            "y".repeat(padding)
        );
        let body = "z".repeat(9_999);
        for cut in [20, head.len() - 30, head.len() - 1] {
            let mut reader = ResponseReader::expecting(Other);
            let last = &mut LastHead::default();
            let (before, after) = head.as_bytes().split_at(cut);
            for piece in [before, after, body.as_bytes()] {
                reader.feed(piece, last).expect("a response");
            }
            let kept = String::from_utf8_lossy(reader.beginning()).into_owned();
            assert!(kept.starts_with(&head), "{padding} bytes, cut at {cut}");
            assert_eq!(kept.len(), head.len().max(4096), "of the body no more than before");
        }
    }
}
