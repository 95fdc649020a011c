//! Samples of a process tree.
//!
//! A sample costs one read per process on the machine to find the tree, and one per thread of the tree; about 1 ms
//! for a Node.js service on a machine with a hundred processes, and 2 µs for each open socket up to a bound.

use crate::instances::Instances;
use crate::process::{Id, Process, Tree};
use crate::{cpus, sys};
use plimsoll_files::kernel;
use plimsoll_measure::{GroupSample, InstanceSample, InstancesSample, TargetSample};
use plimsoll_thread::ControlGroups;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;

/// Beyond this many descriptors only their number is read, because looking at each would cost the machine more
/// than it tells.
const MOST_DESCRIPTORS_LOOKED_AT: u64 = 1024;

/// V8's threads that take samples for a CPU profile, as V8 names them and Linux cuts the name. They belong to the
/// measuring: where they may run says nothing of the service.
pub(crate) const PROFILER: &str = "v8:ProfEvntProc";

/// Takes samples of one service; remembers enough that what ended threads and processes used is not lost.
#[derive(Debug)]
pub(crate) struct Sampler {
    tree: Tree,
    cpu: CpuLedger,
    switches: SwitchLedger,
    /// Threads that were given other cores than the service has.
    moved: HashSet<u32>,
    /// Descriptors that are not sockets, where they were counted last.
    other_descriptors: HashMap<Id, u64>,
    instances: Instances,
    /// Its instances at the last sample.
    last_instances: Vec<InstanceSample>,
    groups: ControlGroups,
    cpu_limit: Option<f64>,
    /// Processes that the kernel had ended for memory before.
    oom_kills_before: u64,
    page_bytes: u64,
    ns_per_clock_tick: u64,
}

impl Sampler {
    /// The control groups are those of process `pid`.
    pub(crate) fn new(tree: Tree, pid: u32) -> Self {
        let groups = ControlGroups::of(Path::new("/"), &pid.to_string());
        Self {
            tree,
            cpu: CpuLedger::default(),
            switches: SwitchLedger::default(),
            moved: HashSet::new(),
            other_descriptors: HashMap::new(),
            instances: Instances::default(),
            last_instances: Vec::new(),
            cpu_limit: groups.cpu_limit(),
            oom_kills_before: groups.oom_kills().unwrap_or_default(),
            groups,
            page_bytes: rustix::param::page_size() as u64,
            ns_per_clock_tick: 1_000_000_000 / rustix::param::clock_ticks_per_second().max(1),
        }
    }

    /// `None` when nothing of the service is left, or where there is no `/proc`.
    pub(crate) fn sample(&mut self, at_ns: u64) -> Option<TargetSample> {
        let all = Process::all();
        let members = self.tree.members(&all);
        // What it waited for is what nobody else of the tree has waited for.
        let supervisor = self.tree.supervisor_in(&all).map(|process| {
            let reaped_ns = process.reaped_ticks * self.ns_per_clock_tick;
            (process.id, Used { own_ns: 0, reaped_ns })
        });
        let used = members.iter().map(|process| {
            let own_ns = sys::cpu_ns(process.id.pid).unwrap_or(process.own_ticks * self.ns_per_clock_tick);
            let reaped_ns = process.reaped_ticks * self.ns_per_clock_tick;
            (process.id, Used { own_ns, reaped_ns })
        });
        let cpu_ns = self.cpu.update(used.chain(supervisor).collect());
        let alive: Vec<&Process> = members.into_iter().filter(|process| !process.zombie).collect();
        if alive.is_empty() {
            return None;
        }
        self.last_instances = self.instances.of(&alive, self.page_bytes, self.ns_per_clock_tick);
        let threads: Vec<Thread> = alive.iter().flat_map(|process| threads(process.id)).collect();
        let (voluntary, involuntary) = self.switches.update(&threads);
        let (mut sockets, mut descriptors) = (0, Some(0));
        for process in &alive {
            let open = self.open(process.id);
            sockets += open.sockets;
            descriptors = descriptors.zip(open.descriptors).map(|(sum, more)| sum + more);
        }
        self.other_descriptors
            .retain(|id, _| alive.iter().any(|process| process.id == *id));
        Some(TargetSample {
            at_ns,
            cpu_ns,
            cores: self.cores(&threads),
            rss_bytes: alive.iter().map(|process| process.rss_pages).sum::<u64>() * self.page_bytes,
            processes: small(alive.len() as u64),
            threads: alive.iter().map(|process| process.threads).sum(),
            sockets: small(sockets),
            descriptors: descriptors.map(small),
            context_switches_voluntary: voluntary,
            context_switches_involuntary: involuntary,
            group: self.group(),
        })
    }

    /// A single instance is told of as well.
    pub(crate) const fn tell_instances(&mut self) {
        self.instances.are_several();
    }

    /// Its instances at the last sample, which was taken then; `None` as long as there was one at most.
    pub(crate) fn instances(&self, at_ns: u64) -> Option<InstancesSample> {
        (!self.last_instances.is_empty()).then(|| InstancesSample {
            at_ns,
            processes: self.last_instances.clone(),
        })
    }

