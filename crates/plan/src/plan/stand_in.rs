//! What responds in the place of a neighbour.

use crate::notation::units::Share;
use crate::plan::limits::ByteSize;
use crate::plan::request::Method;
use crate::plan::template::Template;
use std::path::PathBuf;
use std::time::Duration;

/// A server of plimsoll's own that responds as the plan says, in the place of an upstream.
#[derive(Debug, Clone, PartialEq)]
pub struct StandIn {
    /// Where it listens, on 127.0.0.1.
    pub port: u16,
    /// The first one that fits a request is given to it; at least one.
    pub responses: Vec<StandInResponse>,
}

/// What requests are given.
#[derive(Debug, Clone, PartialEq)]
pub struct StandInResponse {
    /// Of which method they are; `None` is any.
    pub method: Option<Method>,
    /// Where they go, without a query; `*` at the end is anything, and `None` is all.
    pub path: Option<String>,
    /// From the end of a request to the beginning of the response.
    pub time: ResponseTime,
    /// Of those that are no errors.
    pub status: u16,
    /// Header fields besides those that say how long the body is. Literals.
    pub headers: Vec<(String, Template)>,
    /// What it says.
    pub body: StandInBody,
    /// How many have status 503 instead, and no body.
    pub errors: Share,
}

/// What a response says.
#[derive(Debug, Clone, PartialEq)]
pub enum StandInBody {
    /// Always the same. A literal.
    Same(Template),
    /// So many bytes that mean nothing, each time another number between two.
    Size {
        /// The fewest.
        from: ByteSize,
        /// The most, included.
        to: ByteSize,
    },
}

impl StandInBody {
    /// What it says where that is always the same.
    pub(crate) const fn same(&self) -> Option<&Template> {
        match self {
            Self::Same(body) => Some(body),
            Self::Size { .. } => None,
        }
    }
}

/// How long a stand-in takes to respond.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResponseTime {
    /// By these shares of the responses in a million, the time that so many take at most, both ascending. Between two of them times are
    /// spread evenly. The first share is 0 and the last a million.
    Spread(Vec<(u32, Duration)>),
    /// As they were in a run.
    Run {
        /// Its run directory.
        directory: PathBuf,
        /// Of one of its requests; `None` is all.
        request: Option<String>,
    },
}

impl ResponseTime {
    /// Between two times, spread evenly.
    #[must_use]
    pub fn between(from: Duration, to: Duration) -> Self {
        Self::Spread(vec![(0, from), (MILLION, to)])
    }
}

/// All responses, as a [spread](ResponseTime::Spread) counts them.
pub const MILLION: u32 = 1_000_000;

/// The percentiles that a plan can give, and how many responses in a million take at most so long.
pub(crate) const PERCENTILES: [(&str, u32); 6] = [
    ("p50", 500_000),
    ("p75", 750_000),
    ("p90", 900_000),
    ("p95", 950_000),
    ("p99", 990_000),
    ("p99.9", 999_000),
];
