//! Recorded run to findings: verdicts per window, the capacity search, the summary.
//!
//! Pure: no I/O, no clock, no randomness that is not passed in. It does not know who produced the
//! records or how findings are drawn.

mod compare;
mod diagnosis;
mod errors;
mod findings;
mod fold;
mod hold;
mod judge;
mod lateness;
mod percentiles;
mod response_notices;
mod responses;
mod scale;
mod scarcity;
mod search;
mod sentences;
mod step;
mod study;
mod timeline;
mod unjudged;
mod window;

pub use compare::{
    CompareVerdict, ComparedRound, Comparison, FigureFinding, FigureVerdict, PredictionFinding, RoundFinding,
    UNUSED_BLOCKS, VariantFinding, compare, next_block, runs_forward,
};
pub use diagnosis::{
    Bound, Cause, CounterFold, Diagnosis, FlameCall, Kind as CauseKind, Pass, Passes, Place, Predicted, Slice, diagnose,
};
pub use findings::{
    CurvePoint, ErrorFinding, ExampleFinding, Findings, GeneratorFinding, HoldFinding, LoadLine, Notice,
    ObjectiveFinding, Percentiles, StepFinding, StepVerdict, TargetFinding, TimelinePoint, Totals, Verdict,
};
pub use fold::Fold;
pub use judge::{Spread, Tally};
pub use responses::ResponsesFinding;
pub use scale::{LawFinding, LawPoint, Parameter, ScalePoint, ScaleVerdict, Scaling, Tells, scale};
pub use search::{Decision, Ending, NextStep, Purpose, Search, SearchResult};
pub use step::StepOutcome;
pub use study::{
    EffectFinding, EffectVerdict, HereFinding, MeasuredPart, MeasurementFinding, PublishedFinding, StudyFindings,
    StudyVerdict, judge,
};
