//! The part of a run that holds target agents: finds those with its service, reads their clocks, takes them, and asks them one thing
//! after the other.
//!
//! All of them are asked the same at a time. When one of them goes wrong nothing more is asked, and all are released; who does not hear
//! of that ends what it started when its lease does.

use super::message::{AboutTarget, FromTarget, TargetSaid, ToTarget};
use super::{Machine, PARTS_AT_ONCE};
use crate::bus::Address;
use crate::fault::{Fault, What};
use crate::ids::{AgentId, RunId};
use crate::pace::{CALL_NS, GATHER_MAX_NS, GATHER_NS, MS, PING_NS, PONGS, RENEW_NS, S};
use crate::{LEASE_NS, SILENCE_NS};
use std::collections::BTreeMap;

/// What is not responded to is said again after so long.
const AGAIN_NS: u64 = 200 * MS;
/// Who was released is waited for so long: until its lease has ended, and a second for what ends then.
const RELEASE_MAX_NS: u64 = LEASE_NS + S;
const MACHINES_MAX: usize = 1_000;

/// Where a holder stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldStage {
    /// Agents are found, and their clocks are read.
    Gathering,
    /// All belong to the run, and may be asked.
    Held,
    /// It cannot go on: see [`Holder::faults`]; without any, too few were found.
    Failed,
    /// Agents are let go.
    Releasing,
    /// Nothing is left of what they started, or their leases have ended.
    Released,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Calling,
    Reading,
    Taking,
    Held,
    Failed,
    Releasing,
    Released,
}

/// What was asked and not replied by all.
#[derive(Debug)]
struct Asked {
    number: u64,
    text: String,
    again_ns: u64,
}

/// The holder of a service.
#[derive(Debug)]
pub struct Holder {
    run: RunId,
    version: String,
    service: String,
    wanted: Option<u32>,
    phase: Phase,
    since_ns: u64,
    again_ns: u64,
    /// What each said of itself, and when last, ns.
    found: BTreeMap<AgentId, (AboutTarget, u64)>,
    machines: Vec<Machine>,
    asked: Option<Asked>,
    number: u64,
    out: Vec<(Address, ToTarget)>,
}

impl Holder {
    /// Begins to look for `wanted` agents of this version with a service; `None` is all that respond.
    #[must_use]
    pub fn new(run: RunId, version: &str, service: &str, wanted: Option<u32>, now_ns: u64) -> Self {
        Self {
            run,
            version: version.to_owned(),
            service: service.to_owned(),
            wanted,
            phase: Phase::Calling,
            since_ns: now_ns,
            again_ns: now_ns,
            found: BTreeMap::new(),
            machines: Vec::new(),
            asked: None,
            number: 0,
            out: Vec::new(),
        }
    }

    /// Where it stands.
    #[must_use]
    pub const fn stage(&self) -> HoldStage {
        match self.phase {
            Phase::Calling | Phase::Reading | Phase::Taking => HoldStage::Gathering,
            Phase::Held => HoldStage::Held,
            Phase::Failed => HoldStage::Failed,
            Phase::Releasing => HoldStage::Releasing,
            Phase::Released => HoldStage::Released,
        }
    }

    /// Those that it holds, by name; none before they are found.
    #[must_use]
    pub fn machines(&self) -> &[Machine] {
        &self.machines
    }

    /// So many could be had.
    #[must_use]
    pub fn usable(&self) -> usize {
        let usable = self.found.values().filter(|(about, _)| self.unusable(about).is_none());
        usable.count()
    }

    /// Agents that are there and cannot be had, with the reason.
    #[must_use]
    pub fn unusable_agents(&self) -> Vec<(&AgentId, String)> {
        let why = |(id, (about, _)): (_, &(AboutTarget, u64))| Some((id, self.unusable(about)?));
        self.found.iter().filter_map(why).collect()
    }

