//! A fleet of agents, each of which makes its share of one load: together they make exactly that load.

use super::{MS, S, job, run_on};
use plimsoll_engine::{Control, Job};
use plimsoll_measure::Tick;
use plimsoll_plan::{Arrivals, ClosedLoad, HoldLoad, Load, OpenLoad, Park, Rate, UserStage};
use plimsoll_schedule::AgentShare;
use plimsoll_sim::backend::VirtualBackend;
use std::cell::RefCell;
use std::time::Duration;

const AGENTS: u32 = 7;

/// What each of seven agents saw of its share of `load`.
fn fleet(load: &Load, takes_ns: u64) -> Vec<Tick> {
    let agent = |index| {
        let job = Job {
            share: AgentShare::new(index, AGENTS).expect("one of seven"),
            ..job(load.clone())
        };
        let mut total = Tick::default();
        let backend = VirtualBackend::new(move |arrived_ns: u64| arrived_ns + takes_ns);
        run_on(&job, backend, |tick| {
            let gauges = tick.gauges;
            total.merge(&tick);
            total.gauges = gauges;
            Control::Continue
        });
        total
    };
    (0..AGENTS).map(agent).collect()
}

fn sum(agents: &[Tick], of: impl Fn(&Tick) -> u64) -> u64 {
    agents.iter().map(of).sum()
}

#[test]
fn an_open_load_is_shared_start_by_start() {
    for arrivals in [Arrivals::Even, Arrivals::Poisson] {
        let load = |rate| Load::Open(OpenLoad::constant(Rate::per_s(rate), Duration::from_secs(10), arrivals));
        let agents = fleet(&load(1000), MS);
        let (fewest, most) = (
            agents.iter().map(|tick| tick.counters.scheduled).min(),
            agents.iter().map(|tick| tick.counters.scheduled).max(),
        );
        if arrivals == Arrivals::Even {
            assert_eq!(sum(&agents, |tick| tick.counters.scheduled), 10_000);
            assert_eq!((fewest, most), (Some(1428), Some(1429)));
        }
        assert_eq!(
            sum(&agents, |tick| tick.counters.passed),
            sum(&agents, |tick| tick.counters.scheduled)
        );
    }
}

#[test]
fn users_and_their_requests_are_shared() {
    let closed = |connections, duration, requests| {
        Load::Closed(ClosedLoad {
            connections,
            duration,
            requests,
            think_time: Duration::from_millis(100),
            pacing: Duration::ZERO,
            ramp: Duration::ZERO,
            stages: Vec::new(),
        })
    };
    // Twenty users of a service that takes 100 ms, each thinking 100 ms: 100 requests per second.
    let agents = fleet(&closed(20, Some(Duration::from_secs(10)), None), 100 * MS);
    assert_eq!(sum(&agents, |tick| tick.counters.connections_opened), 20);
    assert_eq!(sum(&agents, |tick| tick.counters.passed), 1000);
    let users: Vec<_> = agents.iter().map(|tick| tick.counters.connections_opened).collect();
    assert_eq!(users, [3, 3, 3, 3, 3, 3, 2]);

    // With fewer users than agents, those that have one make all requests.
    for connections in [20, 3] {
        let agents = fleet(&closed(connections, None, Some(1003)), 100 * MS);
        assert_eq!(sum(&agents, |tick| tick.counters.passed), 1003, "{connections}");
        assert_eq!(sum(&agents, |tick| tick.counters.scheduled), 1003, "{connections}");
    }
}

