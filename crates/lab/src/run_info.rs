//! What a run is, written before it begins.

use plimsoll_measure::{RunInfo, RunKind};
use plimsoll_plan::{Limit, Plan};

/// Quantiles that every line of the run directory keeps, besides those of the objectives.
const QUANTILES: [f64; 5] = [0.5, 0.9, 0.95, 0.99, 0.999];

/// What a run of `plan` is that begins now.
pub(crate) fn run_info(plan: &Plan, kind: RunKind) -> RunInfo {
    let mut quantiles = QUANTILES.to_vec();
    for objective in plan.objectives() {
        if let Limit::ResponseTime { quantile, .. }
        | Limit::HandshakeTime { quantile, .. }
        | Limit::OpeningTime { quantile, .. }
        | Limit::JourneyTime { quantile, .. }
        | Limit::MessageTime { quantile, .. } = objective.limit
        {
            quantiles.push(quantile.value());
        }
    }
    quantiles.sort_by(f64::total_cmp);
    quantiles.dedup();
    RunInfo {
        format: RunInfo::format(),
        kind,
        started_at: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        quantiles,
        marks_end: true,
    }
}
