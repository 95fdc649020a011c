//! What coordinator and agents say to each other.
//!
//! Everything may come twice or late, so each message names its run and its step, and saying it again changes nothing. All times are those
//! of the agent's clock: only the coordinator knows how clocks differ.

use crate::bus::Address;
use crate::ids::{AgentId, RunId};
use crate::load::SentLoad;
use plimsoll_measure::Tick;
use serde::{Deserialize, Serialize};

/// What an agent is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "snake_case")]
pub enum ToAgent {
    /// Who is there?
    Call {
        /// Who wants to know.
        run: RunId,
        /// Its version. Only agents of the same one can be had.
        #[serde(default)]
        version: String,
    },
    /// What does your clock show?
    Ping {
        /// Who wants to know.
        run: RunId,
        /// When it was sent, by the coordinator's clock, ns. It comes back.
        sent_ns: u64,
    },
    /// Get ready for this plan, and for nobody else meanwhile.
    Prepare {
        /// For whom.
        run: RunId,
        /// The plan.
        plan: SentPlan,
    },
    /// Get ready for a step.
    Arm {
        /// Of which run.
        run: RunId,
        /// What is to be done.
        set: Box<Set>,
    },
    /// Begin a step that you are ready for.
    Begin {
        /// Of which run.
        run: RunId,
        /// Which.
        step: u32,
        /// When, ns.
        at_ns: u64,
        /// Until when you may send, ns.
        lease_ns: u64,
    },
    /// Go on.
    Renew {
        /// With which run.
        run: RunId,
        /// With which step.
        step: u32,
        /// When it was sent, by the coordinator's clock, ns. It comes back.
        sent_ns: u64,
        /// Until when you may send, ns.
        lease_ns: u64,
        /// So many ticks have come, from the first one on: forget them.
        kept: u32,
    },
    /// Start nothing more, and wait for what is in flight.
    Finish {
        /// Of which run.
        run: RunId,
        /// In which step.
        step: u32,
    },
    /// Start nothing more, and leave what is in flight.
    Stop {
        /// Of which run.
        run: RunId,
        /// In which step.
        step: u32,
    },
    /// Everything of this step has come.
    Close {
        /// Of which run.
        run: RunId,
        /// Which step.
        step: u32,
    },
    /// The run is over.
    Release {
        /// Which.
        run: RunId,
    },
    /// The coordinator of the run is gone: what do you have of a step?
    Recall {
        /// Of which run.
        run: RunId,
        /// Of which step.
        step: u32,
        /// All ticks before this one have come.
        from: u32,
    },
}

impl ToAgent {
    /// Whose message it is.
    #[must_use]
    pub const fn run(&self) -> &RunId {
        match self {
            Self::Call { run, .. }
            | Self::Ping { run, .. }
            | Self::Prepare { run, .. }
            | Self::Arm { run, .. }
            | Self::Begin { run, .. }
            | Self::Renew { run, .. }
            | Self::Finish { run, .. }
            | Self::Stop { run, .. }
            | Self::Close { run, .. }
            | Self::Release { run }
            | Self::Recall { run, .. } => run,
        }
    }
}

/// A plan as it travels. Everything that it refers to comes with it: no file of an agent's machine is read for it, and no command is run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SentPlan {
    /// As it is saved, with its secrets.
    pub text: String,
    /// The fields of each of its tables, row by row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<String>>,
}

/// A step as an agent is to make it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Set {
    /// Its number in the run, from 0.
    pub step: u32,
    /// Which share of the load is the agent's, from 0 …
    pub index: u32,
    /// … of how many.
    pub of: u32,
    /// The load of all agents.
    pub load: SentLoad,
    /// Number of the first request or user of all agents.
    pub first: u64,
    /// So much of it warms up, ns.
    pub warm_up_ns: u64,
    /// Length of a tick, ns.
    pub tick_ns: u64,
    /// The beginning of the run, from which the times of ticks count, ns.
    pub zero_ns: u64,
}

/// What an agent says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FromAgent {
    /// Which agent.
    pub agent: AgentId,
    /// To whom.
    pub run: RunId,
    /// What.
    #[serde(flatten)]
    pub said: Said,
}

impl FromAgent {
    /// Where it goes.
    #[must_use]
    pub fn address(&self) -> Address {
        Address::Coordinator {
            run: self.run.clone(),
            from: self.agent.clone(),
        }
    }
}

