//! Makes the load: sockets, schedule and protocol in; ticks out.
//!
//! One thread per shard and nothing shared on the hot path. A shard is a plain state machine over
//! the [`backend::Backend`] trait, so that it also runs on a virtual clock. This crate does not know
//! what the figures mean (`analysis`) or how they are shown (`report`).

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests set up their own files"))]

mod across;
pub mod backend;
mod completions;
mod connection;
mod deadlines;
mod descriptors;
mod drivers;
mod engine_error;
mod event_loop;
mod evidence;
mod generator;
mod hand_over;
mod hops;
mod job;
mod journeys;
mod laid_out;
mod messages;
mod outcomes;
mod pool;
mod recorder;
mod redirects;
mod requests;
mod resolve;
mod resources;
mod sinks;
mod ticker;
mod wake_policy;
mod with_cookies;

pub use backend::monotonic_ns;
pub use backend::tunnel::Tunnel;
pub use connection::{InFlight, Protocol, RequestsOf};
pub use descriptors::raise_descriptor_limit;
pub use engine_error::EngineError;
pub use event_loop::Control;
pub use evidence::Hidden;
pub use generator::Generator;
pub use job::{Actions, Alone, Elsewhere, Job};
pub use laid_out::LaidOut;
pub use plimsoll_tls::Connector;
pub use requests::Requests;
pub use resolve::{ResolveError, candidates, first_that_accepts, resolve};
pub use ticker::Ticks;
pub use wake_policy::Wakeups;
