//! What a run leaves.

use crate::error::LabError;
use plimsoll_diagnosis::CounterFold;
use plimsoll_findings::Findings;
use plimsoll_measure::probe::Content;
use plimsoll_measure::{Ended, Profile};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a run left.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What it found.
    pub findings: Findings,
    /// Where its records are, when they were kept.
    pub directory: Option<PathBuf>,
    /// What the probe counted; nothing in most runs.
    pub counters: CounterFold,
    /// What the first responses said; nothing in most runs.
    pub contents: BTreeSet<Content>,
    /// Where the time of the service went; empty in most runs.
    pub profile: Profile,
    /// Where the service asked for memory, with bytes for times; empty in most runs.
    pub allocations: Profile,
}

/// How something ended. What the user stopped has the note of a step that says so, unless there was no step yet.
pub(crate) fn ended<T>(made: &Result<T, LabError>, stop: &AtomicBool) -> Ended {
    match made {
        Ok(_) => Ended::Complete,
        Err(_) if stop.load(Ordering::Relaxed) => Ended::Interrupted,
        Err(error) => Ended::Failed(format!("failed to {error}")),
    }
}
