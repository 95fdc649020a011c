//! Load that other machines make: the coordinator of a run, and the agent on another machine.

mod agents;
mod hosted;
mod local;
mod ready;
mod resume;
mod serve;
mod up;
mod versions;
mod work;

pub use hosted::{HostedService, TargetEvent, TargetOptions, serve_targets};
pub use local::{LocalOptions, LocalTarget};
pub use plimsoll_fleet::{AllowList, BusError, Dial, FleetSize, NoAllowance, is_name};
pub use plimsoll_target::BROKER_VARIABLE;
pub use resume::resume;
pub use serve::{AgentEvent, AgentOptions, serve};
pub use up::{LocalEvent, up};
pub use versions::Served;

pub(crate) use agents::{Fleet, FleetStep};
pub(crate) use hosted::{Start, There, Watching};

use crate::error::LabError;
use plimsoll_measure::AgentHost;
use plimsoll_plan::{Objective, Plan};
use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::Arc;

/// The fleet that a run is made with.
#[derive(Debug, Clone)]
pub enum FleetOptions {
    /// Agents that are there.
    On {
        /// Their bus.
        dial: Arc<dyn Dial>,
        /// How many of them.
        size: FleetSize,
    },
    /// Agents that are started on this machine for the run.
    Local(LocalOptions),
}

impl FleetOptions {
    /// The bus of target agents.
    ///
    /// # Errors
    /// When there can be none.
    pub(crate) fn dial_of_targets(of: Option<&Self>) -> Result<&dyn Dial, LabError> {
        let found = match of {
            Some(Self::On { dial, .. }) => return Ok(dial.as_ref()),
            Some(Self::Local(_)) => "a local fleet, which has no target agents",
            None => "no fleet",
        };
        Err(LabError::Plan(format!(
            "found a service of target agents and {found}; expected the URL of their broker, as --fleet or `fleet` in the plan. \
             `plimsoll fleet up --service NAME=PLAN` starts one with both kinds of agents on this machine"
        )))
    }

    /// With these cores for the generators of agents on this machine: a plan that they get does not say which ones the service has.
    pub(crate) fn on_cores(&self, cpus: &[usize]) -> Self {
        match self {
            Self::On { .. } => self.clone(),
            Self::Local(options) => Self::Local(LocalOptions {
                cpus: cpus.to_vec(),
                ..options.clone()
            }),
        }
    }
}

/// Refuses objectives about zones in which no agent is: nobody would judge them.
pub(crate) fn zones_have_agents(plan: &Plan, agents: &[AgentHost]) -> Result<(), LabError> {
    let zones: BTreeSet<&str> = agents.iter().filter_map(|agent| agent.zone.as_deref()).collect();
    let is_missing = |objective: &&Objective| objective.zone.as_deref().is_some_and(|zone| !zones.contains(zone));
    let Some(missing) = plan.objectives().iter().find(is_missing) else {
        return Ok(());
    };
    let there = match (agents.len(), zones.is_empty()) {
        (0, _) => "no fleet".to_owned(),
        (_, true) => "agents in no zone".to_owned(),
        (_, false) => format!("agents in {}", Vec::from_iter(zones).join(", ")),
    };
    Err(LabError::Fleet {
        found: format!("found {there}, expected an agent in the zone of `{missing}`"),
        hint: Some("start one there with `plimsoll agent --zone ZONE`, or check how the zone is spelled".to_owned()),
    })
}

/// A number that nobody else draws.
fn drawn() -> u64 {
    RandomState::new().build_hasher().finish()
}
