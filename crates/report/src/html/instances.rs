//! The processes of a service that run Node.js, where there are several, on a page.

use super::document::{Block, Cell, figures as column, section, table, text};
use crate::words;
use plimsoll_findings::{Findings, InstanceFinding};

pub(super) fn instances(findings: &Findings) -> Option<Block> {
    let target = findings.target_resources.as_ref()?;
    if target.instances.is_empty() {
        return None;
    }
    let [name, process, script] = words::INSTANCE_NAME_HEADS;
    let mut columns = vec![text(name), column(process), text(script)];
    columns.extend(words::INSTANCE_HEADS.map(column));
    let row = |instance: &InstanceFinding| {
        let names = words::instance_names(instance).into_iter();
        let cells = names.chain(words::instance_figures(instance));
        cells.map(Cell::from).collect::<Vec<_>>()
    };
    let rows = target.instances.iter().map(row).collect();
    let lead = format!(
        "The processes of the service that run Node.js, {}. The busiest main thread is what an objective on CPU is held against.",
        words::instances_taken(findings)
    );
    Some(section(
        "instances",
        words::INSTANCES,
        lead,
        vec![table(words::INSTANCES, columns, rows)],
    ))
}
