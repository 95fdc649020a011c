//! A whole run: from a plan to findings in a run folder.

use crate::error::LabError;
use crate::event::Event;
use crate::journal::Journal;
use crate::keeping::incomplete;
use crate::local_addresses;
use crate::progress::Horizon;
use crate::stepper::{StepPlan, StepResult, Stepper};
use crate::tables::{DESCRIPTORS_OF_OUR_OWN, Tables};
use crate::watch::Watch;
use plimsoll_analysis::{CounterFold, Decision, Findings, Fold, Purpose, StepVerdict};
use plimsoll_engine::backend::Io;
use plimsoll_engine::{Requests, Wakeups, monotonic_ns, raise_descriptor_limit, resolve};
use plimsoll_measure::folder::{FolderError, RunWriter};
use plimsoll_measure::{Ended, Host, NoteKind, Profile, Record, RunInfo, RunKind};
use plimsoll_plan::{Arrivals, KnownSecrets, Load, Objective, OpenLoad, Plan};
use plimsoll_target::{
    Attached, Ownership, Probe, ProbeMode, Service, StartError, Target, available_cpus, check_generator_cpus,
    check_target_cpus, cpu_layout,
};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What is put into the service in a run of this kind.
const fn probe_of(kind: RunKind) -> Option<ProbeMode> {
    match kind {
        RunKind::Counters => Some(ProbeMode::Counters),
        RunKind::Profile => Some(ProbeMode::Profile),
        RunKind::Capacity | RunKind::Run | RunKind::Bench | RunKind::Hold | RunKind::Diagnose | RunKind::Plain => None,
    }
}

/// How a run is made, as far as the plan does not say it.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Where run folders are made; `None` keeps nothing.
    pub runs_dir: Option<PathBuf>,
    /// Generator threads; `None` is one for each generator core, at most four.
    pub shards: Option<u32>,
    /// Cores of the generator; empty is those that the service does not get.
    pub generator_cpus: Vec<usize>,
    /// How sockets are driven; `None` is io_uring where it works.
    pub io: Option<Io>,
    /// How exactly the times of an open load are kept.
    pub wakeups: Wakeups,
    /// Addresses that connections leave from; empty chooses by itself.
    pub local_addrs: Vec<IpAddr>,
    /// Held connections all go into the descriptor table of the process, whatever its limit.
    pub one_table: bool,
}

/// One run that is to be made.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// What to do.
    pub plan: Plan,
    /// Which kind of run.
    pub kind: RunKind,
    /// How.
    pub options: Options,
}

/// What a run left.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What it found.
    pub findings: Findings,
    /// Where its records are, when they were kept.
    pub folder: Option<PathBuf>,
    /// What the probe counted; nothing in most runs.
    pub counters: CounterFold,
    /// Where the time of the service went; empty in most runs.
    pub profile: Profile,
    /// Where the service asked for memory, with bytes for times; empty in most runs.
    pub allocations: Profile,
}

/// What is decided before a run starts anything.
struct Setting {
    requests: Requests,
    tables: Tables,
    generator_cpus: Vec<usize>,
    target_cpus: Vec<usize>,
    output: PathBuf,
    io: Io,
    quantiles: Vec<f64>,
    zero_ns: u64,
}

/// How something ended. What the user stopped has the note of a step that says so, unless there was no step yet.
pub(crate) fn ended<T>(made: &Result<T, LabError>, stop: &AtomicBool) -> Ended {
    match made {
        Ok(_) => Ended::Complete,
        Err(_) if stop.load(Ordering::Relaxed) => Ended::Interrupted,
        Err(error) => Ended::Failed(format!("failed to {error}")),
    }
}

/// Quantiles that every line of the run folder keeps, besides those of the objectives.
const QUANTILES: [f64; 5] = [0.5, 0.9, 0.95, 0.99, 0.999];
/// Connections that one local address can carry at most, below the usual range of 28,232 ports.
const CONNECTIONS_PER_ADDRESS: u32 = 25_000;
/// Without keep-alive each request takes a port for a while; on loopback there are addresses enough.
const ADDRESSES_WITHOUT_KEEP_ALIVE: u32 = 16;
/// Looking for a free port, Linux goes through every second one of the range first, 14,116 of them, from a random place on.
/// That takes long when few of them are free, and of held connections there are many.
const HELD_PER_ADDRESS: u32 = 10_000;
const SHARDS_MAX: usize = 4;

