//! A generator that wakes up late, on a backend that says when bytes arrived.

use super::{MS, S, job_of, open};
use plimsoll_engine::backend::{Arrived, Backend, Event, Fault, Gathers, Slot, Wake};
use plimsoll_engine::{Control, Job, Ticks};
use plimsoll_measure::{Tick, Timing};
use plimsoll_plan::{ClosedLoad, HoldLoad, Load, Park, Plan, Rate};
use plimsoll_sim::backend::{Peer, VirtualBackend};
use std::time::Duration;

const LATE_NS: u64 = 7 * MS;
const TAKES_NS: u64 = 100 * MS;
const REQUEST: &str = "request: { path: / }";
const THEN: &str = "request: { path: /then }";

/// What keeps the generator from its work.
#[derive(Clone, Copy)]
struct Kept {
    /// Each wait lasts so much longer.
    asleep_ns: u64,
    /// The clock goes on so far while it sends.
    stopped_ns: u64,
}

const ASLEEP: Kept = Kept {
    asleep_ns: LATE_NS,
    stopped_ns: 0,
};
const STOPPED: Kept = Kept {
    asleep_ns: 0,
    stopped_ns: LATE_NS,
};
/// As every thread, it is not there at the very moment at which something is due.
const STOPPED_ONCE_AWAKE: Kept = Kept {
    asleep_ns: 1000,
    ..STOPPED
};

struct Late<P> {
    service: VirtualBackend<P>,
    gathers: Gathers,
    kept: Kept,
    /// The clock here before that of the service.
    ahead_ns: u64,
    /// The same when the last wait ended.
    then_ahead_ns: u64,
}

impl<P: Peer> Backend for Late<P> {
    fn now_ns(&self) -> u64 {
        self.service.now_ns() + self.ahead_ns
    }

    fn cpu_ns(&self) -> u64 {
        self.service.cpu_ns()
    }

    fn stamps(&self) -> bool {
        self.gathers == Gathers::All
    }

    fn gathers(&self) -> Gathers {
        self.gathers
    }

    fn connect(&mut self, slot: Slot) -> Result<(), Fault> {
        self.service.connect(slot)
    }

    fn send(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) -> usize {
        self.ahead_ns += self.kept.stopped_ns;
        self.service.send(slot, write)
    }

    fn close(&mut self, slot: Slot) {
        self.service.close(slot);
    }

    fn wait(&mut self, until_ns: u64, wake: Wake) {
        self.then_ahead_ns = self.ahead_ns;
        self.service.wait(until_ns.saturating_sub(self.ahead_ns), wake);
        let late_ns = self.service.now_ns() + self.kept.asleep_ns;
        self.service.wait(late_ns, Wake::AtTheEnd);
    }

    fn next_event(&mut self) -> Option<Event<'_>> {
        let ahead_ns = self.then_ahead_ns;
        self.service.next_event().map(|event| match event {
            Event::Received(slot, bytes, Arrived { at_ns, found_ns }) => {
                let arrived = Arrived {
                    at_ns: at_ns + ahead_ns,
                    found_ns: found_ns + ahead_ns,
                };
                Event::Received(slot, bytes, arrived)
            }
            event => event,
        })
    }
}

/// Six seconds of a scenario, without its first tick, in which connections are made.
fn after_the_first_second(scenario: &str, load: Load, kept: Kept) -> Tick {
    after_the_first_second_with(Gathers::All, scenario, load, kept)
}

/// The same on a backend that gathers so much, and stamps what arrives where it gathers all.
fn after_the_first_second_with(gathers: Gathers, scenario: &str, load: Load, kept: Kept) -> Tick {
    let ticks = ticks_of(&job(scenario, load), gathers, kept).into_iter();
    let mut total = Tick::default();
    ticks
        .filter(|tick| tick.start_ns >= S)
        .for_each(|tick| total.merge(&tick));
    total
}

fn job(scenario: &str, load: Load) -> Job {
    let plan = format!("target: http://localhost:80\nscenario: {scenario}\n");
    let plan = Plan::parse(&plan, "plan.yaml").expect("a valid plan");
    job_of(plan.scenario(), load)
}

fn ticks_of(job: &Job, gathers: Gathers, kept: Kept) -> Vec<Tick> {
    let mut ticks = Vec::new();
    let late = Late {
        service: VirtualBackend::new(|arrived_ns| arrived_ns + TAKES_NS),
        gathers,
        kept,
        ahead_ns: 0,
        then_ahead_ns: 0,
    };
    job.run_on(late, |tick| {
        assert_eq!(tick.counters.errors.total(), 0);
        ticks.push(tick);
        Control::Continue
    });
    ticks
}

fn lag(tick: &Tick) -> u64 {
    let shards = tick.generator.shards.iter();
    shards.map(|shard| shard.wake_lag_p99_ns).max().expect("a shard")
}

