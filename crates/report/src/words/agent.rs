//! Words for the agents of a fleet.

use crate::figures;
use plimsoll_findings::{AgentFinding, SeenFinding, ZoneFinding};

/// An agent in one line: how busy and how late it was, and what it saw.
pub(crate) fn agent(of: &AgentFinding) -> String {
    let mut parts = vec![
        figures::counted(of.cores.into(), "core"),
        figures::counted(of.shards.into(), "shard"),
    ];
    parts.extend(
        of.busy_share_max
            .map(|share| format!("busiest {} busy", figures::share(share))),
    );
    let late = of.wake_lag_p99_ms.map(figures::duration_ms);
    parts.extend(late.map(|late| format!("woke {late} late at p99")));
    let zone = of.zone.as_ref().map_or_else(String::new, |zone| format!(" in {zone}"));
    let seen = of.seen.as_ref().map(seen).filter(|seen| !seen.is_empty());
    let seen = seen.map_or_else(String::new, |seen| format!("; {seen}"));
    format!("{}{zone}: {}{seen}", of.name, parts.join(", "))
}

/// A zone in one line: what its agents saw.
pub(crate) fn zone(of: &ZoneFinding) -> String {
    let agents = figures::counted(of.agents.into(), "agent");
    let seen = seen(&of.seen);
    match seen.as_str() {
        "" => format!("{}: {agents}", of.name),
        seen => format!("{}: {agents}; {seen}", of.name),
    }
}

fn seen(of: &SeenFinding) -> String {
    let times = &of.response_time;
    let at = |name: &str, ms: Option<f64>| ms.map(|ms| format!("{name} {}", figures::duration_ms(ms)));
    let parts = [
        at("p50", times.p50_ms),
        at("p99", times.p99_ms),
        at("max", times.max_ms),
        of.error_share.map(|share| format!("errors {}", figures::share(share))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
