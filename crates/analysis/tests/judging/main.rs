//! How windows, steps and runs are judged.

mod fleet;
mod instances;
mod journeys;
mod limits;
mod neighbours;
mod run;
mod shock;
mod soak;
mod unjudged;
mod warm_up;

use plimsoll_analysis::condition;
use plimsoll_findings::{
    FailureClass, Headline, Late, NextStep, Notice, StepVerdict, Unjudged, Verdict, WhatUnjudged, Windows,
};
use plimsoll_measure::{ErrorClass, NoteKind, Resource, RunKind, Taken, Tick};
use plimsoll_plan::{Limit, Load, Objective, Share};
use run::{Run, SECOND_NS, cpu, errors, finish, p99, plan, plan_with};

fn fail(tick: &mut Tick, class: ErrorClass, count: u64) {
    tick.counters.passed -= count;
    tick.counters.errors.add(class, count);
}

#[test]
fn a_run_that_meets_everything_passes() {
    let findings = Run::start(&plan(&[cpu(80), p99(100), errors(0)]), RunKind::Run, Some(12), 2)
        .seconds(12)
        .findings();
    assert_eq!(findings.verdict, Verdict::Passed);
    let Headline::Passed {
        any_objective: true,
        seen,
    } = findings.headline
    else {
        panic!("{:?}", findings.headline);
    };
    assert_eq!((seen.throughput_per_s, seen.completed), (Some(100.0), 1200));
    let judged: Vec<_> = findings
        .objectives
        .iter()
        .map(|o| (o.windows_passed, o.windows_judged))
        .collect();
    assert_eq!(judged, [(10, 10); 3]);
    assert_eq!(findings.objectives[0].observed, Some(0.1));
    assert_eq!(findings.steps[0].cpu_us_per_request, Some(1000.0));
    assert_eq!(findings.totals.completed, 1200);
    assert_eq!(findings.response_time.count, 1000);
    assert!(findings.notices.is_empty());
}

#[test]
fn the_warm_up_is_not_judged() {
    let run = Run::start(&plan(&[p99(100)]), RunKind::Run, Some(12), 2);
    let findings = run
        .seconds_with(2, |tick, _| finish(tick, 100, 900))
        .seconds(10)
        .findings();
    assert_eq!(findings.verdict, Verdict::Passed);
    assert!(!findings.timeline[1].judged && findings.timeline[2].judged);
    assert!(findings.response_time.max_ms.is_some_and(|ms| ms < 6.0));
}

#[test]
fn one_slow_window_of_ten_is_forgiven_and_two_are_not() {
    for (slow, verdict) in [(1, Verdict::Passed), (2, Verdict::Breached)] {
        let run = Run::start(&plan(&[p99(100)]), RunKind::Run, Some(10), 0);
        let run = run.seconds_with(slow, |tick, _| finish(tick, 100, 300));
        let findings = run.seconds(10 - slow).findings();
        assert_eq!(findings.verdict, verdict, "{slow} slow windows");
        assert!(findings.objectives[0].worst.is_some_and(|ms| (ms - 300.0).abs() < 1.0));
    }
}

#[test]
fn errors_equal_zero_forgives_no_window() {
    let one_bad = |plan| {
        let run = Run::start(&plan, RunKind::Run, Some(10), 0).seconds(9);
        run.seconds_with(1, |tick, _| fail(tick, ErrorClass::Reset, 3))
            .findings()
    };
    let findings = one_bad(plan(&[errors(0)]));
    assert_eq!(findings.verdict, Verdict::Breached);
    assert_eq!(findings.steps[0].broke, Some(condition(&errors(0))));
    assert_eq!(findings.errors[0].class, FailureClass::Error(ErrorClass::Reset));
    assert_eq!(one_bad(plan(&[errors(1)])).verdict, Verdict::Passed);
}

