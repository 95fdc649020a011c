//! Handshakes that fail, and sessions that are cut off.

use super::net::Stream;
use super::suite::{closed, job, only, outcome, read_request, server, total};
use plimsoll_measure::{ErrorClass, Sight};
use plimsoll_plan::{Address, Connections};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

/// A server that does this with every socket.
fn raw(serve: impl Fn(std::net::TcpStream) + Send + 'static) -> Address {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("bound");
    thread::spawn(move || listener.incoming().flatten().for_each(serve));
    address.into()
}

#[track_caller]
fn check(remote: Address, found: &str) {
    let tick = total(&job(remote, closed(1, 2), Connections::default()));
    only(ErrorClass::Tls, &tick.counters, 2);
    let example = tick.examples.get(Sight::Failure(ErrorClass::Tls));
    assert_eq!(example.expect("shown").found, found);
}

#[test]
fn service_without_tls_is_said_to_be_one() {
    let remote = raw(|mut socket| {
        let _ = socket.read(&mut [0; 64]);
        let _ = socket.write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
    });
    check(
        remote,
        "the port responds in clear text and not in TLS (use http:// instead of https://)",
    );
}

#[test]
fn service_that_hangs_up_in_the_handshake_has_failed_it() {
    let remote = raw(|mut socket| _ = socket.read(&mut [0; 4096]));
    check(remote, "the service closed the connection during the handshake");
}

/// A response whose length only its end says, and an end without close_notify: more may have been to come.
#[test]
fn body_that_ends_with_a_cut_off_session_is_not_whole() {
    let cut_off = |mut stream: Stream| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhalf");
        let _ = stream.flush();
        stream.cut_off();
    };
    only(
        ErrorClass::Reset,
        &outcome(server(cut_off), 3, Connections::default()),
        3,
    );
    let ended = |mut stream: Stream| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nall");
    };
    assert_eq!(outcome(server(ended), 3, Connections::default()).passed, 3);
}
