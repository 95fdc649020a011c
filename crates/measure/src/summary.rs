//! A histogram cut down to a few figures.

use serde::{Deserialize, Serialize};

/// What a line keeps of a histogram.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Number of durations.
    pub count: u64,
    /// Mean, ns.
    pub mean_ns: f64,
    /// Longest, ns.
    pub max_ns: u64,
    /// Pairs of quantile (0 to 1) and duration in ns, ascending.
    pub quantiles_ns: Vec<(f64, u64)>,
}

impl Summary {
    /// Whether there was nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Nanoseconds at exactly this quantile; 1.0 is the maximum. `None` when it was not kept.
    #[must_use]
    pub fn quantile_ns(&self, quantile: f64) -> Option<u64> {
        if quantile >= 1.0 {
            return Some(self.max_ns);
        }
        self.quantiles_ns
            .iter()
            .find(|(q, _)| (q - quantile).abs() < 1e-9)
            .map(|&(_, ns)| ns)
    }
}
