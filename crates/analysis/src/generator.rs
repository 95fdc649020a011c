//! The generator's own state over a run.

use crate::percentiles::ms;
use crate::step_summary::StepSummary;
use plimsoll_findings::{AgentFinding, GeneratorFinding, StepVerdict};
use plimsoll_measure::Host;

/// Of the step that is reported, and whether it kept up in all.
pub(crate) fn generator(reported: Option<&StepSummary>, steps: &[StepSummary], host: &Host) -> GeneratorFinding {
    let own = reported.map(|s| s.generator).unwrap_or_default();
    GeneratorFinding {
        shards: own.shards,
        busy_share_max: own.busy_share_max,
        lag_p99_ms: reported.and_then(|s| s.schedule_lag.p99_ms),
        wake_lag_p99_ms: own.wake_lag.map(|lag| ms(lag.p99_ns)),
        wake_lag_p999_ms: own.wake_lag.and_then(|lag| (lag.p999_ns > 0).then(|| ms(lag.p999_ns))),
        cpu_us_per_request: own.cpu_us_per_request,
        kept_up: steps
            .iter()
            .any(|s| s.judged_windows > 0)
            .then(|| steps.iter().all(|s| s.finding.verdict != StepVerdict::Invalid)),
        agents: host
            .agents
            .iter()
            .enumerate()
            .map(|(place, agent)| {
                let seen = reported.and_then(|step| step.agents.get(place));
                AgentFinding {
                    name: agent.name.clone(),
                    zone: agent.zone.clone(),
                    cores: agent.cores,
                    shards: seen.map_or(0, |seen| seen.shards),
                    busy_share_max: seen.map(|seen| seen.busy_share_max),
                    // Where no start has a due time, none was late.
                    wake_lag_p99_ms: own.wake_lag.and(seen).map(|seen| ms(seen.wake_lag_p99_ns)),
                    seen: reported.and_then(|step| step.seen.get(place).cloned()),
                }
            })
            .collect(),
        zones: reported.map_or_else(Vec::new, |step| step.zones.clone()),
    }
}
