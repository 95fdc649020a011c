//! What studies and their effects come to.

use schemars::JsonSchema;
use serde::Serialize;

/// What a study comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StudyVerdict {
    /// Every effect that was published is here.
    Reproduced,
    /// Some of it is here, or in a smaller size.
    Partly,
    /// None of it is here.
    NotReproduced,
    /// The intervals are too wide to say whether any of it is here.
    Untold,
    /// No figure was published; what is here is shown.
    Shown,
    /// The generator was the bottleneck where an effect was to be measured.
    Invalid,
    /// Stopped by the user; the effects are those until then.
    Interrupted,
    /// Something could not be measured.
    Failed,
}

/// What became of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EffectVerdict {
    /// It is here, by the rule that stands beside it.
    Reproduced,
    /// It goes the same way and is smaller than the rule asks for.
    Weaker,
    /// It is not here.
    NotReproduced,
    /// The interval is so wide that it holds both no effect and one as large as the rule asks for.
    Untold,
    /// It goes the other way here.
    Reversed,
    /// No figure was published; what is here is shown.
    Shown,
    /// It was not measured.
    NotMeasured,
}
