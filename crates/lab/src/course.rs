//! A comparison as it goes: what it has seen, how long it takes, and when a check looks at its rounds.

use crate::keeping::Keeping;
use plimsoll_findings::{Event, Progress};
use plimsoll_measure::run_directory::{ComparisonInfo, Gate};
use plimsoll_plan::Load;
use plimsoll_series::{ComparedRound, compare, look};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Starting and stopping a service takes about this long.
const STARTING: Duration = Duration::from_secs(1);

/// A comparison as it goes.
pub(crate) struct Course<'a> {
    pub(crate) directory: PathBuf,
    pub(crate) info: ComparisonInfo,
    pub(crate) seen: Vec<ComparedRound>,
    /// How many rounds there will be, as far as that is known.
    pub(crate) wanted: u32,
    /// Notes that were passed on.
    pub(crate) told: Vec<String>,
    pub(crate) keeping: Keeping,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) on_event: &'a mut dyn FnMut(Event<'_>),
}

impl Course<'_> {
    pub(crate) fn write(&mut self) {
        self.keeping.bear(self.info.write(&self.directory), self.on_event);
    }

    /// Looks at the rounds of a check, if that is due.
    pub(crate) fn look(&mut self, time: &Time) {
        let Some(gate) = &self.info.gate else {
            return;
        };
        let (share, is_last) = time.is_over(gate);
        let due = look(&self.info, &self.seen, share, is_last);
        if let (Some(look), Some(gate)) = (due, &mut self.info.gate) {
            gate.looks.push(look);
            self.write();
            let seen = compare(&self.info, &self.seen);
            let metric = seen.gate.and_then(|gate| gate.metric);
            if let Some(deciding) = seen.figures.iter().find(|figure| Some(figure.figure) == metric) {
                (self.on_event)(Event::Looked(deciding));
            }
        }
    }
}

/// How long the blocks of a comparison take.
pub(crate) struct Time {
    began: Instant,
    block_began: Instant,
    per_block: Duration,
}

impl Time {
    /// Before the first block, of rounds with this load.
    pub(crate) fn of(info: &ComparisonInfo, load: &Load) -> Self {
        let now = Instant::now();
        Self {
            began: now,
            block_began: now,
            per_block: (length(load) + STARTING) * info.variants.len() as u32,
        }
    }

    pub(crate) fn block_ends(&mut self) {
        let now = Instant::now();
        // The first is longer than others: everything is cold.
        self.per_block = now - self.block_began;
        self.block_began = now;
    }

    /// The share of the time of a check that is over, and whether no further block fits into it.
    fn is_over(&self, gate: &Gate) -> (f64, bool) {
        let elapsed = (self.block_began - self.began).as_secs_f64();
        (
            elapsed / gate.within_s,
            elapsed + self.per_block.as_secs_f64() > gate.within_s,
        )
    }

    /// How many rounds there will be: those that are wanted, or that fit into the time of a check.
    pub(crate) fn rounds(&self, info: &ComparisonInfo) -> u32 {
        let variants = info.variants.len() as u32;
        match &info.gate {
            None => (info.blocks + info.unused_blocks) * variants,
            Some(gate) => (gate.within_s / self.per_block.as_secs_f64()) as u32 * variants,
        }
    }
}

/// How long a load lasts; zero where nobody knows.
pub(crate) fn length(load: &Load) -> Duration {
    match load {
        Load::Open(open) => open.duration(),
        Load::Closed(closed) => closed.duration.unwrap_or_default(),
        Load::Hold(_) => Duration::ZERO,
    }
}

/// How the whole stands, from how a round does.
pub(crate) fn within(progress: Progress, place: Option<(u32, u32)>) -> Progress {
    let done_share = place.map(|(number, of)| {
        let round = progress.done_share.unwrap_or(0.0);
        ((f64::from(number) + round) / f64::from(of.max(1))).min(1.0)
    });
    Progress {
        done_share,
        left_s: None,
        ..progress
    }
}
