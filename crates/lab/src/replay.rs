//! A run folder read back: the same records, the same findings.

use crate::diagnosis::{DIAGNOSE, Seen};
use crate::error::LabError;
use crate::event::Event;
use crate::experiment::{Kind, Outcome};
use crate::journal::Journal;
use plimsoll_analysis::{Findings, Fold};
use plimsoll_measure::Host;
use plimsoll_measure::folder::RunReader;
use plimsoll_plan::Plan;
use std::path::Path;

/// What the run or diagnosis in `folder` comes to, from its records alone. Works on one that was cut off.
///
/// # Errors
/// When it is not a run folder, or its plan cannot be read.
pub fn replay(folder: &Path) -> Result<Findings, LabError> {
    let reader = RunReader::open(folder)?;
    if reader.info().command == DIAGNOSE {
        return replay_diagnosis(&reader);
    }
    replay_run(&reader).map(|outcome| outcome.findings)
}

fn replay_run(reader: &RunReader) -> Result<Outcome, LabError> {
    let plan = plan(reader)?;
    let host = reader.host().cloned().unwrap_or_else(Host::default);
    let mut nobody = |_: Event<'_>| {};
    let mut journal = Journal::new(None, Fold::new(&plan, reader.info(), &host), &mut nobody);
    reader.for_each(|record| journal.push(&record))?;
    reader.for_each_probe_line(|line| journal.probe(0, line))?;
    let origins = |text: Option<String>| {
        text.and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    };
    for profile in reader.profiles()? {
        journal.kept_profile(&profile.json, &origins(profile.origins));
    }
    for profile in reader.allocations()? {
        journal.kept_allocations(&profile.json, &origins(profile.origins));
    }
    let findings = journal.fold.findings();
    Ok(journal.into_outcome(findings))
}

/// The runs of a diagnosis are the folders in its own.
fn replay_diagnosis(outer: &RunReader) -> Result<Findings, LabError> {
    let plan = plan(outer)?;
    let mut seen = Seen::default();
    for reader in outer.inner()? {
        if let Some(kind) = Kind::named(&reader.info().command) {
            seen.put(kind, replay_run(&reader)?);
        }
    }
    seen.findings(&plan)
        .ok_or_else(|| LabError::Diagnosis(format!("{} holds no run", outer.path().display())))
}

fn plan(reader: &RunReader) -> Result<Plan, LabError> {
    let text = reader
        .plan_json()
        .ok_or_else(|| LabError::KeptPlan(format!("{} has none", reader.path().display())))?;
    Plan::parse_saved(text, "plan.json").map_err(|error| LabError::KeptPlan(error.to_string()))
}
