//! What is done once before the load and once after it, by one user who is not measured.

use crate::error::LabError;
use crate::journal::Journal;
use crate::stepper::Stepper;
use plimsoll_engine::{Alone, Generator, Hidden, Job, LaidOut, Ticks, monotonic_ns};
use plimsoll_measure::{ErrorClass, Example, NoteKind};
use plimsoll_plan::{KnownSecrets, Plan};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What is done after the load is given up after this time.
const AFTER_MAX: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(100);

impl Stepper<'_> {
    /// Does what comes before the load. From then on requests have the values that it left, and nothing shows them.
    pub(crate) fn do_before(&mut self) -> Result<(), LabError> {
        let Some(plan) = self.plan.before()? else { return Ok(()) };
        let alone = self.job_alone(&plan)?.run_alone(self.stop, || true)?;
        let values = match alone {
            Alone::Finished(values) => values,
            Alone::Failed(class, example) => return Err(LabError::Before(words(&plan, class, example.as_ref()))),
            Alone::Stopped => return Err(LabError::Stopped),
        };
        let plan = self.plan.given(&values).map_err(|error| {
            let found = error.mismatch().message();
            LabError::Before(format!("{found}, in a value that it keeps"))
        })?;
        self.requests = LaidOut::of(&plan).map_err(|error| LabError::Plan(error.to_string()))?;
        self.hidden = hidden(&plan);
        let known = KnownSecrets::of(&plan);
        self.subject.hide(&known);
        self.given = Some(plan);
        Ok(())
    }

    /// Does what comes after the load, also where the user stopped it. That it failed changes nothing of what was measured.
    pub(crate) fn do_after(&self, journal: &mut Journal<'_>) -> Result<(), LabError> {
        let plan = self.given.as_ref().unwrap_or(self.plan);
        let Some(plan) = plan.after()?.filter(|_| self.subject.is_there()) else {
            return Ok(());
        };
        let ends_ns = monotonic_ns() + AFTER_MAX.as_nanos() as u64;
        let alone = self
            .job_alone(&plan)?
            .run_alone(&AtomicBool::new(false), || monotonic_ns() < ends_ns)?;
        let found = match alone {
            Alone::Finished(_) => return Ok(()),
            Alone::Failed(class, example) => words(&plan, class, example.as_ref()),
            Alone::Stopped => format!("it was given up after {} s", AFTER_MAX.as_secs()),
        };
        let message = format!("what `after` does did not come to its end: {found}");
        journal.note(self.now_ns(), NoteKind::Warning, message, None);
        Ok(())
    }

    /// A job whose one user does what `plan` says.
    pub(crate) fn job_alone(&self, plan: &Plan) -> Result<Job, LabError> {
        let requests = LaidOut::of(plan).map_err(|error| LabError::Plan(error.to_string()))?;
        Ok(Job {
            requests,
            hidden: hidden(plan),
            connections: plan.connections(),
            generator: Generator {
                shards: 1,
                ..self.generator.clone()
            },
            ticks: Ticks::each(LOOK_EVERY),
            actions: None,
            ..self.job_of(plan.load().clone(), Duration::ZERO, LOOK_EVERY)
        })
    }
}

/// What no report shows where this plan is carried out.
pub(crate) fn hidden(plan: &Plan) -> Hidden {
    let scenario = plan.scenario();
    let takes = !scenario.journeys.is_empty() || !scenario.after.is_empty() || !scenario.before.is_empty();
    Hidden::new(KnownSecrets::of(plan)).with_responses(takes)
}

/// Why a request of this plan failed.
fn words(plan: &Plan, class: ErrorClass, example: Option<&Example>) -> String {
    let Some(example) = example else {
        return class.as_str().to_owned();
    };
    // Where there is only one, it goes without saying in an example.
    let only = || {
        plan.scenario()
            .all_requests()
            .next()
            .map(|request| request.name.as_str())
    };
    let request = match example.request.as_str() {
        "" => only().unwrap_or_default(),
        name => name,
    };
    let expected = match example.expected.as_str() {
        "" => String::new(),
        text => format!(", expected {text}"),
    };
    format!("request `{request}`: found {}{expected}", example.found)
}
