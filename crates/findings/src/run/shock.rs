//! How a service came back after it was disturbed on purpose.

use super::FailureClass;
use crate::objective::Condition;
use plimsoll_measure::Shock;
use schemars::JsonSchema;
use serde::Serialize;

/// A shock, and how the service came back from it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ShockFinding {
    /// What disturbed the service.
    pub shock: Shock,
    /// When that began, since the beginning of the run, seconds.
    pub begins_s: f64,
    /// When it ended, seconds; `None` where the run ended before.
    pub ends_s: Option<f64>,
    /// For how long every objective has to hold until the service counts as back, seconds.
    pub steady_s: f64,
    /// Length of a window, seconds: moments are known to that.
    pub window_s: f64,
    /// Whether a window since the beginning of the shock failed.
    pub broke: bool,
    /// From the end of the shock until every objective held for long enough, seconds: to the beginning of that stretch. `None` where it did
    /// not come.
    pub back_after_s: Option<f64>,
    /// Windows after that stretch in which an objective did not hold.
    pub failed_since: u32,
    /// For how long the service was watched after the end of the shock, seconds.
    pub watched_s: Option<f64>,
    /// What the service is in, where it did not come back.
    pub not_back: Option<NotBack>,
    /// From the warm-up to the beginning of the shock.
    pub before: ShockPart,
    /// From there to its end.
    pub during: ShockPart,
    /// From there until the service was back, or to the end of the run.
    pub until_back: ShockPart,
}

/// What became of the load in a part of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct ShockPart {
    /// Windows.
    pub windows: u32,
    /// Windows in which every objective held.
    pub held: u32,
    /// Starts that the schedule asked for.
    pub scheduled: u64,
    /// Responses that met every expectation.
    pub passed: u64,
    /// Shed: the service refused them, by 429 or 503, by refusing the connection, or by what says the same in gRPC or on a WebSocket.
    pub shed: u64,
    /// Failed in any other way: timeouts, resets, other errors.
    pub failed: u64,
    /// Starts that were never made, because no connection was left.
    pub dropped: u64,
    /// Most requests that waited for their response at the end of a window.
    pub waiting_max: u64,
}

/// What a service is in that has not come back.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum NotBack {
    /// Every objective held at the end, but not for long enough to say that it is back.
    WatchedTooShort {
        /// For how long they held, seconds.
        held_s: f64,
    },
    /// Connections are refused, or nobody is there.
    Unreachable {
        /// Most frequent failure.
        most: FailureClass,
    },
    /// No response comes any more.
    Silent {
        /// Requests that waited at the end.
        waiting: u64,
    },
    /// Requests wait in a queue that does not get shorter, although no more load comes than before the shock.
    Queue {
        /// Requests that waited at the end.
        waiting: u64,
        /// Most that waited at the end of a window before the shock.
        before: u64,
    },
    /// Requests wait in a queue that gets shorter, and was not worked off at the end.
    WorkingOff {
        /// Requests that waited at the end.
        waiting: u64,
        /// Requests that waited when the shock ended, or at most since.
        from: u64,
    },
    /// Requests go on failing.
    Failing {
        /// Most frequent failure.
        most: FailureClass,
        /// Share of the finished requests in the last third of the time, 0 to 1.
        share: f64,
    },
    /// Something else does not hold.
    Broken {
        /// The objective that failed last; `None` where nothing was due.
        objective: Option<Condition>,
    },
}
