//! Failures and what is said of them, over real sockets.

use super::net;
use super::suite::{OK, closed, following, job, only, outcome, read_request, responding, server, total};
use plimsoll_measure::{Counters, ErrorClass, Example, Sight, Tick};
use plimsoll_plan::{Address, ClosedLoad, Connections, Load};
use std::io::{Read as _, Write as _};
use std::time::Duration;

fn run(remote: Address, requests: u64) -> Tick {
    total(&job(remote, closed(4, requests), Connections::default()))
}

fn failure(tick: &Tick, class: ErrorClass) -> &Example {
    let example = tick.examples.get(Sight::Failure(class));
    example.unwrap_or_else(|| panic!("no example of {class}: {tick:?}"))
}

#[test]
fn an_unexpected_status_is_shown_with_its_body_and_no_header() {
    let response = b"HTTP/1.1 404 Not Found\r\nset-cookie: id=secret\r\ncontent-type: text/plain\r\ncontent-length: 12\r\n\r\nCannot GET /";
    let tick = run(responding(response), 8);
    let example = failure(&tick, ErrorClass::Status);
    assert_eq!(example.expected, "status 2xx or 3xx");
    assert_eq!(example.found, "status 404 Not Found, text/plain");
    assert_eq!(example.received, "Cannot GET /");
}

#[test]
fn an_unexpected_status_in_pieces_is_shown_whole() {
    let remote = server(|mut stream| {
        while read_request(&mut stream) {
            for piece in [
                &b"HTTP/1.1 500 Oo"[..],
                b"ps\r\ncontent-type: a/b\r\ncontent-le",
                b"ngth: 6\r\n\r\nab",
                b"cd",
                b"ef",
            ] {
                if stream.write_all(piece).is_err() {
                    return;
                }
                std::thread::yield_now();
            }
        }
    });
    let tick = run(remote, 8);
    let example = failure(&tick, ErrorClass::Status);
    assert_eq!(
        (example.found.as_str(), example.received.as_str()),
        ("status 500 Oops, a/b", "abcdef")
    );
}

#[test]
fn what_is_not_http_is_shown_with_the_reason() {
    let tick = run(responding(b"SSH-2.0-OpenSSH_9.2\r\n"), 4);
    let example = failure(&tick, ErrorClass::Malformed);
    assert_eq!(example.expected, "an HTTP/1.1 response");
    assert_eq!(example.found, "status line is not HTTP/1.x: `SSH-2.0-OpenSSH_9.2`");
    assert_eq!(example.received, "SSH-2.0-OpenSSH_9.2");
    let tick = run(responding(b"\x15\x03\x01\0\x02\x02\x46"), 4);
    assert!(
        failure(&tick, ErrorClass::Malformed)
            .found
            .contains("the service seems to expect https")
    );
    let tick = run(responding(b"\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64"), 4);
    assert_eq!(
        failure(&tick, ErrorClass::Malformed).found,
        "the response is an HTTP/2 frame, not HTTP/1.1: the service speaks HTTP/2 (h2c, gRPC)"
    );
}

#[test]
fn a_refused_connection_is_shown_with_what_the_system_said() {
    let tick = run(net::nobody(), 4);
    let example = failure(&tick, ErrorClass::Refused);
    assert!(example.found.starts_with("Connection refused"), "{example:?}");
}

#[test]
fn a_response_that_is_cut_off_is_shown_with_what_had_come() {
    let remote = server(|mut stream| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this");
    });
    let tick = run(remote, 4);
    let found = &failure(&tick, ErrorClass::Reset).found;
    assert_eq!(
        found,
        "the service closed the connection, status 200 and 9 of 100 bytes of the body had come"
    );
}

#[test]
fn a_fresh_connection_that_is_closed_without_a_word_may_expect_tls() {
    // As the https server of Node.js closes a request without TLS.
    let remote = server(|mut stream| {
        read_request(&mut stream);
    });
    let tick = run(remote, 4);
    let found = &failure(&tick, ErrorClass::Reset).found;
    let perhaps = found.ends_with("; the service may expect TLS (use https:// instead of http://)");
    // Where TLS is spoken already, that is not the reason.
    assert_eq!(perhaps, net::connector().is_none(), "{found}");
}

#[test]
fn a_chunked_response_that_is_cut_off_lacks_its_last_chunk() {
    let remote = server(|mut stream| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n");
    });
    let tick = run(remote, 4);
    let found = &failure(&tick, ErrorClass::Reset).found;
    assert_eq!(
        found,
        "the service closed the connection, status 200 and 2 bytes of a chunked body had come, before its last chunk"
    );
}

#[test]
fn redirects_are_counted_and_the_first_is_shown() {
    let tick = run(
        responding(b"HTTP/1.1 302 Found\r\nlocation: /login?token=1\r\ncontent-length: 0\r\n\r\n"),
        8,
    );
    assert_eq!(tick.counters.redirects, 8);
    let example = tick.examples.get(Sight::Redirect).expect("an example");
    assert_eq!(example.found, "status 302 Found, to /login");
}

/// What comes of a request that follows redirects, at a server that sends `pieces` first, and then 200.
fn followed(pieces: &'static [&'static [u8]]) -> Counters {
    let remote = server(move |mut stream| {
        let mut request = 0;
        while read_request(&mut stream) {
            let pieces = if request == 0 { pieces } else { &[OK] };
            for piece in pieces {
                if stream.write_all(piece).is_err() {
                    return;
                }
                std::thread::yield_now();
            }
            request += 1;
        }
    });
    let job = job(remote, closed(1, 1), Connections::default());
    total(&following(job, 2)).counters
}

