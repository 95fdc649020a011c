//! Histograms to the figures that a report shows.

use crate::findings::{CurvePoint, Percentiles};
use plimsoll_measure::Histogram;

/// Points per halving of the distance to 1, as the percentile tables of HdrHistogram have it.
const POINTS_PER_HALVING: u32 = 5;

/// Nanoseconds as milliseconds.
pub(crate) fn ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}

pub(crate) fn percentiles(histogram: &Histogram) -> Percentiles {
    let at = |quantile| ms(histogram.quantile_ns(quantile));
    Percentiles {
        count: histogram.count(),
        mean_ms: histogram.mean_ns() / 1e6,
        p50_ms: at(0.5),
        p90_ms: at(0.9),
        p95_ms: at(0.95),
        p99_ms: at(0.99),
        p999_ms: at(0.999),
        max_ms: ms(histogram.max_ns()),
    }
}

/// Points that lie denser towards the tail, up to the longest.
pub(crate) fn curve(histogram: &Histogram) -> Vec<CurvePoint> {
    let Some(filled) = histogram.filled() else {
        return Vec::new();
    };
    let points = filled.iter_quantiles(POINTS_PER_HALVING);
    points
        .map(|point| CurvePoint {
            quantile: point.quantile_iterated_to(),
            ms: ms(point.value_iterated_to().min(histogram.max_ns())),
        })
        .collect()
}
