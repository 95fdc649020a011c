//! What its control groups leave a process: the kernel's bounds for containers and services, which no figure of the machine
//! shows (cgroups(7), both versions).

use plimsoll_files::kernel;
use std::path::{Component, Path, PathBuf};

/// Above this a bound of memory in version 1 is none: it is the greatest number of pages.
const MEMORY_UNBOUNDED: u64 = 1 << 62;

/// The control groups of a process, each with those that hold it, which bound it too.
#[derive(Debug)]
pub struct ControlGroups {
    cpu: Vec<PathBuf>,
    memory: Vec<PathBuf>,
}

impl ControlGroups {
    /// Those of process `pid`, or `self`. `root` is where `proc` and `sys` are: `/` but for tests.
    #[must_use]
    pub fn of(root: &Path, pid: &str) -> Self {
        let groups = kernel::text(root.join("proc").join(pid).join("cgroup")).unwrap_or_default();
        let mount = root.join("sys/fs/cgroup");
        let directories = |controller| {
            groups
                .lines()
                .flat_map(|line| directories(&mount, line, controller))
                .collect()
        };
        Self {
            cpu: directories("cpu"),
            memory: directories("memory"),
        }
    }

    /// How many cores' worth of time the process may use, as the lowest quota says; `None` is no limit.
    #[must_use]
    pub fn cpu_limit(&self) -> Option<f64> {
        let limits = self.cpu.iter().filter_map(|group| match text(group, "cpu.max") {
            Some(both) => share(both.trim().split_once(' ')?),
            None => share((&text(group, "cpu.cfs_quota_us")?, &text(group, "cpu.cfs_period_us")?)),
        });
        limits.reduce(f64::min)
    }

    /// How long quotas have kept threads of these groups from running so far, ns: all cores and all groups together, so
    /// that no group's past hides what another one does now. `None` where no group counts it.
    #[must_use]
    pub fn throttled_ns(&self) -> Option<u64> {
        let counted = self.cpu.iter().filter_map(|group| {
            let stat = text(group, "cpu.stat")?;
            let us = figure(&stat, "throttled_usec").map(|us| us * 1000);
            us.or_else(|| figure(&stat, "throttled_time"))
        });
        counted.reduce(u64::saturating_add)
    }

    /// Bytes that are taken and bytes there are, in each group that has a bound. File pages that were not used lately do not
    /// count: the kernel can drop them at once.
    pub fn memory(&self) -> impl Iterator<Item = (u64, u64)> {
        self.memory.iter().filter_map(|group| {
            let number = |names: [&str; 2]| {
                names
                    .iter()
                    .find_map(|name| text(group, name))?
                    .trim()
                    .parse::<u64>()
                    .ok()
            };
            let most = number(["memory.max", "memory.limit_in_bytes"]).filter(|most| *most < MEMORY_UNBOUNDED)?;
            let taken = number(["memory.current", "memory.usage_in_bytes"])?;
            let stat = text(group, "memory.stat").unwrap_or_default();
            let droppable = figure(&stat, "total_inactive_file").or_else(|| figure(&stat, "inactive_file"));
            Some((taken.saturating_sub(droppable.unwrap_or(0)), most))
        })
    }

    /// How many processes of the group itself the kernel has ended so far because memory ran out. `None` where it does not count
    /// them.
    #[must_use]
    pub fn oom_kills(&self) -> Option<u64> {
        let own = self.memory.first()?;
        let counted = |name| figure(&text(own, name)?, "oom_kill");
        counted("memory.events").or_else(|| counted("memory.oom_control"))
    }
}

/// The two interfaces of the kernel to control groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupVersion {
    /// A hierarchy for each controller.
    One,
    /// One hierarchy for all controllers.
    Two,
}

/// Where the groups of one controller are, as one process sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    /// Which interface its files have.
    pub version: GroupVersion,
    /// The group of the process first, then those that hold it, as far as they are there.
    pub groups: Vec<PathBuf>,
}

/// Where process `pid`, or `self`, has its groups of `controller`, such as `cpu`; `None` where the kernel has no such
/// controller or its groups cannot be seen. `root` as in [`ControlGroups::of`].
#[must_use]
pub fn hierarchy(root: &Path, pid: &str, controller: &str) -> Option<Hierarchy> {
    let lines = kernel::text(root.join("proc").join(pid).join("cgroup")).ok()?;
    let mount = root.join("sys/fs/cgroup");
    let of = |version| {
        let is_of = |line: &&str| line.starts_with("0::") == (version == GroupVersion::Two);
        let all = lines.lines().filter(is_of);
        let groups: Vec<PathBuf> = all
            .flat_map(|line| directories(&mount, line, controller))
            // A mount that is not there leaves a directory without it.
            .filter(|group| group.join("cgroup.procs").exists())
            .filter(|group| !group.components().any(|part| part == Component::ParentDir))
            // Without the slash that the path `/` leaves behind.
            .map(|group| group.components().collect())
            .collect();
        Some(Hierarchy { version, groups }).filter(|hierarchy| !hierarchy.groups.is_empty())
    };
    // A controller belongs to one of them; version 2 names those that it has.
    let has = |hierarchy: &Hierarchy| {
        let names = |group: &PathBuf| text(group, "cgroup.controllers").unwrap_or_default();
        let top = hierarchy.groups.last().map(names).unwrap_or_default();
        top.split_ascii_whitespace().any(|name| name == controller)
    };
    of(GroupVersion::One).or_else(|| of(GroupVersion::Two).filter(has))
}

