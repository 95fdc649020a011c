//! A fleet on this machine that waits for runs.

use super::agents::Fleet;
use super::{FleetOptions, LocalOptions, hosted};
use crate::error::LabError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Between two looks at whether it is still wanted, and still there.
const LOOK: Duration = Duration::from_millis(50);

/// Starts a fleet and keeps it until `stop` is set. `on_up` is given the place of its broker once all agents are there.
///
/// # Errors
/// When it cannot be started, or a part of it ends by itself.
pub fn up(options: &LocalOptions, stop: &AtomicBool, on_up: impl FnOnce(&str)) -> Result<(), LabError> {
    // A run that makes no load finds all of its agents.
    let fleet = Fleet::form(&FleetOptions::Local(options.clone()), stop)?;
    let Some(local) = fleet.into_local() else { return Ok(()) };
    for service in options.target.iter().flat_map(|target| &target.services) {
        let waited = hosted::wait_for(local.dial().as_ref(), service, stop);
        // How it ended says more than that it is not there.
        local.check()?;
        waited?;
    }
    on_up(&local.dial().place());
    while !stop.load(Ordering::Relaxed) {
        local.check()?;
        thread::sleep(LOOK);
    }
    Ok(())
}
