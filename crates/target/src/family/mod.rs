//! A program, and all that it starts: started, watched and ended as one.

mod grace;
mod heard;
mod link;
mod standing;

pub(crate) use grace::{Grace, ORPHAN_GRACE};
pub use link::end_all;
pub(crate) use standing::{End, Fault, Standing};

use crate::process::{Id, Process, Tree, with_descendants};
use crate::supervisor::wire::{self, BROKER_VARIABLE, Order, Request};
use crate::{scratch, supervisor, sys};
use grace::POLL;
use heard::Heard;
use link::{Link, lock, supervisors, wait_on};
use rustix::event::PollFlags;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};
use std::io::{self, IoSlice, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, Once};
use std::thread;
use std::time::{Duration, Instant};

/// How long the kernel may take to end what was killed.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);
/// What a supervisor may take longer than it was told to.
const SUPERVISOR_TIMEOUT: Duration = Duration::from_secs(5);

/// A running program and all its descendants, whatever became of their parents. Dropping it kills them.
#[derive(Debug)]
pub(crate) struct Family {
    link: Arc<Link>,
    /// The supervisor, or the first process where there is none.
    child: Child,
    /// As far as `/proc` shows them.
    child_id: Option<Id>,
    first: u32,
    heard: Mutex<Heard>,
    over: bool,
}

impl Family {
    /// Starts what is ordered, in a process group of its own and without standard input.
    pub(crate) fn start(order: &Order, stdout: Stdio, stderr: Stdio) -> Result<Self, Fault> {
        match supervisor::supervisor() {
            Some(command) => Self::start_supervised(order, command, stdout, stderr),
            None => Self::start_here(order, stdout, stderr),
        }
    }

    fn start_supervised(order: &Order, mut supervisor: Command, stdout: Stdio, stderr: Stdio) -> Result<Self, Fault> {
        adopt_orphans();
        let (control, theirs) = UnixStream::pair().map_err(Fault::Supervise)?;
        let child = supervisor
            .stdin(OwnedFd::from(theirs))
            .stdout(stdout)
            .stderr(stderr)
            .spawn()
            .map_err(Fault::Supervise)?;
        // The standard output and error of the program are held here for as long as the command is.
        drop(supervisor);
        let link = Link::Supervisor(control, child.id()).register();
        let mut family = Self {
            link,
            child_id: Process::read(child.id()).map(|process| process.id),
            child,
            first: 0,
            heard: Mutex::default(),
            over: false,
        };
        let sent = match &*family.link {
            Link::Supervisor(control, _) => send_order(control, order),
            Link::Here(_) => Ok(()),
        };
        sent.map_err(Fault::Supervise)?;
        let started = loop {
            family.listen(SUPERVISOR_TIMEOUT);
            let mut heard = lock(&family.heard);
            if let Some(started) = heard.started.take() {
                break started;
            }
            if heard.standing.lost {
                break Err(Fault::Supervise(io::ErrorKind::UnexpectedEof.into()));
            }
        };
        match started {
            Ok(first) => {
                family.first = first;
                Ok(family)
            }
            Err(fault) => {
                // A supervisor that started nothing ends by itself. One that is gone may have started something.
                family.over = !matches!(fault, Fault::Supervise(_));
                if family.over {
                    let _ = family.child.wait();
                }
                Err(fault)
            }
        }
    }

