//! A coordinator and its agents, each with a clock of its own, and what has to hold of them.

use crate::about::about;
use crate::clock::Clock;
use crate::network::Network;
use crate::traffic::Messages;
use crate::worker::{Lie, Sent, Worker};
use plimsoll_fleet::{
    Address, Agent, AgentId, Coordinator, Fault, FleetSize, FromAgent, Had, LEASE_NS, Recall, RecallStage, RunId,
    SentPlan, Stage, StepSpec, ToAgent,
};
use plimsoll_plan::{Arrivals, Load, OpenLoad, Rate};
use plimsoll_schedule::{AgentShare, Schedule};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::time::Duration;

const S: u64 = 1_000_000_000;
/// Nothing takes longer than this, ns.
const LONGEST_NS: u64 = 240 * S;
const STEPS: u32 = 2;
/// How far a lease may be off: clocks are known to half a round trip, and drift.
const CLOCK_MARGIN_NS: u64 = 400_000_000;

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    None,
    Any,
    Lie,
    /// The coordinator dies, and somebody asks agents for what it did not write.
    Death,
}

/// What was written of a step whose coordinator died, and what agents had of it.
#[derive(Debug, Clone)]
pub(crate) struct Recalled {
    /// Requests that workers made.
    pub(crate) made: u64,
    /// Requests in the ticks that were written, and in those that agents had.
    pub(crate) counted: u64,
    pub(crate) had: Vec<Had>,
}

/// What became of a step.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub(crate) step: u32,
    pub(crate) is_over: bool,
    /// The coordinator stopped it.
    pub(crate) cut: bool,
    pub(crate) faults: Vec<Fault>,
    /// Requests of the load.
    pub(crate) planned: u64,
    /// Requests that the merged ticks have.
    pub(crate) reported: u64,
    /// When the coordinator said that it is over, by the true clock, ns.
    over_ns: u64,
}

