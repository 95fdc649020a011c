//! The section about growth.

use super::page::Page;
use super::{fact, section as titled};
use crate::words;
use plimsoll_findings::Findings;

pub(super) fn section(page: &mut Page, findings: &Findings) {
    let Some(soak) = &findings.soak else { return };
    titled(page, words::SOAK, " under a load that does not change");
    for (name, text) in words::soak_facts(soak) {
        fact(page, name, &text);
    }
}
