//! The generator's own state in a tick.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The generator's own state in a tick.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GeneratorLoad {
    /// One entry per shard.
    pub shards: Vec<ShardLoad>,
    /// Part of the tick that the cores of the threads spent in soft interrupts, that of the worst core, 0 to 1. `None`
    /// where the threads are not pinned, or it cannot be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub softirq_share_max: Option<f64>,
    /// Time in which a quota of CPU time kept threads of the generator's control group from running, of all cores together, by
    /// the length of the tick; at most 1. `None` where there is no such group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttled_share: Option<f64>,
    /// What there is of each resource, and how much is taken; those that can be seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<Taken>,
}

impl GeneratorLoad {
    /// Adds the shards of `other`; of cores and resources the scarcer one counts.
    pub fn merge(&mut self, other: &Self) {
        self.shards.extend_from_slice(&other.shards);
        self.softirq_share_max = greater(self.softirq_share_max, other.softirq_share_max);
        self.throttled_share = greater(self.throttled_share, other.throttled_share);
        for theirs in &other.resources {
            match self.resources.iter_mut().find(|mine| mine.resource == theirs.resource) {
                Some(mine) if mine.share() < theirs.share() => *mine = *theirs,
                Some(_) => {}
                None => self.resources.push(*theirs),
            }
        }
    }
}

/// The greater of two shares, or the one that is known.
fn greater(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.into_iter().chain(other).reduce(f64::max)
}

/// What a generator may run out of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    /// Local ports for connections to the service.
    Ports,
    /// Open descriptors of the process.
    Descriptors,
    /// Memory of the machine or of a control group, whichever has less left, bytes.
    Memory,
}

/// How much of a resource is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// Of what.
    pub resource: Resource,
    /// What is taken, by whomever it is shared with.
    pub taken: u64,
    /// All there is.
    pub of: u64,
}

impl Taken {
    /// Part that is taken, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.of == 0 {
            1.0
        } else {
            self.taken as f64 / self.of as f64
        }
    }
}

/// One generator thread in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ShardLoad {
    /// Which agent of a fleet it belongs to, by the place of the agent in [`Host::agents`](crate::Host::agents). `None` without a fleet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<u16>,
    /// CPU time that the thread used, ns.
    pub cpu_ns: u64,
    /// Part of it in which the thread found nothing to do and looked again instead of sleeping, ns. 0 where it sleeps.
    #[serde(skip_serializing_if = "is_zero")]
    pub spun_ns: u64,
    /// Length of the tick on this shard, ns.
    pub elapsed_ns: u64,
    /// 99th percentile of how late the thread itself turned to a start, or handed it to the kernel where something stopped it for more
    /// than a millisecond in between, ns. Unlike the schedule lag it leaves out the wait for a free connection, which is the service's
    /// doing. In the closed model a start that follows a response without a pause is due when it is handed over, so that it counts as 0.
    pub wake_lag_p99_ns: u64,
    /// The 99.9th percentile of that, ns; 0 in directories of earlier versions.
    #[serde(skip_serializing_if = "is_zero")]
    pub wake_lag_p999_ns: u64,
    /// The greatest of that, ns; 0 in directories of earlier versions.
    #[serde(skip_serializing_if = "is_zero")]
    pub wake_lag_max_ns: u64,
}

impl ShardLoad {
    /// CPU time that was of use, ns: spinning is not.
    #[must_use]
    pub fn busy_ns(&self) -> u64 {
        self.cpu_ns.saturating_sub(self.spun_ns)
    }

    /// Busy share, 0 to 1; 0 for an empty tick.
    #[must_use]
    pub fn busy_share(&self) -> f64 {
        self.share(self.busy_ns())
    }

    /// Share of the tick in which the thread spun, 0 to 1; 0 for an empty tick.
    #[must_use]
    pub fn spun_share(&self) -> f64 {
        self.share(self.spun_ns)
    }

    fn share(&self, ns: u64) -> f64 {
        if self.elapsed_ns == 0 {
            0.0
        } else {
            ns as f64 / self.elapsed_ns as f64
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls it with")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}
