//! A container as the kernel shows it: the processes of a control group. No runtime is asked.

mod group;
mod names;

pub(crate) use group::ContainerGroup;

use crate::process::Process;
use plimsoll_plan::Container;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// More do not help a reader.
const SHOWN_MAX: usize = 6;

/// What runs in a container.
#[derive(Debug)]
pub(crate) struct Contained {
    /// What the others stem from.
    pub(crate) main: Process,
    /// What all of them are in.
    pub(crate) group: ContainerGroup,
}

/// A container cannot be watched. The text fits after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoContainer {
    /// Nothing runs in a container of that name, id or control group.
    #[error(
        "find container {wanted}: no process is in one of that name, id or control group{}{}",
        running(others),
        unreadable(unread)
    )]
    NotFound {
        /// As in the plan.
        wanted: Container,
        /// What runs instead: the beginning of an id, and the program.
        others: Vec<String>,
        /// Lists of names that may not be read.
        unread: Vec<PathBuf>,
    },
    /// Its name is known, and it has no process.
    #[error("find container {wanted}: its id is {id}, and no process is in it")]
    Stopped {
        /// As in the plan.
        wanted: Container,
        /// The beginning of its id.
        id: String,
    },
    /// Several containers are meant.
    #[error("find container {wanted}: that may be any of {}", found.join(", "))]
    Ambiguous {
        /// As in the plan.
        wanted: Container,
        /// The beginning of the id of each, and its program.
        found: Vec<String>,
    },
}

impl NoContainer {
    /// What the user can do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => {
                "give its id, as `docker ps` or `podman ps` lists it, the path of its control group, or its main process with --pid"
            }
            Self::Stopped { .. } => "start it, and see whether it goes on running",
            Self::Ambiguous { .. } => "give more of its id",
        }
    }
}

fn running(others: &[String]) -> String {
    match others {
        [] => String::new(),
        others => format!("; those that run are {}", others.join(", ")),
    }
}

fn unreadable(lists: &[PathBuf]) -> String {
    match lists {
        [] => String::new(),
        [first, ..] => format!("; this user may not read the names in {}", first.display()),
    }
}

/// A process and its control groups.
type Grouped = (Process, Vec<String>);

/// Finds what runs in a container.
pub(crate) fn find(wanted: &Container) -> Result<Contained, NoContainer> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let all = Process::all().into_iter().filter(|process| !process.zombie);
    let all: Vec<Grouped> = all
        .map(|process| {
            let paths = group::paths(Path::new("/"), process.id.pid);
            (process, paths)
        })
        .collect();
    find_among(&all, wanted, Path::new("/"), home.as_deref())
}

/// `root` is where `sys` and `var` are.
fn find_among(all: &[Grouped], wanted: &Container, root: &Path, home: Option<&Path>) -> Result<Contained, NoContainer> {
    let group = match wanted.path() {
        Some(path) => ContainerGroup::Path(below_mount(root, path)),
        None => ContainerGroup::Id(id_for(all, wanted, root, home)?),
    };
    let inside = all.iter().filter(|(_, paths)| group.is_one_of(paths));
    let main = main_of(inside.map(|(process, _)| process).collect()).cloned();
    let not_found = || NoContainer::NotFound {
        wanted: wanted.clone(),
        others: shown(all, |_| true),
        unread: Vec::new(),
    };
    let main = main.ok_or_else(not_found)?;
    Ok(Contained { main, group })
}

/// The id that a name or the beginning of an id stands for. As Docker has it, a name comes before the beginning of an id.
fn id_for(all: &[Grouped], wanted: &Container, root: &Path, home: Option<&Path>) -> Result<String, NoContainer> {
    let ids = all
        .iter()
        .flat_map(|(_, paths)| paths.iter().flat_map(|path| group::ids(path)));
    let running: BTreeSet<&str> = ids.collect();
    let known = names::of(root, wanted.as_str(), home);
    let named: Vec<&str> = running.iter().copied().filter(|id| known.ids.contains(*id)).collect();
    let begun = || {
        running
            .iter()
            .copied()
            .filter(|id| id.starts_with(wanted.as_str()))
            .collect()
    };
    let meant: Vec<&str> = if named.is_empty() { begun() } else { named };
    match (meant.as_slice(), known.ids.first()) {
        ([only], _) => Ok((*only).to_owned()),
        ([], Some(id)) => Err(NoContainer::Stopped {
            wanted: wanted.clone(),
            id: short(id),
        }),
        ([], None) => Err(NoContainer::NotFound {
            wanted: wanted.clone(),
            others: shown(all, |_| true),
            unread: known.unread,
        }),
        (several, _) => Err(NoContainer::Ambiguous {
            wanted: wanted.clone(),
            found: shown(all, |id| several.contains(&id)),
        }),
    }
}

