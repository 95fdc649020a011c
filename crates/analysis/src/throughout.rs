//! Durations of connections over a whole run: most connections are opened before judging begins.

use crate::percentiles::Gathered;
use plimsoll_findings::Percentiles;
use plimsoll_measure::{TickDurations, TickLine, Timing};

/// How long something took that happens to connections.
#[derive(Debug, Clone)]
pub(crate) struct Throughout {
    timing: Timing,
    gathered: Gathered,
}

impl Throughout {
    /// Of this duration.
    pub(crate) fn of(timing: Timing) -> Self {
        Self {
            timing,
            gathered: Gathered::default(),
        }
    }

    /// Adds those of a tick.
    pub(crate) fn tick(&mut self, line: &TickLine, durations: &TickDurations) {
        self.gathered.add(&durations[self.timing], &line.durations[self.timing]);
    }

    /// What is known of them.
    pub(crate) fn percentiles(&self) -> Percentiles {
        self.gathered.percentiles()
    }

    /// The same, where there were any.
    pub(crate) fn finding(&self) -> Option<Percentiles> {
        Some(self.percentiles()).filter(|time| time.count > 0)
    }
}
