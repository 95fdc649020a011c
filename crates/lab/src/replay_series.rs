//! A comparison or a sweep that was made, from its rounds alone.

use crate::error::LabError;
use crate::rounds::rounds_in;
use plimsoll_files::Directory;
use plimsoll_findings::{Comparison, Scaling};
use plimsoll_measure::run_directory::{self, Budget, ComparisonInfo};
use plimsoll_series::{ComparedRound, compare, scale};
use std::path::Path;

/// What rounds come to.
#[derive(Debug, Clone)]
pub enum Series {
    /// Of variants that are compared.
    Comparison(Box<Comparison>),
    /// Of sizes.
    Scaling(Box<Scaling>),
}

/// Whether the directory is that of several runs rather than of one.
#[must_use]
pub fn is_series(directory: &Path) -> bool {
    Directory::open(directory).is_ok_and(|directory| ComparisonInfo::is_in(&directory))
}

/// What the comparison or sweep in `directory` comes to, from its rounds alone. Works on one that was cut off.
///
/// # Errors
/// When it is not the directory of one, or a round cannot be read.
pub fn replay_series(directory: &Path) -> Result<Series, LabError> {
    replay_series_in(&run_directory::open(directory)?, &Budget::default())
}

/// The same of a directory that is open, of which `budget` limits how much is read.
///
/// # Errors
/// When it is not the directory of one, or a round cannot be read.
pub fn replay_series_in(directory: &Directory, budget: &Budget) -> Result<Series, LabError> {
    let (info, rounds) = rounds_in(directory, budget)?;
    Ok(if info.sweep.is_some() {
        Series::Scaling(Box::new(scaling(&info, &rounds)))
    } else {
        Series::Comparison(Box::new(compare(&info, &rounds)))
    })
}

/// The same rounds give the same intervals.
const SEED_OF_REFITS: u64 = 0;

pub(crate) fn scaling(info: &ComparisonInfo, seen: &[ComparedRound]) -> Scaling {
    let sizes = info.sweep.as_ref().map(|sweep| sweep.sizes.clone()).unwrap_or_default();
    scale(info, &sizes, seen, SEED_OF_REFITS)
}
