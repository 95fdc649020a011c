//! Figures by name.

use crate::unit::Unit;
use schemars::JsonSchema;
use serde::Serialize;

/// A figure of a run, or of a law that was fitted to runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Responses per second.
    Throughput,
    /// Greatest rate inside the objectives.
    LoadLine,
    /// CPU of the service per response.
    CpuPerRequest,
    /// Busy share of the service's cores.
    CpuShare,
    /// Mean response time.
    ResponseTimeMean,
    /// Median response time.
    ResponseTimeP50,
    /// 90th percentile of the response time.
    ResponseTimeP90,
    /// 99th percentile of the response time.
    ResponseTimeP99,
    /// 99.9th percentile of the response time.
    ResponseTimeP999,
    /// Longest response time.
    ResponseTimeMax,
    /// Failed share of the finished requests.
    Errors,
    /// Greatest resident memory of the service.
    ResidentMemory,
    /// Bytes received per response, head included.
    BytesPerResponse,
    /// Throughput of one, by the law.
    Lambda,
    /// Contention.
    Sigma,
    /// Coherency.
    Kappa,
    /// Greatest throughput, by the law.
    PeakThroughput,
    /// R² of the law.
    Fit,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 18] = [
        Self::Throughput,
        Self::LoadLine,
        Self::CpuPerRequest,
        Self::CpuShare,
        Self::ResponseTimeMean,
        Self::ResponseTimeP50,
        Self::ResponseTimeP90,
        Self::ResponseTimeP99,
        Self::ResponseTimeP999,
        Self::ResponseTimeMax,
        Self::Errors,
        Self::ResidentMemory,
        Self::BytesPerResponse,
        Self::Lambda,
        Self::Sigma,
        Self::Kappa,
        Self::PeakThroughput,
        Self::Fit,
    ];

    /// Its unit.
    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Self::Throughput | Self::LoadLine | Self::Lambda | Self::PeakThroughput => Unit::PerS,
            Self::CpuPerRequest => Unit::Us,
            Self::CpuShare | Self::Errors => Unit::Share,
            Self::ResponseTimeMean
            | Self::ResponseTimeP50
            | Self::ResponseTimeP90
            | Self::ResponseTimeP99
            | Self::ResponseTimeP999
            | Self::ResponseTimeMax => Unit::Ms,
            Self::ResidentMemory | Self::BytesPerResponse => Unit::Bytes,
            Self::Sigma | Self::Kappa | Self::Fit => Unit::Number,
        }
    }

    /// Whether less of it is better.
    #[must_use]
    pub const fn lower_is_better(self) -> bool {
        !matches!(
            self,
            Self::Throughput | Self::LoadLine | Self::Lambda | Self::PeakThroughput
        )
    }
}
