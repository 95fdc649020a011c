//! What examples show, and what they hide.

use super::*;
use plimsoll_measure::ErrorClass;

const STATUS: Sight = Sight::Failure(ErrorClass::Status);

fn example(seen: &Seen<'_>) -> Example {
    let hidden = Hidden::new(KnownSecrets::of_settings([
        ("key", "s3cret"),
        ("key", "s3cret-and-more"),
        ("key", "abc"),
    ]));
    hidden.example(STATUS, 0, seen)
}

#[test]
fn hidden_values_and_headers_do_not_leak() {
    let response =
        b"HTTP/1.1 401 s3cret\r\nset-cookie: id=5\r\nwww-authenticate: x\r\ncontent-type: text/plain\r\n\r\n\
                   abc: s3cret-and-more, s3cret and s3cre";
    let example = example(&Seen::response(401, response));
    assert_eq!(example.found, "status 401 [redacted], text/plain");
    assert_eq!(example.received, "abc: [redacted], [redacted] and s3cre");
}

#[test]
fn a_hidden_value_does_not_leak_at_the_end_of_what_is_shown() {
    let body = format!("{}s3cret", "x".repeat(197));
    let response = format!("HTTP/1.1 500 No\r\n\r\n{body}");
    let example = example(&Seen::response(500, response.as_bytes()));
    assert_eq!(example.received, format!("{}[re…", "x".repeat(197)));
}

#[test]
fn a_compressed_body_is_shown_as_text_without_hidden_values() {
    // `no s3cret here` by gzip, in two chunks.
    let body = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xcb\xcbW(6N.J-Q\xc8H-J\x05\0\xad\ns\xd0\x0e\0\0\0";
    let mut response = b"HTTP/1.1 500 No\r\ncontent-type: text/plain\r\ncontent-encoding: gzip\r\n".to_vec();
    let mut chunked = response.clone();
    response.extend_from_slice(b"\r\n");
    response.extend_from_slice(body);
    chunked.extend_from_slice(b"transfer-encoding: chunked\r\n\r\n14\r\n");
    chunked.extend_from_slice(&body[..20]);
    chunked.extend_from_slice(format!("\r\n{:x}\r\n", body.len() - 20).as_bytes());
    chunked.extend_from_slice(&body[20..]);
    chunked.extend_from_slice(b"\r\n0\r\n\r\n");
    for response in [response, chunked] {
        let example = example(&Seen::response(500, &response));
        assert_eq!(example.found, "status 500 No, text/plain, gzip");
        assert_eq!(example.received, "no [redacted] here");
    }
    let plain = b"HTTP/1.1 500 No\r\ncontent-encoding: gzip\r\n\r\nplain text";
    let example = example(&Seen::response(500, plain));
    assert_eq!(example.found, "status 500 No, gzip, but its body is something else");
    assert_eq!(example.received, "plain text");
}

#[test]
fn a_malformed_response_shows_no_header() {
    let bytes = b"HTTP/1.1 200 OK\r\nset-cookie: id=5\r\nno colon\r\n\r\n";
    let seen = example(&Seen::malformed(&"header line is invalid", bytes));
    assert_eq!(
        (seen.found.as_str(), seen.received.as_str()),
        ("header line is invalid", "200 OK")
    );
    let seen = example(&Seen::malformed(
        &"status line is not HTTP/1.x",
        b"SSH-2.0-OpenSSH_9.2\r\n",
    ));
    assert_eq!(seen.received, "SSH-2.0-OpenSSH_9.2");
}

#[test]
fn statuses_read_as_in_a_plan() {
    for (accepted, text) in [
        (&[(200, 299)][..], "status 2xx"),
        (&[(200, 399)], "status 2xx or 3xx"),
        (&[(200, 200), (404, 404)], "status 200 or 404"),
        (&[(200, 204), (300, 399)], "status 200-204 or 3xx"),
    ] {
        assert_eq!(statuses(accepted), text);
    }
}

#[test]
fn calls_say_their_status_and_safe_words() {
    for (code, message, found) in [
        (
            Some(14),
            &b"no%20stock, n%C3%B6"[..],
            "grpc-status UNAVAILABLE: no stock, nö",
        ),
        (Some(14), b"", "grpc-status UNAVAILABLE"),
        (Some(99), b"100% full %zz", "grpc-status 99: 100% full %zz"),
        (
            Some(2),
            b"a%1b[2J%0d%0Ab%00%ff",
            "grpc-status UNKNOWN: a\u{fffd}[2J b\u{fffd}\u{fffd}",
        ),
        (Some(2), b"s%33cret", "grpc-status UNKNOWN: [redacted]"),
        (None, b"", "a response without grpc-status"),
    ] {
        let example = example(&call(code, message, &[GrpcStatus::OK]));
        assert_eq!(
            (example.found.as_str(), example.expected.as_str()),
            (found, "grpc-status OK")
        );
    }
    let accepted = [0, 5].map(|code| GrpcStatus::of(code).expect("a status"));
    assert_eq!(call(Some(1), b"", &accepted).expected, "grpc-status OK or NOT_FOUND");
}

#[test]
fn failures_say_what_was_expected_and_what_came() {
    let body = |end| Came::Body {
        status: 200,
        received_bytes: 7,
        end,
    };
    let check = |seen: Seen<'_>, expected: &str, found: &str| {
        assert_eq!((seen.expected.as_str(), seen.found.as_str()), (expected, found));
    };
    check(
        timed_out(300_000_000, body(BodyEnd::Length(9))),
        "a whole response within 300 ms of the scheduled start",
        "status 200 and 7 of 9 bytes of the body had come",
    );
    check(
        timed_out(300_000_000, body(BodyEnd::Connection)),
        "a whole response within 300 ms of the scheduled start",
        "status 200 and 7 bytes of a body had come that has no length and lasts until the connection ends",
    );
    check(
        cut_off(&End::Finished, body(BodyEnd::LastChunk), true),
        "a whole response",
        "the service closed the connection, status 200 and 7 bytes of a chunked body had come, before its last chunk",
    );
    check(
        cut_off(&End::Finished, Came::Nothing, false),
        "a whole response",
        "the service closed the connection, not one byte of the response had come",
    );
    check(
        cut_off(&End::Finished, Came::Nothing, true),
        "a whole response",
        "the service closed the connection, not one byte of the response had come; \
         the service may expect TLS (use https:// instead of http://)",
    );
    check(
        race(&End::Finished, 5_002_000_000),
        "",
        "the service closed the connection, after 5.0 s without a request, as the request was sent",
    );
}

#[test]
fn responses_with_secrets_of_their_own_show_status_and_type_alone() {
    let hidden = Hidden::default().with_responses(true);
    let response =
        b"HTTP/1.1 302 Found\r\nlocation: /in?code=t0ken\r\ncontent-type: text/plain\r\n\r\nyour token is t0ken";
    let example = hidden.example(STATUS, 0, &Seen::response(302, response));
    assert_eq!(
        (&*example.found, &*example.received),
        ("status 302 Found, text/plain", "")
    );
    let example = hidden.example(STATUS, 0, &Seen::malformed(&"no size of a chunk", b"t0ken\r\n"));
    assert_eq!((&*example.found, &*example.received), ("something else", ""));
}
