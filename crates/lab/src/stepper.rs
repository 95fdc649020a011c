//! One load against the service, recorded.

use crate::error::LabError;
use crate::fleet::{Fleet, FleetStep};
use crate::generator::Room;
use crate::journal::Journal;
use crate::progress::{Held, Horizon, StepFrame, progress};
use crate::shock::Shocking;
use crate::subject::Subject;
use crate::trouble::Trouble;
use plimsoll_engine::{Actions, Connector, Control, Generator, Hidden, Job, LaidOut, Ticks, Tunnel, monotonic_ns};
use plimsoll_findings::Event;
use plimsoll_measure::{HeldClients, NoteKind, Record, StepEnd, StepStart, TargetSample, Tick};
use plimsoll_plan::{Address, Arrivals, Load, Plan};
use plimsoll_schedule::{AgentShare, planned_count};
use plimsoll_target::sample_machine;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// After an overload the service may still work on requests that nobody waits for. The next step
/// begins when it uses less than this share of one core …
const SETTLED_SHARE: f64 = 0.1;
/// … looked at this often …
const SETTLE_LOOK: Duration = Duration::from_millis(100);
/// … or after this long at the latest.
const SETTLE_LIMIT: Duration = Duration::from_secs(3);

/// Everything that stays the same from step to step.
pub(crate) struct Stepper<'a> {
    pub(crate) plan: &'a Plan,
    /// The same with what was left by what is done before the load.
    pub(crate) given: Option<Plan>,
    pub(crate) requests: LaidOut,
    /// What no report may show.
    pub(crate) hidden: Hidden,
    pub(crate) remote: Address,
    pub(crate) tls: Option<Connector>,
    /// What connections do while they are held.
    pub(crate) actions: Option<Actions>,
    pub(crate) generator: Generator,
    /// What tells how many threads held connections need.
    pub(crate) room: Room,
    pub(crate) quantiles: Vec<f64>,
    pub(crate) subject: Subject<'a>,
    pub(crate) zero_ns: u64,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) horizon: Horizon,
    pub(crate) next_step: u32,
    /// Number of the first request or user of the next step, beyond all of the steps before.
    pub(crate) first: u64,
    /// Who makes the load, where that is not this machine.
    pub(crate) fleet: Option<Fleet>,
    /// What disturbs the service on purpose.
    pub(crate) shocking: Option<Shocking>,
}

/// One step as it is to be run.
#[derive(Debug, Clone)]
pub(crate) struct StepPlan {
    pub(crate) load: Load,
    /// Users that it is for, in a search in users.
    pub(crate) users: Option<u32>,
    pub(crate) warm_up: Duration,
    /// Length of a tick, at most.
    pub(crate) tick: Duration,
    /// It warms the service up for the step that follows, and ends when the service is warm.
    pub(crate) warms_up: bool,
    pub(crate) purpose: Option<&'static str>,
}

/// Why a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepResult {
    /// Its load was made and its responses came, or it was hopeless.
    Over,
    /// The user stopped the run.
    Interrupted,
    /// The service ended by itself.
    TargetDied,
    /// A neighbour of the service ended by itself.
    NeighbourDied,
    /// Somebody else got connections that were meant for the service.
    PortTaken,
    /// No row was left for more users.
    RowsUsedUp,
    /// An agent went wrong, so that the load was another one, or the figures of the service are missing.
    AgentLost,
}

impl From<Trouble> for StepResult {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::TargetDied => Self::TargetDied,
            Trouble::NeighbourDied => Self::NeighbourDied,
            Trouble::PortTaken => Self::PortTaken,
            Trouble::MachineLost => Self::AgentLost,
        }
    }
}

impl StepResult {
    /// Whether the load was made, so that what became of it depends on its agents. Who stops a run, or whose service has died, is not told of
    /// these as well.
    const fn is_of_load(self) -> bool {
        matches!(self, Self::Over | Self::RowsUsedUp)
    }
}

