//! When requests are sent.

use crate::units::Rate;
use std::time::Duration;

/// The load model of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Load {
    /// Arrivals do not wait for answers.
    Open(OpenLoad),
    /// The next request of a connection waits for the last answer.
    Closed(ClosedLoad),
}

/// Arrivals by rate.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenLoad {
    /// One after the other; at least one, each with a duration above zero.
    pub segments: Vec<Segment>,
    /// How arrivals are spread.
    pub arrivals: Arrivals,
}

impl OpenLoad {
    /// One segment of constant rate.
    #[must_use]
    pub fn constant(rate: Rate, duration: Duration, arrivals: Arrivals) -> Self {
        Self {
            segments: vec![Segment {
                from: rate,
                to: rate,
                duration,
            }],
            arrivals,
        }
    }

    /// Sum of all segments.
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.segments.iter().map(|s| s.duration).sum()
    }
}

/// A stretch in which the rate moves linearly from `from` to `to`; constant where they are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Rate at its beginning.
    pub from: Rate,
    /// Rate at its end.
    pub to: Rate,
    /// Its length.
    pub duration: Duration,
}

/// How arrivals are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arrivals {
    /// Equal distances at a constant rate.
    #[default]
    Even,
    /// A Poisson process: exponential distances, as independent users produce them.
    Poisson,
}

/// A fixed number of connections, each one request at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosedLoad {
    /// At least one.
    pub connections: u32,
    /// How long the run takes at most; `None` only when `requests` is given.
    pub duration: Option<Duration>,
    /// Ends after this many requests.
    pub requests: Option<u64>,
    /// Pause between an answer and the next request of that connection.
    pub think_time: Duration,
    /// Least distance between the starts of two requests of one connection; zero is none.
    pub pacing: Duration,
}
