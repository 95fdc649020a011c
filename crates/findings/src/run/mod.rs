//! What a run found.

mod failure;
mod generator;
mod headline;
mod hold;
mod instance;
mod journey;
mod load_line;
mod neighbour;
mod notice;
mod percentiles;
mod reason;
mod request;
mod shock;
mod sizing;
mod soak;

pub use failure::{ErrorFinding, ExampleFinding, FailureClass};
pub use generator::{AgentFinding, GeneratorFinding, SeenFinding, ZoneFinding};
pub use headline::{Headline, InterruptedBy, LineThen, NextStep, Seen, WhatUnjudged};
pub use hold::{BroadcastFinding, HoldFinding, MessageFinding};
pub use instance::{InstanceFinding, InstanceRole};
pub use journey::{JourneyFinding, ReachedFinding};
pub use load_line::{AtATime, ConcurrentUsers, Crowd, HeldLine, LittlesLaw, LoadLine};
pub use neighbour::NeighbourFinding;
pub use notice::{Noted, Notice};
pub use percentiles::{CurvePoint, Percentiles};
pub use reason::{EndedBecause, Late, Unjudged, Unsteady, Windows};
pub use request::{RequestFailure, RequestFinding};
pub use shock::{NotBack, ShockFinding, ShockPart};
pub use sizing::{
    InstanceLoad, Instances, InstancesCost, PriceFinding, SizingAssumption, SizingFinding, SizingPrediction, Unsized,
};
pub use soak::{
    Growth, KeptFinding, KeptLine, Slope, SoakFinding, SpaceFinding, TrendFinding, TrendOutcome, TrendQuantity,
    UndecidedBecause,
};

use crate::diagnosis::Diagnosis;
use crate::neighbour::FullNeighbour;
use crate::objective::{Condition, ShareInterval};
use plimsoll_measure::{Host, RunKind};
use schemars::JsonSchema;
use serde::Serialize;

/// Everything that a report shows.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Findings {
    /// `plimsoll.findings/3`.
    pub format: String,
    /// What the run was for.
    pub command: RunKind,
    /// Name of the plan.
    pub name: String,
    /// Address of the service.
    pub target: String,
    /// How the service was started, when plimsoll started it.
    pub target_command: Option<String>,
    /// When the run began, RFC 3339, UTC.
    pub started_at: String,
    /// How long it took, seconds.
    pub duration_s: f64,
    /// Version of plimsoll.
    pub version: String,
    /// The machine.
    pub host: Host,
    /// What it comes to.
    pub verdict: Verdict,
    /// The same in more detail.
    pub headline: Headline,
    /// What to do next.
    pub next_step: NextStep,
    /// The load line, when one was searched and found.
    pub load_line: Option<LoadLine>,
    /// How many instances a demand needs, when that was asked: predicted from the load line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizing: Option<SizingFinding>,
    /// The objectives of the plan in order, judged over the whole run (capacity: at the greatest rate that passed).
    pub objectives: Vec<ObjectiveFinding>,
    /// Every step in the order they were run; a plain run has one.
    pub steps: Vec<StepFinding>,
    /// Sums over the run.
    pub totals: Totals,
    /// Response time over the run (capacity: at the greatest rate that passed).
    pub response_time: Percentiles,
    /// Service time over the same part.
    pub service_time: Percentiles,
    /// Schedule lag over the same part.
    pub schedule_lag: Percentiles,
    /// TLS handshakes, where there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handshakes: Option<HandshakeFinding>,
    /// Opening handshakes of WebSockets whose messages have responses, from request to response, where there were any. Over the whole
    /// run: most are opened before judging begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<Percentiles>,
    /// How late the service's own pings came, measured against the interval that it had announced, where there were any. Over the whole
    /// run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pings: Option<Percentiles>,
    /// Percentile curve of the response time, ascending.
    pub response_time_curve: Vec<CurvePoint>,
    /// Each request of the scenario; empty where it has only one.
    pub requests: Vec<RequestFinding>,
    /// Each journey of the scenario, where it has any: then the rate of the load, and the load line, are in users per second.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub journeys: Vec<JourneyFinding>,
    /// Failures by class, most frequent first.
    pub errors: Vec<ErrorFinding>,
    /// The service as the operating system saw it, when it could be sampled.
    pub target_resources: Option<TargetFinding>,
    /// What was started beside the service, in the order of the plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub neighbours: Vec<NeighbourFinding>,
    /// The neighbour that ran out of CPU before the service did, at the least rate that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ran_out_first: Option<FullNeighbour>,
    /// The connections, when the run held them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<HoldFinding>,
    /// How the service came back, when it was disturbed on purpose. Objectives, times and resources are then those before that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shock: Option<ShockFinding>,
    /// Whether the service grows, when it was watched for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soak: Option<SoakFinding>,
    /// The generator's own state.
    pub generator: GeneratorFinding,
    /// The run over time, at most 600 points.
    pub timeline: Vec<TimelinePoint>,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
    /// Why the service stops where it stops, when that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<Diagnosis>,
}

