//! Why something is as it is: not judged, invalid, ended.

use schemars::JsonSchema;
use serde::Serialize;

/// Why an objective, or a whole run, has no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Unjudged {
    /// No tick was seen.
    NothingMeasured,
    /// It ended inside its warm-up.
    WarmUp {
        /// Length of the warm-up, seconds.
        warm_up_s: f64,
    },
    /// It ended before it was decided.
    CutShort,
    /// The generator was the bottleneck.
    GeneratorLate,
    /// No sample of the service in a judged window.
    NoCpu,
    /// Samples, but no window long enough for a share of CPU.
    ShortWindows,
    /// No sample of the memory of the service in a judged window.
    NoMemory,
    /// Nothing was told of the event loop of the service in a judged window.
    NoLoop,
    /// No quota of CPU time bounds the service.
    NoQuota,
    /// No response in a judged window.
    NoResponse,
    /// No TLS handshake in a judged window.
    NoHandshake,
    /// No WebSocket was opened in a judged window.
    NoOpening,
    /// No user came to the end of a journey in a judged window.
    NoJourney,
    /// No journey of a user ended in a judged window.
    NoJourneyEnded,
    /// No request with an outcome in a judged window.
    NothingFinished,
    /// No request was due in a judged window.
    NothingScheduled,
    /// The service accepted no message.
    NoMessage,
    /// The histograms that it would be judged by are lost.
    HistogramsLost,
}

/// Why a step is invalid: what the generator lacked.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Late {
    /// It ran out of local ports or descriptors.
    OutOfResources {
        /// Requests that failed for that.
        requests: u64,
    },
    /// Its threads turned late to this share of the starts.
    WokeLate {
        /// 0.01, or less where an objective is about a higher quantile: 0.001, and 0 for any start.
        share: f64,
        /// The bound that was passed, ms.
        bound_ms: f64,
        /// In which windows.
        #[serde(flatten)]
        windows: Windows,
    },
    /// A thread of it was busy.
    Busy {
        /// Busy for at least this share of a window.
        share: f64,
        /// In which windows.
        #[serde(flatten)]
        windows: Windows,
    },
    /// A core of it was in soft interrupts.
    Interrupted {
        /// For at least this share of a window.
        share: f64,
        /// In which windows.
        #[serde(flatten)]
        windows: Windows,
    },
    /// A quota of CPU time stopped its threads.
    Throttled {
        /// For at least this share of a window.
        share: f64,
        /// In which windows.
        #[serde(flatten)]
        windows: Windows,
    },
}

/// How many of the judged windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Windows {
    /// Windows in which it was so.
    pub windows: u32,
    /// Windows that were judged.
    pub judged: u32,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum EndedBecause {
    /// The bracket is as narrow as was asked for, and both its ends are confirmed.
    Converged,
    /// The time was up first.
    BudgetSpent,
    /// The greatest rate that may be offered passed.
    MaxPassed,
    /// The generator could not offer a rate in time.
    GeneratorLimit {
        /// That rate, requests per second.
        rate_per_s: f64,
    },
    /// The generator could not offer the load of so many users in time.
    GeneratorLimitOfUsers {
        /// So many.
        users: u64,
    },
    /// The generator could not hold so many connections.
    GeneratorLimitOfConnections {
        /// So many.
        connections: u64,
    },
    /// Not even the lowest rate passed.
    NothingPassed,
    /// The run stopped before the search was over.
    Stopped,
}

/// What keeps a service from being warm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Unsteady {
    /// A request still got cheaper.
    CpuPerRequest {
        /// By which share, from the last part of the warm-up but one to the last.
        fell: f64,
    },
    /// Requests without a response still became more, or fewer.
    Queue {
        /// How few they were in these parts.
        least: u64,
        /// How many they were.
        most: u64,
    },
}
