//! One run read back: the same records, the same findings.

use crate::error::LabError;
use crate::journal::Journal;
use crate::outcome::Outcome;
use plimsoll_analysis::Fold;
use plimsoll_findings::Event;
use plimsoll_measure::run_directory::RunReader;
use plimsoll_measure::{Ended, Host, NoteKind};
use plimsoll_plan::Plan;
use serde::Deserialize;

/// What a run left. Works on one that was cut off.
pub(crate) fn replay_run(reader: &RunReader) -> Result<Outcome, LabError> {
    replay_by(reader, &plan(reader)?)
}

/// The same by `plan` instead of the run's own.
pub(crate) fn replay_by(reader: &RunReader, plan: &Plan) -> Result<Outcome, LabError> {
    let host = reader.host().cloned().unwrap_or_else(Host::default);
    let mut nobody = |_: Event<'_>| {};
    let mut journal = Journal::new(None, Fold::new(plan, reader.info(), &host), &mut nobody);
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
    let findings = journal.findings();
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

/// The plan of a run.
pub(crate) fn plan(reader: &RunReader) -> Result<Plan, LabError> {
    let text = reader
        .plan_json()
        .ok_or_else(|| LabError::KeptPlan(format!("{} has none", reader.path().display())))?;
    Plan::parse_saved(text, "plan.json").map_err(|error| LabError::KeptPlan(error.to_string()))
}
