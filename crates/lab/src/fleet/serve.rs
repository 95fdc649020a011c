//! A load agent over a bus: does what coordinators ask for, within what its user allows.

use super::drawn;
use super::ready::Ready;
use super::versions::{Served, program_of};
use super::work::Work;
use crate::error::LabError;
use crate::generator::GeneratorOptions;
use plimsoll_engine::{Job, monotonic_ns};
use plimsoll_fleet::{About, Agent, AgentId, AllowList, Bus, Dial, Listener, Order, Refusal, ToAgent, decode, encode};
use plimsoll_measure::Note;
use plimsoll_plan::Rate;
use plimsoll_target::available_cpus;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Between two looks at what the generator has to say.
const LOOK_WORKING: Duration = Duration::from_millis(10);
/// Between two looks at whether the user has stopped the agent.
const LOOK: Duration = Duration::from_millis(100);
/// Messages that are taken in before the clock is looked at again.
const MESSAGES_MAX: usize = 1_000;

/// An agent as its user wants it.
#[derive(Debug, Clone)]
pub struct AgentOptions {
    /// What it is called in reports.
    pub name: String,
    /// Where it stands, in reports.
    pub zone: Option<String>,
    /// The bus of its fleet.
    pub dial: Arc<dyn Dial>,
    /// Targets that it may send to.
    pub allow: AllowList,
    /// The highest rate at which it sends.
    pub max_rate: Option<Rate>,
    /// How it generates load.
    pub generator: GeneratorOptions,
    /// Where programs of other versions are.
    pub update_from: Option<PathBuf>,
}

/// What happens to an agent.
#[derive(Debug)]
pub enum AgentEvent<'a> {
    /// It is there for coordinators.
    Listening {
        /// Where its broker is.
        broker: String,
        /// Targets that it may send to.
        allow: &'a AllowList,
    },
    /// It is ready for a plan.
    Prepared {
        /// What the plan is called.
        plan: &'a str,
        /// Where its load goes.
        target: SocketAddr,
    },
    /// It declined a plan, or a step.
    Refused(&'a Refusal),
    /// Something weakens its figures.
    Noted(&'a Note),
    /// It makes a share of a step.
    Began {
        /// Which step, from 0.
        step: u32,
        /// Which share, from 0 …
        index: u32,
        /// … of how many.
        of: u32,
    },
    /// Its share is over.
    Ended {
        /// Which step, from 0.
        step: u32,
        /// Why it could not go on.
        failed: Option<&'a str>,
    },
    /// Its coordinator has let it go.
    Released,
    /// It goes on as a program of another version.
    Replaced {
        /// Which.
        version: &'a str,
    },
}

/// Serves coordinators until `stop` is set, or a program of another version is to do so.
///
/// # Errors
/// When the bus cannot be reached, or is gone.
pub fn serve(
    options: &AgentOptions,
    stop: &AtomicBool,
    on_event: impl FnMut(AgentEvent<'_>),
) -> Result<Served, LabError> {
    let id = AgentId::new(&options.name, drawn());
    let bus = options.dial.dial(&Listener::Agent(id.clone()))?;
    let host = plimsoll_target::host::describe();
    let about = About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        zone: options.zone.clone(),
        cores: available_cpus().len() as u32,
        cpu_model: host.cpu_model,
        kernel: host.kernel,
        allows: options.allow.texts(),
        most_micro_per_s: options.max_rate.map(Rate::micro_per_s),
        busy: false,
    };
    let mut server = Server {
        options,
        agent: Agent::new(id, about),
        bus,
        ready: None,
        armed: None,
        lease_ns: 0,
        work: None,
        successor: None,
        on_event,
    };
    server.tell(AgentEvent::Listening {
        broker: options.dial.place(),
        allow: &options.allow,
    });
    while !stop.load(Ordering::Relaxed) {
        server.turn()?;
        if let Some(program) = server.successor.take() {
            return Ok(Served::Succeeded(program));
        }
    }
    server.leave().map(|()| Served::Stopped)
}

struct Server<'a, F> {
    options: &'a AgentOptions,
    agent: Agent,
    bus: Box<dyn Bus>,
    ready: Option<Ready>,
    /// The step that may begin: its number, and which share of how many.
    armed: Option<(Job, u32, (u32, u32))>,
    lease_ns: u64,
    /// The step that goes on, and its number.
    work: Option<(Work, u32)>,
    /// Who goes on in its place.
    successor: Option<PathBuf>,
    on_event: F,
}

