//! The supervisor itself.

use super::wire::{self, BROKER_VARIABLE, Order, Reply, Request};
use super::{let_go, settle};
use crate::limits;
use crate::process::{Process, with_descendants};
use crate::sys;
use nix::sys::signal::SigSet;
use plimsoll_files::kernel;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, set_child_subreaper, wait};
use signal_hook::consts::{
    SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGUSR1, SIGUSR2, SIGVTALRM,
    SIGXCPU, SIGXFSZ,
};
use std::io::{self, IoSliceMut, Read as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::panic::resume_unwind;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

/// Between two rounds of SIGKILL: something may have been started in between.
const KILL_EVERY: Duration = Duration::from_millis(3);

/// Signals that end or stop a program unless it does something about them, but for those that nobody can and those that say
/// that the program itself is broken.
const TAKEN: [i32; 15] = [
    SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGXCPU, SIGXFSZ,
    SIGVTALRM, SIGPROF, SIGIO,
];

/// How long the kernel may take to end what was killed.
pub(crate) const KILL_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) fn main() -> ExitCode {
    // Nobody is there to be told why: the other side sees that its socket closed.
    match supervise() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn supervise() -> io::Result<()> {
    let blocked = settle()?;
    set_child_subreaper(Some(rustix::process::getpid()))?;
    // The socket is standard input. From here on it is closed on exec, so that no program can hold it open.
    let control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let (changes, wake) = UnixStream::pair()?;
    signal_hook::low_level::pipe::register(signal_hook::consts::SIGCHLD, wake)?;
    changes.set_nonblocking(true)?;

    let mut received = Vec::new();
    let (order, _keeper) = hear_order(&control, &mut received)?;
    let first = match start(&order, blocked) {
        Ok(child) => child.id(),
        Err(reply) => return wire::say(&control, &reply),
    };
    let_go()?;
    let mut warden = Warden {
        first,
        first_ended: false,
        all_ended: false,
        last_status: 0,
        orphan_grace: Duration::from_millis(order.orphan_grace_ms),
        control: Some(control),
        received,
        phase: Phase::Watching,
        killed: Vec::new(),
    };
    warden.say(&Reply::Started { pid: first });
    let watched = warden.watch(&changes);
    // The other side does so as well, unless it is gone.
    order.group.iter().for_each(|group| limits::remove(&group.own));
    watched
}

/// The order, and the end of the keeper's pipe, which is held for as long as this process lives.
fn hear_order(control: &UnixStream, received: &mut Vec<u8>) -> io::Result<(Order, Option<OwnedFd>)> {
    let mut keeper = None;
    loop {
        if let Some(order) = wire::take(received) {
            return Ok((order?, keeper));
        }
        let mut bytes = [0; 4096];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let read = recvmsg(
            control,
            &mut [IoSliceMut::new(&mut bytes)],
            &mut ancillary,
            RecvFlags::CMSG_CLOEXEC,
        );
        let length = match read {
            Err(Errno::INTR) => continue,
            read => read?.bytes,
        };
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        for message in ancillary.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                keeper = descriptors.last().or(keeper);
            }
        }
        received.extend_from_slice(&bytes[..length]);
    }
}

