//! Makes the load: sockets, schedule and protocol in; ticks out.
//!
//! One thread per shard and nothing shared on the hot path. A shard is a plain state machine over
//! the [`backend::Backend`] trait, so that it also runs on a virtual clock. This crate does not know
//! what the figures mean (`analysis`) or how they are shown (`report`).

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests set up their own files"))]

pub mod backend;
mod connection;
mod deadlines;
mod descriptors;
mod evidence;
mod generator;
mod hold;
mod pool;
mod pulse;
mod reading;
mod recorder;
mod requests;
mod resolve;
mod resources;
mod run;
mod shard;
mod source;
mod ticker;

pub use backend::monotonic_ns;
pub use descriptors::raise_descriptor_limit;
pub use evidence::Hidden;
pub use generator::Generator;
pub use pulse::Wakeups;
pub use requests::Requests;
pub use resolve::{ResolveError, resolve};
pub use run::{EngineError, Job};
pub use shard::Control;
pub use ticker::Ticks;
