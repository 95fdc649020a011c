//! The section about a shock.

use super::page::Page;
use super::{fact, section as titled};
use crate::words;
use plimsoll_findings::Findings;

pub(super) fn section(page: &mut Page, findings: &Findings) {
    let Some(shock) = &findings.shock else { return };
    titled(page, words::SHOCK, " and how the service came back");
    for (name, text) in words::shock_facts(shock) {
        fact(page, name, &text);
    }
}
