//! Services within limits.

use crate::run::{Run, SECOND_NS, cpu, errors, finish, p99, plan};
use plimsoll_findings::{NextStep, Notice};
use plimsoll_measure::RunKind;

#[test]
fn quota_is_what_cpu_is_a_share_of_and_stops_the_service() {
    let findings = |busy_cores: f64, throttled_ms_per_s| {
        Run::start(&plan(&[p99(100), cpu(80)]), RunKind::Run, Some(10), 0)
            .throttled(500, throttled_ms_per_s)
            .seconds_with(10, |tick, cpu_ns| {
                finish(tick, 100, 300);
                *cpu_ns = (busy_cores * SECOND_NS as f64) as u64;
            })
            .findings()
    };
    let held_back = findings(0.35, 400);
    let service = held_back.target_resources.as_ref().expect("sampled");
    assert_eq!((service.cores, service.cpu_cores()), (1, 0.5));
    assert!(
        (service.cpu_share - 0.7).abs() < 1e-9 && (service.busy_cores() - 0.35).abs() < 1e-9,
        "{service:?}"
    );
    assert_eq!(held_back.objectives[1].passed, Some(true));
    // From the second second on: there is no quota in the sample at the start.
    let notice = held_back.notices.iter().find_map(|notice| match notice {
        Notice::Throttled {
            cpu_cores: 0.5,
            throttled_ms_per_s,
            offered_per_s: Some(100.0),
            ..
        } => Some(*throttled_ms_per_s),
        _ => None,
    });
    assert!(
        notice.is_some_and(|ms| (ms - 360.0).abs() < 1e-6),
        "{:?}",
        held_back.notices
    );
    assert!(
        matches!(held_back.next_step, NextStep::RaiseCpuLimit { cpu_cores: 0.5, .. }),
        "{:?}",
        held_back.next_step
    );
    let throttled = held_back.timeline.iter().map(|point| point.throttled_ms_per_s);
    assert_eq!(throttled.skip(1).collect::<Vec<_>>(), [Some(400.0); 9]);

    assert_eq!(
        findings(0.45, 400).objectives[1].passed,
        Some(false),
        "90 % of half a core"
    );
    let free = findings(0.35, 0);
    assert!(
        !free
            .notices
            .iter()
            .any(|notice| matches!(notice, Notice::Throttled { .. })),
        "{:?}",
        free.notices
    );
    assert!(
        matches!(free.next_step, NextStep::SeeWaits { .. }),
        "{:?}",
        free.next_step
    );
}

#[test]
fn processes_that_were_ended_for_memory_are_counted() {
    let findings = Run::start(&plan(&[errors(0)]), RunKind::Run, Some(5), 0)
        .killed(2, 128 << 20)
        .seconds(5)
        .findings();
    let memory_limit_bytes = Some(128 << 20);
    let killed = Notice::ProcessesKilled {
        kills: 2,
        memory_limit_bytes,
    };
    assert_eq!(findings.notices, [killed]);
}
