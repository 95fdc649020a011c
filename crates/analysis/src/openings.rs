//! Openings of connections that a request opens, over a whole run.

use crate::percentiles::Gathered;
use plimsoll_findings::Percentiles;
use plimsoll_measure::{TickDurations, TickLine, Timing};

/// How long they took.
#[derive(Debug, Clone, Default)]
pub(crate) struct Openings(Gathered);

impl Openings {
    /// Adds those of a tick.
    pub(crate) fn tick(&mut self, line: &TickLine, durations: &TickDurations) {
        self.0
            .add(&durations[Timing::OpeningTime], &line.durations[Timing::OpeningTime]);
    }

    /// What is to be said of them, where there were any.
    pub(crate) fn finding(&self) -> Option<Percentiles> {
        Some(self.0.percentiles()).filter(|time| time.count > 0)
    }
}