    /// Processes of it that the kernel has ended because memory ran out.
    pub(crate) fn oom_kills(&self) -> u64 {
        let now = self.groups.oom_kills().unwrap_or_default();
        now.saturating_sub(self.oom_kills_before)
    }

    /// What its control groups say, where they bound it.
    fn group(&self) -> Option<GroupSample> {
        let tightest = self
            .groups
            .memory()
            .min_by_key(|(taken, most)| most.saturating_sub(*taken));
        if self.cpu_limit.is_none() && tightest.is_none() {
            return None;
        }
        Some(GroupSample {
            cpu_millicores: self.cpu_limit.map(|cores| (cores * 1e3).round() as u32),
            throttled_ns: self.cpu_limit.and_then(|_| self.groups.throttled_ns()),
            memory_bytes: tightest.map(|(taken, _)| taken),
            memory_limit_bytes: tightest.map(|(_, most)| most),
            oom_kills: self.oom_kills(),
        })
    }

    /// The processes that are alive, without taking a sample.
    pub(crate) fn alive(&mut self) -> Vec<Process> {
        let all = Process::all();
        let members = self.tree.members(&all).into_iter();
        members.filter(|process| !process.zombie).cloned().collect()
    }

    /// These threads were given cores for measuring: where they may run says nothing of the service.
    pub(crate) fn were_moved(&mut self, threads: Vec<u32>) {
        self.moved.extend(threads);
    }

    /// What any thread may use, but no more than the control group grants, in whole cores.
    fn cores(&self, threads: &[Thread]) -> u32 {
        let own = threads
            .iter()
            .filter(|thread| !thread.profiler && !self.moved.contains(&thread.tid));
        let allowed: BTreeSet<usize> = own.flat_map(|thread| thread.cpus.iter().copied()).collect();
        let limit = self.cpu_limit.map_or(u32::MAX, |limit| limit.ceil() as u32);
        small(allowed.len() as u64).clamp(1, limit.max(1))
    }

    /// Nothing where the descriptors belong to another user.
    fn open(&mut self, id: Id) -> Open {
        let directory = format!("/proc/{}/fd", id.pid);
        // Since Linux 6.2 the size of the directory is the number of descriptors; before, it is 0.
        let open = fs::metadata(&directory).map_or(0, |directory| directory.len());
        if open > MOST_DESCRIPTORS_LOOKED_AT {
            let others = self.other_descriptors.get(&id).copied().unwrap_or(0);
            return Open {
                sockets: open.saturating_sub(others),
                descriptors: Some(open),
            };
        }
        let Ok(entries) = fs::read_dir(&directory) else {
            return Open::default();
        };
        let (mut sockets, mut others) = (0, 0);
        for entry in entries.flatten().take(MOST_DESCRIPTORS_LOOKED_AT as usize) {
            let is_socket = fs::read_link(entry.path())
                .is_ok_and(|link| link.as_os_str().as_encoded_bytes().starts_with(b"socket:"));
            *(if is_socket { &mut sockets } else { &mut others }) += 1;
        }
        self.other_descriptors.insert(id, others);
        let all = sockets + others;
        Open {
            sockets,
            // As many as are looked at may not be all.
            descriptors: (open > 0 || all < MOST_DESCRIPTORS_LOOKED_AT).then_some(all),
        }
    }
}

/// What a process has open.
#[derive(Debug, Default)]
struct Open {
    sockets: u64,
    descriptors: Option<u64>,
}

/// CPU time of one process so far, ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Used {
    /// Its own, ended threads included.
    own_ns: u64,
    /// Of its ended children that it has waited for, and theirs.
    reaped_ns: u64,
}

/// CPU time of a tree whose members come and go.
///
/// What a process used until its end shows up in its parent when that waits for it. When nobody of the tree waits,
/// what it had used at the last sample is all that is known. So the ended ones count with the greater of the two.
#[derive(Debug, Default)]
struct CpuLedger {
    last: HashMap<Id, Used>,
    ended_ns: u64,
    total_ns: u64,
}

impl CpuLedger {
    /// CPU time of all that ever belonged to the tree, ns; never less than before.
    fn update(&mut self, now: HashMap<Id, Used>) -> u64 {
        let last = std::mem::replace(&mut self.last, now);
        let mut gone = Used::default();
        for (_, used) in last.iter().filter(|(id, _)| !self.last.contains_key(id)) {
            gone.own_ns += used.own_ns;
            gone.reaped_ns += used.reaped_ns;
        }
        let reaped_ns: u64 = self
            .last
            .iter()
            .map(|(id, used)| {
                used.reaped_ns
                    .saturating_sub(last.get(id).map_or(0, |used| used.reaped_ns))
            })
            .sum();
        // What the gone had reaped themselves was counted then, and comes up to their parents with them.
        self.ended_ns += gone.own_ns.max(reaped_ns.saturating_sub(gone.reaped_ns));
        let own_ns: u64 = self.last.values().map(|used| used.own_ns).sum();
        self.total_ns = self.total_ns.max(own_ns + self.ended_ns);
        self.total_ns
    }
}

