//! TLS handshakes over a whole run.

use crate::percentiles::Gathered;
use plimsoll_findings::HandshakeFinding;
use plimsoll_measure::{Counters, TickDurations, TickLine, Timing};

/// How long they took.
#[derive(Debug, Clone, Default)]
pub(crate) struct Handshakes(Gathered);

impl Handshakes {
    /// Adds those of a tick.
    pub(crate) fn tick(&mut self, line: &TickLine, durations: &TickDurations) {
        self.0.add(
            &durations[Timing::HandshakeTime],
            &line.durations[Timing::HandshakeTime],
        );
    }

    /// What is to be said of them, where `totals` has any.
    pub(crate) fn finding(&self, totals: &Counters) -> Option<HandshakeFinding> {
        let (full, resumed) = (totals.handshakes_full, totals.handshakes_resumed);
        (full > 0 || resumed > 0).then(|| HandshakeFinding {
            full,
            resumed,
            time: self.0.percentiles(),
        })
    }
}
