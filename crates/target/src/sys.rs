//! The system calls that only Linux has, with what happens elsewhere.

use crate::process::Id;

#[cfg(target_os = "linux")]
mod linux {
    use super::Id;
    use crate::process::Process;
    use rustix::io::Errno;
    use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

    /// CPU time of a process so far, ended threads included, ns. Also of a zombie.
    pub(crate) fn cpu_ns(pid: u32) -> Option<u64> {
        let pid = nix::unistd::Pid::from_raw(i32::try_from(pid).ok()?);
        let time = nix::time::clock_getcpuclockid(pid).ok()?.now().ok()?;
        let seconds = u64::try_from(time.tv_sec()).ok()?;
        let ns = u64::try_from(time.tv_nsec()).ok()?;
        Some(seconds * 1_000_000_000 + ns)
    }

    /// Lets the threads of that name of a process run as soon as they wake: ahead of others on their cpus where that is
    /// allowed, else with short slices where the kernel has them, else on whichever cpu is free.
    ///
    /// Says whether one of them has to wait even so: it has short slices, and one cpu together with the others.
    pub(crate) fn hasten_threads(pid: u32, name: &str) -> bool {
        let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
            return false;
        };
        let mut waits = false;
        for thread in threads.flatten() {
            let named = plimsoll_files::kernel::text(thread.path().join("comm")).unwrap_or_default();
            let id = thread.file_name().to_str().and_then(|id| id.parse().ok());
            if let Some(id) = id.and_then(Pid::from_raw).filter(|_| named.trim_end() == name)
                && !plimsoll_thread::go_ahead(Some(id))
            {
                if plimsoll_thread::shorten_slices(Some(id)) {
                    waits |= plimsoll_thread::cpus(Some(id)).len() == 1;
                } else {
                    plimsoll_thread::widen(Some(id));
                }
            }
        }
        waits
    }

    /// Signals exactly this process: the descriptor holds on to it while its identity is checked.
    pub(crate) fn signal(id: Id, signal: Signal) {
        let Some(pid) = i32::try_from(id.pid).ok().and_then(Pid::from_raw) else {
            return;
        };
        // A system without such descriptors takes the number.
        let fd = match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(fd) => Some(fd),
            Err(Errno::NOSYS) => None,
            Err(_) => return,
        };
        if Process::read(id.pid).is_some_and(|process| process.id == id) {
            // It may have ended by itself, which is what is wanted.
            let _ = match fd {
                Some(fd) => pidfd_send_signal(&fd, signal),
                None => kill_process(pid, signal),
            };
        }
    }
}

#[cfg(target_os = "linux")]
pub(crate) use linux::{cpu_ns, hasten_threads, signal};

#[cfg(not(target_os = "linux"))]
mod other {
    use super::Id;
    use rustix::process::Signal;

    pub(crate) fn cpu_ns(_pid: u32) -> Option<u64> {
        None
    }

    pub(crate) fn hasten_threads(_pid: u32, _name: &str) -> bool {
        false
    }

    /// Without `/proc` only the process group is known.
    pub(crate) fn signal(_id: Id, _signal: Signal) {}
}

#[cfg(not(target_os = "linux"))]
pub(crate) use other::{cpu_ns, hasten_threads, signal};

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
    use std::sync::mpsc;
    use std::thread;

    /// Without the right to schedule threads, as most users are; only the calling thread loses it.
    fn become_ordinary() {
        let mut sets = capabilities(None).expect("they can be read");
        sets.effective.remove(CapabilitySet::SYS_NICE);
        set_capabilities(None, sets).expect("one can be given up");
    }

    #[test]
    fn a_thread_waits_that_shares_its_only_cpu_and_may_not_go_ahead() {
        let (pinned, is_pinned) = mpsc::channel();
        let (end, ends) = mpsc::channel::<()>();
        let sampled = thread::Builder::new()
            .name("only-one-cpu".to_owned())
            .spawn(move || {
                plimsoll_thread::pin(&plimsoll_thread::cpus(None)[..1]).expect("it may run there");
                pinned.send(()).expect("somebody waits");
                let _ = ends.recv();
            })
            .expect("a thread starts");
        is_pinned.recv().expect("it is pinned");
        let hastened = thread::spawn(|| {
            become_ordinary();
            let waits = hasten_threads(std::process::id(), "only-one-cpu");
            (
                waits,
                hasten_threads(std::process::id(), "no-such-thread"),
                plimsoll_thread::shorten_slices(None),
            )
        });
        let (waits, none_waits, has_short_slices) = hastened.join().expect("it ends");
        drop(end);
        sampled.join().expect("it ends");
        assert_eq!(waits, has_short_slices, "an older kernel lets it run anywhere");
        assert!(!none_waits);
    }
}
