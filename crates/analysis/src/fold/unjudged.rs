//! What of a run has no verdict, and why.

use super::Fold;
use crate::step_summary::StepSummary;
use plimsoll_findings::{Findings, Notice, Unjudged, Verdict};
use plimsoll_measure::{Ended, NoteKind};

impl Fold {
    /// Notices for what has no verdict. A run that was cut off says that once for all of it, and one whose generator was
    /// late likewise.
    pub(super) fn say_what_was_not_judged(&self, findings: &mut Findings, reported: Option<&StepSummary>) {
        if let Some(Ended::Failed(why)) = &self.ended {
            findings.notices.push(Notice::CouldNotGoOn { why: why.clone() });
        }
        match findings.verdict {
            Verdict::Interrupted if self.ended.is_none() && !self.has_note(NoteKind::Interrupted) => {
                findings.notices.push(Notice::NoEnd);
                return;
            }
            Verdict::Interrupted | Verdict::Invalid => return,
            _ => {}
        }
        let no_message = self
            .hold
            .as_ref()
            .and_then(|hold| hold.sent_nothing().then_some(Unjudged::NoMessage));
        let why_nothing = match reported {
            Some(step) => step
                .nothing_judged
                .or(no_message.filter(|_| findings.verdict == Verdict::Unjudged)),
            None => Some(Unjudged::NothingMeasured),
        };
        if let Some(because) = why_nothing {
            findings.notices.push(Notice::NothingJudged { because });
            return;
        }
        for (objective, because) in reported.map(|step| step.unjudged.as_slice()).unwrap_or_default() {
            findings.notices.push(Notice::Unjudged {
                objective: objective.clone(),
                because: *because,
            });
        }
    }
}
