//! Every way in which there can be nothing to judge: none of them passes.

use crate::run::{Run, SECOND_NS, cpu, errors, finish, info, p99, plan, plan_with};
use plimsoll_analysis::{Fold, condition};
use plimsoll_findings::{Findings, Headline, InterruptedBy, NextStep, Notice, Unjudged, Verdict, WhatUnjudged};
use plimsoll_measure::{Ended, ErrorClass, Host, NoteKind, Record, RunEnd, RunKind};
use plimsoll_plan::{HoldLoad, Limit, Load, Objective, Park, Rate, Share};
use std::time::Duration;

fn rate(percent: u8) -> Objective {
    Limit::AchievedRate {
        min: Share::percent(percent),
    }
    .into()
}

/// The verdict, the reason of each objective (`None` where it was judged), and that a notice with a hint says why.
fn check(findings: &Findings, because: &[Option<Unjudged>]) {
    assert_eq!(findings.verdict, Verdict::Unjudged, "{:?}", findings.headline);
    let found: Vec<_> = findings.objectives.iter().map(|o| o.unjudged_because).collect();
    assert_eq!(found, because);
    for objective in &findings.objectives {
        assert_eq!(objective.passed.is_none(), objective.unjudged_because.is_some());
    }
    let says_why = |notice: &Notice| matches!(notice, Notice::NothingJudged { .. } | Notice::Unjudged { .. });
    assert!(findings.notices.iter().any(says_why), "{:?}", findings.notices);
    let NextStep::GetJudged { because: Some(_) } = findings.next_step else {
        panic!("{:?}", findings.next_step);
    };
}

#[test]
fn a_run_within_its_warm_up_is_unjudged() {
    let because = Unjudged::WarmUp { warm_up_s: 2.0 };
    let findings = Run::start(&plan(&[cpu(10), p99(100), errors(0)]), RunKind::Run, Some(1), 2)
        .seconds_with(1, |_, cpu_ns| *cpu_ns = SECOND_NS * 4 / 10)
        .findings();
    check(&findings, &[Some(because); 3]);
    let what = WhatUnjudged::Everything { because: Some(because) };
    assert_eq!(findings.headline, Headline::Unjudged { what });
    assert_eq!(findings.totals.throughput_per_s, None);
    assert_eq!(
        (findings.response_time.p99_ms, findings.generator.kept_up),
        (None, None)
    );
}

#[test]
fn a_run_without_a_tick_is_unjudged() {
    let because = Some(Unjudged::NothingMeasured);
    let findings = Run::start(&plan(&[p99(100), errors(0)]), RunKind::Run, Some(1), 0).findings();
    check(&findings, &[because; 2]);
    // Not even a step.
    let plan = plan(&[p99(100)]);
    let mut fold = Fold::new(&plan, &info(RunKind::Run), &Host::default());
    fold.push(&Record::RunEnd(RunEnd {
        at_ns: 0,
        ended: Ended::Complete,
    }));
    check(&fold.findings(), &[because]);
}

#[test]
fn objectives_of_no_response_and_no_request_are_unjudged() {
    let silent = |tick: &mut plimsoll_measure::Tick, _: &mut u64| {
        finish(tick, 0, 0);
        tick.counters.scheduled = 0;
    };
    let findings = Run::start(&plan(&[p99(100), errors(0), rate(99)]), RunKind::Run, Some(5), 1)
        // All requests fall into the warm-up.
        .seconds(1)
        .seconds_with(4, silent)
        .findings();
    check(
        &findings,
        &[
            Some(Unjudged::NoResponse),
            Some(Unjudged::NothingFinished),
            Some(Unjudged::NothingScheduled),
        ],
    );
}

#[test]
fn cpu_of_short_windows_is_unjudged() {
    let mut run = Run::start(&plan(&[cpu(80)]), RunKind::Run, Some(1), 0);
    run = run.tick_of(10_000_000, |_, _| {});
    check(&run.findings(), &[Some(Unjudged::ShortWindows)]);
}

#[test]
fn a_breach_beats_what_was_not_judged() {
    let findings = Run::start(&plan(&[cpu(80), p99(100)]), RunKind::Run, Some(5), 0)
        .not_sampled()
        .seconds_with(5, |tick, _| finish(tick, 100, 300))
        .findings();
    assert_eq!(findings.verdict, Verdict::Breached);
    let passed: Vec<_> = findings.objectives.iter().map(|o| o.passed).collect();
    assert_eq!(passed, [None, Some(false)]);
    let Headline::Breached { objective, .. } = findings.headline else {
        panic!("{:?}", findings.headline);
    };
    assert_eq!(objective, condition(&p99(100)));
}

#[test]
fn a_dead_service_has_no_percentiles_and_does_not_pass() {
    let findings = Run::start(&plan(&[p99(100)]), RunKind::Run, Some(5), 0)
        .seconds_with(5, |tick, _| {
            finish(tick, 0, 0);
            tick.counters.errors.add(ErrorClass::Refused, 100);
        })
        .findings();
    assert_eq!(findings.verdict, Verdict::Failed);
    assert_ne!(findings.objectives[0].passed, Some(true));
    assert_eq!(findings.response_time.p99_ms, None);
}

