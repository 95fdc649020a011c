//! The run directory: what a run saw, on disk, readable while it grows and after a crash.
//!
//! The formats are described in `docs/reference/run-directory.md`. This module knows nothing of how figures come
//! about, and holds no more than one record in memory.

mod budget;
mod comparison;
mod error;
mod format;
mod hlog;
mod lines;
mod open;
mod order;
mod reader;
mod sent;
mod study;
mod whole;
mod writer;

pub use crate::record::Ended;
pub use budget::{Budget, MOST_PROFILE_BYTES, MOST_PROFILES_BYTES, MOST_ROUNDS};
pub use comparison::{Before, ComparisonInfo, Gate, Look, Prediction, Round, Sweep, Variant};
pub use error::DirectoryError;
pub use hlog::count_of_histogram_line;
pub use open::{inner, open};
pub use reader::{KeptProfile, RunReader};
pub use sent::{tick_of_text, tick_text};
pub use study::{ProgramFigure, ProgramFigures, StudyInfo, StudyPart};
pub use writer::{RunWriter, create_outer, write_end, write_findings};

use format::FORMAT;

use crate::instance::InstancesSample;
use crate::kept::{CollectionMark, KeptSample};
use crate::loop_delays::LoopDelays;
use crate::machine::MachineSample;
use crate::neighbour::NeighbourSample;
use crate::record::{Note, RunEnd, StepEnd, StepStart};
use crate::shock::ShockMark;
use crate::target::TargetSample;
use crate::tick::TickLine;
use serde::{Deserialize, Serialize};

const RUN: &str = "run.json";
const PLAN: &str = "plan.json";
const HOST: &str = "host.json";
const FLEET: &str = "fleet.json";
const TICKS: &str = "ticks.jsonl";
const HISTOGRAMS: &str = "latency.hlog";
const TARGET: &str = "target.jsonl";
const FINDINGS: &str = "findings.json";
const OUTPUT: &str = "service.log";
const PROBE: &str = "probe.jsonl";
const PROFILE: &str = "cpuprofile";
const ALLOCATIONS: &str = "heapprofile";
const ORIGINS: &str = "origins.json";

/// By what the agents of a fleet know a run (`fleet.json`), so that they can be asked for what they have measured, should its process die.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FleetRun {
    /// What the run is called on the bus.
    pub run: String,
    /// What each agent is called there, in the order of their shares.
    pub agents: Vec<String>,
}

/// A line of `ticks.jsonl`.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    StepStart(StepStart),
    Tick(Box<TickLine>),
    Machine(MachineSample),
    Instances(InstancesSample),
    Collection(CollectionMark),
    Kept(KeptSample),
    LoopDelays(LoopDelays),
    Neighbour(NeighbourSample),
    Shock(ShockMark),
    StepEnd(StepEnd),
    Note(Note),
    RunEnd(RunEndLine),
    /// A kind that a later version added; nothing that this one needs.
    #[serde(other)]
    Unknown,
}

/// The end of a run, and how much it left, so that a loss is noticed.
#[derive(Serialize, Deserialize)]
struct RunEndLine {
    #[serde(flatten)]
    end: RunEnd,
    /// Lines of `target.jsonl`.
    samples: u64,
    /// Lines of `ticks.jsonl` before this one. Directories from before it was counted lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    records: Option<u64>,
}

/// A line of `target.jsonl`.
#[derive(Serialize, Deserialize)]
struct TargetLine {
    step: u32,
    /// Absent at the start of the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tick: Option<u32>,
    #[serde(flatten)]
    sample: TargetSample,
}
