//! A service that is started here, and ended with the run.

use crate::cpus::all_cpus;
use crate::error::StartError;
use crate::output::Output;
use crate::ownership::{Claim, Ownership, endpoints};
use crate::process::Process;
use crate::ready::{self, Look, Looker};
use crate::sampler::{PROFILER, Sampler};
use crate::{Ended, ExitReport, StopReport, port, silence, sys};
use plimsoll_measure::TargetSample;
use plimsoll_plan::{Command, Url};
use plimsoll_protocol::http1::authority;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};
use std::net::SocketAddr;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Between two looks at a service that starts or ends.
const POLL: Duration = Duration::from_millis(10);

/// How long the kernel may take to end what was killed.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// A running service: a process group of its own, and all its descendants. Dropping it kills them.
#[derive(Debug)]
pub struct Service {
    child: Child,
    /// Of the first process and of its group. It stays taken until the process is waited for, which happens last;
    /// so a signal never reaches a stranger.
    pid: Pid,
    sampler: Option<Sampler>,
    output: Output,
    stop_grace: Duration,
    stopped: bool,
    /// Of the address at which it is ready.
    claim: Claim,
}

impl Service {
    /// Starts `command` and waits until it is ready to answer at `url`.
    ///
    /// It runs on `cpus` (empty: not pinned) with `PORT` set to the port of `url`, unless the plan sets it. Its output
    /// goes to the file `output`, if the plan does not say otherwise. `cancel` ends the waiting.
    ///
    /// # Errors
    /// [`StartError`]; nothing is left running then.
    pub fn start(
        command: &Command,
        url: &Url,
        cpus: &[usize],
        output: &Path,
        cancel: &AtomicBool,
    ) -> Result<Self, StartError> {
        let addresses = ready::resolve(url).map_err(|source| StartError::Resolve {
            host: url.host.clone(),
            source,
        })?;
        if let Some(open) = ready::open_one(&addresses) {
            return Err(StartError::PortInUse {
                port: url.port,
                owner: port::owner(open),
            });
        }
        let (log, stdout, stderr) = Output::open(command.stdout, output).map_err(|source| StartError::Output {
            path: output.to_owned(),
            source,
        })?;
        let child = spawn(command, url.port, cpus, stdout, stderr)?;
        let pid = Pid::from_child(&child);
        // A process that was not waited for is in `/proc`, whether it still runs or not.
        let id = Process::read(child.id()).map(|process| process.id);
        let mut service = Self {
            pid,
            sampler: id.map(|id| Sampler::new(id, Some(id.pid))),
            child,
            output: log,
            stop_grace: command.stop_grace,
            stopped: false,
            claim: Claim::new(addresses[0]),
        };
        service.claim = service.wait_until_ready(command, url, &addresses, cancel)?;
        Ok(service)
    }

    /// The first process, which is what `command` started.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
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

    /// Lets V8's sampling threads run as soon as they wake. Each would else wait for the pause after the very work that it
    /// is to see; and one that runs on another core sees that work a little late, when part of it is over.
    pub fn hasten_profilers(&mut self) {
        for process in self.members() {
            sys::hasten_threads(process.id.pid, PROFILER);
        }
    }

    /// Where it is ready.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
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

    /// Whether its first process has ended. Cheap enough to ask every tick.
    #[must_use]
    pub fn exited(&self) -> Option<ExitReport> {
        let status = self.exit_status()?;
        Some(ExitReport {
            status,
            last_lines: self.output.last_lines(),
        })
    }

    /// Ends it: SIGTERM to all of it, and SIGKILL to what is left after the grace period of the plan.
    pub fn stop(mut self) -> StopReport {
        let ended_before = self.exit_status().is_some();
        self.signal(Signal::TERM);
        let left = self.wait_until_gone(self.stop_grace);
        self.kill();
        StopReport {
            ended: match (left.is_empty(), ended_before) {
                (false, _) => Ended::Killed,
                (true, false) => Ended::Terminated,
                (true, true) => Ended::ByItself,
            },
            status: self.exit_status(),
            killed: left,
            output_loss: self.output.loss(),
        }
        // Dropping it takes note of the end of the first process.
    }

