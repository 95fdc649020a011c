//! The rules about the machines that make the load.

use super::{Checked, flaw, rule};
use crate::notation::mismatch::{Mismatch, quoted};
use crate::plan::fleet::FleetPlan;

const MOST_AGENTS: u32 = 1_000;
const MOST_LOCAL_AGENTS: u32 = 64;

pub(super) fn check_fleet(fleet: &FleetPlan) -> Checked {
    let FleetPlan {
        url,
        key,
        agents,
        min_agents,
    } = fleet;
    let most = if url.is_local() { MOST_LOCAL_AGENTS } else { MOST_AGENTS };
    let where_they_are = if url.is_local() { " on this machine" } else { "" };
    for (name, count) in [("agents", agents), ("min_agents", min_agents)] {
        let Some(count) = count else { continue };
        let expected = format!("1 to {most} agents{where_they_are}");
        rule(
            (1..=most).contains(count),
            format!("fleet.{name}"),
            quoted(&count.to_string()),
            expected,
        )?;
    }
    if let (Some(wanted), Some(least)) = (agents, min_agents) {
        let found = format!("at least {least} of {wanted} agents");
        rule(
            least <= wanted,
            "fleet.min_agents",
            found,
            "no more than `fleet.agents`",
        )?;
    }
    if key.is_some() && url.is_local() {
        let mismatch = Mismatch::new("a key for local agents, whose broker has one of its own", "no `key`");
        return flaw(
            "fleet.key",
            mismatch.hint("leave it out, or write the URL of a broker that runs elsewhere"),
        );
    }
    Ok(())
}
