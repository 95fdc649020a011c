//! On which cores a thread runs, how soon once it wakes, and what the control groups of its process leave it.
//!
//! Only Linux lets a program say so. Elsewhere nothing can be pinned, the wishes have no effect, and there are no groups.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests set up their own files"))]

use rustix::process::Pid;
use std::io;

mod groups;
#[cfg(target_os = "linux")]
mod turn;

pub use groups::{ControlGroups, GroupVersion, Hierarchy, hierarchy};

/// Restricts the calling thread, and whatever it starts, to `cpus`.
///
/// # Errors
/// When it may not run on all of them.
#[cfg(target_os = "linux")]
pub fn pin(cpus: &[usize]) -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let mut set = CpuSet::new();
    for &cpu in cpus {
        if cpu >= CpuSet::MAX_CPU {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        set.set(cpu);
    }
    sched_setaffinity(None, &set)?;
    // The kernel takes the cpus it has and is silent about the others.
    if sched_getaffinity(None)? == set {
        Ok(())
    } else {
        Err(io::ErrorKind::InvalidInput.into())
    }
}

/// Restricts the calling thread, and whatever it starts, to `cpus`.
///
/// # Errors
/// Always: it cannot be done on this system.
#[cfg(not(target_os = "linux"))]
pub fn pin(_cpus: &[usize]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Lets a thread of this user run on all cpus that it may have, whatever it was pinned to; `None` is the calling one.
#[cfg(target_os = "linux")]
pub fn widen(thread: Option<Pid>) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    (0..CpuSet::MAX_CPU).for_each(|cpu| set.set(cpu));
    // Refused or not, what counts is what it has then.
    let _ = sched_setaffinity(thread, &set);
}

/// Lets a thread of this user run on all cpus that it may have, which it does on this system anyway.
#[cfg(not(target_os = "linux"))]
pub fn widen(_thread: Option<Pid>) {}

/// Lets a thread of this user run on all cpus that it may have but these. Where it may have no others it stays where it is.
#[cfg(target_os = "linux")]
pub fn avoid(thread: Option<Pid>, cpus: &[usize]) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    (0..CpuSet::MAX_CPU)
        .filter(|cpu| !cpus.contains(cpu))
        .for_each(|cpu| set.set(cpu));
    // The kernel refuses a set of which it has none.
    let _ = sched_setaffinity(thread, &set);
}

/// Lets a thread of this user run on all cpus but these, which has no effect on this system.
#[cfg(not(target_os = "linux"))]
pub fn avoid(_thread: Option<Pid>, _cpus: &[usize]) {}

/// The cpus that a thread may choose from, ascending; empty where pinning is not possible. `None` is the calling one.
#[must_use]
#[cfg(target_os = "linux")]
pub fn cpus(thread: Option<Pid>) -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(thread).unwrap_or_default();
    (0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect()
}

/// The cpus that a thread may choose from; empty, as pinning is not possible here.
#[must_use]
#[cfg(not(target_os = "linux"))]
pub fn cpus(_thread: Option<Pid>) -> Vec<usize> {
    Vec::new()
}

/// Asks for the shortest slices that the kernel gives to a thread of this user; `None` is the calling one. When the thread
/// wakes it gets its core at once, even from a thread that is in the middle of a longer slice, and has to give it back
/// sooner; its share of the core stays the same.
///
/// Says whether it is so: Linux knows slices of single threads since 6.12, and ignored the wish before.
#[cfg(target_os = "linux")]
pub fn shorten_slices(thread: Option<Pid>) -> bool {
    turn::shorten(thread)
}

/// Asks for short slices. Says that they are not to be had on this system.
#[cfg(not(target_os = "linux"))]
pub fn shorten_slices(_thread: Option<Pid>) -> bool {
    false
}

/// Lets a thread have its core whenever it wakes, ahead of all threads that share it in turns; `None` is the calling one. It
/// should need little: whatever it takes, it takes before them.
///
/// Says whether it is so: most users may not.
#[cfg(target_os = "linux")]
pub fn go_ahead(thread: Option<Pid>) -> bool {
    turn::go_ahead(thread)
}

/// Says that no thread can go ahead on this system.
#[cfg(not(target_os = "linux"))]
pub fn go_ahead(_thread: Option<Pid>) -> bool {
    false
}

/// Lets waits of the calling thread end when they should: Linux may end one 50 µs late, to save wakeups.
pub fn sharpen_timers() {
    #[cfg(target_os = "linux")]
    {
        // A refusal only leaves the waits a little late.
        let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_thread_is_pinned_to_one_cpu_and_widened_again() {
        let on_a_thread_of_its_own = || {
            let all = cpus(None);
            pin(&all[..1]).expect("it may run there");
            let pinned = cpus(None);
            widen(None);
            (all, pinned, cpus(None))
        };
        let (all, pinned, widened) = thread::spawn(on_a_thread_of_its_own).join().expect("it ends");
        assert_eq!(pinned, all[..1]);
        assert!(widened.len() >= all.len());
    }

    #[test]
    fn a_thread_avoids_cpus_where_there_are_others() {
        let on_a_thread_of_its_own = || {
            let all = cpus(None);
            pin(&all[..1]).expect("it may run there");
            avoid(None, &all[..1]);
            let avoiding = cpus(None);
            avoid(None, &(0..4096).collect::<Vec<_>>());
            (all, avoiding, cpus(None))
        };
        let (all, avoiding, at_last) = thread::spawn(on_a_thread_of_its_own).join().expect("it ends");
        assert_eq!(avoiding.contains(&all[0]), all.len() == 1, "{avoiding:?} of {all:?}");
        assert_eq!(at_last, avoiding, "there is no other cpu");
    }

    #[test]
    fn a_cpu_that_is_not_there_is_refused() {
        for cpu in [1000, usize::MAX] {
            let refused = thread::spawn(move || pin(&[cpu])).join().expect("it ends");
            assert!(refused.is_err(), "{cpu}");
        }
    }
}
