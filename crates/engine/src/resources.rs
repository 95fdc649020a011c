//! What is taken of the resources that a generator may run out of, looked at once a tick.
//!
//! Not by a generator thread: `/proc/stat` alone takes milliseconds to read on a machine with many cores.

use plimsoll_files::kernel;
use plimsoll_measure::{GeneratorLoad, Resource, ShardLoad, Taken};
use plimsoll_thread::ControlGroups;
use rustix::param::clock_ticks_per_second;
use rustix::process::getrlimit;
use std::fs;
use std::path::{Path, PathBuf};

/// Less than this between two looks says nothing of a share: the kernel counts in hundredths of a second.
const SHARE_MIN_NS: u64 = 200_000_000;

/// What decides how many local ports there are for connections to the service.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ports {
    /// Addresses that connections are bound to, each with ports of its own; 0 leaves the choice to the kernel.
    pub(crate) local_addrs: u64,
    /// Ports of the service. A port that the kernel chose may go to each of them at once.
    pub(crate) remotes: u64,
    /// There the ports of connections that have ended are free again.
    pub(crate) on_loopback: bool,
}

/// Times of a core since the machine began, in ticks of the kernel.
struct Core {
    idle: u64,
    softirq: u64,
}

/// Looks at `/proc` and at the control groups of this process.
pub(crate) struct Resources {
    proc: PathBuf,
    groups: ControlGroups,
    /// Cores of the generator threads; empty where they are not pinned.
    cpus: Vec<usize>,
    /// `None` where connections take none, as those to a unix socket.
    ports: Option<Ports>,
    /// Whether the threads have descriptor tables of their own, which cannot be seen from here.
    own_tables: bool,
    /// What each of the cores has done so far, and when that was.
    cores: (u64, Vec<Core>),
    /// How long a quota of CPU time has kept threads from running so far, ns, and when that was.
    throttled: (u64, Option<u64>),
}

impl Resources {
    /// `root` is where `/proc` and `/sys` are.
    pub(crate) fn new(root: &Path, cpus: &[usize], ports: Option<Ports>, own_tables: bool, now_ns: u64) -> Self {
        let groups = ControlGroups::of(root, "self");
        let mut resources = Self {
            proc: root.join("proc"),
            throttled: (now_ns, groups.throttled_ns()),
            groups,
            cpus: cpus.to_vec(),
            ports,
            own_tables,
            cores: (now_ns, Vec::new()),
        };
        resources.cores.1 = resources.cores_so_far();
        resources
    }

    /// Fills in what can be seen now, with so many connections open.
    pub(crate) fn look(&mut self, now_ns: u64, connections: u64, load: &mut GeneratorLoad) {
        let spun = load.shards.iter().map(ShardLoad::spun_share).reduce(f64::min);
        load.softirq_share_max = self
            .softirq_share_max(now_ns)
            .map(|share| share.min(1.0 - spun.unwrap_or(0.0)));
        load.throttled_share = self.throttled_share(now_ns);
        let seen = [
            (Resource::Ports, self.ports(connections)),
            (Resource::Descriptors, self.descriptors()),
            (Resource::Memory, self.memory()),
        ];
        load.resources = seen
            .into_iter()
            .filter_map(|(resource, seen)| seen.map(|(taken, of)| Taken { resource, taken, of }))
            .collect();
    }

    fn text(&self, name: &str) -> Option<String> {
        kernel::text(self.proc.join(name)).ok()
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.text(name)?.trim().parse().ok()
    }

    /// Since the last look that was long enough ago.
    fn softirq_share_max(&mut self, now_ns: u64) -> Option<f64> {
        let elapsed_ns = now_ns.saturating_sub(self.cores.0);
        if elapsed_ns < SHARE_MIN_NS {
            return None;
        }
        let elapsed = elapsed_ns as f64 / 1e9 * clock_ticks_per_second() as f64;
        let now = self.cores_so_far();
        let share = |(now, before): (&Core, &Core)| {
            let idle = now.idle.saturating_sub(before.idle) as f64;
            let softirq = now.softirq.saturating_sub(before.softirq) as f64;
            // Idle time is measured. Of the rest the kernel counts what it is at when its timer goes off, which may be the
            // same each time where requests have a rate.
            (softirq.min(elapsed - idle) / elapsed).clamp(0.0, 1.0)
        };
        let most = now.iter().zip(&self.cores.1).map(share).reduce(f64::max);
        self.cores = (now_ns, now);
        most
    }

