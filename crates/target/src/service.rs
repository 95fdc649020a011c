//! A service that is started here, and ended with the run.

use crate::error::StartError;
use crate::ownership::{Claim, Ownership, endpoints};
use crate::process::Process;
use crate::ready::{self, Look, Looker};
use crate::sampler::PROFILER;
use crate::spoken::Spoken;
use crate::started::{NotStarted, Started};
use crate::unix_socket::{self, Leftover};
use crate::{ExitReport, StopReport, port, silence, sys};
use plimsoll_measure::{InstancesSample, TargetSample};
use plimsoll_plan::{Address, Command, KnownSecrets, Secret, Server};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Between two looks at a service that starts.
const POLL: Duration = Duration::from_millis(10);

/// A running service. Dropping it kills it.
#[derive(Debug)]
pub struct Service {
    started: Started,
    /// Of the address at which it is ready.
    claim: Claim,
    /// It was ready after its first process had ended: it is a daemon.
    daemon: bool,
    ready: bool,
    /// The file of its unix socket. Dropped after what was started, which has ended then.
    leftover: Option<Box<Leftover>>,
    /// A sampling thread of V8 had to wait for the work that it was to see.
    samples_late: bool,
}

impl Service {
    /// Starts `command` and waits until it is ready to be `spoken` to.
    ///
    /// It runs on `cpus` (empty: not pinned) with `PORT` set to the port or the path of the unix socket of its URL, unless the plan sets it. Its output
    /// goes to the file `output`, if the plan does not say otherwise; what is told of it is without what is `hidden`. `cancel`
    /// ends the waiting.
    ///
    /// # Errors
    /// [`StartError`]; nothing is left running then.
    pub fn start(
        command: &Command,
        spoken: Spoken<'_>,
        cpus: &[usize],
        output: &Path,
        hidden: &KnownSecrets,
        cancel: &AtomicBool,
    ) -> Result<Self, StartError> {
        let url = spoken.destination.url;
        let addresses = ready::resolve(spoken.destination).map_err(|error| StartError::Resolve {
            host: error.host,
            source: error.source,
        })?;
        if let Some(open) = ready::open_one(&addresses) {
            return Err(StartError::InUse {
                address: open.clone(),
                owner: port::owner(open),
            });
        }
        let socket = match &url.server {
            Server::Tcp { .. } => None,
            Server::Unix(path) => Some(path),
        };
        if let Some((path, what)) = socket.and_then(|path| Some((path, unix_socket::what_else(path)?))) {
            let path = path.clone();
            return Err(StartError::InTheWay { path, what });
        }
        let leftover = socket.map(|path| Box::new(Leftover::at(path)));
        // What `server.listen(process.env.PORT)` of Node.js takes, a port or a path.
        let listens_on = match &url.server {
            Server::Tcp { port, .. } => port.to_string(),
            Server::Unix(path) => path.to_string(),
        };
        let env = vec![("PORT".to_owned(), listens_on)];
        let mut service = Self {
            started: Started::start(command, env, cpus, output, hidden)?,
            claim: Claim::new(addresses[0].clone()),
            daemon: false,
            ready: false,
            leftover,
            samples_late: false,
        };
        service.claim = service.wait_until_ready(command, spoken, &addresses, cancel)?;
        Ok(service)
    }

    /// What is told of it is without this from now on, and what it has written when it has ended.
    pub fn hide(&mut self, hidden: &KnownSecrets) {
        self.started.hide(hidden);
    }

