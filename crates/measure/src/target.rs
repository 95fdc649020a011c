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
    /// Voluntary context switches so far.
    pub context_switches_voluntary: u64,
    /// Involuntary context switches so far.
    pub context_switches_involuntary: u64,
}

impl TargetSample {
    /// Busy share of the cores between an earlier sample and this one, 0 to 1 but for rounding;
    /// `None` when no time has passed or the cores are not known.
    #[must_use]
    pub fn busy_share_since(&self, earlier: &Self) -> Option<f64> {
        let elapsed_ns = self.at_ns.checked_sub(earlier.at_ns).filter(|&ns| ns > 0)?;
        let capacity_ns = elapsed_ns as f64 * f64::from(self.cores);
        (self.cores > 0).then(|| self.cpu_ns.saturating_sub(earlier.cpu_ns) as f64 / capacity_ns)
    }
}
