//! Shards over real sockets against servers that behave and servers that do not; the same for every backend.

use super::IO;
use super::net::{self, Stream};
use plimsoll_engine::{Control, Generator, Hidden, Job, LaidOut, Ticks, Wakeups, monotonic_ns};
use plimsoll_measure::{Counters, ErrorClass, Tick, Timing};
use plimsoll_plan::{
    Address, Arrivals, ClosedLoad, Connections, Expect, Load, Method, OpenLoad, Rate, Request, Scenario, Template, Url,
};
use plimsoll_schedule::AgentShare;
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// A server that listens somewhere; each connection is served by `serve` on its own thread.
pub(crate) fn server(serve: impl Fn(Stream) + Send + Sync + 'static) -> Address {
    serving(Arc::new(serve))
}

/// The threads of all servers, which are compiled once and not once for each.
fn serving(serve: Arc<dyn Fn(Stream) + Send + Sync>) -> Address {
    let (listener, address) = net::listen();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = Arc::clone(&serve);
            thread::spawn(move || serve(stream));
        }
    });
    address
}

/// Reads one request without a body; `false` when the client has gone.
pub(crate) fn read_request(stream: &mut Stream) -> bool {
    let mut seen = Vec::new();
    let mut byte = [0];
    while !seen.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => seen.push(byte[0]),
            _ => return false,
        }
    }
    true
}

/// A server that gives the same response to every request.
pub(crate) fn responding(response: &'static [u8]) -> Address {
    server(move |mut stream| while read_request(&mut stream) && stream.write_all(response).is_ok() {})
}

pub(crate) const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

pub(crate) fn closed(connections: u32, requests: u64) -> Load {
    Load::Closed(ClosedLoad {
        connections,
        duration: None,
        requests: Some(requests),
        think_time: Duration::ZERO,
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    })
}

fn url(remote: &Address) -> Url {
    match remote {
        Address::Tcp(remote) => Url::at("127.0.0.1", remote.port()),
        Address::Unix(path) => Url::unix(path.clone()),
    }
}

fn scenario() -> Scenario {
    let literal = |text: &str| Template::literal(text);
    Scenario {
        requests: vec![Request {
            name: "root".to_owned(),
            weight: 1,
            method: Method::new("GET").expect("a token"),
            path: literal("/"),
            headers: Vec::new(),
            body: Template::default(),
            grpc: None,
            expect: Expect::default(),
            form: plimsoll_plan::Form::default(),
        }],
        ..Scenario::default()
    }
}

/// The same, with so many redirects followed.
pub(crate) fn following(job: Job, most: u32) -> Job {
    let requests = LaidOut::http1(&scenario(), &url(&job.remote), job.connections.keep_alive, most);
    Job {
        requests: requests.expect("a valid scenario"),
        ..job
    }
}

pub(crate) fn job(remote: Address, load: Load, connections: Connections) -> Job {
    let requests = LaidOut::http1(&scenario(), &url(&remote), connections.keep_alive, 0);
    Job {
        requests: requests.expect("a valid scenario"),
        hidden: Hidden::default(),
        load,
        seed: 1,
        first: 0,
        share: AgentShare::WHOLE,
        connections,
        remote,
        tls: net::connector(),
        tunnel: None,
        generator: Generator::single(IO),
        ticks: Ticks::each(Duration::from_secs(1)),
        zero_ns: monotonic_ns(),
        actions: None,
    }
}

/// Runs a job to its end; all its ticks in one.
pub(crate) fn total(job: &Job) -> Tick {
    let mut total = Tick::default();
    job.run(&AtomicBool::new(false), |tick| {
        total.merge(&tick);
        Control::Continue
    })
    .expect("the engine starts");
    total
}

/// Runs `requests` over four connections; the counters, of which every request must have one outcome.
pub(crate) fn outcome(remote: Address, requests: u64, connections: Connections) -> Counters {
    let counters = total(&job(remote, closed(4, requests), connections)).counters;
    assert_eq!(counters.finished(), requests, "{counters:?}");
    assert_eq!(counters.scheduled, requests, "{counters:?}");
    counters
}

pub(crate) fn only(class: ErrorClass, counters: &Counters, count: u64) {
    let errors: Vec<_> = counters.errors.iter().collect();
    assert_eq!(errors, [(class, count)], "{counters:?}");
}

#[test]
fn every_response_is_counted_and_timed() {
    let total = total(&job(responding(OK), closed(4, 1000), Connections::default()));
    assert_eq!(total.counters.passed, 1000);
    assert_eq!(total.counters.status, [0, 1000, 0, 0, 0]);
    assert_eq!(total.counters.connections_opened, 4);
    assert_eq!(total.counters.received_bytes, 1000 * OK.len() as u64);
    assert_eq!(total.durations[Timing::ResponseTime].count(), 1000);
    assert_eq!(total.durations[Timing::ServiceTime].count(), 1000);
    assert_eq!(total.durations[Timing::ScheduleLag].count(), 1000);
    assert_eq!(total.gauges.in_flight, 0);
}

