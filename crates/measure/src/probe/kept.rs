//! What a thread keeps after a collection of all garbage.

use super::bounded;
use serde::{Deserialize, Serialize};

/// Spaces of a heap.
const SPACES_MAX: usize = 32;

/// Memory of one thread of the service, right after all of its garbage was collected.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProbeKept {
    /// Of the command.
    pub id: u64,
    /// What the probe's own thread takes of the resident memory.
    pub probe_bytes: u64,
    /// What is left.
    #[serde(flatten)]
    pub memory: KeptMemory,
}

/// Memory right after a collection of all garbage.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptMemory {
    /// For how long the collection stopped the thread; of several, the longest.
    pub paused_ns: u64,
    /// Heap in use.
    pub heap_used_bytes: u64,
    /// Heap that V8 has taken from the operating system.
    pub heap_committed_bytes: u64,
    /// Memory outside of the heap that objects in it hold on to, array buffers among it.
    pub external_bytes: u64,
    /// Array buffers, those of `Buffer` among them.
    pub array_buffers_bytes: u64,
    /// Resident memory of the process; of several, of all together.
    pub rss_bytes: u64,
    /// Heap in use by space.
    #[serde(
        deserialize_with = "bounded::list::<SPACES_MAX, _, _>",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub spaces: Vec<SpaceUse>,
}

/// A space of a heap.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SpaceUse {
    /// What V8 calls it, such as `old_space`.
    #[serde(deserialize_with = "bounded::name")]
    pub name: String,
    /// In use.
    pub used_bytes: u64,
}
