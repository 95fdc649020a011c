//! The processes of a service that run Node.js, where there are several, as the operating system sees them.

use serde::{Deserialize, Serialize};

/// All of them at one moment. CPU time only ever grows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct InstancesSample {
    /// When it was taken, since the beginning of the run, ns.
    pub at_ns: u64,
    /// Those that are alive.
    pub processes: Vec<InstanceSample>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct InstanceSample {
    /// Its number.
    pub pid: u32,
    /// The machine on which it runs, by the name of its target agent; `None` is that of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// When it began, in clock ticks since the machine did: a number is given again.
    pub began: u64,
    /// File name of its script; `None` where its command line shows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// Another one of them stems from it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub leads: bool,
    /// CPU time that all of its threads used so far, ns.
    pub cpu_ns: u64,
    /// CPU time that its main thread used so far, ns.
    pub main_ns: u64,
    /// Resident memory, bytes.
    pub rss_bytes: u64,
}