#[test]
fn what_a_cut_leaves_of_a_window_says_nothing_of_cpu() {
    let run = Run::start(&plan(&[cpu(80), p99(100)]), RunKind::Run, Some(10), 0).seconds(4);
    let run = run.tick_of(2_000_000, |_, cpu_ns| *cpu_ns = 40_000_000);
    let findings = run.end(true).findings();
    let judged: Vec<_> = findings.objectives.iter().map(|o| o.windows_judged).collect();
    assert_eq!(judged, [4, 5]);
    assert!(findings.objectives[0].worst.is_some_and(|share| share < 0.11));
    assert_eq!(findings.timeline.last().and_then(|slice| slice.cpu_share), None);
}

#[test]
fn the_first_objective_of_the_plan_names_the_breach() {
    let run = Run::start(&plan(&[cpu(80), p99(100)]), RunKind::Run, Some(5), 0);
    let findings = run
        .seconds_with(5, |tick, cpu_ns| {
            *cpu_ns = 950_000_000;
            finish(tick, 100, 400);
        })
        .findings();
    assert_eq!(findings.steps[0].broke, Some(condition(&cpu(80))));
    let breached = Headline::Breached {
        objective: condition(&cpu(80)),
        observed: Some(0.95),
        windows_passed: 0,
        windows_judged: 5,
    };
    assert_eq!(findings.headline, breached);
    let cpu_us_per_request = Some(9500.0);
    assert_eq!(findings.next_step, NextStep::SpendLessCpu { cpu_us_per_request });
}

#[test]
fn cpu_that_nobody_sampled_is_not_judged_and_said_so() {
    let run = Run::start(&plan(&[cpu(80), p99(100)]), RunKind::Run, Some(5), 0).not_sampled();
    let findings = run.seconds(5).findings();
    // That the other one held does not make it pass.
    assert_eq!(findings.verdict, Verdict::Unjudged);
    let passed: Vec<_> = findings
        .objectives
        .iter()
        .map(|o| (o.passed, o.windows_judged))
        .collect();
    assert_eq!(passed, [(None, 0), (Some(true), 5)]);
    let (objective, because) = (condition(&cpu(80)), Unjudged::NoCpu);
    let what = WhatUnjudged::Objectives {
        first: objective.clone(),
        because,
        count: 1,
        of: 2,
    };
    assert_eq!(findings.headline, Headline::Unjudged { what });
    assert_eq!(findings.notices, [Notice::Unjudged { objective, because }]);
    assert!(findings.target_resources.is_none());
}

#[test]
fn a_full_core_among_idle_ones_is_not_taken_for_waiting() {
    let findings = |processes, cores, busy_cores: f64| {
        Run::start(&plan(&[cpu(80), p99(100)]), RunKind::Run, Some(10), 0)
            .wide(processes, cores)
            .seconds_with(10, |tick, cpu_ns| {
                finish(tick, 100, 300);
                *cpu_ns = (busy_cores * SECOND_NS as f64) as u64;
            })
            .findings()
    };
    let alone = findings(1, 4, 1.05);
    let Notice::OneCoreFull { busy_cores, cores: 4 } = alone.notices[0] else {
        panic!("{:?}", alone.notices);
    };
    assert!((busy_cores - 1.05).abs() < 1e-9, "{busy_cores}");
    assert_eq!(alone.next_step, NextStep::WorkerPerCore);
    // Workers that share one core's worth of work, one that mostly waits, and one with its only core full.
    for (processes, cores, busy_cores) in [(5, 4, 1.05), (1, 4, 0.3), (1, 1, 1.0), (1, 2, 1.9)] {
        let other = findings(processes, cores, busy_cores);
        assert!(other.notices.is_empty(), "{processes} on {cores}: {:?}", other.notices);
        assert_ne!(other.next_step, NextStep::WorkerPerCore);
    }
}

#[test]
fn a_stalled_service_does_not_pass() {
    let run = Run::start(&plan(&[p99(100)]), RunKind::Run, Some(10), 0).seconds(4);
    let stalled = run.seconds_with(6, |tick, _| {
        finish(tick, 0, 0);
        tick.gauges.in_flight = 100;
    });
    let findings = stalled.findings();
    assert_eq!(findings.verdict, Verdict::Breached);
    assert_eq!(
        (
            findings.objectives[0].windows_passed,
            findings.objectives[0].windows_judged
        ),
        (4, 10)
    );
}

