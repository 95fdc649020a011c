//! Words for the agents of a fleet.

use crate::figures;
use plimsoll_findings::AgentFinding;

/// An agent in one line: how busy and how late it was.
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
    format!("{}: {}", of.name, parts.join(", "))
}
