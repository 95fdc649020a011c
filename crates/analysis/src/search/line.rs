//! A search result as findings.

use super::{Ending, SearchResult, share_between};
use crate::judge::condition;
use crate::step_summary::StepSummary;
use plimsoll_findings::{EndedBecause, LoadLine};
use plimsoll_plan::{Level, Objective};

/// The load line; `None` when no level passed.
pub(crate) fn load_line(
    result: &SearchResult,
    objectives: &[Objective],
    step: Option<&StepSummary>,
) -> Option<LoadLine> {
    let passed = result.passed?;
    Some(LoadLine {
        users: false,
        rate_per_s: passed.as_f64(),
        failed_per_s: result.failed.map(Level::as_f64),
        interval_low_per_s: result.interval_low,
        interval_high_per_s: result.interval_high,
        confidence: result.confidence,
        bracket_share: result.failed.map(|failed| share_between(passed, failed)),
        converged: result.ending == Ending::Converged,
        broke: result.broke.map(|index| condition(&objectives[index])),
        ended_because: because(result.ending),
        cpu_us_per_request: step.and_then(|s| s.finding.cpu_us_per_request),
    })
}

/// Why a search ended.
fn because(ending: Ending) -> EndedBecause {
    match ending {
        Ending::Converged => EndedBecause::Converged,
        Ending::BudgetSpent => EndedBecause::BudgetSpent,
        Ending::MaxHolds => EndedBecause::MaxPassed,
        Ending::GeneratorLimit(limit) => EndedBecause::GeneratorLimit {
            rate_per_s: limit.as_f64(),
        },
        Ending::NothingHolds => EndedBecause::NothingPassed,
        Ending::Stopped => EndedBecause::Stopped,
    }
}