#[test]
fn a_request_that_hangs_in_the_last_window_is_judged_when_it_times_out() {
    let run = Run::start(&plan(&[p99(100), errors(0)]), RunKind::Run, Some(5), 0).seconds(5);
    let drained = run.tick_of(10 * SECOND_NS, |tick, _| {
        finish(tick, 4, 10_000);
        tick.counters.scheduled = 0;
        tick.counters.completed = 0;
        tick.draining = true;
        fail(tick, ErrorClass::ResponseTimeout, 4);
    });
    let findings = drained.findings();
    assert_eq!(findings.verdict, Verdict::Breached);
    let passed: Vec<_> = findings
        .objectives
        .iter()
        .map(|o| (o.windows_passed, o.windows_judged))
        .collect();
    assert_eq!(passed, [(4, 5), (4, 5)]);
    assert_eq!(findings.steps[0].throughput_per_s, Some(100.0));
}

#[test]
fn starts_that_were_never_made_are_slow() {
    let run = Run::start(&plan(&[p99(100)]), RunKind::Run, Some(5), 0);
    let findings = run
        .seconds_with(5, |tick, _| {
            tick.counters.scheduled = 105;
            tick.counters.dropped = 5;
        })
        .findings();
    assert_eq!(findings.verdict, Verdict::Breached);
    assert_eq!(findings.steps[0].dropped, 25);
}

#[test]
fn a_response_that_crosses_a_window_does_not_miss_the_rate() {
    let rate = Limit::AchievedRate {
        min: Share::percent(99),
    };
    for (completed, verdict) in [(95, Verdict::Breached), (100, Verdict::Passed)] {
        let run = Run::start(&plan(&[rate.into()]), RunKind::Run, Some(10), 0);
        let first = run.seconds_with(1, |tick, _| finish(tick, completed - 1, 5));
        let findings = first.seconds_with(9, |tick, _| finish(tick, completed, 5)).findings();
        assert_eq!(findings.verdict, verdict);
    }
}

fn check_invalid(change: impl Fn(&mut Tick, &mut u64), is_expected: fn(&Late) -> bool) {
    let run = Run::start(&plan(&[p99(100), errors(0)]), RunKind::Run, Some(10), 0);
    let findings = run.seconds(8).seconds_with(2, change).findings();
    assert_eq!(findings.verdict, Verdict::Invalid);
    let because = findings.steps[0].invalid_because.expect("a reason");
    assert!(is_expected(&because), "{because:?}");
    assert_eq!(findings.generator.kept_up, Some(false));
    // Nothing is said of the service then, not even that it held.
    assert!(findings.objectives.iter().all(|objective| objective.passed.is_none()));
    assert_eq!(findings.notices[0], Notice::GeneratorLate { because });
}

#[test]
fn a_late_generator_makes_the_run_invalid_whatever_it_saw() {
    let lagging = |tick: &mut Tick, _: &mut u64| tick.generator.shards[0].wake_lag_p99_ns = 11_000_000;
    check_invalid(lagging, |late| matches!(late, Late::WokeLate { .. }));
    check_invalid(
        |tick, _| tick.generator.shards[0].cpu_ns = SECOND_NS,
        |late| matches!(late, Late::Busy { .. }),
    );
    check_invalid(
        |tick, _| fail(tick, ErrorClass::NoPort, 1),
        |late| *late == Late::OutOfResources { requests: 2 },
    );
    check_invalid(
        |tick, _| tick.generator.softirq_share_max = Some(0.8),
        |late| matches!(late, Late::Interrupted { .. }),
    );
    check_invalid(
        |tick, _| tick.generator.throttled_share = Some(0.02),
        |late| matches!(late, Late::Throttled { .. }),
    );
    let run = Run::start(&plan(&[p99(100)]), RunKind::Run, Some(10), 0);
    assert_eq!(
        run.seconds(9).seconds_with(1, lagging).findings().verdict,
        Verdict::Passed
    );
}

