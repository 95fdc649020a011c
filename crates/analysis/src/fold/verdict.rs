//! Whether a run kept its objectives.

use super::Fold;
use crate::search::{Ending, SearchResult};
use crate::soak;
use crate::step_summary::StepSummary;
use plimsoll_findings::{ObjectiveFinding, StepVerdict, Unjudged, Verdict};
use plimsoll_measure::{Ended, NoteKind};

impl Fold {
    pub(super) fn verdict(
        &self,
        steps: &[StepSummary],
        searched: Option<&SearchResult>,
        reported: Option<&StepSummary>,
    ) -> Verdict {
        let ends = [
            NoteKind::TargetDied,
            NoteKind::OutOfMemory,
            NoteKind::NeighbourDied,
            NoteKind::PortTaken,
        ];
        if ends.into_iter().any(|kind| self.has_note(kind)) {
            return Verdict::Failed;
        }
        if self.is_cut_off(steps) {
            return Verdict::Interrupted;
        }
        if let Some(Ended::Failed(_)) = &self.ended {
            return Verdict::Failed;
        }
        if self.has_note(NoteKind::AgentLost) {
            return Verdict::Invalid;
        }
        if let (Some(hold), None) = (&self.hold, searched) {
            let is_late = |o: &ObjectiveFinding| o.unjudged_because == Some(Unjudged::GeneratorLate);
            let mut objectives = steps.iter().flat_map(|s| &s.finding.objectives);
            return match hold.verdict(&self.totals) {
                Verdict::Passed if objectives.clone().any(|o| o.passed == Some(false)) => Verdict::Breached,
                Verdict::Passed if objectives.clone().any(is_late) => Verdict::Invalid,
                Verdict::Passed if objectives.any(|o| o.passed.is_none()) => Verdict::Unjudged,
                verdict => verdict,
            };
        }
        match searched {
            Some(result) => self.verdict_of_search(result, reported),
            None => match (&self.shock, &self.soak) {
                (Some(shock), _) => shock.verdict(self.verdict_of_run(steps), &self.rules),
                (None, Some(watch)) => soak::verdict(self.verdict_of_run(steps), &watch.finding()),
                (None, None) => self.verdict_of_run(steps),
            },
        }
    }

    /// Whether there are fewer records than the run made, or was to make.
    pub(super) fn is_cut_off(&self, steps: &[StepSummary]) -> bool {
        matches!(self.ended, None | Some(Ended::Interrupted))
            || self.has_note(NoteKind::Interrupted)
            || self.has_note(NoteKind::Torn)
            || steps.iter().any(|step| step.is_lost)
    }

    fn verdict_of_search(&self, result: &SearchResult, reported: Option<&StepSummary>) -> Verdict {
        match result.ending {
            Ending::GeneratorLimit(_) => Verdict::Invalid,
            Ending::Stopped => Verdict::Interrupted,
            _ if result.passed.is_some() && reported.is_none_or(|step| !step.unjudged.is_empty()) => Verdict::Unjudged,
            _ if result.passed.is_some() => Verdict::Passed,
            _ if result.failed.is_some() && self.totals.completed > 0 => Verdict::Breached,
            _ => self.verdict_of_nothing(),
        }
    }

    /// Nothing was judged: the service is to blame where none of the requests got a response.
    fn verdict_of_nothing(&self) -> Verdict {
        if self.totals.completed == 0 && self.totals.errors.total() > 0 {
            Verdict::Failed
        } else {
            Verdict::Unjudged
        }
    }

    fn verdict_of_run(&self, steps: &[StepSummary]) -> Verdict {
        let any = |verdict| steps.iter().any(|s| s.finding.verdict == verdict);
        if any(StepVerdict::Invalid) {
            Verdict::Invalid
        } else if self.totals.completed == 0 {
            self.verdict_of_nothing()
        } else if any(StepVerdict::Breached) {
            Verdict::Breached
        } else if any(StepVerdict::Passed) && !any(StepVerdict::Unjudged) {
            Verdict::Passed
        } else {
            Verdict::Unjudged
        }
    }
}
