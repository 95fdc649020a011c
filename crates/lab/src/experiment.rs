//! A whole run: from a plan to findings in a run directory.

use crate::around::hidden;
use crate::error::LabError;
use crate::fleet::{Fleet, FleetOptions, zones_have_agents};
use crate::generator::{Division, GeneratorOptions};
use crate::journal::Journal;
use crate::keeping::incomplete;
use crate::outcome::{Outcome, ended};
use crate::progress::Horizon;
use crate::run_info::run_info;
use crate::secured;
use crate::shock::{ShockPlan, Shocking};
use crate::stepper::{StepPlan, StepResult, Stepper};
use crate::subject::Subject;
use plimsoll_analysis::{Decision, Fold, Purpose, WarmedRun};
use plimsoll_engine::{Actions, Connector, Elsewhere, LaidOut, monotonic_ns, resolve};
use plimsoll_findings::{Event, StepVerdict};
use plimsoll_measure::run_directory::{DirectoryError, FleetRun, RunWriter};
use plimsoll_measure::{Host, Record, RunInfo, RunKind};
use plimsoll_plan::{
    Address, Arrivals, ClosedLoad, Destination, HoldLoad, Load, OpenLoad, Plan, Running, SearchUnit, Server,
};
use plimsoll_target::{Removal, check_socket};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How a run is made, as far as the plan does not say it.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Where run directories are made; `None` keeps nothing.
    pub runs_dir: Option<PathBuf>,
    /// What the user asks of the generator.
    pub generator: GeneratorOptions,
    /// What the probe leaves out of the service, in a run that is not a pass of a diagnosis; `None` is a run without it.
    pub without: Option<Vec<Removal>>,
    /// Source maps that packages ship are used.
    pub package_maps: bool,
    /// Who makes the load, where that is not this machine.
    pub fleet: Option<FleetOptions>,
    /// What disturbs the service on purpose.
    pub shock: Option<ShockPlan>,
}

/// One run that is to be made.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// What to do.
    pub plan: Plan,
    /// Which kind of run.
    pub kind: RunKind,
    /// Warm the service up in a step of its own, for at least as long as the warm-up of the plan and until it is steady. A
    /// search warms its service up by its steps.
    pub warms_up: bool,
    /// How.
    pub options: Options,
}

/// What is decided before a run starts anything.
pub(crate) struct Setting {
    requests: LaidOut,
    pub(crate) division: Division,
    pub(crate) tls: Option<Connector>,
    /// The same where actions go.
    tls_of_actions: Option<Connector>,
    pub(crate) output: PathBuf,
    quantiles: Vec<f64>,
    zero_ns: u64,
    fleet: Option<Fleet>,
}

