//! A service that is started here, and ended with the run.

use crate::cpus::all_cpus;
use crate::error::StartError;
use crate::family::{Family, Fault, Grace, ORPHAN_GRACE};
use crate::limits::Group;
use crate::output::Output;
use crate::ownership::{Claim, Ownership, endpoints};
use crate::process::Process;
use crate::ready::{self, Look, Looker};
use crate::sampler::{PROFILER, Sampler};
use crate::spoken::Spoken;
use crate::supervisor::wire::{Order, OrderedGroup};
use crate::unix_socket::{self, Leftover};
use crate::{Ended, ExitReport, NoLimits, StopReport, port, silence, sys};
use plimsoll_measure::TargetSample;
use plimsoll_plan::{Address, Command, KnownSecrets, Limits, Secret, Server};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Between two looks at a service that starts.
const POLL: Duration = Duration::from_millis(10);

/// From SIGTERM to SIGKILL when the user wants an end; shorter if the plan says so.
const INTERRUPTED_GRACE: Duration = Duration::from_secs(3);

/// A running service: its first process, and all that stems from it. Dropping it kills them.
#[derive(Debug)]
pub struct Service {
    family: Family,
    sampler: Option<Sampler>,
    output: Output,
    /// What is taken out of the names of its processes.
    hidden: KnownSecrets,
    stop_grace: Duration,
    /// Of the address at which it is ready.
    claim: Claim,
    /// It was ready after its first process had ended: it is a daemon.
    daemon: bool,
    ready: bool,
    /// The file of its unix socket. Dropped after the family, which has ended then.
    leftover: Option<Box<Leftover>>,
    /// What the plan lets it use at most.
    limits: Limits,
    /// A sampling thread of V8 had to wait for the work that it was to see.
    samples_late: bool,
    /// The control group that holds it to that. Dropped after the family, which has ended then.
    _group: Option<Group>,
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
        let (log, stdout, stderr) =
            Output::open(command.stdout, output, hidden).map_err(|source| StartError::Output {
                path: output.to_owned(),
                source,
            })?;
        let leftover = socket.map(|path| Box::new(Leftover::at(path)));
        let group = Group::make(&command.limits)?;
        let family = spawn(command, &url.server, cpus, group.as_ref(), stdout, stderr)?;
        let sampler = family.tree().map(|tree| Sampler::new(tree, family.first()));
        let mut service = Self {
            family,
            sampler,
            output: log,
            hidden: hidden.clone(),
            stop_grace: command.stop_grace,
            claim: Claim::new(addresses[0].clone()),
            daemon: false,
            ready: false,
            leftover,
            limits: command.limits,
            samples_late: false,
            _group: group,
        };
        service.claim = service.wait_until_ready(command, spoken, &addresses, cancel)?;
        Ok(service)
    }

    /// What is told of it is without this from now on, and what it has written when it has ended.
    pub fn hide(&mut self, hidden: &KnownSecrets) {
        self.hidden = hidden.clone();
        self.output.hide(hidden);
    }

    /// The first process, which is what `command` started.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.family.first()
    }

    /// What the process tree uses, at `at_ns` since the beginning of the run. CPU time counts from the start of the
    /// service, includes ended threads and processes, and never goes down. Resident memory counts shared pages once
    /// per process. Sockets are exact up to 1024 descriptors per process; beyond, all descriptors count that were
    /// opened since.
    ///
    /// `None` when nothing is left of it, or where there is no `/proc`.
    pub fn sample(&mut self, at_ns: u64) -> Option<TargetSample> {
        self.sampler.as_mut()?.sample(at_ns)
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
            if let Some(sampler) = &mut self.sampler {
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
        let Self { claim, sampler, .. } = self;
        claim.look(|| sampler.as_mut().map(Sampler::alive).unwrap_or_default())
    }

    /// Why nothing was heard of the probe in it, and what to do about it.
    pub fn why_no_probe(&mut self) -> Option<(String, String)> {
        let alive = self.sampler.as_mut()?.alive();
        Some(silence::reason(&alive.iter().collect::<Vec<_>>()))
    }

    /// Whether it has ended: its first process; of a daemon, and of a service that is not ready yet, everything that its
    /// first process left when it ended well. Cheap enough to ask every tick.
    #[must_use]
    pub fn exited(&self) -> Option<ExitReport> {
        let standing = self.family.standing();
        let first = standing.first;
        let status = if standing.lost {
            LOST.to_owned()
        } else if self.daemon {
            describe(standing.all?)
        } else {
            let ended = first.filter(|status| self.ready || !status.success() || standing.all.is_some())?;
            describe(ended)
        };
        let oom_kills = self.sampler.as_ref().map_or(0, Sampler::oom_kills);
        Some(ExitReport {
            status: match oom_kills {
                0 => status,
                _ if first.and_then(|status| status.signal()) == Some(SIGKILL) => {
                    format!("was killed by the kernel, because {}", self.memory_ran_out())
                }
                _ => format!(
                    "{status}, after the kernel ended a process of it because {}",
                    self.memory_ran_out()
                ),
            },
            out_of_memory: oom_kills > 0,
            last_lines: self.output.last_lines(),
        })
    }

    /// Ends it: SIGTERM to all of it, and SIGKILL to what is left after the grace period of the plan. From the moment on
    /// that `interrupted` is set, be it before or meanwhile, that period is three seconds at most: the user does not want to
    /// wait.
    pub fn stop(self, interrupted: &AtomicBool) -> StopReport {
        let before = self.family.standing();
        let ended_before = before.all.is_some() || !self.daemon && before.first.is_some();
        let end = self
            .family
            .end(Grace::of(self.stop_grace).unless(interrupted, INTERRUPTED_GRACE));
        StopReport {
            ended: match (end.killed.is_empty(), ended_before) {
                (false, _) => Ended::Killed,
                (true, false) => Ended::Terminated,
                (true, true) => Ended::ByItself,
            },
            status: end.first.map(describe),
            killed: end.killed.iter().map(|name| self.hidden.hide_title(name)).collect(),
            output_loss: self.output.loss(),
        }
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
                    self.daemon = self.family.standing().first.is_some();
                    return Ok(claim);
                }
                Look::Foreign(foreign) => {
                    return Err(StartError::Foreign {
                        foreign: Box::new(foreign),
                        last_lines: self.output.last_lines(),
                    });
                }
                Look::NotYet if Instant::now() >= deadline => {
                    return Err(StartError::NotReady {
                        url: format!("{}{}", spoken.destination.url.origin(), command.ready.shown_path()),
                        on_unix: addresses[0].is_unix(),
                        timeout: command.ready.timeout,
                        found: Box::new(looker.into_found()),
                        listens_on: endpoints(&self.members()),
                        last_lines: self.output.last_lines(),
                    });
                }
                Look::NotYet => self.family.wait(POLL),
            }
        }
    }

    fn memory_ran_out(&self) -> String {
        match self.limits.memory {
            Some(memory) => format!("its memory reached the limit of {memory}"),
            None => "the memory of its control group ran out".to_owned(),
        }
    }

    /// Its living processes, as far as `/proc` shows them.
    fn members(&mut self) -> Vec<Process> {
        self.sampler.as_mut().map(Sampler::alive).unwrap_or_default()
    }
}

