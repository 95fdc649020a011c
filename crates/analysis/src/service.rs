//! The service over the judged windows of a step: its CPU, memory and threads.

use crate::instances::{Instances, fuller};
use crate::window::{CpuUse, per_s};
use plimsoll_findings::{LimitsFinding, TargetFinding};
use plimsoll_measure::{GroupSample, TargetSample};

/// The service over the judged windows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Service {
    pub(crate) last: Option<TargetSample>,
    pub(crate) cpu: CpuUse,
    completed: u64,
    cores: u32,
    rss_max_bytes: u64,
    processes_max: u32,
    threads_max: u32,
    sockets_max: u32,
    switches: u64,
    sampled_ns: u64,
    group: Option<Group>,
    pub(crate) instances: Instances,
}

/// What its control groups said.
#[derive(Debug, Clone, Copy)]
struct Group {
    last: GroupSample,
    memory_max_bytes: Option<u64>,
}

impl Service {
    /// Watched from this sample on.
    pub(crate) fn since(last: Option<TargetSample>) -> Self {
        Self {
            last,
            ..Self::default()
        }
    }

    pub(crate) fn cpu_since_last(&mut self, now: TargetSample) -> Option<CpuUse> {
        let last = self.last.replace(now)?;
        let elapsed_ns = now.at_ns.saturating_sub(last.at_ns);
        let throttled_ns = |sample: TargetSample| sample.group.and_then(|group| group.throttled_ns);
        Some(CpuUse {
            elapsed_ns,
            used_ns: now.cpu_ns.saturating_sub(last.cpu_ns),
            available_ns: (elapsed_ns as f64 * now.cpu_cores()).round() as u64,
            throttled_ns: throttled_ns(last)
                .zip(throttled_ns(now))
                .map(|(before, after)| after.saturating_sub(before)),
        })
        .filter(|cpu| cpu.available_ns > 0)
    }

    pub(crate) fn count(
        &mut self,
        before: Option<TargetSample>,
        now: Option<TargetSample>,
        cpu: Option<CpuUse>,
        completed: u64,
    ) {
        let Some(now) = now else { return };
        self.cores = now.cores;
        self.rss_max_bytes = self.rss_max_bytes.max(now.rss_bytes);
        self.processes_max = self.processes_max.max(now.processes);
        self.threads_max = self.threads_max.max(now.threads);
        self.sockets_max = self.sockets_max.max(now.sockets);
        if let Some(last) = now.group {
            let known = self.group.and_then(|known| known.memory_max_bytes);
            self.group = Some(Group {
                last,
                memory_max_bytes: known.max(last.memory_bytes),
            });
        }
        if let (Some(before), Some(cpu)) = (before, cpu) {
            self.cpu.merge(cpu);
            self.completed = self.completed.saturating_add(completed);
            self.sampled_ns = self.sampled_ns.saturating_add(now.at_ns.saturating_sub(before.at_ns));
            self.switches = self.switches.saturating_add(
                now.context_switches_involuntary
                    .saturating_sub(before.context_switches_involuntary),
            );
        }
    }

    /// Whether a judged tick had a sample of it.
    pub(crate) const fn is_sampled(&self) -> bool {
        self.cores > 0
    }

    /// What an objective on CPU is held against: the share of all of it, or that of the busiest of several main threads.
    pub(crate) fn cpu_judged(&self) -> Option<f64> {
        fuller(self.cpu.share(), self.instances.hottest_share())
    }

    pub(crate) fn cpu_us_per_request(&self) -> Option<f64> {
        (self.completed > 0).then(|| self.cpu.used_ns as f64 / 1e3 / self.completed as f64)
    }

    /// For how much of each second a quota kept it from running, ms.
    pub(crate) fn throttled_ms_per_s(&self) -> Option<f64> {
        let throttled_ns = self.cpu.throttled_ns?;
        (self.sampled_ns > 0).then(|| per_s(throttled_ns, self.sampled_ns) / 1e6)
    }

    /// The same as a share of the time.
    pub(crate) fn throttled_share(&self) -> Option<f64> {
        self.throttled_ms_per_s().map(|ms| ms / 1e3)
    }

    /// Most resident memory, bytes.
    pub(crate) fn memory_judged(&self) -> Option<f64> {
        (self.rss_max_bytes > 0).then_some(self.rss_max_bytes as f64)
    }

    pub(crate) fn finding(&self) -> Option<TargetFinding> {
        Some(TargetFinding {
            cores: self.cores,
            cpu_share: self.cpu.share()?,
            cpu_us_per_request: self.cpu_us_per_request(),
            rss_max_bytes: self.rss_max_bytes,
            processes_max: self.processes_max,
            threads_max: self.threads_max,
            sockets_max: self.sockets_max,
            involuntary_switches_per_s: per_s(self.switches, self.sampled_ns),
            limits: self.group.map(|group| LimitsFinding {
                cpu_cores: group.last.cpu_millicores.map(|millicores| f64::from(millicores) / 1e3),
                throttled_ms_per_s: self.throttled_ms_per_s(),
                memory_limit_bytes: group.last.memory_limit_bytes,
                memory_max_bytes: group.memory_max_bytes,
                oom_kills: group.last.oom_kills,
            }),
            instances: self.instances.findings(),
        })
    }
}

/// The main thread of one of several processes is busy for at least this share of the time.
pub(crate) fn has_full_instance(service: &TargetFinding, share: f64) -> bool {
    service
        .hottest()
        .is_some_and(|hottest| hottest.main_thread_share >= share)
}

/// One core's worth of CPU is used while others idle, by no more processes than there are cores: so it looks where
/// one thread does all the work, as it does in a Node.js service without cluster or workers.
pub(crate) fn fills_one_of_its_cores(service: &TargetFinding) -> bool {
    // Helper threads of V8 and libuv add to the one that is full; a second full one would bring it to two.
    let busy = service.busy_cores();
    // Of several instances it is known which is full.
    let alone = (1..=service.cores).contains(&service.processes_max) && service.instances.is_empty();
    service.cores > 1 && alone && (0.85..1.6).contains(&busy) && service.cpu_share < 0.85
}
