//! A target agent over a bus: starts services of its own configuration for runs that ask for them by name.

use super::super::drawn;
use super::super::versions::{Served, program_of};
use super::service::{HostedService, work};
use crate::error::LabError;
use plimsoll_engine::monotonic_ns;
use plimsoll_fleet::{
    AboutTarget, AgentId, Bus, Dial, Listener, Refusal, TargetAgent, TargetOrder, ToTarget, decode, encode,
};
use plimsoll_target::available_cpus;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Between two looks at what came of what is being done.
const LOOK_WORKING: Duration = Duration::from_millis(2);
/// Between two looks at whether the user has stopped the agent.
const LOOK: Duration = Duration::from_millis(100);
/// Messages that are taken in before the clock is looked at again.
const MESSAGES_MAX: usize = 1_000;

/// A target agent as its user wants it.
#[derive(Debug, Clone)]
pub struct TargetOptions {
    /// What it is called in reports.
    pub name: String,
    /// The bus of its fleet.
    pub dial: Arc<dyn Dial>,
    /// What it may start.
    pub services: Vec<HostedService>,
    /// Where programs of other versions are.
    pub update_from: Option<PathBuf>,
}

/// What happens to a target agent.
#[derive(Debug)]
pub enum TargetEvent<'a> {
    /// It is there for runs.
    Listening {
        /// Where its broker is.
        broker: String,
        /// Names of what it may start.
        services: Vec<&'a str>,
    },
    /// It belongs to a run.
    Taken {
        /// For which service.
        service: &'a str,
    },
    /// It declined what somebody asked for.
    Declined(&'a Refusal),
    /// It belongs to nobody any more, and nothing is left of what it started.
    Free {
        /// Nobody asked for it: the run was not heard for too long.
        lease_ended: bool,
    },
    /// It goes on as a program of another version.
    Replaced {
        /// Which.
        version: &'a str,
    },
}

