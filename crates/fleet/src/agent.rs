//! A load agent: makes its share of what a coordinator asks for, within what its own user allows, and only while its lease runs.
//!
//! It belongs to one run at a time. A step goes from armed to running to ended and never back, so that no message that comes late or twice
//! makes a share be sent again.

use crate::LEASE_NS;
use crate::ids::{AgentId, RunId, is_version};
use crate::left::{Leavings, Left};
use crate::load::top_rate;
use crate::message::{About, Ended, FromAgent, Refusal, Said, SentPlan, Set, ToAgent};
use crate::over::RunsOver;
use crate::unkept::Unkept;
use plimsoll_measure::Tick;

/// An agent whose coordinator says nothing for so long between steps is free again, ns.
const HELD_NS: u64 = 15_000_000_000;
/// What was not acknowledged is said again after so long, ns.
const AGAIN_NS: u64 = 400_000_000;
/// Who hears of a beginning later than this does not begin, ns: its load would be another one than that of the others.
const LATE_NS: u64 = 50_000_000;
/// Ticks are not shorter than this, ns: whoever asks for less asks for memory without an end.
const TICK_LEAST_NS: u64 = 1_000_000;
/// No step begins later than this, ns.
const AHEAD_MAX_NS: u64 = 60_000_000_000;
/// Ticks that are said again at once.
const TICKS_AGAIN_MAX: usize = 8;

/// What its driver has to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Get ready for a plan, and say by [`Agent::prepared`] how that went.
    Prepare(SentPlan),
    /// Get ready for a step, and say by [`Agent::armed`] how that went.
    Arm(Box<Set>),
    /// Send from this time on, and say each [tick](Agent::ticked) and the [end](Agent::ended).
    Begin {
        /// Which step.
        step: u32,
        /// When, ns.
        at_ns: u64,
    },
    /// Nothing may be sent at or after this time, ns.
    Lease(u64),
    /// Start nothing more, and wait for what is in flight.
    Finish,
    /// Send nothing more.
    Stop,
    /// Forget the plan.
    Forget,
    /// It declined what somebody asked for; that is for its user to see.
    Declined(Refusal),
    /// A run of this version asks for agents, and it belongs to nobody: go on as the program of that version, where there is one.
    Replace(String),
}

/// A load agent.
#[derive(Debug)]
pub struct Agent {
    id: AgentId,
    about: About,
    held: Option<Held>,
    /// What it has of runs whose coordinator was not heard any more.
    leavings: Leavings,
    /// Runs that have let it go: a plan of theirs that comes late is for nobody.
    over: RunsOver,
    /// The run that could not have it last, which its user has seen.
    declined: Option<RunId>,
    out: Vec<FromAgent>,
    orders: Vec<Order>,
}

/// The run that it belongs to.
#[derive(Debug)]
struct Held {
    run: RunId,
    heard_ns: u64,
    prepared: Option<Result<(), Refusal>>,
    step: Option<Step>,
}

/// The last step that it heard of.
#[derive(Debug)]
struct Step {
    number: u32,
    phase: Phase,
    lease_ns: u64,
    lease_ended: bool,
    seen: Unkept,
    said_ns: u64,
}

#[derive(Debug, Clone, PartialEq)]
enum Phase {
    /// Getting ready.
    Arming,
    Refused(Refusal),
    Armed,
    Running,
    Ended(Ended),
    /// Ended, and the coordinator knows everything.
    Closed,
}

impl Step {
    fn new(number: u32, phase: Phase, seen: Unkept) -> Self {
        Self {
            number,
            phase,
            lease_ns: 0,
            lease_ended: false,
            seen,
            said_ns: 0,
        }
    }

    fn done(&self, ended: Ended) -> Said {
        Said::Done {
            step: self.number,
            ticks: self.seen.ticks(),
            started: self.seen.started(),
            ended,
        }
    }
}

