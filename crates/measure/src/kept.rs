//! What a service keeps: its memory right after all garbage was collected, which plimsoll asks for now and then.

use crate::probe::{KeptMemory, ProbeKept, SpaceUse};
use serde::{Deserialize, Serialize};

/// Nothing that a service keeps is larger; the figures come from it, and may be anything.
const BYTES_MAX: u64 = 1 << 45;

/// The service is asked to collect all of its garbage, which stops it for a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CollectionMark {
    /// When, since the beginning of the run, ns.
    pub at_ns: u64,
}

/// What it kept then, the sum over the threads that could be asked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptSample {
    /// When the last thread had replied, since the beginning of the run, ns.
    pub at_ns: u64,
    /// When they were asked, ns.
    pub asked_ns: u64,
    /// Threads that replied, each with a heap of its own; 0 where one of them did not, and nothing is known.
    pub threads: u32,
    /// Processes that these belong to.
    pub processes: u32,
    /// Their memory together, the resident memory without what the probe takes of it.
    #[serde(flatten)]
    pub memory: KeptMemory,
}

impl KeptSample {
    /// The sum of what threads said, each with its process.
    #[must_use]
    pub fn of(asked_ns: u64, at_ns: u64, said: &[(u32, ProbeKept)]) -> Self {
        let mut sum = Self {
            at_ns,
            asked_ns,
            threads: said.len() as u32,
            ..Self::default()
        };
        let memory = &mut sum.memory;
        let mut processes: Vec<(u32, u64)> = Vec::new();
        for (
            pid,
            ProbeKept {
                probe_bytes,
                memory: kept,
                ..
            },
        ) in said
        {
            let bytes = |bytes: u64| bytes.min(BYTES_MAX);
            memory.paused_ns = memory.paused_ns.max(kept.paused_ns);
            memory.heap_used_bytes += bytes(kept.heap_used_bytes);
            memory.heap_committed_bytes += bytes(kept.heap_committed_bytes);
            memory.external_bytes += bytes(kept.external_bytes);
            memory.array_buffers_bytes += bytes(kept.array_buffers_bytes);
            for space in &kept.spaces {
                let used_bytes = bytes(space.used_bytes);
                match memory.spaces.iter_mut().find(|mine| mine.name == space.name) {
                    Some(mine) => mine.used_bytes += used_bytes,
                    None => memory.spaces.push(SpaceUse {
                        name: space.name.clone(),
                        used_bytes,
                    }),
                }
            }
            // Threads of one process have its resident memory in common.
            let rss_bytes = bytes(kept.rss_bytes).saturating_sub(bytes(*probe_bytes));
            match processes.iter_mut().find(|(known, _)| known == pid) {
                Some((_, known)) => *known = rss_bytes.max(*known),
                None => processes.push((*pid, rss_bytes)),
            }
        }
        memory.rss_bytes = processes.iter().map(|(_, rss_bytes)| rss_bytes).sum();
        sum.processes = processes.len() as u32;
        sum
    }

    /// What the service keeps: heap in use, and what objects in it hold outside of it.
    #[must_use]
    pub const fn kept_bytes(&self) -> u64 {
        self.memory.heap_used_bytes.saturating_add(self.memory.external_bytes)
    }

    /// Of so much resident memory, what is neither heap nor held by objects in it: that of native code, and of processes that were not asked.
    #[must_use]
    pub fn rest_bytes(&self, resident_bytes: u64) -> u64 {
        resident_bytes.saturating_sub(
            self.memory
                .heap_committed_bytes
                .saturating_add(self.memory.external_bytes),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_add_up_and_processes_count_once() {
        let kept = |rss_bytes, used_bytes| ProbeKept {
            id: 0,
            probe_bytes: 3,
            memory: KeptMemory {
                paused_ns: used_bytes,
                heap_used_bytes: used_bytes,
                heap_committed_bytes: used_bytes.saturating_mul(2),
                external_bytes: 1,
                array_buffers_bytes: 0,
                rss_bytes,
                spaces: vec![SpaceUse {
                    name: "old_space".to_owned(),
                    used_bytes,
                }],
            },
        };
        let sum = KeptSample::of(5, 7, &[(1, kept(100, 10)), (1, kept(101, 20)), (2, kept(50, u64::MAX))]);
        assert_eq!((sum.threads, sum.processes, sum.memory.rss_bytes), (3, 2, 98 + 47));
        assert_eq!(sum.kept_bytes(), 30 + BYTES_MAX + 3);
        assert_eq!(sum.memory.spaces.len(), 1);
        assert_eq!(KeptSample::of(0, 0, &[(1, kept(100, 10))]).rest_bytes(97), 97 - 21);
    }
}
