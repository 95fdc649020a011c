//! What a coordinator knows of one of its agents.

use crate::clock::TheirClock;
use crate::fault::What;
use crate::ids::AgentId;
use crate::message::{About, Ended};

/// One agent of a fleet.
#[derive(Debug, Clone)]
pub struct Member {
    /// Which.
    pub id: AgentId,
    /// What it said of itself.
    pub about: About,
    pub(crate) clock: TheirClock,
    /// Responses to pings since they were last wanted.
    pub(crate) pongs: u32,
    pub(crate) heard_ns: u64,
    /// It has done what it was last asked for.
    pub(crate) answered: bool,
    /// What went wrong with it.
    pub(crate) fault: Option<What>,
    pub(crate) in_step: InStep,
}

/// An agent in the step that runs.
#[derive(Debug, Clone, Default)]
pub(crate) struct InStep {
    /// The beginning of the run by its clock, ns; fixed for a step, so that ticks of all agents begin together.
    pub(crate) zero_ns: u64,
    pub(crate) begun: bool,
    /// So many ticks there are, as it says.
    pub(crate) ticks: u32,
    /// So many had come when that was looked at last, and since when, ns.
    pub(crate) came: (u32, u64),
    pub(crate) ended: Option<Ended>,
    /// So many requests began, as it said at its end.
    pub(crate) started: u64,
    /// Until when it may send, by our clock, ns.
    pub(crate) lease_ns: u64,
}

impl Member {
    pub(crate) fn new(id: AgentId, about: About, now_ns: u64) -> Self {
        Self {
            id,
            about,
            clock: TheirClock::default(),
            pongs: 0,
            heard_ns: now_ns,
            answered: false,
            fault: None,
            in_step: InStep::default(),
        }
    }

    /// How exactly its clock is known, ns.
    #[must_use]
    pub fn clock_error_ns(&self, now_ns: u64) -> Option<u64> {
        self.clock.error_ns(now_ns)
    }
}