impl Stepper<'_> {
    pub(crate) fn now_ns(&self) -> u64 {
        monotonic_ns() - self.zero_ns
    }

    /// Runs one step. In a search it ends early when the rest would be a waste of time.
    pub(crate) fn run(&mut self, step: &StepPlan, journal: &mut Journal<'_>) -> Result<StepResult, LabError> {
        let number = self.next_step;
        self.next_step += 1;
        self.subject.prepare(self.now_ns(), journal);
        let start_ns = self.now_ns();
        let held = Held::of(&step.load, self.plan.scenario());
        push_machine(held, start_ns, journal);
        let mut last = self.sample(start_ns);
        let planned = step.load.duration();
        let rate_per_s = constant_rate(&step.load).map(|micro| micro as f64 / 1e6);
        let connections = match &step.load {
            Load::Hold(hold) => Some(hold.connections),
            Load::Open(_) | Load::Closed(_) => None,
        };
        journal.emit(Event::StepStarted {
            step: number,
            users: step.users,
            connections,
            rate_per_s,
            duration_s: planned.map(|planned| planned.as_secs_f64()),
            purpose: step.purpose,
        });
        journal.push(&Record::StepStart(StepStart {
            step: number,
            at_ns: start_ns,
            rate_micro_per_s: constant_rate(&step.load),
            users: step.users,
            connections,
            planned_ns: planned.map(|planned| planned.as_nanos() as u64),
            warm_up_ns: step.warm_up.as_nanos() as u64,
            warms_up: step.warms_up,
            target: last,
        }));
        self.subject.record_instances(start_ns, journal);
        self.subject.record_neighbours(start_ns, journal);

        let frame = StepFrame {
            step: number,
            start_ns,
            planned,
            rate_per_s,
            users: !self.plan.scenario().journeys.is_empty(),
            horizon: self.horizon,
        };
        let mut opened = 0;
        let mut started = 0;
        let mut result = StepResult::Over;
        let mut cut_short = false;
        let job = self.job(step);
        let stop = self.stop;
        let quantiles = self.quantiles.clone();
        let mut load_begins_ns = None;
        let users = frame.users;
        let mut fleet = self.fleet.take();
        let on_tick = |tick: Tick| {
            // A fleet begins later than the step, and a tick may end a little early.
            let start_ns = *load_begins_ns.get_or_insert(tick.start_ns);
            let judged_from_ns = start_ns + step.warm_up.as_nanos() as u64;
            let reached_ns = tick.start_ns + tick.duration_ns + tick.duration_ns / 20;
            let is_judged = !step.warms_up && reached_ns >= judged_from_ns;
            let at_ns = self.now_ns();
            let sample = self.subject.tick(at_ns, is_judged, journal);
            self.subject.record_instances(at_ns, journal);
            started += tick.counters.scheduled.max(tick.counters.users.started);
            opened += HeldClients::of(&tick.counters, &tick.gauges).opened;
            let mut progress = progress(StepFrame { start_ns, ..frame }, &tick, last, sample);
            if let Some(held) = held {
                progress.held = Some(held.progress(&tick, opened));
                progress.throughput_per_s = held.responses_per_s(&tick);
            }
            last = sample;
            journal.push(&Record::Tick {
                line: tick.line(number, &quantiles),
                durations: Cow::Borrowed(&tick.durations),
                target: sample,
            });
            self.subject.record_neighbours(self.now_ns(), journal);
            push_machine(held, self.now_ns(), journal);
            journal.emit(Event::Progress(progress));
            if matches!(result, StepResult::TargetDied | StepResult::NeighbourDied) {
                return Control::Stop;
            }
            if let Some(trouble) = self.subject.trouble(self.now_ns(), journal) {
                result = trouble.into();
                return Control::Stop;
            }
            let passed = self.pass_shock(start_ns, &tick, journal);
            if passed != StepResult::Over {
                result = passed;
                return Control::Stop;
            }
            if tick.counters.users.without_row > 0 && result == StepResult::Over {
                self.note_used_up(journal);
                result = StepResult::RowsUsedUp;
                return Control::Finish;
            }
            if !tick.draining && step.warms_up && journal.fold.is_warm() {
                cut_short = true;
                return Control::Finish;
            }
            if !tick.draining && journal.fold.should_stop_early() {
                cut_short = true;
                return Control::Stop;
            }
            Control::Continue
        };
        let faults = match &mut fleet {
            None => job.run(stop, on_tick).map(|()| Vec::new())?,
            Some(fleet) => {
                let step = FleetStep {
                    number,
                    warm_up: step.warm_up,
                    tick: step.tick,
                    users,
                };
                fleet.run(&job, step, stop, on_tick)?
            }
        };
        let threads = fleet.is_none().then_some(self.generator.shards);
        self.first += numbers(&step.load, started, threads);
        self.fleet = fleet;
        if !faults.is_empty() && result.is_of_load() && !stop.load(Ordering::Relaxed) {
            for fault in &faults {
                journal.note(self.now_ns(), NoteKind::AgentLost, fault.to_string(), fault.hint());
            }
            result = StepResult::AgentLost;
        }
        let is_last = !step.warms_up || result != StepResult::Over || stop.load(Ordering::Relaxed);
        if is_last {
            self.subject.end(self.now_ns(), journal);
        }
        if result.is_of_load()
            && let Some(trouble) = self.subject.check_port(self.now_ns(), journal)
        {
            result = trouble.into();
        }
        if stop.load(Ordering::Relaxed) {
            let message = "stopped by the user; the results cover the run until then".to_owned();
            journal.note(self.now_ns(), NoteKind::Interrupted, message, None);
            result = StepResult::Interrupted;
        }
        cut_short |= match result {
            StepResult::Over => false,
            // The load of a run was to end with its rows. That of a step of a search was not.
            StepResult::RowsUsedUp => step.purpose.is_some(),
            StepResult::Interrupted
            | StepResult::TargetDied
            | StepResult::NeighbourDied
            | StepResult::PortTaken
            | StepResult::AgentLost => true,
        };
        journal.push(&Record::StepEnd(StepEnd {
            step: number,
            at_ns: self.now_ns(),
            cut_short,
        }));
        if let Some(finding) = journal.fold.findings().steps.last() {
            journal.emit(Event::StepFinished(finding));
        }
        Ok(result)
    }

    /// Waits until the service has done with what the last step left behind.
    pub(crate) fn settle(&mut self) {
        let deadline_ns = self.now_ns() + SETTLE_LIMIT.as_nanos() as u64;
        let mut before = self.sample(self.now_ns());
        while self.now_ns() < deadline_ns && !self.stop.load(Ordering::Relaxed) {
            thread::sleep(SETTLE_LOOK);
            let after = self.sample(self.now_ns());
            let busy_cores = before
                .zip(after)
                .and_then(|(before, after)| Some(after.busy_share_since(&before)? * after.cpu_cores()));
            if busy_cores.is_some_and(|cores| cores < SETTLED_SHARE) {
                return;
            }
            before = after;
        }
    }

    /// No more users come; that is no fault of the service.
    fn note_used_up(&self, journal: &mut Journal<'_>) {
        let tables = self.plan.scenario().tables().filter(|table| table.once());
        let tables: Vec<String> = tables
            .map(|table| format!("all {} rows of {}", table.count(), table.file()))
            .collect();
        let message = format!(
            "{} are used up, each by one user: no more users came",
            tables.join(" or ")
        );
        let hint = "add rows, or let users take them again from the first on, without `once`".to_owned();
        journal.note(self.now_ns(), NoteKind::Warning, message, Some(hint));
    }

    fn sample(&mut self, at_ns: u64) -> Option<TargetSample> {
        self.subject.sample(at_ns)
    }

    fn job(&self, step: &StepPlan) -> Job {
        self.job_of(step.load.clone(), step.warm_up, step.tick)
    }

    /// The generator with the threads that a load needs.
    fn generator_of(&self, load: &Load) -> Generator {
        match load {
            Load::Hold(hold) => self.room.generator(&self.generator, self.plan, hold.connections),
            Load::Open(_) | Load::Closed(_) => self.generator.clone(),
        }
    }

    /// What connections do while they are held: how many get a message may depend on how many there are.
    fn actions_of(&self, load: &Load) -> Option<Actions> {
        let mut actions = self.actions.clone()?;
        if let (Load::Hold(hold), Some((_, action))) = (load, self.plan.scenario().repeated()) {
            actions.receivers = action.receivers.count(hold.connections);
        }
        Some(actions)
    }

    pub(crate) fn job_of(&self, load: Load, warm_up: Duration, tick: Duration) -> Job {
        let (generator, actions) = (self.generator_of(&load), self.actions_of(&load));
        Job {
            requests: self.requests.clone(),
            hidden: self.hidden.clone(),
            load,
            seed: self.plan.seed(),
            first: self.first,
            share: AgentShare::WHOLE,
            connections: self.plan.connections(),
            remote: self.remote.clone(),
            tls: self.tls.clone(),
            tunnel: self
                .plan
                .target()
                .tunnel()
                .map(|(to, by)| Tunnel::new(&to, by.as_ref())),
            generator,
            ticks: Ticks::with_one_at(warm_up, tick),
            zero_ns: self.zero_ns,
            actions,
        }
    }
}

