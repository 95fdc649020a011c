//! A run folder read back: the same records, the same findings.

use crate::error::LabError;
use plimsoll_analysis::{Findings, Fold};
use plimsoll_measure::Host;
use plimsoll_measure::folder::RunReader;
use plimsoll_plan::Plan;
use std::path::Path;

/// What the run in `folder` comes to, from its records alone. Works on a run that was cut off.
///
/// # Errors
/// When it is not a run folder, or its plan cannot be read.
pub fn replay(folder: &Path) -> Result<Findings, LabError> {
    let reader = RunReader::open(folder)?;
    let text = reader
        .plan_json()
        .ok_or_else(|| LabError::KeptPlan(format!("{} has none", folder.display())))?;
    let plan = Plan::parse_saved(text, "plan.json").map_err(|error| LabError::KeptPlan(error.to_string()))?;
    let host = reader.host().cloned().unwrap_or_else(Host::default);
    let mut fold = Fold::new(&plan, reader.info(), &host);
    reader.for_each(|record| fold.push(&record))?;
    Ok(fold.findings())
}
