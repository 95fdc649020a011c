//! What is started here: a program with all that stems from it, pinned, limited, sampled and stopped.

use crate::cpus::all_cpus;
use crate::family::{Family, Fault, Grace, ORPHAN_GRACE, Standing};
use crate::limits::Group;
use crate::output::Output;
use crate::process::Process;
use crate::sampler::Sampler;
use crate::supervisor::wire::{Order, OrderedGroup};
use crate::{Ended, NoLimits, StopReport, sys};
use plimsoll_measure::{InstancesSample, TargetSample};
use plimsoll_plan::{Command, KnownSecrets, Limits};
use rustix::process::Signal;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// From SIGTERM to SIGKILL when the user wants an end; shorter if the plan says so.
const INTERRUPTED_GRACE: Duration = Duration::from_secs(3);
/// As the kernel ends a process for memory.
const SIGKILL: i32 = 9;
/// As in "the service …".
const LOST: &str = "was stopped, because its supervisor was killed";

/// A running program: its first process, and all that stems from it. Dropping it kills them.
#[derive(Debug)]
pub(crate) struct Started {
    family: Family,
    sampler: Option<Sampler>,
    output: Output,
    /// What is taken out of the names of its processes.
    hidden: KnownSecrets,
    stop_grace: Duration,
    /// What the plan lets it use at most.
    limits: Limits,
    /// The control group that holds it to that. Dropped after the family, which has ended then.
    _group: Option<Group>,
}

/// Why a program did not start.
#[derive(Debug)]
pub(crate) enum NotStarted {
    /// The file for its output cannot be written.
    Output { path: PathBuf, source: io::Error },
    /// It cannot be given these cores.
    Pin { wanted: Vec<usize>, available: Vec<usize> },
    /// It cannot be limited as the plan says.
    Limits(NoLimits),
    /// It cannot be run.
    Spawn { program: String, source: io::Error },
    /// Nobody could be started who would end it.
    Supervise(io::Error),
}

impl Started {
    /// Starts `command` with `env` around the environment of the plan, on `cpus` (empty: not pinned). Its output goes to the
    /// file `output`, if the plan does not say otherwise.
    pub(crate) fn start(
        command: &Command,
        mut env: Vec<(String, String)>,
        cpus: &[usize],
        output: &Path,
        hidden: &KnownSecrets,
    ) -> Result<Self, NotStarted> {
        let (log, stdout, stderr) =
            Output::open(command.stdout, output, hidden).map_err(|source| NotStarted::Output {
                path: output.to_owned(),
                source,
            })?;
        let group = Group::make(&command.limits).map_err(NotStarted::Limits)?;
        let own = command.env.iter();
        env.extend(own.map(|(name, value)| (name.clone(), value.reveal().to_owned())));
        let family = spawn(command, env, cpus, group.as_ref(), stdout, stderr)?;
        let sampler = family.tree().map(|tree| Sampler::new(tree, family.first()));
        Ok(Self {
            family,
            sampler,
            output: log,
            hidden: hidden.clone(),
            stop_grace: command.stop_grace,
            limits: command.limits,
            _group: group,
        })
    }

    /// What is told of it is without this from now on, and what it has written when it has ended.
    pub(crate) fn hide(&mut self, hidden: &KnownSecrets) {
        self.hidden = hidden.clone();
        self.output.hide(hidden);
    }

    /// The first process, which is what the command started.
    pub(crate) fn pid(&self) -> u32 {
        self.family.first()
    }

    pub(crate) fn standing(&self) -> Standing {
        self.family.standing()
    }

    /// Waits until something changes, but no longer than that.
    pub(crate) fn wait(&self, timeout: Duration) {
        self.family.wait(timeout);
    }

    pub(crate) fn sample(&mut self, at_ns: u64) -> Option<TargetSample> {
        self.sampler.as_mut()?.sample(at_ns)
    }

    pub(crate) fn tell_instances(&mut self) {
        self.sampler.iter_mut().for_each(Sampler::tell_instances);
    }

    pub(crate) fn instances(&self, at_ns: u64) -> Option<InstancesSample> {
        self.sampler.as_ref()?.instances(at_ns)
    }

    /// Its living processes, as far as `/proc` shows them.
    pub(crate) fn members(&mut self) -> Vec<Process> {
        self.sampler.as_mut().map(Sampler::alive).unwrap_or_default()
    }

    /// Sends a signal to its living processes, as far as `/proc` shows them.
    pub(crate) fn signal(&mut self, signal: Signal) {
        for process in self.members() {
            sys::signal(process.id, signal);
        }
    }

    pub(crate) const fn sampler(&mut self) -> Option<&mut Sampler> {
        self.sampler.as_mut()
    }

    /// Whether a text is in the beginning of its output.
    pub(crate) fn says_at_first(&self, text: &str) -> bool {
        self.output.says_at_first(text)
    }

    pub(crate) fn last_lines(&self) -> Vec<String> {
        self.output.last_lines()
    }

    /// How it ended in words, if it has: its first process; where `whole` is set, everything that its first process left when it
    /// ended well.
    pub(crate) fn ending(&self, daemon: bool, whole: bool) -> Option<Ending> {
        let standing = self.family.standing();
        let first = standing.first;
        let status = if standing.lost {
            LOST.to_owned()
        } else if daemon {
            describe(standing.all?)
        } else {
            let ended = first.filter(|status| !whole || !status.success() || standing.all.is_some())?;
            describe(ended)
        };
        let oom_kills = self.sampler.as_ref().map_or(0, Sampler::oom_kills);
        Some(Ending {
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
        })
    }

    fn memory_ran_out(&self) -> String {
        match self.limits.memory {
            Some(memory) => format!("its memory reached the limit of {memory}"),
            None => "the memory of its control group ran out".to_owned(),
        }
    }

    /// Ends it: SIGTERM to all of it, and SIGKILL to what is left after the grace period of the plan. From the moment on
    /// that `interrupted` is set, be it before or meanwhile, that period is three seconds at most: the user does not want to
    /// wait.
    pub(crate) fn stop(self, daemon: bool, interrupted: &AtomicBool) -> StopReport {
        let before = self.family.standing();
        let ended_before = before.all.is_some() || !daemon && before.first.is_some();
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
}

/// How a program ended.
#[derive(Debug)]
pub(crate) struct Ending {
    /// As in "it …".
    pub(crate) status: String,
    /// The kernel ended a process of it because memory ran out.
    pub(crate) out_of_memory: bool,
}

fn spawn(
    command: &Command,
    env: Vec<(String, String)>,
    cpus: &[usize],
    group: Option<&Group>,
    stdout: Stdio,
    stderr: Stdio,
) -> Result<Family, NotStarted> {
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
        Fault::Pin => NotStarted::Pin {
            wanted: cpus.to_vec(),
            available: all_cpus(),
        },
        Fault::Limit(found) => NotStarted::Limits(NoLimits::Closed {
            place: group.and_then(|group| group.own().first()).cloned().unwrap_or_default(),
            found,
        }),
        Fault::Run(source) => NotStarted::Spawn {
            program: command.shown_program().into(),
            source,
        },
        Fault::Supervise(source) => NotStarted::Supervise(source),
    })
}

/// As in "it exited with status 1".
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