    /// The first process, which is what `command` started.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.started.pid()
    }

    /// What the process tree uses, at `at_ns` since the beginning of the run. CPU time counts from the start of the
    /// service, includes ended threads and processes, and never goes down. Resident memory counts shared pages once
    /// per process. Sockets are exact up to 1024 descriptors per process; beyond, all descriptors count that were
    /// opened since.
    ///
    /// `None` when nothing is left of it, or where there is no `/proc`.
    pub fn sample(&mut self, at_ns: u64) -> Option<TargetSample> {
        self.started.sample(at_ns)
    }

    /// Its processes of Node.js at the last sample, which was taken at `at_ns`; `None` as long as there was one at most.
    #[must_use]
    pub fn instances(&self, at_ns: u64) -> Option<InstancesSample> {
        self.started.instances(at_ns)
    }

    /// It is one of several on other machines: its process of Node.js is told of even where it is the only one.
    pub fn tell_instances(&mut self) {
        self.started.tell_instances();
    }

    /// Once a profile has begun: lets V8's sampling threads run as soon as they wake, and on the one core of a service nothing
    /// but its own thread and these. `beside` are threads of it that work for that thread.
    ///
    /// A sampling thread would else wait for the pause after the very work that it is to see; and one that runs on another
    /// core sees that work a little late, when part of it is over. Threads beside, on the same core, interrupt the call that
    /// wakes them, and their time would be that call's.
    pub fn arrange_threads(&mut self, beside: &[u32]) {
        for process in self.members() {
            let waits = sys::hasten_threads(process.id.pid, PROFILER);
            // A call that wakes a thread on another core lets no thread have this one.
            let moved = sys::move_beside(process.id.pid, beside);
            self.samples_late |= waits && moved.is_empty();
            if let Some(sampler) = self.started.sampler() {
                sampler.were_moved(moved);
            }
        }
    }

    /// What is wrong with samples that came late, and what would help.
    #[must_use]
    pub fn why_samples_are_late(&self) -> Option<(String, String)> {
        let message = "V8's sampling thread had to wait for the service on the one core of both, so calls that give work to the threadpool \
                       may be charged up to three times what they cost";
        let hint = "before it, run `sudo prlimit --pid $$ --rtprio=1` in this shell, or give the service two cores (`--target-cpus`)";
        self.samples_late.then(|| (message.to_owned(), hint.to_owned()))
    }

    /// Its living processes, as far as `/proc` shows them.
    pub(crate) fn members(&mut self) -> Vec<Process> {
        self.started.members()
    }

    /// Where it is ready.
    #[must_use]
    pub const fn address(&self) -> &Address {
        self.claim.address()
    }

    pub(crate) fn extend_to(&mut self, ports: &[u16]) {
        self.claim.extend_to(ports);
    }

    /// See [`Target::ownership`](crate::Target::ownership).
    pub fn ownership(&mut self) -> Ownership {
        let Self { claim, started, .. } = self;
        claim.look(|| started.members())
    }

    /// Why nothing was heard of the probe in it, and what to do about it.
    pub fn why_no_probe(&mut self) -> Option<(String, String)> {
        let alive = self.started.sampler()?.alive();
        Some(silence::reason(&alive.iter().collect::<Vec<_>>()))
    }

    /// Whether it has ended: its first process; of a daemon, and of a service that is not ready yet, everything that its
    /// first process left when it ended well. Cheap enough to ask every tick.
    #[must_use]
    pub fn exited(&self) -> Option<ExitReport> {
        let ending = self.started.ending(self.daemon, !self.ready)?;
        Some(ExitReport {
            status: ending.status,
            out_of_memory: ending.out_of_memory,
            last_lines: self.started.last_lines(),
        })
    }

    /// Ends it: SIGTERM to all of it, and SIGKILL to what is left after the grace period of the plan. From the moment on
    /// that `interrupted` is set, be it before or meanwhile, that period is three seconds at most: the user does not want to
    /// wait.
    pub fn stop(self, interrupted: &AtomicBool) -> StopReport {
        self.started.stop(self.daemon, interrupted)
    }

    fn wait_until_ready(
        &mut self,
        command: &Command,
        spoken: Spoken<'_>,
        addresses: &[Address],
        cancel: &AtomicBool,
    ) -> Result<Claim, StartError> {
        let path = command.ready.path.as_ref().map(Secret::reveal);
        let deadline = Instant::now() + command.ready.timeout;
        let go_on = || !cancel.load(Ordering::Relaxed);
        let mut looker = Looker::new(spoken, addresses, path, deadline);
        loop {
            let look = looker.look(|| self.members(), go_on);
            if !go_on() {
                return Err(StartError::Cancelled);
            }
            if let Some(report) = self.exited() {
                let stale = self.leftover.as_ref().and_then(|leftover| leftover.stale().cloned());
                return Err(StartError::Exited { report, stale });
            }
            match look {
                Look::Ready(claim) => {
                    self.ready = true;
                    self.daemon = self.started.standing().first.is_some();
                    return Ok(claim);
                }
                Look::Foreign(foreign) => {
                    return Err(StartError::Foreign {
                        foreign: Box::new(foreign),
                        last_lines: self.started.last_lines(),
                    });
                }
                Look::NotYet if Instant::now() >= deadline => {
                    return Err(StartError::NotReady {
                        url: format!("{}{}", spoken.destination.url.origin(), command.ready.shown_path()),
                        on_unix: addresses[0].is_unix(),
                        timeout: command.ready.timeout,
                        found: Box::new(looker.into_found()),
                        listens_on: endpoints(&self.members()),
                        last_lines: self.started.last_lines(),
                    });
                }
                Look::NotYet => self.started.wait(POLL),
            }
        }
    }
}

impl From<NotStarted> for StartError {
    fn from(fault: NotStarted) -> Self {
        match fault {
            NotStarted::Output { path, source } => Self::Output { path, source },
            NotStarted::Pin { wanted, available } => Self::Pin { wanted, available },
            NotStarted::Limits(error) => Self::Limits(error),
            NotStarted::Spawn { program, source } => Self::Spawn { program, source },
            NotStarted::Supervise(source) => Self::Supervise { source },
        }
    }
}
