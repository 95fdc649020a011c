//! Asks agents what they have of a step whose coordinator has died.
//!
//! A lease ends within five seconds of that, so an agent that sends for longer has a coordinator: then the run goes on, and nothing is taken
//! of it. All that agents say is merged as the coordinator would have done it.

use crate::LEASE_NS;
use crate::bus::Address;
use crate::ids::{AgentId, RunId};
use crate::message::{FromAgent, Said, ToAgent};
use crate::pace::{MS, S};
use crate::parts::Parts;
use plimsoll_measure::Tick;

/// What is not responded to is asked again after so long.
const ASK_NS: u64 = 100 * MS;
/// Who does not respond for so long is not there. A broker that comes back finds all agents again before.
const PATIENCE_NS: u64 = 10 * S;
/// An agent whose lease has ended stops within this time.
const STOPS_NS: u64 = 2 * S;
/// A step that its coordinator began last may still begin for so long.
const BEGINS_NS: u64 = S;
/// Ticks that an agent may have; it keeps far fewer.
const TICKS_MAX: u32 = 20_000;
/// Nothing takes longer than this, whatever agents say.
const LONGEST_NS: u64 = 120 * S;

/// Where a recall stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecallStage {
    /// Agents are asked.
    Asking,
    /// All that is still to be had has come.
    Over,
    /// An agent still sends: by its place.
    GoesOn(usize),
}

/// What an agent had of the step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Had {
    /// Everything from this tick on, of a step in which so many requests began.
    From {
        /// The first tick; behind the last where it has none.
        first: u32,
        /// Requests of the whole step.
        started: u64,
    },
    /// Nothing: it does not know the run any more.
    Nothing,
    /// It did not respond, or not with all that it has.
    Silent,
}

/// What an agent has said so far.
#[derive(Debug, Clone, Default)]
struct Heard {
    /// When it said something new last, ns.
    at_ns: u64,
    /// It knows nothing of the run.
    forgot: bool,
    /// It still sends.
    goes_on: bool,
    /// The first tick, and requests of the step, once it has ended.
    told: Option<(u32, u64)>,
    /// Ticks of the step, likewise.
    ticks: u32,
}

/// A recall.
#[derive(Debug)]
pub struct Recall {
    run: RunId,
    step: u32,
    from: u32,
    agents: Vec<AgentId>,
    heard: Vec<Heard>,
    parts: Parts,
    since_ns: u64,
    again_ns: u64,
    out: Vec<(Address, ToAgent)>,
}

impl Recall {
    /// Begins to ask the agents of a run, in the order of their shares, for the ticks of a step from `from` on.
    #[must_use]
    pub fn new(run: RunId, agents: Vec<AgentId>, step: u32, from: u32, now_ns: u64) -> Self {
        let heard = Heard {
            at_ns: now_ns,
            ..Heard::default()
        };
        Self {
            run,
            step,
            from,
            heard: vec![heard; agents.len()],
            parts: Parts::behind(agents.len(), from),
            agents,
            since_ns: now_ns,
            again_ns: now_ns,
            out: Vec::new(),
        }
    }

    /// Where it stands.
    #[must_use]
    pub fn stage(&self, now_ns: u64) -> RecallStage {
        // What an agent said before says nothing: it may have died since.
        let alone_ns = self.since_ns + LEASE_NS + STOPS_NS;
        let sends = |heard: &Heard| heard.goes_on && heard.at_ns >= alone_ns;
        if let Some(place) = self.heard.iter().position(sends) {
            return RecallStage::GoesOn(place);
        }
        let places = 0..self.agents.len();
        let is_open = |place: usize| !self.is_done(place) && now_ns < self.heard[place].at_ns + PATIENCE_NS;
        match places.into_iter().any(is_open) && now_ns < self.since_ns + LONGEST_NS {
            true => RecallStage::Asking,
            false => RecallStage::Over,
        }
    }

    /// What each agent had, in the order of their shares.
    #[must_use]
    pub fn had(&self) -> Vec<Had> {
        let had = |(place, heard): (usize, &Heard)| match heard.told {
            _ if heard.forgot => Had::Nothing,
            Some((first, started)) if self.is_done(place) => Had::From { first, started },
            _ => Had::Silent,
        };
        self.heard.iter().enumerate().map(had).collect()
    }

    /// Its ticks, merged, in order.
    pub fn ticks(&mut self) -> Vec<Tick> {
        self.parts.rest()
    }

    /// Lets all agents forget what they had: it is in safety.
    pub fn release(&mut self) {
        for agent in &self.agents {
            let run = self.run.clone();
            self.out.push((Address::Agent(agent.clone()), ToAgent::Release { run }));
        }
    }

    /// What is to be sent.
    pub fn sent(&mut self) -> Vec<(Address, ToAgent)> {
        std::mem::take(&mut self.out)
    }

    /// When it has to look at the clock again, at the latest, ns.
    #[must_use]
    pub const fn next_timeout_ns(&self) -> u64 {
        self.again_ns
    }