    /// As a supervisor does it. Whatever leaves the group and loses its parent is lost.
    fn start_here(order: &Order, stdout: Stdio, stderr: Stdio) -> Result<Self, Fault> {
        if order.group.is_some() {
            return Err(Fault::Limit("it takes a supervisor".to_owned()));
        }
        let mut words = order.argv.iter();
        let mut command = Command::new(words.next().cloned().unwrap_or_default());
        command
            .args(words)
            .env_remove(BROKER_VARIABLE)
            .envs(order.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr)
            .process_group(0);
        if let Some(dir) = &order.dir {
            command.current_dir(dir);
        }
        // A child has the affinity of the thread that starts it, so that thread is pinned; it has no other purpose.
        let started = thread::scope(|scope| {
            let starter = thread::Builder::new().spawn_scoped(scope, || {
                if !order.cpus.is_empty() && plimsoll_thread::pin(&order.cpus).is_err() {
                    return Err(Fault::Pin);
                }
                command.spawn().map_err(Fault::Run)
            });
            match starter.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(started)) => started,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(refused) => Err(Fault::Run(refused)),
            }
        });
        let child = started?;
        Ok(Self {
            link: Link::Here(Pid::from_child(&child)).register(),
            // A process that was not waited for is in `/proc`, whether it still runs or not.
            child_id: Process::read(child.id()).map(|process| process.id),
            first: child.id(),
            child,
            heard: Mutex::default(),
            over: false,
        })
    }

    /// The first process.
    pub(crate) fn first(&self) -> u32 {
        self.first
    }

    /// Who belongs to it; `None` where there is no `/proc`.
    pub(crate) fn tree(&self) -> Option<Tree> {
        let id = self.child_id?;
        Some(match *self.link {
            Link::Supervisor(..) => Tree::under(id),
            Link::Here(_) => Tree::new(id, Some(id.pid)),
        })
    }

    /// How it is. Cheap enough to ask every tick.
    pub(crate) fn standing(&self) -> Standing {
        match *self.link {
            Link::Supervisor(..) => {
                self.listen(Duration::ZERO);
                lock(&self.heard).standing
            }
            Link::Here(first) => {
                let first = first_status(first);
                let all_ended = || self.members().is_empty();
                Standing {
                    first,
                    all: first.filter(|_| all_ended()),
                    lost: false,
                }
            }
        }
    }

    /// Waits until something changes, but no longer than that.
    pub(crate) fn wait(&self, timeout: Duration) {
        match *self.link {
            Link::Supervisor(..) => self.listen(timeout),
            Link::Here(_) => thread::sleep(timeout.min(POLL)),
        }
    }

    /// Ends it: SIGTERM to all of it, and SIGKILL to what is left after `grace`.
    pub(crate) fn end(mut self, mut grace: Grace<'_>) -> End {
        let request = grace.request();
        self.end_now(&mut grace, request)
    }

    fn end_now(&mut self, grace: &mut Grace<'_>, request: Request) -> End {
        self.over = true;
        let end = match &*self.link {
            Link::Supervisor(control, _) => {
                // Fails when it is gone, which is what is found then.
                let _ = wire::say(control, &request);
                self.hear_of_the_end(grace)
            }
            Link::Here(_) => None,
        };
        let mut end = end.unwrap_or_else(|| self.end_here(grace));
        end.first = match *self.link {
            Link::Supervisor(..) => lock(&self.heard).standing.first,
            Link::Here(first) => first_status(first),
        };
        // Does not hang: a supervisor has nothing left to do, and only a process that the kernel cannot end would not
        // have ended by now.
        if matches!(*self.link, Link::Supervisor(..)) {
            let _ = self.child.wait();
        } else {
            let _ = self.child.try_wait();
        }
        end
    }

    /// `None` when the supervisor was ended by somebody else, or has to be.
    fn hear_of_the_end(&mut self, grace: &mut Grace<'_>) -> Option<End> {
        loop {
            let deadline = grace.until + KILL_TIMEOUT + SUPERVISOR_TIMEOUT;
            self.listen(grace.next_look(deadline));
            if grace.was_cut()
                && let Link::Supervisor(control, _) = &*self.link
            {
                let _ = wire::say(control, &grace.request());
            }
            let mut heard = lock(&self.heard);
            if let Some(end) = heard.gone.take() {
                return Some(end);
            }
            if heard.standing.lost || Instant::now() >= deadline {
                let _ = self.child.kill();
                return None;
            }
        }
    }

    /// Without a supervisor, or after it.
    fn end_here(&mut self, grace: &mut Grace<'_>) -> End {
        if !grace.left().is_zero() {
            self.signal(Signal::TERM);
        }
        let killed = loop {
            let left = self.wait_until_gone(grace.next_look(grace.until));
            grace.was_cut();
            if left.is_empty() || grace.left().is_zero() {
                break left;
            }
        };
        let deadline = Instant::now() + KILL_TIMEOUT;
        loop {
            self.signal(Signal::KILL);
            if self.wait_until_gone(POLL).is_empty() || Instant::now() >= deadline {
                break;
            }
        }
        End {
            killed: killed.iter().map(ToString::to_string).collect(),
            first: None,
        }
    }

    /// What is still alive after `timeout`.
    fn wait_until_gone(&self, timeout: Duration) -> Vec<Process> {
        let deadline = Instant::now() + timeout;
        loop {
            let left = self.members();
            if left.is_empty() || Instant::now() >= deadline {
                return left;
            }
            thread::sleep(POLL);
        }
    }

    /// Signals the group, and those that have left it one by one.
    fn signal(&self, signal: Signal) {
        if let Link::Here(group) = *self.link {
            // Its number stays taken until it is waited for. Fails when nobody is left, which is what is wanted.
            let _ = kill_process_group(group, signal);
        }
        for process in self.members() {
            sys::signal(process.id, signal);
        }
    }

    /// Those that are alive, as far as `/proc` shows them.
    fn members(&self) -> Vec<Process> {
        let all = Process::all();
        let members = match *self.link {
            Link::Here(group) => {
                let group = group.as_raw_nonzero().get().cast_unsigned();
                with_descendants(&all, std::process::id(), |process| {
                    process.group == group || process.id.pid == group
                })
            }
            // What a supervisor leaves is adopted by this process.
            Link::Supervisor(_, supervisor) => {
                let own = std::process::id();
                let others = supervisors();
                let begin = self.child_id.map_or(0, |id| id.start);
                with_descendants(&all, own, |process| {
                    process.parent == supervisor
                        || process.parent == own && process.id.start >= begin && !others.contains(&process.id.pid)
                })
            }
        };
        members
            .into_values()
            .filter(|process| !process.zombie)
            .cloned()
            .collect()
    }

    /// Takes what the supervisor says, after waiting for it.
    fn listen(&self, timeout: Duration) {
        let Link::Supervisor(control, _) = &*self.link else {
            return;
        };
        if !timeout.is_zero() {
            wait_on(control, PollFlags::IN, timeout);
        }
        lock(&self.heard).hear(control);
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        if !self.over {
            self.end_now(&mut Grace::of(Duration::ZERO), Request::Kill);
        }
        self.link.forget();
    }
}

fn send_order(control: &UnixStream, order: &Order) -> io::Result<()> {
    let line = wire::line(order)?;
    let keeper = scratch::keepers_pipe();
    let keeper: Vec<_> = keeper.iter().map(|pipe| pipe.as_fd()).collect();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !keeper.is_empty() {
        ancillary.push(SendAncillaryMessage::ScmRights(&keeper));
    }
    let sent = sendmsg(control, &[IoSlice::new(&line)], &mut ancillary, SendFlags::empty())?;
    (&mut &*control).write_all(&line[sent..])
}

/// Makes this process the one that adopts what supervisors leave behind, should somebody kill them.
fn adopt_orphans() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        #[cfg(target_os = "linux")]
        {
            // Refused by kernels before 3.4, and only a second line of defence.
            let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        }
    });
}

/// Leaves the process as a zombie, so that its number stays taken and its CPU time can still be read.
fn first_status(first: Pid) -> Option<ExitStatus> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status: WaitIdStatus = waitid(WaitId::Pid(first), options).ok()??;
    let raw = match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => (code & 0xff) << 8,
        (None, signal) => signal.unwrap_or_default(),
    };
    Some(ExitStatus::from_raw(raw))
}