#[test]
fn several_shards_add_up() {
    let mut job = job(responding(OK), closed(5, 1001), Connections::default());
    job.generator.shards = 3;
    // One tick, however busy the machine is: each has its own list of shards.
    job.ticks = Ticks::each(Duration::from_secs(600));
    let total = total(&job);
    assert_eq!(total.counters.passed, 1001);
    assert_eq!(total.counters.connections_opened, 5);
    assert_eq!(total.generator.shards.len(), 3);
}

#[test]
fn pipelined_responses_find_their_requests() {
    let connections = Connections {
        pipelining: 8,
        ..Connections::default()
    };
    let counters = outcome(responding(OK), 1000, connections);
    assert_eq!(counters.passed, 1000);
    assert_eq!(counters.connections_opened, 4);
}

#[test]
fn connections_are_there_before_a_request_needs_them() {
    let connections = Connections {
        min: 9,
        ..Connections::default()
    };
    // One request at a time, for which one connection would do; for long enough that even a busy machine opens all.
    let load = OpenLoad::constant(Rate::per_s(5), Duration::from_secs(2), Arrivals::Even);
    let counters = total(&job(responding(OK), Load::Open(load), connections)).counters;
    assert_eq!((counters.passed, counters.connections_opened), (10, 9));
    // In the closed model each user has a connection; for long enough that none is left without a request.
    let Load::Closed(users) = closed(4, 100) else {
        unreachable!("a closed load")
    };
    let load = Load::Closed(ClosedLoad {
        think_time: Duration::from_millis(10),
        ..users
    });
    let counters = total(&job(responding(OK), load, connections)).counters;
    assert_eq!((counters.passed, counters.connections_opened), (100, 4));
}

#[test]
fn without_keep_alive_each_request_has_its_connection() {
    let connections = Connections {
        keep_alive: false,
        ..Connections::default()
    };
    let counters = outcome(responding(OK), 50, connections);
    assert_eq!((counters.passed, counters.connections_opened), (50, 50));
}

#[test]
fn a_connection_that_the_service_closes_is_replaced() {
    let response = b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok";
    let address = server(move |mut stream| {
        read_request(&mut stream);
        let _ = stream.write_all(response);
    });
    let counters = outcome(address, 50, Connections::default());
    assert_eq!((counters.passed, counters.connections_opened), (50, 50));
}

#[test]
fn a_response_may_end_with_its_connection() {
    let address = server(|mut stream| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\nuntil the end");
    });
    assert_eq!(outcome(address, 20, Connections::default()).passed, 20);
}

#[test]
fn a_response_larger_than_the_buffer_is_read_whole() {
    let address = server(|mut stream| {
        let body = vec![b'x'; 1 << 20];
        while read_request(&mut stream) {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
            if stream.write_all(head.as_bytes()).is_err() || stream.write_all(&body).is_err() {
                return;
            }
        }
    });
    let counters = outcome(address, 40, Connections::default());
    assert_eq!(counters.passed, 40);
    assert!(counters.received_bytes > 40 << 20);
}

#[test]
fn an_unexpected_status_is_an_error_with_a_duration() {
    let total = total(&job(
        responding(b"HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n"),
        closed(2, 30),
        Connections::default(),
    ));
    only(ErrorClass::Status, &total.counters, 30);
    assert_eq!(total.counters.completed, 30);
    assert_eq!(total.counters.passed, 0);
    assert_eq!(total.durations[Timing::ResponseTime].count(), 30);
}

#[test]
fn a_connection_that_is_refused_is_an_error_each_time() {
    only(
        ErrorClass::Refused,
        &outcome(net::nobody(), 8, Connections::default()),
        8,
    );
}

#[test]
fn bytes_that_are_not_http_are_malformed() {
    only(
        ErrorClass::Malformed,
        &outcome(responding(b"HELO there\r\n\r\n"), 12, Connections::default()),
        12,
    );
}

#[test]
fn a_connection_cut_within_the_response_is_a_reset() {
    let address = server(|mut stream| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this");
    });
    only(ErrorClass::Reset, &outcome(address, 12, Connections::default()), 12);
}

