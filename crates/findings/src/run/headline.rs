//! What a run comes to, and what to do next.

use super::{EndedBecause, FailureClass, Growth, NotBack, TrendQuantity, Unjudged};
use crate::diagnosis::{Bound, CauseKind, LayerCost, PackageCost, Place, What};
use crate::objective::Condition;
use plimsoll_measure::Shock;
use schemars::JsonSchema;
use serde::Serialize;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls it with")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// What a run comes to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Headline {
    /// A load line was found.
    LoadLine {
        /// Whether rates are in users per second.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        users: bool,
        /// Greatest number of users at a time that passed, where the search was in users; rates are what these asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        concurrent_users: Option<u64>,
        /// Least number of them above it that failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        failed_users: Option<u64>,
        /// Greatest number of connections that were held, where the search was in connections.
        #[serde(skip_serializing_if = "Option::is_none")]
        held_connections: Option<u64>,
        /// Least number of them above it that failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        failed_connections: Option<u64>,
        /// Greatest rate that passed, requests per second.
        rate_per_s: f64,
        /// Least rate above it that failed.
        failed_per_s: Option<f64>,
        /// Objective that broke first; `None` where every request failed.
        broke: Option<Condition>,
        /// Why the search ended.
        ended_because: EndedBecause,
        /// What was not judged at the line.
        unjudged: Option<WhatUnjudged>,
    },
    /// Not even the lowest rate passed.
    NoLoadLine {
        /// Whether rates are in users per second.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        users: bool,
        /// Objective that broke; `None` where every request failed.
        broke: Option<Condition>,
        /// The least number of users at a time that was tried, where the search was in users.
        #[serde(skip_serializing_if = "Option::is_none")]
        lowest_users: Option<u64>,
        /// The least number of connections that was tried, where the search was in connections.
        #[serde(skip_serializing_if = "Option::is_none")]
        lowest_connections: Option<u64>,
        /// The lowest rate that was tried, requests per second.
        lowest_per_s: Option<f64>,
    },
    /// Every objective held.
    Passed {
        /// Whether there was an objective.
        any_objective: bool,
        /// What was seen.
        #[serde(flatten)]
        seen: Seen,
    },
    /// Nothing was breached, and something was not judged.
    Unjudged {
        /// What.
        what: WhatUnjudged,
    },
    /// An objective did not hold.
    Breached {
        /// Which.
        objective: Condition,
        /// Its figure over the run, in its unit.
        observed: Option<f64>,
        /// Windows that passed.
        windows_passed: u32,
        /// Windows that were judged.
        windows_judged: u32,
    },
    /// Every request failed.
    EveryRequestFailed,
    /// The generator was the bottleneck.
    GeneratorLate,
    /// An agent of the fleet went wrong.
    AgentLost,
    /// It did not come to its end.
    Interrupted {
        /// What is missing.
        by: InterruptedBy,
        /// How long it took until then, seconds.
        after_s: f64,
        /// Whether there are figures.
        has_figures: bool,
    },
    /// Another process had the port of the service.
    PortTaken,
    /// The service ended by itself.
    TargetDied {
        /// When, seconds.
        after_s: f64,
    },
    /// The service ended because memory ran out.
    OutOfMemory {
        /// When, seconds.
        after_s: f64,
    },
    /// A neighbour of the service ended by itself.
    NeighbourDied {
        /// When, seconds.
        after_s: f64,
    },
    /// No request got a response.
    NoResponse {
        /// Most frequent failure.
        most: Option<FailureClass>,
    },
    /// The run could not go on.
    CouldNotGoOn,
    /// All connections were held.
    Held {
        /// How many.
        connections: u64,
        /// How long, seconds.
        held_s: f64,
        /// Messages that were sent on the way, all of which arrived once; `None` where none were to be sent.
        messages: Option<u64>,
        /// They are streams of HTTP/2, which may share connections.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        streams: bool,
    },
    /// All connections were held, and messages did not arrive, or not once.
    MessagesNotDelivered {
        /// Messages that did not arrive.
        lost: u64,
        /// Arrivals of messages for several connections that did not come.
        #[serde(skip_serializing_if = "is_zero")]
        missing: u64,
        /// Arrivals of messages that had arrived before.
        doubled: u64,
        /// Messages that the service accepted.
        sent: u64,
    },
    /// Connections that were open were lost.
    ConnectionsLost {
        /// How many.
        lost: u64,
        /// Of how many that were opened.
        opened: u64,
        /// Most frequent failure of open connections.
        most: Option<FailureClass>,
        /// They are streams of HTTP/2, which may share connections.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        streams: bool,
    },
    /// Connections were not opened in time.
    PaceNotKept {
        /// Connections that were opened.
        opened: u64,
        /// Connections that were asked for.
        wanted: u64,
        /// They are streams of HTTP/2, which may share connections.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        streams: bool,
    },
    /// Connections could not be opened.
    NotAllOpened {
        /// Connections that were opened.
        opened: u64,
        /// Connections that were asked for.
        wanted: u64,
        /// It is the generator that could not.
        generators_own: bool,
        /// Most frequent failure to open.
        most: Option<FailureClass>,
        /// They are streams of HTTP/2, which may share connections.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        streams: bool,
    },
    /// Connections were held, and responses on them failed.
    HeldWithErrors {
        /// Connections that were held.
        connections: u64,
        /// Most frequent failure of responses.
        most: Option<FailureClass>,
        /// They are streams of HTTP/2, which may share connections.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        streams: bool,
    },
    /// A service that was disturbed is back.
    Back {
        /// What disturbed it.
        shock: Shock,
        /// From the end of the shock, seconds; `None` where every objective held all the time.
        after_s: Option<f64>,
        /// That is known to so many seconds.
        window_s: f64,
    },
    /// A service that was disturbed is not back.
    NotBack {
        /// What disturbed it.
        shock: Shock,
        /// For how long it was watched after the end of the shock, seconds.
        watched_s: f64,
        /// What it is in.
        state: NotBack,
    },
    /// An objective did not hold before the shock, so nothing can come back.
    BrokenBefore {
        /// Which; `None` where every request failed.
        objective: Option<Condition>,
    },
    /// Something of the service grows under a load that does not change.
    Grows {
        /// What, and by how much.
        growth: Vec<Growth>,
    },
    /// Nothing of it grows by as much as matters.
    Steady {
        /// For how long it was watched, seconds.
        watched_s: f64,
        /// Growth in an hour that matters, as a share of the mean.
        matters_share_per_h: f64,
        /// What was looked at.
        quantities: Vec<TrendQuantity>,
    },
    /// The time was too short to say of something whether it grows.
    GrowthUndecided {
        /// For how long it was watched, seconds.
        watched_s: f64,
        /// Of what.
        quantities: Vec<TrendQuantity>,
    },
    /// No connection was opened.
    NoneOpened {
        /// Most frequent failure to open.
        most: Option<FailureClass>,
    },
    /// What limits the service.
    Limit {
        /// What runs out first.
        bound: Bound,
        /// The first cause; `None` where none was found.
        cause: Option<What>,
        /// Its line.
        place: Option<Place>,
        /// Where none was found: the costliest middleware or hook that could go.
        layer: Option<Box<LayerCost>>,
        /// Where there is none of these either: the costliest package that could go.
        package: Option<Box<PackageCost>>,
        /// It ended before all was looked at, so that no cause does not mean that there is none.
        cut_off: bool,
        /// Causes were found, and too few samples of the profile show any that would explain the limit.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        few_samples: bool,
    },
}

