//! Histograms of the three durations that every request has.

use serde::{Deserialize, Serialize};

/// Greatest value a histogram tells apart, in nanoseconds: one hour. Longer ones count as one hour.
pub const HIGHEST_NS: u64 = 3_600_000_000_000;

/// Durations in nanoseconds, three significant digits, 1 ns to one hour.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram(hdrhistogram::Histogram<u64>);

impl Default for Histogram {
    fn default() -> Self {
        Self(hdrhistogram::Histogram::new_with_bounds(1, HIGHEST_NS, 3).expect("the bounds are constant and valid"))
    }
}

impl Histogram {
    /// Counts one duration.
    #[inline]
    pub fn record(&mut self, ns: u64) {
        self.0.saturating_record(ns);
    }

    /// Adds everything that `other` holds.
    pub fn merge(&mut self, other: &Self) {
        self.0.add(&other.0).expect("all histograms have the same bounds");
    }

    /// Forgets everything; keeps the memory.
    pub fn clear(&mut self) {
        self.0.reset();
    }

    /// How many durations it holds.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// Nanoseconds at `quantile` (0 to 1); 0 when empty.
    #[must_use]
    pub fn quantile_ns(&self, quantile: f64) -> u64 {
        if self.0.is_empty() {
            0
        } else {
            self.0.value_at_quantile(quantile)
        }
    }

    /// Longest duration in nanoseconds; 0 when empty.
    #[must_use]
    pub fn max_ns(&self) -> u64 {
        if self.0.is_empty() { 0 } else { self.0.max() }
    }

    /// Mean in nanoseconds; 0 when empty.
    #[must_use]
    pub fn mean_ns(&self) -> f64 {
        if self.0.is_empty() { 0.0 } else { self.0.mean() }
    }

    /// How many durations are at most `ns`.
    #[must_use]
    pub fn count_at_or_below(&self, ns: u64) -> u64 {
        self.0.count_between(0, ns)
    }

    /// The histogram underneath, for the log format.
    #[must_use]
    pub fn inner(&self) -> &hdrhistogram::Histogram<u64> {
        &self.0
    }

    /// Takes over a histogram that was read; `None` when it holds what ours cannot.
    pub(crate) fn from_inner(inner: &hdrhistogram::Histogram<u64>) -> Option<Self> {
        // Bounds of our own, so that merging cannot fail later.
        let mut histogram = Self::default();
        histogram.0.add(inner).ok()?;
        Some(histogram)
    }

    /// The figures that a line of the run folder keeps, at the given quantiles.
    #[must_use]
    pub fn summary(&self, quantiles: &[f64]) -> Summary {
        Summary {
            count: self.count(),
            mean_ns: self.mean_ns(),
            max_ns: self.max_ns(),
            quantiles_ns: quantiles.iter().map(|&q| (q, self.quantile_ns(q))).collect(),
        }
    }
}

/// The three durations of a request, as `GLOSSARY.md` defines them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Durations {
    /// Intended start to last byte. A timed-out request counts at its timeout.
    pub response_time: Histogram,
    /// Actual send to last byte.
    pub service_time: Histogram,
    /// Intended start to bytes handed to the kernel.
    pub schedule_lag: Histogram,
}

impl Durations {
    /// Adds everything that `other` holds.
    pub fn merge(&mut self, other: &Self) {
        self.response_time.merge(&other.response_time);
        self.service_time.merge(&other.service_time);
        self.schedule_lag.merge(&other.schedule_lag);
    }

    /// Forgets everything; keeps the memory.
    pub fn clear(&mut self) {
        self.response_time.clear();
        self.service_time.clear();
        self.schedule_lag.clear();
    }
}

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
