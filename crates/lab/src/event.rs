//! What every renderer follows.

use plimsoll_findings::{Findings, StepFinding};
use plimsoll_measure::{Note, RunKind};
use std::path::Path;
use std::time::Duration;

/// Something happened in the experiment.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The run directory exists.
    DirectoryCreated(&'a Path),
    /// A run that is part of a diagnosis begins.
    PassStarted(RunKind),
    /// A diagnosis begins to measure the service without this.
    WhatIfStarted(&'a str),
    /// The service is being started, with this command.
    ServiceStarting(&'a str),
    /// The service is ready.
    ServiceReady,
    /// A step begins.
    StepStarted {
        /// Its number, from 0.
        step: u32,
        /// Offered rate per second, where it is constant.
        rate_per_s: Option<f64>,
        /// Its length without draining, if it is known.
        duration: Option<Duration>,
        /// Why it is run: `climb`, `bisect`, `confirm`; `None` in a plain run.
        purpose: Option<&'static str>,
    },
    /// A tick has ended.
    Progress(Progress),
    /// A step is over and judged.
    StepFinished(&'a StepFinding),
    /// Something that the user should know.
    Note(&'a Note),
    /// The run is over.
    Finished(&'a Findings),
    /// A comparison gets something ready, in words.
    Preparing(&'a str),
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
        /// What it found.
        findings: &'a Findings,
    },
    /// All rounds of a comparison are over.
    RoundsFinished,
}

/// How the run stands after a tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Number of the current step, from 0.
    pub step: u32,
    /// Since the beginning of the step.
    pub elapsed: Duration,
    /// Planned length of the step, if it is known.
    pub planned: Option<Duration>,
    /// Left until the run must have ended, if that is known: the rest of the load, or of the search's budget.
    pub left: Option<Duration>,
    /// Share of the run that is over, 0 to 1, if that is known.
    pub done_share: Option<f64>,
    /// Starts scheduled per second in this tick.
    pub offered_per_s: f64,
    /// Requests completed per second in this tick.
    pub throughput_per_s: f64,
    /// 99th percentile of the response time in this tick, if any response came.
    pub p99: Option<Duration>,
    /// Busy share of the service's cores in this tick, if it could be sampled.
    pub cpu_share: Option<f64>,
    /// Errors in this tick.
    pub errors: u64,
    /// The load has ended; responses are still awaited.
    pub draining: bool,
    /// Where connections are held, how they stand.
    pub held: Option<HeldProgress>,
}

/// How held connections stand after a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldProgress {
    /// Connections that are asked for.
    pub wanted: u64,
    /// Connections that are open.
    pub live: u64,
    /// Connections that were open and are not any more.
    pub lost: u64,
    /// 99th percentile of the delivery time in this tick, if it was sampled.
    pub delivery_p99: Option<Duration>,
}
