//! What the service needs, such as a database: started before it, watched like it, stopped after it.

use crate::health::Found;
use crate::limits::NoLimits;
use crate::ownership::{Foreign, endpoints};
use crate::port::{self, Owner};
use crate::ready::{self, Look, Looker};
use crate::spoken::Spoken;
use crate::started::{NotStarted, Started};
use crate::{Endpoint, ExitReport, StopReport, hint_on_refusal, ownership};
use plimsoll_measure::TargetSample;
use plimsoll_plan::{Address, Command, KnownSecrets, Sign, Url};
use rustix::process::Signal;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Between two looks at a neighbour that starts.
const POLL: Duration = Duration::from_millis(10);

/// A neighbour to start.
#[derive(Debug, Clone)]
pub struct ToStart {
    /// What it is called.
    pub name: String,
    /// How.
    pub command: Command,
    /// By what it is known that it is ready.
    pub ready: Sign,
    /// Cores to run on; empty: not pinned.
    pub cpus: Vec<usize>,
    /// The file that its output goes to.
    pub output: PathBuf,
}

/// A running neighbour of the service. Dropping it kills it.
#[derive(Debug)]
pub struct Neighbour {
    name: String,
    started: Started,
    /// It was ready after its first process had ended.
    daemon: bool,
    /// It stands still.
    paused: bool,
}

impl Neighbour {
    /// Starts it and waits until there is the sign that it is ready.
    ///
    /// `PORT` is set to the port of its sign unless its command sets it. What is told of it is without what is `hidden`. `cancel` ends
    /// the waiting.
    ///
    /// # Errors
    /// [`NeighbourError`]; nothing is left running then.
    pub fn start(to_start: &ToStart, hidden: &KnownSecrets, cancel: &AtomicBool) -> Result<Self, NeighbourError> {
        let ToStart {
            name,
            command,
            ready,
            cpus,
            output,
        } = to_start;
        let failed = |fault| NeighbourError {
            name: name.clone(),
            fault: Box::new(fault),
        };
        let asked = Asked::of(ready).map_err(failed)?;
        let env = ready.port().map(|port| ("PORT".to_owned(), port.to_string()));
        let started = Started::start(command, env.into_iter().collect(), cpus, output, hidden);
        let mut neighbour = Self {
            name: name.clone(),
            started: started.map_err(|fault| failed(fault.into()))?,
            daemon: false,
            paused: false,
        };
        neighbour.wait_until_ready(to_start, &asked, cancel).map_err(failed)?;
        neighbour.daemon = neighbour.started.standing().first.is_some();
        Ok(neighbour)
    }

    /// What the plan calls it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// See [`Service::hide`](crate::Service::hide).
    pub fn hide(&mut self, hidden: &KnownSecrets) {
        self.started.hide(hidden);
    }

    /// See [`Service::sample`](crate::Service::sample).
    pub fn sample(&mut self, at_ns: u64) -> Option<TargetSample> {
        self.started.sample(at_ns)
    }

    /// Whether it has ended by itself. Cheap enough to ask every tick.
    #[must_use]
    pub fn exited(&self) -> Option<ExitReport> {
        self.report(false)
    }

    /// Lets all of its processes stand still, until [`Self::go_on`].
    pub fn pause(&mut self) {
        self.paused = true;
        self.started.signal(Signal::STOP);
    }

    /// Lets them go on.
    pub fn go_on(&mut self) {
        self.paused = false;
        self.started.signal(Signal::CONT);
    }

    /// See [`Service::stop`](crate::Service::stop).
    pub fn stop(mut self, interrupted: &AtomicBool) -> StopReport {
        // What stands still does not hear that it is to end.
        if self.paused {
            self.go_on();
        }
        self.started.stop(self.daemon, interrupted)
    }

    fn report(&self, whole: bool) -> Option<ExitReport> {
        let ending = self.started.ending(self.daemon, whole)?;
        Some(ExitReport {
            status: ending.status,
            out_of_memory: ending.out_of_memory,
            last_lines: self.started.last_lines(),
        })
    }

    fn wait_until_ready(
        &mut self,
        to_start: &ToStart,
        asked: &Asked,
        cancel: &AtomicBool,
    ) -> Result<(), NeighbourFault> {
        let timeout = to_start.command.ready.timeout;
        let deadline = Instant::now() + timeout;
        let go_on = || !cancel.load(Ordering::Relaxed);
        let mut looker = asked.looker(deadline);
        loop {
            let is_ready = match (&mut looker, asked) {
                (Some(looker), _) => match looker.look(|| self.started.members(), go_on) {
                    Look::Ready(_) => true,
                    Look::NotYet => false,
                    Look::Foreign(foreign) => {
                        let Foreign { address, owner, .. } = foreign;
                        return Err(NeighbourFault::InUse { address, owner });
                    }
                },
                (None, Asked::Output(text)) => self.started.says_at_first(text),
                (None, Asked::Place { .. }) => false,
            };
            if !go_on() {
                return Err(NeighbourFault::Cancelled);
            }
            if let Some(report) = self.report(true) {
                return Err(NeighbourFault::Exited(report));
            }
            if is_ready {
                return Ok(());
            }
            if Instant::now() >= deadline {
                return Err(NeighbourFault::NotReady {
                    sign: to_start.ready.to_string(),
                    timeout,
                    found: looker.map(|looker| Box::new(looker.into_found())),
                    listens_on: endpoints(&self.started.members()),
                    last_lines: self.started.last_lines(),
                });
            }
            self.started.wait(POLL);
        }
    }
}

