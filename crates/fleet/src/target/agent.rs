//! A target agent: belongs to one run at a time, does what that asks once and in order, and only while its lease runs.
//!
//! When the lease ends, everything ends that was started for the run, and only when nothing of it is left may another run have the agent.
//! A run that is over never gets it back, so that no message that comes late starts a service for nobody.

use super::message::{AboutTarget, FromTarget, TargetSaid, ToTarget};
use super::{PART_BYTES, PARTS_AT_ONCE};
use crate::LEASE_NS;
use crate::ids::{AgentId, RunId, is_version};
use crate::message::Refusal;
use crate::over::RunsOver;

/// What its driver has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetOrder {
    /// Belong to a run from now on, for this service.
    Take {
        /// Which of those of the configuration.
        service: String,
    },
    /// Do this, and say by [`TargetAgent::done`] what came of it.
    Do {
        /// Its number.
        number: u64,
        /// What is to be done.
        text: String,
    },
    /// End at once what was started for the run, and say by [`TargetAgent::stopped`] that nothing of it is left.
    End {
        /// Nobody asked for it: the run was not heard for too long.
        lease_ended: bool,
    },
    /// Somebody asks for what it does not do; that is for its user to see.
    Declined(Refusal),
    /// A run of this version asks for its service, and it belongs to nobody: go on as the program of that version, where there is one.
    Replace(String),
}

/// A target agent.
#[derive(Debug)]
pub struct TargetAgent {
    id: AgentId,
    about: AboutTarget,
    held: Option<Held>,
    /// What was started for this run is being ended.
    ending: Option<RunId>,
    over: RunsOver,
    /// The run that was declined last, which its user has seen.
    declined: Option<RunId>,
    out: Vec<FromTarget>,
    orders: Vec<TargetOrder>,
}

/// The run that it belongs to.
#[derive(Debug)]
struct Held {
    run: RunId,
    service: String,
    lease_ns: u64,
    /// Number of what was asked last.
    number: u64,
    /// Parts of the reply to it; `None` while it is being done.
    reply: Option<Vec<String>>,
}

