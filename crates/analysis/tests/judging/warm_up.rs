//! Runs whose first step warms the service up.

use crate::run::{Run, finish, p99, plan};
use plimsoll_findings::{Notice, StepVerdict, Unsteady, Verdict};

#[test]
fn what_warms_a_service_up_is_not_judged() {
    let slow = Run::warm_up(&plan(&[p99(100)]), 40).seconds_with(4, |tick, _| finish(tick, 100, 900));
    assert!(!slow.is_warm());
    let warm = slow.seconds(6);
    assert!(warm.is_warm());
    let findings = warm.judged(true, 10).seconds(10).findings();
    assert_eq!(findings.verdict, Verdict::Passed);
    assert_eq!(findings.steps.len(), 1);
    assert_eq!(
        (findings.steps[0].step, findings.steps[0].verdict),
        (1, StepVerdict::Passed)
    );
    assert!(findings.response_time.max_ms.is_some_and(|ms| ms < 6.0));
    let judged = findings.timeline.iter().filter(|point| point.judged).count();
    assert_eq!((judged, findings.timeline.len()), (10, 20));
    assert_eq!(findings.totals.completed, 2000);
    assert_eq!(findings.notices, []);
}

#[test]
fn a_service_that_was_never_warm_is_judged_with_a_notice() {
    // Each second a request costs an eighth less than before.
    let mut run = Run::warm_up(&plan(&[p99(100)]), 20);
    for second in 0..20 {
        let left = 0.875_f64.powi(second);
        run = run.seconds_with(1, |_, cpu_ns| *cpu_ns = (*cpu_ns as f64 * (1.0 + 8.0 * left)) as u64);
        assert!(!run.is_warm(), "after {second} s");
    }
    let findings = run.judged(false, 10).seconds(10).findings();
    assert_eq!(findings.verdict, Verdict::Passed);
    let [Notice::NotWarm { waited_s, because }] = findings.notices.as_slice() else {
        panic!("{:?}", findings.notices);
    };
    assert!((waited_s - 20.0).abs() < 1e-9, "{waited_s}");
    assert!(
        matches!(because, Unsteady::CpuPerRequest { fell } if *fell > 0.1),
        "{because:?}"
    );
}

#[test]
fn a_run_that_ends_in_its_warm_up_has_no_verdict_of_it() {
    let run = Run::warm_up(&plan(&[p99(100)]), 20).seconds_with(4, |tick, _| finish(tick, 100, 900));
    let findings = run.end(true).findings();
    assert_eq!(findings.verdict, Verdict::Unjudged);
    assert_eq!(findings.steps, []);
}