impl Outcome {
    pub(crate) fn is_valid(&self) -> bool {
        self.is_over && !self.cut && self.faults.is_empty()
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Event {
    ToAgent(usize, Box<ToAgent>),
    ToCoordinator(Box<FromAgent>),
    /// An agent, or last of all the coordinator.
    Wake(usize),
}

pub(crate) struct World {
    seed: u64,
    rate_per_s: u32,
    rng: ChaCha8Rng,
    now_ns: u64,
    network: Network,
    run: RunId,
    coordinator: Coordinator,
    clock: Clock,
    /// When the coordinator dies, ns.
    coordinator_dies_ns: u64,
    /// When it stops the step that runs, ns.
    stops_ns: u64,
    workers: Vec<Worker>,
    /// When each dies, ns.
    dies_ns: Vec<u64>,
    /// From when to when each stands still, ns.
    still: Vec<(u64, u64)>,
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    events: HashMap<u64, Event>,
    next_event: u64,
    /// When each agent is woken next, and the coordinator last of all, ns.
    wakes_ns: Vec<u64>,
    /// The true time until which each agent may send, ns.
    granted_ns: Vec<u64>,
    begun: u32,
    outcomes: Vec<Outcome>,
    cut: bool,
    reported: u64,
    is_done: bool,
    /// Requests of each tick of the step that was handed on.
    written: Vec<u64>,
    /// When somebody asks for what is left, ns, and what was lost with the coordinator of what it had written.
    recalls_ns: Option<u64>,
    unwritten: usize,
    recall: Option<Recall>,
    pub(crate) recalled: Option<Recalled>,
    /// What went to agents, and what came from them.
    pub(crate) went: Messages,
    pub(crate) came: Messages,
}

impl World {
    pub(crate) fn new(seed: u64, trouble: Trouble) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let agents = rng.random_range(1..=4);
        Self::of(seed, rng, trouble, agents, 37)
    }

    /// A fleet of so many agents without trouble, at a rate of which each has a share.
    pub(crate) fn large(seed: u64, agents: usize, rate_per_s: u32) -> Self {
        Self::of(seed, ChaCha8Rng::seed_from_u64(seed), Trouble::None, agents, rate_per_s)
    }

    fn of(seed: u64, mut rng: ChaCha8Rng, trouble: Trouble, agents: usize, rate_per_s: u32) -> Self {
        let any = matches!(trouble, Trouble::Any | Trouble::Death);
        let mut network = if any {
            Network::bad(&mut rng)
        } else {
            Network::good(&mut rng)
        };
        let mut workers: Vec<_> = (0..agents)
            .map(|place| {
                let id = AgentId::new(&format!("a{place}"), rng.random());
                Worker::new(place, Agent::new(id, about()), Clock::any(&mut rng), seed)
            })
            .collect();
        let mut dies_ns = vec![u64::MAX; agents];
        let mut still = vec![(0, 0); agents];
        let (mut coordinator_dies_ns, mut stops_ns) = (u64::MAX, u64::MAX);
        let (mut recalls_ns, mut unwritten) = (None, 0);
        if trouble == Trouble::Death {
            coordinator_dies_ns = rng.random_range(S..14 * S);
            recalls_ns = Some(coordinator_dies_ns + rng.random_range(0..30 * S));
            unwritten = rng.random_range(0..4);
        }
        if trouble == Trouble::Any {
            let unlucky = rng.random_range(0..agents);
            let at_ns = rng.random_range(0..12 * S);
            let for_ns = rng.random_range(0..10 * S);
            match rng.random_range(0..7) {
                0 => dies_ns[unlucky] = at_ns,
                1 => still[unlucky] = (at_ns, at_ns + for_ns),
                2 => network.cuts.push((unlucky, at_ns, at_ns + for_ns)),
                3 => (0..agents).for_each(|agent| network.cuts.push((agent, at_ns, at_ns + for_ns))),
                4 => coordinator_dies_ns = at_ns,
                5 => stops_ns = at_ns,
                _ => {}
            }
        }
        if trouble == Trouble::Lie {
            let lies = [Lie::Fewer, Lie::More, Lie::NoTick, Lie::OtherCount];
            workers[rng.random_range(0..agents)].lie = Some(lies[rng.random_range(0..lies.len())]);
        }
        let run = RunId::new(seed);
        let own = Clock::any(&mut rng);
        let size = FleetSize {
            wanted: Some(agents as u32),
            least: None,
        };
        let mut world = Self {
            seed,
            rate_per_s,
            now_ns: 0,
            network,
            coordinator: Coordinator::new(run.clone(), "1", size, own.shows(0)),
            run,
            clock: own,
            coordinator_dies_ns,
            stops_ns,
            granted_ns: vec![0; agents],
            workers,
            dies_ns,
            still,
            queue: BinaryHeap::new(),
            events: HashMap::new(),
            next_event: 0,
            wakes_ns: vec![u64::MAX; agents + 1],
            begun: 0,
            outcomes: Vec::new(),
            cut: false,
            reported: 0,
            is_done: false,
            written: Vec::new(),
            recalls_ns,
            unwritten,
            recall: None,
            recalled: None,
            went: Messages::default(),
            came: Messages::default(),
            rng,
        };
        world.wake_at(agents, 0);
        world
    }

    /// Until nothing happens any more.
    pub(crate) fn run(&mut self) {
        while let Some(Reverse((at_ns, number))) = self.queue.pop() {
            assert!(at_ns <= LONGEST_NS, "seed {}: it does not end", self.seed);
            self.now_ns = at_ns;
            let Some(event) = self.events.remove(&number) else {
                continue;
            };
            match event {
                // What was to wake it later has been overtaken.
                Event::Wake(who) if at_ns != self.wakes_ns[who] => {}
                Event::Wake(who) => {
                    self.wakes_ns[who] = u64::MAX;
                    match who == self.workers.len() {
                        true => self.wake_coordinator(None),
                        false => self.wake_agent(who, None),
                    }
                }
                Event::ToAgent(agent, message) => self.wake_agent(agent, Some(*message)),
                Event::ToCoordinator(message) => self.wake_coordinator(Some(*message)),
            }
            if self.is_done && self.workers.iter().all(|worker| !worker.agent.is_running()) {
                return;
            }
        }
    }

    pub(crate) fn outcomes(&self) -> Vec<Outcome> {
        self.outcomes.clone()
    }

    /// The longest that a message and its reply take, ns.
    pub(crate) const fn round_trip_ns(&self) -> u64 {
        2 * (self.network.least_ns + self.network.jitter_ns)
    }

    /// Requests of a step.
    pub(crate) fn sent_in(&self, step: u32) -> impl Iterator<Item = &Sent> {
        let sent = self.workers.iter().flat_map(|worker| &worker.sent);
        sent.filter(move |sent| sent.step == step)
    }

    /// What has to hold, whatever goes wrong.
    pub(crate) fn check(&self, outcomes: &[Outcome]) {
        let seed = self.seed;
        let sent: Vec<&Sent> = self.workers.iter().flat_map(|worker| &worker.sent).collect();
        let mut once = HashSet::new();
        for sent in &sent {
            assert!(
                once.insert((&sent.run, sent.step, sent.number)),
                "seed {seed}: request {sent:?} is sent twice"
            );
            assert!(
                sent.at_ns <= self.granted_ns[sent.agent] + CLOCK_MARGIN_NS,
                "seed {seed}: request {sent:?} is sent after the lease, which ended at {}",
                self.granted_ns[sent.agent]
            );
        }
        for outcome in outcomes {
            let of_step = || self.sent_in(outcome.step);
            if outcome.is_valid() {
                let made = of_step().count() as u64;
                assert_eq!(outcome.reported, outcome.planned, "seed {seed}: step {}", outcome.step);
                assert_eq!(made, outcome.planned, "seed {seed}: step {}", outcome.step);
            }
            if outcome.is_over {
                let last = of_step().map(|sent| sent.at_ns).max().unwrap_or(0);
                assert!(last <= outcome.over_ns, "seed {seed}: step {} was over", outcome.step);
            }
            let made = of_step().count() as u64;
            let lies = self.workers.iter().any(|worker| worker.lie.is_some());
            assert!(outcome.reported <= made || lies, "seed {seed}: a tick counted twice");
        }
    }

    fn at(&mut self, at_ns: u64, event: Event) {
        self.queue.push(Reverse((at_ns, self.next_event)));
        self.events.insert(self.next_event, event);
        self.next_event += 1;
    }

    fn wake_at(&mut self, who: usize, at_ns: u64) {
        let at_ns = at_ns.max(self.now_ns + 1);
        if at_ns < self.wakes_ns[who] {
            self.wakes_ns[who] = at_ns;
            self.at(at_ns, Event::Wake(who));
        }
    }

    fn wake_agent(&mut self, agent: usize, message: Option<ToAgent>) {
        if self.now_ns >= self.dies_ns[agent] {
            // What a dead agent had under way is over as well.
            let worker = &mut self.workers[agent];
            let id = worker.agent.id().clone();
            worker.agent = Agent::new(id, about());
            return;
        }
        let (from_ns, to_ns) = self.still[agent];
        if (from_ns..to_ns).contains(&self.now_ns) {
            return match message {
                Some(message) => self.at(to_ns, Event::ToAgent(agent, Box::new(message))),
                None => self.wake_at(agent, to_ns),
            };
        }
        // Whatever was to happen meanwhile happens at its end.
        let stood_still = to_ns > 0 && self.now_ns == to_ns;
        let out = self.workers[agent].wake(self.now_ns, message, stood_still);
        for message in out {
            self.came.add(&message);
            for at_ns in self.network.arrivals(agent, self.now_ns, &mut self.rng) {
                self.at(at_ns, Event::ToCoordinator(Box::new(message.clone())));
            }
        }
        if let Some(at_ns) = self.workers[agent].wakes_ns() {
            self.wake_at(agent, at_ns);
        }
    }

    fn wake_coordinator(&mut self, message: Option<FromAgent>) {
        if self.is_done {
            return;
        }
        if self.now_ns >= self.coordinator_dies_ns {
            match self.recalls_ns {
                Some(recalls_ns) => self.recall(recalls_ns, message),
                None => self.is_done = true,
            }
            return;
        }
        let now_ns = self.clock.shows(self.now_ns);
        if let Some(message) = message {
            self.coordinator.receive(now_ns, message);
        }
        self.coordinator.poll(now_ns);
        if self.now_ns >= self.stops_ns && self.coordinator.stage() == Stage::Stepping {
            self.coordinator.stop(now_ns);
            self.cut = true;
            self.stops_ns = u64::MAX;
        }
        self.go_on(now_ns);
        for (to, message) in self.coordinator.sent() {
            self.carry(&to, &message);
        }
        let wakes_ns = self.clock.true_ns(self.coordinator.next_timeout_ns()) + 1_000;
        self.wake_at(self.workers.len(), wakes_ns);
    }

    /// Somebody asks agents for what they have of the step that went on when the coordinator died.
    fn recall(&mut self, recalls_ns: u64, message: Option<FromAgent>) {
        if self.coordinator.stage() != Stage::Stepping {
            self.is_done = true;
            return;
        }
        if self.now_ns < recalls_ns {
            return self.wake_at(self.workers.len(), recalls_ns);
        }
        let (now_ns, step) = (self.clock.shows(self.now_ns), self.begun - 1);
        let from = self.written.len().saturating_sub(self.unwritten);
        let mut recall = self.recall.take().unwrap_or_else(|| {
            let agents = self.coordinator.members().iter().map(|member| member.id.clone());
            Recall::new(self.run.clone(), agents.collect(), step, from as u32, now_ns)
        });
        if let Some(message) = message {
            recall.receive(now_ns, message);
        }
        recall.poll(now_ns);
        for (to, message) in recall.sent() {
            self.carry(&to, &message);
        }
        match recall.stage(now_ns) {
            RecallStage::Asking => {
                let wakes_ns = self.clock.true_ns(recall.next_timeout_ns()) + 1_000;
                self.wake_at(self.workers.len(), wakes_ns);
                self.recall = Some(recall);
            }
            RecallStage::GoesOn(place) => panic!("seed {}: agent {place} sends without a coordinator", self.seed),
            RecallStage::Over => {
                let had = recall.had();
                let left: u64 = recall.ticks().iter().map(|tick| tick.counters.scheduled).sum();
                self.recalled = Some(Recalled {
                    made: self.sent_in(step).count() as u64,
                    counted: self.written[..from].iter().sum::<u64>() + left,
                    had,
                });
                self.is_done = true;
            }
        }
    }

    fn go_on(&mut self, now_ns: u64) {
        let ticks = self.coordinator.ticks();
        self.reported += ticks.iter().map(|tick| tick.counters.scheduled).sum::<u64>();
        self.written.extend(ticks.iter().map(|tick| tick.counters.scheduled));
        match self.coordinator.stage() {
            Stage::Formed => self.coordinator.prepare(now_ns, SentPlan::default()),
            Stage::Ready => {
                if self.begun > 0 {
                    self.note(true);
                }
                // Only a fleet that is whole makes another step.
                let goes_on = self.begun < STEPS && self.coordinator.faults().is_empty();
                if goes_on {
                    let spec = self.spec(now_ns);
                    self.coordinator.begin(now_ns, spec);
                    self.begun += 1;
                    self.written.clear();
                } else {
                    self.coordinator.release();
                    self.is_done = true;
                }
            }
            Stage::Failed => {
                self.note(false);
                self.is_done = true;
            }
            Stage::Gathering | Stage::Preparing | Stage::Stepping => {}
        }
    }

    fn note(&mut self, is_over: bool) {
        let load = self.load(self.begun.saturating_sub(1));
        self.outcomes.push(Outcome {
            step: self.begun.saturating_sub(1),
            is_over,
            cut: std::mem::take(&mut self.cut),
            faults: self.coordinator.faults().to_vec(),
            planned: Schedule::new(&load, self.seed, AgentShare::WHOLE).count() as u64,
            reported: std::mem::take(&mut self.reported),
            over_ns: self.now_ns,
        });
    }

    fn load(&self, step: u32) -> OpenLoad {
        let arrivals = if (self.seed + u64::from(step)).is_multiple_of(2) {
            Arrivals::Even
        } else {
            Arrivals::Poisson
        };
        // Some end before a lease does, and some outlast two.
        let ms = [2_700, 11_300][(self.seed % 3 / 2) as usize];
        OpenLoad::constant(Rate::per_s(self.rate_per_s), Duration::from_millis(ms), arrivals)
    }

    fn spec(&self, now_ns: u64) -> StepSpec {
        StepSpec {
            step: self.begun,
            load: Load::Open(self.load(self.begun)),
            seed: self.seed,
            first: 0,
            users: false,
            warm_up_ns: 0,
            tick_ns: 500_000_000,
            zero_ns: now_ns,
            drain_ns: S,
        }
    }

    fn carry(&mut self, to: &Address, message: &ToAgent) {
        self.went.add(message);
        for agent in 0..self.workers.len() {
            let is_for = match to {
                Address::Agents => true,
                Address::Agent(id) => self.workers[agent].agent.id() == id,
                Address::Coordinator { .. } | Address::Targets | Address::Target(_) | Address::Holder { .. } => false,
            };
            if !is_for {
                continue;
            }
            assert_eq!(message.run(), &self.run);
            // What is granted counts from the moment at which it is said, even where nobody hears it.
            let granted = match message {
                ToAgent::Begin { lease_ns, .. } | ToAgent::Renew { lease_ns, .. } => Some(*lease_ns),
                _ => None,
            };
            if let Some(lease_ns) = granted {
                let worker = &self.workers[agent];
                let until_ns = worker.clock.true_ns(lease_ns).min(self.now_ns + LEASE_NS + S);
                self.granted_ns[agent] = self.granted_ns[agent].max(until_ns);
            }
            for at_ns in self.network.arrivals(agent, self.now_ns, &mut self.rng) {
                self.at(at_ns, Event::ToAgent(agent, Box::new(message.clone())));
            }
        }
    }
}