/// The greatest lag of a generator that opens 2,000 connections in two seconds, where 256 at most are asked for at a time.
fn lag_of_openings(accepting_ns: u64, kept: Option<Kept>) -> u64 {
    let scenario = super::scenario(&[("events", "GET", 1)]);
    let job = job_of(&scenario, held(2000, 1000, None));
    let service = VirtualBackend::new(|arrived_ns| arrived_ns + 60 * S).accepting_after(accepting_ns);
    let (mut total, mut connections) = (Tick::default(), 0);
    let on_tick = |tick: Tick| {
        total.merge(&tick);
        connections = tick.gauges.connections;
        Control::Continue
    };
    match kept {
        Some(kept) => job.run_on(
            Late {
                service,
                gathers: Gathers::All,
                kept,
                ahead_ns: 0,
                then_ahead_ns: 0,
            },
            on_tick,
        ),
        None => job.run_on(service, on_tick),
    }
    assert_eq!((connections, total.counters.errors.total()), (2000, 0));
    let shards = total.generator.shards.iter();
    shards.map(|shard| shard.wake_lag_max_ns).max().expect("a shard")
}

fn held(connections: u32, pace_per_s: u32, ping: Option<Duration>) -> Load {
    Load::Hold(HoldLoad {
        connections,
        pace: Rate::per_s(pace_per_s),
        duration: Duration::from_secs(20),
        park: if ping.is_some() { Park::Nothing } else { Park::Request },
        ping,
        ports: Vec::new(),
    })
}

fn users(connections: u32, think_time: Duration, pacing: Duration) -> Load {
    Load::Closed(ClosedLoad {
        connections,
        duration: Some(Duration::from_secs(6)),
        requests: None,
        think_time,
        pacing,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    })
}

#[track_caller]
fn is_the_journey(total: &Tick, expected_ns: u64) {
    for timing in [Timing::JourneyTime, Timing::WaitingTime] {
        let times = &total.durations[timing];
        is_about(times.quantile_ns(0.0), expected_ns);
        is_about(times.max_ns(), expected_ns);
    }
}

#[track_caller]
fn is_about(found_ns: u64, expected_ns: u64) {
    assert!(
        found_ns.abs_diff(expected_ns) <= expected_ns / 100,
        "{found_ns} is not {expected_ns}"
    );
}

#[test]
fn in_the_closed_model_it_is_no_part_of_the_response_time() {
    for scenario in [
        "{ requests: [{ path: / }] }".to_owned(),
        format!("{{ journeys: [{{ actions: [{REQUEST}, {THEN}] }}] }}"),
    ] {
        let total = after_the_first_second(&scenario, users(8, Duration::ZERO, Duration::ZERO), ASLEEP);
        for timing in [Timing::ResponseTime, Timing::ServiceTime] {
            is_about(total.durations[timing].max_ns(), TAKES_NS);
        }
        if scenario.contains("journeys") {
            is_the_journey(&total, 2 * TAKES_NS);
        }
        assert_eq!(lag(&total), 0, "nothing was due at a moment of its own in {scenario}");
    }
}

/// What is due at a moment of its own is late, and is called so.
#[test]
fn after_a_pause_and_in_the_open_model_it_is_part_of_it_and_is_shown() {
    let journey = format!("{{ journeys: [{{ actions: [{REQUEST}, pause: 50ms, {THEN}] }}] }}");
    let think = users(8, Duration::from_millis(50), Duration::ZERO);
    for (scenario, load) in [
        (&journey, users(8, Duration::ZERO, Duration::ZERO)),
        (&journey, open(1, 6)),
        (&"{ requests: [{ path: / }] }".to_owned(), think),
    ] {
        let total = after_the_first_second(scenario, load, ASLEEP);
        is_about(total.durations[Timing::ResponseTime].max_ns(), TAKES_NS + LATE_NS);
        is_about(total.durations[Timing::ServiceTime].max_ns(), TAKES_NS);
        is_about(lag(&total), LATE_NS);
    }
}

/// A start was turned to in time, and went out late.
#[test]
fn what_stops_it_before_a_start_goes_out_is_no_time_of_the_service() {
    let requests = "{ requests: [{ path: / }] }";
    let total = after_the_first_second(requests, open(1, 6), STOPPED);
    is_about(total.durations[Timing::ResponseTime].max_ns(), TAKES_NS + LATE_NS);
    is_about(total.durations[Timing::ServiceTime].max_ns(), TAKES_NS);
    is_about(lag(&total), LATE_NS);
    let journey = format!("{{ journeys: [{{ actions: [{REQUEST}, {THEN}] }}] }}");
    for scenario in [requests, &journey] {
        let total = after_the_first_second(scenario, users(8, Duration::ZERO, Duration::ZERO), STOPPED);
        for timing in [Timing::ResponseTime, Timing::ServiceTime] {
            is_about(total.durations[timing].max_ns(), TAKES_NS);
        }
        if scenario.contains("journeys") {
            is_the_journey(&total, 2 * TAKES_NS);
        }
        assert_eq!(lag(&total), 0, "nothing was due before it went out in {scenario}");
    }
}

