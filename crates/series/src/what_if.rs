//! The rounds of a service as it is and of the same without one thing, as a part of a diagnosis.

use crate::compare::{ComparedRound, compare, more_requests};
use plimsoll_findings::{MeasuredGain, Metric, WhatIf};
use plimsoll_measure::run_directory::ComparisonInfo;

/// What the rounds of `directory` come to: the second variant is without the thing, and `info` names it. Which cause it is a
/// part of is not known here.
#[must_use]
pub fn what_if(info: &ComparisonInfo, rounds: &[ComparedRound], directory: &str) -> WhatIf {
    let compared = compare(info, rounds);
    let without = info.variants.last();
    let cpu = compared
        .figures
        .iter()
        .find(|figure| figure.figure == Metric::CpuPerRequest);
    let gain = cpu
        .map(more_requests)
        .map(|[factor, low, high]| MeasuredGain { factor, low, high });
    let shown = |figure: Metric| matches!(figure, Metric::CpuPerRequest | Metric::ResponseTimeP99);
    WhatIf {
        without: without.map(|variant| variant.what.clone()).unwrap_or_default(),
        cause: None,
        verdict: compared.verdict,
        headline: compared.headline,
        gain,
        confidence: compared.confidence,
        rounds_used: compared.variants.last().map_or(0, |variant| variant.rounds_used),
        duration_s: compared.duration_s,
        responses: compared.responses,
        responses_beside: compared.responses_beside,
        notices: compared.notices,
        figures: compared
            .figures
            .into_iter()
            .filter(|figure| shown(figure.figure))
            .collect(),
        directory: directory.to_owned(),
    }
}
