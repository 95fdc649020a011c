//! The driver of an agent, with a generator that sends what is due, on the agent's own clock.

use crate::clock::Clock;
use plimsoll_fleet::{Agent, FromAgent, Order, Said, Set, ToAgent};
use plimsoll_measure::Tick;
use plimsoll_plan::Load;
use plimsoll_schedule::{AgentShare, Schedule, Start};

/// A request that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) agent: usize,
    pub(crate) run: String,
    pub(crate) step: u32,
    pub(crate) number: u64,
    /// By the true clock, ns.
    pub(crate) at_ns: u64,
}

/// What is wrong with an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lie {
    /// It leaves out one of its requests, and says so.
    Fewer,
    /// It makes a request that belongs to another one, and says so.
    More,
    /// It never hands in one of its ticks.
    NoTick,
    /// It says that there were other requests than its ticks have.
    OtherCount,
}

struct Job {
    run: String,
    set: Set,
    schedule: std::iter::Peekable<Schedule>,
    begins_ns: u64,
    ends_ns: u64,
    tick_from_ns: u64,
    tick: Tick,
    ends: bool,
    lied: bool,
}

/// An agent with its generator.
pub(crate) struct Worker {
    pub(crate) place: usize,
    pub(crate) agent: Agent,
    pub(crate) clock: Clock,
    pub(crate) lie: Option<Lie>,
    pub(crate) seed: u64,
    pub(crate) sent: Vec<Sent>,
    armed: Option<(String, Set)>,
    job: Option<Job>,
    lease_ns: u64,
    /// When it did something last, by its clock, ns: between then and now it may have stood still.
    looked_ns: u64,
}

impl Worker {
    pub(crate) fn new(place: usize, agent: Agent, clock: Clock, seed: u64) -> Self {
        Self {
            place,
            agent,
            clock,
            lie: None,
            seed,
            sent: Vec::new(),
            armed: None,
            job: None,
            lease_ns: 0,
            looked_ns: 0,
        }
    }

    /// A message comes, or its time.
    pub(crate) fn wake(&mut self, true_ns: u64, message: Option<ToAgent>, stood_still: bool) -> Vec<FromAgent> {
        let now_ns = self.clock.shows(true_ns);
        let run = message.as_ref().map(|message| message.run().as_str().to_owned());
        self.generate(now_ns, stood_still);
        if let Some(message) = message {
            self.agent.receive(now_ns, message);
        }
        self.agent.poll(now_ns);
        for order in self.agent.orders() {
            self.obey(order, now_ns, run.as_deref().unwrap_or_default());
        }
        self.looked_ns = now_ns;
        let mut out = self.agent.sent();
        out.extend(self.agent.sent());
        out.retain_mut(|message| self.tells(message));
        out
    }

    /// When it wants to be woken, by the true clock, ns.
    pub(crate) fn wakes_ns(&self) -> Option<u64> {
        let tick_ns = self.job.as_ref().map(|job| {
            let next_ns = (job.tick_from_ns + job.set.tick_ns).min(job.ends_ns);
            // The lease ends on time, whatever the agent does.
            next_ns.min(self.lease_ns)
        });
        let wakes_ns = self.agent.next_timeout_ns().into_iter().chain(tick_ns).min()?;
        Some(self.clock.true_ns(wakes_ns.max(self.looked_ns)) + 1_000)
    }

    fn obey(&mut self, order: Order, now_ns: u64, run: &str) {
        match order {
            Order::Prepare(_) => self.agent.prepared(Ok(())),
            Order::Arm(set) => {
                self.armed = Some((run.to_owned(), *set));
                self.agent.armed(Ok(()));
            }
            Order::Begin { at_ns, .. } => self.begin(at_ns),
            Order::Lease(lease_ns) => self.lease_ns = lease_ns,
            Order::Finish => {
                if let Some(job) = &mut self.job {
                    job.ends_ns = job.ends_ns.min(now_ns);
                }
            }
            Order::Stop => self.end(now_ns),
            Order::Forget => self.armed = None,
            Order::Replace(version) => panic!("all are of one version: {version}"),
            Order::Declined(refusal) => panic!("it has one run, and its load: {refusal:?}"),
        }
    }

    fn begin(&mut self, at_ns: u64) {
        let Some((run, set)) = self.armed.take() else { return };
        assert!(self.job.is_none(), "one load at a time");
        let Some(Load::Open(open)) = set.load.load() else {
            panic!("the simulation has open loads");
        };
        let share = AgentShare::new(set.index, set.of).expect("a share");
        self.job = Some(Job {
            run,
            begins_ns: at_ns,
            ends_ns: at_ns + open.duration().as_nanos() as u64,
            tick_from_ns: at_ns,
            schedule: Schedule::new(&open, self.seed, share).peekable(),
            tick: Tick::default(),
            ends: false,
            lied: false,
            set,
        });
    }

    /// Sends what is due, and hands in ticks that are over.
    fn generate(&mut self, now_ns: u64, stood_still: bool) {
        while let Some(job) = &mut self.job {
            let tick_end_ns = (job.tick_from_ns + job.set.tick_ns).min(job.ends_ns);
            let until_ns = now_ns.min(tick_end_ns);
            while let Some(start) = job
                .schedule
                .next_if(|start: &Start| job.begins_ns + start.at_ns < until_ns)
            {
                let due_ns = job.begins_ns + start.at_ns;
                // A generator that was kept from running sends late, and looks at its lease before.
                let at_ns = if stood_still { now_ns } else { due_ns };
                if at_ns >= self.lease_ns {
                    continue;
                }
                if self.lie == Some(Lie::Fewer) && !job.lied {
                    job.lied = true;
                    continue;
                }
                job.tick.counters.scheduled += 1;
                let sent = Sent {
                    agent: self.place,
                    run: job.run.clone(),
                    step: job.set.step,
                    number: start.number,
                    at_ns: self.clock.true_ns(at_ns),
                };
                if self.lie == Some(Lie::More) && !job.lied {
                    job.lied = true;
                    job.tick.counters.scheduled += 1;
                }
                self.sent.push(sent);
            }
            if now_ns < tick_end_ns {
                return;
            }
            self.hand_in(tick_end_ns, now_ns);
            let Some(job) = &mut self.job else { return };
            if tick_end_ns >= job.ends_ns {
                job.ends = true;
                return self.end(now_ns);
            }
        }
    }

    fn hand_in(&mut self, end_ns: u64, now_ns: u64) {
        let Some(job) = &mut self.job else { return };
        if end_ns <= job.tick_from_ns {
            return;
        }
        let mut tick = std::mem::take(&mut job.tick);
        tick.start_ns = job.tick_from_ns - job.set.zero_ns;
        tick.duration_ns = end_ns - job.tick_from_ns;
        job.tick_from_ns = end_ns;
        self.agent.ticked(now_ns, Box::new(tick));
    }

    fn end(&mut self, now_ns: u64) {
        let Some(job) = &self.job else { return };
        let end_ns = now_ns.min(job.ends_ns);
        self.hand_in(end_ns, now_ns);
        self.job = None;
        self.agent.ended(now_ns, Ok(()));
    }

    /// Whether a message is sent; some are changed on the way.
    fn tells(&self, message: &mut FromAgent) -> bool {
        match (&mut message.said, self.lie) {
            (Said::Tick { tick, .. }, Some(Lie::NoTick)) => tick.index != 1,
            (Said::Done { started, .. }, Some(Lie::OtherCount)) => {
                *started += 1;
                true
            }
            _ => true,
        }
    }
}
