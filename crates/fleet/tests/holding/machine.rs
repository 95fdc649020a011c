//! The driver of a target agent, with a service that runs from the first thing that is asked until the end.

use crate::clock::Clock;
use plimsoll_fleet::{FromTarget, TargetAgent, TargetOrder, ToTarget};

/// What was done for a run: once, and by which number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) run: String,
    pub(crate) number: u64,
    pub(crate) reply: String,
}

/// Something under way on a machine, and when it is over by the true clock, ns.
#[derive(Debug, Clone)]
enum Work {
    Does(Done, u64),
    Ends(u64),
}

impl Work {
    const fn over_ns(&self) -> u64 {
        match self {
            Self::Does(_, over_ns) | Self::Ends(over_ns) => *over_ns,
        }
    }
}

/// A machine with a service.
pub(crate) struct Machine {
    pub(crate) agent: TargetAgent,
    pub(crate) clock: Clock,
    pub(crate) done: Vec<Done>,
    /// The run for which the service runs, if it does.
    pub(crate) runs_for: Option<String>,
    /// What the agent does next for whom.
    run: Option<String>,
    work: Option<Work>,
}

impl Machine {
    pub(crate) const fn new(agent: TargetAgent, clock: Clock) -> Self {
        Self {
            agent,
            clock,
            done: Vec::new(),
            runs_for: None,
            run: None,
            work: None,
        }
    }

    /// A message comes, or its time. What takes time takes `takes_ns`.
    pub(crate) fn wake(&mut self, true_ns: u64, message: Option<ToTarget>, takes_ns: u64) -> Vec<FromTarget> {
        let now_ns = self.clock.shows(true_ns);
        let run = message.as_ref().map(|message| message.run().as_str().to_owned());
        if let Some(message) = message {
            self.agent.receive(now_ns, message);
        }
        self.agent.poll(now_ns);
        for order in self.agent.orders() {
            match order {
                TargetOrder::Take { .. } => {
                    assert_eq!((&self.runs_for, &self.run), (&None, &None), "it has another run");
                    self.run = run.clone();
                }
                TargetOrder::Do { number, text } => {
                    let run = self.run.clone().expect("it belongs to one");
                    assert!(self.work.is_none(), "it does something else");
                    self.runs_for = Some(run.clone());
                    // Some replies have more parts than are sent at once.
                    let long = if number == 5 { 1_500_000 } else { 0 };
                    let reply = format!("{text} {} {}", self.agent.id(), "x".repeat(long));
                    self.work = Some(Work::Does(Done { run, number, reply }, true_ns + takes_ns));
                }
                TargetOrder::End { .. } => {
                    self.run = None;
                    self.work = Some(Work::Ends(true_ns + takes_ns.min(300_000_000)));
                }
                TargetOrder::Replace(version) => panic!("all are of one version: {version}"),
                TargetOrder::Declined(refusal) => panic!("it has that service: {refusal:?}"),
            }
        }
        if let Some(work) = self.work.take_if(|work| true_ns >= work.over_ns()) {
            match work {
                Work::Does(done, _) => {
                    self.agent.done(done.number, &done.reply);
                    self.done.push(done);
                }
                Work::Ends(_) => {
                    self.runs_for = None;
                    self.agent.stopped();
                }
            }
        }
        self.agent.sent()
    }

    /// When it wants to be woken, by the true clock, ns.
    pub(crate) fn wakes_ns(&self) -> Option<u64> {
        let lease_ns = self.agent.next_timeout_ns().map(|ns| self.clock.true_ns(ns) + 1_000);
        lease_ns.into_iter().chain(self.work.as_ref().map(Work::over_ns)).min()
    }

    /// The agent dies, and its supervisor ends the service.
    pub(crate) fn die(&mut self) {
        (self.runs_for, self.run, self.work) = (None, None, None);
    }
}
