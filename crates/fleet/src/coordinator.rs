//! The coordinator of a fleet: gathers agents, reads their clocks, gives each its share, begins all of them together, and merges what they see.
//!
//! It never gives a share to a second agent. When one of them goes wrong, the others are stopped and the step is over only when the last lease
//! has ended, so that nobody sends any more; what was seen until then is handed on, with what went wrong.

mod readying;
mod stepping;

use crate::bus::Address;
use crate::fault::{Fault, What};
use crate::ids::{AgentId, RunId, is_name};
use crate::member::{InStep, Member};
use crate::message::{About, FromAgent, Said, SentPlan, ToAgent};
use crate::pace::S;
use crate::parts::Parts;
use plimsoll_measure::Tick;
use plimsoll_plan::Load;
use std::collections::BTreeMap;

const MEMBERS_MAX: usize = 10_000;

/// How many agents are to be gathered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FleetSize {
    /// So many are waited for, and no more are taken; `None` is all that are there.
    pub wanted: Option<u32>,
    /// So many do where no more come; `None` is as many as are wanted, and at least one.
    pub least: Option<u32>,
}

impl FleetSize {
    /// With fewer there is no fleet.
    #[must_use]
    pub fn least(self) -> u32 {
        self.least.or(self.wanted).unwrap_or(1).max(1)
    }
}

/// Where a coordinator stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Agents are gathered.
    Gathering,
    /// There is a fleet, which has no plan yet.
    Formed,
    /// Agents get ready for the plan.
    Preparing,
    /// Everything is ready for a step.
    Ready,
    /// A step goes on, or is about to.
    Stepping,
    /// It cannot go on: see [`Coordinator::faults`].
    Failed,
}

/// A step as it is to be made.
#[derive(Debug, Clone)]
pub struct StepSpec {
    /// Its number in the run, from 0.
    pub step: u32,
    /// The load of all agents.
    pub load: Load,
    /// Seed of the arrivals.
    pub seed: u64,
    /// Number of the first request or user.
    pub first: u64,
    /// Arrivals are users, whose requests depend on the service.
    pub users: bool,
    /// So much of it warms up, ns.
    pub warm_up_ns: u64,
    /// Length of a tick, ns.
    pub tick_ns: u64,
    /// The beginning of the run, from which the times of ticks count, ns.
    pub zero_ns: u64,
    /// Responses may come for so long after the last request, ns.
    pub drain_ns: u64,
}

#[derive(Debug)]
enum Phase {
    Gathering {
        since_ns: u64,
    },
    Formed,
    Preparing {
        since_ns: u64,
        plan: SentPlan,
    },
    Ready,
    /// Clocks are read.
    Reading {
        since_ns: u64,
        spec: Box<StepSpec>,
    },
    Arming {
        since_ns: u64,
        spec: Box<StepSpec>,
    },
    Running(Box<Running>),
    Failed,
}

#[derive(Debug)]
struct Running {
    spec: StepSpec,
    begins_ns: u64,
    ends: Ends,
    /// No agent may go on later than this, ns.
    deadline_ns: Option<u64>,
}

/// How a step that runs is being ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// By its load.
    ByItself,
    /// Nothing more is to be started.
    Finishing,
    /// Nothing more is to be sent, …
    Stopping,
    /// … because something went wrong.
    Broken,
}

/// A coordinator.
#[derive(Debug)]
pub struct Coordinator {
    run: RunId,
    version: String,
    size: FleetSize,
    phase: Phase,
    /// What each said of itself, and when last, ns.
    found: BTreeMap<AgentId, (About, u64)>,
    members: Vec<Member>,
    faults: Vec<Fault>,
    parts: Parts,
    out: Vec<(Address, ToAgent)>,
    ticks: Vec<Tick>,
    /// When something is to be said again, ns.
    again_ns: u64,
}

impl Coordinator {
    /// Begins to gather so many agents of this version.
    #[must_use]
    pub fn new(run: RunId, version: &str, size: FleetSize, now_ns: u64) -> Self {
        Self {
            run,
            version: version.to_owned(),
            size,
            phase: Phase::Gathering { since_ns: now_ns },
            found: BTreeMap::new(),
            members: Vec::new(),
            faults: Vec::new(),
            parts: Parts::default(),
            out: Vec::new(),
            ticks: Vec::new(),
            again_ns: now_ns,
        }
    }

