//! What can be read off a measurement.

use super::MeasurementKind;
use std::fmt;

/// A figure of a measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// The measurement that it is read off.
    pub measurement: String,
    /// Which figure.
    pub figure: Figure,
    /// Of which variant, in a comparison; set against the first.
    pub variant: Option<String>,
    /// At which size, in a sweep.
    pub size: Option<u32>,
}

/// Which figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figure {
    /// Responses per second.
    Throughput,
    /// CPU of the service per response.
    Cpu,
    /// Busy share of the service's cores.
    CpuShare,
    /// Mean response time.
    Mean,
    /// Median response time.
    P50,
    /// 99th percentile of the response time.
    P99,
    /// Longest response time.
    Max,
    /// Greatest resident memory of the service.
    Memory,
    /// Bytes received per response, head included.
    BytesPerResponse,
    /// Failed share of the finished requests.
    Errors,
    /// Greatest rate inside the objectives.
    LoadLine,
    /// Throughput of one, by the law.
    Lambda,
    /// Contention.
    Sigma,
    /// Coherency.
    Kappa,
    /// Greatest throughput, by the law.
    Peak,
    /// R² of the law.
    Fit,
    /// One that a command prints.
    Named(String),
}

impl Figure {
    const KNOWN: [Self; 16] = [
        Self::Throughput,
        Self::Cpu,
        Self::CpuShare,
        Self::Mean,
        Self::P50,
        Self::P99,
        Self::Max,
        Self::Memory,
        Self::BytesPerResponse,
        Self::Errors,
        Self::LoadLine,
        Self::Lambda,
        Self::Sigma,
        Self::Kappa,
        Self::Peak,
        Self::Fit,
    ];

    /// The keyword in a study.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Throughput => "throughput",
            Self::Cpu => "cpu",
            Self::CpuShare => "cpu_share",
            Self::Mean => "mean",
            Self::P50 => "p50",
            Self::P99 => "p99",
            Self::Max => "max",
            Self::Memory => "memory",
            Self::BytesPerResponse => "bytes_per_response",
            Self::Errors => "errors",
            Self::LoadLine => "load_line",
            Self::Lambda => "lambda",
            Self::Sigma => "sigma",
            Self::Kappa => "kappa",
            Self::Peak => "peak",
            Self::Fit => "fit",
            Self::Named(name) => name,
        }
    }

    /// `ms`, `us`, `per_s`, `bytes`, `share` of 1, or nothing for a bare number.
    #[must_use]
    pub const fn unit(&self) -> &'static str {
        match self {
            Self::Throughput | Self::LoadLine | Self::Lambda | Self::Peak => "per_s",
            Self::Cpu => "us",
            Self::CpuShare | Self::Errors => "share",
            Self::Mean | Self::P50 | Self::P99 | Self::Max => "ms",
            Self::Memory | Self::BytesPerResponse => "bytes",
            Self::Sigma | Self::Kappa | Self::Fit | Self::Named(_) => "",
        }
    }

    /// The figure of that name that measurements of this kind have; the names that they have, if it is none.
    pub(super) fn of(kind: &MeasurementKind, name: &str) -> Result<Self, Vec<&'static str>> {
        let has: &[Self] = match kind {
            MeasurementKind::Command { .. } => return Ok(Self::Named(name.to_owned())),
            MeasurementKind::Compare { load: None, .. } => &[Self::LoadLine, Self::Cpu],
            MeasurementKind::Compare { .. } => &[Self::Throughput, Self::Cpu, Self::P50, Self::P99, Self::Memory],
            MeasurementKind::Scale { .. } => &[
                Self::Throughput,
                Self::Cpu,
                Self::P50,
                Self::Lambda,
                Self::Sigma,
                Self::Kappa,
                Self::Peak,
                Self::Fit,
            ],
            MeasurementKind::Capacity { .. } => &[Self::LoadLine, Self::Cpu, Self::P50, Self::P99],
            MeasurementKind::Run { .. } => &[
                Self::Throughput,
                Self::Cpu,
                Self::CpuShare,
                Self::Mean,
                Self::P50,
                Self::P99,
                Self::Max,
                Self::Memory,
                Self::BytesPerResponse,
                Self::Errors,
            ],
        };
        let found = has.iter().find(|figure| figure.as_str() == name);
        found.cloned().ok_or_else(|| {
            let known = Self::KNOWN.iter().filter(|figure| has.contains(figure));
            known.map(Self::keyword).collect()
        })
    }

    fn keyword(&self) -> &'static str {
        let same = |known: &&Self| *known == self;
        match Self::KNOWN.iter().find(same) {
            Some(Self::Named(_)) | None => "",
            Some(known) => known.as_str(),
        }
    }

    /// Whether it is read at a size of a sweep.
    pub(super) const fn needs_size(&self) -> bool {
        matches!(self, Self::Throughput | Self::Cpu | Self::P50)
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cpu => "CPU per request",
            Self::CpuShare => "CPU share",
            Self::Mean => "mean response time",
            Self::P50 => "response time p50",
            Self::P99 => "response time p99",
            Self::Max => "longest response time",
            Self::Memory => "resident memory",
            Self::BytesPerResponse => "bytes per response",
            Self::LoadLine => "load line",
            Self::Lambda => "throughput of one (λ)",
            Self::Sigma => "contention (σ)",
            Self::Kappa => "coherency (κ)",
            Self::Peak => "peak throughput",
            Self::Fit => "R² of the law",
            Self::Throughput | Self::Errors | Self::Named(_) => self.as_str(),
        })
    }
}
