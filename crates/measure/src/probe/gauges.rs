//! Memory, its collection, and the threadpool.

use serde::{Deserialize, Serialize};

/// Pauses of garbage collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GcCounter {
    /// Of young objects.
    pub minor: Pauses,
    /// Of everything.
    pub major: Pauses,
    /// Parts of a major one.
    pub incremental: Pauses,
    /// Of weak references.
    pub weak: Pauses,
}

/// Pauses of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Pauses {
    /// How many.
    pub count: u64,
    /// How long together.
    pub ns: u64,
}

/// Memory, as gauges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MemoryGauge {
    /// Resident memory of the process.
    pub rss_bytes: u64,
    /// Heap in use.
    pub heap_used_bytes: u64,
    /// Memory outside of the heap that it holds on to.
    pub external_bytes: u64,
    /// Least heap right after a collection since the last message.
    pub low_bytes: Option<u64>,
    /// Heap after the last major collection.
    pub after_major_bytes: Option<u64>,
    /// Major collections so far.
    pub after_major_count: u64,
}

/// Trivial questions to the threadpool, ten a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PoolCounter {
    /// Those that were done.
    pub canaries: u64,
    /// How long they took together.
    pub wait_ns: u64,
    /// How long the longest took.
    pub longest_wait_ns: u64,
    /// Gauge: how long the one under way has been waiting.
    pub pending_ns: u64,
}