/// The group of a line of `/proc/PID/cgroup` and those above it: `4:cpu,cpuacct:/path` in version 1, `0::/path` in version 2,
/// which has one hierarchy for all controllers. In a container the path may be one of the host, so that only the top
/// is there.
fn directories(mount: &Path, line: &str, controller: &str) -> Vec<PathBuf> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(group)) = (fields.next(), fields.next()) else {
        return Vec::new();
    };
    let base = if controllers.is_empty() {
        directory(mount.join("unified")).unwrap_or_else(|| mount.to_owned())
    } else if controllers.split(',').any(|name| name == controller) {
        directory(mount.join(controllers)).unwrap_or_else(|| mount.join(controller))
    } else {
        return Vec::new();
    };
    let own = base.join(group.trim_start_matches('/'));
    let with_holders = own.ancestors().take_while(|group| group.starts_with(&base));
    with_holders.map(Path::to_owned).collect()
}

fn directory(path: PathBuf) -> Option<PathBuf> {
    path.is_dir().then_some(path)
}

fn text(group: &Path, name: &str) -> Option<String> {
    kernel::text(group.join(name)).ok()
}

/// Quota and period. No number (`max`) and a negative one are no limit.
fn share((quota, period): (&str, &str)) -> Option<f64> {
    let (quota, period): (f64, f64) = (quota.trim().parse().ok()?, period.trim().parse().ok()?);
    (quota > 0.0 && period > 0.0).then(|| quota / period)
}

