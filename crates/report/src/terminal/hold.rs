//! The section about held connections.

use super::page::Page;
use super::{fact, section as titled};
use crate::words;
use plimsoll_findings::Findings;

pub(super) fn section(page: &mut Page, findings: &Findings) {
    let Some(hold) = &findings.hold else { return };
    titled(page, words::what_was_held(hold), " held open");
    for (name, text) in words::hold(hold) {
        fact(page, name, &text);
    }
}
