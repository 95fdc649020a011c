//! The section about journeys.

use super::page::{Page, Paint, plain, span};
use super::section as titled;
use super::table::{Side, Table};
use crate::words;
use plimsoll_findings::Findings;

pub(super) fn section(page: &mut Page, findings: &Findings) {
    let journeys = &findings.journeys;
    if journeys.is_empty() {
        return;
    }
    let at = format!(" {}; counts over the whole run", words::taken_at(findings));
    titled(page, words::JOURNEYS, &at);
    let mut columns = vec![("journey", Side::Left)];
    columns.extend(words::JOURNEY_HEADS.map(|head| (head, Side::Right)));
    let mut table = Table::new(&columns).spare(&["longest", "waiting p50", "p50"]);
    for journey in journeys {
        let mut cells = vec![plain(journey.name.clone())];
        cells.extend(words::journey_figures(journey).map(plain));
        table.row(cells);
    }
    table.draw(page);
    for journey in journeys {
        page.blank();
        page.line(&[span(Paint::Quiet, format!("  how far users of {} came", journey.name))]);
        let mut columns = vec![("request", Side::Left)];
        columns.extend(words::REACHED_HEADS.map(|head| (head, Side::Right)));
        let mut table = Table::new(&columns);
        for reached in &journey.requests {
            let mut cells = vec![plain(words::reached_name(reached))];
            cells.extend(words::reached_figures(reached).map(plain));
            table.row(cells);
        }
        table.draw(page);
        if let Some(text) = words::of_whom_once(journey) {
            page.paragraph(&[plain("  ")], Paint::Quiet, &text);
        }
    }
    if let Some(text) = words::under_way(journeys) {
        page.paragraph(&[plain("  ")], Paint::Quiet, &text);
    }
}