/// After a pause a start is due before it goes out, in the closed model as well. One user: a stop for one holds up no other.
#[test]
fn what_stops_it_after_a_pause_is_late_in_the_closed_model() {
    let requests = "{ requests: [{ path: / }] }";
    let journey = format!("{{ journeys: [{{ actions: [{REQUEST}, pause: 50ms, {THEN}] }}] }}");
    let ms = Duration::from_millis;
    for (scenario, think, pacing) in [
        (requests, ms(50), ms(0)),
        (requests, ms(0), ms(150)),
        (&journey, ms(0), ms(0)),
        (&journey, ms(50), ms(0)),
    ] {
        let total = after_the_first_second(scenario, users(1, think, pacing), STOPPED_ONCE_AWAKE);
        is_about(total.durations[Timing::ResponseTime].max_ns(), TAKES_NS + LATE_NS);
        is_about(total.durations[Timing::ServiceTime].max_ns(), TAKES_NS);
        is_about(lag(&total), LATE_NS);
    }
}

/// In the open model the next request is due when the response has arrived, so that the generator is in both times.
#[test]
fn what_keeps_users_of_the_open_model_is_in_their_journeys() {
    let journey = format!("{{ journeys: [{{ actions: [{REQUEST}, {THEN}] }}] }}");
    let total = after_the_first_second(&journey, open(1, 6), ASLEEP);
    is_the_journey(&total, 2 * (TAKES_NS + LATE_NS));
}

/// From the response on, and not from when it was found: with what comes before a journey as with what comes before a request.
#[test]
fn a_pause_between_journeys_begins_with_the_last_response() {
    let journey = format!("{{ journeys: [{{ actions: [{REQUEST}] }}] }}");
    let ms = Duration::from_millis;
    for (think, pacing) in [(ms(50), ms(0)), (ms(0), ms(150)), (ms(50), ms(120))] {
        let [requests, journeys] = ["{ requests: [{ path: / }] }", &journey].map(|scenario| {
            let total = after_the_first_second(scenario, users(1, think, pacing), ASLEEP);
            total.counters.completed
        });
        assert_eq!(requests, journeys, "{think:?} {pacing:?}");
    }
}

/// Some starts may have gone out before, so that the stop is in the times of all; and it is shown.
#[test]
fn what_stops_a_backend_that_does_not_hold_back_all_is_shown() {
    let requests = "{ requests: [{ path: / }] }";
    let paused = users(1, Duration::from_millis(50), Duration::ZERO);
    for load in [open(1, 6), paused] {
        let total = after_the_first_second_with(Gathers::Part, requests, load, STOPPED_ONCE_AWAKE);
        for timing in [Timing::ResponseTime, Timing::ServiceTime] {
            is_about(total.durations[timing].max_ns(), TAKES_NS + LATE_NS);
        }
        is_about(lag(&total), LATE_NS);
    }
}

/// Each start is due 3 ms before the end of a tick, and goes out 4 ms after it.
#[test]
fn what_stops_it_across_the_end_of_a_tick_is_shown_in_that_tick() {
    let ms = Duration::from_millis;
    let mut job = job("{ requests: [{ path: / }] }", open(1, 5));
    job.ticks = Ticks::with_one_at(ms(3), ms(1000));
    let ticks = ticks_of(&job, Gathers::All, STOPPED);
    let lags: Vec<_> = ticks.iter().map(|tick| (tick.start_ns / MS, lag(tick))).collect();
    let [.., (3003, with_start_ns), (4003, without_ns)] = lags.as_slice() else {
        panic!("{lags:?}")
    };
    is_about(*with_start_ns, LATE_NS);
    assert_eq!(*without_ns, 0, "{lags:?}");
}

/// The last of the connections begins six seconds after it was due.
#[test]
fn the_wait_of_an_opening_for_a_slow_service_is_not_lag() {
    assert_eq!(lag_of_openings(S, None), 0);
    assert_eq!(lag_of_openings(0, None), 0);
}

/// One is due each millisecond, and a connection that is made may end the wait for it.
#[test]
fn an_opening_that_is_turned_to_late_is_lag() {
    for accepting_ns in [S, 0] {
        let lag_ns = lag_of_openings(accepting_ns, Some(ASLEEP));
        assert!(lag_ns.abs_diff(LATE_NS) <= MS + MS / 10, "{lag_ns}");
    }
}

/// Eight connections, on each of which a ping is due once a second.
#[test]
fn a_ping_that_is_late_is_shown() {
    let requests = "{ requests: [{ path: / }] }";
    let pings = held(8, 100, Some(Duration::from_secs(1)));
    let total = after_the_first_second(requests, pings, ASLEEP);
    is_about(total.durations[Timing::ResponseTime].max_ns(), TAKES_NS + LATE_NS);
    is_about(lag(&total), LATE_NS);
}
