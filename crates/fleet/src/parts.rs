//! The ticks of all agents, merged into one stream: each part counts once, however often it comes.

use plimsoll_measure::{Counters, Durations, Tick, Timing};
use std::collections::{BTreeMap, BTreeSet};

/// Parts of ticks that have come.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// The tick that is handed on next.
    next: u32,
    /// What has come of ticks that are not handed on yet, by tick and agent.
    open: BTreeMap<u32, BTreeMap<usize, Box<Tick>>>,
    members: Vec<Taken>,
}

/// What has come of one agent.
#[derive(Debug, Clone, Default)]
struct Taken {
    /// All ticks before this one.
    up_to: u32,
    /// Ticks behind it.
    beyond: BTreeSet<u32>,
    /// So many there are, once that is known.
    of: Option<u32>,
    /// Requests that began in them.
    started: u64,
}

impl Parts {
    /// None yet, of so many agents.
    pub(crate) fn of(members: usize) -> Self {
        Self {
            members: vec![Taken::default(); members],
            ..Self::default()
        }
    }

    /// The same of a step of which all ticks before `from` have been handed on.
    pub(crate) fn behind(members: usize, from: u32) -> Self {
        let taken = Taken {
            up_to: from,
            ..Taken::default()
        };
        Self {
            next: from,
            open: BTreeMap::new(),
            members: vec![taken; members],
        }
    }

    /// An agent has no tick before this one, and never will.
    pub(crate) fn begins(&mut self, member: usize, first: u32) {
        let taken = &mut self.members[member];
        taken.up_to = taken.up_to.max(first);
    }

    /// Takes in what an agent saw; returns whether it is new.
    pub(crate) fn take(&mut self, member: usize, mut tick: Box<Tick>) -> bool {
        let (taken, index) = (&mut self.members[member], tick.index);
        if index < taken.up_to || !taken.beyond.insert(index) {
            return false;
        }
        while taken.beyond.remove(&taken.up_to) {
            taken.up_to += 1;
        }
        taken.started = taken.started.saturating_add(tick.counters.scheduled);
        let agent = u16::try_from(member).ok();
        tick.generator.shards.iter_mut().for_each(|shard| shard.agent = agent);
        self.open.entry(index).or_default().insert(member, tick);
        true
    }

    /// An agent has no more than so many ticks.
    pub(crate) fn ends(&mut self, member: usize, ticks: u32) {
        self.members[member].of = Some(ticks);
    }

    /// So many ticks of an agent have come, from the first one on.
    pub(crate) fn kept(&self, member: usize) -> u32 {
        self.members[member].up_to
    }

    /// Requests that began in what has come of an agent.
    pub(crate) fn started(&self, member: usize) -> u64 {
        self.members[member].started
    }

    /// Whether everything of an agent has come.
    pub(crate) fn is_whole(&self, member: usize) -> bool {
        let taken = &self.members[member];
        taken.of == Some(taken.up_to)
    }

    /// The next tick, once all agents that have a part of it have handed it in.
    pub(crate) fn next_whole(&mut self) -> Option<Tick> {
        let parts = self.open.get(&self.next)?;
        let has_its_part = |(member, taken): (usize, &Taken)| {
            parts.contains_key(&member) || taken.of.is_some_and(|ticks| ticks <= self.next)
        };
        if !self.members.iter().enumerate().all(has_its_part) {
            return None;
        }
        let parts = self.open.remove(&self.next)?;
        self.next += 1;
        merged(parts, self.members.len())
    }

    /// What is left, in order: ticks of which parts are missing.
    pub(crate) fn rest(&mut self) -> Vec<Tick> {
        let parts = std::mem::take(&mut self.open).into_values();
        parts.filter_map(|parts| merged(parts, self.members.len())).collect()
    }
}

/// As shards are merged, in the order of so many agents, with what each of several saw.
fn merged(parts: BTreeMap<usize, Box<Tick>>, members: usize) -> Option<Tick> {
    let places = if members > 1 { members } else { 0 };
    let (mut agents, mut seen) = (vec![Counters::default(); places], vec![Durations::default(); places]);
    let mut whole: Option<Tick> = None;
    for (member, mut part) in parts {
        match &mut whole {
            Some(whole) => whole.merge(&part),
            None => whole = Some(Tick::clone(&part)),
        }
        if members > 1 {
            agents[member] = part.counters;
            seen[member][Timing::ResponseTime] = std::mem::take(&mut part.durations[Timing::ResponseTime]);
        }
    }
    let mut whole = whole?;
    (whole.agents, whole.durations.agents) = (agents, seen);
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(index: u32, scheduled: u64) -> Box<Tick> {
        let mut tick = Tick {
            index,
            start_ns: u64::from(index) * 1000,
            duration_ns: 1000,
            ..Tick::default()
        };
        tick.counters.scheduled = scheduled;
        (0..scheduled).for_each(|ns| tick.durations[Timing::ResponseTime].record(ns));
        Box::new(tick)
    }

    fn scheduled(parts: &mut Parts) -> Option<u64> {
        parts.next_whole().map(|tick| tick.counters.scheduled)
    }

    #[test]
    fn tick_of_all_agents_is_handed_on_once_and_in_order() {
        let mut parts = Parts::of(2);
        assert!(parts.take(0, tick(1, 3)));
        assert!(parts.take(1, tick(0, 5)));
        assert_eq!(scheduled(&mut parts), None);
        assert!(parts.take(0, tick(0, 7)));
        assert!(!parts.take(0, tick(0, 7)), "it has come before");
        assert!(!parts.take(0, tick(1, 9)), "it has come before, whatever it says now");
        assert_eq!(scheduled(&mut parts), Some(12));
        assert_eq!(scheduled(&mut parts), None);
        assert_eq!((parts.kept(0), parts.kept(1)), (2, 1));
        assert!(!parts.take(0, tick(0, 7)), "it has been handed on");
        parts.ends(1, 1);
        assert_eq!(scheduled(&mut parts), Some(3), "the other has none of it");
        parts.ends(0, 2);
        assert!(parts.is_whole(0) && parts.is_whole(1));
        assert_eq!(parts.rest(), []);
        assert_eq!((parts.started(0), parts.started(1)), (10, 5));
    }

    #[test]
    fn tick_without_all_parts_is_left_to_the_end() {
        let mut parts = Parts::of(2);
        parts.take(0, tick(0, 1));
        parts.take(0, tick(1, 2));
        parts.take(1, tick(1, 4));
        assert_eq!(scheduled(&mut parts), None);
        let rest: Vec<_> = parts.rest().iter().map(|tick| tick.counters.scheduled).collect();
        assert_eq!(rest, [1, 6]);
        assert_eq!(parts.kept(1), 0, "its first one is still missing");
    }

    #[test]
    fn merged_durations_are_those_of_all_agents() {
        let mut parts = Parts::of(3);
        let mut whole = Tick::default();
        for member in 0..3 {
            let part = tick(0, 100 * (member as u64 + 1));
            whole.durations.merge(&part.durations);
            parts.take(member, part);
        }
        let merged = parts.next_whole().expect("all have come");
        assert_eq!(merged.durations.all, whole.durations.all);
        let of_each = merged
            .durations
            .agents
            .iter()
            .map(|seen| seen[Timing::ResponseTime].count());
        assert_eq!(of_each.collect::<Vec<_>>(), [100, 200, 300]);
        let scheduled = merged.agents.iter().map(|counters| counters.scheduled);
        assert_eq!(scheduled.collect::<Vec<_>>(), [100, 200, 300]);
    }
}
