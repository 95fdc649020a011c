//! Backends alone: slots that are used again, waits that end at their time.

use super::{backend, suite::server};
use plimsoll_engine::backend::{Backend, End, Event, Wake};
use std::io::{Read as _, Write as _};
use std::sync::{Arc, Mutex, mpsc};

const HOUR_NS: u64 = 3_600_000_000_000;

fn connect(backend: &mut impl Backend) {
    backend.connect(0).expect("a socket");
    let mut connected = false;
    while !connected {
        backend.wait(backend.now_ns() + HOUR_NS, Wake::AtOnce);
        while let Some(event) = backend.next_event() {
            connected |= event == Event::Connected(0);
        }
    }
    // What had to be sent for that goes out.
    backend.wait(backend.now_ns() + 1_000_000, Wake::AtOnce);
    assert_eq!(backend.next_event(), None);
}

#[test]
fn what_was_sent_just_before_a_close_does_not_meet_the_next_connection() {
    let (tell, said) = mpsc::channel();
    let remote = server(move |mut stream| {
        let mut bytes = Vec::new();
        // A reset ends it too; what came before counts.
        let _ = stream.read_to_end(&mut bytes);
        let _ = tell.send(bytes);
    });
    let mut backend = backend(&remote);
    connect(&mut backend);
    backend.send(0, |out| out.extend_from_slice(b"first"));
    backend.close(0);
    connect(&mut backend);
    backend.send(0, |out| out.extend_from_slice(b"second"));
    backend.wait(backend.now_ns(), Wake::AtOnce);
    drop(backend);
    let mut said = [said.recv(), said.recv()].map(|bytes| bytes.expect("two connections"));
    said.sort();
    assert_eq!(said, [&b"first"[..], b"second"]);
}

#[test]
fn what_is_sent_in_a_row_arrives_together() {
    let (tell, said) = mpsc::channel();
    let remote = server(move |mut stream| {
        let mut bytes = [0; 64];
        let count = stream.read(&mut bytes).unwrap_or(0);
        let _ = tell.send(bytes[..count].to_vec());
    });
    let mut backend = backend(&remote);
    connect(&mut backend);
    for piece in [b"one", b"two", b"six"] {
        backend.send(0, |out| out.extend_from_slice(piece));
    }
    backend.wait(backend.now_ns(), Wake::AtOnce);
    assert_eq!(said.recv().expect("a connection"), b"onetwosix");
}

#[test]
fn a_wait_ends_at_its_time_whatever_was_waited_for_before() {
    let remote = server(|mut stream| _ = stream.read_to_end(&mut Vec::new()));
    let mut backend = backend(&remote);
    // This wait was for an hour, and an event ended it.
    connect(&mut backend);
    for ms in [20, 5, 1, 10] {
        for wake in [
            Wake::AtOnce,
            Wake::Together {
                events: 8,
                within_ns: 50_000,
            },
            Wake::AtTheEnd,
        ] {
            let until_ns = backend.now_ns() + ms * 1_000_000;
            while backend.now_ns() < until_ns {
                backend.wait(until_ns, wake);
                assert_eq!(backend.next_event(), None);
            }
        }
    }
}

#[test]
fn a_wait_for_several_responses_ends_with_the_one_that_comes() {
    let remote = server(|mut stream| {
        let _ = stream.read_exact(&mut [0; 5]);
        let _ = stream.write_all(b"one");
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let mut backend = backend(&remote);
    connect(&mut backend);
    backend.send(0, |out| out.extend_from_slice(b"first"));
    let until_ns = backend.now_ns() + HOUR_NS;
    loop {
        backend.wait(
            until_ns,
            Wake::Together {
                events: 8,
                within_ns: 50_000,
            },
        );
        if let Some(event) = backend.next_event() {
            assert!(matches!(event, Event::Received(0, b"one", _)), "{event:?}");
            break;
        }
    }
}

/// The end of the connection of slot 0, and whether it came before the peer had read all that was sent.
fn end(backend: &mut impl Backend) -> (End, Option<bool>) {
    loop {
        backend.wait(backend.now_ns() + HOUR_NS, Wake::AtOnce);
        let mut seen = None;
        while let Some(event) = backend.next_event() {
            if let Event::Closed(0, end) = event {
                seen = Some(end);
                break;
            }
        }
        if let Some(end) = seen {
            return (end, backend.ended_before_it_read(0));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_connection_that_ended_as_we_sent_was_not_read() {
    let (go, told) = mpsc::channel();
    let (tell, said) = mpsc::channel();
    let told = Arc::new(Mutex::new(told));
    let remote = server(move |stream| {
        let _ = told.lock().expect("one connection").recv();
        drop(stream);
        let _ = tell.send(());
    });
    let mut backend = backend(&remote);
    connect(&mut backend);
    go.send(()).expect("a connection");
    said.recv().expect("a connection");
    backend.send(0, |out| out.extend_from_slice(b"request"));
    assert_eq!(end(&mut backend), (End::Finished, Some(true)));
}

#[cfg(target_os = "linux")]
#[test]
fn a_connection_that_ended_after_it_was_read_was_read() {
    let remote = server(|mut stream| _ = stream.read_exact(&mut [0; 7]));
    let mut backend = backend(&remote);
    connect(&mut backend);
    backend.send(0, |out| out.extend_from_slice(b"request"));
    assert_eq!(end(&mut backend), (End::Finished, Some(false)));
}
