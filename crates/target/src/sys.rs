//! The system calls that only Linux has, with what happens elsewhere.

use crate::process::Id;

#[cfg(target_os = "linux")]
mod linux {
    use super::Id;
    use crate::process::Process;
    use rustix::io::Errno;
    use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};
    use std::path::Path;

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

    /// Lets threads of a process that has one cpu run on others, where there are others. Returns those that do.
    pub(crate) fn move_beside(pid: u32, threads: &[u32]) -> Vec<u32> {
        let id = |number: u32| i32::try_from(number).ok().and_then(Pid::from_raw);
        let taken = id(pid)
            .map(|first| plimsoll_thread::cpus(Some(first)))
            .unwrap_or_default();
        if taken.len() != 1 {
            return Vec::new();
        }
        // What the service tells of its threads is not believed: these are threads of it.
        let of_it = |thread: &&u32| **thread != pid && Path::new(&format!("/proc/{pid}/task/{thread}")).exists();
        let moves = |thread: &u32| {
            id(*thread).is_some_and(|thread| {
                plimsoll_thread::avoid(Some(thread), &taken);
                !plimsoll_thread::cpus(Some(thread)).contains(&taken[0])
            })
        };
        threads.iter().filter(of_it).copied().filter(moves).collect()
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
pub(crate) use linux::{cpu_ns, hasten_threads, move_beside, signal};

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

    pub(crate) fn move_beside(_pid: u32, _threads: &[u32]) -> Vec<u32> {
        Vec::new()
    }

    /// Without `/proc` only the process group is known.
    pub(crate) fn signal(_id: Id, _signal: Signal) {}
}

#[cfg(not(target_os = "linux"))]
pub(crate) use other::{cpu_ns, hasten_threads, move_beside, signal};

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

    /// A process and a thread of it are to be told apart, so the process is another one.
    #[test]
    fn threads_of_others_stay_where_they_are() {
        let (told, is_told) = mpsc::channel();
        let (end, ends) = mpsc::channel::<()>();
        let other = thread::spawn(move || {
            plimsoll_thread::pin(&plimsoll_thread::cpus(None)[..1]).expect("it may run there");
            told.send(rustix::thread::gettid()).expect("somebody waits");
            let _ = ends.recv();
        });
        let id = is_told.recv().expect("it runs");
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .expect("it starts");
        let number = |id: rustix::process::Pid| u32::try_from(id.as_raw_nonzero().get()).expect("positive");
        assert_eq!(move_beside(child.id(), &[number(id), child.id(), u32::MAX]), [0; 0]);
        assert_eq!(plimsoll_thread::cpus(Some(id)).len(), 1);
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        drop(end);
        other.join().expect("it ends");
    }
}
