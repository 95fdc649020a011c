//! What happens while something is measured, as it happens.

use crate::comparison::FigureFinding;
use crate::run::{Findings, StepFinding};
use plimsoll_measure::{Note, RunKind, Shock, ShockPhase};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::path::Path;

/// Something happened.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event<'a> {
    /// The run directory exists.
    DirectoryCreated {
        /// Where it is.
        #[serde(serialize_with = "lossy")]
        #[schemars(with = "String")]
        path: &'a Path,
    },
    /// A run that is part of a diagnosis begins.
    PassStarted {
        /// What it is for.
        pass: RunKind,
    },
    /// A diagnosis begins to measure the service without something.
    WhatIfStarted {
        /// What is left out.
        without: &'a str,
    },
    /// A neighbour of the service is being started.
    NeighbourStarting {
        /// What the plan calls it.
        name: &'a str,
        /// Its command, without what may be a secret.
        command: &'a str,
    },
    /// The service is being started.
    ServiceStarting {
        /// Its command, without what may be a secret.
        command: &'a str,
    },
    /// The service is ready.
    ServiceReady,
    /// A step begins.
    StepStarted {
        /// Its number, from 0.
        step: u32,
        /// Users at a time, in a search in users.
        #[serde(skip_serializing_if = "Option::is_none")]
        users: Option<u32>,
        /// Connections that it holds.
        #[serde(skip_serializing_if = "Option::is_none")]
        connections: Option<u32>,
        /// Offered rate per second, where it is constant.
        rate_per_s: Option<f64>,
        /// Its length without draining, seconds, if it is known.
        duration_s: Option<f64>,
        /// Why it is run: `climb`, `bisect`, `confirm`, `warm-up`; `None` in a plain run.
        purpose: Option<&'static str>,
    },
    /// A tick has ended, about once a second.
    Progress(Progress),
    /// A step is over and judged.
    StepFinished(&'a StepFinding),
    /// What disturbs the service on purpose begins or ends.
    Shock {
        /// Which of both.
        phase: ShockPhase,
        /// What it is.
        shock: &'a Shock,
    },
    /// Something that the user should know.
    Note(&'a Note),
    /// The run is over.
    #[serde(skip)]
    Finished(&'a Findings),
    /// Something is made ready.
    Preparing {
        /// What, in words.
        what: &'a str,
    },
    /// A round of a comparison begins.
    RoundStarted {
        /// Its number, from 0.
        round: u32,
        /// How many are wanted.
        of: u32,
        /// Name of its variant.
        variant: &'a str,
    },
    /// A round of a comparison is over.
    RoundFinished {
        /// Its number, from 0.
        round: u32,
        /// How many are wanted.
        of: u32,
        /// Name of its variant.
        variant: &'a str,
        /// Whether its CPU per request counts although the generator was late, as in a check.
        late_counts: bool,
        /// What it found; its run directory keeps it.
        #[serde(skip)]
        findings: &'a Findings,
    },
    /// The rounds of a check were looked at: how the metric stands that decides.
    Looked(&'a FigureFinding),
    /// All rounds of a comparison are over.
    #[serde(skip)]
    RoundsFinished,
    /// A measurement of a study begins.
    MeasurementStarted {
        /// Its number, from 0.
        measurement: usize,
        /// How many there are.
        of: usize,
        /// What the study calls it.
        name: &'a str,
        /// `compare`, `scale`, `capacity`, `run` or `command`.
        kind: &'static str,
    },
    /// The command ends without a result.
    Failed {
        /// Its exit code.
        exit_code: u8,
        /// What failed.
        message: &'a str,
        /// What to do about it.
        hint: Option<&'a str>,
    },
}

/// How the run stands after a tick.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Progress {
    /// Number of the current step, from 0.
    pub step: u32,
    /// Since the beginning of the step, seconds.
    pub elapsed_s: f64,
    /// Planned length of the step, seconds, if it is known.
    pub planned_s: Option<f64>,
    /// Left until the run must have ended, seconds, if that is known: the rest of the load, or of the search's budget.
    pub left_s: Option<f64>,
    /// Share of the run that is over, 0 to 1, if that is known.
    pub done_share: Option<f64>,
    /// The rate that the step holds, per second, where it is constant.
    pub rate_per_s: Option<f64>,
    /// Starts scheduled per second in this tick.
    pub offered_per_s: f64,
    /// Requests completed per second in this tick.
    pub throughput_per_s: f64,
    /// Journeys that were begun per second in this tick, where the scenario has some: then the rate of the step, that of users who arrive, is theirs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journeys_per_s: Option<f64>,
    /// 99th percentile of the response time in this tick, ms, if any response came.
    pub p99_ms: Option<f64>,
    /// Busy share of the service's cores in this tick, 0 to 1, if it could be sampled.
    pub cpu_share: Option<f64>,
    /// Errors in this tick.
    pub errors: u64,
    /// The load has ended; responses are still awaited.
    pub draining: bool,
    /// Where connections are held, how they stand.
    pub held: Option<HeldProgress>,
}

/// How held connections stand after a tick.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct HeldProgress {
    /// Connections that are asked for.
    pub wanted: u64,
    /// Connections that are open.
    pub live: u64,
    /// Connections that were open and are not any more.
    pub lost: u64,
    /// 99th percentile of the delivery time in this tick, ms, if it was sampled.
    pub delivery_p99_ms: Option<f64>,
    /// 99th percentile of the time of the messages that arrived in this tick, ms.
    pub message_p99_ms: Option<f64>,
}

/// A path need not be text.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}
