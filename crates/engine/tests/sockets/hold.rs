//! Connections that are held, over real sockets.

use super::suite::{OK, job, read_request, responding, server};
use plimsoll_engine::{Control, Job, monotonic_ns};
use plimsoll_measure::{Counters, ErrorClass, Gauges, Tick, Timing};
use plimsoll_plan::{Address, Connections, HoldLoad, Load, Park, Rate};
use std::io::Write as _;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn load(connections: u32) -> HoldLoad {
    HoldLoad {
        connections,
        pace: Rate::per_s(1000),
        duration: Duration::from_millis(500),
        park: Park::Request,
        ping: None,
        ports: Vec::new(),
    }
}

fn holding(remote: Address, load: HoldLoad) -> Job {
    job(remote, Load::Hold(load), Connections::default())
}

/// All ticks in one, with the state at the end of the last.
fn held(job: &Job) -> (Tick, u64) {
    let (mut total, mut last) = (Tick::default(), Gauges::default());
    job.run(&AtomicBool::new(false), |tick| {
        last = tick.gauges;
        total.merge(&tick);
        Control::Continue
    })
    .expect("the engine starts");
    total.gauges = last;
    (total, last.connections)
}

/// Responds to `responses` requests of each connection, in the given pieces, and then no more until the client goes.
fn parking(responses: u32, pieces: &'static [&'static [u8]]) -> Address {
    server(move |mut stream| {
        for _ in 0..responses {
            if !read_request(&mut stream) {
                return;
            }
            for piece in pieces {
                if stream.write_all(piece).is_err() {
                    return;
                }
            }
        }
        while read_request(&mut stream) {}
    })
}

fn errors(counters: &Counters) -> Vec<(ErrorClass, u64)> {
    counters.errors.iter().collect()
}

#[test]
fn a_completed_request_is_parked_again() {
    let remote = parking(3, &[OK]);
    let (tick, live) = held(&holding(remote, load(20)));
    let counters = &tick.counters;
    assert_eq!((counters.connections_opened, live), (20, 20), "{counters:?}");
    assert_eq!((counters.completed, counters.passed, counters.sent), (60, 60, 80));
    assert_eq!(tick.gauges.in_flight, 20);
    assert_eq!(errors(counters), []);
    assert_eq!(tick.durations[Timing::ResponseTime].count(), 0);
}

#[test]
fn a_response_in_pieces_is_whole() {
    let remote = parking(2, &[b"HTTP/1.1 200 OK\r\nconte", b"nt-length: 2\r\n\r\no", b"k"]);
    let (tick, live) = held(&holding(remote, load(5)));
    assert_eq!((tick.counters.passed, live), (10, 5), "{:?}", tick.counters);
}

#[test]
fn the_delivery_time_is_taken_from_the_stamp() {
    let remote = server(|mut stream| {
        let mut stamps = [monotonic_ns(), u64::MAX].into_iter();
        while read_request(&mut stream) {
            let Some(stamp) = stamps.next() else { continue };
            let response = format!("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nSent-Monotonic-Ns: {stamp}\r\n\r\n");
            if stream.write_all(response.as_bytes()).is_err() {
                return;
            }
        }
    });
    let (tick, _) = held(&holding(remote, load(5)));
    assert_eq!(tick.counters.passed, 10);
    // A stamp that lies ahead says nothing.
    assert_eq!(tick.durations[Timing::DeliveryTime].count(), 5);
    assert!(tick.durations[Timing::DeliveryTime].max_ns() < 10_000_000_000);
}

#[test]
fn ends_are_told_apart() {
    let (tick, live) = held(&holding(server(|mut stream| _ = read_request(&mut stream)), load(5)));
    assert_eq!((errors(&tick.counters), live), (vec![(ErrorClass::Closed, 5)], 0));

    let (tick, _) = held(&holding(
        parking(
            1,
            &[b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok"],
        ),
        load(5),
    ));
    assert_eq!(
        (errors(&tick.counters), tick.counters.passed),
        (vec![(ErrorClass::Closed, 5)], 5)
    );

    let half = server(|mut stream| {
        let _ = read_request(&mut stream) && stream.write_all(b"HTTP/1.1 200 OK\r\n").is_ok();
    });
    let (tick, _) = held(&holding(half, load(5)));
    assert_eq!(errors(&tick.counters), [(ErrorClass::Reset, 5)]);

    let (tick, _) = held(&holding(parking(1, &[b"nonsense\r\n\r\n"]), load(5)));
    assert_eq!(errors(&tick.counters), [(ErrorClass::Malformed, 5)]);

    let failing = parking(1, &[b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n"]);
    let (tick, live) = held(&holding(failing, load(5)));
    assert_eq!((errors(&tick.counters), live), (vec![(ErrorClass::Status, 5)], 5));
}

#[test]
fn a_service_that_is_not_there_is_given_up() {
    let (tick, live) = held(&holding(super::net::nobody(), load(1_000_000)));
    let refused = tick.counters.errors.get(ErrorClass::Refused);
    assert!((64..5000).contains(&refused), "{refused}");
    assert_eq!((tick.counters.errors.total(), live), (refused, 0));
}

#[test]
fn pings_without_a_response_in_time_lose_their_connection() {
    let ping = |remote, response_timeout| {
        let load = HoldLoad {
            park: Park::Nothing,
            ping: Some(Duration::from_millis(100)),
            ..load(10)
        };
        let connections = Connections {
            response_timeout,
            ..Connections::default()
        };
        held(&job(remote, Load::Hold(load), connections))
    };
    // More than a busy machine takes.
    let (tick, live) = ping(responding(OK), Duration::from_secs(30));
    let counters = &tick.counters;
    assert_eq!(live, 10);
    // Each is pinged at least once, and has been asked for the last time a while before the end.
    assert!(
        counters.passed >= 10 && counters.sent - counters.passed <= 10,
        "{counters:?}"
    );
    assert_eq!(tick.durations[Timing::ResponseTime].count(), counters.completed);

    let (tick, live) = ping(parking(0, &[]), Duration::from_millis(100));
    assert_eq!(
        (errors(&tick.counters), live),
        (vec![(ErrorClass::ResponseTimeout, 10)], 0)
    );
}

/// Each of three threads opens its own part in a table of its own, where there are ports to two of them in turn.
#[test]
#[cfg(target_os = "linux")]
fn threads_have_tables_of_their_own() {
    let (first, second) = (parking(0, &[]), parking(0, &[]));
    let port = |address: &Address| match address {
        Address::Tcp(address) => Some(address.port()),
        Address::Unix(_) => None,
    };
    let ports = [&first, &second].into_iter().filter_map(port).collect();
    let mut job = holding(first, HoldLoad { ports, ..load(61) });
    job.generator.shards = 3;
    job.generator.own_tables = true;
    let (tick, live) = held(&job);
    assert_eq!(
        (tick.counters.connections_opened, live),
        (61, 61),
        "{:?}",
        tick.counters
    );
}
