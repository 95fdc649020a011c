//! Recorded run to findings: verdicts per window, the capacity search, the summary.
//!
//! Pure: no I/O, no clock, no randomness that is not passed in. It does not know who produced the
//! records or how findings are drawn.

mod findings;

pub use findings::{
    CurvePoint, ErrorFinding, Findings, GeneratorFinding, LoadLine, Notice, ObjectiveFinding, Percentiles, StepFinding,
    StepVerdict, TargetFinding, TimelinePoint, Totals, Verdict,
};