    /// What went wrong with machines.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let fault = |machine: &Machine| {
            Some(Fault {
                agent: machine.id.clone(),
                what: machine.fault.clone()?,
            })
        };
        self.machines.iter().filter_map(fault).collect()
    }

    /// Asks all machines this. Only where they are held, and nothing else is asked.
    pub fn ask(&mut self, now_ns: u64, text: String) {
        if self.phase != Phase::Held || self.asked.is_some() {
            return;
        }
        self.number += 1;
        self.machines.iter_mut().for_each(Machine::forget_reply);
        self.asked = Some(Asked {
            number: self.number,
            text,
            again_ns: now_ns,
        });
        self.ask_again(now_ns);
    }

    /// What all machines replied, in their order, once all have.
    pub fn replies(&mut self) -> Option<Vec<String>> {
        let has_come = self.machines.iter().all(|machine| machine.missing().is_none());
        self.asked.take_if(|_| has_come)?;
        Some(self.machines.iter().map(Machine::reply).collect())
    }

    /// Gives up what was asked and not replied in time: who let it wait has gone wrong.
    pub fn give_up(&mut self, now_ns: u64) {
        let Some(asked) = self.asked.take() else { return };
        for machine in self.machines.iter_mut().filter(|machine| machine.missing().is_some()) {
            let for_ns = now_ns.saturating_sub(machine.heard_ns);
            let why = format!(
                "it did not reply in time to what it was asked ({}), and was heard {:.1} s ago",
                asked.number,
                for_ns as f64 / 1e9
            );
            machine.fault.get_or_insert(What::Failed { why });
        }
        self.fail();
    }

    /// Lets all of them go.
    pub fn release(&mut self, now_ns: u64) {
        if matches!(self.phase, Phase::Releasing | Phase::Released) {
            return;
        }
        self.asked = None;
        (self.since_ns, self.again_ns) = (now_ns, now_ns);
        self.phase = Phase::Releasing;
        self.poll(now_ns);
    }

    /// What is to be sent.
    pub fn sent(&mut self) -> Vec<(Address, ToTarget)> {
        std::mem::take(&mut self.out)
    }

    /// When it has to look at the clock again, at the latest, ns.
    #[must_use]
    pub fn next_timeout_ns(&self) -> u64 {
        let asked = self.asked.as_ref().map(|asked| asked.again_ns);
        asked.map_or(self.again_ns, |again_ns| again_ns.min(self.again_ns))
    }

    /// Takes in a message.
    pub fn receive(&mut self, now_ns: u64, message: FromTarget) {
        let FromTarget { agent, run, said } = message;
        if run != self.run || !agent.is_plain() {
            return;
        }
        if let TargetSaid::Hello(about) = said {
            let has_room = self.found.len() < MACHINES_MAX || self.found.contains_key(&agent);
            if self.phase == Phase::Calling && has_room {
                self.found.insert(agent, (about, now_ns));
            }
            return;
        }
        let Some(place) = self.machines.iter().position(|machine| machine.id == agent) else {
            return;
        };
        let phase = self.phase;
        let machine = &mut self.machines[place];
        machine.heard_ns = now_ns;
        match said {
            TargetSaid::Hello(_) => {}
            TargetSaid::Pong { sent_ns, agent_ns } => {
                machine.pongs += 1;
                machine.clock.read(sent_ns, agent_ns, now_ns);
            }
            TargetSaid::Taken => machine.taken = true,
            TargetSaid::Refused(refusal) => {
                if phase == Phase::Taking && !machine.taken {
                    let (why, hint) = (refusal.why, refusal.hint);
                    machine.fault.get_or_insert(What::Refused { why, hint });
                }
            }
            TargetSaid::Alive {
                sent_ns,
                agent_ns,
                holds,
            } => {
                machine.clock.read(sent_ns, agent_ns, now_ns);
                if !holds && phase == Phase::Held {
                    machine.fault.get_or_insert(What::LeaseEnded);
                }
            }
            TargetSaid::Part {
                number,
                index,
                of,
                text,
            } => {
                if self.asked.as_ref().is_some_and(|asked| asked.number == number) {
                    self.part(place, index, of, text);
                }
            }
            TargetSaid::Released => machine.released = true,
        }
    }

    /// Looks at the clock. Messages that have come are to be [received](Self::receive) before, so that nobody is taken for silent who is not.
    pub fn poll(&mut self, now_ns: u64) {
        match self.phase {
            Phase::Calling => self.call(now_ns),
            Phase::Reading => self.read(now_ns),
            Phase::Taking => self.take(now_ns),
            Phase::Held => self.hold(now_ns),
            Phase::Releasing => self.let_go(now_ns),
            Phase::Failed | Phase::Released => self.again_ns = now_ns + S,
        }
    }

    fn unusable(&self, about: &AboutTarget) -> Option<String> {
        if about.version != self.version {
            return Some(format!("it is version {}, expected {}", about.version, self.version));
        }
        if !about.services.contains(&self.service) {
            return Some(format!("it has {}", about.services.join(", ")));
        }
        about.busy.then(|| "it belongs to another run".to_owned())
    }

    /// Whether agents are there, and none of them will ever have the service. One that belongs to another run may soon be free, and one of
    /// another version go on as this one.
    fn is_unknown(&self) -> bool {
        let lacks_it =
            |(about, _): &(AboutTarget, u64)| about.version == self.version && !about.services.contains(&self.service);
        !self.found.is_empty() && self.found.values().all(lacks_it)
    }

    /// Whether it is time to say something again.
    const fn is_due(&mut self, now_ns: u64, every_ns: u64) -> bool {
        let due = now_ns >= self.again_ns;
        if due {
            self.again_ns = now_ns + every_ns;
        }
        due
    }

    const fn enter(&mut self, phase: Phase, now_ns: u64) {
        self.phase = phase;
        self.since_ns = now_ns;
        self.again_ns = now_ns;
    }

    fn tell(&mut self, place: usize, message: ToTarget) {
        let to = Address::Target(self.machines[place].id.clone());
        self.out.push((to, message));
    }

    fn fail(&mut self) {
        self.asked = None;
        self.phase = Phase::Failed;
    }

    fn call(&mut self, now_ns: u64) {
        // Who has ended meanwhile, or was started again under another number, is not waited for.
        self.found
            .retain(|_, (_, heard_ns)| now_ns.saturating_sub(*heard_ns) < SILENCE_NS);
        let (usable, waited_ns) = (self.usable(), now_ns - self.since_ns);
        let is_full = self.wanted.is_some_and(|wanted| usable >= wanted as usize);
        if is_full || (self.wanted.is_none() && waited_ns >= GATHER_NS && usable > 0) {
            let most = self.wanted.map_or(usize::MAX, |wanted| wanted as usize);
            let usable = self
                .found
                .iter()
                .filter(|(_, (about, _))| self.unusable(about).is_none());
            let machines = usable.take(most);
            let machines = machines.map(|(id, (about, _))| Machine::new(id.clone(), about.clone(), now_ns));
            self.machines = machines.collect();
            self.enter(Phase::Reading, now_ns);
            return self.read(now_ns);
        }
        let patience_ns = match self.wanted {
            Some(_) => GATHER_MAX_NS,
            None if self.is_unknown() => GATHER_NS,
            None => 3 * GATHER_NS,
        };
        if waited_ns >= patience_ns {
            self.fail();
        } else if self.is_due(now_ns, CALL_NS) {
            let (run, service, version) = (self.run.clone(), self.service.clone(), self.version.clone());
            self.out
                .push((Address::Targets, ToTarget::Call { run, service, version }));
        }
    }

    fn read(&mut self, now_ns: u64) {
        if self.machines.iter().all(|machine| machine.pongs >= PONGS) {
            self.enter(Phase::Taking, now_ns);
            return self.take(now_ns);
        }
        if self.is_silent(now_ns, |machine| machine.pongs < PONGS) {
            return self.fail();
        }
        if self.is_due(now_ns, PING_NS) {
            for place in 0..self.machines.len() {
                if self.machines[place].pongs < PONGS {
                    let run = self.run.clone();
                    self.tell(place, ToTarget::Ping { run, sent_ns: now_ns });
                }
            }
        }
    }

    fn take(&mut self, now_ns: u64) {
        if self.machines.iter().any(|machine| machine.fault.is_some()) {
            return self.fail();
        }
        if self.machines.iter().all(|machine| machine.taken) {
            for machine in &mut self.machines {
                machine.heard_ns = now_ns;
            }
            self.enter(Phase::Held, now_ns);
            return self.hold(now_ns);
        }
        if self.is_silent(now_ns, |machine| !machine.taken) {
            return self.fail();
        }
        if self.is_due(now_ns, AGAIN_NS) {
            for place in 0..self.machines.len() {
                let (run, service) = (self.run.clone(), self.service.clone());
                let lease_ns = self.machines[place].clock.there(now_ns + LEASE_NS);
                let message = match self.machines[place].taken {
                    true => ToTarget::Renew {
                        run,
                        sent_ns: now_ns,
                        lease_ns,
                    },
                    false => ToTarget::Take { run, service, lease_ns },
                };
                self.tell(place, message);
            }
        }
    }

    /// Whether those who are waited for have said nothing of it for too long; they have gone wrong then.
    fn is_silent(&mut self, now_ns: u64, is_awaited: impl Fn(&Machine) -> bool) -> bool {
        let for_ns = now_ns - self.since_ns;
        if for_ns < SILENCE_NS {
            return false;
        }
        for machine in self.machines.iter_mut().filter(|machine| is_awaited(machine)) {
            machine.fault.get_or_insert(What::Silent { for_ns });
        }
        true
    }

    fn hold(&mut self, now_ns: u64) {
        for machine in &mut self.machines {
            let for_ns = now_ns.saturating_sub(machine.heard_ns);
            if for_ns > SILENCE_NS {
                machine.fault.get_or_insert(What::Silent { for_ns });
            }
        }
        if self.machines.iter().any(|machine| machine.fault.is_some()) {
            return self.fail();
        }
        if self.is_due(now_ns, RENEW_NS) {
            for place in 0..self.machines.len() {
                let renew = ToTarget::Renew {
                    run: self.run.clone(),
                    sent_ns: now_ns,
                    lease_ns: self.machines[place].clock.there(now_ns + LEASE_NS),
                };
                self.tell(place, renew);
            }
        }
        if self.asked.as_ref().is_some_and(|asked| now_ns >= asked.again_ns) {
            self.ask_again(now_ns);
        }
    }

    fn ask_again(&mut self, now_ns: u64) {
        if let Some(asked) = &mut self.asked {
            asked.again_ns = now_ns + AGAIN_NS;
        }
        for place in 0..self.machines.len() {
            self.ask_one(place);
        }
    }

    /// Asks a machine for what has not come of its reply.
    fn ask_one(&mut self, place: usize) {
        let (Some(asked), Some(from)) = (&self.asked, self.machines[place].missing()) else {
            return;
        };
        let ask = ToTarget::Ask {
            run: self.run.clone(),
            number: asked.number,
            text: asked.text.clone(),
            from,
        };
        self.tell(place, ask);
    }

    fn part(&mut self, place: usize, index: u32, of: u32, text: String) {
        let machine = &mut self.machines[place];
        if !machine.take_part(index, of, text) {
            let how = format!("part {index} of {of} of a reply came");
            machine.fault.get_or_insert(What::Contradicts { how });
        } else if (index + 1).is_multiple_of(PARTS_AT_ONCE) && machine.missing() == Some(index + 1) {
            // Of a long reply the next parts are asked for as soon as these have come.
            self.ask_one(place);
        }
    }

    fn let_go(&mut self, now_ns: u64) {
        let all = self.machines.iter().all(|machine| machine.released);
        if all || now_ns - self.since_ns >= RELEASE_MAX_NS {
            self.phase = Phase::Released;
        } else if self.is_due(now_ns, AGAIN_NS) {
            for place in 0..self.machines.len() {
                if !self.machines[place].released {
                    let run = self.run.clone();
                    self.tell(place, ToTarget::Release { run });
                }
            }
        }
    }
}
