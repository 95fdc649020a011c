//! What broke first as the load rose.

use plimsoll_findings::{BrokeFirst, Findings, ObjectiveFinding, StepFinding, StepVerdict};

/// By the search of the line that `base` has, or else by the plain pass.
pub(crate) fn broke_first(base: &Findings, plain: &Findings) -> Option<BrokeFirst> {
    let (step, of) = match &base.load_line {
        Some(line) => {
            let above = |step: &&StepFinding| {
                step.verdict == StepVerdict::Breached && step.offered_per_s.is_some_and(|rate| rate > line.rate_per_s)
            };
            let failed = base.steps.iter().filter(above).filter(|step| step.broke == line.broke);
            let rate = |step: &&StepFinding| step.offered_per_s.unwrap_or(f64::INFINITY);
            let least = failed.min_by(|a, b| rate(a).total_cmp(&rate(b)));
            // The search of an older run may have no such step.
            if least.is_none() {
                return line.broke.clone().map(|objective| BrokeFirst {
                    users: line.users,
                    objective,
                    rate_per_s: line.failed_per_s,
                    observed: None,
                    cpu_share: None,
                    hottest_share: None,
                    throttled_ms_per_s: None,
                    neighbour: None,
                });
            }
            (least?, base)
        }
        None => (plain.steps.iter().find(|step| step.broke.is_some())?, plain),
    };
    let objective = step.broke.clone()?;
    let is_it = |found: &&ObjectiveFinding| found.objective == objective;
    Some(BrokeFirst {
        users: !plain.journeys.is_empty(),
        observed: step.objectives.iter().find(is_it).and_then(|found| found.observed),
        rate_per_s: step.offered_per_s,
        cpu_share: step.cpu_share,
        hottest_share: step.hottest_share,
        throttled_ms_per_s: step.throttled_ms_per_s,
        neighbour: of.ran_out_first.clone(),
        objective,
    })
}