/// Connections that are held cost memory, which is watched then.
fn push_machine(held: Option<Held>, at_ns: u64, journal: &mut Journal<'_>) {
    if let Some(sample) = held.and_then(|_| sample_machine(at_ns)) {
        journal.push(&Record::Machine(sample));
    }
}

/// How many numbers a step takes at most. Those of the open model follow from the plan alone, so that they are the same for each pass, whatever
/// it took to warm up. In the closed model each thread of each generator has every n-th, and one may begin as many as all.
fn numbers(load: &Load, started: u64, threads: Option<u32>) -> u64 {
    match load {
        Load::Open(open) => {
            let planned = planned_count(open, AgentShare::WHOLE);
            match open.arrivals {
                Arrivals::Even => planned,
                // By chance there may be more than are expected, but never this many.
                Arrivals::Poisson => 2 * planned + 1000,
            }
        }
        // Without a user a thread begins nothing.
        Load::Closed(closed) => started * u64::from(threads.unwrap_or(closed.connections)),
        Load::Hold(_) => 0,
    }
}

/// The rate of a load in millionths per second, when it is the same throughout.
fn constant_rate(load: &Load) -> Option<u64> {
    let Load::Open(open) = load else { return None };
    let first = open.segments.first()?.from;
    let constant = open
        .segments
        .iter()
        .all(|segment| segment.from == first && segment.to == first);
    constant.then(|| first.micro_per_s())
}
