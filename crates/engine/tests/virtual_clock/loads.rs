//! Open, closed and held loads against services that are slow, freeze or close connections.

use super::{MS, S, job, open, run_on, total};
use plimsoll_engine::backend::{Arrived, Backend, Event, Fault, Slot, Wake};
use plimsoll_engine::{Control, Wakeups};
use plimsoll_measure::{Sight, Tick, Timing};
use plimsoll_plan::{Arrivals, ClosedLoad, HoldLoad, Load, OpenLoad, Park, Rate};
use plimsoll_sim::backend::{Closing, Peer, VirtualBackend, freezing};
use std::time::Duration;

/// 1,000 requests per second for 30 s against a service that freezes in the last second of every
/// ten. A request that arrives x into the freeze waits 1 s − x, and a tenth of all arrive in one:
/// for a quantile q above 0.9 the response time is (q − 0.9) / 0.1 · 1 s.
#[test]
fn a_freeze_shows_in_full_in_the_open_model() {
    let total = total(&job(open(1000, 30)), freezing(10 * S, S));
    assert_eq!(total.counters.passed, 30_000);
    let response_time = &total.durations[Timing::ResponseTime];
    for (quantile, truth_ms) in [
        (0.5, 0.0),
        (0.9, 0.0),
        (0.95, 500.0),
        (0.99, 900.0),
        (0.999, 990.0),
        (1.0, 1000.0),
    ] {
        let ms = response_time.quantile_ns(quantile) as f64 / 1e6;
        assert!(
            (ms - truth_ms).abs() <= 1.5,
            "p{}: {ms} ms instead of {truth_ms} ms",
            quantile * 100.0
        );
    }
}

/// With too few connections the freeze delays requests before they are even sent. The response
/// time counts from the intended start all the same; the service time does not see the wait.
#[test]
fn waiting_for_a_connection_counts() {
    let mut job = job(open(1000, 30));
    job.connections.max = 10;
    let total = total(&job, freezing(10 * S, S));
    assert_eq!(total.counters.passed, 30_000);
    let p99_ms = total.durations[Timing::ResponseTime].quantile_ns(0.99) as f64 / 1e6;
    assert!((p99_ms - 900.0).abs() <= 1.5, "{p99_ms}");
    assert!(total.durations[Timing::ServiceTime].quantile_ns(0.99) < MS);
    assert!(total.durations[Timing::ScheduleLag].quantile_ns(0.99) > 800 * MS);
}

/// Says of all bytes that are read together that they came with the last of them, as the kernel does of one connection.
struct ReadTogether<P>(VirtualBackend<P>);

impl<P: Peer> Backend for ReadTogether<P> {
    fn now_ns(&self) -> u64 {
        self.0.now_ns()
    }

    fn cpu_ns(&self) -> u64 {
        self.0.cpu_ns()
    }

    fn stamps(&self) -> bool {
        true
    }

    fn connect(&mut self, slot: Slot) -> Result<(), Fault> {
        self.0.connect(slot)
    }

    fn send(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) -> usize {
        self.0.send(slot, write)
    }

    fn close(&mut self, slot: Slot) {
        self.0.close(slot);
    }

    fn wait(&mut self, until_ns: u64, wake: Wake) {
        self.0.wait(until_ns, wake);
    }

    fn next_event(&mut self) -> Option<Event<'_>> {
        let now_ns = self.0.now_ns();
        self.0.next_event().map(|event| match event {
            Event::Received(slot, bytes, _) => Event::Received(slot, bytes, Arrived::at(now_ns)),
            event => event,
        })
    }
}

/// A request is due every 10 ms, and has its response after 3. On a connection that several may share, it is not read with the next request.
#[test]
fn responses_that_share_a_connection_are_read_as_they_come() {
    let mut job = job(open(100, 1));
    job.connections.pipelining = 2;
    let mut total = Tick::default();
    let backend = ReadTogether(VirtualBackend::new(|arrived_ns| arrived_ns + 3 * MS));
    job.run_on(backend, |tick| {
        total.merge(&tick);
        Control::Continue
    });
    assert_eq!(total.counters.passed, 100);
    let longest_ns = total.durations[Timing::ResponseTime].max_ns();
    assert!((3 * MS..4 * MS).contains(&longest_ns), "{longest_ns}");
}

