//! What unix sockets have alone: a queue of new connections that turns away who does not sleep.

use super::net::{self, Stream};
use super::suite::{OK, job, only, outcome, read_request, total};
use plimsoll_measure::{ErrorClass, Sight};
use plimsoll_plan::{Address, Arrivals, Connections, Load, OpenLoad, Rate, SocketPath};
use std::io::Write as _;
use std::thread;
use std::time::Duration;

fn serve(mut stream: Stream) {
    while read_request(&mut stream) && stream.write_all(OK).is_ok() {}
}

#[test]
fn connections_wait_for_room_in_the_queue() {
    let (listener, address) = net::listen();
    rustix::net::listen(&listener, 0).expect("the queue can be cut");
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // The next one has met a full queue by then, again and again.
            thread::sleep(Duration::from_millis(5));
            thread::spawn(move || serve(stream));
        }
    });
    let connections = Connections {
        keep_alive: false,
        ..Connections::default()
    };
    let counters = outcome(address, 40, connections);
    assert_eq!((counters.passed, counters.connections_opened), (40, 40), "{counters:?}");
}

#[test]
fn a_full_queue_is_named() {
    let (address, fillers) = net::full();
    let connections = Connections {
        connect_timeout: Duration::from_millis(100),
        ..Connections::default()
    };
    let constant = OpenLoad::constant(Rate::per_s(100), Duration::from_millis(50), Arrivals::Even);
    let tick = total(&job(address, Load::Open(constant), connections));
    let example = tick.examples.get(Sight::Failure(ErrorClass::ConnectTimeout));
    let found = &example.expect("an example").found;
    assert_eq!(found, "the queue of new connections of the unix socket stayed full");
    drop(fillers);
}

#[test]
fn a_path_without_a_socket_is_unreachable() {
    let path = SocketPath::new("/nowhere/app.sock").expect("a path");
    only(
        ErrorClass::Unreachable,
        &outcome(Address::Unix(path), 4, Connections::default()),
        4,
    );
}
