//! Poisson arrivals: the cumulative counts at which arrivals come are a Poisson process of rate 1, so their times,
//! through the inverse of the cumulative count, are one of the planned rate, ramps included.

use crate::cumulative::{ARRIVAL, Cumulative};
use crate::exponential::Exponential;
use crate::{AgentShare, Start};

/// The Poisson arrivals of one share. All arrivals are drawn, those of the others skipped, so that the shares are
/// parts of one process whatever their number.
#[derive(Debug, Clone)]
pub(crate) struct Poisson {
    cumulative: Cumulative,
    distances: Exponential,
    share: AgentShare,
    /// The next start of any share.
    number: u64,
    /// The next start of this share.
    own: u64,
    /// Cumulative count at the last arrival drawn.
    count: u128,
    /// Index of the piece of the last start.
    piece: usize,
}

impl Poisson {
    pub(crate) fn new(cumulative: Cumulative, seed: u64, share: AgentShare) -> Self {
        Self {
            cumulative,
            distances: Exponential::new(seed),
            share,
            number: 0,
            own: share.first(),
            count: 0,
            piece: 0,
        }
    }
}

impl Iterator for Poisson {
    type Item = Start;

    fn next(&mut self) -> Option<Start> {
        while self.number <= self.own {
            if self.count >= self.cumulative.total() {
                return None;
            }
            self.count += (self.distances.next_q64() * ARRIVAL) >> 64;
            self.number += 1;
        }
        while self.count >= self.cumulative.piece(self.piece)?.after {
            self.piece += 1;
        }
        let start = Start {
            at_ns: self.cumulative.piece(self.piece)?.time_of(self.count),
            number: self.own,
        };
        self.own = self.own.saturating_add(self.share.stride());
        Some(start)
    }
}
