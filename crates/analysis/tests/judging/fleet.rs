//! Runs whose load several agents made.

use super::instances::process;
use super::neighbours::with_redis;
use super::run::{Run, SECOND_NS, cpu, finish, first_step, p99, plan, plan_with};
use plimsoll_findings::{Headline, NextStep, Notice, SeenFinding, Unjudged, Verdict};
use plimsoll_measure::{Counters, Durations, ErrorClass, NoteKind, RunKind, ShardLoad, StepStart, Tick, Timing};
use plimsoll_plan::{HoldLoad, Limit, Load, Park, Rate, Share};
use std::time::Duration;

#[test]
fn run_that_lost_an_agent_is_invalid_whatever_it_saw() {
    let run = Run::of_fleet(&plan(&[p99(100)]), &["a", "b"]).seconds(10);
    let lost = run.note(NoteKind::AgentLost, "agent b was not heard for 3.0 s");
    let findings = lost.end(true).findings();
    assert_eq!(
        (findings.verdict, findings.headline, findings.next_step),
        (Verdict::Invalid, Headline::AgentLost, NextStep::SeeAgents)
    );
    let is_said = |notice: &Notice| matches!(notice, Notice::AgentLost(noted) if noted.said.contains("agent b"));
    assert!(findings.notices.iter().any(is_said));
}

#[test]
fn agents_have_their_own_lateness_and_busy_share() {
    let run = Run::of_fleet(&plan(&[p99(100)]), &["a", "b", "c"]).seconds_with(10, |tick, _| {
        let shard = |agent, busy_ms: u64, late_us: u64| ShardLoad {
            agent: Some(agent),
            cpu_ns: busy_ms * 1_000_000,
            elapsed_ns: 1_000_000_000,
            wake_lag_p99_ns: late_us * 1_000,
            ..ShardLoad::default()
        };
        // One that no fleet has is passed over.
        tick.generator.shards = vec![
            shard(0, 100, 50),
            shard(1, 200, 60),
            shard(1, 300, 70),
            shard(u16::MAX, 1, 1),
        ];
    });
    let findings = run.findings();
    let seen: Vec<_> = findings.generator.agents.iter().collect();
    let of = |place: usize| {
        let agent = seen[place];
        (
            agent.name.as_str(),
            agent.cores,
            agent.shards,
            agent.busy_share_max,
            agent.wake_lag_p99_ms,
        )
    };
    assert_eq!(of(0), ("a", 4, 1, Some(0.1), Some(0.05)));
    assert_eq!(of(1), ("b", 4, 2, Some(0.3), Some(0.07)));
    // It made nothing that was judged.
    assert_eq!(of(2), ("c", 4, 0, None, None));
}

/// Two agents in one zone are as one that saw what both saw; the merged percentiles are those of all their responses.
#[test]
fn what_zones_saw_is_what_their_agents_saw() {
    let agents = ["a@west", "b@east", "c@west", "d"];
    let run = Run::of_fleet(&plan(&[p99(100)]), &agents).seconds_with(10, |tick, _| {
        tick.agents = vec![Counters::default(); agents.len()];
        tick.durations.agents = vec![Durations::default(); agents.len()];
        for (place, ms) in [1_u64, 50, 9, 3].into_iter().enumerate() {
            for _ in 0..10 {
                tick.durations.agents[place][Timing::ResponseTime].record(ms * 1_000_000);
            }
            tick.agents[place].passed = 10;
        }
        tick.agents[1].passed = 6;
        tick.agents[1].errors.add(ErrorClass::Reset, 4);
    });
    let findings = run.findings();
    let shown = |seen: &SeenFinding| {
        let ms = |ms: Option<f64>| ms.map(f64::round);
        let times = &seen.response_time;
        (times.count, ms(times.p50_ms), ms(times.max_ms), seen.error_share)
    };
    let zones = findings.generator.zones.iter();
    let zones: Vec<_> = zones
        .map(|zone| (zone.name.as_str(), zone.agents, shown(&zone.seen)))
        .collect();
    assert_eq!(
        zones,
        [
            ("west", 2, (200, Some(1.0), Some(9.0), Some(0.0))),
            ("east", 1, (100, Some(50.0), Some(50.0), Some(0.4))),
        ]
    );
    let of = |place: usize| &findings.generator.agents[place];
    assert_eq!((of(1).zone.as_deref(), of(3).zone.as_deref()), (Some("east"), None));
    let d = of(3).seen.as_ref().map(shown);
    assert_eq!(d, Some((100, Some(3.0), Some(3.0), Some(0.0))));
}

/// Objectives about a zone are judged by what its agents saw, however well the others do; one about a zone that nobody is in is not judged.
#[test]
fn objective_of_a_zone_is_judged_by_its_agents() {
    let agents = ["a@west", "b@east", "c@west"];
    let objectives = [
        "zone west p99 <= 20ms",
        "zone east p99 <= 20ms",
        "zone east errors <= 50%",
        "zone west errors = 0",
        "zone south p99 <= 20ms",
        "p50 <= 20ms",
    ];
    let objectives = objectives.map(|text| text.parse().expect("an objective"));
    let run = Run::of_fleet(&plan(&objectives), &agents).seconds_with(10, |tick, _| {
        tick.agents = vec![Counters::default(); agents.len()];
        tick.durations.agents = vec![Durations::default(); agents.len()];
        for (place, ms) in [1_u64, 50, 9].into_iter().enumerate() {
            for _ in 0..10 {
                tick.durations.agents[place][Timing::ResponseTime].record(ms * 1_000_000);
                tick.durations[Timing::ResponseTime].record(ms * 1_000_000);
            }
            tick.agents[place].passed = 10;
        }
        tick.agents[1].passed = 6;
        tick.agents[1].errors.add(ErrorClass::Reset, 4);
    });
    let findings = run.findings();
    let judged: Vec<_> = findings
        .objectives
        .iter()
        .map(|judged| {
            (
                judged.passed,
                judged.observed.map(|value| (value * 10.0).round() / 10.0),
                judged.windows_judged,
            )
        })
        .collect();
    let windows = judged[0].2;
    assert_eq!(
        judged,
        [
            (Some(true), Some(9.0), windows),
            (Some(false), Some(50.0), windows),
            (Some(true), Some(0.4), windows),
            (Some(true), Some(0.0), windows),
            (None, None, 0),
            (Some(true), Some(5.0), windows),
        ]
    );
    assert!(windows > 0);
}

