//! The machine: what it is, and whether its settings suit a load test.

mod checks;
mod identity;
mod network;
mod usage;

pub use identity::identity;
pub use usage::{CpuTimes, CpuUsage};

use crate::cpus;
use plimsoll_files::kernel;
use plimsoll_measure::Host;
use std::path::Path;

/// One property of the machine and what it means for a load test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Two or three words.
    pub name: &'static str,
    /// The verdict.
    pub state: State,
    /// What is set, in words and figures.
    pub found: String,
    /// Why it matters, one sentence.
    pub why: &'static str,
    /// A command that fixes it, until the next start of the machine.
    pub fix: Option<String>,
}

/// How a property suits a load test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It does.
    Ok,
    /// Results are weaker for it, or some loads are out of reach.
    Warn,
    /// The wanted load is out of reach.
    Bad,
    /// It cannot be seen here.
    Unknown,
}

/// What machine this is. Cores and backend of the generator are for the caller to fill in.
#[must_use]
pub fn describe() -> Host {
    let name = rustix::system::uname();
    let kernel = format!(
        "{} {}",
        name.sysname().to_string_lossy(),
        name.release().to_string_lossy()
    );
    let machine = name.machine().to_string_lossy();
    describe_in(&Root::new(Path::new("/")), kernel, &machine)
}

/// Whether this machine suits a load test, with `connections` open at once where that is known.
#[must_use]
pub fn checks(connections: Option<u64>) -> Vec<Check> {
    checks_in(Path::new("/"), connections)
}

/// As [`checks()`], with `proc` and `sys` below `root`.
#[must_use]
pub fn checks_in(root: &Path, connections: Option<u64>) -> Vec<Check> {
    let root = Root::new(root);
    let mut all = checks::machine(&root);
    all.extend(network::limits(&root, connections));
    all
}

fn describe_in(root: &Root<'_>, kernel: String, machine: &str) -> Host {
    let cpus = root.text("proc/cpuinfo").unwrap_or_default();
    let cpu_model = cpus.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    });
    let cores = root
        .cores()
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(0, usize::from));
    Host {
        kernel,
        // ARM has no name in there.
        cpu_model: cpu_model.unwrap_or_else(|| machine.to_owned()),
        cores: u32::try_from(cores).unwrap_or(u32::MAX),
        memory_bytes: root.memory_bytes().unwrap_or(0),
        ..Host::default()
    }
}

/// The directory that holds `proc` and `sys`.
struct Root<'a> {
    path: &'a Path,
}

impl<'a> Root<'a> {
    const fn new(path: &'a Path) -> Self {
        Self { path }
    }

    fn text(&self, name: &str) -> Option<String> {
        let text = kernel::text(self.path.join(name)).ok()?;
        Some(text.trim().to_owned())
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.text(name)?.parse().ok()
    }

    /// Several numbers in one file.
    fn numbers(&self, name: &str) -> Option<Vec<u64>> {
        self.text(name)?
            .split_ascii_whitespace()
            .map(|n| n.parse().ok())
            .collect()
    }

    /// How many are online.
    fn cores(&self) -> Option<usize> {
        let online = self.text("sys/devices/system/cpu/online")?;
        Some(cpus::parse_list(&online).len())
    }

    fn memory_bytes(&self) -> Option<u64> {
        self.meminfo_bytes("MemTotal")
    }

    /// A figure of `/proc/meminfo`.
    fn meminfo_bytes(&self, name: &str) -> Option<u64> {
        let info = self.text("proc/meminfo")?;
        let value = info
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        let kib: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib * 1024)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The settings of a machine, by file.
    pub(super) const MACHINE: &[(&str, &str)] = &[
        ("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast(R) CPU\n"),
        (
            "proc/meminfo",
            "MemTotal:       8000000 kB\nMemFree: 1 kB\nMemAvailable:    7000000 kB\n",
        ),
        ("proc/loadavg", "0.05 0.10 0.20 1/200 999\n"),
        ("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-3\n"),
        ("proc/self/cgroup", "0::/\n"),
        (
            "proc/self/limits",
            "Limit   Soft Limit   Hard Limit   Units\nMax open files            20000                1048576              files\n",
        ),
        ("proc/sys/fs/nr_open", "1048576\n"),
        ("proc/sys/fs/file-max", "9223372036854775807\n"),
        ("proc/sys/kernel/io_uring_disabled", "0\n"),
        ("proc/sys/net/core/netdev_max_backlog", "100000\n"),
        ("proc/sys/net/core/somaxconn", "4096\n"),
        ("proc/sys/net/ipv4/ip_local_port_range", "32768\t60999\n"),
        ("proc/sys/net/ipv4/tcp_max_orphans", "32768\n"),
        ("proc/sys/net/ipv4/tcp_max_syn_backlog", "2048\n"),
        ("proc/sys/net/ipv4/tcp_mem", "90000\t120000\t180000\n"),
        ("proc/sys/net/ipv4/tcp_tw_reuse", "2\n"),
        (
            "sys/devices/system/clocksource/clocksource0/current_clocksource",
            "tsc\n",
        ),
        ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"),
        ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0\n"),
        ("sys/devices/system/cpu/online", "0-3\n"),
        ("sys/fs/cgroup/cpu.max", "max 100000\n"),
    ];

    pub(super) fn machine(changes: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a directory");
        for (name, content) in MACHINE.iter().chain(changes) {
            let file = root.path().join(name);
            fs::create_dir_all(file.parent().expect("not the root")).expect("made");
            fs::write(file, content).expect("written");
        }
        root
    }

    /// State, finding and fix of one check on the machine with some files changed.
    pub(super) fn check(
        name: &str,
        connections: Option<u64>,
        changes: &[(&str, &str)],
    ) -> (State, String, Option<String>) {
        let root = machine(changes);
        let all = checks_in(root.path(), connections);
        let check = all
            .into_iter()
            .find(|check| check.name == name)
            .expect("there is such a check");
        (check.state, check.found, check.fix)
    }

    #[test]
    fn a_machine_is_described() {
        let root = machine(&[]);
        let host = describe_in(&Root::new(root.path()), "Linux 6".to_owned(), "x86_64");
        assert_eq!(
            (host.cpu_model.as_str(), host.cores, host.memory_bytes),
            ("Fast(R) CPU", 4, 8_192_000_000)
        );

        let root = machine(&[("proc/cpuinfo", "processor : 0\n")]);
        let host = describe_in(&Root::new(root.path()), "Linux 6".to_owned(), "aarch64");
        assert_eq!(host.cpu_model, "aarch64");
        assert!(!describe().kernel.is_empty());
    }

    #[test]
    fn a_good_machine_is_good() {
        let root = machine(&[]);
        for check in checks_in(root.path(), Some(1000)) {
            assert_eq!(check.state, State::Ok, "{check:?}");
            assert_eq!(check.fix, None, "{check:?}");
        }
    }

    #[test]
    fn what_cannot_be_seen_is_unknown() {
        let empty = tempfile::tempdir().expect("a directory");
        for check in checks_in(empty.path(), Some(1_000_000)) {
            assert_eq!(check.state, State::Unknown, "{check:?}");
            assert_eq!(check.fix, None, "{check:?}");
        }
    }
}
