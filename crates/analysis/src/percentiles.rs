//! Histograms to the figures that a report shows.

use plimsoll_findings::{CurvePoint, Percentiles};
use plimsoll_measure::{Histogram, Summary};

/// Points per halving of the distance to 1, as the percentile tables of HdrHistogram have it.
const POINTS_PER_HALVING: u32 = 5;

/// Nanoseconds as milliseconds.
pub(crate) fn ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}

/// Durations of many ticks, and how many there were before histograms were lost.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gathered {
    histogram: Histogram,
    count: u64,
}

impl Gathered {
    /// Adds those of a tick; its line says how many there are.
    pub(crate) fn add(&mut self, histogram: &Histogram, line: &Summary) {
        self.histogram.merge(histogram);
        self.count = self.count.saturating_add(line.count.max(histogram.count()));
    }

    /// Adds what was gathered elsewhere.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.histogram.merge(&other.histogram);
        self.count = self.count.saturating_add(other.count);
    }

    /// All of them; `None` where there are none, and where some are lost: figures of the others would be of something
    /// else.
    pub(crate) fn whole(&self) -> Option<&Histogram> {
        Some(&self.histogram).filter(|histogram| histogram.count() > 0 && histogram.count() == self.count)
    }

    pub(crate) fn is_lost(&self) -> bool {
        self.histogram.count() < self.count
    }

    pub(crate) fn percentiles(&self) -> Percentiles {
        let at = |quantile| self.whole().map(|histogram| ms(histogram.quantile_ns(quantile)));
        Percentiles {
            count: self.count,
            mean_ms: self.whole().map(|histogram| histogram.mean_ns() / 1e6),
            p50_ms: at(0.5),
            p90_ms: at(0.9),
            p95_ms: at(0.95),
            p99_ms: at(0.99),
            p999_ms: at(0.999),
            max_ms: self.whole().map(|histogram| ms(histogram.max_ns())),
        }
    }

    /// Points that lie denser towards the tail, up to the longest.
    pub(crate) fn curve(&self) -> Vec<CurvePoint> {
        let Some((whole, filled)) = self.whole().and_then(|whole| Some((whole, whole.filled()?))) else {
            return Vec::new();
        };
        let points = filled.iter_quantiles(POINTS_PER_HALVING);
        points
            .map(|point| CurvePoint {
                quantile: point.quantile_iterated_to(),
                ms: ms(point.value_iterated_to().min(whole.max_ns())),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_nothing_or_of_a_part_are_unknown() {
        let unknown = |count| Percentiles {
            count,
            ..Percentiles::default()
        };
        let mut gathered = Gathered::default();
        assert_eq!(gathered.percentiles(), unknown(0));
        let mut histogram = Histogram::default();
        histogram.record(2_000_000);
        gathered.add(&histogram, &histogram.summary(&[]));
        assert_eq!(gathered.percentiles().p99_ms.map(f64::round), Some(2.0));
        gathered.add(&Histogram::default(), &histogram.summary(&[]));
        assert_eq!((gathered.percentiles(), gathered.is_lost()), (unknown(2), true));
        assert_eq!(gathered.curve(), []);
    }
}
