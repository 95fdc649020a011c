//! A service on other machines: what a run asks of their target agents, and what these do.
//!
//! A target agent does with a service what a run does with one on its own machine, by the same code; what that keeps is relayed.

mod link;
mod serve;
mod service;
mod there;
mod wire;

pub use serve::{TargetEvent, TargetOptions, serve_targets};
pub use service::HostedService;
pub(crate) use there::There;
pub(crate) use wire::{Start, Watching};
