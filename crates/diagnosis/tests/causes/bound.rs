//! What is said to run out first, by what broke first as the load rose, and what is predicted for it.

use super::profiled::profile_with_timer;
use super::{CPU_US, MS, REQUEST_NS, REQUESTS, counted, counted_as, fold, healthy, line, plain, plan, pool};
use plimsoll_diagnosis::{Passes, diagnose};
use plimsoll_findings::{
    Assumption, Bound, BoundBecause, CauseKind, Diagnosis, Findings, Headline, LimitsFinding, Predicted, StepVerdict,
};
use plimsoll_measure::Profile;
use plimsoll_measure::probe::{Pauses, ProbeCounters};
use plimsoll_plan::Objective;

/// Diagnoses a service of which `objective` broke at 1,000 requests per second with this share of its core in use.
fn broke(objective: &str, busy: f64, counters: &ProbeCounters, profile: &Profile) -> (Diagnosis, Findings) {
    broke_within(None, objective, busy, counters, profile)
}

/// The same of a service whose quota of half a core keeps it from running for so long in each second there.
fn broke_within(
    throttled_ms_per_s: Option<f64>,
    objective: &str,
    busy: f64,
    counters: &ProbeCounters,
    profile: &Profile,
) -> (Diagnosis, Findings) {
    let objective: Objective = objective.parse().expect("an objective");
    let mut plain = plain();
    plain.target_resources.as_mut().expect("a service").limits = throttled_ms_per_s.map(|_| LimitsFinding {
        cpu_cores: Some(0.5),
        ..LimitsFinding::default()
    });
    let line = line(&objective);
    let mut base = Findings {
        load_line: Some(line.clone()),
        ..plain.clone()
    };
    base.steps[0].verdict = StepVerdict::Breached;
    base.steps[0].offered_per_s = line.failed_per_s;
    base.steps[0].broke = line.broke;
    base.steps[0].cpu_share = Some(busy);
    base.steps[0].throttled_ms_per_s = throttled_ms_per_s;
    let fold = fold(counters);
    let passes = Passes {
        directory: None,
        plain: &plain,
        counters: Some((&plain, &fold)),
        profile: Some((&plain, profile)),
        allocations: &Profile::default(),
    };
    let found = diagnose(&plan(), &base, &passes);
    (found.diagnosis.clone().expect("a diagnosis"), found)
}

/// A service with room on its CPU.
fn idle() -> ProbeCounters {
    let mut counters = healthy();
    counters.event_loop.idle_ns = 2200 * MS;
    counters
}

fn with_stall() -> ProbeCounters {
    let mut counters = idle();
    counters.event_loop.longest_delay_ns = 300 * MS;
    counters
}

#[test]
fn quota_that_throttles_runs_out_before_anything_else() {
    let found = |throttled_ms_per_s| {
        let profile = profile_with_timer(2, 150_000);
        broke_within(Some(throttled_ms_per_s), "p99 <= 100ms", 0.6, &with_stall(), &profile).0
    };
    let held_back = found(300.0);
    let because = BoundBecause::Throttled {
        cpu_cores: 0.5,
        ms_per_s: 300.0,
    };
    assert_eq!((held_back.bound, held_back.bound_because), (Bound::Cpu, because));
    assert_eq!(found(3.0).bound, Bound::EventLoop);
}

#[test]
fn stall_breaks_response_time_before_cpu_does() {
    let profile = profile_with_timer(2, 150_000);
    for (objective, busy, expected) in [
        ("p99 <= 100ms", 0.13, Bound::EventLoop),
        ("p99 <= 400ms", 0.13, Bound::EventLoop),
        // Too short to be what broke it.
        ("p99 <= 2s", 0.13, Bound::Neither),
        // A full core explains it.
        ("p99 <= 100ms", 0.95, Bound::Cpu),
        ("cpu <= 10%", 0.13, Bound::Cpu),
    ] {
        let (found, _) = broke(objective, busy, &with_stall(), &profile);
        assert_eq!(
            found.bound, expected,
            "{objective} with {busy}: {:?}",
            found.bound_because
        );
    }
}

#[test]
fn without_a_stall_the_line_rises_until_the_cpu_is_full() {
    let (found, findings) = broke("p99 <= 100ms", 0.13, &with_stall(), &profile_with_timer(2, 150_000));
    let first = &found.causes[0];
    assert_eq!(first.kind, CauseKind::EventLoopStall);
    let predicted = first.predicted.as_ref().expect("a prediction");
    // 0.3 of a core at 1,000 requests per second, of which a fifth remains: 900 by 0.27 of the core, and up to 0.8.
    let next = predicted.next.as_ref().expect("what breaks next");
    assert_eq!(next.bound, 0.8);
    assert!(predicted.at_least, "{predicted:?}");
    let (low, factor) = (predicted.low, predicted.factor);
    assert!(
        (12.0..12.6).contains(&low) && (14.0..18.0).contains(&factor),
        "{predicted:?}"
    );
    assert!(matches!(
        findings.headline,
        Headline::Limit {
            bound: Bound::EventLoop,
            cause: Some(_),
            ..
        }
    ));
    let broke = found.broke_first.expect("it broke");
    assert_eq!((broke.rate_per_s, broke.cpu_share), (Some(1000.0), Some(0.13)));
    // What only costs CPU does not move the line.
    assert!(found.causes[1..].iter().all(|cause| cause.predicted.is_none()));
}

#[test]
fn stall_without_a_known_function_is_said_where_it_is_frequent() {
    for (late, expected) in [(9, Bound::EventLoop), (1, Bound::Neither)] {
        let mut counters = with_stall();
        counters.event_loop.delays = vec![(Some(100 * MS), 200), (Some(200 * MS), late), (None, 0)];
        let (found, findings) = broke("p99 <= 100ms", 0.2, &counters, &Profile::default());
        assert_eq!(found.bound, expected);
        assert!(matches!(findings.headline, Headline::Limit { cause: None, .. }));
    }
}