    /// Since the last look. Several cores are kept at once, so it may be more than that time.
    fn throttled_share(&mut self, now_ns: u64) -> Option<f64> {
        let (before_ns, before) = self.throttled;
        let now = self.groups.throttled_ns();
        self.throttled = (now_ns, now);
        let throttled_ns = now?.saturating_sub(before?);
        Some((throttled_ns as f64 / now_ns.saturating_sub(before_ns).max(1) as f64).min(1.0))
    }

    /// proc_stat(5): the figures in the line of each core.
    fn cores_so_far(&self) -> Vec<Core> {
        if self.cpus.is_empty() {
            return Vec::new();
        }
        let stat = self.text("stat").unwrap_or_default();
        let of_core = |cpu: &usize| {
            let name = format!("cpu{cpu} ");
            let line = stat.lines().find_map(|line| line.strip_prefix(&name))?;
            let figures: Vec<u64> = line
                .split_ascii_whitespace()
                .map_while(|word| word.parse().ok())
                .collect();
            Some(Core {
                // Waits of an io_uring count as waiting for a disk.
                idle: figures.get(3)? + figures.get(4)?,
                softirq: *figures.get(6)?,
            })
        };
        self.cpus.iter().filter_map(of_core).collect()
    }

    /// Those of open connections, and elsewhere than on loopback those that the kernel keeps for a minute after.
    fn ports(&self, connections: u64) -> Option<(u64, u64)> {
        let ports = self.ports?;
        let range = self.text("sys/net/ipv4/ip_local_port_range")?;
        let mut bounds = range.split_ascii_whitespace().map(str::parse::<u64>);
        let (Some(Ok(first)), Some(Ok(last))) = (bounds.next(), bounds.next()) else {
            return None;
        };
        let times = match ports.local_addrs {
            0 => ports.remotes,
            bound => bound,
        };
        let ended = if ports.on_loopback || self.number("sys/net/ipv4/tcp_tw_reuse") == Some(1) {
            0
        } else {
            self.time_wait().unwrap_or(0)
        };
        Some((connections + ended, (last + 1).saturating_sub(first) * times.max(1)))
    }

    /// `TCP: inuse 5 orphan 0 tw 7 alloc 6 mem 3` of `net/sockstat`.
    fn time_wait(&self) -> Option<u64> {
        let sockets = self.text("net/sockstat")?;
        let mut words = sockets
            .lines()
            .find_map(|line| line.strip_prefix("TCP:"))?
            .split_ascii_whitespace();
        words.find(|word| *word == "tw")?;
        words.next()?.parse().ok()
    }

    /// Since Linux 6.2 the size of the directory is the number of its files; before, it is 0.
    fn descriptors(&self) -> Option<(u64, u64)> {
        let open = fs::metadata(self.proc.join("self/fd")).ok()?.len();
        let limit = getrlimit(rustix::process::Resource::Nofile).current?;
        (open > 0 && !self.own_tables).then_some((open, limit))
    }

    /// Of the machine or of a control group, whichever has less left.
    fn memory(&self) -> Option<(u64, u64)> {
        let left = |&(taken, of): &(u64, u64)| of.saturating_sub(taken);
        self.groups.memory().chain(self.memory_of_machine()).min_by_key(left)
    }

