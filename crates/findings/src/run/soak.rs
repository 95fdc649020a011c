//! Whether a service grows under a load that does not change.

use crate::diagnosis::Place;
use schemars::JsonSchema;
use serde::Serialize;

/// What a soak saw of growth.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SoakFinding {
    /// For how long the service was watched after the warm-up, seconds.
    pub watched_s: f64,
    /// Confidence of the intervals, 0 to 1.
    pub confidence: f64,
    /// Growth in an hour that matters, as a share of the mean.
    pub matters_share_per_h: f64,
    /// Everything that was looked at.
    pub trends: Vec<TrendFinding>,
    /// What the service kept, where it could be asked.
    pub kept: Option<KeptFinding>,
}

/// What a service kept: its memory right after collections of all garbage that it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct KeptFinding {
    /// How often it said so.
    pub collections: u32,
    /// How often it did not, though it was asked.
    pub unanswered: u32,
    /// The longest that a collection stopped it, ms. Windows with one are not judged.
    pub longest_pause_ms: f64,
    /// Threads that were asked, each with a heap of its own.
    pub threads: u32,
    /// Processes that these belong to.
    pub processes: u32,
    /// Processes of the service besides, which could not be asked; their memory counts as native.
    pub processes_besides: u32,
    /// Heap in use by space, and what is beside it, after the first collection and after the last.
    pub spaces: Vec<SpaceFinding>,
    /// Lines that hold most of what grew in the second half of the time, or since the warm-up where it was stopped before; empty where
    /// nothing grows.
    pub lines: Vec<KeptLine>,
}

/// Memory of one sort, after the first collection and after the last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SpaceFinding {
    /// What V8 calls a space, `external` or `heap_committed`.
    pub name: String,
    /// After the first collection, bytes.
    pub first_bytes: u64,
    /// After the last one, bytes.
    pub last_bytes: u64,
}

/// A line that holds memory.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct KeptLine {
    /// The function of the service that asked for it, or through which it was asked for.
    pub place: Place,
    /// The package that it called for it.
    pub via: Option<String>,
    /// What came in that time and was alive at the end, bytes, by samples.
    pub bytes: u64,
    /// The same as a share of all that did, 0 to 1.
    pub share: f64,
}

/// How a figure of the service changed over time.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrendFinding {
    /// Which one; its name ends in its unit.
    pub quantity: TrendQuantity,
    /// What its slope says.
    pub outcome: TrendOutcome,
    /// The slope, where there was enough to see one.
    pub slope: Option<Slope>,
    /// Why it is undecided, where it is not only that its interval is too wide.
    pub because: Option<UndecidedBecause>,
}

/// Why growth that is seen accuses nobody.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum UndecidedBecause {
    /// A young service grows by as much.
    Little {
        /// So far, bytes.
        grown_bytes: f64,
        /// More than this would be growth, bytes.
        least_bytes: f64,
    },
    /// It grew by less in the second half of the time than in the first.
    Fades,
    /// A young heap may still be finding its size.
    YoungHeap {
        /// It is decided when it was watched for so long, seconds.
        least_s: f64,
    },
}

/// A straight line through a figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Slope {
    /// Mean of the figure.
    pub mean: f64,
    /// Growth in an hour, in the unit of the figure.
    pub per_h: f64,
    /// Least growth in an hour that it may be.
    pub low_per_h: f64,
    /// Greatest growth in an hour that it may be.
    pub high_per_h: f64,
    /// Growth in an hour that matters.
    pub matters_per_h: f64,
}

/// Something that grows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Growth {
    /// What.
    pub quantity: TrendQuantity,
    /// In an hour, in its unit.
    pub per_h: f64,
}

/// What may grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrendQuantity {
    /// What the service keeps: heap in use and what is held outside of it, after a collection of all garbage, bytes.
    KeptBytes,
    /// Resident memory that is neither heap nor held by it: of native code, and of processes that cannot be asked, bytes.
    NativeBytes,
    /// Resident memory of the service, bytes.
    MemoryBytes,
    /// CPU per request, microseconds.
    CpuUsPerRequest,
    /// 99th percentile of the response time in a window, ms.
    P99Ms,
    /// Open descriptors of the service.
    Descriptors,
}

/// What a slope says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrendOutcome {
    /// It grows beyond doubt, and may grow by more than matters.
    Grows,
    /// It does not grow by as much as matters.
    Steady,
    /// Too short to say: the interval has growth that matters, and none.
    Undecided,
    /// It may grow, but nothing of it is kept: the heap has not found its size. No verdict depends on it.
    Unsettled,
    /// It was not seen, as of a service on another machine.
    NotSeen,
}