impl Findings {
    /// The first objective that did not hold and has a figure: of one without, such as a percentile of no responses, only
    /// that is known which another says better. Where none has a figure, the first.
    #[must_use]
    pub fn broke(&self) -> Option<&ObjectiveFinding> {
        let broken = || self.objectives.iter().filter(|o| o.passed == Some(false));
        broken().find(|o| o.observed.is_some()).or_else(|| broken().next())
    }

    /// Whether what the service was asked by are messages, which stand for requests in all figures.
    #[must_use]
    pub fn asks_by_messages(&self) -> bool {
        self.openings.is_some() || self.diagnosis.as_ref().is_some_and(|diagnosis| diagnosis.by_message)
    }

    /// Whether responses have statuses. Those to messages have none.
    #[must_use]
    pub fn has_statuses(&self) -> bool {
        !self.asks_by_messages() || self.totals.status.iter().any(|&count| count > 0)
    }

    /// Records or histograms that were written are not there any more, so figures are missing that the run had.
    #[must_use]
    pub fn is_torn(&self) -> bool {
        let lost = |notice: &Notice| matches!(notice, Notice::Torn(_) | Notice::HistogramsLost);
        self.notices.iter().any(lost)
    }
}

/// What a run comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every objective held (capacity: a load line was found).
    Passed,
    /// An objective was breached (capacity: even at the lowest rate tried).
    Breached,
    /// The generator was the bottleneck; the figures do not describe the service.
    Invalid,
    /// Stopped by the user or cut off; the figures describe what was seen until then.
    Interrupted,
    /// Nothing was breached, but an objective was not judged, or nothing was: `unjudged_because` and the notices say why.
    Unjudged,
    /// The run failed before it could be judged, for example because the service died or no response came.
    Failed,
}

/// An objective and how it fared.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ObjectiveFinding {
    /// Which one.
    pub objective: Condition,
    /// Whether enough windows passed; `None` when that was not judged.
    pub passed: Option<bool>,
    /// Why it was not judged; `None` when it was.
    pub unjudged_because: Option<Unjudged>,
    /// Figure over all judged windows, in the unit of the objective; `None` when it could not be observed.
    pub observed: Option<f64>,
    /// The interval that holds the true share at 95 %, where what was observed is a share of users; of Wilson.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<ShareInterval>,
    /// Worst window.
    pub worst: Option<f64>,
    /// Windows that passed.
    pub windows_passed: u32,
    /// Windows that were judged.
    pub windows_judged: u32,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepVerdict {
    /// Every objective held in enough windows.
    Passed,
    /// An objective did not.
    Breached,
    /// The generator was late; nothing is said of the service.
    Invalid,
    /// An objective of it was not judged: cut short, no judged window, or no figure to judge.
    Unjudged,
}