#[test]
fn what_broke_first_has_a_figure_where_any_has() {
    let dead = |objectives: &[_]| {
        let run = Run::start(&plan(objectives), RunKind::Run, Some(5), 0).seconds_with(5, |tick, _| {
            finish(tick, 0, 0);
            tick.counters.errors.add(ErrorClass::Refused, 100);
        });
        run.findings()
    };
    let findings = dead(&[p99(100), errors(0)]);
    let passed: Vec<_> = findings.objectives.iter().map(|o| (o.passed, o.observed)).collect();
    assert_eq!(passed, [(Some(false), None), (Some(false), Some(1.0))]);
    let expected = condition(&errors(0));
    assert_eq!(findings.broke().map(|o| &o.objective), Some(&expected));
    assert_eq!(findings.steps[0].broke, Some(expected));
    let alone = dead(&[p99(100)]);
    assert_eq!(alone.broke().map(|o| o.objective.clone()), Some(condition(&p99(100))));
}

#[test]
fn connections_held_without_a_request_have_no_rate() {
    let load = Load::Hold(HoldLoad {
        connections: 10,
        pace: Rate::per_s(1000),
        duration: Duration::from_secs(3),
        park: Park::Nothing,
        ping: None,
        ports: Vec::new(),
    });
    let plan = plan_with(load, &[]);
    let held = Run::start(&plan, RunKind::Hold, Some(3), 0)
        .seconds_with(3, |tick, _| {
            finish(tick, 0, 0);
            tick.counters.scheduled = 0;
            tick.counters.connections_opened = if tick.index == 0 { 10 } else { 0 };
            tick.gauges.connections = 10;
        })
        .note(NoteKind::Interrupted, "stopped by the user");
    let findings = held.findings();
    assert_eq!(findings.verdict, Verdict::Interrupted);
    assert_eq!(findings.totals.throughput_per_s, None);
    let stopped = Headline::Interrupted {
        by: InterruptedBy::Stop,
        after_s: 3.0,
        has_figures: true,
    };
    assert_eq!(findings.headline, stopped);
}

#[test]
fn a_held_connection_without_a_response_has_no_times() {
    let load = Load::Hold(HoldLoad {
        connections: 10,
        pace: Rate::per_s(1000),
        duration: Duration::from_secs(3),
        park: Park::Request,
        ping: None,
        ports: Vec::new(),
    });
    let plan = plan_with(load, &[p99(100)]);
    let held = Run::start(&plan, RunKind::Hold, Some(3), 0).seconds_with(3, |tick, _| {
        finish(tick, 0, 0);
        tick.counters.scheduled = 0;
        tick.counters.connections_opened = if tick.index == 0 { 10 } else { 0 };
        tick.gauges.connections = 10;
    });
    check(&held.findings(), &[Some(Unjudged::NoResponse)]);
}

#[test]
fn responses_that_came_after_the_load_are_no_rate() {
    let run = Run::start(&plan(&[errors(0)]), RunKind::Run, Some(1), 0);
    let run = run.seconds_with(1, |tick, _| {
        finish(tick, 0, 0);
        tick.counters.scheduled = 10;
        tick.gauges.in_flight = 10;
    });
    let run = run.tick_of(SECOND_NS, |tick, _| {
        finish(tick, 10, 1500);
        tick.counters.scheduled = 0;
        tick.draining = true;
    });
    let findings = run.findings();
    assert_eq!(findings.verdict, Verdict::Passed);
    let Headline::Passed { seen, .. } = findings.headline else {
        panic!("{:?}", findings.headline);
    };
    assert_eq!((seen.throughput_per_s, seen.completed), (Some(0.0), 10));
}

/// Pings that go out late arrive late, and that is not the doing of the service.
#[test]
fn held_connections_with_a_late_generator_are_invalid() {
    let findings = |objectives: &[Objective], busy_ns: u64| {
        let load = Load::Hold(HoldLoad {
            connections: 10,
            pace: Rate::per_s(1000),
            duration: Duration::from_secs(3),
            park: Park::Nothing,
            ping: Some(Duration::from_secs(1)),
            ports: Vec::new(),
        });
        let held = Run::start(&plan_with(load, objectives), RunKind::Hold, Some(3), 0).seconds_with(3, |tick, _| {
            finish(tick, 10, 5);
            tick.counters.connections_opened = if tick.index == 0 { 10 } else { 0 };
            tick.gauges.connections = 10;
            tick.generator.shards[0].cpu_ns = busy_ns;
        });
        held.findings()
    };
    let judged = |busy_ns| findings(&[p99(100)], busy_ns);
    assert_eq!(judged(0).verdict, Verdict::Passed);
    let late = judged(1_000_000_000);
    assert_eq!(
        (late.verdict, late.headline, late.next_step),
        (Verdict::Invalid, Headline::GeneratorLate, NextStep::RelieveGenerator)
    );
    assert_eq!(late.objectives[0].passed, None);
    // That they were opened and kept is true however late it was.
    assert_eq!(findings(&[], 1_000_000_000).verdict, Verdict::Passed);
}
