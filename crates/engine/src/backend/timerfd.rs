//! Timer descriptors, and the timer of the core set one wait ahead by them.

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

/// A timer of the kernel, as a descriptor that becomes readable.
pub(super) struct Timerfd(OwnedFd);

impl Timerfd {
    pub(super) fn new() -> io::Result<Self> {
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        Ok(Self(timerfd_create(TimerfdClockId::Monotonic, flags)?))
    }

    /// Makes it go off at `at_ns` of the monotonic clock, and no more at the moment it was set to. Clears its readiness.
    pub(super) fn set(&self, at_ns: u64) {
        let time = Itimerspec {
            it_interval: Timespec { tv_sec: 0, tv_nsec: 0 },
            it_value: Timespec {
                tv_sec: (at_ns / 1_000_000_000).cast_signed(),
                tv_nsec: (at_ns % 1_000_000_000).cast_signed(),
            },
        };
        timerfd_settime(&self.0, TimerfdTimerFlags::ABSTIME, &time)
            .expect("a timer descriptor of ours takes any time after its zero");
    }
}

impl AsRawFd for Timerfd {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

/// Keeps the timer of the core set one wait ahead.
///
/// A core has one timer, and the kernel sets it to the first of all moments it knows: when one comes, to the next, and
/// again when an earlier one is asked for. On a virtual machine each setting leaves the machine, which costs more than a
/// request. A wait that is asked for only after the one before it has ended pays twice: the core is set to something far
/// away, then to that wait. With its moment known before, it pays once. Nobody waits for these descriptors.
pub(super) struct Ahead {
    /// With the moments that they are set to.
    timers: [(Timerfd, u64); 2],
}

impl Ahead {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            timers: [(Timerfd::new()?, 0), (Timerfd::new()?, 0)],
        })
    }

    /// A wait after the one that is about to begin will end at `at_ns`. One timer stands for the wait that is about to
    /// begin; so it takes the other, and nothing is to be done while neither has gone off.
    pub(super) fn expect(&mut self, now_ns: u64, at_ns: u64) {
        if let Some((timer, set_to_ns)) = self.timers.iter_mut().find(|(_, set_to_ns)| *set_to_ns <= now_ns) {
            timer.set(at_ns);
            *set_to_ns = at_ns;
        }
    }
}
