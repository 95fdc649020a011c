//! The load line of a capacity search: a rate, users at a time, or connections that are held.

use super::EndedBecause;
use crate::objective::Condition;
use crate::unit::Unit;
use schemars::JsonSchema;
use serde::Serialize;

/// The greatest load at which every objective holds: an arrival rate, a number of users at a time, or of
/// connections that are held.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LoadLine {
    /// Whether its rates are in users per second, who send several requests each, and not in requests.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub users: bool,
    /// The line in users at a time, where the search was in users. The rates are then what these users ask for: seen at the line and at what
    /// failed, and in proportion for the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrent: Option<ConcurrentUsers>,
    /// The line in connections, where the search was in connections. The rates are then what came on these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldLine>,
    /// Greatest rate that passed: what one may rely on, requests per second.
    pub rate_per_s: f64,
    /// Least rate above it that failed; `None` when nothing failed. Where users were searched, what those asked for: users who wait ask for less, so it
    /// may be below the line.
    pub failed_per_s: Option<f64>,
    /// Lower end of the interval that holds the true line, requests per second.
    pub interval_low_per_s: f64,
    /// Upper end of that interval; `None` when the search met no upper end.
    pub interval_high_per_s: Option<f64>,
    /// Confidence of that interval, 0 to 1.
    pub confidence: f64,
    /// Width of the bracket as a share of the line; `None` when nothing failed.
    pub bracket_share: Option<f64>,
    /// Whether the bracket got as narrow as was asked for.
    pub converged: bool,
    /// Objective that broke first above the line.
    pub broke: Option<Condition>,
    /// Why the search ended.
    pub ended_because: EndedBecause,
    /// CPU of the service per request at the line, microseconds.
    pub cpu_us_per_request: Option<f64>,
}

impl LoadLine {
    /// Whether anything above the line failed. What users ask for where they do so is not always known.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.at_a_time()
            .map_or(self.failed_per_s.is_some(), |line| line.failed.is_some())
    }

    /// The unit of the line.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self.at_a_time().map(|at| at.of) {
            Some(Crowd::Users) => Unit::Users,
            Some(Crowd::Connections) => Unit::Connections,
            None if self.users => Unit::UsersPerS,
            None => Unit::PerS,
        }
    }

    /// The line where it is no rate.
    #[must_use]
    pub fn at_a_time(&self) -> Option<AtATime> {
        let users = self.concurrent.as_ref().map(|line| AtATime {
            of: Crowd::Users,
            line: line.users,
            failed: line.failed,
            interval_low: line.interval_low,
            interval_high: line.interval_high,
        });
        let connections = self.held.as_ref().map(|line| AtATime {
            of: Crowd::Connections,
            line: line.connections,
            failed: line.failed,
            interval_low: line.interval_low,
            interval_high: line.interval_high,
        });
        users.or(connections)
    }
}

/// What a search counts where it is no search for a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crowd {
    /// Users at a time.
    Users,
    /// Connections that are held.
    Connections,
}

/// A load line that is a number at a time, whatever it counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtATime {
    /// What it counts.
    pub of: Crowd,
    /// Greatest number that passed.
    pub line: u64,
    /// Least number above it that failed; `None` when nothing failed.
    pub failed: Option<u64>,
    /// Lower end of the interval that holds the true line.
    pub interval_low: f64,
    /// Upper end of that interval; `None` when the search met no upper end.
    pub interval_high: Option<f64>,
}

/// A load line in connections that are held open together.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HeldLine {
    /// Greatest number that passed: what one may rely on.
    pub connections: u64,
    /// Least number above it that failed; `None` when nothing failed.
    pub failed: Option<u64>,
    /// Lower end of the interval that holds the true line.
    pub interval_low: f64,
    /// Upper end of that interval; `None` when the search met no upper end.
    pub interval_high: Option<f64>,
}

/// A load line in users at a time, each of whom waits for its response and pauses before it asks again (closed model).
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ConcurrentUsers {
    /// Greatest number that passed: what one may rely on.
    pub users: u64,
    /// Least number above it that failed; `None` when nothing failed.
    pub failed: Option<u64>,
    /// Lower end of the interval that holds the true line.
    pub interval_low: f64,
    /// Upper end of that interval; `None` when the search met no upper end.
    pub interval_high: Option<f64>,
    /// What Little's law says of them; `None` where too little was measured, or requests failed.
    pub littles_law: Option<LittlesLaw>,
}

/// Users = throughput × (response time + pause), each measured by itself. Where that is not the number of users there were, something but
/// the service kept them (J. D. C. Little, Operations Research 9, 1961).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct LittlesLaw {
    /// Requests completed per second.
    pub throughput_per_s: f64,
    /// Mean response time of a request, ms.
    pub response_ms: f64,
    /// Mean pause after a request, ms: of journeys what their time has besides responses.
    pub pause_ms: f64,
    /// The users that follow.
    pub users: f64,
    /// Whether these are those there were, within a tenth.
    pub holds: bool,
}
