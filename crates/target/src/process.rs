//! Processes as `/proc` shows them, and which of them belong to a service.

use crate::container::ContainerGroup;
use plimsoll_files::kernel;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;

/// A process for good: a pid is used again, but not with the same start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Id {
    pub(crate) pid: u32,
    /// Clock ticks since boot.
    pub(crate) start: u64,
}

/// What `/proc/PID/stat` says, see proc_pid_stat(5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) id: Id,
    pub(crate) name: String,
    /// Ended with all its threads, and waits for its parent to take note.
    pub(crate) zombie: bool,
    pub(crate) parent: u32,
    pub(crate) group: u32,
    /// CPU time of its own, ended threads included, clock ticks.
    pub(crate) own_ticks: u64,
    /// CPU time of its ended children that it has waited for, clock ticks.
    pub(crate) reaped_ticks: u64,
    pub(crate) threads: u32,
    pub(crate) rss_pages: u64,
}

impl Process {
    /// `None` when there is no such process, or no `/proc`.
    pub(crate) fn read(pid: u32) -> Option<Self> {
        // A name is cut to 15 bytes, be it in the middle of a character.
        Self::parse(&String::from_utf8_lossy(
            &kernel::bytes(format!("/proc/{pid}/stat")).ok()?,
        ))
    }

    /// Whether its program is Node.js; not where that cannot be seen.
    pub(crate) fn runs_node(&self) -> bool {
        let program = fs::read_link(format!("/proc/{}/exe", self.id.pid)).ok();
        program.is_some_and(|path| {
            path.file_name()
                .is_some_and(|name| name.as_encoded_bytes().starts_with(b"node"))
        })
    }

    /// Every process that can be seen.
    pub(crate) fn all() -> Vec<Self> {
        let Ok(entries) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter_map(Self::read)
            .collect()
    }

    /// `None` where the text is not one of `/proc/PID/stat`.
    pub(crate) fn parse(stat: &str) -> Option<Self> {
        // A name may hold anything, also blanks and parentheses.
        let (pid, rest) = stat.split_once(" (")?;
        let (name, rest) = rest.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        // Numbered as in the manual, where the state is field 3.
        let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
        let threads = u32::try_from(number(20)?).ok()?;
        Some(Self {
            id: Id {
                pid: pid.parse().ok()?,
                start: number(22)?,
            },
            name: name.to_owned(),
            // The state is that of the first thread, which may be the first to end; it is counted until all have.
            zombie: matches!(*fields.first()?, "Z" | "X") && threads <= 1,
            parent: u32::try_from(number(4)?).ok()?,
            group: u32::try_from(number(5)?).ok()?,
            own_ticks: number(14)? + number(15)?,
            reaped_ticks: number(16)? + number(17)?,
            threads,
            rss_pages: number(24)?,
        })
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (process {})", self.name, self.id.pid)
    }
}

/// Those of `all` that `is_seed` picks, and all their descendants, without the process `except` and what only it leads to.
pub(crate) fn with_descendants(
    all: &[Process],
    except: u32,
    is_seed: impl Fn(&Process) -> bool,
) -> BTreeMap<Id, &Process> {
    let mut children: BTreeMap<u32, Vec<&Process>> = BTreeMap::new();
    for process in all {
        children.entry(process.parent).or_default().push(process);
    }
    let mut queue: Vec<&Process> = all.iter().filter(|process| is_seed(process)).collect();
    let mut members = BTreeMap::new();
    while let Some(process) = queue.pop() {
        if process.id.pid == except || members.insert(process.id, process).is_some() {
            continue;
        }
        queue.extend(children.get(&process.id.pid).into_iter().flatten());
    }
    members
}

/// Who belongs to a service: its first process, everything in the group, everything that was seen to belong to it
/// before, and all their descendants. So a process stays in that leaves the group or loses its parent. What a supervisor
/// started or adopted belongs to it as well; that is everything that stems from the service.
#[derive(Debug)]
pub(crate) struct Tree {
    root: Option<Id>,
    group: Option<u32>,
    supervisor: Option<Id>,
    container: Option<ContainerGroup>,
    known: BTreeSet<Id>,
    /// Never a part of the service, not even when it is started from the same shell.
    own_pid: u32,
}

impl Tree {
    /// With `group`, the processes of that group belong to it as well.
    pub(crate) fn new(root: Id, group: Option<u32>) -> Self {
        Self {
            root: Some(root),
            group,
            supervisor: None,
            container: None,
            known: BTreeSet::new(),
            own_pid: std::process::id(),
        }
    }

    /// Whatever is in a container, of which `root` is the main process.
    pub(crate) fn contained(root: Id, container: ContainerGroup) -> Self {
        Self {
            container: Some(container),
            ..Self::new(root, None)
        }
    }