impl Agent {
    /// One that belongs to nobody yet.
    #[must_use]
    pub fn new(id: AgentId, about: About) -> Self {
        Self {
            id,
            about,
            held: None,
            leavings: Leavings::default(),
            over: RunsOver::none(),
            declined: None,
            out: Vec::new(),
            orders: Vec::new(),
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn id(&self) -> &AgentId {
        &self.id
    }

    /// Takes in a message.
    pub fn receive(&mut self, now_ns: u64, message: ToAgent) {
        let run = message.run().clone();
        if !run.is_plain() {
            return;
        }
        match message {
            ToAgent::Call { version, .. } => {
                if version != self.about.version && is_version(&version) && self.held.is_none() {
                    self.replace(&run, version);
                }
                let about = About {
                    busy: self.is_held_by_other(&run, now_ns),
                    ..self.about.clone()
                };
                self.say(&run, Said::Hello(about));
            }
            ToAgent::Ping { sent_ns, .. } => {
                self.hear(&run, now_ns);
                let agent_ns = now_ns;
                self.say(&run, Said::Pong { sent_ns, agent_ns });
            }
            ToAgent::Prepare { plan, .. } => self.prepare(&run, plan, now_ns),
            ToAgent::Recall { step, from, .. } => self.recall(&run, step, from),
            other if !self.hear(&run, now_ns) => match other {
                // Whoever arms an agent that is not its own is told so.
                ToAgent::Arm { set, .. } => self.refuse(&run, Some(set.step), not_ours()),
                // What was left of it has come.
                ToAgent::Release { .. } => {
                    self.leavings.forget(&run);
                    self.over.add(run);
                }
                // Of a run that is over.
                _ => {}
            },
            ToAgent::Arm { set, .. } => self.arm(set),
            ToAgent::Begin {
                step, at_ns, lease_ns, ..
            } => self.begin(step, at_ns, lease_ns, now_ns),
            ToAgent::Renew {
                step,
                sent_ns,
                lease_ns,
                kept,
                ..
            } => self.renew(step, sent_ns, lease_ns, kept, now_ns),
            ToAgent::Finish { step, .. } => self.end(step, Order::Finish),
            ToAgent::Stop { step, .. } => self.end(step, Order::Stop),
            ToAgent::Close { step, .. } => {
                if let Some(own) = self.step(step)
                    && matches!(own.phase, Phase::Ended(_))
                {
                    own.phase = Phase::Closed;
                    own.seen.all_came();
                }
            }
            ToAgent::Release { .. } => {
                self.over.add(run);
                self.release();
            }
        }
    }

    /// Looks at the clock.
    pub fn poll(&mut self, now_ns: u64) {
        self.leavings.forget_old(now_ns);
        let Some(held) = &mut self.held else { return };
        let (run, mut said, mut runs) = (held.run.clone(), Vec::new(), false);
        if let Some(step) = &mut held.step {
            runs = step.phase == Phase::Running;
            if runs && now_ns >= step.lease_ns && !step.lease_ended {
                step.lease_ended = true;
                self.orders.push(Order::Stop);
            }
            if now_ns >= step.said_ns.saturating_add(AGAIN_NS) {
                step.said_ns = now_ns;
                let ticks = step.seen.not_come().take(TICKS_AGAIN_MAX);
                said.extend(ticks.map(|tick| Said::Tick {
                    step: step.number,
                    tick: tick.clone(),
                }));
                if let Phase::Ended(ended) = &step.phase {
                    said.push(step.done(ended.clone()));
                }
            }
        }
        let forgotten = !runs && now_ns >= held.heard_ns.saturating_add(HELD_NS);
        for said in said {
            self.say(&run, said);
        }
        if forgotten {
            self.lose(now_ns);
        }
    }

    /// When it has to look at the clock again, at the latest, ns; `None` is when the next message comes.
    #[must_use]
    pub fn next_timeout_ns(&self) -> Option<u64> {
        let held = self.held.as_ref()?;
        let forgets_ns = held.heard_ns.saturating_add(HELD_NS);
        let Some(step) = &held.step else {
            return Some(forgets_ns);
        };
        let again_ns = step.said_ns.saturating_add(AGAIN_NS);
        Some(match &step.phase {
            Phase::Running if step.lease_ended => again_ns,
            Phase::Running => step.lease_ns.min(again_ns),
            Phase::Ended(_) => again_ns.min(forgets_ns),
            _ => forgets_ns,
        })
    }

    /// Whether it may be sending.
    #[must_use]
    pub fn is_running(&self) -> bool {
        let step = self.held.as_ref().and_then(|held| held.step.as_ref());
        step.is_some_and(|step| step.phase == Phase::Running)
    }

    /// The driver is ready for the plan, or cannot be.
    pub fn prepared(&mut self, outcome: Result<(), Refusal>) {
        let Some(held) = &mut self.held else { return };
        held.prepared = Some(outcome);
        let run = held.run.clone();
        self.tell_prepared(&run);
    }

    /// The driver is ready for the step that it was armed for last, or cannot be.
    pub fn armed(&mut self, outcome: Result<(), Refusal>) {
        let Some(step) = self.held.as_mut().and_then(|held| held.step.as_mut()) else {
            return;
        };
        if step.phase != Phase::Arming {
            return;
        }
        step.phase = match outcome {
            Ok(()) => Phase::Armed,
            Err(refusal) => Phase::Refused(refusal),
        };
        self.tell_armed();
    }

    /// The driver saw a tick of the step that runs.
    pub fn ticked(&mut self, now_ns: u64, tick: Box<Tick>) {
        let Some(held) = &mut self.held else { return };
        let Some(step) = held.step.as_mut().filter(|step| step.phase == Phase::Running) else {
            return;
        };
        let tick = step.seen.take(tick);
        step.said_ns = now_ns;
        let (run, step) = (held.run.clone(), step.number);
        self.say(&run, Said::Tick { step, tick });
    }

    /// The driver has ended the step that ran.
    pub fn ended(&mut self, now_ns: u64, outcome: Result<(), String>) {
        let Some(held) = &mut self.held else { return };
        let Some(step) = held.step.as_mut().filter(|step| step.phase == Phase::Running) else {
            return;
        };
        let ended = match outcome {
            Err(why) => Ended::Failed(why),
            Ok(()) if step.lease_ended => Ended::LeaseEnded,
            Ok(()) => Ended::Over,
        };
        step.phase = Phase::Ended(ended.clone());
        step.said_ns = now_ns;
        held.heard_ns = held.heard_ns.max(now_ns);
        let (run, said) = (held.run.clone(), step.done(ended));
        self.say(&run, said);
    }

    /// What is to be sent to the coordinators that are named.
    pub fn sent(&mut self) -> Vec<FromAgent> {
        std::mem::take(&mut self.out)
    }

    /// What its driver has to do, in order.
    pub fn orders(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.orders)
    }

    fn say(&mut self, run: &RunId, said: Said) {
        self.out.push(FromAgent {
            agent: self.id.clone(),
            run: run.clone(),
            said,
        });
    }

    fn refuse(&mut self, run: &RunId, step: Option<u32>, refusal: Refusal) {
        self.say(run, Said::Refused { step, refusal });
    }

    /// Says once to its driver that a run wants another version.
    fn replace(&mut self, run: &RunId, version: String) {
        if self.declined.as_ref() != Some(run) {
            self.declined = Some(run.clone());
            self.orders.push(Order::Replace(version));
        }
    }

    /// Has its user see once what it says to a run as often as that asks.
    fn decline(&mut self, run: &RunId, refusal: &Refusal) {
        if self.declined.as_ref() != Some(run) {
            self.declined = Some(run.clone());
            self.orders.push(Order::Declined(refusal.clone()));
        }
    }

    /// Takes notice that the coordinator of a run is there; returns whether the agent belongs to it.
    fn hear(&mut self, run: &RunId, now_ns: u64) -> bool {
        match &mut self.held {
            Some(held) if held.run == *run => {
                held.heard_ns = held.heard_ns.max(now_ns);
                true
            }
            _ => false,
        }
    }

    fn is_held_by_other(&self, run: &RunId, now_ns: u64) -> bool {
        let other = self.held.as_ref().filter(|held| held.run != *run);
        other.is_some_and(|held| self.is_running() || now_ns < held.heard_ns.saturating_add(HELD_NS))
    }

    fn step(&mut self, number: u32) -> Option<&mut Step> {
        let step = self.held.as_mut()?.step.as_mut()?;
        (step.number == number).then_some(step)
    }

    fn prepare(&mut self, run: &RunId, plan: SentPlan, now_ns: u64) {
        if self.hear(run, now_ns) {
            return self.tell_prepared(run);
        }
        if self.over.has(run) {
            return;
        }
        if self.is_held_by_other(run, now_ns) {
            let refusal = Refusal {
                why: "it belongs to another run".to_owned(),
                hint: Some("wait for that run to end, or start another agent".to_owned()),
            };
            self.decline(run, &refusal);
            return self.refuse(run, None, refusal);
        }
        self.leave(now_ns);
        self.held = Some(Held {
            run: run.clone(),
            heard_ns: now_ns,
            prepared: None,
            step: None,
        });
        self.orders.push(Order::Prepare(plan));
    }

    fn tell_prepared(&mut self, run: &RunId) {
        match self.held.as_ref().and_then(|held| held.prepared.clone()) {
            // The driver is at it.
            None => {}
            Some(Ok(())) => self.say(run, Said::Prepared),
            Some(Err(refusal)) => self.refuse(run, None, refusal),
        }
    }

    fn arm(&mut self, set: Box<Set>) {
        let Some(held) = &mut self.held else { return };
        match &held.step {
            Some(step) if step.number == set.step => return self.tell_armed(),
            // Of a step that is over.
            Some(step) if step.number > set.step => return,
            // What is asked for before the last step has ended is not for us.
            Some(step) if step.phase == Phase::Running => return,
            _ => {}
        }
        let run = held.run.clone();
        if held.prepared != Some(Ok(())) {
            return self.refuse(&run, Some(set.step), not_ours());
        }
        held.step = Some(Step::new(set.step, Phase::Arming, Unkept::of_ticks(set.tick_ns)));
        match self.check(&set) {
            Ok(()) => self.orders.push(Order::Arm(set)),
            Err(refusal) => {
                self.orders.push(Order::Declined(refusal.clone()));
                self.armed(Err(refusal));
            }
        }
    }

    /// Whether the agent's own user allows such a load.
    fn check(&self, set: &Set) -> Result<(), Refusal> {
        let refuse = |why: String, hint: &str| {
            Err(Refusal {
                why,
                hint: Some(hint.to_owned()),
            })
        };
        let Some(load) = set.load.load() else {
            return refuse(
                "it found a load that no plan can ask for".to_owned(),
                "start coordinator and agents from the same version",
            );
        };
        if set.index >= set.of || set.tick_ns < TICK_LEAST_NS {
            return refuse(
                format!(
                    "it found share {} of {}, in ticks of {} ns",
                    set.index, set.of, set.tick_ns
                ),
                "start coordinator and agents from the same version",
            );
        }
        let Some(most) = self.about.most_micro_per_s else {
            return Ok(());
        };
        match top_rate(&load, set.index, set.of) {
            None => refuse(
                format!(
                    "it sends at most {}/s, and of such a load the service decides how fast it is sent",
                    per_s(most)
                ),
                "ask for a rate, or start the agent without --max-rate",
            ),
            Some(top) if top > most => refuse(
                format!("its share is {}/s, and it sends at most {}/s", per_s(top), per_s(most)),
                "ask for a lower rate, start more agents, or start the agent with a higher --max-rate",
            ),
            Some(_) => Ok(()),
        }
    }

    fn tell_armed(&mut self) {
        let Some(held) = &self.held else { return };
        let Some(step) = &held.step else { return };
        let (run, number) = (held.run.clone(), step.number);
        match step.phase.clone() {
            Phase::Armed => self.say(&run, Said::Armed { step: number }),
            Phase::Refused(refusal) => self.refuse(&run, Some(number), refusal),
            Phase::Arming | Phase::Running | Phase::Ended(_) | Phase::Closed => {}
        }
    }

    fn begin(&mut self, number: u32, at_ns: u64, lease_ns: u64, now_ns: u64) {
        if let Some(step) = self.step(number).filter(|step| step.phase == Phase::Armed) {
            // A lease is never longer than one, whatever is asked for.
            let lease_ns = lease_ns.min(at_ns.saturating_add(LEASE_NS));
            if now_ns > at_ns.saturating_add(LATE_NS) || now_ns >= lease_ns {
                step.phase = Phase::Ended(Ended::Failed("it heard of the beginning too late".to_owned()));
            } else if at_ns > now_ns.saturating_add(AHEAD_MAX_NS) {
                step.phase = Phase::Ended(Ended::Failed("it was to begin in more than a minute".to_owned()));
            } else {
                step.phase = Phase::Running;
                step.lease_ns = lease_ns;
                step.said_ns = now_ns;
                self.orders.push(Order::Lease(lease_ns));
                self.orders.push(Order::Begin { step: number, at_ns });
            }
        }
        self.say_alive(number, 0, now_ns);
    }

    fn renew(&mut self, number: u32, sent_ns: u64, lease_ns: u64, kept: u32, now_ns: u64) {
        if let Some(step) = self.step(number) {
            step.seen.came(kept);
            let lease_ns = lease_ns.min(now_ns.saturating_add(LEASE_NS));
            // What has ended stays so, even where its end was not noticed yet.
            if step.phase == Phase::Running && !step.lease_ended && now_ns < step.lease_ns && lease_ns > step.lease_ns {
                step.lease_ns = lease_ns;
                self.orders.push(Order::Lease(lease_ns));
            }
        }
        self.say_alive(number, sent_ns, now_ns);
    }

    fn say_alive(&mut self, number: u32, sent_ns: u64, now_ns: u64) {
        let Some(held) = &self.held else { return };
        let step = held.step.as_ref().filter(|step| step.number == number);
        let run = held.run.clone();
        let alive = Said::Alive {
            step: number,
            sent_ns,
            agent_ns: now_ns,
            begun: step.is_some_and(|step| matches!(step.phase, Phase::Running | Phase::Ended(_) | Phase::Closed)),
            ticks: step.map_or(0, |step| step.seen.ticks()),
        };
        self.say(&run, alive);
    }

    /// Ends a step in this way. One that has not begun never begins.
    fn end(&mut self, number: u32, order: Order) {
        let Some(held) = &mut self.held else { return };
        if held
            .step
            .as_ref()
            .is_none_or(|step| step.number < number && step.phase != Phase::Running)
        {
            held.step = Some(Step::new(number, Phase::Arming, Unkept::default()));
        }
        let run = held.run.clone();
        let Some(step) = self.step(number) else { return };
        let said = match &step.phase {
            Phase::Running => {
                self.orders.push(order);
                return;
            }
            Phase::Ended(ended) => step.done(ended.clone()),
            Phase::Closed => step.done(Ended::Over),
            Phase::Arming | Phase::Refused(_) | Phase::Armed => {
                step.phase = Phase::Ended(Ended::Over);
                step.done(Ended::Over)
            }
        };
        self.say(&run, said);
    }

    /// What was measured for a run whose coordinator is gone. Saying so changes nothing: one that is not gone goes on.
    fn recall(&mut self, run: &RunId, number: u32, from: u32) {
        let held = self.held.as_ref().filter(|held| held.run == *run);
        let last = match (held, self.leavings.of(run)) {
            (Some(held), _) => held.step.as_ref().map(|step| {
                let goes_on = step.phase == Phase::Running;
                (step.number, &step.seen, goes_on)
            }),
            (None, Some(left)) => left.step.map(|step| (step, &left.seen, false)),
            (None, None) => return self.refuse(run, Some(number), not_ours()),
        };
        let none = Unkept::default();
        let (seen, goes_on) = match last {
            Some((step, seen, goes_on)) if step == number => (seen, goes_on),
            // Of steps that are over it has nothing any more.
            Some((step, ..)) if step > number => return self.refuse(run, Some(number), not_ours()),
            _ => (&none, false),
        };
        let mut said = vec![Said::Recalled {
            step: number,
            first: seen.first(),
            ticks: seen.ticks(),
            started: seen.started(),
            goes_on,
        }];
        if !goes_on {
            let ticks = seen.from(from).take(TICKS_AGAIN_MAX);
            said.extend(ticks.map(|tick| Said::Tick {
                step: number,
                tick: tick.clone(),
            }));
        }
        for said in said {
            self.say(run, said);
        }
    }

    /// Its coordinator is not heard any more: what was measured for it is kept for a while.
    fn lose(&mut self, now_ns: u64) {
        self.leave(now_ns);
        self.release();
    }

    fn leave(&mut self, now_ns: u64) {
        if let Some(held) = &mut self.held {
            let (step, seen) = match held.step.take() {
                Some(step) => (Some(step.number), step.seen),
                None => (None, Unkept::default()),
            };
            let (run, since_ns) = (held.run.clone(), now_ns);
            self.leavings.add(Left {
                run,
                step,
                seen,
                since_ns,
            });
        }
    }

    /// Belongs to nobody any more.
    fn release(&mut self) {
        if self.is_running() {
            // What it still says nobody hears; what it sends ends now.
            self.orders.push(Order::Stop);
        }
        self.held = None;
        self.orders.push(Order::Forget);
    }
}

fn not_ours() -> Refusal {
    Refusal {
        why: "it does not know this run any more".to_owned(),
        hint: Some("run it again".to_owned()),
    }
}

fn per_s(micro: u64) -> f64 {
    micro as f64 / 1e6
}