impl Experiment {
    /// Makes the run. Setting `stop` ends it early with what was seen until then.
    ///
    /// # Errors
    /// When there is nothing to report: the service did not start, the generator could not. What
    /// goes wrong later is part of the findings.
    pub fn run(&self, stop: &AtomicBool, mut on_event: impl FnMut(Event<'_>)) -> Result<Outcome, LabError> {
        let plan = &self.plan;
        let holds_none = self.kind == RunKind::Capacity && plan.search().unit != SearchUnit::Connections;
        if holds_none && plan.scenario().repeated().is_some() {
            let found = "found actions of held connections, and a search, which holds none; expected `--in connections` or `plimsoll run`";
            return Err(LabError::Plan(found.to_owned()));
        }
        if holds_none && plan.scenario().openings.is_empty() && plan.target().url.scheme.is_web_socket() {
            let found = "found WebSockets that are held, and a search, which holds none; expected a request with `send`, whose response is \
                         awaited, `--in connections`, or `plimsoll run`";
            return Err(LabError::Plan(found.to_owned()));
        }
        if holds_none && plan.objectives().iter().any(|objective| objective.limit.is_of_held()) {
            let found = "found an objective about held connections, and a search, which holds none; expected `--in connections` or `plimsoll run`";
            return Err(LabError::Plan(found.to_owned()));
        }
        let requests = LaidOut::of(plan).map_err(|error| LabError::Plan(error.to_string()))?;
        let mut division = Division::new(&self.options.generator, plan, self.kind)?;
        let tls = secured::connector(plan)?;
        let tls_of_actions = secured::connector_of_actions(plan, tls.as_ref())?;
        let info = run_info(plan, self.kind);
        let fleet = self.options.fleet.as_ref();
        let fleet = fleet.map(|options| options.on_cores(&division.generator.cpus));
        let fleet = fleet.map(|options| Fleet::form(&options, stop)).transpose()?;
        let agents = fleet.as_ref().map(Fleet::hosts).unwrap_or_default();
        zones_have_agents(plan, &agents)?;
        let host = Host {
            agents,
            ..division.host()
        };
        let there = fleet.as_ref().and_then(Fleet::run_there);
        let (writer, unkept) = match self.directory(&info, &host, there.as_ref()) {
            // What is measured is worth more than its copy.
            Err(error) if error.is_full() => (None, Some(incomplete(0, &error))),
            made => (made?, None),
        };
        if let Some(writer) = &writer {
            on_event(Event::DirectoryCreated { path: writer.path() });
        }
        let output = writer
            .as_ref()
            .map_or_else(|| PathBuf::from("/dev/null"), RunWriter::output_path);
        let zero_ns = monotonic_ns();
        let mut journal = Journal::new(writer, Fold::new(plan, &info, &host), &mut on_event);
        let of_fleet = fleet.as_ref().and_then(Fleet::note);
        for note in unkept.into_iter().chain(division.notes.drain(..)).chain(of_fleet) {
            journal.push(&Record::Note(note));
        }
        let setting = Setting {
            requests,
            division,
            tls,
            tls_of_actions,
            output,
            quantiles: info.quantiles,
            zero_ns,
            fleet,
        };
        let made = self.make(setting, stop, &mut journal);
        journal.end(monotonic_ns() - zero_ns, ended(&made, stop));
        made?;

        let findings = journal.findings();
        journal.emit(Event::Finished(&findings));
        journal.keep(&findings);
        Ok(journal.into_outcome(findings))
    }

    /// Starts the service, makes the steps, and stops it.
    fn make(&self, setting: Setting, stop: &AtomicBool, journal: &mut Journal<'_>) -> Result<(), LabError> {
        let plan = &self.plan;
        let cpus = setting.division.target_cpus.clone();
        let (subject, own_address) = match &plan.target().running {
            Some(Running::Hosted(hosted)) => {
                let there = self.there(hosted, setting.zero_ns, stop, journal)?;
                (Subject::There(Box::new(there)), None)
            }
            _ => {
                let here = self.here(&setting, stop, journal)?;
                let address = here.target.as_ref().map(|target| target.address().clone());
                (Subject::Here(Box::new(here)), address)
            }
        };
        let destination = Destination::of_load(plan.target());
        let remote = match own_address {
            Some(address) if plan.target().proxy.is_none() => address,
            _ => found(destination)?,
        };
        let actions = match (plan.scenario().repeated(), plan.load()) {
            (Some((repeat, action)), Load::Hold(hold)) => Some(Actions {
                repeat: repeat.clone(),
                receivers: action.receivers.count(hold.connections),
                elsewhere: match (&action.url, plan.scenario().sends_messages()) {
                    (_, true) => None,
                    (url, false) => Some(Elsewhere {
                        remote: match url {
                            None => remote.clone(),
                            Some(url) => found(Destination::to(url, plan.target()))?,
                        },
                        tls: setting.tls_of_actions,
                    }),
                },
            }),
            _ => None,
        };
        let shock = self.options.shock.clone();
        let shocking = shock.map(|shock| Shocking::new(shock, cpus.clone(), setting.output.clone()));
        let mut stepper = Stepper {
            plan,
            given: None,
            requests: setting.requests,
            hidden: hidden(plan),
            room: setting.division.room,
            generator: setting.division.generator_for(&remote)?,
            remote,
            actions,
            tls: setting.tls,
            quantiles: setting.quantiles,
            subject,
            zero_ns: setting.zero_ns,
            stop,
            horizon: Horizon {
                start_ns: monotonic_ns() - setting.zero_ns,
                whole: self.whole(),
            },
            next_step: 0,
            first: 0,
            fleet: setting.fleet,
            shocking,
        };
        stepper.do_before()?;
        if let Some(fleet) = &mut stepper.fleet {
            fleet.prepare(stepper.given.as_ref().unwrap_or(plan), stop)?;
        }
        let loaded = self.load(&mut stepper, journal);
        // What was set up is taken down, whatever became of the load.
        let after = stepper.do_after(journal);
        loaded.and(after)?;
        let left_out = match stop.load(Ordering::Relaxed) {
            true => Ok(()),
            false => stepper.subject.check_removals(),
        };
        let at_ns = stepper.now_ns();
        stepper.subject.stop(at_ns, stop, journal);
        left_out
    }

    /// Makes the steps of the run.
    fn load(&self, stepper: &mut Stepper<'_>, journal: &mut Journal<'_>) -> Result<(), LabError> {
        let plan = &self.plan;
        match (self.kind, WarmedRun::of(plan).filter(|_| self.warms_up)) {
            (RunKind::Capacity, _) => search(stepper, journal),
            (_, Some(run)) => warmed(stepper, &run, journal),
            (_, None) => {
                let step = StepPlan {
                    load: plan.load().clone(),
                    users: None,
                    warm_up: plan.judging().warm_up,
                    tick: plan.judging().window,
                    warms_up: false,
                    purpose: None,
                };
                stepper.run(&step, journal).map(|_| ())
            }
        }
    }

    fn directory(
        &self,
        info: &RunInfo,
        host: &Host,
        there: Option<&FleetRun>,
    ) -> Result<Option<RunWriter>, DirectoryError> {
        let Some(runs_dir) = &self.options.runs_dir else {
            return Ok(None);
        };
        let writer = RunWriter::create(runs_dir, info, &self.plan.to_json_redacted())?;
        writer.host(host)?;
        if let Some(there) = there {
            writer.fleet(there)?;
        }
        Ok(Some(writer))
    }

    /// How long the run may take as a whole.
    fn whole(&self) -> Option<Duration> {
        match (self.kind, self.plan.load()) {
            (RunKind::Capacity, _) => Some(self.plan.search().budget),
            (_, load) => load.duration(),
        }
    }
}

/// The address of a destination.
pub(crate) fn found(destination: Destination<'_>) -> Result<Address, LabError> {
    match &destination.url.server {
        Server::Tcp { host, port } => Ok(Address::Tcp(resolve(&destination.names(host), *port)?)),
        Server::Unix(path) => {
            check_socket(path)?;
            Ok(Address::Unix(path.clone()))
        }
    }
}

/// A step that warms the service up, and the one that is judged.
fn warmed(stepper: &mut Stepper<'_>, run: &WarmedRun, journal: &mut Journal<'_>) -> Result<(), LabError> {
    let horizon = stepper.horizon;
    let whole = run.warm_up.duration();
    // How long the warm-up takes is not known beforehand.
    stepper.horizon.whole = None;
    let warm_up = StepPlan {
        load: run.warm_up.clone(),
        users: None,
        warm_up: whole.unwrap_or_default(),
        tick: run.tick,
        warms_up: true,
        purpose: Some("warm-up"),
    };
    if stepper.run(&warm_up, journal)? != StepResult::Over {
        return Ok(());
    }
    if !journal.fold.is_warm() {
        stepper.settle();
    }
    stepper.horizon = Horizon {
        start_ns: stepper.now_ns(),
        whole: run.judged.duration().or(horizon.whole),
    };
    let judged = StepPlan {
        load: run.judged.clone(),
        users: None,
        warm_up: run.lead_in,
        tick: stepper.plan.judging().window,
        warms_up: false,
        purpose: None,
    };
    stepper.run(&judged, journal)?;
    Ok(())
}

/// So many users who do what the load of the plan says, and begin evenly over the time after which they begin anew: who begins together
/// would come together again and again.
fn users_at_a_time(plan: &Plan, users: u32, duration: Duration) -> ClosedLoad {
    let (think_time, pacing) = plan.load().pauses();
    ClosedLoad {
        connections: users,
        duration: Some(duration),
        requests: None,
        think_time,
        pacing,
        ramp: plan.cycle(),
        stages: Vec::new(),
    }
}

/// So many connections that do what the load of the plan says, for so long from the first one on.
fn held(load: &HoldLoad, connections: u32, duration: Duration) -> HoldLoad {
    let held = load.of(connections);
    HoldLoad {
        duration: duration.saturating_sub(held.opening()),
        ..held
    }
}

/// Steps until the search has found the line or given up.
fn search(stepper: &mut Stepper<'_>, journal: &mut Journal<'_>) -> Result<(), LabError> {
    let plan = stepper.plan;
    let arrivals = match plan.load() {
        Load::Open(open) => open.arrivals,
        Load::Closed(_) | Load::Hold(_) => Arrivals::default(),
    };
    let unit = plan.search().unit;
    while let Some(Decision::Step(next)) = journal.fold.decide() {
        let step = StepPlan {
            load: match unit {
                SearchUnit::Rate => Load::Open(OpenLoad::constant(next.level.rate(), next.duration, arrivals)),
                SearchUnit::Users => Load::Closed(users_at_a_time(plan, next.level.number(), next.duration)),
                SearchUnit::Connections => match plan.load() {
                    Load::Hold(hold) => Load::Hold(held(hold, next.level.number(), next.duration)),
                    Load::Open(_) | Load::Closed(_) => return Ok(()),
                },
            },
            users: (unit == SearchUnit::Users).then(|| next.level.number()),
            warm_up: next.warm_up,
            tick: plan.judging().window,
            warms_up: false,
            purpose: Some(match next.purpose {
                Purpose::Climb => "climb",
                Purpose::Bisect => "bisect",
                Purpose::Confirm => "confirm",
            }),
        };
        let result = stepper.run(&step, journal)?;
        if result != StepResult::Over {
            return Ok(());
        }
        // Connections that end together are work as well.
        let left_behind = unit == SearchUnit::Connections
            || journal
                .fold
                .last_step()
                .is_some_and(|outcome| outcome.verdict != StepVerdict::Passed);
        if left_behind {
            stepper.settle();
        }
    }
    Ok(())
}
