//! Exit codes and the one message that goes with a failure.

use crate::args::ProgressForm;
use crate::stderr;
use plimsoll_findings::{CompareVerdict, Comparison, Event, ScaleVerdict, Scaling, StudyVerdict, Verdict};
use plimsoll_lab::LabError;
use plimsoll_plan::{Mismatch, PlanError};
use plimsoll_study::StudyError;
use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// How the command ends, as a shell or a pipeline sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Every objective held.
    Pass = 0,
    /// Nothing was measured or judged, or anything else went wrong.
    Failed = 1,
    /// A check that had to decide could not.
    Inconclusive = 98,
    /// An objective was breached.
    Breached = 99,
    /// The plan or the arguments are wrong; nothing was started.
    BadPlan = 104,
    /// Stopped by the user; the partial result was written.
    Interrupted = 105,
    /// The generator was the bottleneck; the result is invalid.
    GeneratorLate = 106,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Passed => Self::Pass,
            Verdict::Breached => Self::Breached,
            Verdict::Invalid => Self::GeneratorLate,
            Verdict::Interrupted => Self::Interrupted,
            // An objective that nobody judged is no objective that held.
            Verdict::Unjudged | Verdict::Failed => Self::Failed,
        }
    }
}

impl Exit {
    /// A difference is a result, not a failure, unless the user asked for one.
    pub(crate) fn of_comparison(comparison: &Comparison) -> Self {
        match comparison.verdict {
            CompareVerdict::Invalid => Self::GeneratorLate,
            CompareVerdict::Interrupted => Self::Interrupted,
            CompareVerdict::Failed => Self::Failed,
            // A machine that cannot see a loss must not stop a build, unless it was asked to.
            CompareVerdict::Inconclusive if comparison.gate.as_ref().is_some_and(|gate| gate.fail_if_inconclusive) => {
                Self::Inconclusive
            }
            _ if comparison.failed => Self::Breached,
            _ => Self::Pass,
        }
    }

    /// That an effect is not reproduced is a result as well.
    pub(crate) const fn of_study(verdict: StudyVerdict) -> Self {
        match verdict {
            StudyVerdict::Reproduced
            | StudyVerdict::Partly
            | StudyVerdict::NotReproduced
            | StudyVerdict::Untold
            | StudyVerdict::Shown => Self::Pass,
            StudyVerdict::Invalid => Self::GeneratorLate,
            StudyVerdict::Interrupted => Self::Interrupted,
            StudyVerdict::Failed => Self::Failed,
        }
    }

    /// Of several, the first that is no success.
    pub(crate) fn or(self, next: Self) -> Self {
        if self == Self::Pass { next } else { self }
    }

    pub(crate) fn of_scaling(scaling: &Scaling) -> Self {
        match scaling.verdict {
            ScaleVerdict::Fitted => Self::Pass,
            ScaleVerdict::Invalid => Self::GeneratorLate,
            ScaleVerdict::Interrupted => Self::Interrupted,
            ScaleVerdict::Failed => Self::Failed,
        }
    }
}

/// Why there is no result.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// `what` fits after "failed to".
    pub(crate) fn to(what: impl Display) -> Self {
        Self {
            exit: Exit::Failed,
            message: format!("failed to {what}"),
            hint: None,
        }
    }

    /// The system does not let us do `what`.
    pub(crate) fn refused(what: &str, error: &io::Error) -> Self {
        Self {
            hint: plimsoll_target::hint_on_refusal(error),
            ..Self::to(format!("{what}: {error}"))
        }
    }

    /// The plan or the arguments are wrong.
    pub(crate) fn bad_plan(message: impl Display) -> Self {
        Self {
            exit: Exit::BadPlan,
            message: message.to_string(),
            hint: None,
        }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says it on standard error.
    pub(crate) fn tell(self, form: ProgressForm) -> Exit {
        let failed = Event::Failed {
            exit_code: self.exit as u8,
            message: &self.message,
            hint: self.hint.as_deref(),
        };
        match (form, plimsoll_report::event_json(&failed)) {
            (ProgressForm::Json, Some(line)) => stderr::tell(&line),
            _ => {
                stderr::tell(&plimsoll_report::event(&failed));
                if let Some(hint) = self.hint {
                    stderr::tell(&format!("hint: {hint}"));
                }
            }
        }
        self.exit
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Self {
        Self {
            hint: error.mismatch().hint_text().map(str::to_owned),
            ..Self::bad_plan(error.message())
        }
    }
}

impl From<Mismatch> for Failure {
    fn from(mismatch: Mismatch) -> Self {
        Self {
            hint: mismatch.hint_text().map(str::to_owned),
            ..Self::bad_plan(mismatch.message())
        }
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        Self::from(StudyError::from(error))
    }
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        let exit = match error {
            _ if error.is_of_plan() => Exit::BadPlan,
            _ if error.cancelled() => Exit::Interrupted,
            _ => Exit::Failed,
        };
        Self {
            exit,
            hint: error.hint(),
            message: format!("failed to {error}"),
        }
    }
}
