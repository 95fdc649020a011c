//! What came of leaving one thing out of the service: measured, beside what is predicted of causes and never among it.

use crate::comparison::{CompareHeadline, CompareVerdict, FigureFinding};
use crate::responses::{ResponsesBeside, ResponsesFinding};
use crate::run::Notice;
use schemars::JsonSchema;
use serde::Serialize;

/// The service without one thing, set against the service as it is, in rounds that alternate under the same arrivals. The
/// probe left it out; nobody changed the code.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WhatIf {
    /// What was left out, as `--what-if` takes it: `log`, `middleware:session`.
    pub without: String,
    /// Number of the first cause that it is a part of, from 1; `None` where it is of none.
    pub cause: Option<u32>,
    /// What it comes to.
    pub verdict: CompareVerdict,
    /// The same in more detail.
    pub headline: CompareHeadline,
    /// How many times as many requests the same CPU is enough for; `None` where too few rounds were made.
    pub gain: Option<MeasuredGain>,
    /// CPU per request and the 99th percentile of the response time, with and without it.
    pub figures: Vec<FigureFinding>,
    /// Confidence that the intervals of the figures hold at once, 0 to 1.
    pub confidence: f64,
    /// Rounds of each variant that the figures are made from.
    pub rounds_used: u32,
    /// Length of all rounds together, seconds.
    pub duration_s: f64,
    /// What came back from the service as it is, and from the service without it.
    pub responses: Vec<ResponsesFinding>,
    /// Whether that is the same; `None` where one of them did not respond.
    pub responses_beside: Option<ResponsesBeside>,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
    /// Directory of the rounds, inside that of the diagnosis.
    pub directory: String,
}

/// A gain that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct MeasuredGain {
    /// Factor on the requests for which the same CPU is enough.
    pub factor: f64,
    /// Lower end of the interval that holds the true factor.
    pub low: f64,
    /// Upper end of that interval.
    pub high: f64,
}
