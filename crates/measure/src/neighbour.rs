//! What runs beside the service as the operating system sees it.

use crate::target::TargetSample;
use serde::{Deserialize, Serialize};

/// A neighbour of the service at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NeighbourSample {
    /// What the plan calls it.
    pub name: String,
    /// Whether it may run on cores of the service.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shares_cores: bool,
    /// Its process tree, as of a service.
    #[serde(flatten)]
    pub sample: TargetSample,
}