    /// Whatever `supervisor` started and adopted, but not itself.
    pub(crate) fn under(supervisor: Id) -> Self {
        Self {
            root: None,
            group: None,
            supervisor: Some(supervisor),
            container: None,
            known: BTreeSet::new(),
            own_pid: std::process::id(),
        }
    }

    /// The members among `all`, zombies included.
    pub(crate) fn members<'a>(&mut self, all: &'a [Process]) -> Vec<&'a Process> {
        // Its number may belong to somebody else by now.
        let supervisor = self.supervisor_in(all).map(|process| process.id.pid);
        let is_seed = |process: &Process| {
            Some(process.id) == self.root
                || self.group.is_some_and(|group| group == process.group)
                || supervisor == Some(process.parent)
                || self.known.contains(&process.id)
                || self
                    .container
                    .as_ref()
                    .is_some_and(|container| container.holds(process.id.pid))
        };
        let members = with_descendants(all, self.own_pid, is_seed);
        self.known = members.keys().copied().collect();
        members.into_values().collect()
    }

    /// The supervisor, if there is one and it is alive.
    pub(crate) fn supervisor_in<'a>(&self, all: &'a [Process]) -> Option<&'a Process> {
        all.iter().find(|process| Some(process.id) == self.supervisor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: u32, parent: u32, group: u32) -> Process {
        Process {
            id: Id { pid, start: 7 },
            name: "p".to_owned(),
            zombie: false,
            parent,
            group,
            own_ticks: 0,
            reaped_ticks: 0,
            threads: 1,
            rss_pages: 1,
        }
    }

    fn pids(members: &[&Process]) -> Vec<u32> {
        members.iter().map(|process| process.id.pid).collect()
    }

    #[test]
    fn a_name_may_hold_anything() {
        let stat =
            "42 (a) b (c) S 1 40 40 0 -1 4194560 9 8 7 6 50 60 70 80 20 0 11 0 1234 99999 321 18446744073709551615";
        let process = Process::parse(stat).expect("valid");
        assert_eq!(process.name, "a) b (c");
        assert_eq!(process.id, Id { pid: 42, start: 1234 });
        assert_eq!((process.parent, process.group), (1, 40));
        assert_eq!((process.own_ticks, process.reaped_ticks), (110, 150));
        assert_eq!((process.threads, process.rss_pages), (11, 321));
    }

    #[test]
    fn a_process_has_ended_when_its_last_thread_has() {
        let zombie = |threads: u32| {
            let stat = format!("42 (node) Z 1 40 40 0 -1 4194560 9 8 7 6 50 60 70 80 20 0 {threads} 0 1234 0 0");
            Process::parse(&stat).expect("valid").zombie
        };
        assert!(zombie(1));
        assert!(!zombie(2));
    }

    #[test]
    fn descendants_and_the_group_belong_to_it() {
        // 10 is the root, 11 its child, 12 a grandchild in a group of its own, 20 an orphan of the group.
        let all = [
            process(1, 0, 1),
            process(12, 11, 12),
            process(11, 10, 10),
            process(10, 5, 10),
            process(20, 1, 10),
            process(30, 1, 30),
        ];
        let mut tree = Tree::new(Id { pid: 10, start: 7 }, Some(10));
        assert_eq!(pids(&tree.members(&all)), [10, 11, 12, 20]);
    }

    #[test]
    fn what_a_supervisor_started_and_adopted_belongs_to_it() {
        // 5 is the supervisor, 10 the program, 12 a daemon that it adopted.
        let mut all = vec![
            process(5, 3, 5),
            process(10, 5, 10),
            process(11, 10, 11),
            process(12, 5, 12),
            process(13, 12, 12),
            process(30, 3, 30),
        ];
        let mut tree = Tree::under(Id { pid: 5, start: 7 });
        assert_eq!(pids(&tree.members(&all)), [10, 11, 12, 13]);
        // Its supervisor was killed, and its number is used again.
        all[0].id.start = 99;
        all.push(process(31, 5, 31));
        assert_eq!(pids(&tree.members(&all)), [10, 11, 12, 13]);
    }

    #[test]
    fn who_was_a_member_stays_one() {
        let mut tree = Tree::new(Id { pid: 10, start: 7 }, None);
        tree.members(&[process(10, 5, 10), process(11, 10, 11)]);
        let reused = Process {
            id: Id { pid: 10, start: 99 },
            ..process(10, 1, 10)
        };
        let all = [reused, process(11, 1, 11), process(12, 11, 12)];
        assert_eq!(
            pids(&tree.members(&all)),
            [11, 12],
            "the pid of the root now belongs to another"
        );
    }

    #[test]
    fn we_are_not_part_of_the_service() {
        let own = std::process::id();
        let mut tree = Tree::new(Id { pid: 10, start: 7 }, None);
        let all = [process(10, 5, 10), process(own, 10, 10), process(own + 1, own, 10)];
        assert_eq!(pids(&tree.members(&all)), [10]);
    }
}
