//! A program, and all that it starts: started, watched and ended as one.

use crate::process::{Id, Process, Tree, with_descendants};
use crate::supervisor::wire::{self, Order, Reply, Request};
use crate::{scratch, supervisor, sys};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, recv, sendmsg};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid};
use std::io::{self, IoSlice, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

/// Between two looks at what starts or ends.
const POLL: Duration = Duration::from_millis(10);
/// How long the kernel may take to end what was killed.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);
/// What a supervisor may take longer than it was told to.
const SUPERVISOR_TIMEOUT: Duration = Duration::from_secs(5);
/// From SIGTERM to SIGKILL when this process ended without a goodbye; shorter if that is what it would have given.
pub(crate) const ORPHAN_GRACE: Duration = Duration::from_secs(2);

/// Why a program did not start.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It may not run on the cpus.
    Pin,
    /// It cannot be run.
    Run(io::Error),
    /// Nobody can be started who would end it.
    Supervise(io::Error),
}

/// How a family is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Standing {
    /// How its first process ended, if it did.
    pub(crate) first: Option<ExitStatus>,
    /// How the last of all its processes ended, if all did.
    pub(crate) all: Option<ExitStatus>,
    /// Somebody ended its supervisor.
    pub(crate) lost: bool,
}

/// What it took to end a family.
#[derive(Debug, Default)]
pub(crate) struct End {
    /// Names and pids of the processes that had to be killed.
    pub(crate) killed: Vec<String>,
    /// How its first process ended.
    pub(crate) first: Option<ExitStatus>,
}

/// How long what ends has from SIGTERM to SIGKILL.
#[derive(Debug)]
pub(crate) struct Grace<'a> {
    until: Instant,
    /// What cuts it short, and what is left then.
    cut: Option<(&'a AtomicBool, Duration)>,
}

impl<'a> Grace<'a> {
    pub(crate) fn of(grace: Duration) -> Self {
        // Beyond a year nobody waits.
        let grace = grace.min(Duration::from_secs(365 * 24 * 60 * 60));
        Self {
            until: Instant::now() + grace,
            cut: None,
        }
    }

    /// At most `short` from the moment on that `interrupted` is set, be it already.
    pub(crate) fn unless(self, interrupted: &'a AtomicBool, short: Duration) -> Self {
        let mut grace = Self {
            cut: Some((interrupted, short)),
            ..self
        };
        grace.was_cut();
        grace
    }

    fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    /// Whether it has become shorter since it was asked last.
    fn was_cut(&mut self) -> bool {
        let Some((_, short)) = self.cut.filter(|(interrupted, _)| interrupted.load(Ordering::Relaxed)) else {
            return false;
        };
        self.cut = None;
        let until = self.until.min(Instant::now() + short);
        std::mem::replace(&mut self.until, until) != until
    }

    /// How long one may wait without missing that it becomes shorter.
    fn next_look(&self, deadline: Instant) -> Duration {
        let left = deadline.saturating_duration_since(Instant::now());
        if self.cut.is_some() { left.min(POLL) } else { left }
    }

    fn request(&self) -> Request {
        Request::Stop {
            grace_ms: u64::try_from(self.left().as_millis()).unwrap_or(u64::MAX),
        }
    }
}

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

/// How a family is reached, also by [`end_all`].
#[derive(Debug)]
enum Link {
    /// The socket of its supervisor, and the process.
    Supervisor(UnixStream, u32),
    /// Its process group, which is a child of this process.
    Here(Pid),
}

/// What a supervisor said.
#[derive(Debug, Default)]
struct Heard {
    part: Vec<u8>,
    started: Option<Result<u32, Fault>>,
    standing: Standing,
    gone: Option<End>,
}

/// Every family that is alive.
static LIVE: Mutex<Vec<Weak<Link>>> = Mutex::new(Vec::new());

/// Kills every program that was started and all that they started, and returns when they are gone, or after `timeout`.
pub fn end_all(timeout: Duration) {
    let links: Vec<Arc<Link>> = lock(&LIVE).iter().filter_map(Weak::upgrade).collect();
    for link in &links {
        match &**link {
            Link::Supervisor(control, _) => {
                // Of a supervisor that is gone nobody is left.
                let _ = wire::say(control, &Request::Kill);
            }
            Link::Here(group) => {
                let _ = kill_process_group(*group, Signal::KILL);
            }
        }
    }
    let deadline = Instant::now() + timeout;
    for link in &links {
        if let Link::Supervisor(control, _) = &**link {
            // No event is asked for: what is told always is that the other end is closed.
            wait_on(
                control,
                PollFlags::empty(),
                deadline.saturating_duration_since(Instant::now()),
            );
        }
    }
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
        let link = Arc::new(Link::Supervisor(control, child.id()));
        lock(&LIVE).push(Arc::downgrade(&link));
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
        let mut words = order.argv.iter();
        let mut command = Command::new(words.next().cloned().unwrap_or_default());
        command
            .args(words)
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
        let link = Arc::new(Link::Here(Pid::from_child(&child)));
        lock(&LIVE).push(Arc::downgrade(&link));
        Ok(Self {
            link,
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
        let mut heard = lock(&self.heard);
        let mut bytes = [0; 4096];
        let closed = loop {
            match recv(control, &mut bytes[..], RecvFlags::DONTWAIT) {
                Ok((0, _)) => break true,
                Ok((_, length)) => heard.part.extend_from_slice(&bytes[..length]),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break false,
                Err(_) => break true,
            }
        };
        heard.understand();
        if closed && heard.gone.is_none() {
            heard.standing.lost = true;
        }
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        if !self.over {
            self.end_now(&mut Grace::of(Duration::ZERO), Request::Kill);
        }
        lock(&LIVE).retain(|link| link.upgrade().is_some_and(|link| !Arc::ptr_eq(&link, &self.link)));
    }
}

impl Heard {
    fn understand(&mut self) {
        while let Some(reply) = wire::take(&mut self.part) {
            match reply {
                Ok(Reply::Started { pid }) => self.started = Some(Ok(pid)),
                Ok(Reply::Unpinned) => self.started = Some(Err(Fault::Pin)),
                Ok(Reply::Refused { errno, message }) => {
                    let error = errno.map_or_else(|| io::Error::other(message), io::Error::from_raw_os_error);
                    self.started = Some(Err(Fault::Run(error)));
                }
                Ok(Reply::Ended { status }) => self.standing.first = Some(ExitStatus::from_raw(status)),
                Ok(Reply::AllEnded { status }) => self.standing.all = Some(ExitStatus::from_raw(status)),
                Ok(Reply::Gone { killed, .. }) => self.gone = Some(End { killed, first: None }),
                // No supervisor of ours speaks so.
                Err(_) => self.standing.lost = true,
            }
        }
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

/// Processes of the supervisors that are alive.
fn supervisors() -> Vec<u32> {
    let live = lock(&LIVE);
    let links = live.iter().filter_map(Weak::upgrade);
    links
        .filter_map(|link| match *link {
            Link::Supervisor(_, pid) => Some(pid),
            Link::Here(_) => None,
        })
        .chain(scratch::keeper_process())
        .collect()
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

fn wait_on(control: &UnixStream, events: PollFlags, timeout: Duration) {
    let timeout = Timespec::try_from(timeout).ok();
    // What comes of it is seen by whoever reads.
    let _ = poll(&mut [PollFd::new(control, events)], timeout.as_ref());
}

/// A thread that panicked left what it held as it was.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
