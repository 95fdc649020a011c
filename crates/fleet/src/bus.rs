//! What carries messages between a coordinator and its agents.

use crate::ids::{AgentId, RunId};
use std::fmt::Debug;
use std::time::Duration;

/// Where a message goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// Every agent.
    Agents,
    /// One agent.
    Agent(AgentId),
    /// The coordinator of a run.
    Coordinator(RunId),
}

/// Carries messages, each at most once or several times, in any order, or not at all. Those that are taken in come from the addresses that
/// it was [dialled](Dial) for.
pub trait Bus: Send {
    /// Sends a message, which may be lost.
    ///
    /// # Errors
    /// When it can carry nothing any more, or not this.
    fn send(&mut self, to: &Address, message: Vec<u8>) -> Result<(), BusError>;

    /// The next message that comes within this time.
    ///
    /// # Errors
    /// When none will ever come again.
    fn receive(&mut self, within: Duration) -> Result<Option<Vec<u8>>, BusError>;
}

/// Connects to a bus.
pub trait Dial: Debug + Send + Sync {
    /// A bus that takes in what goes to these addresses.
    ///
    /// # Errors
    /// When it cannot be reached.
    fn dial(&self, listens: &[Address]) -> Result<Box<dyn Bus>, BusError>;

    /// Where it is, for people; without secrets.
    fn place(&self) -> String;
}

/// Why a bus does not carry messages. The text fits after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{failed}: {found}")]
pub struct BusError {
    /// What was to be done.
    pub failed: String,
    /// What was found.
    pub found: String,
    /// What to do about it.
    pub hint: Option<String>,
}
