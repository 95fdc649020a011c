//! What must hold, how it is judged, and the bounds of the capacity search.

use crate::units::{Rate, Share};
use std::fmt;
use std::time::Duration;

/// One condition that the service must meet in a window. Written `cpu <= 80%`, `p99 <= 100ms`,
/// `errors = 0`, `errors <= 0.1%`, `rate >= 99%`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Objective {
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
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu { max } => write!(f, "cpu <= {}%", trim(max.value() * 100.0)),
            Self::ResponseTime { quantile, max } => {
                let ms = max.as_secs_f64() * 1e3;
                if quantile.value() >= 1.0 {
                    write!(f, "max <= {}ms", trim(ms))
                } else {
                    write!(f, "p{} <= {}ms", trim(quantile.value() * 100.0), trim(ms))
                }
            }
            Self::Errors { max } if max.value() == 0.0 => f.write_str("errors = 0"),
            Self::Errors { max } => write!(f, "errors <= {}%", trim(max.value() * 100.0)),
            Self::AchievedRate { min } => write!(f, "rate >= {}%", trim(min.value() * 100.0)),
        }
    }
}

/// At most four decimals, without trailing zeros.
fn trim(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// How a run is cut into windows and judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judging {
    /// Length of one window.
    pub window: Duration,
    /// Share of windows that must pass each objective.
    pub passing_windows: Share,
    /// Windows that begin before this much of the run has passed are not judged.
    pub warm_up: Duration,
}

impl Default for Judging {
    fn default() -> Self {
        Self {
            window: Duration::from_secs(1),
            passing_windows: Share::percent(90),
            warm_up: Duration::from_secs(2),
        }
    }
}

/// Bounds of the capacity search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Search {
    /// Rate of the first step.
    pub start: Rate,
    /// The search never offers more.
    pub max: Rate,
    /// Wanted width of the bracket, as a share of the load line.
    pub bracket: Share,
    /// The search ends after this long, whatever it knows by then.
    pub budget: Duration,
    /// Length of one judged step.
    pub step: Duration,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            start: Rate::per_s(100),
            max: Rate::per_s(1_000_000),
            bracket: Share::percent(5),
            budget: Duration::from_secs(90),
            step: Duration::from_secs(5),
        }
    }
}
