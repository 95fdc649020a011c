//! The limits of a service: a control group of its own, in which it is born and which is gone when it is.
//!
//! A group is made below the group of this process, so that limits of a container hold as well. Version 1 of the kernel's
//! interface has one directory for each controller, version 2 one for all. The supervisor enters the group, starts the
//! service and leaves again, so that the service never runs outside of it and nobody else is counted.

mod directories;
mod error;
mod heap;
mod leftover;
mod place;

pub(crate) use directories::{enter, remove};
pub use error::{Limited, NoLimits};
pub use heap::{HeapMisfit, heap_misfit};

use leftover::Name;
use place::Place;
use plimsoll_files::kernel;
use plimsoll_plan::{ByteSize, Limits};
use plimsoll_thread::{ControlGroups, GroupVersion};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The kernel's own default, and that of containers.
const PERIOD_US: u64 = 100_000;
/// Looks whether this machine lets this process limit a service so, by doing it once.
///
/// # Errors
/// When it does not; nothing is left then either.
pub fn check_limits(limits: &Limits) -> Result<(), NoLimits> {
    Group::make(limits).map(drop)
}

/// The directories of one group. Dropping it removes them.
#[derive(Debug)]
pub(crate) struct Group {
    own: Vec<PathBuf>,
    /// Where whoever enters them comes from.
    outside: Vec<PathBuf>,
}

impl Group {
    /// Makes the group for `limits`; `None` where nothing is limited. What runs that are over left behind is removed before.
    pub(crate) fn make(limits: &Limits) -> Result<Option<Self>, NoLimits> {
        Self::make_in(Path::new("/"), limits)
    }

    /// `root` is where `proc` and `sys` are.
    fn make_in(root: &Path, limits: &Limits) -> Result<Option<Self>, NoLimits> {
        let wanted = Limited::all(limits);
        if wanted.is_empty() {
            return Ok(None);
        }
        check_holders(root, limits)?;
        let places = place::places(root, &wanted)?;
        let name = Name::next(root);
        let mut group = Self {
            own: Vec::new(),
            outside: Vec::new(),
        };
        for place in places {
            leftover::remove_dead(root, &place.parent);
            let directory = place.parent.join(name.to_string());
            fs::create_dir(&directory).map_err(|source| place.refused(source))?;
            // From here on it is removed whatever happens.
            group.own.push(directory.clone());
            group.outside.push(place.outside.clone());
            for limited in &place.limited {
                set(&directory, place.version, *limited, limits).map_err(|source| place.refused(source))?;
            }
        }
        Ok(Some(group))
    }

    /// Its directories.
    pub(crate) fn own(&self) -> &[PathBuf] {
        &self.own
    }

    /// The directories of the groups that this process is in instead.
    pub(crate) fn outside(&self) -> &[PathBuf] {
        &self.outside
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        remove(&self.own);
    }
}

/// More than the groups have that hold this process is never had.
fn check_holders(root: &Path, limits: &Limits) -> Result<(), NoLimits> {
    let holders = ControlGroups::of(root, "self");
    if let (Some(wanted), Some(granted)) = (limits.cpu, holders.cpu_limit())
        && wanted.cores() > granted
    {
        return Err(NoLimits::CpuOfHolder { wanted, granted });
    }
    if let (Some(wanted), Some(granted)) = (limits.memory, holders.memory().map(|(_, most)| most).min())
        && wanted.bytes() > granted
    {
        return Err(NoLimits::MemoryOfHolder { wanted, granted });
    }
    Ok(())
}

fn set(directory: &Path, version: GroupVersion, limited: Limited, limits: &Limits) -> io::Result<()> {
    let put = |name: &str, value: &str| kernel::set(directory.join(name), value);
    // Where the kernel does not count swap there is nothing to limit.
    let put_if_there = |name: &str, value: &str| match put(name, value) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    };
    match limited {
        Limited::Cpu => {
            let quota_us = limits
                .cpu
                .map_or(0, |cpu| u64::from(cpu.millicores()) * PERIOD_US / 1000);
            match version {
                GroupVersion::One => {
                    put("cpu.cfs_period_us", &PERIOD_US.to_string())?;
                    put("cpu.cfs_quota_us", &quota_us.to_string())
                }
                GroupVersion::Two => put("cpu.max", &format!("{quota_us} {PERIOD_US}")),
            }
        }
        Limited::Memory => {
            let bytes = limits.memory.map_or(0, ByteSize::bytes).to_string();
            match version {
                GroupVersion::One => {
                    put("memory.limit_in_bytes", &bytes)?;
                    put_if_there("memory.memsw.limit_in_bytes", &bytes)
                }
                GroupVersion::Two => {
                    put("memory.max", &bytes)?;
                    put_if_there("memory.swap.max", "0")
                }
            }
        }
        Limited::Pids => put("pids.max", &limits.pids.unwrap_or_default().to_string()),
    }
}