    fn wait_until_ready(
        &mut self,
        command: &Command,
        url: &Url,
        addresses: &[SocketAddr],
        cancel: &AtomicBool,
    ) -> Result<Claim, StartError> {
        let path = command.ready.path.as_deref();
        let deadline = Instant::now() + command.ready.timeout;
        let go_on = || !cancel.load(Ordering::Relaxed);
        let mut looker = Looker::new(url, addresses, path, deadline);
        loop {
            let look = looker.look(|| self.members(), go_on);
            if !go_on() {
                return Err(StartError::Cancelled);
            }
            if let Some(report) = self.exited() {
                return Err(StartError::Exited { report });
            }
            match look {
                Look::Ready(claim) => return Ok(claim),
                Look::Foreign(foreign) => {
                    return Err(StartError::Foreign {
                        foreign: Box::new(foreign),
                        last_lines: self.output.last_lines(),
                    });
                }
                Look::NotYet if Instant::now() >= deadline => {
                    return Err(StartError::NotReady {
                        url: format!(
                            "http://{}{}",
                            authority(&url.host, url.port, 80),
                            path.unwrap_or_default()
                        ),
                        timeout: command.ready.timeout,
                        found: Box::new(looker.into_found()),
                        listens_on: endpoints(&self.members()),
                        last_lines: self.output.last_lines(),
                    });
                }
                Look::NotYet => thread::sleep(POLL),
            }
        }
    }

    /// Leaves the process as a zombie, so that its number stays taken and its CPU time can still be read.
    fn exit_status(&self) -> Option<String> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(self.pid), options) {
            Ok(status) => status.as_ref().map(describe),
            Err(error) => Some(format!("is gone: {error}")),
        }
    }

    /// Names what is still alive after `timeout`.
    fn wait_until_gone(&mut self, timeout: Duration) -> Vec<String> {
        let deadline = Instant::now() + timeout;
        loop {
            let left = self.alive();
            if left.is_empty() || Instant::now() >= deadline {
                return left;
            }
            thread::sleep(POLL);
        }
    }

    /// Its living processes, as far as `/proc` shows them.
    fn members(&mut self) -> Vec<Process> {
        self.sampler.as_mut().map(Sampler::alive).unwrap_or_default()
    }

    /// Without `/proc` only the first process is known.
    fn alive(&mut self) -> Vec<String> {
        if let Some(sampler) = &mut self.sampler {
            return sampler.alive().iter().map(ToString::to_string).collect();
        }
        let first = self
            .exit_status()
            .is_none()
            .then(|| format!("process {}", self.child.id()));
        first.into_iter().collect()
    }

    /// Signals the group, and those that have left it one by one.
    fn signal(&mut self, signal: Signal) {
        let group = self.child.id();
        let members = self.members();
        // Fails when nobody is left, which is what is wanted.
        let _ = kill_process_group(self.pid, signal);
        for stray in members.iter().filter(|process| process.group != group) {
            sys::signal(stray.id, signal);
        }
    }

    /// Repeated, because something may have been started in between.
    fn kill(&mut self) {
        let deadline = Instant::now() + KILL_TIMEOUT;
        loop {
            self.signal(Signal::KILL);
            if self.wait_until_gone(POLL).is_empty() || Instant::now() >= deadline {
                break;
            }
        }
        self.stopped = true;
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if !self.stopped {
            self.kill();
        }
        // Does not hang: only a process that the kernel cannot end would not have ended by now.
        let _ = self.child.try_wait();
    }
}

fn spawn(command: &Command, port: u16, cpus: &[usize], stdout: Stdio, stderr: Stdio) -> Result<Child, StartError> {
    let program = command.argv.first().cloned().unwrap_or_default();
    let mut process = std::process::Command::new(&program);
    process
        .args(command.argv.iter().skip(1))
        .env("PORT", port.to_string())
        .envs(command.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(stderr)
        .process_group(0);
    if let Some(folder) = &command.working_dir {
        process.current_dir(folder);
    }
    // A child has the affinity of the thread that starts it, so that thread is pinned; it has no other purpose.
    let spawned = thread::scope(|scope| {
        let starter = scope.spawn(|| {
            if !cpus.is_empty() && plimsoll_thread::pin(cpus).is_err() {
                return Err(StartError::Pin {
                    wanted: cpus.to_vec(),
                    available: all_cpus(),
                });
            }
            process.spawn().map_err(|source| StartError::Spawn { program, source })
        });
        starter.join()
    });
    spawned.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// As in "the service exited with status 1".
fn describe(status: &WaitIdStatus) -> String {
    if let Some(code) = status.exit_status() {
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
    status.terminating_signal().map_or_else(
        || "ended".to_owned(),
        |signal| format!("was killed by {}", name(signal)),
    )
}
