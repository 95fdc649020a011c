//! How many agents make a fleet, and how long they are waited for.

use crate::invariants::about;
use plimsoll_fleet::{
    AboutTarget, AgentId, Coordinator, FleetSize, FromAgent, FromTarget, HoldStage, Holder, RunId, Said, Stage,
    TargetSaid,
};
use std::ops::Range;

const MS: u64 = 1_000_000;

/// What becomes of a fleet whose agents respond at these times, and after how long, ms.
fn gathered_of(wanted: Option<u32>, least: Option<u32>, there_ms: &[Range<u64>]) -> (Stage, usize, u64) {
    let run = RunId::new(1);
    let mut coordinator = Coordinator::new(run.clone(), "1", FleetSize { wanted, least }, 0);
    for now_ms in (0..=60_000).step_by(100) {
        for (number, _) in there_ms.iter().enumerate().filter(|(_, there)| there.contains(&now_ms)) {
            let hello = FromAgent {
                agent: AgentId::new("a", number as u64),
                run: run.clone(),
                said: Said::Hello(about()),
            };
            coordinator.receive(now_ms * MS, hello);
        }
        coordinator.poll(now_ms * MS);
        if coordinator.stage() != Stage::Gathering {
            return (coordinator.stage(), coordinator.members().len(), now_ms);
        }
    }
    panic!("it gathers for more than a minute");
}

/// The same of agents that come at these times, and stay.
fn gathered(wanted: Option<u32>, least: Option<u32>, come_ms: &[u64]) -> (Stage, usize, u64) {
    let there_ms: Vec<_> = come_ms.iter().map(|come_ms| *come_ms..u64::MAX).collect();
    gathered_of(wanted, least, &there_ms)
}

#[test]
fn agent_that_has_ended_meanwhile_is_not_one_of_the_fleet() {
    use Stage::{Failed, Formed};
    const STAYS: u64 = u64::MAX;
    for (wanted, there_ms, expected) in [
        // The first one is started again, under another number.
        (2, &[100..1000, 5000..STAYS, 6000..STAYS][..], (Formed, 2, 6000)),
        (3, &[100..1000, 5000..STAYS, 6000..STAYS], (Failed, 0, 30_000)),
        // A few replies may be lost.
        (2, &[100..1000, 3000..STAYS], (Formed, 2, 3000)),
    ] {
        assert_eq!(
            gathered_of(Some(wanted), None, there_ms),
            expected,
            "{wanted} {there_ms:?}"
        );
    }
}

#[test]
fn agents_are_waited_for_as_long_as_they_are_wanted() {
    use Stage::{Failed, Formed};
    for (wanted, least, come_ms, expected) in [
        // All that are there, after the time to respond.
        (None, None, &[100, 200][..], (Formed, 2, 1500)),
        (None, None, &[], (Failed, 0, 4500)),
        // No more than are wanted, as soon as they are there.
        (Some(2), None, &[100, 200, 200], (Formed, 2, 200)),
        (Some(3), None, &[100, 200], (Failed, 0, 30_000)),
        // Those who are wanted are waited for, though fewer would do.
        (Some(3), Some(2), &[100, 200, 5000], (Formed, 3, 5000)),
        (Some(3), Some(2), &[100, 200], (Formed, 2, 30_000)),
        (Some(3), Some(2), &[100], (Failed, 0, 30_000)),
        // All that are there, once they are enough.
        (None, Some(2), &[100, 200, 300], (Formed, 3, 1500)),
        (None, Some(3), &[100, 200, 5000], (Formed, 3, 5000)),
        (None, Some(3), &[100, 200], (Failed, 0, 30_000)),
    ] {
        assert_eq!(
            gathered(wanted, least, come_ms),
            expected,
            "{wanted:?} {least:?} {come_ms:?}"
        );
    }
}

/// After how long nobody waits any more for the service `shop`, ms, where one agent says this of itself.
fn given_up(about: Option<&AboutTarget>, wanted: Option<u32>) -> u64 {
    let run = RunId::new(1);
    let mut holder = Holder::new(run.clone(), "1", "shop", wanted, 0);
    for now_ms in (0..=60_000).step_by(100) {
        if let Some(about) = about {
            holder.receive(
                now_ms * MS,
                FromTarget {
                    agent: AgentId::new("box", 1),
                    run: run.clone(),
                    said: TargetSaid::Hello(about.clone()),
                },
            );
        }
        holder.poll(now_ms * MS);
        if holder.stage() != HoldStage::Gathering {
            assert_eq!(holder.stage(), HoldStage::Failed);
            return now_ms;
        }
    }
    panic!("it gathers for more than a minute");
}

#[test]
fn service_that_agents_will_not_have_is_not_waited_for() {
    let about = |version: &str, service: &str, busy| AboutTarget {
        version: version.to_owned(),
        services: vec![service.to_owned()],
        busy,
        ..AboutTarget::default()
    };
    for (there, wanted, expected_ms) in [
        (Some(about("1", "bakery", false)), None, 1500),
        (Some(about("1", "bakery", true)), None, 1500),
        // This one is soon free, and that one perhaps of the version of the run.
        (Some(about("1", "shop", true)), None, 4500),
        (Some(about("2", "bakery", false)), None, 4500),
        (None, None, 4500),
        // Others may still come.
        (Some(about("1", "bakery", false)), Some(1), 30_000),
    ] {
        let said = format!("{there:?} {wanted:?}");
        assert_eq!(given_up(there.as_ref(), wanted), expected_ms, "{said}");
    }
}