/// One step: one rate held, or a whole plain run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StepFinding {
    /// Number, from 0.
    pub step: u32,
    /// Start since the beginning of the run, seconds.
    pub start_s: f64,
    /// Length, seconds.
    pub duration_s: f64,
    /// Offered rate, requests per second; `None` where it is not constant or the model is closed.
    pub offered_per_s: Option<f64>,
    /// Users at a time, where the search was in users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<u32>,
    /// Connections that it held, where the search was in connections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<u32>,
    /// Requests completed per second in the judged part; `None` when there is none.
    pub throughput_per_s: Option<f64>,
    /// Completed, correct and inside the response-time objectives, per second in the judged part; `None` when there is no
    /// such part, and where the histograms are lost.
    pub goodput_per_s: Option<f64>,
    /// How it ended.
    pub verdict: StepVerdict,
    /// First objective that broke.
    pub broke: Option<Condition>,
    /// Every objective.
    pub objectives: Vec<ObjectiveFinding>,
    /// Response time in the judged part.
    pub response_time: Percentiles,
    /// Busy share of the cores the service may use, 0 to 1, in the judged part.
    pub cpu_share: Option<f64>,
    /// Busy share of the main thread that is busiest, where several processes serve, 0 to 1, in the judged part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hottest_share: Option<f64>,
    /// For how much of each second a quota kept the service from running, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttled_ms_per_s: Option<f64>,
    /// CPU of the service per completed request, microseconds.
    pub cpu_us_per_request: Option<f64>,
    /// Errors as a share of the finished requests, 0 to 1; `None` when none finished.
    pub error_share: Option<f64>,
    /// Starts that were never made.
    pub dropped: u64,
    /// Why the step is invalid.
    pub invalid_because: Option<Late>,
}

impl StepFinding {
    /// What was offered, in the unit of the search; `None` where that is not constant.
    #[must_use]
    pub fn offered(&self) -> Option<f64> {
        self.at_a_time().map(|(_, number)| number.into()).or(self.offered_per_s)
    }

    /// How many there were of what was searched, where that is no rate.
    #[must_use]
    pub fn at_a_time(&self) -> Option<(Crowd, u32)> {
        let users = self.users.map(|users| (Crowd::Users, users));
        users.or(self.connections.map(|connections| (Crowd::Connections, connections)))
    }
}

/// Sums over the whole run, warm-up and draining included.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct Totals {
    /// Starts that the schedule asked for.
    pub scheduled: u64,
    /// Requests handed to the kernel.
    pub sent: u64,
    /// Responses received to the last byte.
    pub completed: u64,
    /// Responses that met every expectation.
    pub passed: u64,
    /// Failures of every class; keep-alive races only where they are charged.
    pub errors: u64,
    /// Starts that were never made.
    pub dropped: u64,
    /// Bytes handed to the kernel.
    pub sent_bytes: u64,
    /// Bytes received.
    pub received_bytes: u64,
    /// Connections opened.
    pub connections_opened: u64,
    /// Completed per second over the judged part (capacity: at the greatest rate that passed); `None` when there is none.
    pub throughput_per_s: Option<f64>,
    /// Responses by first digit of the status; index 0 is 1xx.
    pub status: [u64; 5],
    /// Responses with a status outside 100 to 599.
    pub status_other: u64,
    /// Responses among them that are redirects: 301, 302, 303, 307 and 308.
    pub redirects: u64,
    /// Redirects that were followed; they are not among the responses.
    pub followed: u64,
    /// Requests that met a kept connection which the service was ending.
    pub keep_alive_races: u64,
    /// Connections given up because bytes came that no request had asked for.
    pub unrequested: u64,
}

/// TLS handshakes over the whole run, warm-up and draining included: most connections are opened before judging begins.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct HandshakeFinding {
    /// With certificates and a key exchange.
    pub full: u64,
    /// From an earlier session.
    pub resumed: u64,
    /// From the first message of the client to the last one that it waits for.
    pub time: Percentiles,
}

