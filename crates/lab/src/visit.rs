//! A visit to a service for which there is no plan yet: it is started, lists its routes, and is sent requests one by one.

use crate::around::hidden;
use crate::error::LabError;
use crate::experiment::found;
use crate::generator::{Division, GeneratorOptions};
use crate::here::Here;
use crate::journal::Journal;
use crate::progress::Horizon;
use crate::run_info::run_info;
use crate::secured;
use crate::service::start_target;
use crate::stepper::Stepper;
use crate::subject::Subject;
use plimsoll_analysis::Fold;
use plimsoll_engine::{Alone, LaidOut, monotonic_ns};
use plimsoll_findings::Event;
use plimsoll_measure::RunKind;
use plimsoll_measure::probe::{ProbeMessage, Route};
use plimsoll_plan::{Destination, Plan};
use plimsoll_target::{Probe, ProbeEvent, ProbeMode, Scratch, StartError, Target};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// For the service to load the probe, once it responds, and then to list its routes.
const LISTING_MAX: Duration = Duration::from_secs(2);
/// For a response to a request.
const RESPONSE_MAX: Duration = Duration::from_secs(2);
/// Between two looks at whether the user has stopped it.
const LOOK: Duration = Duration::from_millis(50);

/// A service that was started to be looked at.
pub struct Visit<'a> {
    stepper: Stepper<'a>,
    probe: Probe,
}

/// Starts the service of `plan`, lets `look` see it, and stops it.
///
/// # Errors
/// When it does not start, or the user stops it.
pub fn visit<T>(
    plan: &Plan,
    options: &GeneratorOptions,
    stop: &AtomicBool,
    on_event: &mut dyn FnMut(Event<'_>),
    look: impl FnOnce(&mut Visit<'_>) -> T,
) -> Result<T, LabError> {
    let requests = LaidOut::of(plan).map_err(|error| LabError::Plan(error.to_string()))?;
    let division = Division::new(options, plan, RunKind::Run)?;
    let probe = Probe::listen(ProbeMode::Routes).map_err(LabError::Probe)?;
    // What the service says is shown where it does not start.
    let scratch = Scratch::new("plimsoll-visit-").map_err(LabError::Probe)?;
    let fold = Fold::new(plan, &run_info(plan, RunKind::Run), &division.host());
    let mut journal = Journal::new(None, fold, on_event);
    let tls = secured::connector(plan)?;
    let target = start_target(
        plan,
        tls.as_ref(),
        &division.target_cpus,
        &scratch.path().join("output.txt"),
        Some(&probe),
        stop,
        &mut journal,
    )?;
    let remote = match &target {
        Some(target) => target.address().clone(),
        None => found(Destination::of_load(plan.target()))?,
    };
    let zero_ns = monotonic_ns();
    let mut visit = Visit {
        stepper: Stepper {
            plan,
            given: None,
            requests,
            hidden: hidden(plan),
            room: division.room,
            generator: division.generator_for(&remote)?,
            remote,
            tls,
            actions: None,
            quantiles: Vec::new(),
            subject: Subject::Here(Box::new(Here {
                target,
                ..Here::default()
            })),
            zero_ns,
            stop,
            horizon: Horizon {
                start_ns: 0,
                whole: None,
            },
            next_step: 0,
            first: 0,
            fleet: None,
            shocking: None,
        },
        probe,
    };
    let seen = look(&mut visit);
    visit.stepper.subject.stop(0, stop, &mut journal);
    match stop.load(Ordering::Relaxed) {
        true => Err(StartError::Cancelled.into()),
        false => Ok(seen),
    }
}

impl Visit<'_> {
    /// The routes that threads of the service have.
    ///
    /// # Errors
    /// Why nobody lists them.
    pub fn routes(&mut self) -> Result<Vec<Route>, String> {
        let mut routes: Vec<Route> = Vec::new();
        let mut awaited = BTreeSet::new();
        let mut heard = false;
        let deadline = Instant::now() + LISTING_MAX;
        while let Some(event) = self.next_until(deadline) {
            match event {
                ProbeEvent::Message { connection, message } => match message {
                    ProbeMessage::Hello(_) => {
                        heard = true;
                        awaited.insert(connection);
                        self.probe.list_routes(connection);
                    }
                    ProbeMessage::Routes { routes: listed } => {
                        awaited.remove(&connection);
                        let new: Vec<Route> = listed.into_iter().filter(|route| !routes.contains(route)).collect();
                        routes.extend(new);
                    }
                    ProbeMessage::Off { reason } => {
                        return Err(format!("the probe switched itself off because {reason}"));
                    }
                    _ => {}
                },
                ProbeEvent::Closed { connection } => {
                    awaited.remove(&connection);
                }
                _ => {}
            }
            if heard && awaited.is_empty() {
                return Ok(routes);
            }
        }
        let target = self.stepper.subject.here().and_then(|here| here.target.as_mut());
        match target.and_then(Target::why_no_probe) {
            Some((why, _)) if !heard => Err(why),
            _ => Err("the service did not list them in time".to_owned()),
        }
    }

    /// Sends the requests that come before the load of `plan`, in order.
    ///
    /// # Errors
    /// What was found instead of a success.
    pub fn send(&self, plan: &Plan) -> Result<(), String> {
        let plan = plan.before().map_err(|error| error.to_string())?;
        let Some(plan) = plan else { return Ok(()) };
        let deadline = Instant::now() + RESPONSE_MAX;
        let job = self.stepper.job_alone(&plan).map_err(|error| error.to_string())?;
        let alone = job.run_alone(self.stepper.stop, || Instant::now() < deadline);
        match alone.map_err(|error| error.to_string())? {
            Alone::Finished(_) => Ok(()),
            Alone::Failed(class, example) => Err(example.map_or_else(|| class.as_str().to_owned(), |seen| seen.found)),
            Alone::Stopped => Err(format!("no whole response within {} s", RESPONSE_MAX.as_secs())),
        }
    }

    fn next_until(&self, deadline: Instant) -> Option<ProbeEvent> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.stepper.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(event) = self.probe.next(left.min(LOOK)) {
                return Some(event);
            }
        }
    }
}