/// A fleet of one agent is all that there is of its zone.
#[test]
fn objective_of_a_zone_with_the_only_agent_is_about_all() {
    let objectives =
        ["zone west p99 <= 100ms", "zone east p99 <= 100ms"].map(|text| text.parse().expect("an objective"));
    let findings = Run::of_fleet(&plan(&objectives), &["a@west"]).seconds(10).findings();
    let passed: Vec<_> = findings.objectives.iter().map(|judged| judged.passed).collect();
    assert_eq!(passed, [Some(true), None]);
}

/// So long agents take to get ready, ns.
const READY_NS: u64 = SECOND_NS / 2;

/// The step begins at 0; the agents get ready, and their load begins at 0.5 s. The first 0.3 s of it are not judged.
#[test]
fn warm_up_is_of_the_load_of_agents_that_were_not_ready_at_once() {
    for first_ms in [300, 1000] {
        let warm_up = StepStart {
            warm_up_ns: first_ms * 1_000_000,
            ..first_step(Some(3), 0)
        };
        let findings = Run::start_with(&plan(&[p99(100)]), RunKind::Run, warm_up)
            .ready_after(READY_NS)
            .tick_of(first_ms * 1_000_000, |tick, _| finish(tick, 100, 900))
            .seconds(2)
            .findings();
        assert_eq!(findings.verdict, Verdict::Passed);
        let judged: Vec<_> = findings.timeline.iter().map(|second| second.judged).collect();
        assert_eq!(judged, [false, true, true]);
        assert!(findings.response_time.max_ms.is_some_and(|ms| ms < 6.0));
    }
}

/// A service that is idle until its load begins, and then busy for nine tenths of the time, with what runs beside it.
#[test]
fn cpu_before_the_load_of_agents_is_not_that_of_its_first_window() {
    let alone = || Run::start(&plan(&[cpu(80)]), RunKind::Run, Some(3), 0).ready_after(READY_NS);
    let busy = |_: &mut Tick, cpu_ns: &mut u64| *cpu_ns = SECOND_NS * 9 / 10;
    let findings = alone().seconds_with(3, busy).findings();
    let objective = &findings.objectives[0];
    assert_eq!((objective.observed, objective.passed), (Some(0.9), Some(false)));
    assert_eq!(
        findings.target_resources.map(|used| used.cpu_us_per_request),
        Some(Some(9_000.0))
    );
    let seconds: Vec<_> = findings.timeline.iter().map(|second| second.cpu_share).collect();
    assert_eq!(seconds, [None, Some(0.9), Some(0.9)]);

    let beside = with_redis(&plan(&[p99(100)]));
    let beside = Run::start(&beside, RunKind::Run, Some(3), 0).beside("redis", 0.6, false);
    let findings = beside.ready_after(READY_NS).seconds(3).findings();
    let used = findings.neighbours[0].resources.as_ref().expect("sampled");
    assert_eq!((used.cpu_share, used.cpu_us_per_request), (0.6, Some(6_000.0)));

    let instances = [10, 11].map(|pid| (process(pid, "server.js", false), 0.9));
    let cluster = Run::start(&plan(&[cpu(80)]), RunKind::Run, Some(3), 0).wide(2, 4);
    let cluster = cluster.instances(instances.to_vec()).ready_after(READY_NS);
    let findings = cluster
        .seconds_with(3, |_, cpu_ns| *cpu_ns = SECOND_NS * 9 / 5)
        .findings();
    assert_eq!(findings.objectives[0].observed, Some(0.9));

    let one_window = alone().seconds_with(1, busy).findings();
    assert_eq!(one_window.objectives[0].unjudged_because, Some(Unjudged::ShortWindows));
}

/// Ten connections are due within a second of the first tick, before which the agents needed two.
#[test]
fn connections_are_due_from_the_first_tick_on() {
    let held = Limit::Held {
        min: Share::percent(100),
    };
    let hold = HoldLoad {
        connections: 10,
        pace: Rate::per_s(10),
        duration: Duration::from_secs(3),
        park: Park::Request,
        ping: None,
        ports: Vec::new(),
    };
    let step = StepStart {
        connections: Some(10),
        rate_micro_per_s: None,
        ..first_step(Some(4), 0)
    };
    let findings = Run::start_with(&plan_with(Load::Hold(hold), &[held.into()]), RunKind::Hold, step)
        .ready_after(2 * SECOND_NS)
        .seconds_with(4, |tick, _| {
            finish(tick, 0, 0);
            tick.counters.connections_opened = if tick.index < 2 { 5 } else { 0 };
            tick.gauges.connections = if tick.index == 0 { 5 } else { 10 };
        })
        .findings();
    assert_eq!(findings.objectives[0].passed, Some(true), "{:?}", findings.objectives);
}
