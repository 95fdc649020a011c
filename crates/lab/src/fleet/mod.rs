//! Load that other machines make: the coordinator of a run, and the agent on another machine.

mod agents;
mod ready;
mod serve;
mod work;

pub use plimsoll_fleet::{AllowList, Dial, NoAllowance};
pub use serve::{AgentEvent, AgentOptions, serve};

pub(crate) use agents::{Fleet, FleetStep};

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::sync::Arc;

/// The fleet that a run is made with.
#[derive(Debug, Clone)]
pub struct FleetOptions {
    /// Its bus.
    pub dial: Arc<dyn Dial>,
    /// So many agents; `None` is all that are there.
    pub agents: Option<u32>,
}

/// A number that nobody else draws.
fn drawn() -> u64 {
    RandomState::new().build_hasher().finish()
}