/// What was seen, as far as there is a figure of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Seen {
    /// Completed per second in the judged part; `None` where nothing was.
    pub throughput_per_s: Option<f64>,
    /// Responses in the whole run.
    pub completed: u64,
    /// 99th percentile of the response time, ms.
    pub p99_ms: Option<f64>,
}

/// What was not judged.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum WhatUnjudged {
    /// Nothing at all was judged.
    Everything {
        /// Why; `None` where nothing says it.
        because: Option<Unjudged>,
    },
    /// Objectives were not judged.
    Objectives {
        /// The first of them.
        first: Condition,
        /// Why that was not.
        because: Unjudged,
        /// How many were not.
        count: usize,
        /// Of how many.
        of: usize,
    },
}

/// What cut a run short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InterruptedBy {
    /// Records of it are lost.
    LostRecords,
    /// Histograms of it are lost.
    LostHistograms,
    /// Its records have no end.
    NoEnd,
    /// It was stopped.
    Stop,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum NextStep {
    /// Plan for the load line, and raise it.
    UseLine {
        /// Whether rates are in users per second.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        users: bool,
        /// The line in users at a time, where the search was in users.
        #[serde(skip_serializing_if = "Option::is_none")]
        concurrent_users: Option<u64>,
        /// The line in connections, where the search was in connections.
        #[serde(skip_serializing_if = "Option::is_none")]
        held_connections: Option<u64>,
        /// The line, requests per second.
        rate_per_s: f64,
        /// How the line is raised, or placed more closely.
        then: LineThen,
    },
    /// Search the load line.
    FindLine,
    /// Spread requests evenly over the instances of the service, of which one is much busier than the others.
    SpreadRequests {
        /// Number of that instance.
        number: u32,
    },
    /// Spend less CPU per request.
    SpendLessCpu {
        /// What a request costs now, microseconds.
        cpu_us_per_request: Option<f64>,
    },
    /// See why requests fail.
    SeeErrors {
        /// Most frequent failure.
        most: Option<FailureClass>,
    },
    /// Lower the rate or raise the connections.
    LowerRate,
    /// Use the cores that are idle.
    WorkerPerCore,
    /// Measure what the service costs without a middleware or hook.
    LeaveOut {
        /// The name that `--without` has for it.
        removal: String,
    },
    /// Give the service more CPU time, or spend less.
    RaiseCpuLimit {
        /// What it has, in cores.
        cpu_cores: f64,
        /// For how much of each second that keeps it from running, ms.
        throttled_ms_per_s: f64,
    },
    /// Give a neighbour of the service more CPU, or ask less of it.
    RelieveNeighbour {
        /// What the plan calls it.
        name: String,
    },
    /// Give the service more memory, or hold less.
    RaiseMemoryLimit,
    /// Find what keeps the event loop busy for long at a time.
    FreeLoop,
    /// Find what holds the memory.
    HoldLessMemory,
    /// See what responses wait for.
    SeeWaits {
        /// Busy share of the service's cores, 0 to 1.
        cpu_share: f64,
    },
    /// Let the CPU of the service be sampled.
    SampleCpu,
    /// Give the generator what it lacked, and run it again.
    RelieveGenerator,
    /// See what the agents lacked, and run it again.
    SeeAgents,
    /// Run it again to its end.
    RunToEnd,
    /// Run it so that it is judged.
    GetJudged {
        /// Why it was not; `None` where nothing says it.
        because: Option<Unjudged>,
    },
    /// See which process has the port.
    SeePort,
    /// See why the service ended.
    SeeExit,
    /// See why a neighbour of the service ended.
    SeeNeighbour,
    /// Check that the service responds.
    CheckTarget {
        /// Its address.
        target: String,
    },
    /// See what the service wrote.
    SeeServiceLog,
    /// Hold more connections.
    HoldMore {
        /// So many.
        connections: u64,
    },
    /// Send fewer messages, to tell an overload from a fault.
    SendFewer,
    /// Let the service keep idle connections for longer.
    KeepIdleLonger,
    /// Disturb the service more.
    ShockMore,
    /// Let a service come back by itself.
    LetComeBack {
        /// What it is in.
        state: NotBack,
    },
    /// Begin a shock from a lower rate.
    LowerBase,
    /// Find what grows.
    FindGrowth {
        /// What grows first.
        quantity: TrendQuantity,
    },
    /// Watch the service for longer until growth is decided.
    SoakLonger,
    /// Watch it for as long as it is to run.
    SoakOn,
    /// Open connections more slowly.
    LowerPace,
    /// See the service's limit of open files.
    SeeOpenFiles {
        /// Connections that were asked for.
        connections: u64,
    },
    /// Let connections leave from more addresses.
    MoreAddresses,
    /// Raise the generator's limit of open files.
    RaiseOpenFiles {
        /// Connections that were asked for.
        connections: u64,
    },
    /// Check that the service listens.
    CheckListens {
        /// Its address.
        target: String,
    },
    /// Fix the first cause.
    FixCause {
        /// Its kind.
        kind: CauseKind,
    },
    /// Look at the flame graph.
    SeeFlame,
}

/// What else is to be said of a load line.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum LineThen {
    /// Nothing broke: offer more.
    OfferMore,
    /// The line is not placed closely: take longer.
    TakeLonger,
    /// CPU broke first.
    SaveCpu {
        /// What a request costs, microseconds.
        cpu_us_per_request: f64,
    },
    /// A response time broke first, where a quota of CPU time kept the service from running.
    RaiseCpuLimit {
        /// The quota, in cores.
        cpu_cores: f64,
    },
    /// A neighbour of the service ran out of CPU first.
    RelieveNeighbour {
        /// What the plan calls it.
        name: String,
    },
    /// Something else broke first.
    SeeWaits {
        /// What; `None` where every request failed.
        broke: Option<Condition>,
    },
}
