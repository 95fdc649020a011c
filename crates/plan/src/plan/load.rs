//! When requests are sent.

use crate::notation::mismatch::Mismatch;
use crate::notation::units::Rate;
use crate::notation::{Notation, keyword};
use crate::plan::hold::HoldLoad;
use schemars::{Schema, json_schema};
use std::time::Duration;

/// The load model of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Load {
    /// Arrivals do not wait for responses.
    Open(OpenLoad),
    /// The next request of a connection waits for the last response.
    Closed(ClosedLoad),
    /// Connections are opened at a pace and kept open.
    Hold(HoldLoad),
}

impl Load {
    /// How long requests are started or connections held; `None` for a closed load that only counts them.
    #[must_use]
    pub fn duration(&self) -> Option<Duration> {
        match self {
            Self::Open(open) => Some(open.duration()),
            Self::Closed(closed) => closed.duration,
            Self::Hold(hold) => Some(hold.opening() + hold.duration),
        }
    }

    /// Think time and pacing of users; without users there is neither.
    #[must_use]
    pub fn pauses(&self) -> (Duration, Duration) {
        match self {
            Self::Closed(closed) => (closed.think_time, closed.pacing),
            Self::Open(_) | Self::Hold(_) => (Duration::ZERO, Duration::ZERO),
        }
    }
}

impl Default for Load {
    /// 100 even arrivals per second for 30 s.
    fn default() -> Self {
        Self::Open(OpenLoad::constant(
            Rate::per_s(100),
            Duration::from_secs(30),
            Arrivals::Even,
        ))
    }
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

    /// A ramp to the rate of each stage in turn, the first from zero.
    #[must_use]
    pub fn from_stages(stages: &[Stage], arrivals: Arrivals) -> Self {
        let mut from = Rate::ZERO;
        let segment = |stage: &Stage| {
            let segment = Segment {
                from,
                to: stage.rate,
                duration: stage.duration,
            };
            from = stage.rate;
            segment
        };
        Self {
            segments: stages.iter().map(segment).collect(),
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

/// A ramp of the short form `30s:100`: to 100 requests per second over 30 s.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// How long the ramp takes.
    pub duration: Duration,
    /// Rate at its end.
    pub rate: Rate,
}

/// Reads a stage such as `30s:100`: a ramp to 100 requests per second over 30 s.
///
/// # Errors
/// When `text` is no duration and rate with a colon between them.
pub fn parse_stage(text: &str) -> Result<Stage, Mismatch> {
    Stage::read(text)
}

/// The two parts of the short form of a stage, the second in the notation of what it rises to.
pub(crate) fn read_ramp<L>(
    text: &str,
    read: impl FnOnce(&str) -> Result<L, Mismatch>,
) -> Result<(Duration, L), Mismatch> {
    let (duration, to) = text.split_once(':').ok_or_else(|| Stage::mismatch(text))?;
    Ok((
        Duration::read(duration).map_err(|mismatch| mismatch.at(0..duration.len()))?,
        read(to).map_err(|mismatch| mismatch.at(duration.len() + 1..text.len()))?,
    ))
}

impl Notation for Stage {
    const EXPECTED: &'static str = "a stage such as `30s:100`, a ramp to 100/s over 30 s";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let (duration, rate) = read_ramp(text, Rate::read)?;
        Ok(Self { duration, rate })
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": "^.+:.+$", "examples": ["30s:100", "1m:1.5k/s"] })
    }
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

/// A number of connections, or of users on journeys, each one request at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedLoad {
    /// At least one; with stages, the most of any of them.
    pub connections: u32,
    /// How long the run takes at most; `None` only when `requests` is given.
    pub duration: Option<Duration>,
    /// Ends after this many requests.
    pub requests: Option<u64>,
    /// Pause between a response and the next request of that connection.
    pub think_time: Duration,
    /// Least distance between the starts of two requests of one connection; zero is none.
    pub pacing: Duration,
    /// The first requests of the connections are spread evenly over this time; zero is all at once.
    pub ramp: Duration,
    /// How many there are over time, one stage after the other; none where they are the same all the time. With stages
    /// `duration` is their sum, and `ramp` is zero.
    pub stages: Vec<UserStage>,
}

impl ClosedLoad {
    /// Users who come and go in these stages, without pauses.
    #[must_use]
    pub fn in_stages(stages: Vec<UserStage>) -> Self {
        Self {
            connections: stages.iter().map(|stage| stage.from.max(stage.to)).max().unwrap_or(0),
            duration: Some(stages.iter().map(|stage| stage.duration).sum()),
            requests: None,
            think_time: Duration::ZERO,
            pacing: Duration::ZERO,
            ramp: Duration::ZERO,
            stages,
        }
    }
}

/// A stretch in which the number of users moves evenly from `from` to `to`; constant where they are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserStage {
    /// Users at its beginning.
    pub from: u32,
    /// Users at its end.
    pub to: u32,
    /// Its length.
    pub duration: Duration,
}

const ARRIVALS: [(&str, Arrivals); 2] = [("even", Arrivals::Even), ("poisson", Arrivals::Poisson)];

impl Arrivals {
    /// As in a plan: `even` or `poisson`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Even => "even",
            Self::Poisson => "poisson",
        }
    }
}

impl std::str::FromStr for Arrivals {
    type Err = Mismatch;

    fn from_str(text: &str) -> Result<Self, Mismatch> {
        Self::read(text)
    }
}

impl Notation for Arrivals {
    const EXPECTED: &'static str = "`even` or `poisson`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        keyword(text, &ARRIVALS)
    }

    fn schema() -> Schema {
        json_schema!({ "enum": ["even", "poisson"] })
    }
}