/// Two of a thousand starts are late: too few for an objective about p99, and all that one about p99.9 would judge.
#[test]
fn an_objective_about_the_last_few_is_not_judged_by_a_generator_that_was_late_with_these() {
    let last_few = |tick: &mut Tick, _: &mut u64| tick.generator.shards[0].wake_lag_p999_ns = 11_000_000;
    let because = |objective: Objective| {
        let run = Run::start(&plan(&[objective]), RunKind::Run, Some(10), 0);
        run.seconds(8).seconds_with(2, last_few).findings().steps[0].invalid_because
    };
    assert_eq!(because(p99(100)), None);
    let p999 = Limit::ResponseTime {
        quantile: Share::new(0.999).expect("a share"),
        max: std::time::Duration::from_millis(100),
    };
    let expected = Late::WokeLate {
        share: 0.001,
        bound_ms: 10.0,
        windows: Windows { windows: 2, judged: 10 },
    };
    assert_eq!(because(p999.into()), Some(expected));
}

#[test]
fn a_generator_that_spins_is_as_busy_as_what_it_does() {
    let verdict = |spun_ns| {
        let spinning = |tick: &mut Tick, _: &mut u64| {
            tick.generator.shards[0].cpu_ns = SECOND_NS;
            tick.generator.shards[0].spun_ns = spun_ns;
        };
        let run = Run::start(&plan(&[p99(100)]), RunKind::Run, Some(10), 0);
        let findings = run.seconds_with(10, spinning).findings();
        (findings.verdict, findings.generator.busy_share_max)
    };
    assert_eq!(verdict(SECOND_NS / 4), (Verdict::Passed, Some(0.75)));
    assert_eq!(verdict(SECOND_NS / 100), (Verdict::Invalid, Some(0.99)));
}

#[test]
fn a_generator_near_its_limits_is_noticed_and_believed() {
    let near = |resource, taken, of| {
        let run = Run::start(&plan(&[p99(100)]), RunKind::Run, Some(10), 0);
        let take = |tick: &mut Tick, _: &mut u64| tick.generator.resources = vec![Taken { resource, taken, of }];
        let findings = run.seconds(5).seconds_with(1, take).seconds(4).findings();
        assert_eq!(findings.verdict, Verdict::Passed);
        let near = |notice: &Notice| match notice {
            Notice::GeneratorNearLimit { resource, taken, of } => Some((*resource, *taken, *of)),
            _ => None,
        };
        findings.notices.iter().filter_map(near).collect::<Vec<_>>()
    };
    for (resource, taken, of) in [
        (Resource::Ports, 27_000, 28_232),
        (Resource::Descriptors, 925, 1_024),
        (Resource::Memory, 961, 1_000),
    ] {
        assert_eq!(near(resource, taken, of), [(resource, taken, of)]);
    }
    let far = [
        (Resource::Ports, 899),
        (Resource::Descriptors, 899),
        (Resource::Memory, 949),
    ];
    for (resource, taken) in far {
        assert_eq!(near(resource, taken, 1_000), []);
    }
}

#[test]
fn the_closed_model_has_no_due_times_to_be_late_for() {
    let load = Load::Closed(plimsoll_plan::ClosedLoad {
        connections: 1,
        duration: None,
        requests: Some(500),
        think_time: std::time::Duration::ZERO,
        pacing: std::time::Duration::ZERO,
        ramp: std::time::Duration::ZERO,
        stages: Vec::new(),
    });
    let plan = plan_with(load, &[p99(100)]);
    let run = Run::start(&plan, RunKind::Bench, None, 0);
    let findings = run
        .seconds_with(5, |tick, _| tick.generator.shards[0].wake_lag_p99_ns = 50_000_000)
        .findings();
    assert_eq!(findings.verdict, Verdict::Passed);
}