/// `name 5` in a file of such lines.
fn figure(stat: &str, name: &str) -> Option<u64> {
    let value = stat
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    value.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Quota, time without a core, and memory.
    fn found(files: &[(&str, &str)]) -> (Option<f64>, Option<u64>, Vec<(u64, u64)>) {
        let root = tempfile::tempdir().expect("a directory");
        for (name, content) in files {
            let file = root.path().join(name);
            fs::create_dir_all(file.parent().expect("not the root")).expect("made");
            fs::write(file, content).expect("written");
        }
        let groups = ControlGroups::of(root.path(), "7");
        (groups.cpu_limit(), groups.throttled_ns(), groups.memory().collect())
    }

    #[test]
    fn groups_that_hold_the_own_one_bound_it_too() {
        let files = [
            ("proc/7/cgroup", "0::/pod/container\n"),
            ("sys/fs/cgroup/pod/container/cpu.max", "max 100000\n"),
            (
                "sys/fs/cgroup/pod/container/cpu.stat",
                "usage_usec 9\nnr_throttled 2\nthrottled_usec 5\n",
            ),
            ("sys/fs/cgroup/pod/container/memory.max", "max\n"),
            ("sys/fs/cgroup/pod/container/memory.current", "600\n"),
            ("sys/fs/cgroup/pod/cpu.max", "150000 100000\n"),
            ("sys/fs/cgroup/pod/cpu.stat", "nr_throttled 3\nthrottled_usec 7\n"),
            ("sys/fs/cgroup/pod/memory.max", "1000\n"),
            ("sys/fs/cgroup/pod/memory.current", "700\n"),
            ("sys/fs/cgroup/pod/memory.stat", "anon 500\ninactive_file 150\n"),
            ("sys/fs/cgroup/cpu.stat", "usage_usec 99\n"),
        ];
        assert_eq!(found(&files), (Some(1.5), Some(12_000), vec![(550, 1000)]));
    }

    #[test]
    fn each_controller_is_found_where_it_is() {
        let root = tempfile::tempdir().expect("a directory");
        for (name, content) in [
            ("proc/7/cgroup", "5:hugetlb:/\n4:cpu,cpuacct:/a/b\n0::/user/me\n"),
            ("sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n"),
            ("sys/fs/cgroup/cpu,cpuacct/a/b/cgroup.procs", ""),
            ("sys/fs/cgroup/cpu,cpuacct/a/cgroup.procs", ""),
            ("sys/fs/cgroup/cpu,cpuacct/cgroup.procs", ""),
            ("sys/fs/cgroup/unified/cgroup.controllers", "memory pids\n"),
            ("sys/fs/cgroup/unified/cgroup.procs", ""),
            ("sys/fs/cgroup/unified/user/cgroup.procs", ""),
            // Where nothing is mounted.
            ("sys/fs/cgroup/hugetlb/other", ""),
        ] {
            let file = root.path().join(name);
            fs::create_dir_all(file.parent().expect("not the root")).expect("made");
            fs::write(file, content).expect("written");
        }
        let found = |controller| {
            let hierarchy = hierarchy(root.path(), "7", controller)?;
            let shown = |group: &PathBuf| {
                group
                    .strip_prefix(root.path().join("sys/fs/cgroup"))
                    .map(Path::to_owned)
            };
            let groups: Result<Vec<PathBuf>, _> = hierarchy.groups.iter().map(shown).collect();
            Some((hierarchy.version, groups.expect("below the mount")))
        };
        let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(
            found("cpu"),
            Some((
                GroupVersion::One,
                paths(&["cpu,cpuacct/a/b", "cpu,cpuacct/a", "cpu,cpuacct"])
            ))
        );
        // The own group is one of another namespace, so that only those above it are there.
        assert_eq!(
            found("memory"),
            Some((GroupVersion::Two, paths(&["unified/user", "unified"])))
        );
        assert_eq!(found("hugetlb"), None);
    }

    #[test]
    fn kills_for_memory_are_those_of_the_own_group() {
        for (file, content) in [
            (
                "sys/fs/cgroup/a/memory.events",
                "low 0\noom 9\noom_kill 2\noom_group_kill 0\n",
            ),
            (
                "sys/fs/cgroup/a/memory.oom_control",
                "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
            ),
        ] {
            let root = tempfile::tempdir().expect("a directory");
            fs::create_dir_all(root.path().join("proc/7")).expect("made");
            fs::create_dir_all(root.path().join("sys/fs/cgroup/a")).expect("made");
            fs::write(root.path().join("proc/7/cgroup"), "0::/a\n").expect("written");
            assert_eq!(ControlGroups::of(root.path(), "7").oom_kills(), None);
            fs::write(root.path().join(file), content).expect("written");
            assert_eq!(ControlGroups::of(root.path(), "7").oom_kills(), Some(2), "{file}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_of_the_kernel_is_read_without_harm(
            lines in "(([0-9]{0,2}:)?[a-z,=]{0,9}:?/?[a-z./]{0,9}\n){0,4}",
            stat in "([a-z_]{0,9} ?[0-9]{0,21}\n){0,4}",
            pair in "[0-9a-z -]{0,12}",
        ) {
            let files = [
                ("proc/7/cgroup", &*lines),
                ("sys/fs/cgroup/cpu.max", &*pair),
                ("sys/fs/cgroup/cpu.stat", &*stat),
                ("sys/fs/cgroup/memory.max", &*pair),
                ("sys/fs/cgroup/memory.current", &*pair),
            ];
            let (limit, ..) = found(&files);
            proptest::prop_assert!(limit.is_none_or(|cores| cores > 0.0 && cores.is_finite()));
        }

        #[test]
        fn a_quota_reads_back_in_both_versions(millis in 10_u64..4_096_000) {
            let (quota, period) = (millis * 100, 100_000_u64);
            let two = [
                ("proc/7/cgroup".to_owned(), "0::/a\n".to_owned()),
                ("sys/fs/cgroup/a/cpu.max".to_owned(), format!("{quota} {period}\n")),
            ];
            let one = [
                ("proc/7/cgroup".to_owned(), "2:cpu:/a\n".to_owned()),
                ("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us".to_owned(), format!("{quota}\n")),
                ("sys/fs/cgroup/cpu/a/cpu.cfs_period_us".to_owned(), format!("{period}\n")),
            ];
            for files in [&two[..], &one] {
                let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
                proptest::prop_assert_eq!(found(&files).0, Some(millis as f64 / 1e3));
            }
        }
    }

    #[test]
    fn version_1_has_a_hierarchy_for_each_controller() {
        let files = [
            ("proc/7/cgroup", "5:cpuset:/set\n4:cpu,cpuacct:/a\n3:memory:/b\n0::/\n"),
            ("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "200000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n"),
            (
                "sys/fs/cgroup/cpu,cpuacct/a/cpu.stat",
                "nr_periods 4\nthrottled_time 42\n",
            ),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/memory/b/memory.limit_in_bytes", "1000\n"),
            ("sys/fs/cgroup/memory/b/memory.usage_in_bytes", "400\n"),
            (
                "sys/fs/cgroup/memory/b/memory.stat",
                "inactive_file 1\ntotal_inactive_file 30\n",
            ),
        ];
        assert_eq!(found(&files), (Some(2.0), Some(42), vec![(370, 1000)]));
    }

    #[test]
    fn a_container_sees_only_the_top() {
        let files = [
            ("proc/7/cgroup", "0::/host/path\n"),
            ("sys/fs/cgroup/cpu.max", "50000 100000\n"),
            ("sys/fs/cgroup/memory.max", "1000\n"),
            ("sys/fs/cgroup/memory.current", "400\n"),
        ];
        assert_eq!(found(&files), (Some(0.5), None, vec![(400, 1000)]));
    }

    #[test]
    fn without_a_bound_nothing_is_said() {
        assert_eq!(found(&[]), (None, None, Vec::new()));
        let unbounded = [("proc/7/cgroup", "0::/\n"), ("sys/fs/cgroup/cpu.max", "max 100000\n")];
        assert_eq!(found(&unbounded), (None, None, Vec::new()));
    }
}
