//! Causes, and where the time went.

use super::cause_kind::CauseKind;
use super::evidence::{Assumption, CodeClass, Evidence, SpentOn, What};
use super::place::Place;
use crate::neighbour::FullNeighbour;
use crate::objective::Condition;
use plimsoll_measure::{Compiler, RunKind};
use schemars::JsonSchema;
use serde::Serialize;

/// What runs out first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The CPU of the service, or its one event loop.
    Cpu,
    /// The event loop, which stands still: by something rare that takes long, or by calls that wait.
    EventLoop,
    /// The threads of the threadpool.
    Threadpool,
    /// The connections of a pool.
    ConnectionPool,
    /// Requests wait for other services most of the time.
    Upstream,
    /// The CPU of something that was started beside the service.
    Neighbour,
    /// The memory that is kept: collecting it stops the event loop.
    Memory,
    /// The terminal that standard output is.
    Terminal,
    /// Neither.
    Neither,
    /// Too little was seen to say.
    Unknown,
}

/// The objective that broke first as the load rose, at the least rate at which it did.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BrokeFirst {
    /// Whether rates are in users per second, and not in requests.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub users: bool,
    /// Which one.
    pub objective: Condition,
    /// That rate, requests per second.
    pub rate_per_s: Option<f64>,
    /// Its figure there, in its unit.
    pub observed: Option<f64>,
    /// Busy share of the cores that the service may use, 0 to 1, there.
    pub cpu_share: Option<f64>,
    /// Busy share of the main thread that was busiest there, where several processes serve, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hottest_share: Option<f64>,
    /// For how much of each second a quota kept the service from running there, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttled_ms_per_s: Option<f64>,
    /// The neighbour of the service that ran out of CPU there, while the service had some left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neighbour: Option<FullNeighbour>,
}

/// One run at the rate of the diagnosis.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Pass {
    /// Which one.
    pub name: RunKind,
    /// Requests completed per second; `None` when nothing was judged.
    pub throughput_per_s: Option<f64>,
    /// CPU of the service per completed request, microseconds.
    pub cpu_us_per_request: Option<f64>,
    /// How much more that is than in the plain pass, as a share of it.
    pub extra_cpu_share: Option<f64>,
    /// Median response time, ms.
    pub p50_ms: Option<f64>,
    /// 99th percentile of the response time, ms.
    pub p99_ms: Option<f64>,
}

/// One cause, and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Cause {
    /// Which kind.
    pub kind: CauseKind,
    /// What it is.
    pub what: What,
    /// The line of the service that it comes from, where it comes from one.
    pub place: Option<Place>,
    /// Other lines that it comes from, costliest first.
    pub other_places: Vec<Place>,
    /// The package of `node_modules` through which it is reached.
    pub via: Option<String>,
    /// The line inside of that package, where the place is the line of the service that it was called from.
    pub inside: Option<Place>,
    /// The line of a function of the service's own through which the places reach it, and others too.
    pub helper: Option<Place>,
    /// The line that calls the function of the place most, where that is short and passes on what it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called_from: Option<Place>,
    /// What compiled the file of the place, where that has no source map; `None` where someone wrote it.
    pub compiled: Option<Compiler>,
    /// The service is asked by messages: what is said here of a request is of one of these.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_message: bool,
    /// How often per request.
    pub per_request: Option<f64>,
    /// CPU per request, microseconds.
    pub cpu_us_per_request: Option<f64>,
    /// That CPU as a share of all CPU per request.
    pub cpu_share: Option<f64>,
    /// Waiting per request, milliseconds.
    pub wait_ms_per_request: Option<f64>,
    /// The figures that it rests on.
    pub evidence: Evidence,
    /// What that would give back; `None` where nothing can be said.
    pub predicted: Option<Predicted>,
    /// What it would give back if every cause at this line went; `None` where it is the only one there.
    pub line_predicted: Option<Predicted>,
}

impl Cause {
    /// A cause of which nothing else is known yet.
    #[must_use]
    pub const fn new(kind: CauseKind, what: What, evidence: Evidence) -> Self {
        Self {
            kind,
            what,
            place: None,
            other_places: Vec::new(),
            via: None,
            inside: None,
            helper: None,
            called_from: None,
            compiled: None,
            by_message: false,
            per_request: None,
            cpu_us_per_request: None,
            cpu_share: None,
            wait_ms_per_request: None,
            evidence,
            predicted: None,
            line_predicted: None,
        }
    }

    /// A cause that is what its kind says.
    #[must_use]
    pub const fn of(kind: CauseKind, evidence: Evidence) -> Self {
        Self::new(kind, What::Kind { kind }, evidence)
    }
}

/// What fixing a cause would give back. Never measured: it is computed from the assumption.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Predicted {
    /// The load line then, requests per second, or users per second; `None` when no load line was searched.
    pub load_line_per_s: Option<f64>,
    /// Whether that is in users per second, and not in requests.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub users: bool,
    /// Factor on the load line.
    pub factor: f64,
    /// The factor is hardly below this.
    pub low: f64,
    /// The factor is hardly above this; `None` where nothing says how great it may be.
    pub high: Option<f64>,
    /// So little would remain that only `low` can be relied on: the factor is at least that.
    pub at_least: bool,
    /// What becomes of the response time, where that is what breaks.
    pub response_time: Option<ResponseThen>,
    /// The objective that would break next, where it is another one than now.
    pub next: Option<Condition>,
    /// What must hold for it.
    pub assumption: Assumption,
}

/// The response time without a cause, at the rate of the diagnosis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct ResponseThen {
    /// Of which quantile, 0 to 1; `None` of the mean.
    pub quantile: Option<f64>,
    /// Now, ms.
    pub now_ms: f64,
    /// Then, ms.
    pub then_ms: f64,
}

/// What a package costs that is no cause, because it takes little.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PackageCost {
    /// Its name.
    pub name: String,
    /// The line of the service that calls it, or else its own costliest one.
    pub place: Option<Place>,
    /// Its share of the CPU per request, with all that it calls for the service.
    pub cpu_share: f64,
}

/// A part of the time of the main threads.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Slice {
    /// On what.
    pub what: SpentOn,
    /// Share of the busy time.
    pub share: f64,
}

/// A call in a flame graph.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FlameCall {
    /// Index of its caller, which is smaller than its own; `None` at the root.
    pub caller: Option<u32>,
    /// The function; empty for an anonymous one.
    pub function: String,
    /// File and line; empty for native code.
    pub place: String,
    /// What kind of code it is.
    pub class: CodeClass,
    /// Time in it and in what it calls, as a share of the busy time.
    pub share: f64,
    /// Time in it alone, as a share of the busy time.
    pub self_share: f64,
}