/// Twenty users of a service that takes 100 ms, each thinking 100 ms: 100 requests per second.
#[test]
fn the_closed_model_waits_and_thinks() {
    let load = Load::Closed(ClosedLoad {
        connections: 20,
        duration: Some(Duration::from_secs(10)),
        requests: None,
        think_time: Duration::from_millis(100),
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    });
    let total = total(&job(load), |arrived_ns| arrived_ns + 100 * MS);
    assert_eq!(total.counters.passed, 1000);
}

/// The virtual clock stands still for a thread that does not sleep, and ends the test.
#[test]
fn the_closed_model_sleeps_until_the_last_response() {
    let ms = Duration::from_millis;
    for (ramp, think_time, pacing) in [
        (ms(150), ms(0), ms(0)),
        (ms(0), ms(0), ms(0)),
        (ms(0), ms(130), ms(0)),
        (ms(150), ms(0), ms(130)),
        (ms(900), ms(130), ms(0)),
    ] {
        let load = ClosedLoad {
            connections: 2,
            duration: Some(Duration::from_secs(1)),
            requests: None,
            think_time,
            pacing,
            ramp,
            stages: Vec::new(),
        };
        let total = total(&job(Load::Closed(load)), |arrived_ns| arrived_ns + 120 * MS);
        assert!(total.counters.passed > 2);
        assert_eq!(total.counters.scheduled, total.counters.passed);
    }
}

/// One request at a time needs one connection; the others are there for who listens.
#[test]
fn connections_are_opened_at_the_start_in_either_model() {
    let closed = Load::Closed(ClosedLoad {
        connections: 20,
        duration: None,
        requests: Some(1),
        think_time: Duration::ZERO,
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    });
    for (load, most) in [(open(1, 1), 30), (closed, 20)] {
        for (min, opened) in [(0, 1), (12, 12), (30, most)] {
            let mut job = job(load.clone());
            (job.connections.min, job.connections.max) = (min, 30);
            let total = total(&job, |arrived_ns| arrived_ns + MS);
            assert_eq!(total.counters.connections_opened, opened, "{min} of {load:?}");
        }
    }
}

/// Responses come 5 µs apart, so ten of them are there 50 µs after a wait has begun, and their ten next requests go out at once.
/// By ones they would go out at 10,000 moments.
#[test]
fn close_responses_share_a_wakeup_in_the_closed_model() {
    let moments = |wakeups| {
        let mut job = job(Load::Closed(ClosedLoad {
            connections: 64,
            duration: None,
            requests: Some(10_000),
            think_time: Duration::ZERO,
            pacing: Duration::ZERO,
            ramp: Duration::ZERO,
            stages: Vec::new(),
        }));
        job.generator.wakeups = wakeups;
        let (mut moments, mut last_ns, mut busy_until_ns) = (0, u64::MAX, 0);
        let total = total(&job, |arrived_ns: u64| {
            moments += u32::from(arrived_ns != last_ns);
            last_ns = arrived_ns;
            busy_until_ns = arrived_ns.max(busy_until_ns) + 5_000;
            busy_until_ns
        });
        assert_eq!(total.counters.passed, 10_000);
        moments
    };
    let (each, together) = (moments(Wakeups::Precise), moments(Wakeups::Adaptive));
    assert!(each > 9_000, "{each} moments");
    assert!(together < 1_500, "{together} moments");
}

/// Pacing of 250 ms leaves four requests per second and user, however fast the responses are.
#[test]
fn pacing_spaces_the_starts_of_a_user() {
    let load = Load::Closed(ClosedLoad {
        connections: 5,
        duration: Some(Duration::from_secs(10)),
        requests: None,
        think_time: Duration::ZERO,
        pacing: Duration::from_millis(250),
        ramp: Duration::ZERO,
        stages: Vec::new(),
    });
    assert_eq!(
        total(&job(load), |arrived_ns| arrived_ns + MS).counters.passed,
        5 * 4 * 10
    );
}

/// A service that stops responding after 5 s: every request has its outcome, none waits for ever.
#[test]
fn a_service_that_stalls_for_good_ends_in_timeouts() {
    let mut job = job(open(100, 10));
    job.connections.response_timeout = Duration::from_secs(2);
    let total = total(
        &job,
        |arrived_ns| if arrived_ns < 5 * S { arrived_ns } else { u64::MAX },
    );
    assert_eq!(total.counters.passed, 500);
    assert_eq!(total.counters.errors.total(), 500);
    assert_eq!(total.durations[Timing::ResponseTime].count(), 1000);
    assert_eq!(total.counters.finished(), total.counters.scheduled);
}