#[test]
fn shorter_ticks_are_gathered_into_windows() {
    let mut run = Run::start(&plan(&[p99(100)]), RunKind::Run, Some(5), 1);
    for tenth in 0..50 {
        let ms = if tenth == 12 { 300 } else { 5 };
        run = run.tick_of(SECOND_NS / 10, |tick, _| finish(tick, 100, ms));
    }
    let findings = run.findings();
    assert_eq!(
        (
            findings.objectives[0].windows_passed,
            findings.objectives[0].windows_judged
        ),
        (3, 4)
    );
    assert_eq!(findings.timeline.len(), 50);
}

#[test]
fn only_errors_and_only_silence_never_pass() {
    let all_500 = Run::start(&plan(&[p99(100)]), RunKind::Bench, Some(5), 0)
        .seconds_with(5, |tick, _| fail(tick, ErrorClass::Status, 100))
        .findings();
    assert_eq!(
        (all_500.verdict, all_500.headline),
        (Verdict::Breached, Headline::EveryRequestFailed)
    );
    let refused = Run::start(&plan(&[errors(0)]), RunKind::Bench, Some(5), 0)
        .seconds_with(5, |tick, _| {
            finish(tick, 0, 0);
            tick.counters.errors.add(ErrorClass::Refused, 100);
        })
        .findings();
    assert_eq!(refused.verdict, Verdict::Failed);
    let most = Some(FailureClass::Error(ErrorClass::Refused));
    assert_eq!(refused.headline, Headline::NoResponse { most });
    let silent = Run::start(&plan(&[p99(100)]), RunKind::Run, Some(5), 0)
        .seconds_with(5, |tick, _| finish(tick, 0, 0))
        .findings();
    assert_eq!(silent.verdict, Verdict::Unjudged);
}

#[test]
fn an_interrupted_run_and_a_dead_service_say_so() {
    let run = Run::start(&plan(&[p99(100)]), RunKind::Run, Some(60), 0).seconds(10);
    let stopped = run
        .note(NoteKind::Interrupted, "stopped by the user")
        .end(true)
        .findings();
    assert_eq!(
        (stopped.verdict, stopped.steps[0].verdict),
        (Verdict::Interrupted, StepVerdict::Unjudged)
    );
    let run = Run::start(&plan(&[p99(100)]), RunKind::Run, Some(60), 0).seconds(10);
    let died = run.note(NoteKind::TargetDied, "exit status 1").end(true).findings();
    assert_eq!(
        (died.verdict, died.headline),
        (Verdict::Failed, Headline::TargetDied { after_s: 10.0 })
    );
}

#[test]
fn a_step_cut_short_is_breached_once_the_rest_could_not_save_it() {
    for (slow, verdict) in [(1, StepVerdict::Unjudged), (2, StepVerdict::Breached)] {
        let run = Run::start(&plan(&[p99(100)]), RunKind::Capacity, Some(10), 0);
        let fold = run
            .seconds_with(slow, |tick, _| finish(tick, 100, 300))
            .seconds(2)
            .end(true);
        assert_eq!(
            fold.last_step().map(|s| s.verdict),
            Some(verdict),
            "{slow} slow windows"
        );
    }
}

#[test]
fn counters_near_the_greatest_number_are_judged() {
    const MOST: u64 = u64::MAX - 1;
    let run = Run::start(&plan(&[cpu(80), p99(100), errors(0)]), RunKind::Run, Some(4), 1);
    let greatest = |tick: &mut Tick| {
        tick.counters.scheduled = MOST;
        tick.counters.sent = MOST;
        tick.counters.completed = MOST;
        tick.counters.passed = MOST;
        tick.counters.dropped = MOST;
        tick.counters.keep_alive_races = MOST;
        tick.counters.repeated = MOST;
        tick.counters.connections_opened = MOST;
        tick.counters.received_bytes = MOST;
        tick.gauges.in_flight = MOST;
        tick.gauges.queued = MOST;
        ErrorClass::ALL
            .into_iter()
            .for_each(|class| tick.counters.errors.add(class, MOST));
    };
    let findings = run.seconds(2).seconds_with(2, |tick, _| greatest(tick)).findings();
    assert_eq!(findings.totals.completed, u64::MAX);
    // Failures of the generator are among them.
    assert_eq!(findings.verdict, Verdict::Invalid);
}
