//! A fleet: one coordinator and several load agents, each of which makes its share of one load.
//!
//! Both are state machines without I/O. They are handed messages and the time of their own clock, and say what to send and what to
//! do. The order of calls, for both:
//!
//! 1. `receive` each message that has come,
//! 2. `poll` with the time, at the latest at `next_timeout_ns`,
//! 3. take everything from `sent`, and from `orders` or `ticks`.
//!
//! What agents have of a run whose coordinator died, [`Recall`] asks them for in the same way.
//!
//! A run may have its service on other machines as well: [`Holder`] and [`TargetAgent`] are two more state machines of this kind.
//!
//! What carries messages is a [`Bus`]: it may lose them, repeat them and change their order. This crate must not know which one it is, what
//! time it is, how load is made, or what ticks mean.

mod agent;
mod allow;
mod bus;
mod clock;
mod coordinator;
mod fault;
mod ids;
mod left;
mod load;
mod member;
mod message;
mod over;
mod pace;
mod parts;
mod recall;
mod share;
mod target;
mod unkept;

pub use agent::{Agent, Order};
pub use allow::{AllowList, NoAllowance};
pub use bus::{Address, Bus, BusError, Delivery, Dial, Listener};
pub use coordinator::{Coordinator, FleetSize, Stage, StepSpec};
pub use fault::{Fault, What};
pub use ids::{AgentId, RunId, is_name, is_version};
pub use load::SentLoad;
pub use message::{About, Ended, FromAgent, NoMessage, Refusal, Said, SentPlan, Set, ToAgent, decode, encode};
pub use recall::{Had, Recall, RecallStage};
pub use share::starts_of;
pub use target::{AboutTarget, FromTarget, HoldStage, Holder, Machine, TargetAgent, TargetOrder, TargetSaid, ToTarget};

/// An agent sends for so long after the coordinator last said that it may, ns.
pub const LEASE_NS: u64 = 5_000_000_000;

/// Who says nothing for so long is lost, ns. It is shorter than a lease, so that the coordinator knows before the agent stops.
pub const SILENCE_NS: u64 = 3_000_000_000;