/// Twenty users who begin over a second, 50 ms apart, and do not come back within the load.
#[test]
fn users_begin_evenly_over_the_ramp_whoever_sends_for_them() {
    let load = Load::Closed(ClosedLoad {
        connections: 20,
        duration: Some(Duration::from_secs(5)),
        requests: None,
        think_time: Duration::from_secs(60),
        pacing: Duration::ZERO,
        ramp: Duration::from_secs(1),
        stages: Vec::new(),
    });
    for agents in [1, AGENTS] {
        let begun = RefCell::new(Vec::new());
        for index in 0..agents {
            let job = Job {
                share: AgentShare::new(index, agents).expect("one of them"),
                ..job(load.clone())
            };
            let backend = VirtualBackend::new(|arrived_ns: u64| {
                begun.borrow_mut().push(arrived_ns / MS);
                arrived_ns
            });
            run_on(&job, backend, |_| Control::Continue);
        }
        let mut begun = begun.into_inner();
        begun.sort_unstable();
        let apart: Vec<u64> = (0..20).map(|place| place * 50).collect();
        assert_eq!(begun, apart, "{agents} agents");
    }
}

/// Up to twenty over a second, five stay for two, all are there again at once, and none in the end. The service takes 10 ms and a user
/// thinks 90 ms, so each begins ten times a second.
#[test]
fn users_come_and_go_in_stages_whoever_sends_for_them() {
    let stage = |from, to, seconds| UserStage {
        from,
        to,
        duration: Duration::from_secs(seconds),
    };
    let load = Load::Closed(ClosedLoad {
        think_time: Duration::from_millis(90),
        ..ClosedLoad::in_stages(vec![
            stage(0, 20, 1),
            stage(5, 5, 2),
            stage(20, 20, 1),
            stage(20, 0, 1),
            stage(0, 0, 1),
        ])
    });
    for agents in [1, AGENTS] {
        let mut users = vec![0; 6];
        let mut sent = vec![0; 6];
        for index in 0..agents {
            let job = Job {
                share: AgentShare::new(index, agents).expect("one of them"),
                ..job(load.clone())
            };
            run_on(
                &job,
                VirtualBackend::new(|arrived_ns: u64| arrived_ns + 10 * MS),
                |tick| {
                    let second = (tick.start_ns / S) as usize;
                    if second < users.len() && tick.start_ns + tick.duration_ns == (second as u64 + 1) * S {
                        users[second] += tick.gauges.users.expect("stages have users");
                    }
                    if second < sent.len() {
                        sent[second] += tick.counters.sent;
                    }
                    Control::Continue
                },
            );
        }
        // At the end of a second, with what begins there.
        assert_eq!(users, [5, 5, 20, 20, 0, 0], "{agents} agents");
        // Whoever is there all through a second begins ten times in it; on a ramp that is half of it, and one more or less for each user who
        // comes or goes.
        assert_eq!((sent[1], sent[5]), (50, 0), "{sent:?}");
        let begun: u64 = sent.iter().sum();
        assert!(
            (100 + 50 + 50 + 200 + 100..=120 + 50 + 50 + 200 + 120).contains(&begun),
            "{sent:?}"
        );
    }
}

#[test]
fn held_connections_are_shared() {
    let load = Load::Hold(HoldLoad {
        connections: 500,
        pace: Rate::per_s(100),
        duration: Duration::from_secs(15),
        park: Park::Request,
        ping: None,
        ports: Vec::new(),
    });
    let agents = fleet(&load, 7 * S + 5 * MS);
    assert_eq!(sum(&agents, |tick| tick.gauges.connections), 500);
    let held: Vec<_> = agents.iter().map(|tick| tick.gauges.connections).collect();
    assert_eq!(held, [72, 72, 72, 71, 71, 71, 71]);

    let load = Load::Hold(HoldLoad {
        connections: 500,
        pace: Rate::per_s(1000),
        duration: Duration::from_secs(10),
        park: Park::Nothing,
        ping: Some(Duration::from_secs(2)),
        ports: Vec::new(),
    });
    let agents = fleet(&load, MS);
    // Five rounds of 2 s in 10.5 s, but for the connections that were not open in the first one.
    let pings = sum(&agents, |tick| tick.counters.passed);
    assert!((2400..=2750).contains(&pings), "{pings}");
    assert_eq!(sum(&agents, |tick| tick.counters.errors.total()), 0);
}
