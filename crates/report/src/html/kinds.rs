//! Sections that only runs of some kinds have: held connections, a shock, growth.

use super::document::{Block, Layout, fact, section};
use super::parts::facts;
use crate::words;
use plimsoll_findings::Findings;

pub(super) fn held(findings: &Findings) -> Option<Block> {
    let hold = findings.hold.as_ref()?;
    let all = words::hold(hold).into_iter();
    let all = all.map(|(name, text)| fact(&words::capitalised(name), text));
    Some(section(
        "held",
        words::what_was_held(hold),
        "Opened at a pace and kept open. What the kernel spends is counted for all ends on this machine.",
        vec![facts(Layout::Lines, all.collect())],
    ))
}

pub(super) fn shock(findings: &Findings) -> Option<Block> {
    let shock = findings.shock.as_ref()?;
    let all = words::shock_facts(shock).into_iter();
    let all = all.map(|(name, text)| fact(&words::capitalised(name), text));
    Some(section(
        "shock",
        words::SHOCK,
        "The service was disturbed on purpose, under a load that did not change otherwise. Objectives, times and resources below are those before.",
        vec![facts(Layout::Lines, all.collect())],
    ))
}

pub(super) fn soak(findings: &Findings) -> Option<Block> {
    let all = words::soak_facts(findings.soak.as_ref()?).into_iter();
    let all = all.map(|(name, text)| fact(&words::capitalised(name), text));
    Some(section(
        "growth",
        words::SOAK,
        "The service was watched under a load that did not change. A slope is that of a straight line through long pieces of the time.",
        vec![facts(Layout::Lines, all.collect())],
    ))
}
