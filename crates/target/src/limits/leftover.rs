//! Control groups that a run left behind which could not remove them, because somebody killed it and its supervisors.
//!
//! The name of a group says whose it is. One is removed when its owner is certainly gone, and only while nothing runs in it; a
//! group of another process namespace is never touched, since its owner cannot be seen from here.

use super::directories::remove;
use crate::process::Process;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const PREFIX: &str = "plimsoll";

/// The name of a group: the process namespace and the process that made it, when that process started, and a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    namespace: u64,
    pid: u32,
    start: u64,
    number: u32,
}

impl Name {
    /// One that this process has not used yet.
    pub(super) fn next(root: &Path) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let pid = std::process::id();
        Self {
            namespace: namespace(root).unwrap_or_default(),
            pid,
            start: Process::read(pid).map_or(0, |process| process.id.start),
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let mut number = || parts.next()?.parse::<u64>().ok();
        let own = text.strip_prefix(PREFIX)?.starts_with('-');
        // The prefix is a part as well.
        let _ = number();
        let name = Self {
            namespace: number()?,
            pid: number()?.try_into().ok()?,
            start: number()?,
            number: number()?.try_into().ok()?,
        };
        Some(name).filter(|name| own && name.to_string() == text)
    }

    /// Whether the process is gone that made it.
    fn is_dead(&self, own_namespace: u64, start_of: impl Fn(u32) -> Option<u64>) -> bool {
        self.namespace == own_namespace && start_of(self.pid) != Some(self.start)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            namespace,
            pid,
            start,
            number,
        } = self;
        write!(f, "{PREFIX}-{namespace}-{pid}-{start}-{number}")
    }
}

/// The inode of our process namespace, as in `pid:[4026531836]`.
fn namespace(root: &Path) -> Option<u64> {
    let link = fs::read_link(root.join("proc/self/ns/pid")).ok()?;
    let inode = link.to_str()?.strip_prefix("pid:[")?.strip_suffix(']')?;
    inode.parse().ok()
}

/// Removes the groups in `parent` whose owner is gone.
pub(super) fn remove_dead(root: &Path, parent: &Path) {
    // Without it nobody's owner is certain.
    let Some(own) = namespace(root) else { return };
    let Ok(entries) = fs::read_dir(parent) else { return };
    let start_of = |pid| Process::read(pid).map(|process| process.id.start);
    let dead: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_str().and_then(Name::parse);
            name.is_some_and(|name| name.is_dead(own, start_of))
        })
        .map(|entry| entry.path())
        .collect();
    remove(&dead);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(namespace: u64, pid: u32, start: u64) -> Name {
        Name {
            namespace,
            pid,
            start,
            number: 0,
        }
    }

    #[test]
    fn only_groups_of_gone_owners_are_dead() {
        // Process 7 runs and started at 100.
        let start_of = |pid| (pid == 7).then_some(100);
        for (found, dead) in [
            (name(1, 7, 100), false),
            (name(1, 8, 100), true),
            // The number was given to another process since.
            (name(1, 7, 99), true),
            // Of another namespace, where the number means another process.
            (name(2, 8, 100), false),
        ] {
            assert_eq!(found.is_dead(1, start_of), dead, "{found}");
        }
    }

    proptest! {
        #[test]
        fn a_name_reads_back(namespace: u64, pid: u32, start: u64, number: u32) {
            let name = Name { namespace, pid, start, number };
            prop_assert_eq!(Name::parse(&name.to_string()), Some(name));
        }

        #[test]
        fn no_other_name_is_taken_for_one(text in "(plimsoll)?[-0-9a-z+]{0,24}") {
            if let Some(name) = Name::parse(&text) {
                prop_assert_eq!(name.to_string(), text);
            }
        }
    }
}