/// What an agent says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "said", rename_all = "snake_case")]
pub enum Said {
    /// It is there.
    Hello(About),
    /// What its clock shows.
    Pong {
        /// As in the ping.
        sent_ns: u64,
        /// Its clock, ns.
        agent_ns: u64,
    },
    /// It is ready for the plan.
    Prepared,
    /// It is ready for a step.
    Armed {
        /// Which.
        step: u32,
    },
    /// It declines a plan, or a step.
    Refused {
        /// Which step; `None` is the plan.
        step: Option<u32>,
        /// Why.
        #[serde(flatten)]
        refusal: Refusal,
    },
    /// It goes on.
    Alive {
        /// With which step.
        step: u32,
        /// As in what it responds to; 0 where it responds to the beginning.
        sent_ns: u64,
        /// Its clock, ns.
        agent_ns: u64,
        /// Whether it has been told to begin, and in time.
        begun: bool,
        /// So many ticks there are.
        ticks: u32,
    },
    /// A tick.
    Tick {
        /// Of which step.
        step: u32,
        /// What was seen.
        #[serde(with = "as_text")]
        tick: Box<Tick>,
    },
    /// Its share of the step is over.
    Done {
        /// Which step.
        step: u32,
        /// So many ticks there were.
        ticks: u32,
        /// So many requests began.
        started: u64,
        /// How it ended.
        ended: Ended,
    },
    /// What it has of a step whose coordinator is gone.
    Recalled {
        /// Of which step.
        step: u32,
        /// It has no tick before this one any more.
        first: u32,
        /// So many ticks there were.
        ticks: u32,
        /// So many requests began.
        started: u64,
        /// It goes on, so there will be more.
        goes_on: bool,
    },
}

/// What an agent is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Version of plimsoll.
    pub version: String,
    /// Where it stands, as its user calls that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Cores that it may use.
    pub cores: u32,
    /// Processor model.
    pub cpu_model: String,
    /// Kernel.
    pub kernel: String,
    /// Targets that it may send to.
    pub allows: Vec<String>,
    /// Highest rate at which it sends, in millionths of a request per second; `None` is any.
    pub most_micro_per_s: Option<u64>,
    /// It has another coordinator now.
    pub busy: bool,
}

/// Why an agent declines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// What was found, and what was expected.
    pub why: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// How the share of a step ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// All of it was made, or as much as was wanted.
    Over,
    /// The coordinator was not heard for too long.
    LeaseEnded,
    /// It could not go on: why.
    Failed(String),
}

/// A tick travels as the run directory keeps it.
mod as_text {
    use plimsoll_measure::Tick;
    use plimsoll_measure::run_directory::{tick_of_text, tick_text};
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    pub(super) fn serialize<S: Serializer>(tick: &Tick, serializer: S) -> Result<S::Ok, S::Error> {
        tick_text(tick)
            .map_err(serde::ser::Error::custom)?
            .serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<Tick>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let tick = tick_of_text(&text).ok_or_else(|| D::Error::custom("a tick that cannot be read"))?;
        Ok(Box::new(tick))
    }
}

/// Bytes that are no message.
#[derive(Debug, thiserror::Error)]
#[error("read a message of the fleet: {0}")]
pub struct NoMessage(#[source] serde_json::Error);

/// A message as it travels.
///
/// # Errors
/// When a histogram cannot be written.
pub fn encode(message: &impl Serialize) -> Result<Vec<u8>, NoMessage> {
    serde_json::to_vec(message).map_err(NoMessage)
}

/// A message that has travelled.
///
/// # Errors
/// When the bytes are none.
pub fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, NoMessage> {
    serde_json::from_slice(bytes).map_err(NoMessage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_measure::{ShardLoad, Timing};

    #[test]
    fn tick_that_travels_is_the_same_tick() {
        let mut tick = Tick {
            index: 3,
            start_ns: 3_000_000_001,
            duration_ns: 1_000_000_000,
            ..Tick::default()
        };
        tick.counters.sent = 500;
        tick.counters.count_status(200);
        tick.generator.shards.push(ShardLoad {
            cpu_ns: 7,
            ..ShardLoad::default()
        });
        for ns in [1, 1000, 1_234_567, 30_000_000_000] {
            tick.durations[Timing::ResponseTime].record(ns);
        }
        let message = FromAgent {
            agent: AgentId::new("a", 1),
            run: RunId::new(2),
            said: Said::Tick {
                step: 5,
                tick: Box::new(tick),
            },
        };
        let bytes = encode(&message).expect("plain data");
        assert_eq!(decode::<FromAgent>(&bytes).expect("what was written"), message);
    }

    #[test]
    fn bytes_that_are_no_message_are_refused() {
        for bytes in [
            &b""[..],
            b"{}",
            b"{\"say\":\"run a command\",\"run\":\"1\"}",
            b"\xff",
            b"[1,2]",
        ] {
            assert!(decode::<ToAgent>(bytes).is_err());
            assert!(decode::<FromAgent>(bytes).is_err());
        }
    }
}