#[test]
fn redirects_are_followed_whatever_pieces_they_come_in() {
    let counters = followed(&[
        b"HTTP/1.1 103 Early Hints\r\nlocation: http://elsewhere.test/\r\n\r\nHTTP/1.1 302 Fo",
        b"und\r\nlocat",
        b"ion: /a\r\ntransfer-encoding: chunked\r\n\r\n5\r\nmov",
        b"ed\r\n0\r\n",
        b"\r\n",
    ]);
    assert_eq!((counters.passed, counters.followed), (1, 1), "{counters:?}");
}

#[test]
fn a_redirect_without_a_place_is_a_response() {
    let counters = followed(&[b"HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n"]);
    assert_eq!((counters.passed, counters.redirects), (1, 1), "{counters:?}");
}

#[test]
fn redirects_to_other_places_are_errors() {
    for (response, found) in [
        (
            &b"HTTP/1.1 302 Found\r\nlocation: //elsewhere.test/a?token=1\r\ncontent-length: 0\r\n\r\n"[..],
            "status 302 Found, to //elsewhere.test/a: load goes nowhere else",
        ),
        (
            b"HTTP/1.1 302 Found\r\nlocation: http://:x/\r\ncontent-length: 0\r\n\r\n",
            "status 302 Found, to http://:x/: empty host",
        ),
    ] {
        let remote = responding(response);
        let tick = total(&following(job(remote, closed(4, 8), Connections::default()), 2));
        only(ErrorClass::NotFollowed, &tick.counters, 8);
        assert_eq!(failure(&tick, ErrorClass::NotFollowed).found, found);
    }
}

#[test]
fn a_run_without_failures_has_no_examples() {
    let tick = run(responding(OK), 100);
    assert!(tick.examples.is_empty(), "{:?}", tick.examples);
}

#[test]
fn an_error_response_before_a_reset_is_that_response() {
    // Node.js says this of a head that is too large, and closes without having read the rest of it: the kernel resets.
    let remote = server(|mut stream| {
        let _ = stream.read_exact(&mut [0; 4]);
        let _ = stream.write_all(b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n");
    });
    let tick = run(remote, 20);
    only(ErrorClass::Status, &tick.counters, 20);
    assert_eq!(tick.counters.status[3], 20);
}

#[test]
fn requests_behind_the_last_response_of_a_connection_go_out_again() {
    let remote = server(|mut stream| {
        for connection in ["keep-alive", "close"] {
            read_request(&mut stream);
            let response = format!("HTTP/1.1 200 OK\r\nconnection: {connection}\r\ncontent-length: 2\r\n\r\nok");
            let _ = stream.write_all(response.as_bytes());
        }
    });
    let connections = Connections {
        pipelining: 8,
        ..Connections::default()
    };
    let counters = outcome(remote, 100, connections);
    assert_eq!(counters.passed, 100, "{counters:?}");
}

#[test]
fn bytes_that_nobody_asked_for_are_counted_and_shown() {
    let tick = run(responding(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokay"), 40);
    assert_eq!(tick.counters.passed, 40, "{:?}", tick.counters);
    assert_eq!(tick.counters.unrequested, 40);
    let example = tick.examples.get(Sight::Unrequested).expect("an example");
    assert_eq!(
        (example.found.as_str(), example.received.as_str()),
        ("2 bytes came that no request had asked for", "ay")
    );
}

#[test]
fn line_ends_behind_a_response_are_nothing() {
    let counters = outcome(
        responding(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok\r\n"),
        40,
        Connections::default(),
    );
    assert_eq!((counters.passed, counters.unrequested), (40, 0));
    // The first ones may have done it all before the last one is there.
    assert!(counters.connections_opened <= 4, "{counters:?}");
}

#[test]
fn connections_that_end_as_they_are_used_again_are_told_apart() {
    // Closes what it has served once, without a word, as a service does whose time for idle connections is over.
    let remote = server(|mut stream| {
        read_request(&mut stream);
        let _ = stream.write_all(OK);
    });
    let tick = run(remote, 200);
    let counters = &tick.counters;
    // Some it closes with the next request unread; the reset does not say so.
    let resets = counters.errors.get(ErrorClass::Reset);
    assert_eq!(
        counters.passed + counters.keep_alive_races + resets,
        200,
        "{counters:?}"
    );
    assert!(counters.keep_alive_races > 0, "{counters:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_service_that_ends_what_it_has_read_does_not_hide_behind_races() {
    let remote = server(|mut stream| {
        read_request(&mut stream);
        let _ = stream.write_all(OK);
        read_request(&mut stream);
    });
    let counters = outcome(remote, 40, Connections::default());
    only(ErrorClass::Reset, &counters, 40 - counters.passed);
    assert_eq!(counters.keep_alive_races, 0, "{counters:?}");
}

#[test]
fn a_connection_is_not_used_again_when_the_service_may_be_closing_it() {
    let remote = responding(b"HTTP/1.1 200 OK\r\nkeep-alive: timeout=0\r\ncontent-length: 2\r\n\r\nok");
    let resting = Load::Closed(ClosedLoad {
        connections: 1,
        duration: None,
        requests: Some(8),
        think_time: Duration::from_millis(10),
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    });
    let counters = total(&job(remote, resting, Connections::default())).counters;
    assert_eq!((counters.passed, counters.connections_opened), (8, 8));
}
