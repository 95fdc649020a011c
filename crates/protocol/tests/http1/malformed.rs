//! Responses that are none, are too long, or end early.

use super::responses::{check, kept, malformed, truncated};
use crate::invariants::events;
use plimsoll_protocol::RequestKind::Other;
use plimsoll_protocol::http1::{MAX_HEAD_BYTES, MAX_HEADERS};

#[test]
fn what_is_wrong_with_a_long_head_is_seen_in_pieces_too() {
    let filler = "a: b\r\n".repeat(1000);
    let wrong = format!("HTTP/1.1 200 OK\r\n{filler}no colon\r\nc: d\r\n");
    let cut_short = format!("HTTP/1.1 200 OK\r\n{filler}c: d\r\n");
    for length in [1, 7, 1000] {
        let pieces = |stream: &'static str| events(&[Other], stream.as_bytes().chunks(length));
        assert_eq!(pieces(wrong.clone().leak()), malformed("Header"));
        assert_eq!(pieces(cut_short.clone().leak()), truncated("InHead { received: 6023 }"));
    }
}

#[test]
fn what_is_not_http() {
    check(&[Other], "HELO mail.example.org\r\n", &malformed("NotHttp"));
    check(&[Other], "HTTP/2 200\r\n\r\n", &malformed("NotHttp"));
    check(&[Other], "HTTP/1.10 200 OK\r\n\r\n", &malformed("NotHttp"));
    check(&[Other], "\0\0\x12\x04\0\0\0\0\0", &malformed("Http2"));
    check(
        &[Other],
        "\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64\0\0\x08\x07",
        &malformed("Http2"),
    );
    check(&[Other], "\0\0\x12\x04\0\0\0\0", &malformed("NotHttp"));
    check(&[Other], "\0\0\x12\x05\0\0\0\0\0", &malformed("NotHttp"));
    check(&[Other], "\0", &malformed("NotHttp"));
    check(&[Other], "\x15\x03\x01\0\x02\x02\x46", &malformed("Tls"));
    check(&[Other], "HTTP/1.1 20 OK\r\n\r\n", &malformed("Status"));
    check(&[Other], "HTTP/1.1 2000 OK\r\n\r\n", &malformed("Status"));
    check(&[Other], "HTTP/1.1 OK\r\n\r\n", &malformed("Status"));
    check(&[Other], "HTTP/1.1 200 O\0K\r\n\r\n", &malformed("Status"));
}

#[test]
fn headers_that_are_none() {
    for line in [
        "no colon",
        "a b: c",
        ": c",
        "a : c",
        "a: b\0",
        "a: b\rc",
        " folded: before any field",
        "content-length : 5",
        "transfer-encoding : chunked",
        "ü: x",
    ] {
        check(
            &[Other],
            format!("HTTP/1.1 200 OK\r\n{line}\r\n\r\n"),
            &malformed("Header"),
        );
    }
}

#[test]
fn odd_headers_that_are_fine() {
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx: \u{fc}\r\ny:\r\n\r\n",
        &kept(200, 49, 0),
    );
    check(
        &[Other],
        "HTTP/1.1 999 \r\ncontent-length: 0\r\n\r\n",
        &kept(999, 36, 0),
    );
}

#[test]
fn limits() {
    let headers = |count: usize| {
        format!(
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n{}\r\n",
            "a: b\r\n".repeat(count - 1)
        )
    };
    for count in [100, 101, MAX_HEADERS] {
        check(&[Other], headers(count), &kept(200, 32 + 6 * count as u64, 0));
    }
    check(&[Other], headers(MAX_HEADERS + 1), &malformed("TooManyHeaders"));

    let long = |head_bytes: usize| {
        let rest = "HTTP/1.1 204 No Content\r\na: \r\n\r\n".len();
        format!(
            "HTTP/1.1 204 No Content\r\na: {}\r\n\r\n",
            "b".repeat(head_bytes - rest)
        )
    };
    check(&[Other], long(MAX_HEAD_BYTES), &kept(204, MAX_HEAD_BYTES as u64, 0));
    check(&[Other], long(MAX_HEAD_BYTES + 1), &malformed("HeadTooLarge"));

    let chunked = |body: &str| format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{body}");
    check(
        &[Other],
        chunked(&format!("0;{}\r\n\r\n", "e".repeat(4094))),
        &kept(200, 47, 0),
    );
    check(
        &[Other],
        chunked(&format!("0;{}\r\n\r\n", "e".repeat(4095))),
        &malformed("ChunkLineTooLong"),
    );
    check(
        &[Other],
        chunked(&format!("0\r\na:{}\r\n\r\n", "t".repeat(32765))),
        &kept(200, 47, 0),
    );
    check(
        &[Other],
        chunked(&format!("0\r\na:{}\r\n\r\n", "t".repeat(32767))),
        &malformed("TrailerTooLarge"),
    );
}

#[test]
fn responses_that_are_cut_short() {
    check(&[Other], "", &truncated("BeforeResponse"));
    check(&[Other], "HTTP/1.1 200 OK\r\n", &truncated("InHead { received: 17 }"));
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel",
        &truncated("InBody { received: 3, expected: 5 }"),
    );
    check(
        &[Other],
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel",
        &truncated("InChunked { received: 3 }"),
    );
}
