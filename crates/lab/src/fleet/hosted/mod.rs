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

use crate::error::LabError;
use link::Link;
use plimsoll_fleet::Dial;
use plimsoll_plan::{Hosted, parse_service_name};
use std::sync::atomic::AtomicBool;

/// Waits until one target agent has this service for runs.
pub(super) fn wait_for(dial: &dyn Dial, service: &HostedService, stop: &AtomicBool) -> Result<(), LabError> {
    let name = parse_service_name(&service.name).map_err(|error| LabError::Plan(error.message()))?;
    let hosted = Hosted {
        service: name,
        machines: Some(1),
    };
    // It is let go at once.
    Link::hold(dial, &hosted, stop).map(drop)
}