    /// Where it stands.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        match self.phase {
            Phase::Gathering { .. } => Stage::Gathering,
            Phase::Formed => Stage::Formed,
            Phase::Preparing { .. } => Stage::Preparing,
            Phase::Ready => Stage::Ready,
            Phase::Reading { .. } | Phase::Arming { .. } | Phase::Running(_) => Stage::Stepping,
            Phase::Failed => Stage::Failed,
        }
    }

    /// What its agents know it by.
    #[must_use]
    pub const fn run_id(&self) -> &RunId {
        &self.run
    }

    /// Its agents, in the order of their shares; none before the fleet is formed.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// So many agents could be had, of those that were [wanted](Self::new).
    #[must_use]
    pub fn usable(&self) -> usize {
        self.found
            .values()
            .filter(|(about, _)| self.unusable(about).is_none())
            .count()
    }

    /// Agents that are there and cannot be had, with the reason.
    #[must_use]
    pub fn unusable_agents(&self) -> Vec<(&AgentId, String)> {
        let why = |(id, (about, _)): (_, &(About, u64))| Some((id, self.unusable(about)?));
        self.found.iter().filter_map(why).collect()
    }

    /// What went wrong in the last step, or before the first. With a fault, what was seen is not the load that was asked for.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Has its agents get ready for a plan. Only where a fleet is formed.
    pub fn prepare(&mut self, now_ns: u64, plan: SentPlan) {
        if matches!(self.phase, Phase::Formed) {
            self.ask_all(now_ns);
            self.phase = Phase::Preparing { since_ns: now_ns, plan };
        }
    }

    /// Begins a step. Only where everything is ready for one.
    pub fn begin(&mut self, now_ns: u64, spec: StepSpec) {
        if !matches!(self.phase, Phase::Ready) {
            return;
        }
        self.ask_all(now_ns);
        for member in &mut self.members {
            member.pongs = 0;
            member.in_step = InStep::default();
        }
        self.parts = Parts::of(self.members.len());
        self.phase = Phase::Reading {
            since_ns: now_ns,
            spec: Box::new(spec),
        };
    }

    /// Has all agents start nothing more and wait for what is in flight.
    pub fn finish(&mut self, now_ns: u64) {
        self.end(now_ns, Ends::Finishing);
    }

    /// Has all agents send nothing more.
    pub fn stop(&mut self, now_ns: u64) {
        self.end(now_ns, Ends::Stopping);
    }

    /// Lets its agents go: the run is over.
    pub fn release(&mut self) {
        for member in &self.members {
            let run = self.run.clone();
            self.out
                .push((Address::Agent(member.id.clone()), ToAgent::Release { run }));
        }
    }

    /// What is to be sent.
    pub fn sent(&mut self) -> Vec<(Address, ToAgent)> {
        std::mem::take(&mut self.out)
    }

    /// Ticks of all agents together, in order. While a step goes on they are whole.
    pub fn ticks(&mut self) -> Vec<Tick> {
        std::mem::take(&mut self.ticks)
    }

    /// When it has to look at the clock again, at the latest, ns.
    #[must_use]
    pub fn next_timeout_ns(&self) -> u64 {
        self.again_ns
    }

    /// Takes in a message.
    pub fn receive(&mut self, now_ns: u64, message: FromAgent) {
        let FromAgent { agent, run, said } = message;
        if run != self.run || !agent.is_plain() {
            return;
        }
        if let Said::Hello(mut about) = said {
            about.zone = about.zone.filter(|zone| is_name(zone));
            let is_gathering = matches!(self.phase, Phase::Gathering { .. });
            if is_gathering && (self.found.len() < MEMBERS_MAX || self.found.contains_key(&agent)) {
                self.found.insert(agent, (about, now_ns));
            }
            return;
        }
        let Some(place) = self.members.iter().position(|member| member.id == agent) else {
            return;
        };
        self.members[place].heard_ns = now_ns;
        match said {
            Said::Hello(_) | Said::Recalled { .. } => {}
            Said::Pong { sent_ns, agent_ns } => {
                let member = &mut self.members[place];
                member.pongs += 1;
                member.clock.read(sent_ns, agent_ns, now_ns);
            }
            Said::Prepared => {
                if matches!(self.phase, Phase::Preparing { .. }) {
                    self.members[place].answered = true;
                }
            }
            Said::Armed { step } => {
                if let Phase::Arming { spec, .. } = &self.phase
                    && spec.step == step
                {
                    self.members[place].answered = true;
                }
            }
            Said::Refused { step, refusal } => self.refused(place, step, refusal.why, refusal.hint),
            Said::Alive {
                step,
                sent_ns,
                agent_ns,
                begun,
                ticks,
            } => {
                let member = &mut self.members[place];
                member.clock.read(sent_ns, agent_ns, now_ns);
                if is_step(&self.phase, step) {
                    member.in_step.begun |= begun;
                    member.in_step.ticks = member.in_step.ticks.max(ticks);
                }
            }
            Said::Tick { step, tick } => {
                if is_step(&self.phase, step) {
                    self.tick(place, tick, now_ns);
                }
            }
            Said::Done {
                step,
                ticks,
                started,
                ended,
            } => {
                if is_step(&self.phase, step) {
                    self.done(place, ticks, started, ended);
                }
            }
        }
    }

    /// Looks at the clock. Messages that have come are to be [received](Self::receive) before, so that nobody is taken for silent who is not.
    pub fn poll(&mut self, now_ns: u64) {
        match &self.phase {
            Phase::Gathering { since_ns } => self.gather(*since_ns, now_ns),
            Phase::Formed | Phase::Ready | Phase::Failed => self.again_ns = now_ns + S,
            Phase::Preparing { since_ns, .. } => self.preparing(*since_ns, now_ns),
            Phase::Reading { since_ns, .. } => self.reading(*since_ns, now_ns),
            Phase::Arming { since_ns, .. } => self.arming(*since_ns, now_ns),
            Phase::Running(_) => self.running(now_ns),
        }
    }

    /// From now on, each is waited for.
    fn ask_all(&mut self, now_ns: u64) {
        self.faults.clear();
        self.again_ns = now_ns;
        for member in &mut self.members {
            member.answered = false;
            member.heard_ns = now_ns;
        }
    }

    /// Whether it is time to say something again.
    fn is_due(&mut self, now_ns: u64, every_ns: u64) -> bool {
        let due = now_ns >= self.again_ns;
        if due {
            self.again_ns = now_ns + every_ns;
        }
        due
    }

    fn tell(&mut self, place: usize, message: ToAgent) {
        let to = Address::Agent(self.members[place].id.clone());
        self.out.push((to, message));
    }

    /// Something went wrong before anybody sent.
    fn fail(&mut self) {
        let step = match &self.phase {
            Phase::Reading { spec, .. } | Phase::Arming { spec, .. } => Some(spec.step),
            _ => None,
        };
        for place in 0..self.members.len() {
            let run = self.run.clone();
            if let Some(step) = step {
                self.tell(place, ToAgent::Stop { run, step });
            }
        }
        self.phase = Phase::Failed;
        self.collect_faults();
    }

    fn collect_faults(&mut self) {
        for member in &self.members {
            if let Some(what) = member.fault.clone() {
                let agent = member.id.clone();
                self.faults.push(Fault { agent, what });
            }
        }
    }

    fn blame_unanswered(&mut self, now_ns: u64) {
        for member in self.members.iter_mut().filter(|member| !member.answered) {
            let for_ns = now_ns.saturating_sub(member.heard_ns);
            member.fault.get_or_insert(What::Silent { for_ns });
        }
    }

    fn refused(&mut self, place: usize, step: Option<u32>, why: String, hint: Option<String>) {
        let concerns_us = match (&self.phase, step) {
            (Phase::Preparing { .. }, None) => true,
            (phase, Some(step)) => is_step(phase, step),
            _ => false,
        };
        if concerns_us {
            self.members[place].fault.get_or_insert(What::Refused { why, hint });
        }
    }
}

/// Whether this step goes on.
fn is_step(phase: &Phase, step: u32) -> bool {
    match phase {
        Phase::Reading { spec, .. } | Phase::Arming { spec, .. } => spec.step == step,
        Phase::Running(running) => running.spec.step == step,
        _ => false,
    }
}
