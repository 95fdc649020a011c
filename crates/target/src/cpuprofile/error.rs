//! Why bytes are no CPU profile.

use thiserror::Error;

/// Large applications have some ten thousand.
pub(super) const MOST_NODES: usize = 100_000;

/// Bytes that are no CPU profile. The text fits after "failed to".
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CpuProfileError {
    /// Not JSON, or not with these fields.
    #[error("read the CPU profile: {0}")]
    Json(#[from] serde_json::Error),
    /// A node has two callers, or calls itself, or there is more than one root.
    #[error("read the CPU profile: node {0} is called by itself, twice or by nobody")]
    NoTree(u64),
    /// A sample is of a node that is not there.
    #[error("read the CPU profile: sample {index} is of node {node}, which does not exist")]
    NoNode {
        /// Which sample, from 0.
        index: usize,
        /// Which node it names.
        node: u64,
    },
    /// V8 samples at most 255 calls of a stack.
    #[error("read the CPU profile: node {0} is nested too deeply")]
    TooDeep(u64),
    /// More nodes than any program has.
    #[error("read the CPU profile: {0} nodes, expected at most {MOST_NODES}")]
    TooMany(usize),
    /// Calls begin and end more often than in any run.
    #[error("read the CPU profile: it is too large, from sample {index} on")]
    TooLarge {
        /// Which sample, from 0.
        index: usize,
    },
}
