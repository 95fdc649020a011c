//! What an objective is about.

use plimsoll_measure::AgentHost;
use plimsoll_plan::Objective;
use std::collections::BTreeSet;
use std::ops::Range;

/// A zone of a fleet that objectives are about.
#[derive(Debug, Clone)]
pub(crate) struct JudgedZone {
    pub(crate) name: String,
    /// Its agents, by their places.
    pub(crate) agents: Vec<usize>,
}

impl JudgedZone {
    /// Those of objectives, with all agents that there are.
    pub(crate) fn of(objectives: &[Objective], agents: &[AgentHost]) -> Vec<Self> {
        let names: BTreeSet<&String> = objectives
            .iter()
            .filter_map(|objective| objective.zone.as_ref())
            .collect();
        let zone = |name: &String| {
            let its_own = agents
                .iter()
                .enumerate()
                .filter(|(_, agent)| agent.zone.as_ref() == Some(name));
            Self {
                name: name.clone(),
                agents: its_own.map(|(place, _)| place).collect(),
            }
        };
        names.into_iter().map(zone).collect()
    }
}

/// What an objective is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum About {
    /// All requests.
    All,
    /// The request with this place, or the journey whose requests have these places.
    Requests(Range<usize>),
    /// What the agents of a zone saw, by its place among those that objectives are about.
    Zone(usize),
}
