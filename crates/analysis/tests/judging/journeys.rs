//! Objectives about users who do not come to the end of their journey.

use crate::run::Run;
use plimsoll_findings::{Findings, Unjudged, Verdict};
use plimsoll_measure::{Counters, RunKind, Tick, UserCounts};
use plimsoll_plan::Plan;

const PLAN: &str = "target: http://h/
objectives: [journey failed(play) <= 10%, journey failed(look) = 0, journey failed <= 5%]
scenario:
  journeys:
    - { name: play, actions: [request: { name: a, path: /a }, request: { name: b, path: /b }] }
    - { name: look, actions: [request: { path: /c }] }
";

/// In each second so many users of `play` come to the end and so many fail at its second request; 30 of `look` come to the end.
fn users(finished: u64, failed: u64) -> impl Fn(&mut Tick, &mut u64) {
    move |tick, _| {
        let counted = |users: UserCounts| Counters {
            users,
            ..Counters::default()
        };
        tick.requests = vec![
            counted(UserCounts {
                finished,
                ..UserCounts::default()
            }),
            counted(UserCounts {
                failed,
                ..UserCounts::default()
            }),
            counted(UserCounts {
                finished: 30,
                ..UserCounts::default()
            }),
        ];
        tick.durations.requests = vec![Default::default(); 3];
        tick.counters.users = UserCounts {
            finished: finished + 30,
            failed,
            ..UserCounts::default()
        };
    }
}

fn run(change: impl Fn(&mut Tick, &mut u64)) -> Findings {
    let plan = Plan::parse(PLAN, "plan.yaml").expect("a valid plan");
    Run::start(&plan, RunKind::Run, Some(10), 0)
        .seconds_with(10, change)
        .findings()
}

fn judged(findings: &Findings) -> Vec<(Option<bool>, Option<f64>)> {
    findings.objectives.iter().map(|of| (of.passed, of.observed)).collect()
}

#[test]
fn users_who_fail_at_any_request_are_a_share_of_those_whose_journey_ended() {
    let findings = run(users(8, 2));
    assert_eq!(findings.verdict, Verdict::Breached);
    let expected = [
        (Some(false), Some(0.2)),
        (Some(true), Some(0.0)),
        (Some(true), Some(0.05)),
    ];
    assert_eq!(judged(&findings), expected);
    // Of Wilson, for 20 of 100, 0 of 300 and 20 of 400.
    let ends = [(0.1334, 0.2888), (0.0, 0.0126), (0.0326, 0.0759)];
    for (objective, (low, high)) in findings.objectives.iter().zip(ends) {
        let found = objective.interval.expect("an interval");
        assert!(
            (found.low - low).abs() < 1e-4 && (found.high - high).abs() < 1e-4,
            "{found:?}"
        );
    }
}

#[test]
fn none_of_many_forgives_no_user() {
    let findings = run(|tick, cpu_ns| {
        users(8, 0)(tick, cpu_ns);
        if tick.index == 4 {
            tick.requests[2].users.failed = 1;
            tick.counters.users.failed = 1;
        }
    });
    assert_eq!(
        judged(&findings).iter().map(|of| of.0).collect::<Vec<_>>(),
        [Some(true), Some(false), Some(true)]
    );
}

#[test]
fn share_of_nobody_is_not_judged() {
    let findings = run(|_, _| {});
    assert_eq!(findings.verdict, Verdict::Unjudged);
    for objective in &findings.objectives {
        assert_eq!(
            (objective.passed, objective.observed, objective.interval),
            (None, None, None)
        );
        assert_eq!(objective.unjudged_because, Some(Unjudged::NoJourneyEnded));
    }
}

/// Only the first 63 of so many requests are counted apart.
#[test]
fn who_fails_behind_the_requests_that_are_apart_is_not_on_the_way() {
    let requests: String = (0..70)
        .map(|place| format!("request: {{ path: /{place} }}, "))
        .collect();
    let plan = format!(
        "target: http://h/\nscenario: {{ journeys: [{{ name: long, actions: [{requests}] }}, {{ actions: [request: {{ path: /b }}] }}] }}\n"
    );
    let plan = Plan::parse(&plan, "plan.yaml").expect("a valid plan");
    let findings = Run::start(&plan, RunKind::Run, Some(10), 0)
        .seconds_with(10, |tick, _| {
            tick.requests = vec![Counters::default(); 64];
            tick.durations.requests = vec![Default::default(); 64];
            let (first, last) = (0, 63);
            let begun = &mut tick.requests[first].users;
            (begun.started, begun.finished, begun.ended_early) = (10, 7, 2);
            // Of which the other journey has three.
            tick.requests[last].users.failed = 5;
        })
        .findings();
    let [long] = findings.journeys.as_slice() else {
        panic!("one journey begins with a request that is apart")
    };
    let counts = (long.started, long.finished, long.failed, long.under_way);
    assert_eq!(counts, (100, 70, 20, 10));
}