/// The service as the operating system saw it, over the judged part of the step that is reported.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct TargetFinding {
    /// Cores it may use.
    pub cores: u32,
    /// Busy share of them, 0 to 1.
    pub cpu_share: f64,
    /// CPU per completed request, microseconds.
    pub cpu_us_per_request: Option<f64>,
    /// Greatest resident memory, bytes.
    pub rss_max_bytes: u64,
    /// Greatest number of processes.
    pub processes_max: u32,
    /// Greatest number of threads.
    pub threads_max: u32,
    /// Greatest number of sockets.
    pub sockets_max: u32,
    /// Involuntary context switches per second.
    pub involuntary_switches_per_s: f64,
    /// What its control groups grant it, where they bound it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsFinding>,
    /// Its processes of Node.js, where several of them serve.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instances: Vec<InstanceFinding>,
}

impl TargetFinding {
    /// CPU time that it may use, in cores: all of its cores, or the part of them that a quota grants. Its CPU is a share of that.
    #[must_use]
    pub fn cpu_cores(&self) -> f64 {
        let cores = f64::from(self.cores);
        let quota = self.limits.as_ref().and_then(|limits| limits.cpu_cores);
        quota.map_or(cores, |quota| cores.min(quota))
    }

    /// The process whose main thread is busiest, where several serve: an objective on CPU is held against it as well.
    #[must_use]
    pub fn hottest(&self) -> Option<&InstanceFinding> {
        let by_share = |a: &&InstanceFinding, b: &&InstanceFinding| a.main_thread_share.total_cmp(&b.main_thread_share);
        self.instances.iter().max_by(by_share)
    }

    /// CPU time that it used, in cores.
    #[must_use]
    pub fn busy_cores(&self) -> f64 {
        self.cpu_share * self.cpu_cores()
    }

    /// For how much of each second a quota kept its threads from running, ms.
    #[must_use]
    pub fn throttled_ms_per_s(&self) -> Option<f64> {
        self.limits.as_ref()?.throttled_ms_per_s
    }
}

/// What the control groups of the service grant it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct LimitsFinding {
    /// CPU time in cores; `None` without a quota.
    pub cpu_cores: Option<f64>,
    /// For how much of each second that quota kept threads of the service from running, ms, all cores together.
    pub throttled_ms_per_s: Option<f64>,
    /// Memory, bytes; `None` without a bound.
    pub memory_limit_bytes: Option<u64>,
    /// Most of it that was taken, bytes; without file pages that the kernel can drop.
    pub memory_max_bytes: Option<u64>,
    /// Processes of the service that the kernel ended because memory ran out, since the run began.
    pub oom_kills: u64,
}

/// One slot of the timeline.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct TimelinePoint {
    /// Start since the beginning of the run, seconds.
    pub at_s: f64,
    /// Length, seconds.
    pub duration_s: f64,
    /// Step it belongs to.
    pub step: u32,
    /// Starts scheduled per second.
    pub offered_per_s: f64,
    /// Requests completed per second.
    pub throughput_per_s: f64,
    /// Errors per second.
    pub errors_per_s: f64,
    /// Median response time, ms; of merged windows the greatest.
    pub p50_ms: Option<f64>,
    /// 99th percentile of the response time, ms; of merged windows the greatest.
    pub p99_ms: Option<f64>,
    /// Busy share of the service's cores, 0 to 1.
    pub cpu_share: Option<f64>,
    /// For how much of each second a quota kept the service from running, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throttled_ms_per_s: Option<f64>,
    /// Resident memory of the service, bytes.
    pub rss_bytes: Option<u64>,
    /// Users at its end, where the load says in stages how many; of merged windows the most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<u64>,
    /// Whether it was judged, at least in part; warm-up and draining are not.
    pub judged: bool,
}
