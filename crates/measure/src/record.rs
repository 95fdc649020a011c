//! The one stream that a run consists of, live and read back.

use crate::durations::TickDurations;
use crate::instance::InstancesSample;
use crate::kept::{CollectionMark, KeptSample};
use crate::loop_delays::LoopDelays;
use crate::machine::MachineSample;
use crate::neighbour::NeighbourSample;
use crate::run_kind::RunKind;
use crate::shock::ShockMark;
use crate::target::TargetSample;
use crate::tick::TickLine;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// One entry of the stream. A run that is read back yields what it yielded live.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one a second, and it is passed on at once"
)]
pub enum Record<'a> {
    /// A step begins.
    StepStart(StepStart),
    /// A tick of the current step has ended.
    Tick {
        /// Its figures.
        line: TickLine,
        /// Its histograms; shared with the caller while live.
        durations: Cow<'a, TickDurations>,
        /// The service at the end of the tick, when it could be sampled.
        target: Option<TargetSample>,
    },
    /// The memory of this machine at a moment; only where connections are held.
    Machine(MachineSample),
    /// The processes of the service that run Node.js, where there are several: before the record of the tick at whose end it was taken,
    /// or after that of the start of the step.
    Instances(InstancesSample),
    /// The service is asked to collect all of its garbage, which stops it for a moment: in the tick that comes next but one, or until
    /// [`Record::Kept`].
    Collection(CollectionMark),
    /// What it kept: before the record of the tick in which its last thread replied.
    Kept(KeptSample),
    /// For how long its event loop kept timers waiting, where that is asked for: before the record of the tick in which that was told.
    LoopDelays(LoopDelays),
    /// A neighbour of the service, after the record of the tick at whose end it was taken, or of the start of the step.
    Neighbour(NeighbourSample),
    /// What disturbs the service on purpose begins or ends. Ticks that came before were not disturbed yet, or still were.
    Shock(ShockMark),
    /// The current step is over and drained.
    StepEnd(StepEnd),
    /// Something that the reader of the report should know.
    Note(Note),
    /// The run is over. A stream without it was cut off, or its run still goes on.
    RunEnd(RunEnd),
}

/// A step begins: one load held, the whole load of a plain run, or a warm-up before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepStart {
    /// Number of the step, from 0.
    pub step: u32,
    /// When, since the beginning of the run, ns.
    pub at_ns: u64,
    /// Offered rate in millionths of a request per second, where it is constant.
    pub rate_micro_per_s: Option<u64>,
    /// Users that a step of a search in users is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub users: Option<u32>,
    /// Connections that a step holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections: Option<u32>,
    /// Planned length without draining, ns; `None` where it ends by a number of requests.
    pub planned_ns: Option<u64>,
    /// The first part of the load that is not judged, from its first tick on, ns.
    pub warm_up_ns: u64,
    /// None of it is judged: it warms the service up for the step that follows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warms_up: bool,
    /// The service at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetSample>,
}

/// A step is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepEnd {
    /// Number of the step, from 0.
    pub step: u32,
    /// When, since the beginning of the run, ns.
    pub at_ns: u64,
    /// It was cut short: by the user, the death of the service or an early verdict.
    pub cut_short: bool,
}

/// A run is over: the last record of its stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEnd {
    /// When, since the beginning of the run, ns.
    pub at_ns: u64,
    /// How it ended.
    pub ended: Ended,
}

/// How a run, a comparison or a study ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// All of it was run.
    Complete,
    /// The user stopped it.
    Interrupted,
    /// It could not go on: why, one sentence.
    Failed(String),
}

/// Something that the reader of the report should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// When, since the beginning of the run, ns.
    pub at_ns: u64,
    /// What kind of thing it is.
    pub kind: NoteKind,
    /// One sentence.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Kinds of notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// The user stopped the run.
    Interrupted,
    /// The service ended by itself; the message holds its exit status and last lines.
    TargetDied,
    /// The same, after the kernel ended a process of the service because memory ran out.
    OutOfMemory,
    /// A neighbour of the service ended by itself; the message says which, its exit status and last lines.
    NeighbourDied,
    /// Another process got connections that were meant for the service; the message names it.
    PortTaken,
    /// An agent of the fleet went wrong, so that the load was not the one that was asked for; the message names it.
    AgentLost,
    /// A thing that weakens the result.
    Warning,
    /// Records that were written are not there any more; only a reader notes it.
    Torn,
}

/// What a run is, written once at its start (`run.json`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// [`RunInfo::format`] of the plimsoll that wrote it.
    pub format: String,
    /// What it is for.
    #[serde(rename = "command")]
    pub kind: RunKind,
    /// When it began, RFC 3339, UTC.
    pub started_at: String,
    /// Version of plimsoll.
    pub version: String,
    /// Quantiles that every line keeps.
    pub quantiles: Vec<f64>,
    /// The stream of a run that ended has a [`RunEnd`]. False in directories from before there was one.
    #[serde(default)]
    pub marks_end: bool,
}

/// The machine that ran it (`host.json`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Host {
    /// Operating system and kernel version.
    pub kernel: String,
    /// Processor model.
    pub cpu_model: String,
    /// Cores online.
    pub cores: u32,
    /// Memory, bytes.
    pub memory_bytes: u64,
    /// Cores of the generator; empty is not pinned.
    pub generator_cpus: Vec<usize>,
    /// Cores of the service; empty is not pinned.
    pub target_cpus: Vec<usize>,
    /// I/O backend of the engine.
    pub io: String,
    /// How exactly the engine was told to keep times, such as `precise` or `coalesce 1ms`; empty by default.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub wakeups: String,
    /// The agents of a fleet that made the load instead of this machine, in the order of their shares; empty without a fleet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentHost>,
}

/// An agent of a fleet, as it says itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AgentHost {
    /// What it is called.
    pub name: String,
    /// Where it stands, as its user calls that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Cores that it may use.
    pub cores: u32,
    /// Processor model.
    pub cpu_model: String,
    /// Operating system and kernel version.
    pub kernel: String,
}