    /// Takes in a message.
    pub fn receive(&mut self, now_ns: u64, message: FromAgent) {
        let FromAgent { agent, run, said } = message;
        let place = self.agents.iter().position(|own| *own == agent);
        let Some(place) = place.filter(|_| run == self.run) else {
            return;
        };
        let heard = &mut self.heard[place];
        match said {
            Said::Recalled {
                step,
                first,
                ticks,
                started,
                goes_on,
            } if step == self.step && heard.told.is_none() => {
                (heard.at_ns, heard.goes_on) = (now_ns, goes_on);
                let may_begin = ticks == 0 && now_ns < self.since_ns + BEGINS_NS;
                if !goes_on && !may_begin && first <= ticks && ticks - first <= TICKS_MAX {
                    heard.told = Some((first, started));
                    heard.ticks = ticks;
                    self.parts.begins(place, first);
                    self.parts.ends(place, ticks.max(self.from));
                }
            }
            // It says its ticks by itself as well, as long as it hopes for its coordinator.
            Said::Tick { step, tick } => {
                let is_wanted = step == self.step && (self.from..heard.ticks).contains(&tick.index);
                if is_wanted && self.parts.take(place, tick) {
                    heard.at_ns = now_ns;
                }
            }
            Said::Refused { step, .. } if step == Some(self.step) => heard.forgot = true,
            _ => {}
        }
    }

    /// Looks at the clock.
    pub fn poll(&mut self, now_ns: u64) {
        if now_ns < self.again_ns {
            return;
        }
        self.again_ns = now_ns + ASK_NS;
        for place in 0..self.agents.len() {
            if !self.is_done(place) {
                let recall = ToAgent::Recall {
                    run: self.run.clone(),
                    step: self.step,
                    from: self.parts.kept(place),
                };
                self.out.push((Address::Agent(self.agents[place].clone()), recall));
            }
        }
    }

    /// Whether nothing more is expected of an agent.
    fn is_done(&self, place: usize) -> bool {
        let heard = &self.heard[place];
        heard.forgot || (heard.told.is_some() && self.parts.is_whole(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: u32 = 3;

    fn recall() -> (Recall, AgentId) {
        let agent = AgentId::new("one", 1);
        let agents = vec![agent.clone(), AgentId::new("other", 2)];
        (Recall::new(RunId::new(7), agents, STEP, 2, 0), agent)
    }

    fn from(agent: &AgentId, said: Said) -> FromAgent {
        FromAgent {
            agent: agent.clone(),
            run: RunId::new(7),
            said,
        }
    }

    fn recalled(ticks: u32, goes_on: bool) -> Said {
        Said::Recalled {
            step: STEP,
            first: 0,
            ticks,
            started: 9,
            goes_on,
        }
    }

    #[test]
    fn agent_that_sends_beyond_its_lease_has_a_coordinator() {
        let (mut recall, agent) = recall();
        for second in 0..8 {
            recall.poll(second * S);
            assert_eq!(recall.sent().len(), 2);
            assert_eq!(recall.stage(second * S), RecallStage::Asking);
            recall.receive(second * S, from(&agent, recalled(4, true)));
        }
        assert_eq!(recall.stage(7 * S), RecallStage::GoesOn(0));
    }

    #[test]
    fn agent_that_sent_last_within_its_lease_may_be_dead() {
        let (mut recall, agent) = recall();
        recall.receive(S, from(&agent, recalled(4, true)));
        for second in 1..11 {
            assert_eq!(recall.stage(second * S), RecallStage::Asking, "{second}");
        }
        assert_eq!(recall.stage(11 * S), RecallStage::Over);
        assert_eq!(recall.had(), [Had::Silent, Had::Silent]);
    }

    #[test]
    fn agents_are_asked_until_each_had_its_time() {
        let (mut recall, agent) = recall();
        let tick = |index| Said::Tick {
            step: STEP,
            tick: Box::new(Tick {
                index,
                ..Tick::default()
            }),
        };
        // Nothing is taken before it is known how much there is, nor what is there already or cannot be.
        recall.receive(S, from(&agent, tick(2)));
        recall.receive(S, from(&agent, recalled(4, false)));
        for index in [1, 3, 3, 4, 2] {
            recall.receive(2 * S, from(&agent, tick(index)));
        }
        assert_eq!(recall.stage(9 * S), RecallStage::Asking);
        recall.poll(9 * S);
        let asked: Vec<_> = recall.sent().into_iter().map(|(to, _)| to).collect();
        assert_eq!(asked, [Address::Agent(AgentId::new("other", 2))]);
        assert_eq!(recall.stage(10 * S), RecallStage::Over);
        let all = Had::From { first: 0, started: 9 };
        assert_eq!(recall.had(), [all, Had::Silent]);
        let ticks: Vec<_> = recall.ticks().iter().map(|tick| tick.index).collect();
        assert_eq!(ticks, [2, 3]);
    }

    #[test]
    fn step_that_may_still_begin_is_waited_for() {
        let (mut recall, agent) = recall();
        recall.receive(S / 2, from(&agent, recalled(0, false)));
        assert!(!recall.is_done(0));
        recall.receive(S, from(&agent, recalled(0, false)));
        assert!(recall.is_done(0));
    }
}