impl TargetAgent {
    /// One that belongs to nobody yet.
    #[must_use]
    pub const fn new(id: AgentId, about: AboutTarget) -> Self {
        Self {
            id,
            about,
            held: None,
            ending: None,
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
    pub fn receive(&mut self, now_ns: u64, message: ToTarget) {
        // What has ended stays so, even where its end was not noticed yet.
        self.poll(now_ns);
        let run = message.run().clone();
        if !run.is_plain() {
            return;
        }
        match message {
            ToTarget::Call { service, version, .. } => {
                let refusal = self.unknown(&service);
                let is_other = version != self.about.version && is_version(&version);
                if is_other && refusal.is_none() && self.held.is_none() && self.ending.is_none() {
                    self.replace(&run, version);
                }
                self.decline(&run, refusal);
                let about = AboutTarget {
                    busy: self.is_busy_for(&run),
                    ..self.about.clone()
                };
                self.say(&run, TargetSaid::Hello(about));
            }
            ToTarget::Ping { sent_ns, .. } => {
                let agent_ns = now_ns;
                self.say(&run, TargetSaid::Pong { sent_ns, agent_ns });
            }
            ToTarget::Take { service, lease_ns, .. } => self.take(&run, &service, lease_ns, now_ns),
            ToTarget::Renew { sent_ns, lease_ns, .. } => {
                let lease_ns = lease_ns.min(now_ns.saturating_add(LEASE_NS));
                let held = self.held_by(&run);
                let holds = held.is_some();
                if let Some(held) = held {
                    held.lease_ns = held.lease_ns.max(lease_ns);
                }
                let agent_ns = now_ns;
                self.say(
                    &run,
                    TargetSaid::Alive {
                        sent_ns,
                        agent_ns,
                        holds,
                    },
                );
            }
            ToTarget::Ask { number, text, from, .. } => self.ask(&run, number, text, from),
            ToTarget::Release { .. } => {
                if self.held_by(&run).is_some() {
                    self.end(false);
                } else if self.ending.as_ref() != Some(&run) {
                    // Whatever of it comes later is for nobody.
                    self.over.add(run.clone());
                    self.say(&run, TargetSaid::Released);
                }
            }
        }
    }

    /// Looks at the clock.
    pub fn poll(&mut self, now_ns: u64) {
        if self.held.as_ref().is_some_and(|held| now_ns >= held.lease_ns) {
            self.end(true);
        }
    }

    /// When it has to look at the clock again, at the latest, ns; `None` is when the next message comes.
    #[must_use]
    pub fn next_timeout_ns(&self) -> Option<u64> {
        self.held.as_ref().map(|held| held.lease_ns)
    }

    /// What was asked by this number is done, and this came of it.
    pub fn done(&mut self, number: u64, reply: &str) {
        let Some(held) = &mut self.held else { return };
        if held.number == number && held.reply.is_none() {
            held.reply = Some(parts_of(reply));
            self.say_parts(0);
        }
    }

    /// Nothing is left of what was started for the run that it belonged to.
    pub fn stopped(&mut self) {
        if let Some(run) = self.ending.take() {
            self.say(&run, TargetSaid::Released);
        }
    }

    /// What is to be sent.
    pub fn sent(&mut self) -> Vec<FromTarget> {
        std::mem::take(&mut self.out)
    }

    /// What is to be done.
    pub fn orders(&mut self) -> Vec<TargetOrder> {
        std::mem::take(&mut self.orders)
    }

    fn say(&mut self, run: &RunId, said: TargetSaid) {
        self.out.push(FromTarget {
            agent: self.id.clone(),
            run: run.clone(),
            said,
        });
    }

    fn held_by(&mut self, run: &RunId) -> Option<&mut Held> {
        self.held.as_mut().filter(|held| held.run == *run)
    }

    fn is_busy_for(&self, run: &RunId) -> bool {
        self.ending.is_some() || self.held.as_ref().is_some_and(|held| held.run != *run)
    }

    /// Why it does not have this service.
    fn unknown(&self, service: &str) -> Option<Refusal> {
        let services = &self.about.services;
        (!services.iter().any(|own| own == service)).then(|| Refusal {
            why: format!(
                "it found service `{}`, expected one of its configuration: {}",
                service.escape_debug(),
                services.join(", ")
            ),
            hint: Some(
                "check how the service is spelled, or add it to the configuration of the target agent".to_owned(),
            ),
        })
    }

    /// Says once to its driver that a run wants another version.
    fn replace(&mut self, run: &RunId, version: String) {
        if self.declined.as_ref() != Some(run) {
            self.declined = Some(run.clone());
            self.orders.push(TargetOrder::Replace(version));
        }
    }

    /// Shows its user what is declined, once for each run.
    fn decline(&mut self, run: &RunId, refusal: Option<Refusal>) {
        if let Some(refusal) = refusal.filter(|_| self.declined.as_ref() != Some(run)) {
            self.declined = Some(run.clone());
            self.orders.push(TargetOrder::Declined(refusal));
        }
    }

    fn take(&mut self, run: &RunId, service: &str, lease_ns: u64, now_ns: u64) {
        if let Some(refusal) = self.unknown(service) {
            self.decline(run, Some(refusal.clone()));
            return self.say(run, TargetSaid::Refused(refusal));
        }
        if self.is_busy_for(run) {
            let (why, hint) = ("it belongs to another run".to_owned(), None);
            return self.say(run, TargetSaid::Refused(Refusal { why, hint }));
        }
        if self.held.is_none() {
            let lease_ns = lease_ns.min(now_ns.saturating_add(LEASE_NS));
            if now_ns >= lease_ns || self.over.has(run) {
                return;
            }
            self.orders.push(TargetOrder::Take {
                service: service.to_owned(),
            });
            self.held = Some(Held {
                run: run.clone(),
                service: service.to_owned(),
                lease_ns,
                number: 0,
                reply: Some(Vec::new()),
            });
        }
        if self.held_by(run).is_some_and(|held| held.service == service) {
            self.say(run, TargetSaid::Taken);
        }
    }

    fn ask(&mut self, run: &RunId, number: u64, text: String, from: u32) {
        let Some(held) = self.held_by(run) else { return };
        let is_done = held.reply.is_some();
        if number == held.number && is_done {
            self.say_parts(from);
        } else if number == held.number + 1 && is_done {
            held.number = number;
            held.reply = None;
            self.orders.push(TargetOrder::Do { number, text });
        }
    }

    fn say_parts(&mut self, from: u32) {
        let Some(held) = &self.held else { return };
        let (run, number) = (held.run.clone(), held.number);
        let reply = held.reply.as_deref().unwrap_or_default();
        let of = reply.len() as u32;
        let parts = (from..of).take(PARTS_AT_ONCE as usize).map(|index| TargetSaid::Part {
            number,
            index,
            of,
            text: reply[index as usize].clone(),
        });
        for part in parts.collect::<Vec<_>>() {
            self.say(&run, part);
        }
    }

    fn end(&mut self, lease_ended: bool) {
        if let Some(held) = self.held.take() {
            self.over.add(held.run.clone());
            self.ending = Some(held.run);
            self.orders.push(TargetOrder::End { lease_ended });
        }
    }
}

/// A reply in parts, at least one.
fn parts_of(reply: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = reply;
    while rest.len() > PART_BYTES {
        let end = (0..=PART_BYTES).rev().find(|end| rest.is_char_boundary(*end));
        let (part, behind) = rest.split_at(end.unwrap_or(PART_BYTES));
        parts.push(part.to_owned());
        rest = behind;
    }
    parts.push(rest.to_owned());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reply_is_the_sum_of_its_parts() {
        for reply in [String::new(), "x".to_owned(), "äöü€".repeat(40_000)] {
            let parts = parts_of(&reply);
            assert!(parts.iter().all(|part| part.len() <= PART_BYTES));
            assert_eq!(parts.concat(), reply);
        }
    }
}
