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
mod outcome;
mod percentiles;
mod requests;
mod response_notices;
mod responses;
mod scale;
mod scarcity;
mod search;
mod step;
mod study;
mod timeline;
mod window;

pub use compare::{
    Changed, CompareHeadline, CompareNextStep, CompareVerdict, ComparedRound, Comparison, FigureFinding, FigureVerdict,
    PredictionFinding, RoundFinding, UNUSED_BLOCKS, Unused, VariantFinding, compare, next_block, runs_forward,
};
pub use diagnosis::{
    Assumption, Bound, BoundBecause, Cause, CauseKind, CodeClass, CounterFold, Diagnosis, Evidence, FlameCall, Garbage,
    Pass, Passes, Place, Predicted, Slice, SpentOn, What, diagnose,
};
pub use findings::{
    Condition, CurvePoint, EndedBecause, ErrorFinding, ExampleFinding, FailureClass, Findings, GeneratorFinding,
    Headline, HoldFinding, InterruptedBy, Late, LineThen, LoadLine, Metric, NextStep, Noted, Notice, ObjectiveFinding,
    Percentiles, Quantity, RequestFailure, RequestFinding, Seen, StepFinding, StepVerdict, TargetFinding,
    TimelinePoint, Totals, Unit, Unjudged, Verdict, WhatUnjudged, Windows,
};
pub use fold::Fold;
pub use judge::{Spread, Tally};
pub use responses::{ResponsesFinding, ResponsesOf};
pub use scale::{
    LawFinding, LawPoint, Parameter, ScaleHeadline, ScaleNextStep, ScalePoint, ScaleVerdict, Scaling, Sizes, Tells,
    scale,
};
pub use search::{Decision, Ending, Purpose, Search, SearchResult, SearchStep};
pub use step::StepOutcome;
pub use study::{
    Besides, EffectBecause, EffectFinding, EffectVerdict, FigureOf, HereFinding, MeasuredBy, MeasuredPart,
    MeasurementFinding, MeasurementHeadline, PublishedDirection, PublishedFinding, Rule, StudyFindings, StudyHeadline,
    StudyVerdict, WhatIsHere, judge,
};