impl<F: FnMut(AgentEvent<'_>)> Server<'_, F> {
    fn tell(&mut self, event: AgentEvent<'_>) {
        (self.on_event)(event);
    }

    /// Takes in what has come, does it, and says what is to be said.
    fn turn(&mut self) -> Result<(), LabError> {
        let now_ns = monotonic_ns();
        let until_ns = self.agent.next_timeout_ns().unwrap_or(u64::MAX);
        let longest = if self.work.is_some() { LOOK_WORKING } else { LOOK };
        let mut wait = Duration::from_nanos(until_ns.saturating_sub(now_ns)).min(longest);
        for _ in 0..MESSAGES_MAX {
            let Some(delivery) = self.bus.receive(wait)? else { break };
            // Whatever else comes on the bus is not for us.
            if let Ok(message) = decode::<ToAgent>(&delivery.message) {
                self.agent.receive(monotonic_ns(), message);
            }
            // A clock is read when a message comes, and what is asked about it is responded to at once.
            self.obey()?;
            wait = Duration::ZERO;
        }
        self.collect();
        self.agent.poll(monotonic_ns());
        self.obey()
    }

    /// Hands on what the generator has seen.
    fn collect(&mut self) {
        let Some((work, step)) = &mut self.work else { return };
        let step = *step;
        // Whether it has ended is looked at first, so that no tick comes behind the end.
        let outcome = work.outcome();
        let now_ns = monotonic_ns();
        for tick in work.ticks() {
            self.agent.ticked(now_ns, Box::new(tick));
        }
        let Some(outcome) = outcome else { return };
        self.work = None;
        // Where the lease has ended the generator may have noticed first.
        self.agent.poll(now_ns);
        let outcome = outcome.map_err(|error| format!("it failed to {error}"));
        let failed = outcome.as_ref().err().cloned();
        self.agent.ended(now_ns, outcome);
        let failed = failed.as_deref();
        self.tell(AgentEvent::Ended { step, failed });
    }

    /// Does what is to be done, and sends what is to be said.
    fn obey(&mut self) -> Result<(), LabError> {
        loop {
            let orders = self.agent.orders();
            if orders.is_empty() {
                break;
            }
            for order in orders {
                self.carry_out(order);
            }
        }
        for message in self.agent.sent() {
            let bytes = encode(&message).map_err(|error| LabError::Fleet {
                found: error.to_string(),
                hint: None,
            })?;
            self.bus.send(&message.address(), bytes)?;
        }
        Ok(())
    }

    fn carry_out(&mut self, order: Order) {
        match order {
            Order::Prepare(plan) => {
                let ready = Ready::of(&plan, &self.options.allow, &self.options.generator);
                let outcome = match ready {
                    Ok(ready) => {
                        for note in &ready.notes {
                            (self.on_event)(AgentEvent::Noted(note));
                        }
                        let (plan, target) = (ready.name(), ready.remote());
                        (self.on_event)(AgentEvent::Prepared { plan, target });
                        self.ready = Some(ready);
                        Ok(())
                    }
                    Err(refusal) => {
                        self.tell(AgentEvent::Refused(&refusal));
                        Err(refusal)
                    }
                };
                self.agent.prepared(outcome);
            }
            Order::Arm(set) => {
                let job = match &self.ready {
                    Some(ready) => ready.job(&set, &self.options.allow, self.options.max_rate),
                    None => Err(Refusal {
                        why: "it has no plan".to_owned(),
                        hint: None,
                    }),
                };
                let outcome = match job {
                    Ok(job) => {
                        self.armed = Some((job, set.step, (set.index, set.of)));
                        Ok(())
                    }
                    Err(refusal) => {
                        self.tell(AgentEvent::Refused(&refusal));
                        Err(refusal)
                    }
                };
                self.agent.armed(outcome);
            }
            Order::Begin { step, at_ns } => self.begin(step, at_ns),
            Order::Lease(lease_ns) => {
                self.lease_ns = lease_ns;
                if let Some((work, _)) = &self.work {
                    work.extend(lease_ns);
                }
            }
            Order::Finish => self.work.iter().for_each(|(work, _)| work.finish()),
            Order::Stop => self.work.iter().for_each(|(work, _)| work.stop()),
            Order::Forget => {
                (self.ready, self.armed) = (None, None);
                // Nobody waits for it any more, and it sends nothing once it is gone.
                self.work = None;
                self.tell(AgentEvent::Released);
            }
            Order::Declined(refusal) => self.tell(AgentEvent::Refused(&refusal)),
            Order::Replace(version) => match program_of(&version, self.options.update_from.as_deref()) {
                Ok(program) => {
                    self.tell(AgentEvent::Replaced { version: &version });
                    self.successor = Some(program);
                }
                Err(refusal) => self.tell(AgentEvent::Refused(&refusal)),
            },
        }
    }

    fn begin(&mut self, step: u32, at_ns: u64) {
        // One share at a time.
        self.work = None;
        let armed = self.armed.take().filter(|(_, number, _)| *number == step);
        let Some((job, _, (index, of))) = armed else {
            return self.agent.ended(monotonic_ns(), Err("it was not ready".to_owned()));
        };
        match Work::begin(job, at_ns, self.lease_ns) {
            Ok(work) => {
                self.work = Some((work, step));
                self.tell(AgentEvent::Began { step, index, of });
            }
            Err(error) => self.agent.ended(monotonic_ns(), Err(format!("it failed to {error}"))),
        }
    }

    /// The user has stopped it: what it has to say of the step that goes on is said once more.
    fn leave(&mut self) -> Result<(), LabError> {
        if let Some((work, _)) = &self.work {
            work.stop();
            let now_ns = monotonic_ns();
            self.agent.ended(now_ns, Err("its user stopped it".to_owned()));
            self.work = None;
        }
        self.obey()
    }
}
