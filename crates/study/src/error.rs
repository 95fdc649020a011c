//! Why a study could not be made.

use plimsoll_lab::LabError;
use plimsoll_measure::run_directory::DirectoryError;
use plimsoll_plan::PlanError;
use plimsoll_target::ProgramError;
use thiserror::Error;

/// A study did not come to a result. The text fits after "failed to".
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// A run, its directory or a program of it failed.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// A study cannot be measured.
    #[error("{what}: {found}")]
    Unmeasured {
        /// What was attempted.
        what: String,
        /// What is wrong.
        found: String,
        /// What to do about it.
        hint: Option<String>,
    },
}

impl From<ProgramError> for StudyError {
    fn from(error: ProgramError) -> Self {
        Self::Lab(error.into())
    }
}

impl From<PlanError> for StudyError {
    fn from(error: PlanError) -> Self {
        Self::Lab(error.into())
    }
}

impl From<DirectoryError> for StudyError {
    fn from(error: DirectoryError) -> Self {
        Self::Lab(error.into())
    }
}

impl StudyError {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Lab(error) => error.hint(),
            Self::Unmeasured { hint, .. } => hint.clone(),
        }
    }

    /// Whether the user stopped it before there was anything to report.
    #[must_use]
    pub fn cancelled(&self) -> bool {
        matches!(self, Self::Lab(error) if error.cancelled())
    }

    /// Whether the plan or how it was to be run is at fault, and not what it was to be done with.
    #[must_use]
    pub fn is_of_plan(&self) -> bool {
        matches!(self, Self::Lab(error) if error.is_of_plan())
    }
}
