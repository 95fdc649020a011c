//! The service under test as the operating system sees it.

use serde::{Deserialize, Serialize};

/// The process tree of the service at one moment. CPU time and context switches only ever grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TargetSample {
    /// When it was taken, since the beginning of the run, ns.
    pub at_ns: u64,
    /// CPU time used so far, user and system, ended children included, ns.
    pub cpu_ns: u64,
    /// Cores that the service may use.
    pub cores: u32,
    /// Resident memory of all processes, bytes.
    pub rss_bytes: u64,
    /// Processes alive.
    pub processes: u32,
    /// Threads alive.
    pub threads: u32,
    /// Open sockets.
    pub sockets: u32,
    /// Open descriptors, sockets among them; `None` where they cannot be counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descriptors: Option<u32>,
    /// Voluntary context switches so far.
    pub context_switches_voluntary: u64,
    /// Involuntary context switches so far.
    pub context_switches_involuntary: u64,
    /// What its control groups say, where they bound it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupSample>,
}

/// What the control groups of a service grant it, and have denied it so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GroupSample {
    /// CPU time that a quota grants, in thousandths of a core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_millicores: Option<u32>,
    /// For how long the quota has kept threads from running so far, all cores together, ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttled_ns: Option<u64>,
    /// Memory that is taken of the bound that is nearest, without file pages that the kernel can drop, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// That bound, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit_bytes: Option<u64>,
    /// Processes of the service that the kernel has ended so far because memory ran out.
    pub oom_kills: u64,
}

impl TargetSample {
    /// Busy share of the cores between an earlier sample and this one, 0 to 1 but for rounding;
    /// `None` when no time has passed or the cores are not known.
    #[must_use]
    pub fn busy_share_since(&self, earlier: &Self) -> Option<f64> {
        let elapsed_ns = self.at_ns.checked_sub(earlier.at_ns).filter(|&ns| ns > 0)?;
        let capacity_ns = elapsed_ns as f64 * self.cpu_cores();
        (self.cores > 0).then(|| self.cpu_ns.saturating_sub(earlier.cpu_ns) as f64 / capacity_ns)
    }

    /// CPU time that it may use, in cores: all of its cores, or the part of them that a quota grants.
    #[must_use]
    pub fn cpu_cores(&self) -> f64 {
        let cores = f64::from(self.cores);
        let quota = self.group.and_then(|group| group.cpu_millicores);
        quota.map_or(cores, |millicores| cores.min(f64::from(millicores) / 1e3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quota_below_the_cores_is_what_cpu_is_a_share_of() {
        let sample = |at_ns, cpu_ns, cpu_millicores| TargetSample {
            at_ns,
            cpu_ns,
            cores: 2,
            group: Some(GroupSample {
                cpu_millicores,
                ..GroupSample::default()
            }),
            ..TargetSample::default()
        };
        for (millicores, cores, share) in [(None, 2.0, 0.1), (Some(500), 0.5, 0.4), (Some(4000), 2.0, 0.1)] {
            let (first, last) = (sample(0, 0, millicores), sample(1_000, 200, millicores));
            assert_eq!(last.cpu_cores(), cores, "{millicores:?}");
            assert_eq!(last.busy_share_since(&first), Some(share), "{millicores:?}");
        }
    }
}
