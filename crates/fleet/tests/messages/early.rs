//! What a coordinator makes of an agent that ends before its load does.

use crate::invariants::about;
use plimsoll_fleet::{Agent, AgentId, Coordinator, Fault, FleetSize, Order, RunId, SentPlan, Stage, StepSpec, What};
use plimsoll_measure::Tick;
use plimsoll_plan::{ClosedLoad, HoldLoad, Load, Park, Rate};
use std::time::Duration;

const MS: u64 = 1_000_000;
const S: u64 = 1_000 * MS;

/// What is wrong with the only agent of a fleet that makes so many requests in so many seconds, and then says that its share is made.
fn faults(load: &Load, seconds: u64, requests: u64) -> Vec<Fault> {
    let size = FleetSize {
        wanted: Some(1),
        least: None,
    };
    let mut coordinator = Coordinator::new(RunId::new(1), "1", size, 0);
    let mut agent = Agent::new(AgentId::new("a", 1), about());
    let (mut begins_ns, mut ticks, mut has_stepped) = (None, 0, false);
    for now_ns in (0..120 * S).step_by(10 * MS as usize) {
        coordinator.poll(now_ns);
        for (_, message) in coordinator.sent() {
            agent.receive(now_ns, message);
        }
        agent.poll(now_ns);
        for order in agent.orders() {
            match order {
                Order::Prepare(_) => agent.prepared(Ok(())),
                Order::Arm(_) => agent.armed(Ok(())),
                Order::Begin { at_ns, .. } => begins_ns = Some(at_ns),
                _ => {}
            }
        }
        if begins_ns.is_some_and(|at_ns| ticks < seconds && now_ns >= at_ns + (ticks + 1) * S) {
            let mut tick = Tick {
                duration_ns: S,
                ..Tick::default()
            };
            tick.counters.scheduled = if ticks == 0 { requests } else { 0 };
            agent.ticked(now_ns, Box::new(tick));
            ticks += 1;
            if ticks == seconds {
                agent.ended(now_ns, Ok(()));
            }
        }
        for message in agent.sent() {
            coordinator.receive(now_ns, message);
        }
        match coordinator.stage() {
            Stage::Formed => coordinator.prepare(now_ns, SentPlan::default()),
            Stage::Ready if has_stepped => return coordinator.faults().to_vec(),
            Stage::Ready => {
                has_stepped = true;
                coordinator.begin(
                    now_ns,
                    StepSpec {
                        step: 0,
                        load: load.clone(),
                        seed: 0,
                        first: 0,
                        users: false,
                        warm_up_ns: 0,
                        tick_ns: S,
                        zero_ns: 0,
                        drain_ns: MS,
                    },
                );
            }
            Stage::Gathering | Stage::Preparing | Stage::Stepping | Stage::Failed => {}
        }
    }
    panic!("the step has no end");
}

#[test]
fn agent_that_ends_before_its_load_is_at_fault() {
    let closed = |requests| {
        Load::Closed(ClosedLoad {
            connections: 4,
            duration: Some(Duration::from_secs(10)),
            requests,
            think_time: Duration::ZERO,
            pacing: Duration::ZERO,
            ramp: Duration::ZERO,
            stages: Vec::new(),
        })
    };
    let held = Load::Hold(HoldLoad {
        connections: 10,
        pace: Rate::per_s(10),
        duration: Duration::from_secs(9),
        park: Park::Nothing,
        ping: None,
        ports: Vec::new(),
    });
    let early = |after_s| {
        Some(What::EndedEarly {
            after_ns: after_s * S,
            planned_ns: 10 * S,
        })
    };
    for (load, seconds, requests, expected) in [
        (closed(None), 3, 100, early(3)),
        (closed(None), 10, 100, None),
        // The last tick ends with the last response.
        (closed(None), 11, 100, None),
        (closed(Some(500)), 3, 499, early(3)),
        (closed(Some(500)), 3, 500, None),
        (held.clone(), 5, 0, early(5)),
        (held, 10, 0, None),
    ] {
        let what: Option<What> = faults(&load, seconds, requests)
            .into_iter()
            .map(|fault| fault.what)
            .next();
        assert_eq!(what, expected, "{seconds} s, {requests} requests of {load:?}");
    }
}
