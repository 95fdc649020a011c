//! What runs beside the service, on a page.

use super::document::{Block, Cell, figures as column, section, table, text};
use crate::words;
use plimsoll_findings::{Findings, NeighbourFinding};

pub(super) fn neighbours(findings: &Findings) -> Option<Block> {
    if findings.neighbours.is_empty() {
        return None;
    }
    let mut columns = vec![text("neighbour")];
    columns.extend(words::NEIGHBOUR_HEADS.map(column));
    columns.push(text("started by"));
    let row = |neighbour: &NeighbourFinding| {
        let mut row: Vec<Cell> = vec![neighbour.name.clone().into()];
        row.extend(words::neighbour_figures(neighbour).map(Cell::from));
        row.push(neighbour.command.clone().into());
        row
    };
    let rows = findings.neighbours.iter().map(row).collect();
    let lead = format!(
        "Started before the service and stopped after it, {}.",
        words::taken_at(findings)
    );
    Some(section(
        "neighbours",
        words::NEIGHBOURS,
        lead,
        vec![table(words::NEIGHBOURS, columns, rows)],
    ))
}
