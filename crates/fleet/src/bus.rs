//! What carries messages between a run and agents.

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
    /// The coordinator of a run, from an agent: a broker lets nobody speak for another one.
    Coordinator {
        /// Whose coordinator.
        run: RunId,
        /// Who speaks.
        from: AgentId,
    },
    /// Every target agent.
    Targets,
    /// One target agent.
    Target(AgentId),
    /// The holder of the service of a run, from a target agent.
    Holder {
        /// Of which run.
        run: RunId,
        /// Who speaks.
        from: AgentId,
    },
}

/// Who takes messages in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listener {
    /// An agent: what goes to every agent, and to this one.
    Agent(AgentId),
    /// The coordinator of a run: what any agent says to it.
    Coordinator(RunId),
    /// A target agent: what goes to every one, and to this one.
    Target(AgentId),
    /// The holder of the service of a run: what any target agent says to it.
    Holder(RunId),
}

/// A message that has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Where it went.
    pub to: Address,
    /// What it says.
    pub message: Vec<u8>,
}

/// Carries messages, each at most once or several times, in any order, or not at all. Those are taken in that go to whom it was
/// [dialled](Dial) for.
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
    fn receive(&mut self, within: Duration) -> Result<Option<Delivery>, BusError>;
}

/// Connects to a bus.
pub trait Dial: Debug + Send + Sync {
    /// A bus that takes in what goes to this listener.
    ///
    /// # Errors
    /// When it cannot be reached.
    fn dial(&self, listener: &Listener) -> Result<Box<dyn Bus>, BusError>;

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
