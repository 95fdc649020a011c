//! A search result as findings, in words where words are wanted.

use super::{Ending, SearchResult, share_between};
use crate::findings::LoadLine;
use crate::sentences::rate;
use crate::step::StepSummary;
use plimsoll_plan::{Objective, Rate};

/// The load line; `None` when no rate passed.
pub(crate) fn load_line(
    result: &SearchResult,
    objectives: &[Objective],
    step: Option<&StepSummary>,
) -> Option<LoadLine> {
    let passed = result.passed?;
    Some(LoadLine {
        rate_per_s: passed.as_f64_per_s(),
        failed_per_s: result.failed.map(Rate::as_f64_per_s),
        interval_low_per_s: result.interval_low_per_s,
        interval_high_per_s: result.interval_high_per_s,
        confidence: result.confidence,
        bracket_share: result.failed.map(|failed| share_between(passed, failed)),
        converged: result.ending == Ending::Converged,
        broke: result.broke.map(|index| objectives[index].to_string()),
        ended_because: because(result.ending),
        cpu_us_per_request: step.and_then(|s| s.finding.cpu_us_per_request),
    })
}

/// Why a search ended, as one sentence.
pub(crate) fn because(ending: Ending) -> String {
    match ending {
        Ending::Converged => "the bracket is as narrow as was asked for and both its ends are confirmed".to_owned(),
        Ending::BudgetSpent => "the time budget of the search was spent".to_owned(),
        Ending::MaxHolds => "the greatest rate that the search may offer passed".to_owned(),
        Ending::GeneratorLimit(limit) => format!("the generator could not offer {}", rate(limit.as_f64_per_s())),
        Ending::NothingHolds => "not even the lowest rate passed".to_owned(),
        Ending::Stopped => "the run stopped before the search was over".to_owned(),
    }
}
