//! The processes of a service that run Node.js, where there are several.

use schemars::JsonSchema;
use serde::Serialize;

/// One of them, over the same part as the service.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct InstanceFinding {
    /// What it is to the others.
    pub role: InstanceRole,
    /// Number among those of its role, from 1, in the order in which they began.
    pub number: u32,
    /// Its process.
    pub pid: u32,
    /// The machine on which it runs, by the name of its target agent; absent where that is the one of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// File name of its script; `None` where its command line shows none.
    pub script: Option<String>,
    /// Busy share of its main thread, which runs its JavaScript, 0 to 1: a share of one core.
    pub main_thread_share: f64,
    /// CPU time that all of its threads used, in cores.
    pub busy_cores: f64,
    /// Greatest resident memory, bytes.
    pub rss_max_bytes: u64,
    /// It was not there any more at the end.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ended: bool,
}

/// What a process of Node.js is to the others of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InstanceRole {
    /// Others stem from it: the primary of a cluster, a process manager.
    Leader,
    /// One of several that run the same script, and start no others.
    Instance,
    /// It runs another script than those, such as a balancer.
    Beside,
}