/// Serves runs until `stop` is set, or a program of another version is to do so.
///
/// # Errors
/// When a service cannot be started here, or the bus cannot be reached, or is gone.
pub fn serve_targets(
    options: &TargetOptions,
    stop: &AtomicBool,
    on_event: impl FnMut(TargetEvent<'_>),
) -> Result<Served, LabError> {
    options.services.iter().try_for_each(HostedService::check)?;
    let id = AgentId::new(&options.name, drawn());
    let bus = options.dial.dial(&Listener::Target(id.clone()))?;
    let host = plimsoll_target::host::describe();
    let names = || options.services.iter().map(|service| service.name.as_str());
    let about = AboutTarget {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        services: names().map(str::to_owned).collect(),
        cores: available_cpus().len() as u32,
        cpu_model: host.cpu_model,
        kernel: host.kernel,
        busy: false,
    };
    let mut server = Server {
        options,
        agent: TargetAgent::new(id, about),
        bus,
        worker: None,
        works: false,
        ending: None,
        successor: None,
        on_event,
    };
    (server.on_event)(TargetEvent::Listening {
        broker: options.dial.place(),
        services: names().collect(),
    });
    let served = loop {
        if stop.load(Ordering::Relaxed) {
            break Ok(Served::Stopped);
        }
        if let Err(error) = server.turn() {
            break Err(error);
        }
        if let Some(program) = server.successor.take() {
            break Ok(Served::Succeeded(program));
        }
    };
    server.leave();
    served
}

/// The thread that has the service of a run. Dropping it ends the service.
struct Worker {
    questions: Option<Sender<(u64, String)>>,
    replies: Receiver<(u64, String)>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    fn begin(service: HostedService) -> Result<Self, LabError> {
        let (questions, asked) = mpsc::channel();
        let (says, replies) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stops = Arc::clone(&stop);
        let thread = thread::Builder::new()
            .name("service".to_owned())
            .spawn(move || work(&service, &asked, &says, &stops));
        Ok(Self {
            questions: Some(questions),
            replies,
            stop,
            thread: Some(thread.map_err(plimsoll_engine::EngineError::Start)?),
        })
    }

    fn ask(&self, number: u64, text: String) {
        if let Some(questions) = &self.questions {
            // Whoever has panicked replies nothing, and the run gives it up.
            let _ = questions.send((number, text));
        }
    }

    /// Has everything end at once.
    fn end(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.questions = None;
    }

    fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Server<'a, F> {
    options: &'a TargetOptions,
    agent: TargetAgent,
    bus: Box<dyn Bus>,
    worker: Option<Worker>,
    /// It is at what was asked last.
    works: bool,
    /// What ends, and whether nobody asked for that.
    ending: Option<(Option<Worker>, bool)>,
    /// Who goes on in its place.
    successor: Option<PathBuf>,
    on_event: F,
}

impl<F: FnMut(TargetEvent<'_>)> Server<'_, F> {
    /// Takes in what has come, does it, and says what is to be said.
    fn turn(&mut self) -> Result<(), LabError> {
        let now_ns = monotonic_ns();
        let until_ns = self.agent.next_timeout_ns().unwrap_or(u64::MAX);
        // Between questions nothing is looked at, and the service has its machine for itself.
        let longest = match self.works || self.ending.is_some() {
            true => LOOK_WORKING,
            false => LOOK,
        };
        let mut wait = Duration::from_nanos(until_ns.saturating_sub(now_ns)).min(longest);
        for _ in 0..MESSAGES_MAX {
            let Some(delivery) = self.bus.receive(wait)? else { break };
            // Whatever else comes on the bus is not for us.
            if let Ok(message) = decode::<ToTarget>(&delivery.message) {
                self.agent.receive(monotonic_ns(), message);
            }
            // A clock is read when a message comes, and what is asked about it is responded to at once.
            self.obey()?;
            wait = Duration::ZERO;
        }
        if let Some(worker) = &self.worker {
            for (number, reply) in worker.replies.try_iter() {
                self.agent.done(number, &reply);
                self.works = false;
            }
        }
        self.look_for_end();
        self.agent.poll(monotonic_ns());
        self.obey()
    }

    fn look_for_end(&mut self) {
        let has_ended = |(worker, _): &mut (Option<Worker>, bool)| worker.as_ref().is_none_or(Worker::has_ended);
        if let Some((_, lease_ended)) = self.ending.take_if(has_ended) {
            self.agent.stopped();
            (self.on_event)(TargetEvent::Free { lease_ended });
        }
    }

    /// Does what is to be done, and sends what is to be said.
    fn obey(&mut self) -> Result<(), LabError> {
        for order in self.agent.orders() {
            match order {
                TargetOrder::Take { service } => self.take(&service)?,
                TargetOrder::Do { number, text } => {
                    if let Some(worker) = &self.worker {
                        worker.ask(number, text);
                        self.works = true;
                    }
                }
                TargetOrder::End { lease_ended } => {
                    self.works = false;
                    let mut worker = self.worker.take();
                    worker.iter_mut().for_each(Worker::end);
                    self.ending = Some((worker, lease_ended));
                }
                TargetOrder::Declined(refusal) => (self.on_event)(TargetEvent::Declined(&refusal)),
                TargetOrder::Replace(version) => match program_of(&version, self.options.update_from.as_deref()) {
                    Ok(program) => {
                        (self.on_event)(TargetEvent::Replaced { version: &version });
                        self.successor = Some(program);
                    }
                    Err(refusal) => (self.on_event)(TargetEvent::Declined(&refusal)),
                },
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

    fn take(&mut self, service: &str) -> Result<(), LabError> {
        let own = self.options.services.iter().find(|own| own.name == service);
        if let Some(own) = own {
            self.worker = Some(Worker::begin(own.clone())?);
            (self.on_event)(TargetEvent::Taken { service });
        }
        Ok(())
    }

    /// Nothing stays of what it started.
    fn leave(mut self) {
        (self.worker, self.ending) = (None, None);
    }
}
