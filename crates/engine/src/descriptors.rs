//! How many connections this process may have open, and a way round it.
#![cfg_attr(
    target_os = "linux",
    expect(
        unsafe_code,
        reason = "a table of its own takes descriptors out of sight; says why that is sound"
    )
)]

use rustix::fs::{Mode, OFlags};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;

/// Descriptors besides connections: files, rings, pipes.
const OTHERS: u64 = 64;

/// Raises the limit of open descriptors to what may be had without privileges, and tells it;
/// `None` is no limit.
pub fn raise_descriptor_limit() -> Option<u64> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // Some systems refuse what they name as the maximum; then the old limit stays, and running
    // into it is counted by its own error class.
    match setrlimit(
        Resource::Nofile,
        Rlimit {
            current: maximum,
            maximum,
        },
    ) {
        Ok(()) => maximum,
        Err(_) => current,
    }
}

/// Makes room for `connections`, before anything is timed.
///
/// Linux enlarges the table of a process with several threads only after every core has come by (`expand_files` in
/// fs/file.c). That takes 10 to 20 ms here, in which the thread that opens the connection can send nothing.
pub(crate) fn make_room(connections: u64) {
    let most = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let highest = (connections + OTHERS).min(most.saturating_sub(1));
    // Where this is refused, the table grows when it has to.
    let null = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
    let _ = null.map(|file| fcntl_dupfd_cloexec(file, i32::try_from(highest).unwrap_or(i32::MAX)));
}

/// Gives the calling thread a descriptor table of its own, a copy of the one that it shared, so that the limit of open
/// descriptors counts for this thread alone (unshare(2), `CLONE_FILES`). It lasts as long as the thread.
///
/// # Errors
/// Where it is forbidden, as in many containers, and on systems other than Linux.
#[cfg(target_os = "linux")]
pub(crate) fn take_own_table() -> io::Result<()> {
    // SAFETY: a descriptor must not be used by a thread with another table than that of the thread that opened it. A
    // generator thread opens its sockets and its poll descriptor after this call, keeps them to itself, and closes them
    // before it ends; what it shares with other threads are memory and channels, no descriptors. Those that it got a copy
    // of keep their numbers, so standard error is where it was.
    unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::FILES) }?;
    Ok(())
}

/// There is no such thing here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn take_own_table() -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_large_enough_beforehand() {
        make_room(900);
        let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
        let size = status.lines().find_map(|line| line.strip_prefix("FDSize:"));
        let size: u64 = size.and_then(|size| size.trim().parse().ok()).expect("a number");
        assert!(size >= 900, "{size}");
    }
}
