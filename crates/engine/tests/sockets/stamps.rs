//! A backend that says when bytes arrived.

use super::{backend, suite::server};
use nix::sys::socket::{setsockopt, sockopt::ReceiveTimestampns};
use plimsoll_engine::backend::{Backend, End, Event, Wake};
use rustix::net::sockopt;
use std::io::Write as _;
use std::net::UdpSocket;
use std::sync::mpsc;
use std::time::Duration;

const HOUR_NS: u64 = 3_600_000_000_000;

/// The kernel notes arrivals from some time after the first socket has asked for it until the last that did is closed; before, it
/// takes them for arriving when they are read.
#[test]
fn what_was_read_late_arrived_when_it_was_sent() {
    let asks = UdpSocket::bind("127.0.0.1:0").expect("a port");
    setsockopt(&asks, ReceiveTimestampns, &true).expect("the kernel can");
    let told = (0..1_000).find(|_| {
        let (before_ns, at_ns) = read_late();
        at_ns < before_ns
    });
    assert!(told.is_some(), "it never arrived before it was read");
}

/// When bytes were known to be there, and when they are said to have arrived.
fn read_late() -> (u64, u64) {
    let (tell, sent) = mpsc::channel();
    let remote = server(move |mut stream| {
        // Closing then takes until the kernel of the client has acknowledged all bytes.
        sockopt::set_socket_linger(&stream, Some(Duration::from_secs(60))).expect("a socket");
        stream.write_all(b"answer").expect("a peer that reads");
        drop(stream);
        let _ = tell.send(());
    });
    let mut backend = backend(&remote).stamping();
    backend.connect(0).expect("a socket");
    sent.recv().expect("a response");
    let before_ns = backend.now_ns();
    loop {
        backend.wait(backend.now_ns() + HOUR_NS, Wake::AtOnce);
        while let Some(event) = backend.next_event() {
            if let Event::Received(0, bytes, arrived) = event {
                assert_eq!(bytes, b"answer");
                return (before_ns, arrived.at_ns);
            }
        }
    }
}

#[test]
fn a_stamping_backend_sees_the_end_of_a_connection() {
    let remote = server(|mut stream| stream.write_all(b"bye").expect("a peer that reads"));
    let mut backend = backend(&remote).stamping();
    backend.connect(0).expect("a socket");
    let mut said = Vec::new();
    loop {
        backend.wait(backend.now_ns() + HOUR_NS, Wake::AtOnce);
        while let Some(event) = backend.next_event() {
            match event {
                Event::Received(0, bytes, _) => said.extend_from_slice(bytes),
                Event::Closed(0, end) => {
                    assert_eq!((said.as_slice(), end), (&b"bye"[..], End::Finished));
                    return;
                }
                _ => {}
            }
        }
    }
}