/// Where the sign that a neighbour is ready is looked for.
enum Asked {
    Place {
        url: Url,
        addresses: Vec<Address>,
        /// Whether its path is asked for.
        responds: bool,
    },
    Output(String),
}

impl Asked {
    /// Nobody may be there yet.
    fn of(sign: &Sign) -> Result<Self, NeighbourFault> {
        let (url, responds) = match sign {
            Sign::Line(text) => return Ok(Self::Output(text.clone())),
            Sign::Port(port) => (Url::at("127.0.0.1", *port), false),
            Sign::Url(url) => (url.clone(), true),
        };
        let addresses = ready::resolve((&url).into()).map_err(|error| NeighbourFault::Resolve {
            host: error.host,
            source: error.source,
        })?;
        match ready::open_one(&addresses) {
            Some(open) => Err(NeighbourFault::InUse {
                address: open.clone(),
                owner: port::owner(open),
            }),
            None => Ok(Self::Place {
                url,
                addresses,
                responds,
            }),
        }
    }

    fn looker(&self, deadline: Instant) -> Option<Looker<'_>> {
        let Self::Place {
            url,
            addresses,
            responds,
        } = self
        else {
            return None;
        };
        let path = responds.then(|| url.path.reveal());
        Some(Looker::new(Spoken::plainly(url), addresses, path, deadline))
    }
}

/// A neighbour of the service did not start. The text fits after "failed to". Whatever had been started of it is gone.
#[derive(Debug, Error)]
#[error("start neighbour {name}: {fault}")]
pub struct NeighbourError {
    name: String,
    fault: Box<NeighbourFault>,
}

#[derive(Debug, Error)]
enum NeighbourFault {
    #[error("failed to find the address of {host}: {source}")]
    Resolve { host: String, source: io::Error },
    #[error("{} is already in use by {}", address.place(), match owner {
        Some(owner) => owner.to_string(),
        None => "another process".to_owned(),
    })]
    InUse { address: Address, owner: Option<Owner> },
    #[error("failed to open {} for its output: {source}", path.display())]
    Output { path: PathBuf, source: io::Error },
    #[error(
        "failed to pin it to cpus {}: available are {}",
        crate::cpus::list(wanted),
        crate::cpus::list(available)
    )]
    Pin { wanted: Vec<usize>, available: Vec<usize> },
    #[error("failed to {0}")]
    Limits(NoLimits),
    #[error("failed to run {program}: {source}")]
    Spawn { program: String, source: io::Error },
    #[error("failed to start a supervisor for it: {0}")]
    Supervise(io::Error),
    #[error("it {0}")]
    Exited(ExitReport),
    #[error(
        "it was not ready within {timeout:?}: {}{}{}",
        match found {
            Some(found) => format!("{sign}: {found}"),
            None => format!("its output has no {}", sign.trim_start_matches("a ")),
        },
        match listens_on.as_slice() {
            [] => String::new(),
            places => format!("; it listens on {}", ownership::list(places)),
        },
        last_lines.iter().map(|line| format!("\n  | {line}")).collect::<String>()
    )]
    NotReady {
        sign: String,
        timeout: Duration,
        found: Option<Box<Found>>,
        listens_on: Vec<Endpoint>,
        last_lines: Vec<String>,
    },
    #[error("interrupted")]
    Cancelled,
}

impl NeighbourError {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match &*self.fault {
            NeighbourFault::InUse { owner: Some(owner), .. } => Some(format!(
                "stop it with `kill {pid}`, or leave the neighbour out of the plan to measure with the one that runs",
                pid = owner.pid
            )),
            NeighbourFault::InUse { owner: None, .. } => Some("stop it, or choose another port".to_owned()),
            NeighbourFault::Pin { available, .. } => {
                let list = crate::cpus::list(available);
                Some(format!("choose from {list}, or leave its `cpus` out"))
            }
            NeighbourFault::Limits(error) => Some(error.hint()),
            NeighbourFault::Spawn { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                Some("check the spelling, the PATH and the working directory".to_owned())
            }
            NeighbourFault::Spawn { source, .. }
            | NeighbourFault::Output { source, .. }
            | NeighbourFault::Supervise(source) => hint_on_refusal(source),
            NeighbourFault::NotReady { .. } => Some(
                "`ready` needs what shows that it can be used: a `port` on which it listens, a `url` that responds with 2xx, or a \
                 part of a `line` that it prints; give it longer with `ready.timeout`"
                    .to_owned(),
            ),
            NeighbourFault::Resolve { .. } | NeighbourFault::Exited(_) | NeighbourFault::Cancelled => None,
        }
    }

    /// Whether the user did not want to wait any longer.
    #[must_use]
    pub fn cancelled(&self) -> bool {
        matches!(*self.fault, NeighbourFault::Cancelled)
    }
}

impl From<NotStarted> for NeighbourFault {
    fn from(fault: NotStarted) -> Self {
        match fault {
            NotStarted::Output { path, source } => Self::Output { path, source },
            NotStarted::Pin { wanted, available } => Self::Pin { wanted, available },
            NotStarted::Limits(error) => Self::Limits(error),
            NotStarted::Spawn { program, source } => Self::Spawn { program, source },
            NotStarted::Supervise(source) => Self::Supervise(source),
        }
    }
}