/// Ticks tile the run without gaps, the end of the load falls on a tick, what follows drains.
#[test]
fn ticks_tile_the_run() {
    let mut ticks = Vec::new();
    let backend = VirtualBackend::new(|arrived_ns: u64| arrived_ns + 2500 * MS);
    run_on(&job(open(10, 1)), backend, |tick| {
        ticks.push((tick.index, tick.start_ns, tick.duration_ns, tick.draining));
        Control::Continue
    });
    assert_eq!(
        ticks,
        [
            (0, 0, S, false),
            (1, S, S, true),
            (2, 2 * S, S, true),
            (3, 3 * S, 400 * MS, true)
        ]
    );
}

/// No request is cut off, in either model.
#[test]
fn a_load_that_is_finished_early_awaits_its_responses() {
    let closed = Load::Closed(ClosedLoad {
        connections: 8,
        duration: Some(Duration::from_secs(60)),
        requests: None,
        think_time: Duration::ZERO,
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    });
    for load in [open(10, 60), closed] {
        let (mut ticks, mut total) = (Vec::new(), Tick::default());
        let backend = VirtualBackend::new(|arrived_ns: u64| arrived_ns + 1500 * MS);
        run_on(&job(load.clone()), backend, |tick| {
            ticks.push((tick.start_ns / S, tick.draining));
            total.merge(&tick);
            if tick.start_ns == 2 * S {
                Control::Finish
            } else {
                Control::Continue
            }
        });
        assert!(
            ticks.is_sorted_by_key(|(_, draining)| *draining),
            "{ticks:?} of {load:?}"
        );
        // A shard is told while its next tick runs, and cuts that short.
        assert!(
            ticks.iter().all(|(start_s, draining)| *draining || *start_s <= 3),
            "{ticks:?} of {load:?}"
        );
        let counters = &total.counters;
        assert_eq!(counters.scheduled, counters.passed, "{load:?}");
        assert!(
            counters.scheduled > 0 && counters.scheduled <= 32,
            "{counters:?} of {load:?}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let load = OpenLoad::constant(Rate::per_s(500), Duration::from_secs(5), Arrivals::Poisson);
    let run = |seed| {
        let mut job = job(Load::Open(load.clone()));
        job.seed = seed;
        total(&job, freezing(S, 100 * MS))
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

/// 500 connections at 100 per second, each completed after 7 s and a little, and parked again: what is open and what was
/// sent follows from arithmetic.
#[test]
fn held_connections_are_opened_at_their_pace() {
    let job = job(Load::Hold(HoldLoad {
        connections: 500,
        pace: Rate::per_s(100),
        duration: Duration::from_secs(15),
        park: Park::Request,
        ping: None,
        ports: Vec::new(),
    }));
    let (mut live, mut sent) = (Vec::new(), Vec::new());
    let backend = VirtualBackend::new(|arrived_ns: u64| arrived_ns + 7 * S + 5 * MS);
    run_on(&job, backend, |tick| {
        live.push(tick.gauges.connections);
        sent.push(tick.counters.sent);
        Control::Continue
    });
    let mut expected = vec![100, 200, 300, 400];
    expected.resize(20, 500);
    assert_eq!(live, expected);
    let cycle = [100, 100, 100, 100, 100, 0, 0];
    let expected: Vec<u64> = cycle.into_iter().cycle().take(20).collect();
    assert_eq!(sent, expected);
}

#[test]
fn a_request_that_meets_the_end_of_its_connection_is_sent_again() {
    let closing = Closing {
        after_ns: 99 * MS,
        seen_after_ns: 2 * MS,
    };
    let mut total = Tick::default();
    let backend = VirtualBackend::new(|arrived_ns: u64| arrived_ns).closing(closing);
    run_on(&job(open(10, 10)), backend, |tick| {
        total.merge(&tick);
        Control::Continue
    });
    let counters = &total.counters;
    // Each second request comes 100 ms after a response, 1 ms after the service has ended the connection.
    assert_eq!((counters.passed, counters.errors.total()), (100, 0), "{counters:?}");
    assert_eq!(
        (counters.sent, counters.repeated, counters.keep_alive_races),
        (150, 50, 0)
    );
    let race = total.examples.get(Sight::KeepAliveRace).expect("an example");
    assert_eq!(
        race.found,
        "the service closed the connection, after 100 ms without a request, as the request was sent"
    );
}
