//! What a run asks a target agent, and what that replies.

use crate::relayed::Relayed;
use crate::trouble::Trouble;
use plimsoll_fleet::Refusal;
use plimsoll_measure::TargetSample;
use plimsoll_target::ProbeMode;
use serde::{Deserialize, Serialize};

/// What is to be done with the service.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub(crate) enum Question {
    /// Start it, and wait until it is ready.
    Start(Start),
    /// Watch it from now on.
    Prepare,
    /// A tick is over: what was said of it since the last one, and what does it use?
    Tick {
        /// The tick counts.
        is_judged: bool,
    },
    /// What does it use?
    Sample,
    /// Hand over what was watched.
    End,
    /// Does it still listen, and nobody else?
    CheckPort,
    /// Stop it.
    Stop {
        /// The user does not want to wait.
        is_urgent: bool,
    },
}

/// How it is started. What is started, the configuration of the target agent says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Start {
    /// Where the load goes: its scheme, host and port.
    pub(crate) origin: String,
    /// Ports of its host to which connections go as well.
    pub(crate) ports: Vec<u16>,
    /// What the probe does in it.
    pub(crate) watching: Option<Watching>,
    /// The probe tells the delays of its event loop, whatever else it does.
    pub(crate) tells_loop_delays: bool,
    /// It is asked now and then what it keeps, for a load that is judged for so long, ns.
    pub(crate) collections_ns: Option<u64>,
    /// Source maps that packages ship are used.
    pub(crate) package_maps: bool,
    /// It is one of several machines with the service, whose processes are told apart.
    pub(crate) is_one_of_several: bool,
}

/// What the probe does in a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Watching {
    /// It counts.
    Counters,
    /// It profiles.
    Profile,
    /// It says what the service keeps.
    Memory,
    /// It tells the delays of the event loop.
    Loop,
}

impl Watching {
    /// As the probe calls it.
    pub(crate) const fn mode(self) -> ProbeMode {
        match self {
            Self::Counters => ProbeMode::Counters,
            Self::Profile => ProbeMode::Profile,
            Self::Memory => ProbeMode::Memory,
            Self::Loop => ProbeMode::Loop,
        }
    }
}

/// What came of it. Times are those of the clock of the target agent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Reply {
    /// It could not be done.
    pub(crate) refusal: Option<Refusal>,
    /// What the service uses.
    pub(crate) sample: Option<TargetSample>,
    /// What was kept of it.
    pub(crate) said: Vec<Relayed>,
    /// Its instances.
    pub(crate) instances: Vec<Relayed>,
    /// Its neighbours.
    pub(crate) beside: Vec<Relayed>,
    /// Something went wrong …
    pub(crate) trouble: Option<Trouble>,
    /// … and what.
    pub(crate) told: Vec<Relayed>,
}
