//! Runs whose load several agents made.

use super::run::{Run, p99, plan};
use plimsoll_findings::{Headline, NextStep, Notice, Verdict};
use plimsoll_measure::{NoteKind, ShardLoad};

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
