//! The rounds of a series read back.

use crate::error::LabError;
use crate::replay_run::replay_run;
use plimsoll_files::Directory;
use plimsoll_findings::WhatIf;
use plimsoll_measure::run_directory::{self, Budget, ComparisonInfo, RunReader};
use plimsoll_series::{ComparedRound, what_if};

/// A series and its rounds.
pub(crate) fn rounds_in(
    directory: &Directory,
    budget: &Budget,
) -> Result<(ComparisonInfo, Vec<ComparedRound>), LabError> {
    let info = ComparisonInfo::read(directory, budget)?;
    let rounds: Result<Vec<ComparedRound>, LabError> = (0..)
        .zip(&info.rounds)
        .map(|(number, place)| {
            let inner = run_directory::inner(directory, &place.directory)?;
            let outcome = replay_run(&RunReader::of(inner, budget)?)?;
            Ok(ComparedRound::of(number, place, &outcome.findings).saying(outcome.contents))
        })
        .collect();
    Ok((info, rounds?))
}

/// What the rounds of a comparison in a diagnosis come to.
pub(crate) fn what_if_in(directory: &Directory, budget: &Budget) -> Result<WhatIf, LabError> {
    let (info, rounds) = rounds_in(directory, budget)?;
    let name = directory.path().file_name().unwrap_or_default();
    Ok(what_if(&info, &rounds, &name.to_string_lossy()))
}
