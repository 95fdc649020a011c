//! What runs beside the service.

use crate::run::{Run, SECOND_NS, cpu, finish, p99, plan};
use plimsoll_findings::{Findings, FullNeighbour, NextStep, Verdict};
use plimsoll_measure::{NoteKind, RunKind};
use plimsoll_plan::{Command, Neighbour, NeighbourPlan, Plan, Sign};

pub(crate) fn with_redis(of: &Plan) -> Plan {
    let redis = NeighbourPlan {
        name: "redis".to_owned(),
        neighbour: Neighbour::Program {
            command: Box::new(Command::new(["redis-server"])),
            ready: Sign::Port(6379),
        },
        cpus: Vec::new(),
    };
    of.clone().with(|plan| plan.target.beside.push(redis)).expect("valid")
}

/// Ten seconds in which the service and its neighbour were so busy, in cores, and requests took so long.
fn ran(service: f64, neighbour: f64, shares_cores: bool, ms: u64) -> Findings {
    Run::start(&with_redis(&plan(&[p99(100), cpu(80)])), RunKind::Run, Some(10), 0)
        .beside("redis", neighbour, shares_cores)
        .seconds_with(10, |tick, cpu_ns| {
            finish(tick, 100, ms);
            *cpu_ns = (service * SECOND_NS as f64) as u64;
        })
        .findings()
}

#[test]
fn neighbour_without_cpu_is_named_where_the_service_has_some() {
    let full = ran(0.3, 0.95, false, 300);
    let expected = FullNeighbour {
        name: "redis".to_owned(),
        busy_cores: 0.95,
        cpu_cores: 1.0,
        throttled_ms_per_s: None,
        shares_cores: false,
        service_cpu_share: 0.3,
        users: false,
        offered_per_s: Some(100.0),
    };
    assert_eq!(full.ran_out_first, Some(expected));
    assert_eq!(
        full.next_step,
        NextStep::RelieveNeighbour {
            name: "redis".to_owned()
        }
    );
    // Of the service per request of the service: 9.5 ms for each of 100.
    let used = full.neighbours[0].resources.as_ref().expect("sampled");
    assert!(
        (used.cpu_us_per_request.expect("known") - 9_500.0).abs() < 1e-6,
        "{used:?}"
    );

    for (service, neighbour, shares_cores, ms, why) in [
        (0.3, 0.95, false, 50, "no objective broke"),
        (0.3, 0.5, false, 300, "it has CPU left"),
        (0.95, 0.99, false, 300, "the service has none left either"),
        (0.5, 0.45, true, 300, "the service takes more of what they share"),
    ] {
        assert_eq!(ran(service, neighbour, shares_cores, ms).ran_out_first, None, "{why}");
    }
    let shared = ran(0.3, 0.65, true, 300).ran_out_first.expect("together they fill it");
    assert!(shared.shares_cores);
}

/// One that works in bursts leaves some of its quota over, and is stopped by it all the same.
#[test]
fn neighbour_that_its_quota_stops_is_full() {
    let stopped = |ms_per_s: u64| {
        Run::start(&with_redis(&plan(&[p99(100), cpu(80)])), RunKind::Run, Some(10), 0)
            .beside_within("redis", 0.04, 50, ms_per_s)
            .seconds_with(10, |tick, cpu_ns| {
                finish(tick, 100, 300);
                *cpu_ns = SECOND_NS * 3 / 10;
            })
            .findings()
            .ran_out_first
    };
    let full = stopped(400).expect("stopped for 40 % of the time");
    assert_eq!((full.cpu_cores, full.throttled_ms_per_s), (0.05, Some(400.0)));
    assert_eq!(stopped(100), None);
}

#[test]
fn neighbour_that_ends_fails_the_run() {
    let run = Run::start(&with_redis(&plan(&[p99(100)])), RunKind::Run, Some(10), 0).seconds(3);
    let findings = run
        .note(NoteKind::NeighbourDied, "neighbour redis ended")
        .end(true)
        .findings();
    assert_eq!(
        (findings.verdict, findings.next_step),
        (Verdict::Failed, NextStep::SeeNeighbour)
    );
}
