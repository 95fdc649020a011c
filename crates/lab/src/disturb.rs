//! Disturbs the service as a shock says.
//!
//! That happens between two ticks, so that every tick is wholly before the beginning or end of a shock, or after it.

use crate::journal::Journal;
use crate::service::{start_target, stop_target};
use crate::shock::{Phase, Shocking};
use crate::stepper::{StepResult, Stepper};
use plimsoll_measure::{NoteKind, Shock, ShockPhase, Tick};
use std::sync::atomic::Ordering;

impl Stepper<'_> {
    /// After a tick: does what is due. A step ends where that fails.
    pub(crate) fn pass_shock(&mut self, step_start_ns: u64, tick: &Tick, journal: &mut Journal<'_>) -> StepResult {
        let Some(mut shocking) = self.shocking.take() else {
            return StepResult::Over;
        };
        let result = self.pass(&mut shocking, step_start_ns, tick, journal);
        self.shocking = Some(shocking);
        result
    }

    fn pass(
        &mut self,
        shocking: &mut Shocking,
        step_start_ns: u64,
        tick: &Tick,
        journal: &mut Journal<'_>,
    ) -> StepResult {
        // A tick may end a little early.
        let reached_ns = tick.start_ns + tick.duration_ns + tick.duration_ns / 20;
        let begins_ns = step_start_ns + shocking.plan.begins.as_nanos() as u64;
        let ends_ns = begins_ns + shocking.plan.lasts.as_nanos() as u64;
        match shocking.phase {
            Phase::ToCome if reached_ns >= begins_ns => self.begin(shocking, begins_ns, journal),
            Phase::Lasts if reached_ns >= ends_ns => self.end(shocking, ends_ns, journal),
            _ => StepResult::Over,
        }
    }

    fn begin(&mut self, shocking: &mut Shocking, planned_ns: u64, journal: &mut Journal<'_>) -> StepResult {
        shocking.phase = Phase::Lasts;
        let at_ns = self.moment(shocking, planned_ns);
        shocking.mark(ShockPhase::Begins, at_ns, journal);
        match &shocking.plan.shock {
            Shock::Burst { .. } => {}
            Shock::NeighbourPaused { name } => {
                if let Some(here) = self.subject.here() {
                    here.neighbours.pause(name);
                }
            }
            Shock::NeighbourGone { name } => {
                let stop = self.stop;
                if let Some(here) = self.subject.here() {
                    here.neighbours.end(name, at_ns, stop, journal);
                }
            }
            Shock::Restart => return self.restart(shocking, journal),
        }
        StepResult::Over
    }

    fn end(&mut self, shocking: &mut Shocking, planned_ns: u64, journal: &mut Journal<'_>) -> StepResult {
        shocking.phase = Phase::Over;
        if let (Shock::NeighbourPaused { name }, Some(here)) = (&shocking.plan.shock, self.subject.here()) {
            here.neighbours.go_on(name);
        }
        let at_ns = self.moment(shocking, planned_ns);
        shocking.mark(ShockPhase::Ends, at_ns, journal);
        let stop = self.stop;
        let (Shock::NeighbourGone { name }, Some(here)) = (&shocking.plan.shock, self.subject.here()) else {
            return StepResult::Over;
        };
        match here.neighbours.start_again(name, stop) {
            Err(error) if !self.stop.load(Ordering::Relaxed) => {
                let message = format!("after its loss plimsoll failed to {error}");
                journal.note(self.now_ns(), NoteKind::NeighbourDied, message, error.hint());
                StepResult::NeighbourDied
            }
            _ => StepResult::Over,
        }
    }

    /// A burst is in the schedule of the load; everything else happens now.
    fn moment(&self, shocking: &Shocking, planned_ns: u64) -> u64 {
        match shocking.plan.shock {
            Shock::Burst { .. } => planned_ns,
            _ => self.now_ns(),
        }
    }

    /// Ends the service and starts it again. Load goes on meanwhile.
    fn restart(&mut self, shocking: &mut Shocking, journal: &mut Journal<'_>) -> StepResult {
        shocking.phase = Phase::Over;
        let (at_ns, stop) = (self.now_ns(), self.stop);
        if let Some(target) = self.subject.here().and_then(|here| here.target.take()) {
            stop_target(target, at_ns, stop, journal);
        }
        shocking.mark(ShockPhase::Ends, self.now_ns(), journal);
        let plan = self.given.as_ref().unwrap_or(self.plan);
        let tls = self.tls.as_ref();
        match start_target(plan, tls, &shocking.cpus, &shocking.output, None, self.stop, journal) {
            Ok(target) => {
                if let Some(here) = self.subject.here() {
                    here.target = target;
                }
                StepResult::Over
            }
            Err(_) if self.stop.load(Ordering::Relaxed) => StepResult::Over,
            Err(error) => {
                let message = format!("after it was ended for a restart plimsoll failed to {error}");
                journal.note(self.now_ns(), NoteKind::TargetDied, message, error.hint());
                StepResult::TargetDied
            }
        }
    }
}
