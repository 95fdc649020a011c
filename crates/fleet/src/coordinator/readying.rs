//! Until a step begins: agents are gathered, get ready for the plan and for the step, and their clocks are read. Nobody sends meanwhile.

use super::{Coordinator, FleetSize, Phase};
use crate::SILENCE_NS;
use crate::bus::Address;
use crate::fault::What;
use crate::load::SentLoad;
use crate::member::Member;
use crate::message::{About, Set, ToAgent};
use crate::pace::{CALL_NS, GATHER_MAX_NS, GATHER_NS, MS, PING_NS, PONGS, S};

/// What is not responded to is said again after so long.
const ASK_NS: u64 = 250 * MS;
/// A plan may be long.
const PREPARE_NS: u64 = 2 * S;
/// An agent may take so long to get ready.
const READY_MAX_NS: u64 = 30 * S;

/// Who has responded.
enum Answered {
    All,
    NotYet,
    /// One of them cannot, or has not in time.
    Never,
}

impl Coordinator {
    pub(super) fn gather(&mut self, since_ns: u64, now_ns: u64) {
        // Who has ended meanwhile, or was started again under another number, is not waited for.
        self.found
            .retain(|_, (_, heard_ns)| now_ns.saturating_sub(*heard_ns) < SILENCE_NS);
        let usable = self.usable();
        let waited_ns = now_ns - since_ns;
        let FleetSize { wanted, least } = self.size;
        let is_full = wanted.is_some_and(|wanted| usable >= wanted as usize);
        // Who is wanted is waited for. All others had the time to respond.
        let gathered_ns = if wanted.is_some() { GATHER_MAX_NS } else { GATHER_NS };
        if is_full || (waited_ns >= gathered_ns && usable >= self.size.least() as usize) {
            let most = wanted.map_or(usize::MAX, |wanted| wanted as usize);
            let usable = self
                .found
                .iter()
                .filter(|(_, (about, _))| self.unusable(about).is_none());
            let members = usable.take(most);
            let members = members.map(|(id, (about, _))| Member::new(id.clone(), about.clone(), now_ns));
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
            let (run, version) = (self.run.clone(), self.version.clone());
            self.out.push((Address::Agents, ToAgent::Call { run, version }));
        }
    }

    pub(super) fn preparing(&mut self, since_ns: u64, now_ns: u64) {
        match self.answered(since_ns, now_ns) {
            Answered::Never => return self.fail(),
            Answered::All => {
                self.phase = Phase::Ready;
                return;
            }
            Answered::NotYet => {}
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

    pub(super) fn reading(&mut self, since_ns: u64, now_ns: u64) {
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

    pub(super) fn arming(&mut self, since_ns: u64, now_ns: u64) {
        match self.answered(since_ns, now_ns) {
            Answered::Never => return self.fail(),
            Answered::All => return self.run(now_ns),
            Answered::NotYet => {}
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

    /// Whether everybody has responded to what is asked since then.
    fn answered(&mut self, since_ns: u64, now_ns: u64) -> Answered {
        if self.members.iter().any(|member| member.fault.is_some()) {
            return Answered::Never;
        }
        if self.members.iter().all(|member| member.answered) {
            return Answered::All;
        }
        if now_ns - since_ns >= READY_MAX_NS {
            self.blame_unanswered(now_ns);
            return Answered::Never;
        }
        Answered::NotYet
    }

    pub(super) fn unusable(&self, about: &About) -> Option<String> {
        if about.version != self.version {
            return Some(format!("it is version {}, expected {}", about.version, self.version));
        }
        about.busy.then(|| "it belongs to another run".to_owned())
    }
}
