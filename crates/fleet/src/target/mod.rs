//! Services on other machines: a run holds target agents, and has each of them do what it asks, once and in order.
//!
//! Both ends are state machines as those of loads are. What is asked and what is replied is text: only those who drive these
//! machines know what it says.

mod agent;
mod holder;
mod machine;
mod message;

pub use agent::{TargetAgent, TargetOrder};
pub use holder::{HoldStage, Holder};
pub use machine::Machine;
pub use message::{AboutTarget, FromTarget, TargetSaid, ToTarget};

/// Longest part of a reply, bytes. A broker carries messages of a megabyte, and text grows on the way.
const PART_BYTES: usize = 128 << 10;
/// Parts that are sent before more of them are asked for.
const PARTS_AT_ONCE: u32 = 8;
/// A reply has no more parts than this: half a gigabyte.
const PARTS_MAX: u32 = 4096;
