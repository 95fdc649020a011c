//! What went wrong with an agent, so that the load was not the one that was asked for.

use crate::ids::AgentId;
use std::fmt;

/// What went wrong with an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Which.
    pub agent: AgentId,
    /// What.
    pub what: What,
}

/// What may go wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// It said nothing for too long.
    Silent {
        /// For how long, ns.
        for_ns: u64,
    },
    /// It declined.
    Refused {
        /// Why.
        why: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// It did not begin when the others did.
    DidNotBegin,
    /// It fell behind: a tick that is long over did not come.
    Behind {
        /// Which, from 0.
        tick: u32,
    },
    /// It stopped because its lease had ended.
    LeaseEnded,
    /// It could not go on.
    Failed {
        /// Why.
        why: String,
    },
    /// It did not come to the end in time.
    Endless,
    /// It said that its share is made long before that can be.
    EndedEarly {
        /// After how long, ns.
        after_ns: u64,
        /// How long its load lasts, ns.
        planned_ns: u64,
    },
    /// It made another number of requests than its share has.
    Miscounted {
        /// Requests that it made.
        made: u64,
        /// Requests of its share.
        expected: u64,
    },
    /// What it said does not fit together.
    Contradicts {
        /// How.
        how: String,
    },
}

impl Fault {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match &self.what {
            What::Refused { hint, .. } => return hint.clone(),
            What::Silent { .. } | What::LeaseEnded | What::Behind { .. } => {
                "look at its output and at the network between it and the broker; then run it again"
            }
            What::DidNotBegin | What::Endless => "look at its output; then run it again",
            What::Failed { .. } => return None,
            What::EndedEarly { .. } | What::Miscounted { .. } | What::Contradicts { .. } => {
                "make sure that it is a `plimsoll agent` that you started; if it is, that is a bug in plimsoll"
            }
        };
        Some(hint.to_owned())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "agent {} ", self.agent)?;
        match &self.what {
            What::Silent { for_ns } => write!(f, "was not heard for {:.1} s", *for_ns as f64 / 1e9),
            What::Refused { why, .. } => write!(f, "refused: {why}"),
            What::DidNotBegin => f.write_str("did not begin when the others did"),
            What::Behind { tick } => write!(f, "fell behind: its tick {tick} did not come"),
            What::LeaseEnded => f.write_str("stopped because it no longer heard the coordinator"),
            What::Failed { why } => write!(f, "could not go on: {why}"),
            What::Endless => f.write_str("did not come to the end of its share"),
            What::EndedEarly { after_ns, planned_ns } => {
                let seconds = |ns: &u64| *ns as f64 / 1e9;
                write!(
                    f,
                    "ended after {:.1} s of {:.1} s",
                    seconds(after_ns),
                    seconds(planned_ns)
                )
            }
            What::Miscounted { made, expected } => {
                write!(f, "made {made} requests, expected the {expected} of its share")
            }
            What::Contradicts { how } => write!(f, "contradicts itself: {how}"),
        }
    }
}
