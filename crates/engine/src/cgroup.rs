//! What the control groups of this process leave it: the kernel's bounds for containers and services, which no figure of the
//! machine shows (cgroups(7); both versions).

use std::fs;
use std::path::{Path, PathBuf};

/// The groups that bound the process, its own first, then those that hold it.
#[derive(Debug, Default)]
pub(crate) struct Cgroups {
    cpu: Vec<PathBuf>,
    memory: Vec<PathBuf>,
}

impl Cgroups {
    /// Of this process, as `root` shows them.
    pub(crate) fn of_self(root: &Path) -> Self {
        let text = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
        let mount = root.join("sys/fs/cgroup");
        let groups = |controller| {
            let own = first(&text, controller).map(|path| (mount.join(controller), path));
            let (mount, path) = own.or_else(|| Some((mount.clone(), unified(&text)?)))?;
            let group = mount.join(path.trim_start_matches('/'));
            let holders = group.ancestors().take_while(|holder| holder.starts_with(&mount));
            Some(holders.map(Path::to_owned).collect())
        };
        Self {
            cpu: groups("cpu").unwrap_or_default(),
            memory: groups("memory").unwrap_or_default(),
        }
    }

    /// How long the quota of CPU time has kept threads from running so far, ns, of all cores together: that of the group
    /// which did so longest. `None` where no group counts it.
    pub(crate) fn throttled_ns(&self) -> Option<u64> {
        let counted = self.cpu.iter().filter_map(|group| {
            let stat = fs::read_to_string(group.join("cpu.stat")).ok()?;
            figure(&stat, "throttled_usec")
                .map(|us| us * 1000)
                .or_else(|| figure(&stat, "throttled_time"))
        });
        counted.max()
    }

    /// Bytes that are taken and bytes there are in each group that has a bound. What the kernel can drop at once, file pages
    /// that were not used lately, is not counted.
    pub(crate) fn memory(&self) -> impl Iterator<Item = (u64, u64)> {
        self.memory.iter().filter_map(|group| {
            let number = |names: [&str; 2]| {
                let text = names
                    .iter()
                    .find_map(|name| fs::read_to_string(group.join(name)).ok())?;
                text.trim().parse::<u64>().ok()
            };
            let most = number(["memory.max", "memory.limit_in_bytes"])?;
            let taken = number(["memory.current", "memory.usage_in_bytes"])?;
            let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
            let droppable = figure(&stat, "total_inactive_file").or_else(|| figure(&stat, "inactive_file"));
            Some((taken.saturating_sub(droppable.unwrap_or(0)), most))
        })
    }
}

/// The group of the first version's hierarchy for a controller: `4:cpu,cpuacct:/path`.
fn first<'a>(text: &'a str, controller: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        controllers.split(',').any(|name| name == controller).then_some(path)
    })
}

/// The group of the second version, which has one hierarchy for all: `0::/path`.
fn unified(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix("0::"))
}

/// `name 5` in a file of such lines.
fn figure(stat: &str, name: &str) -> Option<u64> {
    stat.lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> (Option<u64>, Vec<(u64, u64)>) {
        let root = tempfile::tempdir().expect("a folder");
        for (name, content) in files {
            let file = root.path().join(name);
            fs::create_dir_all(file.parent().expect("not the root")).expect("made");
            fs::write(file, content).expect("written");
        }
        let groups = Cgroups::of_self(root.path());
        (groups.throttled_ns(), groups.memory().collect())
    }

    #[test]
    fn groups_that_hold_the_own_one_bound_it_too() {
        let files = [
            ("proc/self/cgroup", "0::/pod/container\n"),
            (
                "sys/fs/cgroup/pod/container/cpu.stat",
                "usage_usec 9\nnr_throttled 2\nthrottled_usec 5\n",
            ),
            ("sys/fs/cgroup/pod/container/memory.max", "max\n"),
            ("sys/fs/cgroup/pod/container/memory.current", "600\n"),
            ("sys/fs/cgroup/pod/cpu.stat", "nr_throttled 3\nthrottled_usec 7\n"),
            ("sys/fs/cgroup/pod/memory.max", "1000\n"),
            ("sys/fs/cgroup/pod/memory.current", "700\n"),
            ("sys/fs/cgroup/pod/memory.stat", "anon 500\ninactive_file 150\n"),
            ("sys/fs/cgroup/cpu.stat", "usage_usec 99\n"),
        ];
        assert_eq!(found(&files), (Some(7_000), vec![(550, 1000)]));
    }

    #[test]
    fn the_first_version_has_a_group_for_each_controller() {
        let files = [
            (
                "proc/self/cgroup",
                "5:cpuset:/set\n4:cpu,cpuacct:/a\n3:memory:/b\n0::/\n",
            ),
            ("sys/fs/cgroup/cpu/a/cpu.stat", "nr_periods 4\nthrottled_time 42\n"),
            ("sys/fs/cgroup/memory/b/memory.limit_in_bytes", "1000\n"),
            ("sys/fs/cgroup/memory/b/memory.usage_in_bytes", "400\n"),
            (
                "sys/fs/cgroup/memory/b/memory.stat",
                "inactive_file 1\ntotal_inactive_file 30\n",
            ),
        ];
        assert_eq!(found(&files), (Some(42), vec![(370, 1000)]));
    }

    #[test]
    fn a_container_sees_its_own_group_as_the_root() {
        let files = [
            ("proc/self/cgroup", "3:memory:/docker/1234\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "400\n"),
        ];
        assert_eq!(found(&files), (None, vec![(400, 1000)]));
    }

    #[test]
    fn without_groups_nothing_is_known() {
        assert_eq!(found(&[]), (None, Vec::new()));
    }
}
