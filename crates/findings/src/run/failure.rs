//! Failures by class.

use plimsoll_measure::{ErrorClass, Sight};
use schemars::JsonSchema;
use serde::Serialize;

/// A class of failures, or the keep-alive races among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// A request that met a kept connection which the service was ending.
    KeepAliveRace,
    /// A class of errors.
    #[serde(untagged)]
    Error(ErrorClass),
}

impl FailureClass {
    /// Every class, errors first.
    pub fn all() -> impl Iterator<Item = Self> {
        ErrorClass::ALL
            .into_iter()
            .map(Self::Error)
            .chain([Self::KeepAliveRace])
    }

    /// Name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.sight().as_str()
    }

    /// The generator is to blame, not the service.
    #[must_use]
    pub const fn is_generators_own(self) -> bool {
        matches!(self, Self::Error(class) if class.is_generators_own())
    }

    /// What its examples are of.
    #[must_use]
    pub const fn sight(self) -> Sight {
        match self {
            Self::KeepAliveRace => Sight::KeepAliveRace,
            Self::Error(class) => Sight::Failure(class),
        }
    }
}

/// Failures of one class.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ErrorFinding {
    /// Class as in the glossary.
    pub class: FailureClass,
    /// How many.
    pub count: u64,
    /// Share of all finished requests, 0 to 1.
    pub share: f64,
    /// The generator is to blame, not the service.
    pub generators_own: bool,
    /// It counts as a failure. Keep-alive races do only where they are many.
    pub charged: bool,
    /// The first of them, where the run recorded it.
    pub example: Option<ExampleFinding>,
}

/// What one failure looked like. The texts are short and hold printable characters only; no header of a response is in them
/// but `content-type` and where a redirect leads to.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ExampleFinding {
    /// When, since the beginning of the run, seconds.
    pub at_s: f64,
    /// Name of the request in the plan; absent where it belongs to none, or the scenario has only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// What was expected; empty where that goes without saying.
    pub expected: String,
    /// What was found instead.
    pub found: String,
    /// How that begins which the service sent: the body, or what was no HTTP; empty where it sent nothing.
    pub received: String,
}
