//! Load that other machines make: the coordinator of a run, and the agent on another machine.

mod agents;
mod local;
mod ready;
mod serve;
mod up;
mod work;

pub use local::{BROKER_VARIABLE, LocalOptions};
pub use plimsoll_fleet::{AllowList, BusError, Dial, FleetSize, NoAllowance, is_name};
pub use serve::{AgentEvent, AgentOptions, serve};
pub use up::up;

pub(crate) use agents::{Fleet, FleetStep};

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

/// A number that nobody else draws.
fn drawn() -> u64 {
    RandomState::new().build_hasher().finish()
}
