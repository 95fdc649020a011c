//! A search result as findings. Here, and nowhere in the search, its unit has a name.

use super::{Ending, SearchResult, share_between};
use crate::judge::condition;
use crate::little::littles_law;
use crate::step_summary::StepSummary;
use plimsoll_findings::{ConcurrentUsers, EndedBecause, HeldLine, LoadLine};
use plimsoll_plan::{Level, Plan, SearchUnit};

/// The load line of a search with these steps, of which `reported` is the one at the line; `None` when no level passed.
pub(crate) fn load_line(
    plan: &Plan,
    result: &SearchResult,
    steps: &[StepSummary],
    reported: Option<&StepSummary>,
) -> Option<LoadLine> {
    let passed = result.passed?;
    let unit = plan.search().unit;
    let rates = match unit {
        SearchUnit::Rate => Rates::searched(passed, result),
        SearchUnit::Users | SearchUnit::Connections => Rates::asked_for(passed, result, steps, reported),
    };
    Some(LoadLine {
        users: unit == SearchUnit::Rate && !plan.scenario().journeys.is_empty(),
        concurrent: (unit == SearchUnit::Users).then(|| concurrent(plan, passed, result, reported)),
        held: (unit == SearchUnit::Connections).then(|| held(passed, result)),
        rate_per_s: rates.passed,
        failed_per_s: rates.failed,
        interval_low_per_s: rates.low,
        interval_high_per_s: rates.high,
        confidence: result.confidence,
        bracket_share: result.failed.map(|failed| share_between(passed, failed)),
        converged: result.ending == Ending::Converged,
        broke: result.broke.map(|index| condition(&plan.objectives()[index])),
        ended_because: because(result.ending, unit),
        // Connections cost more than the little that is asked on them.
        cpu_us_per_request: reported
            .and_then(|step| step.finding.cpu_us_per_request)
            .filter(|_| unit != SearchUnit::Connections),
    })
}

/// A load line in rates, per second.
struct Rates {
    passed: f64,
    failed: Option<f64>,
    low: f64,
    high: Option<f64>,
}

impl Rates {
    /// Of a search for a rate.
    fn searched(passed: Level, result: &SearchResult) -> Self {
        Self {
            passed: passed.as_f64(),
            failed: result.failed.map(Level::as_f64),
            low: result.interval_low,
            high: result.interval_high,
        }
    }

    /// What users asked for, or what came on connections: seen at the line and at what failed, and in proportion for the interval.
    fn asked_for(passed: Level, result: &SearchResult, steps: &[StepSummary], reported: Option<&StepSummary>) -> Self {
        let throughput = |step: &StepSummary| step.finding.throughput_per_s;
        let at_line = reported.and_then(throughput).unwrap_or_default();
        let each = at_line / passed.as_f64();
        let number = |step: &StepSummary| step.finding.at_a_time().map(|(_, number)| number);
        let last_with = |level: u32| steps.iter().rev().find(|step| number(step) == Some(level));
        Self {
            passed: at_line,
            failed: result
                .failed
                .and_then(|failed| last_with(failed.number()))
                .and_then(throughput),
            low: result.interval_low * each,
            high: result.interval_high.map(|high| high * each),
        }
    }
}

fn concurrent(plan: &Plan, passed: Level, result: &SearchResult, reported: Option<&StepSummary>) -> ConcurrentUsers {
    let users = passed.number();
    ConcurrentUsers {
        users: users.into(),
        failed: result.failed.map(|failed| failed.number().into()),
        interval_low: result.interval_low,
        interval_high: result.interval_high,
        littles_law: reported.and_then(|step| littles_law(plan, step, users)),
    }
}

fn held(passed: Level, result: &SearchResult) -> HeldLine {
    HeldLine {
        connections: passed.number().into(),
        failed: result.failed.map(|failed| failed.number().into()),
        interval_low: result.interval_low,
        interval_high: result.interval_high,
    }
}

/// Why a search in this unit ended.
fn because(ending: Ending, unit: SearchUnit) -> EndedBecause {
    match ending {
        Ending::Converged => EndedBecause::Converged,
        Ending::BudgetSpent => EndedBecause::BudgetSpent,
        Ending::MaxHolds => EndedBecause::MaxPassed,
        Ending::GeneratorLimit(limit) => match unit {
            SearchUnit::Rate => EndedBecause::GeneratorLimit {
                rate_per_s: limit.as_f64(),
            },
            SearchUnit::Users => EndedBecause::GeneratorLimitOfUsers {
                users: limit.number().into(),
            },
            SearchUnit::Connections => EndedBecause::GeneratorLimitOfConnections {
                connections: limit.number().into(),
            },
        },
        Ending::NothingHolds => EndedBecause::NothingPassed,
        Ending::Stopped => EndedBecause::Stopped,
    }
}
