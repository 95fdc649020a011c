//! How a family is reached, and which are alive: what has to end when this process does.

use crate::scratch;
use crate::supervisor::wire::{self, Request};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How a family is reached, also by [`end_all`].
#[derive(Debug)]
pub(super) enum Link {
    /// The socket of its supervisor, and the process.
    Supervisor(UnixStream, u32),
    /// Its process group, which is a child of this process.
    Here(Pid),
}

/// Every family that is alive.
static LIVE: Mutex<Vec<Weak<Link>>> = Mutex::new(Vec::new());

/// Kills every program that was started and all that they started, and returns when they are gone, or after `timeout`.
pub fn end_all(timeout: Duration) {
    let links: Vec<Arc<Link>> = lock(&LIVE).iter().filter_map(Weak::upgrade).collect();
    for link in &links {
        match &**link {
            Link::Supervisor(control, _) => {
                // Of a supervisor that is gone nobody is left.
                let _ = wire::say(control, &Request::Kill);
            }
            Link::Here(group) => {
                let _ = kill_process_group(*group, Signal::KILL);
            }
        }
    }
    let deadline = Instant::now() + timeout;
    for link in &links {
        if let Link::Supervisor(control, _) = &**link {
            // No event is asked for: what is told always is that the other end is closed.
            wait_on(
                control,
                PollFlags::empty(),
                deadline.saturating_duration_since(Instant::now()),
            );
        }
    }
}

impl Link {
    /// To be ended by [`end_all`] from now on.
    pub(super) fn register(self) -> Arc<Self> {
        let link = Arc::new(self);
        lock(&LIVE).push(Arc::downgrade(&link));
        link
    }

    /// Its family is gone.
    pub(super) fn forget(self: &Arc<Self>) {
        lock(&LIVE).retain(|link| link.upgrade().is_some_and(|link| !Arc::ptr_eq(&link, self)));
    }
}

/// Processes of the supervisors that are alive.
pub(super) fn supervisors() -> Vec<u32> {
    let live = lock(&LIVE);
    let links = live.iter().filter_map(Weak::upgrade);
    links
        .filter_map(|link| match *link {
            Link::Supervisor(_, pid) => Some(pid),
            Link::Here(_) => None,
        })
        .chain(scratch::keeper_process())
        .collect()
}

pub(super) fn wait_on(control: &UnixStream, events: PollFlags, timeout: Duration) {
    let timeout = Timespec::try_from(timeout).ok();
    // What comes of it is seen by whoever reads.
    let _ = poll(&mut [PollFd::new(control, events)], timeout.as_ref());
}

/// A thread that panicked left what it held as it was.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