    fn memory_of_machine(&self) -> Option<(u64, u64)> {
        let info = self.text("meminfo")?;
        let bytes = |name: &str| {
            let value = info.lines().find_map(|line| line.strip_prefix(name))?;
            let kib: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
            Some(kib * 1024)
        };
        let (total, available) = (bytes("MemTotal:")?, bytes("MemAvailable:")?);
        Some((total.saturating_sub(available), total))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND_NS: u64 = 1_000_000_000;
    const FREE: Ports = Ports {
        local_addrs: 0,
        remotes: 1,
        on_loopback: false,
    };

    fn root(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a directory");
        for (name, content) in files {
            let file = root.path().join("proc").join(name);
            fs::create_dir_all(file.parent().expect("not the root")).expect("made");
            fs::write(file, content).expect("written");
        }
        root
    }

    /// What is taken, and of how many.
    fn check(files: &[(&str, &str)], ports: Ports, resource: Resource, expected: (u64, u64)) {
        let root = root(files);
        let mut load = GeneratorLoad::default();
        Resources::new(root.path(), &[], Some(ports), true, 0).look(SECOND_NS, 500, &mut load);
        let found = load.resources.iter().find(|taken| taken.resource == resource);
        assert_eq!(found.map(|taken| (taken.taken, taken.of)), Some(expected));
    }

    #[test]
    fn ports_of_ended_connections_are_taken_too() {
        let mut files = vec![
            ("sys/net/ipv4/ip_local_port_range", "40000\t40999\n"),
            (
                "net/sockstat",
                "sockets: used 9\nTCP: inuse 5 orphan 0 tw 70 alloc 6 mem 3\n",
            ),
            ("sys/net/ipv4/tcp_tw_reuse", "2\n"),
        ];
        check(&files, FREE, Resource::Ports, (570, 1000));
        let many = Ports { remotes: 3, ..FREE };
        check(&files, many, Resource::Ports, (570, 3000));
        let bound = Ports { local_addrs: 2, ..many };
        check(&files, bound, Resource::Ports, (570, 2000));
        let here = Ports {
            on_loopback: true,
            ..FREE
        };
        check(&files, here, Resource::Ports, (500, 1000));
        files[2].1 = "1\n";
        check(&files, FREE, Resource::Ports, (500, 1000));
    }

    #[test]
    fn memory_is_that_of_the_machine() {
        let files = [(
            "meminfo",
            "MemTotal:   1000 kB\nMemFree: 1 kB\nMemAvailable:    40 kB\n",
        )];
        check(&files, FREE, Resource::Memory, (960 * 1024, 1000 * 1024));
    }

    fn stat(softirqs: [u64; 3], idle: u64) -> String {
        let line = |(cpu, softirq)| format!("cpu{cpu} 1 2 3 {idle} 5 6 {softirq} 8 0 0\n");
        let lines: String = softirqs.into_iter().enumerate().map(line).collect();
        format!("cpu  9 9 9 9 9 9 9 9 0 0\n{lines}intr 5\n")
    }

    #[test]
    fn a_core_that_was_idle_or_spun_was_not_in_soft_interrupts_meanwhile() {
        let second = clock_ticks_per_second();
        let share = |idle, spun_ns| {
            let root = root(&[("stat", &stat([0, 0, 0], 0))]);
            let mut resources = Resources::new(root.path(), &[0], Some(FREE), true, 0);
            fs::write(root.path().join("proc/stat"), stat([second, 0, 0], idle)).expect("written");
            let mut load = GeneratorLoad {
                shards: vec![ShardLoad {
                    cpu_ns: SECOND_NS,
                    spun_ns,
                    elapsed_ns: SECOND_NS,
                    wake_lag_p99_ns: 0,
                    ..ShardLoad::default()
                }],
                ..GeneratorLoad::default()
            };
            resources.look(SECOND_NS, 0, &mut load);
            load.softirq_share_max
        };
        assert_eq!(share(0, 0), Some(1.0));
        assert_eq!(share(second / 4, 0), Some(0.75));
        assert_eq!(share(0, SECOND_NS / 2), Some(0.5));
    }

    #[test]
    fn soft_interrupts_are_those_of_the_cores_of_the_generator() {
        let root = root(&[("stat", &stat([100, 200, 300], 4))]);
        let mut resources = Resources::new(root.path(), &[1, 2], Some(FREE), true, 0);
        let mut look = |softirqs: [u64; 3], at_ns: u64| {
            fs::write(root.path().join("proc/stat"), stat(softirqs, 4)).expect("written");
            let mut load = GeneratorLoad::default();
            resources.look(at_ns, 0, &mut load);
            load.softirq_share_max
        };
        let second = clock_ticks_per_second();
        assert_eq!(look([200 + second, 210, 300 + second / 4], SECOND_NS), Some(0.25));
        // Too short a time; what happened in it counts with the next look.
        assert_eq!(look([9999, 210, 300 + second / 2], SECOND_NS + 1), None);
        assert_eq!(look([9999, 210, 300 + second / 2], 2 * SECOND_NS), Some(0.25));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_can_be_looked_at() {
        let mut load = GeneratorLoad::default();
        Resources::new(Path::new("/"), &[0], Some(FREE), false, 0).look(SECOND_NS, 5, &mut load);
        let shares: Vec<_> = load.resources.iter().map(Taken::share).collect();
        assert_eq!(shares.len(), 3, "{load:?}");
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{load:?}");
        assert!(load.softirq_share_max.is_some());
    }
}