/// What `/proc/PID/task/TID/status` says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Thread {
    process: Id,
    tid: u32,
    /// See [`PROFILER`].
    profiler: bool,
    cpus: Vec<usize>,
    voluntary: u64,
    involuntary: u64,
}

fn threads(process: Id) -> Vec<Thread> {
    let Ok(entries) = fs::read_dir(format!("/proc/{}/task", process.pid)) else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let tid = entry.file_name().to_str()?.parse().ok()?;
            let status = kernel::text(entry.path().join("status")).ok()?;
            Thread::parse(process, tid, &status)
        })
        .collect()
}

impl Thread {
    fn parse(process: Id, tid: u32, status: &str) -> Option<Self> {
        let field = |name: &str| {
            status.lines().find_map(|line| {
                let (key, value) = line.split_once(':')?;
                (key == name).then_some(value.trim())
            })
        };
        Some(Self {
            process,
            tid,
            profiler: field("Name") == Some(PROFILER),
            cpus: cpus::parse_list(field("Cpus_allowed_list")?),
            voluntary: field("voluntary_ctxt_switches")?.parse().ok()?,
            involuntary: field("nonvoluntary_ctxt_switches")?.parse().ok()?,
        })
    }
}

/// Context switches of threads that come and go.
#[derive(Debug, Default)]
struct SwitchLedger {
    last: HashMap<(Id, u32), (u64, u64)>,
    voluntary: u64,
    involuntary: u64,
}

impl SwitchLedger {
    /// Switches of all threads that were ever seen; never less than before.
    fn update(&mut self, threads: &[Thread]) -> (u64, u64) {
        let now: HashMap<_, _> = threads
            .iter()
            .map(|thread| ((thread.process, thread.tid), (thread.voluntary, thread.involuntary)))
            .collect();
        for (thread, &(voluntary, involuntary)) in &now {
            let before = self.last.get(thread).copied();
            // Fewer than before: another thread with the same number.
            let before = before
                .filter(|b| b.0 <= voluntary && b.1 <= involuntary)
                .unwrap_or_default();
            self.voluntary += voluntary - before.0;
            self.involuntary += involuntary - before.1;
        }
        self.last = now;
        (self.voluntary, self.involuntary)
    }
}

fn small(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids can only be read, so these belong to processes that exist: us and init.
    fn ids() -> [Id; 2] {
        [std::process::id(), 1].map(|pid| Process::read(pid).expect("runs").id)
    }

    fn used(entries: &[(Id, u64, u64)]) -> HashMap<Id, Used> {
        entries
            .iter()
            .map(|&(id, own_ns, reaped_ns)| (id, Used { own_ns, reaped_ns }))
            .collect()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_child_that_was_waited_for_counts_in_full() {
        let [parent, child] = ids();
        let mut ledger = CpuLedger::default();
        assert_eq!(ledger.update(used(&[(parent, 100, 0), (child, 50, 0)])), 150);
        // It used 70 in all; the parent used 10 more.
        assert_eq!(ledger.update(used(&[(parent, 110, 70)])), 180);
        assert_eq!(ledger.update(used(&[(parent, 120, 70)])), 190);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_child_that_nobody_waited_for_is_not_lost() {
        let [parent, child] = ids();
        let mut ledger = CpuLedger::default();
        ledger.update(used(&[(parent, 100, 0), (child, 50, 5)]));
        assert_eq!(ledger.update(used(&[(parent, 100, 0)])), 155);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_a_child_had_reaped_counts_once() {
        let [parent, child] = ids();
        let mut ledger = CpuLedger::default();
        assert_eq!(ledger.update(used(&[(parent, 100, 0), (child, 50, 30)])), 180);
        assert_eq!(ledger.update(used(&[(parent, 100, 80)])), 180);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn switches_only_grow() {
        let [process, _] = ids();
        let thread = |tid, voluntary| Thread {
            process,
            tid,
            profiler: false,
            cpus: vec![0],
            voluntary,
            involuntary: 1,
        };
        let mut ledger = SwitchLedger::default();
        assert_eq!(ledger.update(&[thread(1, 10), thread(2, 5)]), (15, 2));
        assert_eq!(ledger.update(&[thread(1, 12)]), (17, 2));
        assert_eq!(ledger.update(&[thread(1, 12), thread(2, 1)]), (18, 3));
    }

    #[test]
    fn a_status_is_read() {
        let [process, _] = ids();
        let parse = |name: &str| {
            let status = format!(
                "Name:\t{name}\nCpus_allowed_list:\t0-1\nvoluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n"
            );
            Thread::parse(process, 9, &status).expect("valid")
        };
        let thread = parse("node");
        assert_eq!(
            (&*thread.cpus, thread.voluntary, thread.involuntary),
            (&[0, 1][..], 12, 3)
        );
        assert!(!thread.profiler && parse(PROFILER).profiler);
    }
}