/// As the kernel ends a process for memory.
const SIGKILL: i32 = 9;

/// As in "the service …".
const LOST: &str = "was stopped, because its supervisor was killed";

fn spawn(
    command: &Command,
    server: &Server,
    cpus: &[usize],
    group: Option<&Group>,
    stdout: Stdio,
    stderr: Stdio,
) -> Result<Family, StartError> {
    // What `server.listen(process.env.PORT)` of Node.js takes, a port or a path.
    let listens_on = match server {
        Server::Tcp { port, .. } => port.to_string(),
        Server::Unix(path) => path.to_string(),
    };
    let mut env = vec![("PORT".to_owned(), listens_on)];
    env.extend(
        command
            .env
            .iter()
            .map(|(name, value)| (name.clone(), value.reveal().to_owned())),
    );
    let order = Order {
        argv: command.argv.iter().map(|word| OsString::from(word.reveal())).collect(),
        env,
        dir: command.working_dir.clone().map(OsString::from),
        cpus: cpus.to_vec(),
        orphan_grace_ms: command.stop_grace.min(ORPHAN_GRACE).as_millis() as u64,
        group: group.map(|group| OrderedGroup {
            own: group.own().to_owned(),
            outside: group.outside().to_owned(),
        }),
    };
    Family::start(&order, stdout, stderr).map_err(|fault| match fault {
        Fault::Pin => StartError::Pin {
            wanted: cpus.to_vec(),
            available: all_cpus(),
        },
        Fault::Limit(found) => StartError::Limits(NoLimits::Closed {
            place: group.and_then(|group| group.own().first()).cloned().unwrap_or_default(),
            found,
        }),
        Fault::Run(source) => StartError::Spawn {
            program: command.shown_program().into(),
            source,
        },
        Fault::Supervise(source) => StartError::Supervise { source },
    })
}

/// As in "the service exited with status 1".
fn describe(status: ExitStatus) -> String {
    if let Some(code) = status.code() {
        return format!("exited with status {code}");
    }
    let name = |signal| match signal {
        1 => "SIGHUP".to_owned(),
        2 => "SIGINT".to_owned(),
        6 => "SIGABRT".to_owned(),
        9 => "SIGKILL, as the kernel does when memory runs out".to_owned(),
        11 => "SIGSEGV".to_owned(),
        15 => "SIGTERM".to_owned(),
        other => format!("signal {other}"),
    };
    status.signal().map_or_else(
        || "ended".to_owned(),
        |signal| format!("was killed by {}", name(signal)),
    )
}