impl Place {
    fn refused(&self, source: io::Error) -> NoLimits {
        NoLimits::Refused {
            limited: self.limited.clone(),
            place: self.parent.clone(),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_plan::parse_cpu_limit;

    /// A kernel whose files are here, with the groups `a` and `a/b` around this process.
    struct Kernel(tempfile::TempDir);

    impl Kernel {
        fn with(files: &[(&str, &str)]) -> Self {
            let root = tempfile::tempdir().expect("a directory");
            for (name, content) in files {
                let file = root.path().join(name);
                fs::create_dir_all(file.parent().expect("not the root")).expect("made");
                fs::write(&file, content).expect("written");
                if name.starts_with("sys/") {
                    fs::write(file.with_file_name("cgroup.procs"), "").expect("written");
                }
            }
            Self(root)
        }

        fn make(&self, limits: &Limits) -> Result<Option<Group>, NoLimits> {
            Group::make_in(self.0.path(), limits)
        }

        /// What was said, with paths as on a machine.
        fn refusal(&self, limits: &Limits) -> String {
            let error = self.make(limits).expect_err("refused");
            let said = format!("{error}\n{}", error.hint());
            said.replace(&self.0.path().display().to_string(), "")
        }
    }

    fn half_a_core() -> Limits {
        Limits {
            cpu: Some(parse_cpu_limit("0.5").expect("a limit")),
            ..Limits::default()
        }
    }

    #[test]
    fn nothing_limited_needs_no_group() {
        assert!(matches!(Kernel::with(&[]).make(&Limits::default()), Ok(None)));
    }

    #[test]
    fn kernel_without_groups_is_named() {
        assert_eq!(
            Kernel::with(&[]).refusal(&half_a_core()),
            "limit the CPU: found no cpu controller below /sys/fs/cgroup, expected one of control groups, version 1 or 2\n\
             see `cat /proc/cgroups`; without control groups, leave the limits out and pin the service with --target-cpus"
        );
    }

    #[test]
    fn group_without_the_controller_is_named() {
        let files = [
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n"),
            ("sys/fs/cgroup/cgroup.subtree_control", "memory pids\n"),
            ("sys/fs/cgroup/a/cgroup.subtree_control", "memory\n"),
            ("sys/fs/cgroup/a/b/cgroup.subtree_control", "\n"),
        ];
        assert_eq!(
            Kernel::with(&files).refusal(&half_a_core()),
            "limit the CPU: control group /sys/fs/cgroup/a/b passes nothing on to groups below it, expected `cpu`\n\
             run it in a group of your own, `systemd-run --user --scope -p Delegate=yes plimsoll …`, or as root"
        );
    }

    #[test]
    fn more_than_the_container_has_is_refused() {
        let files = [
            ("proc/self/cgroup", "0::/\n"),
            ("sys/fs/cgroup/cpu.max", "25000 100000\n"),
            ("sys/fs/cgroup/memory.max", "104857600\n"),
            ("sys/fs/cgroup/memory.current", "0\n"),
        ];
        let kernel = Kernel::with(&files);
        assert_eq!(
            kernel.refusal(&half_a_core()),
            "limit the CPU to 0.5 cores: the control group of plimsoll itself has 0.25, expected no more\n\
             lower the limit, or give the container of plimsoll more"
        );
        let memory = Limits {
            memory: Some(ByteSize::new(512 << 20)),
            ..Limits::default()
        };
        assert!(
            kernel.refusal(&memory).starts_with(
                "limit the memory to 512MiB: the control group of plimsoll itself has 100MiB, expected no more\n"
            ),
            "{}",
            kernel.refusal(&memory)
        );
    }

    #[test]
    fn nearest_group_that_shares_the_controller_is_used() {
        let files = [
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n"),
            ("sys/fs/cgroup/cgroup.subtree_control", "cpu memory pids\n"),
            ("sys/fs/cgroup/a/cgroup.subtree_control", "cpu memory\n"),
            ("sys/fs/cgroup/a/b/cgroup.subtree_control", "\n"),
        ];
        let kernel = Kernel::with(&files);
        // No kernel puts files into the new directory.
        let said = kernel.refusal(&half_a_core());
        assert!(
            said.starts_with("limit the CPU: found a control group /sys/fs/cgroup/a that cannot be divided ("),
            "{said}"
        );
        let left = fs::read_dir(kernel.0.path().join("sys/fs/cgroup/a")).expect("there");
        let left: Vec<_> = left.flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(left.len(), 3, "{left:?}");
    }
}
