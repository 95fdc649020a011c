//! The directories of a control group: entered and removed.

use plimsoll_files::kernel;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// The kernel may still be at it with processes that have ended.
const REMOVALS: u32 = 50;
const BETWEEN_REMOVALS: Duration = Duration::from_millis(10);

/// Moves this process into the groups of these directories.
pub(crate) fn enter(groups: &[PathBuf]) -> io::Result<()> {
    groups
        .iter()
        .try_for_each(|group| kernel::set(group.join("cgroup.procs"), "0"))
}

/// Removes groups that nothing runs in any more, or will in a moment.
pub(crate) fn remove(groups: &[PathBuf]) {
    for group in groups {
        for _ in 0..REMOVALS {
            match fs::remove_dir(group) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => thread::sleep(BETWEEN_REMOVALS),
                _ => break,
            }
        }
    }
}
