//! How a step went: its verdict, and whether each objective held.

use super::Step;
use crate::judge::{Tally, allowed_failures};
use crate::lateness::Watch;
use crate::rules::Rules;
use crate::step_summary::StepOutcome;
use crate::window::{own_errors, per_s};
use plimsoll_findings::{Late, StepVerdict, Unjudged};
use plimsoll_plan::{Level, Objective};

impl Step {
    /// Windows that are judged when the step runs its planned length.
    fn windows_planned(&self, rules: &Rules) -> Option<u32> {
        let judged_ns = self.start.planned_ns?.saturating_sub(self.start.warm_up_ns);
        let windows = judged_ns.saturating_add(rules.slack_ns()) / rules.window_ns();
        Some(u32::try_from(windows).unwrap_or(u32::MAX))
    }

    /// How the step went as far as its objectives could be judged, and the first that did not hold. The search goes by
    /// this; that an objective has no figure at all is for [`Step::summary`] to say.
    pub(super) fn verdict(&self, tallies: &[Tally], watch: &Watch, rules: &Rules) -> (StepVerdict, Option<usize>) {
        if self.judged_windows == 0 {
            return (StepVerdict::Unjudged, None);
        }
        if self.invalid_because(watch, rules).is_some() {
            return (StepVerdict::Invalid, None);
        }
        let wanted = rules.judging.passing_windows;
        let cut_short = self.ended.is_some_and(|end| end.cut_short);
        let planned = self
            .windows_planned(rules)
            .filter(|&planned| planned > self.judged_windows);
        // Of a step that was cut short only that is known which the rest could not have made up for.
        let of_windows = |judged: u32| planned.filter(|_| cut_short).unwrap_or(judged);
        let objectives = rules.objectives.iter().zip(tallies);
        let broken = |(objective, t): (&Objective, &Tally)| {
            t.failed() > allowed_failures(objective, of_windows(t.judged), wanted)
        };
        // As `Findings::broke`: one with a figure before one without.
        let broke = objectives
            .clone()
            .position(|judged| broken(judged) && judged.1.observed.is_some())
            .or_else(|| objectives.clone().position(broken));
        if broke.is_some() {
            (StepVerdict::Breached, broke)
        } else if cut_short && planned.is_some() || !tallies.is_empty() && tallies.iter().all(|t| t.judged == 0) {
            (StepVerdict::Unjudged, None)
        } else if self.outcomes.passed == 0 && self.held.is_none() {
            let nothing_known = self.outcomes.finished() == 0;
            let verdict = if nothing_known {
                StepVerdict::Unjudged
            } else {
                StepVerdict::Breached
            };
            (verdict, None)
        } else {
            (StepVerdict::Passed, None)
        }
    }

    /// Why the step says nothing of the service. A connection that the generator had no port or descriptor for is missing long
    /// before anything is judged.
    pub(super) fn invalid_because(&self, watch: &Watch, rules: &Rules) -> Option<Late> {
        let own = self.held.as_ref().map_or(0, |_| own_errors(&self.all));
        let out_of_resources = (own > 0).then_some(Late::OutOfResources { requests: own });
        out_of_resources.or_else(|| watch.invalid_because(rules.bounds))
    }

    pub(crate) fn outcome(&self, rules: &Rules) -> StepOutcome {
        let (tallies, watch) = self.judge_up_to_now(rules);
        let (verdict, broke) = self.verdict(&tallies, &watch, rules);
        StepOutcome {
            step: self.start.step,
            level: match self.start.users.or(self.start.connections) {
                Some(number) => Level::whole(number),
                None => Level::from_micro(self.start.rate_micro_per_s.unwrap_or(0)),
            },
            verdict,
            broke,
            tallies,
            windows_planned: self.windows_planned(rules).unwrap_or(self.judged_windows),
            throughput_per_s: per_s(self.judged.completed, self.judged_ns),
            // Of connections most of what they cost comes with no request.
            cpu_us_per_request: self.service.cpu_us_per_request().filter(|_| self.held.is_none()),
            requests_passed: self
                .all
                .passed
                .saturating_add(self.held.as_ref().map_or(0, |held| held.live)),
            start_ns: self.start.at_ns,
            end_ns: self.end_ns,
        }
    }

    /// Whether one objective holds over the whole step, or why that is not known.
    pub(super) fn holds(
        &self,
        objective: &Objective,
        (tally, closed): (&Tally, &Tally),
        invalid: bool,
        rules: &Rules,
    ) -> Result<bool, Unjudged> {
        if invalid {
            return Err(Unjudged::GeneratorLate);
        }
        if tally.judged == 0 || tally.lost > 0 {
            return Err(self.unjudged(objective, tally));
        }
        // The window that is open may still come out otherwise.
        let tally = if self.ended.is_some() { tally } else { closed };
        let planned = self.windows_planned(rules).unwrap_or(u32::MAX);
        let is_whole = match self.ended {
            Some(end) => !end.cut_short || planned <= self.judged_windows,
            None => false,
        };
        // What is missing may all pass.
        let windows = tally.judged.max(if is_whole { 0 } else { planned });
        if tally.failed() > allowed_failures(objective, windows, rules.judging.passing_windows) {
            Ok(false)
        } else if is_whole {
            Ok(true)
        } else {
            Err(Unjudged::CutShort)
        }
    }
}
