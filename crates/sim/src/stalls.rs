//! When the worker stands still.

use crate::model::{Hiccups, Model, Pause};
use crate::random::exponential;
use rand_chacha::ChaCha8Rng;

/// Stalls in the order of time. The worker asks only forwards, so past ones are forgotten.
pub(crate) struct Stalls {
    hiccups: Option<Hiccups>,
    pause: Option<Pause>,
    next_hiccup: (u64, u64),
    rng: ChaCha8Rng,
}

impl Stalls {
    pub(crate) fn new(model: &Model, rng: ChaCha8Rng) -> Self {
        let mut stalls = Self {
            hiccups: model.hiccups,
            pause: model.pause,
            next_hiccup: (0, 0),
            rng,
        };
        stalls.draw_hiccup();
        stalls
    }

    /// The first stall that ends after `at_ns`, as start and end.
    pub(crate) fn next(&mut self, at_ns: u64) -> Option<(u64, u64)> {
        while self.hiccups.is_some() && self.next_hiccup.1 <= at_ns {
            self.draw_hiccup();
        }
        let hiccup = self.hiccups.map(|_| self.next_hiccup);
        let pause = self.pause.map(|pause| {
            let (every, length) = (pause.every.as_nanos() as u64, pause.length.as_nanos() as u64);
            // It stands still at the end of each period.
            let period = at_ns / every * every;
            (period + every - length, period + every)
        });
        match (hiccup, pause) {
            (Some(a), Some(b)) => Some(if a.0 <= b.0 { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    fn draw_hiccup(&mut self) {
        if let Some(hiccups) = self.hiccups {
            let start = self.next_hiccup.1 + exponential(&mut self.rng, hiccups.every.as_nanos() as f64) as u64;
            self.next_hiccup = (start, start + hiccups.length.as_nanos() as u64);
        }
    }
}
