//! Units that are types.

use std::fmt;

/// An arrival rate, exact to one millionth of a request per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Rate {
    micro_per_s: u64,
}

impl Rate {
    /// No arrivals.
    pub const ZERO: Self = Self { micro_per_s: 0 };

    /// Whole requests per second.
    #[must_use]
    pub const fn per_s(requests: u32) -> Self {
        Self {
            micro_per_s: requests as u64 * 1_000_000,
        }
    }

    /// Millionths of a request per second.
    #[must_use]
    pub const fn from_micro_per_s(micro_per_s: u64) -> Self {
        Self { micro_per_s }
    }

    /// Nearest representable rate; negative and non-finite values become zero.
    #[must_use]
    pub fn from_f64_per_s(per_s: f64) -> Self {
        // A float-to-integer cast saturates, and NaN becomes 0.
        Self {
            micro_per_s: (per_s * 1e6).round() as u64,
        }
    }

    /// Millionths of a request per second.
    #[must_use]
    pub const fn micro_per_s(self) -> u64 {
        self.micro_per_s
    }

    /// Requests per second.
    #[must_use]
    pub fn as_f64_per_s(self) -> f64 {
        self.micro_per_s as f64 / 1e6
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/s", self.as_f64_per_s())
    }
}

/// A part of a whole, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Share(f64);

impl Share {
    /// `None` outside 0 to 1.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// 0 to 100, clamped into that range.
    #[must_use]
    pub const fn percent(percent: u8) -> Self {
        Self(if percent > 100 { 1.0 } else { percent as f64 / 100.0 })
    }

    /// 0 to 1.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.0
    }
}