/// In a process group of its own, with the standard output and error of this process.
fn start(order: &Order, blocked: SigSet) -> Result<Child, Reply> {
    if !order.cpus.is_empty() && plimsoll_thread::pin(&order.cpus).is_err() {
        return Err(Reply::Unpinned);
    }
    let mut words = order.argv.iter();
    let mut command = Command::new(words.next().cloned().unwrap_or_default());
    command
        .args(words)
        .env_remove(BROKER_VARIABLE)
        .envs(order.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .process_group(0);
    if let Some(dir) = &order.dir {
        command.current_dir(dir);
    }
    let refused = |error: io::Error| Reply::Refused {
        errno: error.raw_os_error(),
        message: error.to_string(),
    };
    let unlimited = |error: io::Error| Reply::Unlimited {
        message: error.to_string(),
    };
    let Some(group) = &order.group else {
        return spawn(&mut command, blocked).map_err(refused);
    };
    // What it starts is born where it is itself.
    limits::enter(&group.own).map_err(unlimited)?;
    let started = spawn(&mut command, blocked);
    let left = limits::enter(&group.outside);
    let mut child = started.map_err(refused)?;
    if let Err(error) = left {
        let _ = child.kill();
        let _ = child.wait();
        return Err(unlimited(error));
    }
    Ok(child)
}

/// A program inherits the blocked signals of the thread that starts it, and would never hear of those that a supervisor blocks.
fn spawn(command: &mut Command, blocked: SigSet) -> io::Result<Child> {
    survive_signals();
    thread::scope(|scope| {
        let spawning = thread::Builder::new().spawn_scoped(scope, || {
            blocked.thread_set_mask()?;
            command.spawn()
        })?;
        spawning.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// While a program is started, a thread of the supervisor takes signals. It does nothing about them; unlike what is ignored, that
/// is not inherited. What was ignored before, as below `nohup`, stays ignored.
fn survive_signals() {
    let nothing = Arc::new(AtomicBool::new(false));
    let ignored = ignored_signals();
    for signal in TAKEN {
        if ignored & (1 << (signal - 1)) == 0 {
            // Without it a signal at this very moment would end the supervisor, as it would any program.
            let _ = signal_hook::flag::register(signal, Arc::clone(&nothing));
        }
    }
}

/// As the kernel has them: bit 0 for signal 1.
fn ignored_signals() -> u64 {
    let status = kernel::text("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap_or(0))
}

struct Warden {
    /// The first process of the program.
    first: u32,
    /// It ended and was waited for, so its number may belong to somebody else.
    first_ended: bool,
    all_ended: bool,
    last_status: i32,
    orphan_grace: Duration,
    /// `None` once the other side is gone.
    control: Option<UnixStream>,
    received: Vec<u8>,
    phase: Phase,
    killed: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nobody asked for an end.
    Watching,
    /// All were asked to end, and have until then.
    Asked(Instant),
    /// They are killed; the kernel has until then.
    Killing(Instant),
}

impl Warden {
    fn watch(&mut self, mut changes: &UnixStream) -> io::Result<()> {
        loop {
            let any_left = self.take_note_of_the_ended();
            if self.step(any_left) {
                return Ok(());
            }
            self.wait_for_something(changes)?;
            let mut wakes = [0; 64];
            while changes.read(&mut wakes).is_ok_and(|length| length == wakes.len()) {}
            self.hear();
        }
    }

    /// Whether anything is left. A subreaper without children has no descendants.
    fn take_note_of_the_ended(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => {
                    self.last_status = status.as_raw();
                    if pid.as_raw_nonzero().get().cast_unsigned() == self.first && !self.first_ended {
                        self.first_ended = true;
                        self.say(&Reply::Ended {
                            status: status.as_raw(),
                        });
                    }
                }
                Ok(None) => return true,
                Err(Errno::INTR) => {}
                Err(_) => {
                    if !self.all_ended {
                        self.all_ended = true;
                        self.say(&Reply::AllEnded {
                            status: self.last_status,
                        });
                    }
                    return false;
                }
            }
        }
    }

    /// Whether it is over.
    fn step(&mut self, any_left: bool) -> bool {
        let now = Instant::now();
        match self.phase {
            Phase::Watching => return false,
            Phase::Asked(until) if any_left && now < until => return false,
            Phase::Asked(_) if any_left => self.begin_to_kill(),
            Phase::Killing(until) if any_left && now < until => self.signal(Signal::KILL),
            Phase::Asked(_) | Phase::Killing(_) => {
                let left = if any_left { names() } else { Vec::new() };
                let killed = std::mem::take(&mut self.killed);
                self.say(&Reply::Gone { killed, left });
                return true;
            }
        }
        false
    }

    fn begin_to_kill(&mut self) {
        if matches!(self.phase, Phase::Killing(_)) {
            return;
        }
        self.killed = names();
        self.phase = Phase::Killing(Instant::now() + KILL_TIMEOUT);
        self.signal(Signal::KILL);
    }

    fn ask_to_end(&mut self, grace: Duration) {
        let until = Instant::now() + grace;
        match self.phase {
            Phase::Watching => {
                self.phase = Phase::Asked(until);
                self.signal(Signal::TERM);
            }
            Phase::Asked(before) => self.phase = Phase::Asked(before.min(until)),
            Phase::Killing(_) => {}
        }
    }

    fn wait_for_something(&self, changes: &UnixStream) -> io::Result<()> {
        let timeout = match self.phase {
            Phase::Watching => None,
            Phase::Asked(until) => Some(until.saturating_duration_since(Instant::now())),
            Phase::Killing(_) => Some(KILL_EVERY),
        };
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        let mut sources = vec![PollFd::new(changes, PollFlags::IN)];
        sources.extend(self.control.as_ref().map(|control| PollFd::new(control, PollFlags::IN)));
        match poll(&mut sources, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn hear(&mut self) {
        let mut closed = false;
        while let Some(control) = &self.control {
            let mut bytes = [0; 512];
            match rustix::net::recv(control, &mut bytes[..], RecvFlags::DONTWAIT) {
                Ok((0, _)) => closed = true,
                Ok((_, length)) => self.received.extend_from_slice(&bytes[..length]),
                Err(Errno::INTR) => continue,
                Err(Errno::AGAIN) => break,
                Err(_) => closed = true,
            }
            if closed {
                self.control = None;
            }
        }
        while let Some(request) = wire::take(&mut self.received) {
            match request {
                Ok(Request::Stop { grace_ms }) => self.ask_to_end(Duration::from_millis(grace_ms)),
                Ok(Request::Kill) => self.begin_to_kill(),
                // Said by nobody who knows what to say.
                Err(_) => closed = true,
            }
        }
        if closed {
            self.ask_to_end(self.orphan_grace);
        }
    }

    /// The group at once, while its number is certain, and then each one that is left, for some will have left the group.
    fn signal(&self, signal: Signal) {
        let group = i32::try_from(self.first).ok().and_then(Pid::from_raw);
        let group = group.filter(|_| !self.first_ended);
        if let Some(group) = group {
            // Fails when nobody is left, which is what is wanted.
            let _ = kill_process_group(group, signal);
        }
        for process in descendants() {
            if group.is_none() || process.group != self.first {
                sys::signal(process.id, signal);
            }
        }
    }

    /// To nobody, if the other side is gone or takes nothing.
    fn say(&self, reply: &Reply) {
        if let Some(control) = &self.control {
            let _ = wire::say(control, reply);
        }
    }
}

fn descendants() -> Vec<Process> {
    let own = std::process::id();
    let all = Process::all();
    let members = with_descendants(&all, own, |process| process.parent == own);
    members
        .into_values()
        .filter(|process| !process.zombie)
        .cloned()
        .collect()
}

fn names() -> Vec<String> {
    descendants().iter().map(ToString::to_string).collect()
}