#[test]
fn a_body_that_never_ends_counts_at_its_timeout() {
    let address = server(|mut stream| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
        while stream.write_all(b"1\r\nx\r\n").is_ok() {
            thread::sleep(Duration::from_millis(5));
        }
    });
    let connections = Connections {
        response_timeout: Duration::from_millis(200),
        ..Connections::default()
    };
    let total = total(&job(address, closed(4, 8), connections));
    only(ErrorClass::ResponseTimeout, &total.counters, 8);
    assert_eq!(total.durations[Timing::ResponseTime].count(), 8);
    let p50_ns = total.durations[Timing::ResponseTime].quantile_ns(0.5);
    assert!(
        (199_000_000..=201_000_000).contains(&p50_ns),
        "{p50_ns} is not the timeout"
    );
}

/// Sends a body without an end as fast as it can, on every other connection, and responds to the others as it should.
fn endless_beside_ordinary(endless_of: usize) -> Address {
    let count = Arc::new(AtomicUsize::new(0));
    let piece: &'static [u8] = vec![b'x'; 1 << 20].leak();
    server(move |mut stream| {
        let endless = count.fetch_add(1, Ordering::Relaxed).is_multiple_of(endless_of);
        while read_request(&mut stream) {
            if !endless {
                if stream.write_all(OK).is_err() {
                    return;
                }
                continue;
            }
            let head = b"HTTP/1.1 200 OK\r\ncontent-length: 18446744073709551615\r\n\r\n";
            let mut alive = stream.write_all(head).is_ok();
            while alive {
                alive = stream.write_all(piece).is_ok();
            }
        }
    })
}

#[test]
fn a_body_faster_than_it_is_read_meets_its_timeout() {
    let connections = Connections {
        response_timeout: Duration::from_millis(300),
        ..Connections::default()
    };
    only(
        ErrorClass::ResponseTimeout,
        &outcome(endless_beside_ordinary(1), 8, connections),
        8,
    );
}

#[test]
fn bodies_faster_than_they_are_read_hold_up_neither_ticks_nor_others_nor_a_stop() {
    let stop = AtomicBool::new(false);
    let mut job = job(endless_beside_ordinary(2), closed(8, u64::MAX), Connections::default());
    job.ticks = Ticks::each(Duration::from_millis(50));
    let (mut ticks, mut passed, mut received) = (0, 0, 0);
    job.run(&stop, |tick| {
        ticks += 1;
        passed += tick.counters.passed;
        received += tick.counters.received_bytes;
        // Each of the four has sent more than any buffer holds, and the others have gone on meanwhile.
        if ticks >= 5 && passed > 100 && received > 256 << 20 {
            stop.store(true, Ordering::Relaxed);
        }
        Control::Continue
    })
    .expect("the engine starts");
    assert!(passed > 100 && received > 256 << 20, "{ticks} ticks");
}

#[test]
fn a_queue_that_stays_full_is_a_connect_timeout() {
    let (address, fillers) = net::full();
    let connections = Connections {
        connect_timeout: Duration::from_millis(200),
        ..Connections::default()
    };
    only(ErrorClass::ConnectTimeout, &outcome(address, 4, connections), 4);
    drop(fillers);
}

#[test]
fn a_stop_ends_the_run_at_once_with_what_was_seen() {
    let stop = AtomicBool::new(false);
    let mut job = job(responding(OK), closed(2, u64::MAX), Connections::default());
    job.ticks = Ticks::each(Duration::from_millis(50));
    let mut seen = 0;
    job.run(&stop, |tick| {
        seen += tick.counters.passed;
        stop.store(true, Ordering::Relaxed);
        Control::Continue
    })
    .expect("the engine starts");
    assert!(seen > 0);
}

#[test]
fn a_thread_that_spins_counts_alike_and_says_how_long_it_had_nothing_to_do() {
    let constant = OpenLoad::constant(Rate::per_s(500), Duration::from_millis(400), Arrivals::Even);
    for (load, requests) in [(closed(4, 1000), 1000), (Load::Open(constant), 200)] {
        let mut job = job(responding(OK), load, Connections::default());
        job.generator.wakeups = Wakeups::Spin;
        let total = total(&job);
        assert_eq!(total.counters.passed, requests);
        assert_eq!(total.durations[Timing::ResponseTime].count(), requests);
        let shards = &total.generator.shards;
        let (spun_ns, elapsed_ns) = shards.iter().fold((0, 0), |(spun_ns, elapsed_ns), shard| {
            (spun_ns + shard.spun_ns, elapsed_ns + shard.elapsed_ns)
        });
        assert!((1..elapsed_ns).contains(&spun_ns), "{spun_ns} of {elapsed_ns} ns");
    }
}

#[test]
fn a_thread_that_sleeps_does_not_spin() {
    let total = total(&job(responding(OK), closed(4, 100), Connections::default()));
    assert!(total.generator.shards.iter().all(|shard| shard.spun_ns == 0));
}
