//! Clients that are held and share connections, four on each, against a service that goes on, gives them up, declines them or ends its connections.

use super::clients::{Does, Fickle, Numbered};
use super::{S, job_of, scenario};
use plimsoll_engine::{Control, Requests};
use plimsoll_measure::{ErrorClass, Gauges, Sight, Tick};
use plimsoll_plan::{HoldLoad, Load, Park, Rate};
use plimsoll_sim::backend::VirtualBackend;
use std::convert::Infallible;
use std::time::Duration;

const CLIENTS: u32 = 10;

/// All ticks in one, with the state at the end of the last, of ten clients that come 10 ms apart.
fn held(outcome: impl FnMut(u32) -> Does) -> Tick {
    held_at(100, outcome)
}

/// The same of clients that come at this rate.
fn held_at(per_s: u32, outcome: impl FnMut(u32) -> Does) -> Tick {
    held_by(CLIENTS, per_s, 0, outcome)
}

/// The same of so many clients, by a service that takes so long to accept each connection.
fn held_by(connections: u32, per_s: u32, accepting_ns: u64, outcome: impl FnMut(u32) -> Does) -> Tick {
    let scenario = scenario(&[("events", "GET", 1)]);
    let job = job_of(
        &scenario,
        Load::Hold(HoldLoad {
            connections,
            pace: Rate::per_s(per_s),
            duration: Duration::from_secs(3),
            park: Park::Request,
            ping: None,
            ports: Vec::new(),
        }),
    );
    let requests = Requests::lay_out(&scenario, |request, _| Ok::<_, Infallible>(request.name.as_bytes()[0]));
    let requests = requests.unwrap_or_else(|never| match never {});
    let service = Fickle { requests: 0, outcome };
    let (mut total, mut last) = (Tick::default(), Gauges::default());
    let backend = VirtualBackend::before(service).accepting_after(accepting_ns);
    job.run_client_on(backend, Numbered::new(), requests, |tick| {
        last = tick.gauges;
        total.merge(&tick);
        Control::Continue
    });
    total.gauges = last;
    total
}

/// Clients that were opened and are left, connections that were opened, and failures.
fn check(tick: &Tick, opened: u64, live: u64, connections: u64, errors: &[(ErrorClass, u64)]) {
    let counters = &tick.counters;
    assert_eq!(
        (counters.clients_opened, tick.gauges.clients),
        (opened, Some(live)),
        "{counters:?}"
    );
    assert_eq!(counters.connections_opened, connections, "{counters:?}");
    assert_eq!(counters.errors.iter().collect::<Vec<_>>(), errors);
}

#[test]
fn clients_fill_connections() {
    let tick = held(|_| Does::Nothing);
    check(&tick, 10, 10, 3, &[]);
    assert_eq!(
        (tick.counters.sent, tick.gauges.in_flight, tick.gauges.queued),
        (10, 10, 0)
    );
}

#[test]
fn a_client_goes_on_after_its_response() {
    let tick = held(|n| if n <= 25 { Does::Responds(b'.') } else { Does::Nothing });
    check(&tick, 10, 10, 3, &[]);
    assert_eq!(
        (tick.counters.completed, tick.counters.passed, tick.counters.sent),
        (25, 25, 35)
    );
    assert_eq!(tick.counters.scheduled, 35);
}

#[test]
fn a_client_whose_response_failed_goes_on_a_second_later() {
    let tick = held(|n| if n == 1 { Does::Responds(b'!') } else { Does::Nothing });
    check(&tick, 10, 10, 3, &[(ErrorClass::Status, 1)]);
    assert_eq!((tick.counters.sent, tick.gauges.in_flight), (11, 10));
}

#[test]
fn a_client_that_is_given_up_is_lost() {
    let tick = held(|n| if n == 2 { Does::Responds(b'x') } else { Does::Nothing });
    check(&tick, 10, 9, 3, &[(ErrorClass::StreamReset, 1)]);
    assert_eq!(tick.counters.sent, 10);
}

#[test]
fn a_client_that_is_declined_is_parked_once_more() {
    let tick = held(|n| if n == 2 { Does::Responds(b'-') } else { Does::Nothing });
    assert_eq!(
        (tick.counters.clients_opened, tick.gauges.clients),
        (10, Some(10)),
        "{:?}",
        tick.counters
    );
    assert_eq!((tick.counters.errors.total(), tick.counters.sent), (0, 11));
    let tick = held(|n| if n <= 20 { Does::Responds(b'-') } else { Does::Nothing });
    let errors = &tick.counters.errors;
    assert_eq!(
        (errors.get(ErrorClass::StreamReset), errors.total()),
        (10, 10),
        "twice is enough"
    );
    assert_eq!(tick.gauges.clients, Some(0));
}

/// The third client is the last that the service sees on the first connection: it is lost with its response, and the two before it are still held.
#[test]
fn a_client_of_a_connection_that_ends_is_lost_with_its_response() {
    let tick = held(|n| if n == 3 { Does::Ends } else { Does::Nothing });
    check(&tick, 10, 9, 3, &[(ErrorClass::Closed, 1)]);
    let example = tick.examples.get(Sight::Failure(ErrorClass::Closed));
    assert_eq!(example.expect("an example").found, "the response ends its connection");
}

/// The second client comes before the service says that the first one is the last that it sees.
#[test]
fn a_client_that_is_not_seen_is_lost_with_the_reason() {
    let tick = held_at(900, |n| if n == 1 { Does::Ends } else { Does::Nothing });
    check(&tick, 10, 8, 3, &[(ErrorClass::Closed, 2)]);
    let example = tick.examples.get(Sight::Failure(ErrorClass::Closed));
    assert_eq!(
        example.expect("an example").found,
        "the service ended the connection: END"
    );
}

/// 256 connections are asked for at a time, each for four clients: the last of 3,000 waits for a second and more.
#[test]
fn the_wait_of_clients_for_a_slow_service_is_not_lag() {
    let tick = held_by(3000, 3000, S, |_| Does::Nothing);
    assert_eq!((tick.counters.clients_opened, tick.gauges.clients), (3000, Some(3000)));
    let lags = tick.generator.shards.iter().map(|shard| shard.wake_lag_max_ns);
    assert_eq!(lags.max(), Some(0));
}
