//! What a run and target agents say to each other.
//!
//! As between a coordinator and load agents, everything may come twice, late or never, and all times are those of the agent's clock.

use crate::bus::Address;
use crate::ids::{AgentId, RunId};
use crate::message::Refusal;
use serde::{Deserialize, Serialize};

/// What a target agent is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub enum ToTarget {
    /// Who has this service?
    Call {
        /// Who wants to know.
        run: RunId,
        /// What its configuration calls it.
        service: String,
        /// The version of the run. Only agents of the same one can be had.
        #[serde(default)]
        version: String,
    },
    /// What does your clock show?
    Ping {
        /// Who wants to know.
        run: RunId,
        /// When it was sent, by the clock of the run, ns. It comes back.
        sent_ns: u64,
    },
    /// Belong to this run.
    Take {
        /// Which.
        run: RunId,
        /// For which of your services.
        service: String,
        /// Until when, ns.
        lease_ns: u64,
    },
    /// Go on.
    Renew {
        /// With which run.
        run: RunId,
        /// When it was sent, by the clock of the run, ns. It comes back.
        sent_ns: u64,
        /// Until when you belong to it, ns.
        lease_ns: u64,
    },
    /// Do this, and reply.
    Ask {
        /// For which run.
        run: RunId,
        /// What is asked is numbered from 1, and each number is done once.
        number: u64,
        /// What is to be done.
        text: String,
        /// Parts of the reply before this one have come.
        from: u32,
    },
    /// The run is over.
    Release {
        /// Which.
        run: RunId,
    },
}

impl ToTarget {
    /// Whose message it is.
    #[must_use]
    pub const fn run(&self) -> &RunId {
        match self {
            Self::Call { run, .. }
            | Self::Ping { run, .. }
            | Self::Take { run, .. }
            | Self::Renew { run, .. }
            | Self::Ask { run, .. }
            | Self::Release { run } => run,
        }
    }
}

/// What a target agent says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FromTarget {
    /// Which agent.
    pub agent: AgentId,
    /// To whom.
    pub run: RunId,
    /// What.
    #[serde(flatten)]
    pub said: TargetSaid,
}

impl FromTarget {
    /// Where it goes.
    #[must_use]
    pub fn address(&self) -> Address {
        Address::Holder {
            run: self.run.clone(),
            from: self.agent.clone(),
        }
    }
}

/// What a target agent says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "said", rename_all = "snake_case")]
pub enum TargetSaid {
    /// It is there.
    Hello(AboutTarget),
    /// What its clock shows.
    Pong {
        /// As in the ping.
        sent_ns: u64,
        /// Its clock, ns.
        agent_ns: u64,
    },
    /// It belongs to the run.
    Taken,
    /// It declines to belong to it.
    Refused(Refusal),
    /// It goes on.
    Alive {
        /// As in what it responds to.
        sent_ns: u64,
        /// Its clock, ns.
        agent_ns: u64,
        /// It still belongs to the run.
        holds: bool,
    },
    /// A part of a reply.
    Part {
        /// To what was asked by this number.
        number: u64,
        /// Which part, from 0 …
        index: u32,
        /// … of how many.
        of: u32,
        /// The part.
        text: String,
    },
    /// Nothing that it started for the run is left.
    Released,
}

/// What a target agent is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AboutTarget {
    /// Version of plimsoll.
    pub version: String,
    /// Services of its configuration.
    pub services: Vec<String>,
    /// Cores that it and its services may use.
    pub cores: u32,
    /// Processor model.
    pub cpu_model: String,
    /// Kernel.
    pub kernel: String,
    /// It belongs to another run now.
    pub busy: bool,
}
