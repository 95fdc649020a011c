//! While a step goes on: leases, the ticks of all agents, what goes wrong, and the end.

use super::{Coordinator, Ends, Phase, Running};
use crate::fault::What;
use crate::member::Member;
use crate::message::{Ended, ToAgent};
use crate::pace::{MS, RENEW_NS};
use crate::share::{lasts_ns, starts_of};
use crate::{LEASE_NS, SILENCE_NS};
use plimsoll_measure::Tick;
use plimsoll_schedule::AgentShare;

/// A step begins so long after all agents are ready: time for the message to be lost a few times.
const LEAD_NS: u64 = 400 * MS;
const BEGIN_NS: u64 = 50 * MS;
/// Who was ended is told again after so long.
const END_NS: u64 = 200 * MS;
/// A lease ends by a clock that is known to be a little off.
const LEASE_MARGIN_NS: u64 = 200 * MS;
/// Ticks that an agent may be ahead of the time that has passed: a step that is finished early has one more.
const AHEAD_MAX: u64 = 16;

impl Coordinator {
    /// All are ready: from here on they send.
    pub(super) fn run(&mut self, now_ns: u64) {
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

    pub(super) fn running(&mut self, now_ns: u64) {
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
    pub(super) fn end(&mut self, now_ns: u64, ends: Ends) {
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
            let share = AgentShare::new(place as u32, of).filter(|_| running.ends == Ends::ByItself);
            let expected = share
                .filter(|_| !spec.users)
                .and_then(|share| starts_of(&spec.load, spec.seed, share));
            let made = self.parts.started(place);
            let started = self.members[place].in_step.started;
            if self.parts.is_whole(place) && made != started {
                let how = format!("it began {started} requests, and its ticks have {made}");
                self.members[place].fault.get_or_insert(What::Contradicts { how });
            }
            let after_ns = u64::from(self.members[place].in_step.ticks).saturating_mul(spec.tick_ns);
            let is_early = |planned_ns: &u64| after_ns.saturating_add(spec.tick_ns) < *planned_ns;
            if let Some(planned_ns) = share
                .and_then(|share| lasts_ns(&spec.load, share, made))
                .filter(is_early)
            {
                self.members[place]
                    .fault
                    .get_or_insert(What::EndedEarly { after_ns, planned_ns });
            }
            if let Some(expected) = expected.filter(|expected| *expected != made) {
                self.members[place]
                    .fault
                    .get_or_insert(What::Miscounted { made, expected });
            }
        }
        self.collect_faults();
    }

    pub(super) fn tick(&mut self, place: usize, tick: Box<Tick>, now_ns: u64) {
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

    pub(super) fn done(&mut self, place: usize, ticks: u32, started: u64, ended: Ended) {
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
