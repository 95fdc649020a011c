//! A generator that wakes up late, on a backend that says when bytes arrived.

use super::{MS, S, job_of, open};
use plimsoll_engine::Control;
use plimsoll_engine::backend::{Backend, Event, Fault, Slot, Wake};
use plimsoll_measure::{Tick, Timing};
use plimsoll_plan::{ClosedLoad, Load, Plan};
use plimsoll_sim::backend::VirtualBackend;
use std::time::Duration;

/// Each wait lasts so much longer than it is to.
const LATE_NS: u64 = 7 * MS;
const TAKES_NS: u64 = 100 * MS;
const REQUEST: &str = "request: { path: / }";
const THEN: &str = "request: { path: /then }";

struct Late<P>(VirtualBackend<P>);

impl<P: plimsoll_sim::backend::Peer> Backend for Late<P> {
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
        self.0.wait(self.0.now_ns() + LATE_NS, Wake::AtTheEnd);
    }

    fn next_event(&mut self) -> Option<Event<'_>> {
        self.0.next_event()
    }
}

/// Six seconds of a scenario, without its first tick, in which connections are made.
fn after_the_first_second(scenario: &str, load: Load) -> Tick {
    let plan = format!("target: http://localhost:80\nscenario: {scenario}\n");
    let plan = Plan::parse(&plan, "plan.yaml").expect("a valid plan");
    let mut total = Tick::default();
    let service = VirtualBackend::new(|arrived_ns| arrived_ns + TAKES_NS);
    job_of(plan.scenario(), load).run_on(Late(service), |tick| {
        if tick.start_ns >= S {
            total.merge(&tick);
        }
        Control::Continue
    });
    assert_eq!(total.counters.errors.total(), 0);
    total
}

fn users(think_time: Duration) -> Load {
    Load::Closed(ClosedLoad {
        connections: 8,
        duration: Some(Duration::from_secs(6)),
        requests: None,
        think_time,
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    })
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
        let total = after_the_first_second(&scenario, users(Duration::ZERO));
        for timing in [Timing::ResponseTime, Timing::ServiceTime] {
            is_about(total.durations[timing].max_ns(), TAKES_NS);
        }
        let lag_ns = total.generator.shards.iter().map(|shard| shard.wake_lag_p99_ns).max();
        assert_eq!(lag_ns, Some(0), "nothing was due at a moment of its own in {scenario}");
    }
}

/// What is due at a moment of its own is late, and is called so.
#[test]
fn after_a_pause_and_in_the_open_model_it_is_part_of_it_and_is_shown() {
    let journey = format!("{{ journeys: [{{ actions: [{REQUEST}, pause: 50ms, {THEN}] }}] }}");
    let think = users(Duration::from_millis(50));
    for (scenario, load) in [
        (&journey, users(Duration::ZERO)),
        (&journey, open(1, 6)),
        (&"{ requests: [{ path: / }] }".to_owned(), think),
    ] {
        let total = after_the_first_second(scenario, load);
        is_about(total.durations[Timing::ResponseTime].max_ns(), TAKES_NS + LATE_NS);
        is_about(total.durations[Timing::ServiceTime].max_ns(), TAKES_NS);
        let lag_ns = total.generator.shards.iter().map(|shard| shard.wake_lag_p99_ns).max();
        is_about(lag_ns.unwrap_or(0), LATE_NS);
    }
}