#[test]
fn loop_that_waits_is_full_while_its_core_is_not() {
    for (tty, name, bound) in [
        ("tty", "console.log", Bound::Terminal),
        ("file", "console.log", Bound::EventLoop),
        ("tty", "fs.writeSync", Bound::EventLoop),
    ] {
        let mut counters = idle();
        counters.event_loop.active_ns = 900 * MS;
        counters.event_loop.idle_ns = 100 * MS;
        counted_as(name, &mut counters, "output", 600 * MS, 1);
        let found = broke_in(tty, "p99 <= 20ms", 0.4, &counters);
        assert_eq!(found.bound, bound, "{name} to {tty}: {:?}", found.bound_because);
        assert!(matches!(found.bound_because, BoundBecause::LoopWaits { .. }));
        let predicted = found.causes[0].predicted.as_ref().expect("a prediction");
        assert!(predicted.at_least && predicted.low >= 1.0);
    }
}

fn broke_in(stdout: &str, objective: &str, busy: f64, counters: &ProbeCounters) -> Diagnosis {
    super::STDOUT.with(|of| of.replace(stdout.to_owned()));
    broke(objective, busy, counters, &Profile::default()).0
}

#[test]
fn threadpool_and_memory_break_response_times() {
    let mut pool = idle();
    counted(&mut pool, "pool", 0, 1);
    pool.pool.wait_ns = pool.pool.canaries * 12 * MS;
    let (found, _) = broke("p99 <= 20ms", 0.3, &pool, &Profile::default());
    assert_eq!(found.bound, Bound::Threadpool);
    let predicted = found.causes[0].predicted.as_ref().expect("a prediction");
    assert_eq!((predicted.factor, predicted.low), (1.0, 1.0));
    assert!(predicted.high > Some(2.0), "{predicted:?}");

    let mut memory = idle();
    memory.gc.major = Pauses { count: 4, ns: 800 * MS };
    let (found, _) = broke("p99 <= 100ms", 0.3, &memory, &Profile::default());
    assert_eq!(found.bound, Bound::Memory);
}

#[test]
fn connections_of_a_pool_break_response_times() {
    let waits = |share: u64| {
        let mut counters = idle();
        counted(&mut counters, "connection", 0, 1);
        counters.pools = vec![pool(REQUESTS * REQUEST_NS * share / 100)];
        broke("p99 <= 20ms", 0.3, &counters, &Profile::default()).0
    };
    let found = waits(40);
    assert_eq!(found.bound, Bound::ConnectionPool);
    let BoundBecause::ConnectionsTaken { size: Some(10), share } = found.bound_because else {
        panic!("{:?}", found.bound_because);
    };
    assert!((share - 0.4).abs() < 1e-6, "{share}");
    let cause = &found.causes[0];
    assert_eq!(cause.kind, CauseKind::ConnectionPool);
    assert_eq!(cause.place.as_ref().map(|place| place.line), Some(12));
    let predicted = cause.predicted.as_ref().expect("a prediction");
    assert_eq!((predicted.factor, predicted.low), (1.0, 1.0));
    assert_eq!(predicted.assumption, Assumption::ConnectionsEnough);
    let then = predicted.response_time.expect("a response time");
    assert!((then.then_ms / then.now_ms - 0.6).abs() < 1e-6, "{then:?}");
    // A wait that is worth a line is not yet what ends the line.
    assert_ne!(waits(22).bound, Bound::ConnectionPool);
    assert!(waits(15).causes.is_empty());
}

/// Predictions that were made of fixes, and what these gave: `docs/benchmarks/2026-11-23-predicted-gains.md`.
#[test]
fn interval_holds_what_fixes_gave() {
    let table = [
        (1.31, 1.36),
        (5.47, 6.51),
        (10.42, 10.18),
        (7.13, 7.59),
        (8.29, 11.40),
        (11.43, 10.07),
        (5.63, 9.95),
        (3.95, 3.09),
        (1.48, 1.92),
        (1.92, 2.73),
        (1.40, 1.47),
        (5.48, 6.35),
        (1.79, 1.72),
        (4.59, 4.66),
        (8.95, 20.03),
        (2.92, 3.00),
        (3.00, 3.58),
        (7.16, 10.52),
        (2.23, 2.71),
        (4.20, 4.41),
    ];
    for (said, gave) in table {
        let predicted = of_factor(said);
        assert!((predicted.factor - said).abs() < 0.01 * said, "{predicted:?}");
        let high = predicted.high.expect("an upper end");
        assert!(
            predicted.low <= gave && (gave <= high || predicted.at_least),
            "{said} for {gave}: {predicted:?}"
        );
        assert_eq!(predicted.at_least, said >= 5.0);
    }
}

/// The prediction for a cause whose removal gives this factor.
fn of_factor(factor: f64) -> Predicted {
    let share = (0..=10_000).map(|n| f64::from(n) / 1e4);
    let factor_of = |share: f64| 1.0 / ((1.0 - share) * (1.0 - 0.15 * share));
    let share = share.min_by(|a, b| {
        (factor_of(*a) - factor)
            .abs()
            .total_cmp(&(factor_of(*b) - factor).abs())
    });
    let mut counters = healthy();
    let ns = share.expect("a share") * CPU_US * 1e3 * REQUESTS as f64;
    counted(&mut counters, "output", ns as u64, 1);
    let (found, _) = broke("cpu <= 80%", 0.8, &counters, &Profile::default());
    found.causes[0].predicted.clone().expect("a prediction")
}
