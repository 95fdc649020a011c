//! Objectives as findings have them.

use crate::unit::Unit;
use schemars::JsonSchema;
use serde::Serialize;

/// An objective of the plan, such as `p99 <= 100ms`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Condition {
    /// What it bounds.
    pub quantity: Quantity,
    /// The quantile of the durations that it bounds, 0 to 1; `None` of other quantities.
    pub quantile: Option<f64>,
    /// The zone of a fleet by whose agents alone it is judged; absent where it is about all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// The request of the scenario that it is about, or the journey of a quantity of journeys; absent where it is about all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The bound, in `unit`: the least allowed value of an achieved rate and of what is held, the greatest of anything else.
    pub bound: f64,
    /// Unit of the bound and of what is held against it.
    pub unit: Unit,
}

/// What an objective bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Busy share of the cores that the service may use.
    Cpu,
    /// A quantile of the response time.
    ResponseTime,
    /// Errors as a share of the finished requests.
    Errors,
    /// Requests completed as a share of those scheduled.
    AchievedRate,
    /// A quantile of the time that TLS handshakes take.
    HandshakeTime,
    /// A quantile of the time that openings of WebSockets take.
    OpeningTime,
    /// A quantile of the time from the arrival of a user to the end of the journey.
    JourneyTime,
    /// Users whose journey ended because a request failed, as a share of those whose journey ended.
    JourneyFailed,
    /// A quantile of the time that messages between held connections take.
    MessageTime,
    /// Connections that are open as a share of those that are to be held.
    Held,
    /// A quantile of the time for which the event loop of the service keeps timers waiting.
    LoopDelay,
    /// Resident memory of the service.
    Memory,
    /// Time for which a quota kept threads of the service from running, as a share of the time that passed.
    Throttled,
}

impl Quantity {
    /// Every quantity.
    pub const ALL: [Self; 13] = [
        Self::Cpu,
        Self::ResponseTime,
        Self::Errors,
        Self::AchievedRate,
        Self::HandshakeTime,
        Self::OpeningTime,
        Self::JourneyTime,
        Self::JourneyFailed,
        Self::MessageTime,
        Self::Held,
        Self::LoopDelay,
        Self::Memory,
        Self::Throttled,
    ];
}

/// What a share of so many cases says of the share of all.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct ShareInterval {
    /// Lower end, 0 to 1.
    pub low: f64,
    /// Upper end, 0 to 1.
    pub high: f64,
}
