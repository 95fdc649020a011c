//! Text to a validated, immutable [`Plan`].
//!
//! A `Plan` that exists is valid. This crate knows no sockets and no clocks.

mod command_line;
mod load;
mod mismatch;
mod notation;
mod objective;
mod scenario;
mod target;
mod template;
mod units;
mod url;

pub use command_line::split_command;
pub use load::{Arrivals, ClosedLoad, Load, OpenLoad, Segment, Stage, parse_stage};
pub use mismatch::Mismatch;
pub use objective::{Judging, Objective, Search};
pub use scenario::{Expect, Method, Request, Scenario, Values, Variable};
pub use target::{Command, Readiness, Stdout, Target, cpus_text, parse_cpus};
pub use template::{Span, Template};
pub use units::{Rate, Share, duration_text, parse_duration, parse_rate, parse_share};
pub use url::{Scheme, Url};

use std::time::Duration;

/// A complete, validated description of one experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What the plan is called in reports.
    pub name: String,
    /// The service under test.
    pub target: Target,
    /// What must hold, most important first.
    pub objectives: Vec<Objective>,
    /// How windows are judged.
    pub judging: Judging,
    /// What is sent.
    pub scenario: Scenario,
    /// When it is sent. `capacity` replaces it by the steps of its search.
    pub load: Load,
    /// Bounds of the capacity search.
    pub search: Search,
    /// How connections are used.
    pub connections: Connections,
    /// Seed of every random choice in the run.
    pub seed: u64,
}

/// How the generator uses connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// Most connections open at once (open model); exact number (closed model comes with its own).
    pub max: u32,
    /// Whether a connection carries more than one request.
    pub keep_alive: bool,
    /// Requests in flight on one connection; 1 is no pipelining.
    pub pipelining: u32,
    /// From the start of the connect call to an established connection.
    pub connect_timeout: Duration,
    /// From the intended start to the last byte of the answer.
    pub response_timeout: Duration,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            max: 256,
            keep_alive: true,
            pipelining: 1,
            connect_timeout: Duration::from_secs(5),
            response_timeout: Duration::from_secs(10),
        }
    }
}
