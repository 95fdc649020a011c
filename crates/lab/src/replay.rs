//! A run directory read back: the same records, the same findings.

use crate::diagnosis::Seen;
use crate::error::LabError;
use crate::replay_run::{plan, replay_by, replay_run};
use crate::rounds::what_if_in;
use plimsoll_analysis::Fold;
use plimsoll_files::Directory;
use plimsoll_findings::Findings;
use plimsoll_measure::run_directory::{Budget, RunReader, open};
use plimsoll_measure::{Ended, Host, Record, RunEnd, RunKind};
use plimsoll_plan::Plan;
use std::path::Path;

/// What the run or diagnosis in `directory` comes to, from its records alone. Works on one that was cut off.
///
/// # Errors
/// When it is not a run directory, or its plan cannot be read.
pub fn replay(directory: &Path) -> Result<Findings, LabError> {
    replay_in(open(directory)?, &Budget::default())
}

/// The same with another plan: `change` is given the kind of the run and its plan. What was measured stays, so only what is asked of
/// it may change.
///
/// # Errors
/// When it is not the directory of one run, its plan cannot be read, or `change` fails.
pub fn replay_as<E: From<LabError>>(
    directory: &Path,
    change: impl FnOnce(RunKind, Plan) -> Result<Plan, E>,
) -> Result<Findings, E> {
    let reader = RunReader::open(directory).map_err(LabError::from)?;
    let plan = change(reader.info().kind, plan(&reader)?)?;
    Ok(replay_by(&reader, &plan)?.findings)
}

/// The same of a directory that is open, of which `budget` limits how much is read.
///
/// # Errors
/// When it is not a run directory, or its plan cannot be read.
pub fn replay_in(directory: Directory, budget: &Budget) -> Result<Findings, LabError> {
    let reader = RunReader::of(directory, budget)?;
    if reader.info().kind == RunKind::Diagnose {
        return replay_diagnosis(&reader);
    }
    replay_run(&reader).map(|outcome| outcome.findings)
}

/// The runs of a diagnosis are the directories in its own.
fn replay_diagnosis(outer: &RunReader) -> Result<Findings, LabError> {
    let plan = plan(outer)?;
    let mut seen = Seen::of(&plan);
    for reader in outer.inner()? {
        if reader.info().kind != RunKind::Diagnose {
            seen.put(reader.info().kind, replay_run(&reader)?);
        }
    }
    for directory in outer.comparisons()? {
        seen.what_ifs.push(what_if_in(&directory, outer.budget())?);
    }
    outer.for_each(|record| {
        if let Record::RunEnd(end) = record {
            seen.ended = Some(end.ended);
        }
    })?;
    // From before diagnoses marked their end: over when no pass is missing.
    if !outer.info().marks_end && seen.missing().is_none() {
        seen.ended = Some(Ended::Complete);
    }
    Ok(match seen.findings(&plan) {
        Some(findings) => findings,
        // It ended before its first run did anything.
        None => {
            let mut fold = Fold::new(&plan, outer.info(), &Host::default());
            if let Some(ended) = seen.ended {
                fold.push(&Record::RunEnd(RunEnd { at_ns: 0, ended }));
            }
            fold.findings()
        }
    })
}