impl Experiment {
    /// Makes the run. Setting `stop` ends it early with what was seen until then.
    ///
    /// # Errors
    /// When there is nothing to report: the service did not start, the generator could not. What
    /// goes wrong later is part of the findings.
    pub fn run(&self, stop: &AtomicBool, mut on_event: impl FnMut(Event<'_>)) -> Result<Outcome, LabError> {
        let plan = &self.plan;
        let requests = Requests::new(&plan.scenario, &plan.target.url, plan.connections.keep_alive)
            .map_err(|error| LabError::Plan(error.to_string()))?;
        let descriptors = raise_descriptor_limit();
        let available = available_cpus();
        if plan.target.command.is_some() {
            check_target_cpus(&plan.target.cpus, &available)?;
        }
        check_generator_cpus(&self.options.generator_cpus, &available)?;
        let layout = cpu_layout(&plan.target.cpus, &available);
        let generator_cpus = if self.options.generator_cpus.is_empty() {
            layout.generator
        } else {
            self.options.generator_cpus.clone()
        };
        // A service that runs already stays where it is.
        let target_cpus = if plan.target.command.is_some() {
            layout.target
        } else {
            Vec::new()
        };
        let least_shards = self
            .options
            .shards
            .unwrap_or_else(|| generator_cpus.len().clamp(1, SHARDS_MAX) as u32);
        self.check_spinning(&generator_cpus, &target_cpus, least_shards)?;
        local_addresses::check(&self.options.local_addrs)?;
        if let Ok(address) = plan.target.url.host.parse() {
            local_addresses::check_family(&self.options.local_addrs, address)?;
        }

        // An idle connection costs the kernel more in an io_uring than in epoll.
        let wanted_io = self.options.io.or(self.holds().then_some(Io::Mio));
        let (io, io_refused) = Io::choose(wanted_io).map_err(LabError::Io)?;
        let info = self.info();
        let host = Host {
            generator_cpus: generator_cpus.clone(),
            target_cpus: target_cpus.clone(),
            io: io.as_str().to_owned(),
            wakeups: if self.holds() {
                String::new()
            } else {
                self.options.wakeups.to_string()
            },
            ..plimsoll_target::host::describe()
        };
        let (writer, unkept) = match self.folder(&info, &host) {
            // What is measured is worth more than its copy.
            Err(error) if error.is_full() => (None, Some(incomplete(0, &error))),
            made => (made?, None),
        };
        if let Some(writer) = &writer {
            on_event(Event::FolderCreated(writer.path()));
        }
        let output = writer
            .as_ref()
            .map_or_else(|| PathBuf::from("/dev/null"), RunWriter::output_path);
        let zero_ns = monotonic_ns();
        let mut journal = Journal::new(writer, Fold::new(plan, &info, &host), &mut on_event);
        if let Some(note) = unkept {
            journal.push(&Record::Note(note));
        }
        if let Some(reason) = io_refused {
            let message = format!("io_uring is not to be had here ({reason}), so sockets are driven by mio");
            let hint = "the generator takes about a third more CPU per request; `--io mio` leaves this out".to_owned();
            journal.note(0, NoteKind::Warning, message, Some(hint));
        }
        if let Some(message) = layout.warning {
            let hint = Some("figures are steadier when each has cores of its own".to_owned());
            journal.note(0, NoteKind::Warning, message, hint);
        }
        let tables = if self.holds() && !self.options.one_table {
            Tables::plan(self.connections(), descriptors, least_shards)
        } else {
            self.warn_of_few_descriptors(descriptors, &mut journal);
            Tables {
                shards: least_shards,
                own: false,
            }
        };
        let setting = Setting {
            requests,
            tables,
            generator_cpus,
            target_cpus,
            output,
            io,
            quantiles: info.quantiles,
            zero_ns,
        };
        let made = self.make(setting, stop, &mut journal);
        journal.end(monotonic_ns() - zero_ns, ended(&made, stop));
        made?;

        let findings = journal.fold.findings();
        journal.emit(Event::Finished(&findings));
        journal.keep(&findings);
        Ok(journal.into_outcome(findings))
    }

    /// Starts the service, makes the steps, and stops it.
    fn make(&self, setting: Setting, stop: &AtomicBool, journal: &mut Journal<'_>) -> Result<(), LabError> {
        let plan = &self.plan;
        let probe = match probe_of(self.kind) {
            Some(mode) => Some(Probe::listen(mode).map_err(LabError::Probe)?),
            None => None,
        };
        let mut target = self.start_target(&setting.target_cpus, &setting.output, probe.as_ref(), stop, journal)?;
        if let (Some(target), Load::Hold(hold)) = (&mut target, &plan.load) {
            target.extend_to(&hold.ports);
        }
        let remote = match &target {
            Some(target) => target.address(),
            None => resolve(&plan.target.url.host, plan.target.url.port)?,
        };
        local_addresses::check_family(&self.options.local_addrs, remote.ip())?;

        let mut stepper = Stepper {
            plan,
            requests: setting.requests,
            remote,
            local_addrs: self.local_addrs(remote),
            tables: setting.tables,
            generator_cpus: setting.generator_cpus,
            io: setting.io,
            wakeups: self.options.wakeups,
            quantiles: setting.quantiles,
            target,
            zero_ns: setting.zero_ns,
            stop,
            horizon: Horizon {
                start_ns: monotonic_ns() - setting.zero_ns,
                whole: self.whole(),
            },
            next_step: 0,
            watch: probe.map(|probe| Watch::new(probe, stop)),
        };
        match self.kind {
            RunKind::Capacity => search(&mut stepper, journal)?,
            _ => {
                let step = StepPlan {
                    load: plan.load.clone(),
                    warm_up: plan.judging.warm_up,
                    purpose: None,
                };
                stepper.run(&step, journal)?;
            }
        }
        if let Some(target) = stepper.target.take() {
            stop_target(target, stepper.now_ns(), stop, journal);
        }
        Ok(())
    }

    fn info(&self) -> RunInfo {
        run_info(&self.plan, self.kind)
    }

    fn folder(&self, info: &RunInfo, host: &Host) -> Result<Option<RunWriter>, FolderError> {
        let Some(runs_dir) = &self.options.runs_dir else {
            return Ok(None);
        };
        let writer = RunWriter::create(runs_dir, info, &self.plan.to_json_redacted())?;
        writer.host(host)?;
        Ok(Some(writer))
    }

    /// How long the run may take as a whole.
    fn whole(&self) -> Option<Duration> {
        match (self.kind, &self.plan.load) {
            (RunKind::Capacity, _) => Some(self.plan.search.budget),
            (_, load) => load.duration(),
        }
    }

    fn start_target(
        &self,
        cpus: &[usize],
        output: &std::path::Path,
        probe: Option<&Probe>,
        stop: &AtomicBool,
        journal: &mut Journal<'_>,
    ) -> Result<Option<Target>, LabError> {
        let target = &self.plan.target;
        let Some(command) = &target.command else {
            return match target.pid {
                Some(pid) => {
                    let mut attached = Target::Attached(Attached::pid(pid, &target.url)?);
                    note_unseen(&mut attached, journal);
                    Ok(Some(attached))
                }
                None => Ok(None),
            };
        };
        journal.emit(Event::ServiceStarting(command.shown().as_str()));
        let command = &match probe {
            Some(probe) => probe.put_into(command).map_err(LabError::Probe)?,
            None => command.clone(),
        };
        let hidden = KnownSecrets::of(&self.plan);
        let mut started = Service::start(command, &target.url, cpus, output, &hidden, stop);
        // Cores that the plan names are a condition of the measurement; our own choice is not.
        if let Err(error @ StartError::Pin { .. }) = &started
            && target.cpus.is_empty()
        {
            journal.note(
                0,
                NoteKind::Warning,
                format!("failed to {error}; it runs unpinned"),
                error.hint(),
            );
            started = Service::start(command, &target.url, &[], output, &hidden, stop);
        }
        let mut service = Target::Service(started?);
        journal.emit(Event::ServiceReady);
        note_unseen(&mut service, journal);
        Ok(Some(service))
    }

    /// Whether connections are held, instead of a load made.
    fn holds(&self) -> bool {
        self.kind != RunKind::Capacity && matches!(self.plan.load, Load::Hold(_))
    }

    /// A thread that spins leaves nothing of its core to anybody else.
    fn check_spinning(&self, own: &[usize], target: &[usize], shards: u32) -> Result<(), LabError> {
        if self.options.wakeups != Wakeups::Spin {
            return Ok(());
        }
        let found = if own.is_empty() {
            "the generator has no core for itself".to_owned()
        } else if let Some(cpu) = own.iter().find(|cpu| target.contains(cpu)) {
            format!("core {cpu} is the service's as well")
        } else if shards as usize > own.len() {
            format!("{shards} threads have {} of the cores to themselves", own.len())
        } else {
            return Ok(());
        };
        Err(LabError::Spin(found))
    }

    fn warn_of_few_descriptors(&self, limit: Option<u64>, journal: &mut Journal<'_>) {
        let connections = self.connections();
        let Some(limit) = limit.filter(|&limit| limit < u64::from(connections) + DESCRIPTORS_OF_OUR_OWN) else {
            return;
        };
        let message = format!("{connections} connections do not fit into the limit of {limit} open descriptors");
        let hint = if self.options.one_table {
            format!(
                "leave out --one-table, or raise the limit first: ulimit -n {}",
                u64::from(connections) + DESCRIPTORS_OF_OUR_OWN
            )
        } else {
            "see `plimsoll doctor --connections N`".to_owned()
        };
        journal.note(0, NoteKind::Warning, message, Some(hint));
    }

    /// Most connections at once.
    fn connections(&self) -> u32 {
        match &self.plan.load {
            Load::Closed(closed) if self.kind != RunKind::Capacity => closed.connections,
            Load::Hold(hold) if self.kind != RunKind::Capacity => hold.connections,
            _ => self.plan.connections.max,
        }
    }

    fn local_addrs(&self, remote: SocketAddr) -> Vec<IpAddr> {
        if !self.options.local_addrs.is_empty() {
            return self.options.local_addrs.clone();
        }
        let wanted = if self.holds() {
            self.connections().div_ceil(HELD_PER_ADDRESS)
        } else if self.plan.connections.keep_alive {
            self.connections().div_ceil(CONNECTIONS_PER_ADDRESS)
        } else {
            ADDRESSES_WITHOUT_KEEP_ALIVE
        };
        match remote.ip() {
            IpAddr::V4(address) if address.is_loopback() && wanted > 1 => {
                let first = u32::from(Ipv4Addr::LOCALHOST);
                (0..wanted).map(|i| IpAddr::V4(Ipv4Addr::from(first + i))).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// What a run of `plan` is that begins now.
pub(crate) fn run_info(plan: &Plan, kind: RunKind) -> RunInfo {
    let mut quantiles = QUANTILES.to_vec();
    for objective in &plan.objectives {
        if let Objective::ResponseTime { quantile, .. } = objective {
            quantiles.push(quantile.value());
        }
    }
    quantiles.sort_by(f64::total_cmp);
    quantiles.dedup();
    RunInfo {
        format: RunInfo::format(),
        kind,
        started_at: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        quantiles,
        marks_end: true,
    }
}

/// Steps until the search has found the line or given up.
fn search(stepper: &mut Stepper<'_>, journal: &mut Journal<'_>) -> Result<(), LabError> {
    let plan = stepper.plan;
    let arrivals = match &plan.load {
        Load::Open(open) => open.arrivals,
        Load::Closed(_) | Load::Hold(_) => Arrivals::default(),
    };
    while let Some(Decision::Step(next)) = journal.fold.decide() {
        let step = StepPlan {
            load: Load::Open(OpenLoad::constant(next.rate, next.duration, arrivals)),
            warm_up: next.warm_up,
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
        if journal
            .fold
            .last_step()
            .is_some_and(|outcome| outcome.verdict != StepVerdict::Passed)
        {
            stepper.settle();
        }
    }
    Ok(())
}

/// Says so where nothing shows that the figures will be those of the service.
fn note_unseen(target: &mut Target, journal: &mut Journal<'_>) {
    if let Ownership::Unseen(why) = target.ownership() {
        let port = target.address().port();
        let message = format!("whose port {port} is could not be seen: {why}");
        let hint = "make sure that the service listens there, and nobody else".to_owned();
        journal.note(0, NoteKind::Warning, message, Some(hint));
    }
}

fn stop_target(target: Target, at_ns: u64, stop: &AtomicBool, journal: &mut Journal<'_>) {
    let report = target.stop(stop);
    if !report.killed.is_empty() {
        let message = format!(
            "the service did not end within its grace period and was killed: {}",
            report.killed.join(", ")
        );
        let hint = Some("handle SIGTERM, or give it longer with `stop_grace`".to_owned());
        journal.note(at_ns, NoteKind::Warning, message, hint);
    }
    if let Some(message) = report.output_loss {
        journal.note(at_ns, NoteKind::Warning, message, None);
    }
}
