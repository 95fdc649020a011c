//! A fleet on this machine that waits for runs.

use super::agents::Fleet;
use super::{FleetOptions, LocalOptions, hosted};
use crate::error::LabError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Between two looks at whether it is still wanted, and still there.
const LOOK: Duration = Duration::from_millis(50);

/// What happens to a fleet on this machine.
#[derive(Debug)]
pub enum LocalEvent<'a> {
    /// All of it is there.
    Up {
        /// Where its broker is.
        place: &'a str,
    },
    /// An agent printed a line.
    Said {
        /// Which.
        agent: &'a str,
        /// What.
        line: &'a str,
    },
}

/// Starts a fleet and keeps it until `stop` is set.
///
/// # Errors
/// When it cannot be started, or a part of it ends by itself.
pub fn up(options: &LocalOptions, stop: &AtomicBool, mut on_event: impl FnMut(LocalEvent<'_>)) -> Result<(), LabError> {
    // A run that makes no load finds all of its agents.
    let fleet = Fleet::form(&FleetOptions::Local(options.clone()), stop)?;
    let Some(mut local) = fleet.into_local() else {
        return Ok(());
    };
    for service in options.target.iter().flat_map(|target| &target.services) {
        let waited = hosted::wait_for(local.dial().as_ref(), service, stop);
        // How it ended says more than that it is not there.
        local.check()?;
        waited?;
    }
    let place = local.dial().place();
    on_event(LocalEvent::Up { place: &place });
    while !stop.load(Ordering::Relaxed) {
        local.check()?;
        for (agent, line) in &local.said() {
            on_event(LocalEvent::Said { agent, line });
        }
        thread::sleep(LOOK);
    }
    Ok(())
}