/// Containers by the beginning of their id, with the program that runs in each.
fn shown(all: &[Grouped], is_meant: impl Fn(&str) -> bool) -> Vec<String> {
    let mut inside: BTreeMap<&str, Vec<&Process>> = BTreeMap::new();
    for (process, paths) in all {
        let innermost: BTreeSet<&str> = paths.iter().filter_map(|path| group::ids(path).last()).collect();
        for id in innermost.into_iter().filter(|id| is_meant(id)) {
            inside.entry(id).or_default().push(process);
        }
    }
    let count = inside.len();
    let words = inside.into_iter().filter_map(|(id, processes)| {
        let main = main_of(processes)?;
        Some(format!("{} ({})", short(id), plimsoll_plain::line(&main.name)))
    });
    let mut words: Vec<String> = words.take(SHOWN_MAX).collect();
    if count > SHOWN_MAX {
        words.push(format!("{} more", count - SHOWN_MAX));
    }
    words
}

/// As runtimes show an id.
fn short(id: &str) -> String {
    let begin: String = id.chars().take(12).collect();
    plimsoll_plain::line(&begin).into_owned()
}

/// The one that started first of those whose parent is not among them: others came in later, as by `docker exec`.
fn main_of(inside: Vec<&Process>) -> Option<&Process> {
    let pids: BTreeSet<u32> = inside.iter().map(|process| process.id.pid).collect();
    let roots = inside.into_iter().filter(|process| !pids.contains(&process.parent));
    roots.min_by_key(|process| (process.id.start, process.id.pid))
}

/// The path of a group within its hierarchy, where it is given with the directory at which that is mounted.
fn below_mount(root: &Path, path: &str) -> PathBuf {
    let Ok(below) = Path::new(path).strip_prefix("/sys/fs/cgroup") else {
        return PathBuf::from(path);
    };
    // Version 1 has a directory for each hierarchy there.
    let is_version_2 = root.join("sys/fs/cgroup/cgroup.controllers").exists();
    let within: PathBuf = below.components().skip(usize::from(!is_version_2)).collect();
    Path::new("/").join(within)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Id;
    use plimsoll_plan::parse_container;

    fn grouped(pid: u32, parent: u32, start: u64, path: &str) -> Grouped {
        let process = Process {
            id: Id { pid, start },
            name: format!("p{pid}"),
            zombie: false,
            parent,
            group: pid,
            own_ticks: 0,
            reaped_ticks: 0,
            threads: 1,
            rss_pages: 1,
        };
        (process, vec![path.to_owned(), "/".to_owned()])
    }

    fn id(first: &str) -> String {
        format!("{first:0<64}")
    }

    #[test]
    fn container_is_found_by_name_beginning_of_id_and_path() {
        let root = tempfile::tempdir().expect("a directory");
        let config = root.path().join("var/lib/docker/containers/x/config.v2.json");
        std::fs::create_dir_all(config.parent().expect("not the root")).expect("made");
        std::fs::write(&config, format!(r#"{{"ID":"{}","Name":"/ab1"}}"#, id("c"))).expect("written");
        let all = [
            grouped(1, 0, 1, "/"),
            grouped(20, 1, 20, &format!("/docker/{}", id("ab1"))),
            grouped(21, 20, 21, &format!("/docker/{}", id("ab1"))),
            // Put there later, by a process outside.
            grouped(5, 1, 30, &format!("/docker/{}", id("ab1"))),
            grouped(40, 1, 22, &format!("/system.slice/docker-{}.scope", id("ab2"))),
            grouped(50, 1, 23, &format!("/docker/{}", id("c"))),
            grouped(60, 1, 24, "/app.slice/shop/workers"),
        ];
        let find = |text: &str| {
            let wanted = parse_container(text).expect("valid");
            find_among(&all, &wanted, root.path(), None).map(|found| found.main.id.pid)
        };
        for (text, pid) in [
            (&*id("ab1"), 20),
            ("ab10", 20),
            // A name comes before the beginning of an id.
            ("ab1", 50),
            ("ab2", 40),
            ("/app.slice/shop", 60),
            ("/sys/fs/cgroup/memory/app.slice/shop/", 60),
        ] {
            assert_eq!(find(text), Ok(pid), "{text}");
        }
        let words = |text: &str| find(text).expect_err(text).to_string();
        assert_eq!(
            words("a"),
            "find container a: that may be any of ab1000000000 (p20), ab2000000000 (p40)"
        );
        assert_eq!(
            words("shop"),
            "find container shop: no process is in one of that name, id or control group; those that run are \
             ab1000000000 (p20), ab2000000000 (p40), c00000000000 (p50)"
        );
        std::fs::write(&config, format!(r#"{{"ID":"{}","Name":"/gone"}}"#, id("d"))).expect("written");
        assert_eq!(
            words("gone"),
            "find container gone: its id is d00000000000, and no process is in it"
        );
    }
}
