//! The coordinator of a fleet: gathers agents, reads their clocks, gives each its share, begins all of them together, and merges what they see.
//!
//! It never gives a share to a second agent. When one of them goes wrong, the others are stopped and the step is over only when the last lease
//! has ended, so that nobody sends any more; what was seen until then is handed on, with what went wrong.

use crate::bus::Address;
use crate::fault::{Fault, What};
use crate::ids::{AgentId, RunId, is_name};
use crate::load::SentLoad;
use crate::member::{InStep, Member};
use crate::message::{About, Ended, FromAgent, Said, SentPlan, Set, ToAgent};
use crate::pace::{CALL_NS, GATHER_MAX_NS, GATHER_NS, MS, PING_NS, PONGS, RENEW_NS, S};
use crate::parts::Parts;
use crate::share::starts_of;
use crate::{LEASE_NS, SILENCE_NS};
use plimsoll_measure::Tick;
use plimsoll_plan::Load;
use plimsoll_schedule::AgentShare;
use std::collections::BTreeMap;

/// What is not responded to is said again after so long.
const ASK_NS: u64 = 250 * MS;
/// A plan may be long.
const PREPARE_NS: u64 = 2 * S;
/// An agent may take so long to get ready.
const READY_MAX_NS: u64 = 30 * S;
/// A step begins so long after all agents are ready: time for the message to be lost a few times.
const LEAD_NS: u64 = 400 * MS;
const BEGIN_NS: u64 = 50 * MS;
/// Who was ended is told again after so long.
const END_NS: u64 = 200 * MS;
/// A lease ends by a clock that is known to be a little off.
const LEASE_MARGIN_NS: u64 = 200 * MS;
/// Ticks that an agent may be ahead of the time that has passed: a step that is finished early has one more.
const AHEAD_MAX: u64 = 16;
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
    found: BTreeMap<AgentId, About>,
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
            .filter(|about| self.unusable(about).is_none())
            .count()
    }

    /// Agents that are there and cannot be had, with the reason.
    #[must_use]
    pub fn unusable_agents(&self) -> Vec<(&AgentId, String)> {
        let why = |(id, about)| Some((id, self.unusable(about)?));
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
                self.found.insert(agent, about);
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

    fn unusable(&self, about: &About) -> Option<String> {
        if about.version != self.version {
            return Some(format!("it is version {}, expected {}", about.version, self.version));
        }
        about.busy.then(|| "it belongs to another run".to_owned())
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

    fn gather(&mut self, since_ns: u64, now_ns: u64) {
        let usable = self.usable();
        let waited_ns = now_ns - since_ns;
        let FleetSize { wanted, least } = self.size;
        let is_full = wanted.is_some_and(|wanted| usable >= wanted as usize);
        // Who is wanted is waited for. All others had the time to respond.
        let gathered_ns = if wanted.is_some() { GATHER_MAX_NS } else { GATHER_NS };
        if is_full || (waited_ns >= gathered_ns && usable >= self.size.least() as usize) {
            let most = wanted.map_or(usize::MAX, |wanted| wanted as usize);
            let usable = self.found.iter().filter(|(_, about)| self.unusable(about).is_none());
            let members = usable.take(most);
            let members = members.map(|(id, about)| Member::new(id.clone(), about.clone(), now_ns));
            self.members = members.collect();
            self.phase = Phase::Formed;
            return;
        }
        let patience_ns = match wanted.or(least) {
            Some(_) => GATHER_MAX_NS,
            None => 3 * GATHER_NS,
        };
        if waited_ns >= patience_ns {
            self.phase = Phase::Failed;
        } else if self.is_due(now_ns, CALL_NS) {
            let run = self.run.clone();
            self.out.push((Address::Agents, ToAgent::Call { run }));
        }
    }

    fn preparing(&mut self, since_ns: u64, now_ns: u64) {
        if self.members.iter().any(|member| member.fault.is_some()) {
            return self.fail();
        }
        if self.members.iter().all(|member| member.answered) {
            self.phase = Phase::Ready;
            return;
        }
        if now_ns - since_ns >= READY_MAX_NS {
            self.blame_unanswered(now_ns);
            return self.fail();
        }
        let Phase::Preparing { plan, .. } = &self.phase else {
            return;
        };
        let plan = plan.clone();
        if self.is_due(now_ns, PREPARE_NS) {
            for place in 0..self.members.len() {
                if !self.members[place].answered {
                    let (run, plan) = (self.run.clone(), plan.clone());
                    self.tell(place, ToAgent::Prepare { run, plan });
                }
            }
        }
    }

    fn reading(&mut self, since_ns: u64, now_ns: u64) {
        if self.members.iter().all(|member| member.pongs >= PONGS) {
            let Phase::Reading { spec, .. } = std::mem::replace(&mut self.phase, Phase::Ready) else {
                return;
            };
            for member in &mut self.members {
                member.in_step.zero_ns = member.clock.there(spec.zero_ns);
            }
            self.again_ns = now_ns;
            self.phase = Phase::Arming { since_ns: now_ns, spec };
            return self.arming(now_ns, now_ns);
        }
        if now_ns - since_ns >= SILENCE_NS {
            for member in self.members.iter_mut().filter(|member| member.pongs < PONGS) {
                let for_ns = now_ns - since_ns;
                member.fault.get_or_insert(What::Silent { for_ns });
            }
            return self.fail();
        }
        if self.is_due(now_ns, PING_NS) {
            for place in 0..self.members.len() {
                if self.members[place].pongs < PONGS {
                    let run = self.run.clone();
                    self.tell(place, ToAgent::Ping { run, sent_ns: now_ns });
                }
            }
        }
    }

    fn arming(&mut self, since_ns: u64, now_ns: u64) {
        if self.members.iter().any(|member| member.fault.is_some()) {
            return self.fail();
        }
        if self.members.iter().all(|member| member.answered) {
            return self.run(now_ns);
        }
        if now_ns - since_ns >= READY_MAX_NS {
            self.blame_unanswered(now_ns);
            return self.fail();
        }
        let Phase::Arming { spec, .. } = &self.phase else {
            return;
        };
        let spec = spec.clone();
        if self.is_due(now_ns, ASK_NS) {
            let (of, load) = (self.members.len() as u32, SentLoad::from(&spec.load));
            for place in 0..self.members.len() {
                if self.members[place].answered {
                    continue;
                }
                let set = Set {
                    step: spec.step,
                    index: place as u32,
                    of,
                    load: load.clone(),
                    first: spec.first,
                    warm_up_ns: spec.warm_up_ns,
                    tick_ns: spec.tick_ns,
                    zero_ns: self.members[place].in_step.zero_ns,
                };
                let (run, set) = (self.run.clone(), Box::new(set));
                self.tell(place, ToAgent::Arm { run, set });
            }
        }
    }

    /// All are ready: from here on they send.
    fn run(&mut self, now_ns: u64) {
        let Phase::Arming { spec, .. } = std::mem::replace(&mut self.phase, Phase::Ready) else {
            return;
        };
        let begins_ns = now_ns + LEAD_NS;
        let ends_ns = spec
            .load
            .duration()
            .map(|duration| begins_ns + duration.as_nanos() as u64);
        for member in &mut self.members {
            member.heard_ns = now_ns;
            member.in_step.lease_ns = begins_ns + LEASE_NS;
            member.in_step.came = (0, begins_ns);
        }
        self.phase = Phase::Running(Box::new(Running {
            begins_ns,
            ends: Ends::ByItself,
            deadline_ns: ends_ns.map(|ends_ns| ends_ns + spec.drain_ns + SILENCE_NS),
            spec: *spec,
        }));
        self.again_ns = now_ns;
        self.running(now_ns);
    }

    fn running(&mut self, now_ns: u64) {
        self.hand_on();
        self.look_for_faults(now_ns);
        let Phase::Running(running) = &self.phase else { return };
        let (step, begins_ns, ends, zero_ns) =
            (running.spec.step, running.begins_ns, running.ends, running.spec.zero_ns);
        if ends != Ends::Broken && self.members.iter().any(|member| member.fault.is_some()) {
            return self.end(now_ns, Ends::Broken);
        }
        if self.is_over(now_ns, ends) {
            return self.over();
        }
        let every_ns = match ends {
            Ends::ByItself if now_ns < begins_ns => BEGIN_NS,
            Ends::ByItself => RENEW_NS,
            _ => END_NS,
        };
        if !self.is_due(now_ns, every_ns) {
            return;
        }
        for place in 0..self.members.len() {
            let run = self.run.clone();
            let kept = self.parts.kept(place);
            let member = &mut self.members[place];
            if member.in_step.ended.is_some() && self.parts.is_whole(place) {
                self.tell(place, ToAgent::Close { run, step });
                continue;
            }
            if now_ns < begins_ns && ends == Ends::ByItself {
                if !member.in_step.begun {
                    let at_ns = member.in_step.zero_ns.saturating_add(begins_ns.saturating_sub(zero_ns));
                    let lease_ns = member.clock.there(member.in_step.lease_ns);
                    let begin = ToAgent::Begin {
                        run,
                        step,
                        at_ns,
                        lease_ns,
                    };
                    self.tell(place, begin);
                }
                continue;
            }
            // Who is being ended gets no longer lease, but hears which of its ticks have come.
            if matches!(ends, Ends::ByItself | Ends::Finishing) && member.fault.is_none() {
                member.in_step.lease_ns = member.in_step.lease_ns.max(now_ns + LEASE_NS);
            }
            let lease_ns = member.clock.there(member.in_step.lease_ns);
            let renew = ToAgent::Renew {
                run: run.clone(),
                step,
                sent_ns: now_ns,
                lease_ns,
                kept,
            };
            self.tell(place, renew);
            match ends {
                Ends::ByItself => {}
                Ends::Finishing => self.tell(place, ToAgent::Finish { run, step }),
                Ends::Stopping | Ends::Broken => self.tell(place, ToAgent::Stop { run, step }),
            }
        }
    }

    /// Ends a step in this way, unless it is already being ended more quickly.
    fn end(&mut self, now_ns: u64, ends: Ends) {
        match &mut self.phase {
            Phase::Running(running) => {
                let rank = |ends: Ends| ends as u8;
                if rank(running.ends) >= rank(ends) {
                    return;
                }
                running.ends = ends;
                running.deadline_ns = Some(now_ns + running.spec.drain_ns + SILENCE_NS);
                self.again_ns = now_ns;
                self.running(now_ns);
            }
            // Nobody has begun, and nobody is told to any more.
            Phase::Reading { spec, .. } | Phase::Arming { spec, .. } => {
                let step = spec.step;
                for place in 0..self.members.len() {
                    let run = self.run.clone();
                    self.tell(place, ToAgent::Stop { run, step });
                }
                self.phase = Phase::Ready;
            }
            _ => {}
        }
    }

    fn hand_on(&mut self) {
        while let Some(tick) = self.parts.next_whole() {
            self.ticks.push(tick);
        }
    }

    /// Whether nobody sends any more, and everything has come that will.
    fn is_over(&self, now_ns: u64, ends: Ends) -> bool {
        let is_over = |(place, member): (usize, &Member)| {
            let has_ended = member.in_step.ended.is_some() && self.parts.is_whole(place);
            let cannot_send = now_ns >= member.in_step.lease_ns + LEASE_MARGIN_NS;
            has_ended || (ends == Ends::Broken && cannot_send)
        };
        self.members.iter().enumerate().all(is_over)
    }

    fn over(&mut self) {
        let Phase::Running(running) = std::mem::replace(&mut self.phase, Phase::Ready) else {
            return;
        };
        self.hand_on();
        let rest = self.parts.rest();
        self.ticks.extend(rest);
        let (step, of) = (running.spec.step, self.members.len() as u32);
        for place in 0..self.members.len() {
            let run = self.run.clone();
            self.tell(place, ToAgent::Close { run, step });
            let spec = &running.spec;
            let expected = AgentShare::new(place as u32, of)
                .filter(|_| running.ends == Ends::ByItself && !spec.users)
                .and_then(|share| starts_of(&spec.load, spec.seed, share));
            let made = self.parts.started(place);
            let started = self.members[place].in_step.started;
            if self.parts.is_whole(place) && made != started {
                let how = format!("it began {started} requests, and its ticks have {made}");
                self.members[place].fault.get_or_insert(What::Contradicts { how });
            }
            if let Some(expected) = expected.filter(|expected| *expected != made) {
                self.members[place]
                    .fault
                    .get_or_insert(What::Miscounted { made, expected });
            }
        }
        self.collect_faults();
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

    fn tick(&mut self, place: usize, tick: Box<Tick>, now_ns: u64) {
        let Phase::Running(running) = &self.phase else { return };
        let passed_ns = now_ns.saturating_sub(running.begins_ns);
        let most = passed_ns / running.spec.tick_ns.max(1) + AHEAD_MAX;
        let index = tick.index;
        let member = &mut self.members[place];
        member.in_step.begun = true;
        if member.in_step.ended.is_some() && index >= member.in_step.ticks {
            let how = format!(
                "tick {index} came after its end, which was after {} ticks",
                member.in_step.ticks
            );
            member.fault.get_or_insert(What::Contradicts { how });
        } else if u64::from(index) >= most {
            let how = format!("tick {index} came after {:.1} s", passed_ns as f64 / 1e9);
            member.fault.get_or_insert(What::Contradicts { how });
        } else if self.parts.take(place, tick) {
            member.in_step.ticks = member.in_step.ticks.max(index.saturating_add(1));
            self.hand_on();
        }
    }

    fn done(&mut self, place: usize, ticks: u32, started: u64, ended: Ended) {
        let kept = self.parts.kept(place);
        let member = &mut self.members[place];
        if ticks < kept.max(member.in_step.ticks) {
            let how = format!(
                "it ended after {ticks} ticks, and {} came",
                kept.max(member.in_step.ticks)
            );
            member.fault.get_or_insert(What::Contradicts { how });
        }
        member.in_step.ticks = member.in_step.ticks.max(ticks);
        if member.in_step.ended.is_none() {
            self.parts.ends(place, ticks);
            member.in_step.ended = Some(ended.clone());
            member.in_step.started = started;
            match ended {
                Ended::Over => {}
                Ended::LeaseEnded => {
                    member.fault.get_or_insert(What::LeaseEnded);
                }
                Ended::Failed(why) => {
                    member.fault.get_or_insert(What::Failed { why });
                }
            }
        }
        self.hand_on();
    }

    fn look_for_faults(&mut self, now_ns: u64) {
        let Phase::Running(running) = &self.phase else { return };
        let (begins_ns, ends) = (running.begins_ns, running.ends);
        let tick_ns = running.spec.tick_ns.max(1);
        let planned = running
            .spec
            .load
            .duration()
            .map_or(0, |duration| duration.as_nanos() as u64)
            / tick_ns;
        let deadline_ns = running.deadline_ns;
        for (place, member) in self.members.iter_mut().enumerate() {
            if member.fault.is_some() || (member.in_step.ended.is_some() && self.parts.is_whole(place)) {
                continue;
            }
            let kept = self.parts.kept(place);
            if kept != member.in_step.came.0 {
                member.in_step.came = (kept, now_ns);
            }
            let silent_ns = now_ns.saturating_sub(member.heard_ns);
            let is_missing = member.in_step.ticks > kept && now_ns > member.in_step.came.1 + SILENCE_NS;
            let due_ns = begins_ns + tick_ns * (u64::from(kept) + 1) + SILENCE_NS;
            let is_overdue = ends == Ends::ByItself && u64::from(kept) < planned && now_ns > due_ns;
            member.fault = if silent_ns > SILENCE_NS {
                Some(What::Silent { for_ns: silent_ns })
            } else if !member.in_step.begun && now_ns > begins_ns + SILENCE_NS / 2 {
                Some(What::DidNotBegin)
            } else if is_missing || is_overdue {
                Some(What::Behind { tick: kept })
            } else if deadline_ns.is_some_and(|deadline_ns| now_ns > deadline_ns) {
                Some(What::Endless)
            } else {
                None
            };
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
