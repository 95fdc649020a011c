//! A run directory read back: the same records, the same findings.

use crate::diagnosis::Seen;
use crate::error::LabError;
use crate::event::Event;
use crate::journal::Journal;
use crate::outcome::Outcome;
use plimsoll_analysis::Fold;
use plimsoll_files::Directory;
use plimsoll_findings::Findings;
use plimsoll_measure::run_directory::{Budget, RunReader, open};
use plimsoll_measure::{Ended, Host, NoteKind, Record, RunEnd, RunKind};
use plimsoll_plan::Plan;
use serde::Deserialize;
use std::path::Path;

/// What the run or diagnosis in `directory` comes to, from its records alone. Works on one that was cut off.
///
/// # Errors
/// When it is not a run directory, or its plan cannot be read.
pub fn replay(directory: &Path) -> Result<Findings, LabError> {
    replay_in(open(directory)?, &Budget::default())
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

fn replay_run(reader: &RunReader) -> Result<Outcome, LabError> {
    let plan = plan(reader)?;
    let host = reader.host().cloned().unwrap_or_else(Host::default);
    let mut nobody = |_: Event<'_>| {};
    let mut journal = Journal::new(None, Fold::new(&plan, reader.info(), &host), &mut nobody);
    reader.for_each(|record| journal.push(&record))?;
    end_as_before(reader, &mut journal);
    let probe = reader.for_each_probe_line(|line| journal.probe(0, line))?;
    let origins = |text: Option<String>| {
        text.and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    };
    let profiles = reader.for_each_profile(|profile| journal.kept_profile(&profile.json, &origins(profile.origins)))?;
    let allocations =
        reader.for_each_allocations(|profile| journal.kept_allocations(&profile.json, &origins(profile.origins)))?;
    for left_out in [probe, profiles, allocations].into_iter().flatten() {
        journal.note(0, NoteKind::Warning, left_out, None);
    }
    let findings = journal.fold.findings();
    Ok(journal.into_outcome(findings))
}

/// A directory from before runs marked their end: what it came to was written last, so the run was over when that is
/// there and of the stream that is there.
fn end_as_before(reader: &RunReader, journal: &mut Journal<'_>) {
    /// Of findings in any version.
    #[derive(Deserialize)]
    struct Kept {
        duration_s: f64,
    }
    if reader.info().marks_end || journal.fold.has_ended() {
        return;
    }
    let end_ns = journal.fold.end_ns();
    let kept = reader
        .findings_json()
        .and_then(|json| serde_json::from_str::<Kept>(&json).ok());
    if kept.is_some_and(|kept| (kept.duration_s - end_ns as f64 / 1e9).abs() < 1e-6) {
        journal.end(end_ns, Ended::Complete);
    }
}

/// The runs of a diagnosis are the directories in its own.
fn replay_diagnosis(outer: &RunReader) -> Result<Findings, LabError> {
    let plan = plan(outer)?;
    let mut seen = Seen::default();
    for reader in outer.inner()? {
        if reader.info().kind != RunKind::Diagnose {
            seen.put(reader.info().kind, replay_run(&reader)?);
        }
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

fn plan(reader: &RunReader) -> Result<Plan, LabError> {
    let text = reader
        .plan_json()
        .ok_or_else(|| LabError::KeptPlan(format!("{} has none", reader.path().display())))?;
    Plan::parse_saved(text, "plan.json").map_err(|error| LabError::KeptPlan(error.to_string()))
}
