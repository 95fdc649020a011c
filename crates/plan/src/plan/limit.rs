//! What objectives bound.

use crate::notation::units::Share;
use crate::plan::limits::ByteSize;
use std::time::Duration;

/// What an objective bounds, and by how much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// Busy share of the cores that the service may use.
    Cpu {
        /// Greatest allowed share.
        max: Share,
    },
    /// A quantile of the response time, counted from the intended start.
    ResponseTime {
        /// 0 to 1; 1 is the maximum.
        quantile: Share,
        /// Greatest allowed response time.
        max: Duration,
    },
    /// Errors of every class as a share of the finished requests.
    Errors {
        /// Greatest allowed share.
        max: Share,
    },
    /// Requests completed as a share of those scheduled.
    AchievedRate {
        /// Least allowed share.
        min: Share,
    },
    /// A quantile of the time that TLS handshakes take.
    HandshakeTime {
        /// 0 to 1; 1 is the maximum.
        quantile: Share,
        /// Greatest allowed time.
        max: Duration,
    },
    /// A quantile of the time from the request that opens a WebSocket until it is open, or the service has let the client in.
    OpeningTime {
        /// 0 to 1; 1 is the maximum.
        quantile: Share,
        /// Greatest allowed time.
        max: Duration,
    },
    /// A quantile of the time that users take from arrival to the end of their journey, pauses included.
    JourneyTime {
        /// 0 to 1; 1 is the maximum.
        quantile: Share,
        /// Greatest allowed time.
        max: Duration,
    },
    /// Users whose journey ended before its end, because a request failed, as a share of those whose journey ended.
    JourneyFailed {
        /// Greatest allowed share.
        max: Share,
    },
    /// A quantile of the time from the moment at which a held connection was to send a message until that arrived.
    MessageTime {
        /// 0 to 1; 1 is the maximum.
        quantile: Share,
        /// Greatest allowed time.
        max: Duration,
    },
    /// Connections that are open as a share of those that are to be held.
    Held {
        /// Least allowed share.
        min: Share,
    },
    /// A quantile of the time for which the event loop of the service keeps timers waiting.
    LoopDelay {
        /// 0 to 1; 1 is the maximum.
        quantile: Share,
        /// Greatest allowed time.
        max: Duration,
    },
    /// Resident memory of the service.
    Memory {
        /// Most that is allowed.
        max: ByteSize,
    },
    /// Time for which a quota kept threads of the service from running, as a share of the time that passed.
    Throttled {
        /// Greatest allowed share.
        max: Share,
    },
}

impl Limit {
    /// Whether it is about connections that are held, and what they say to each other.
    #[must_use]
    pub const fn is_of_held(&self) -> bool {
        matches!(self, Self::Held { .. } | Self::MessageTime { .. })
    }

    /// Whether it is about what the service uses, which only the kernel knows that runs it.
    #[must_use]
    pub const fn is_of_service(&self) -> bool {
        matches!(self, Self::Cpu { .. } | Self::Memory { .. } | Self::Throttled { .. })
    }
}
