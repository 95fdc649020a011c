//! The law that was fitted to a sweep.

use schemars::JsonSchema;
use serde::Serialize;

/// X(N) = λN / (1 + σ(N − 1) + κN(N − 1)).
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LawFinding {
    /// λ: throughput of one, requests per second.
    pub lambda: Parameter,
    /// σ: contention, the share of the work that is done one after the other.
    pub sigma: Parameter,
    /// κ: coherency, the cost of each pair's agreement.
    pub kappa: Parameter,
    /// What the points can tell of the two costs.
    pub tells: Tells,
    /// Size at the greatest throughput, √((1 − σ) / κ); `None` when the law has no peak. The upper end is missing where
    /// some of the refits have none.
    pub peak_size: Option<Parameter>,
    /// Throughput there, requests per second.
    pub peak_per_s: Option<f64>,
    /// The law from one to twice the greatest size, for drawing.
    pub curve: Vec<LawPoint>,
}

/// A fitted value with the interval that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Parameter {
    /// The value.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end; `None` when there is none.
    pub high: Option<f64>,
}

/// What the points can tell of contention and coherency. A cost is told when leaving it out makes the fit worse than
/// chance would in 19 of 20 sweeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tells {
    /// Both are there.
    Both,
    /// Contention is there; coherency is not needed to explain the points.
    Contention,
    /// Coherency is there; contention is not needed.
    Coherency,
    /// There is a cost, and these points cannot tell which of the two it is.
    Either,
    /// No cost is needed: throughput grows with the size.
    Neither,
}

/// A point of the fitted law.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct LawPoint {
    /// The size.
    pub size: f64,
    /// Throughput, requests per second.
    pub per_s: f64,
}
