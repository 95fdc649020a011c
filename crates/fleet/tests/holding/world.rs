//! Two runs and the machines that both want, each with a clock of its own, and what has to hold of them.

use crate::clock::Clock;
use crate::machine::Machine;
use crate::network::Network;
use plimsoll_fleet::{
    AboutTarget, Address, AgentId, FromTarget, HoldStage, Holder, LEASE_NS, RunId, TargetAgent, ToTarget,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

const S: u64 = 1_000_000_000;
/// Nothing takes longer than this, ns.
const LONGEST_NS: u64 = 200 * S;
/// So much is asked by each run.
const ASKED: u64 = 8;
/// How far a lease may be off: clocks are known to half a round trip, and drift.
const CLOCK_MARGIN_NS: u64 = 400_000_000;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Event {
    ToMachine(usize, ToTarget),
    ToRun(usize, FromTarget),
    WakeMachine(usize),
    WakeRun(usize),
}

/// A run, as its driver has it.
struct Run {
    id: RunId,
    holder: Holder,
    clock: Clock,
    begins_ns: u64,
    dies_ns: u64,
    asked: u64,
    replies: Vec<Vec<String>>,
    /// It has everything that it asked for.
    is_whole: bool,
    is_over: bool,
    says_why: bool,
}

pub(crate) struct World {
    seed: u64,
    rng: ChaCha8Rng,
    now_ns: u64,
    network: Network,
    runs: Vec<Run>,
    machines: Vec<Machine>,
    dies_ns: Vec<u64>,
    still: Vec<(u64, u64)>,
    /// Until when each machine may belong to each run, by the true clock, ns.
    granted_ns: BTreeMap<(usize, String), u64>,
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    events: BTreeMap<u64, Event>,
    next_event: u64,
    /// When each machine and each run is woken next, ns.
    wakes_ns: [Vec<u64>; 2],
}

impl World {
    pub(crate) fn new(seed: u64, trouble: bool) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let count: usize = rng.random_range(1..=3);
        let mut network = match trouble {
            true => Network::bad(&mut rng),
            false => Network::good(&mut rng),
        };
        let machine = |place: usize| {
            let about = AboutTarget {
                version: "1".to_owned(),
                services: vec!["shop".to_owned()],
                ..AboutTarget::default()
            };
            TargetAgent::new(AgentId::new(&format!("t{place}"), place as u64), about)
        };
        let machines = (0..count).map(|place| Machine::new(machine(place), Clock::any(&mut rng)));
        let machines: Vec<_> = machines.collect();
        let (mut dies_ns, mut still, mut run_dies_ns) = (vec![u64::MAX; count], vec![(0, 0); count], u64::MAX);
        if trouble {
            let (unlucky, at_ns) = (rng.random_range(0..count), rng.random_range(0..12 * S));
            let until_ns = at_ns + rng.random_range(0..10 * S);
            match rng.random_range(0..5) {
                0 => dies_ns[unlucky] = at_ns,
                1 => still[unlucky] = (at_ns, until_ns),
                2 => network.cuts.push((unlucky, at_ns, until_ns)),
                3 => run_dies_ns = at_ns,
                _ => {}
            }
        }
        // Where nothing goes wrong the second run comes when the first is over.
        let second_ns = if trouble { rng.random_range(0..20 * S) } else { 100 * S };
        let run = |number: u64, begins_ns: u64, dies_ns: u64, clock: Clock| Run {
            id: RunId::new(number),
            holder: Holder::new(
                RunId::new(number),
                "1",
                "shop",
                Some(count as u32),
                clock.shows(begins_ns),
            ),
            clock,
            begins_ns,
            dies_ns,
            asked: 0,
            replies: Vec::new(),
            is_whole: false,
            is_over: false,
            says_why: false,
        };
        let clocks = [Clock::any(&mut rng), Clock::any(&mut rng)];
        let runs = vec![
            run(1, 0, run_dies_ns, clocks[0]),
            run(2, second_ns, u64::MAX, clocks[1]),
        ];
        let mut world = Self {
            seed,
            rng,
            now_ns: 0,
            network,
            runs,
            machines,
            dies_ns,
            still,
            granted_ns: BTreeMap::new(),
            queue: BinaryHeap::new(),
            events: BTreeMap::new(),
            next_event: 0,
            wakes_ns: [vec![u64::MAX; count], vec![u64::MAX; 2]],
        };
        world.wake_at(Event::WakeRun(0), 0);
        world.wake_at(Event::WakeRun(1), second_ns);
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
            if let Some(wakes_ns) = self.wakes(&event) {
                // What was to wake it later has been overtaken.
                if *wakes_ns != at_ns {
                    continue;
                }
                *wakes_ns = u64::MAX;
            }
            match event {
                Event::ToMachine(place, message) => self.wake_machine(place, Some(message)),
                Event::WakeMachine(place) => self.wake_machine(place, None),
                Event::ToRun(place, message) => self.wake_run(place, Some(message)),
                Event::WakeRun(place) => self.wake_run(place, None),
            }
            self.check_services();
        }
    }

    /// Of each run, whether it has every reply, and whether it says what went wrong. Who died says nothing.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = (bool, bool)> {
        let lived = self.runs.iter().filter(|run| run.dies_ns == u64::MAX);
        lived.map(|run| (run.is_whole, run.says_why))
    }

    /// What has to hold when everything is over.
    pub(crate) fn check(&self) {
        let seed = self.seed;
        for machine in &self.machines {
            assert_eq!(machine.runs_for, None, "seed {seed}: a service is left");
            let once: BTreeSet<_> = machine.done.iter().map(|done| (&done.run, done.number)).collect();
            assert_eq!(once.len(), machine.done.len(), "seed {seed}: something was done twice");
        }
        for run in &self.runs {
            for (asked, replies) in run.replies.iter().enumerate() {
                for (machine, reply) in self.machines.iter().zip(replies) {
                    let number = asked as u64 + 1;
                    let is_own = |done: &&crate::machine::Done| done.run == run.id.as_str() && done.number == number;
                    let done = machine.done.iter().find(is_own);
                    let done = done.map(|done| &done.reply);
                    assert!(done == Some(reply), "seed {seed}: a reply to {number} that is none");
                }
            }
            assert!(!run.is_whole || run.replies.len() as u64 == ASKED, "seed {seed}");
        }
    }

    /// At every moment: no service without a lease, but for the second that its end may take.
    fn check_services(&self) {
        for (place, machine) in self.machines.iter().enumerate() {
            let Some(run) = &machine.runs_for else { continue };
            let granted_ns = self.granted_ns.get(&(place, run.clone())).copied().unwrap_or(0);
            // Who stands still ends nothing until it goes on.
            let (from_ns, to_ns) = self.still[place];
            let until_ns = match granted_ns >= from_ns {
                true => granted_ns.max(to_ns),
                false => granted_ns,
            };
            assert!(
                self.now_ns <= until_ns + S + CLOCK_MARGIN_NS,
                "seed {}: at {} a service runs for {run} without a lease, which ended at {until_ns}",
                self.seed,
                self.now_ns
            );
        }
    }

    fn at(&mut self, at_ns: u64, event: Event) {
        self.queue.push(Reverse((at_ns.max(self.now_ns + 1), self.next_event)));
        self.events.insert(self.next_event, event);
        self.next_event += 1;
    }

    /// When whom this wakes is woken next; `None` of a message.
    fn wakes(&mut self, event: &Event) -> Option<&mut u64> {
        match event {
            Event::WakeMachine(place) => Some(&mut self.wakes_ns[0][*place]),
            Event::WakeRun(place) => Some(&mut self.wakes_ns[1][*place]),
            Event::ToMachine(..) | Event::ToRun(..) => None,
        }
    }

    fn wake_at(&mut self, event: Event, at_ns: u64) {
        let at_ns = at_ns.max(self.now_ns + 1);
        if let Some(wakes_ns) = self.wakes(&event)
            && at_ns < *wakes_ns
        {
            *wakes_ns = at_ns;
            self.at(at_ns, event);
        }
    }

    fn wake_machine(&mut self, place: usize, message: Option<ToTarget>) {
        if self.now_ns >= self.dies_ns[place] {
            return self.machines[place].die();
        }
        let (from_ns, to_ns) = self.still[place];
        if (from_ns..to_ns).contains(&self.now_ns) {
            return match message {
                Some(message) => self.at(to_ns, Event::ToMachine(place, message)),
                None => self.wake_at(Event::WakeMachine(place), to_ns),
            };
        }
        let takes_ns = self.rng.random_range(0..1_500_000_000);
        let out = self.machines[place].wake(self.now_ns, message, takes_ns);
        for message in out {
            let to = self
                .runs
                .iter()
                .position(|run| run.id == message.run)
                .expect("one of ours");
            for at_ns in self.network.arrivals(place, self.now_ns, &mut self.rng) {
                self.at(at_ns, Event::ToRun(to, message.clone()));
            }
        }
        if let Some(at_ns) = self.machines[place].wakes_ns() {
            // What dies does so on time.
            self.wake_at(Event::WakeMachine(place), at_ns.min(self.dies_ns[place]));
        }
    }

    fn wake_run(&mut self, place: usize, message: Option<FromTarget>) {
        let run = &mut self.runs[place];
        if run.is_over || self.now_ns < run.begins_ns || self.now_ns >= run.dies_ns {
            return;
        }
        let now_ns = run.clock.shows(self.now_ns);
        if let Some(message) = message {
            run.holder.receive(now_ns, message);
        }
        run.holder.poll(now_ns);
        if let Some(replies) = run.holder.replies() {
            run.replies.push(replies);
        }
        match run.holder.stage() {
            HoldStage::Held if run.replies.len() as u64 == ASKED => {
                run.is_whole = true;
                run.holder.release(now_ns);
            }
            HoldStage::Held if run.asked == run.replies.len() as u64 => {
                run.asked += 1;
                run.holder.ask(now_ns, format!("{} {}", run.id.as_str(), run.asked));
            }
            HoldStage::Failed => {
                let too_few = run.holder.machines().is_empty();
                run.says_why = too_few || !run.holder.faults().is_empty();
                run.holder.release(now_ns);
            }
            HoldStage::Released => run.is_over = true,
            HoldStage::Gathering | HoldStage::Held | HoldStage::Releasing => {}
        }
        let wakes_ns = run.clock.true_ns(run.holder.next_timeout_ns()) + 1_000;
        let is_over = run.is_over;
        for (to, message) in run.holder.sent() {
            self.carry(place, &to, &message);
        }
        if !is_over {
            self.wake_at(Event::WakeRun(place), wakes_ns);
        }
    }

    fn carry(&mut self, from: usize, to: &Address, message: &ToTarget) {
        for place in 0..self.machines.len() {
            let machine = &self.machines[place];
            let is_for = match to {
                Address::Targets => true,
                Address::Target(id) => machine.agent.id() == id,
                Address::Agents | Address::Agent(_) | Address::Coordinator { .. } | Address::Holder { .. } => false,
            };
            if !is_for {
                continue;
            }
            // What is granted counts from the moment at which it is said, even where nobody hears it.
            if let ToTarget::Take { lease_ns, .. } | ToTarget::Renew { lease_ns, .. } = message {
                let until_ns = machine.clock.true_ns(*lease_ns).min(self.now_ns + LEASE_NS + S);
                let run = self.runs[from].id.as_str().to_owned();
                let granted_ns = self.granted_ns.entry((place, run)).or_default();
                *granted_ns = until_ns.max(*granted_ns);
            }
            for at_ns in self.network.arrivals(place, self.now_ns, &mut self.rng) {
                self.at(at_ns, Event::ToMachine(place, message.clone()));
            }
        }
    }
}
