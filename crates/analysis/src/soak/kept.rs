//! What the service says it keeps, collection by collection.

use super::trend::Piece;
use plimsoll_findings::{KeptFinding, SpaceFinding};
use plimsoll_measure::{KeptSample, TargetSample};

/// Most values kept. Beyond, neighbours are merged.
const VALUES_MAX: usize = 1_200;
/// Pieces of a line through them at most: a value is one, or several are.
const PIECES_MAX: usize = 25;
/// With fewer, no slope is seen.
const PIECES_MIN: usize = 6;

/// Takes in what the service says. Its memory does not depend on how often.
#[derive(Debug, Clone, Default)]
pub(super) struct KeptWatch {
    values: Vec<Value>,
    first: Option<KeptSample>,
    last: Option<KeptSample>,
    collections: u32,
    unanswered: u32,
    longest_pause_ns: u64,
    processes_besides: u32,
}

/// What it kept at a moment, and what else was resident.
#[derive(Debug, Clone, Copy)]
struct Value {
    at_h: f64,
    kept_bytes: f64,
    native_bytes: f64,
}

/// One of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Kept,
    Native,
}

impl KeptWatch {
    /// Takes in a sample, beside that of all processes of the service which was taken last.
    pub(super) fn push(&mut self, sample: &KeptSample, target: Option<TargetSample>) {
        if sample.threads == 0 {
            self.unanswered = self.unanswered.saturating_add(1);
            return;
        }
        let besides = target.map_or(0, |target| target.processes.saturating_sub(sample.processes));
        let resident_bytes = match target {
            Some(target) if besides > 0 => target.rss_bytes.max(sample.memory.rss_bytes),
            _ => sample.memory.rss_bytes,
        };
        self.collections = self.collections.saturating_add(1);
        self.processes_besides = besides;
        self.longest_pause_ns = self.longest_pause_ns.max(sample.memory.paused_ns);
        self.values.push(Value {
            at_h: sample.asked_ns as f64 / 3.6e12,
            kept_bytes: sample.kept_bytes() as f64,
            native_bytes: sample.rest_bytes(resident_bytes) as f64,
        });
        if self.values.len() > VALUES_MAX {
            self.values = self.values.chunks(2).map(Value::mean).collect();
        }
        self.first.get_or_insert_with(|| sample.clone());
        self.last = Some(sample.clone());
    }

    /// Heaps that were asked: each of them settles by itself.
    pub(super) fn heaps(&self) -> f64 {
        self.last.as_ref().map_or(0.0, |last| f64::from(last.threads))
    }

    pub(super) fn is_known(&self) -> bool {
        self.last.is_some()
    }

    /// The values of one of the two, several together where there are many; nothing where there are too few.
    pub(super) fn pieces(&self, of: Of) -> Option<Vec<Piece>> {
        // Before the first collection, some of the heap is committed and was never touched, so that it is not resident.
        let from = match of {
            Of::Kept => 0,
            Of::Native => self.values.len().min(1),
        };
        let values = &self.values[from..];
        let together = values.len().div_ceil(PIECES_MAX).max(1);
        let pieces = values.chunks_exact(together).map(|values| {
            let mean = Value::mean(values);
            let mean_of = |of| match of {
                Of::Kept => mean.kept_bytes,
                Of::Native => mean.native_bytes,
            };
            Piece {
                at_h: mean.at_h,
                mean: mean_of(of),
            }
        });
        let pieces: Vec<Piece> = pieces.collect();
        (pieces.len() >= PIECES_MIN).then_some(pieces)
    }

    pub(super) fn finding(&self) -> Option<KeptFinding> {
        let (first, last) = self.first.as_ref().zip(self.last.as_ref())?;
        let of_space = |sample: &KeptSample, name: &str| {
            let space = sample.memory.spaces.iter().find(|space| space.name == name);
            space.map_or(0, |space| space.used_bytes)
        };
        let spaces = last.memory.spaces.iter().map(|space| SpaceFinding {
            name: space.name.clone(),
            first_bytes: of_space(first, &space.name),
            last_bytes: space.used_bytes,
        });
        let besides = [
            ("external", first.memory.external_bytes, last.memory.external_bytes),
            (
                "heap_committed",
                first.memory.heap_committed_bytes,
                last.memory.heap_committed_bytes,
            ),
        ];
        let besides = besides.map(|(name, first_bytes, last_bytes)| SpaceFinding {
            name: name.to_owned(),
            first_bytes,
            last_bytes,
        });
        Some(KeptFinding {
            collections: self.collections,
            unanswered: self.unanswered,
            longest_pause_ms: self.longest_pause_ns as f64 / 1e6,
            threads: last.threads,
            processes: last.processes,
            processes_besides: self.processes_besides,
            spaces: spaces.chain(besides).collect(),
            lines: Vec::new(),
        })
    }
}

impl Value {
    fn mean(values: &[Self]) -> Self {
        let mean = |of: fn(&Self) -> f64| values.iter().map(of).sum::<f64>() / values.len() as f64;
        Self {
            at_h: mean(|value| value.at_h),
            kept_bytes: mean(|value| value.kept_bytes),
            native_bytes: mean(|value| value.native_bytes),
        }
    }
}
