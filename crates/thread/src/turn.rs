//! When a thread gets its core: the length of its slices, and whether it goes ahead of all others.
#![expect(unsafe_code, reason = "no crate offers these calls; says why they are sound")]

use nix::libc::{SCHED_RR, SYS_sched_getattr, SYS_sched_setattr, sched_attr, syscall};
use rustix::process::Pid;
use std::ptr;

/// The shortest time that the kernel allows, ns.
const SHORTEST_NS: u64 = 100_000;

/// See [`crate::shorten_slices`].
pub(crate) fn shorten(thread: Option<Pid>) -> bool {
    let Some(mut now) = of(thread) else { return false };
    now.sched_runtime = SHORTEST_NS;
    set(thread, &now) && of(thread).is_some_and(|now| now.sched_runtime == SHORTEST_NS)
}

/// See [`crate::go_ahead`].
pub(crate) fn go_ahead(thread: Option<Pid>) -> bool {
    let Some(mut now) = of(thread) else { return false };
    now.sched_policy = SCHED_RR as u32;
    now.sched_priority = 1;
    now.sched_nice = 0;
    now.sched_runtime = 0;
    set(thread, &now)
}

/// Says whether the kernel allows it.
fn set(thread: Option<Pid>, attr: &sched_attr) -> bool {
    // SAFETY: the kernel reads `size` bytes of the struct, which are all of it.
    unsafe { syscall(SYS_sched_setattr, Pid::as_raw(thread), ptr::from_ref(attr), 0) == 0 }
}

/// As the thread is scheduled now.
fn of(thread: Option<Pid>) -> Option<sched_attr> {
    let size = size_of::<sched_attr>() as u32;
    let mut attr = sched_attr {
        size,
        sched_policy: 0,
        sched_flags: 0,
        sched_nice: 0,
        sched_priority: 0,
        sched_runtime: 0,
        sched_deadline: 0,
        sched_period: 0,
    };
    // SAFETY: the kernel writes at most `size` bytes into the struct, which are all of it; any bytes are valid in it.
    let failed = unsafe { syscall(SYS_sched_getattr, Pid::as_raw(thread), &raw mut attr, size, 0) } != 0;
    (!failed).then_some(attr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::thread::gettid;

    #[test]
    fn a_thread_of_our_own_gets_short_slices_and_stays_what_it_was() {
        let before = of(None).expect("it can be read");
        let is_short = shorten(None);
        let after = of(Some(gettid())).expect("it can be read");
        assert_eq!(is_short, after.sched_runtime == SHORTEST_NS);
        assert_eq!(
            (before.sched_policy, before.sched_nice),
            (after.sched_policy, after.sched_nice)
        );
    }

    #[test]
    fn a_thread_goes_ahead_where_this_user_may_let_it() {
        let on_a_thread_of_its_own = || {
            let went = go_ahead(None);
            (went, of(None).expect("it can be read"))
        };
        let (went, after) = std::thread::spawn(on_a_thread_of_its_own).join().expect("it ends");
        let expected = if went { (SCHED_RR as u32, 1) } else { (0, 0) };
        assert_eq!((after.sched_policy, after.sched_priority), expected);
    }

    #[test]
    fn a_thread_that_is_gone_does_not() {
        let gone = std::thread::spawn(gettid).join().expect("it ends");
        assert!(!shorten(Some(gone)));
        assert!(!go_ahead(Some(gone)));
    }
}
