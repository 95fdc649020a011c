//! How long something took, as a distribution.

use schemars::JsonSchema;
use serde::Serialize;

/// A distribution in milliseconds. Each figure is `None` where there are no values, and where their histograms are lost.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct Percentiles {
    /// Number of values.
    pub count: u64,
    /// Mean, ms.
    pub mean_ms: Option<f64>,
    /// Median, ms.
    pub p50_ms: Option<f64>,
    /// 90th percentile, ms.
    pub p90_ms: Option<f64>,
    /// 95th percentile, ms.
    pub p95_ms: Option<f64>,
    /// 99th percentile, ms.
    pub p99_ms: Option<f64>,
    /// 99.9th percentile, ms.
    pub p999_ms: Option<f64>,
    /// Longest, ms.
    pub max_ms: Option<f64>,
}

/// A point of a percentile curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct CurvePoint {
    /// 0 to 1.
    pub quantile: f64,
    /// Response time, ms.
    pub ms: f64,
}
