//! The CPU limit of a control group, versions 1 and 2.

use std::fs;
use std::path::{Path, PathBuf};

/// How many cores' worth of time process `pid` may use, as the nearest limit on the way to the top says;
/// `None` is no limit. `root` is `/` but for tests.
pub(crate) fn cpu_limit(root: &Path, pid: &str) -> Option<f64> {
    let groups = fs::read_to_string(root.join("proc").join(pid).join("cgroup")).ok()?;
    let mount = root.join("sys/fs/cgroup");
    let limits = groups.lines().filter_map(|line| {
        // `0::/path` in version 2, `4:cpu,cpuacct:/path` in version 1.
        let mut fields = line.splitn(3, ':').skip(1);
        let controllers = fields.next()?;
        let group = fields.next()?.trim_start_matches('/');
        if controllers.is_empty() {
            let unified = mount.join("unified");
            let base = if unified.is_dir() { unified } else { mount.clone() };
            lowest(&base, group, |folder| {
                parse_v2(&fs::read_to_string(folder.join("cpu.max")).ok()?)
            })
        } else if controllers.split(',').any(|name| name == "cpu") {
            let both = mount.join(controllers);
            let base = if both.is_dir() { both } else { mount.join("cpu") };
            lowest(&base, group, parse_v1)
        } else {
            None
        }
    });
    limits.reduce(f64::min)
}

/// In a container the path may be one of the host, so that only the top exists here.
fn lowest(base: &Path, group: &str, limit: impl Fn(&Path) -> Option<f64>) -> Option<f64> {
    let deepest: PathBuf = base.join(group);
    deepest
        .ancestors()
        .take_while(|folder| folder.starts_with(base))
        .filter_map(limit)
        .reduce(f64::min)
}

/// `cpu.max`: quota and period in µs, or `max` and period.
fn parse_v2(text: &str) -> Option<f64> {
    let (quota, period) = text.trim().split_once(' ')?;
    share(quota, period)
}

fn parse_v1(folder: &Path) -> Option<f64> {
    let quota = fs::read_to_string(folder.join("cpu.cfs_quota_us")).ok()?;
    let period = fs::read_to_string(folder.join("cpu.cfs_period_us")).ok()?;
    share(quota.trim(), period.trim())
}

/// No number (`max`) and a negative one are no limit.
fn share(quota: &str, period: &str) -> Option<f64> {
    let (quota, period): (f64, f64) = (quota.parse().ok()?, period.parse().ok()?);
    (quota > 0.0 && period > 0.0).then(|| quota / period)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(files: &[(&str, &str)]) -> Option<f64> {
        let root = tempfile::tempdir().expect("a folder");
        for (name, content) in files {
            let file = root.path().join(name);
            fs::create_dir_all(file.parent().expect("not the root")).expect("made");
            fs::write(file, content).expect("written");
        }
        cpu_limit(root.path(), "7")
    }

    #[test]
    fn the_lowest_limit_on_the_way_up_counts() {
        let files = [
            ("proc/7/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/b/cpu.max", "max 100000\n"),
            ("sys/fs/cgroup/a/cpu.max", "150000 100000\n"),
        ];
        assert_eq!(limit(&files), Some(1.5));
    }

    #[test]
    fn a_container_sees_only_the_top() {
        let files = [
            ("proc/7/cgroup", "0::/host/path\n"),
            ("sys/fs/cgroup/cpu.max", "50000 100000\n"),
        ];
        assert_eq!(limit(&files), Some(0.5));
    }

    #[test]
    fn version_1_is_read_too() {
        let files = [
            ("proc/7/cgroup", "5:memory:/x\n4:cpu,cpuacct:/x\n"),
            ("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us", "200000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
        ];
        assert_eq!(limit(&files), Some(2.0));
    }

    #[test]
    fn no_limit_is_none() {
        assert_eq!(limit(&[]), None);
        assert_eq!(
            limit(&[("proc/7/cgroup", "0::/\n"), ("sys/fs/cgroup/cpu.max", "max 100000\n")]),
            None
        );
    }
}
