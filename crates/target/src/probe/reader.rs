//! Listens to all threads of a service with one thread of its own, and takes in what the budget of the pass allows.
//!
//! It reads round by round: a piece of each connection, then a pause as long as those bytes may take. So nobody keeps the
//! others from being heard, and nobody who sends without an end takes a core from the load.

use super::budget::{
    Budget, CONNECTIONS_MAX, COUNTERS_LINE_BYTES_MAX, PARTIAL_BYTES_MAX, PROFILE_BYTES_MAX,
    PROFILE_PASS_LINE_BYTES_MAX, PROFILES_BYTES_MAX, ProbeLosses, Share,
};
use super::lines::Lines;
use super::{ProbeEvent, ProbeMode};
use plimsoll_measure::probe::{ProbeLine, ProbeMessage};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::io::{self, Read as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of one connection in one round.
const PIECE_BYTES: usize = 64 << 10;
/// Connections that are accepted in one round.
const ACCEPTED_AT_ONCE: usize = 16;
/// Read at this rate at most, all connections together, bytes per µs.
const BYTES_PER_US: usize = 100;
/// At least this long from round to round.
const ROUND: Duration = Duration::from_millis(1);
/// Between two looks at whether it is over, while nothing comes.
const LOOK: Duration = Duration::from_millis(100);
/// Messages that wait to be taken, bytes.
const WAITING_BYTES_MAX: usize = 16 << 20;
/// So much more of a profile is a sign that its thread is at work.
const SIGN_BYTES: usize = 64 << 10;

/// What the thread that reads has in common with whoever takes the events.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// To give commands to each connection; `None` for one that is gone.
    pub(super) peers: Mutex<Vec<Option<UnixStream>>>,
    pub(super) losses: Mutex<ProbeLosses>,
    pub(super) over: AtomicBool,
    /// The window has ended: what is said now are the last figures.
    pub(super) at_end: AtomicBool,
    pub(super) profiles_asked: AtomicBool,
    /// How often.
    pub(super) allocations_asked: AtomicU32,
    /// Bytes of the messages that wait to be taken.
    pub(super) waiting_bytes: AtomicUsize,
}

/// A thread that panicked left a value that is whole.
pub(super) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One thread of the service.
struct Peer {
    stream: Option<UnixStream>,
    lines: Lines,
    share: Share,
    /// Its process as the kernel knows it.
    pid: Option<u32>,
    /// It has said who it is.
    greeted: bool,
    profile_taken: bool,
    allocations_taken: u32,
    /// Bytes of the line that is arriving, when they were last taken for a sign.
    signed_bytes: usize,
}

/// The events it sends carry the bytes for which they count while they wait.
pub(super) struct Reader<'a> {
    pub(super) listener: Option<UnixListener>,
    pub(super) mode: ProbeMode,
    pub(super) shared: &'a Shared,
    pub(super) sender: SyncSender<(ProbeEvent, usize)>,
    peers: Vec<Peer>,
    budget: Budget,
}

/// Nobody is left who wants to know.
struct Over;

impl<'a> Reader<'a> {
    pub(super) fn new(
        listener: UnixListener,
        mode: ProbeMode,
        shared: &'a Shared,
        sender: SyncSender<(ProbeEvent, usize)>,
    ) -> Self {
        Self {
            listener: Some(listener),
            mode,
            shared,
            sender,
            peers: Vec::new(),
            budget: Budget::default(),
        }
    }

    /// Reads until it is over.
    pub(super) fn run(mut self) {
        let mut piece = vec![0; PIECE_BYTES];
        while !self.shared.over.load(Ordering::Relaxed) {
            let Ok(ready) = self.wait() else { return };
            self.accept();
            let mut read = 0;
            for index in ready {
                match self.read(index, &mut piece) {
                    Ok(bytes) => read += bytes,
                    Err(Over) => return,
                }
            }
            thread::sleep(ROUND.max(Duration::from_micros((read / BYTES_PER_US) as u64)));
        }
    }

    /// The connections from which something can be read.
    fn wait(&self) -> io::Result<Vec<usize>> {
        let timeout = Timespec {
            tv_sec: 0,
            tv_nsec: LOOK.as_nanos() as _,
        };
        let open: Vec<usize> = (0..self.peers.len())
            .filter(|index| self.peers[*index].stream.is_some())
            .collect();
        let streams = open.iter().filter_map(|index| self.peers[*index].stream.as_ref());
        let mut fds: Vec<PollFd<'_>> = streams.map(|stream| PollFd::new(stream, PollFlags::IN)).collect();
        fds.extend(
            self.listener
                .iter()
                .map(|listener| PollFd::new(listener, PollFlags::IN)),
        );
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let ready = open.iter().zip(&fds).filter(|(_, fd)| !fd.revents().is_empty());
        Ok(ready.map(|(index, _)| *index).collect())
    }

    fn accept(&mut self) {
        for _ in 0..ACCEPTED_AT_ONCE {
            let Some(Ok((stream, _))) = self.listener.as_ref().map(UnixListener::accept) else {
                return;
            };
            if self.peers.len() >= CONNECTIONS_MAX {
                // Whoever comes now is refused by the kernel.
                self.listener = None;
                lock(&self.shared.losses).connections += 1;
                return;
            }
            // A connection that failed before it was one, or that has no descriptor left.
            let Ok(commands) = stream.set_nonblocking(true).and_then(|()| stream.try_clone()) else {
                continue;
            };
            self.peers.push(Peer {
                pid: pid_of(&stream),
                stream: Some(stream),
                lines: Lines::default(),
                share: Share::new(Instant::now()),
                greeted: false,
                profile_taken: false,
                allocations_taken: 0,
                signed_bytes: 0,
            });
            lock(&self.shared.peers).push(Some(commands));
        }
    }

    /// Reads a piece of a connection; returns how many bytes came.
    fn read(&mut self, index: usize, piece: &mut [u8]) -> Result<usize, Over> {
        let Some(stream) = &mut self.peers[index].stream else {
            return Ok(0);
        };
        let bytes = match stream.read(piece) {
            Ok(bytes) if bytes > 0 => bytes,
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                return Ok(0);
            }
            // The end; half a line says nothing.
            Ok(_) | Err(_) => {
                let peer = &mut self.peers[index];
                peer.stream = None;
                peer.lines = Lines::default();
                if let Some(commands) = lock(&self.shared.peers).get_mut(index) {
                    *commands = None;
                }
                let connection = index as u32;
                self.send(ProbeEvent::Closed { connection }, 0)?;
                return Ok(0);
            }
        };
        self.take(index, &piece[..bytes])?;
        Ok(bytes)
    }

    fn take(&mut self, index: usize, bytes: &[u8]) -> Result<(), Over> {
        let awaits_profile = self.awaits_profile(index);
        let line_bytes_max = match (awaits_profile, &self.mode) {
            (true, _) => PROFILE_BYTES_MAX,
            (false, ProbeMode::Counters | ProbeMode::Without(_) | ProbeMode::Routes | ProbeMode::Loop) => {
                COUNTERS_LINE_BYTES_MAX
            }
            (false, ProbeMode::Profile | ProbeMode::Memory) => PROFILE_PASS_LINE_BYTES_MAX,
        };
        let mut lines = std::mem::take(&mut self.peers[index].lines);
        let mut events = Vec::new();
        lines.feed(bytes, line_bytes_max, |line| match line {
            Some(line) => events.extend(self.line(index, line)),
            None => lock(&self.shared.losses).long_lines += 1,
        });
        let others: usize = self.peers.iter().map(|peer| peer.lines.held()).sum();
        let bound = if awaits_profile {
            PROFILES_BYTES_MAX
        } else {
            PARTIAL_BYTES_MAX
        };
        if others + lines.held() > bound {
            lines.drop_rest();
        }
        self.peers[index].lines = lines;
        for (event, bytes) in events {
            self.send(event, bytes)?;
        }
        let peer = &mut self.peers[index];
        let arrived = peer.lines.partial_bytes();
        if arrived < peer.signed_bytes {
            // Another line has begun.
            peer.signed_bytes = 0;
        }
        if awaits_profile && arrived >= peer.signed_bytes + SIGN_BYTES {
            peer.signed_bytes = arrived;
            let connection = index as u32;
            self.send(ProbeEvent::Working { connection }, 0)?;
        }
        Ok(())
    }

    fn awaits_profile(&self, index: usize) -> bool {
        let peer = &self.peers[index];
        let profile_is_asked = self.shared.profiles_asked.load(Ordering::Relaxed) && !peer.profile_taken;
        peer.greeted && (profile_is_asked || self.allocations_are_asked(peer))
    }

    fn allocations_are_asked(&self, peer: &Peer) -> bool {
        self.shared.allocations_asked.load(Ordering::Relaxed) > peer.allocations_taken
    }

    /// What a line says, with the bytes for which it counts while it waits; nothing if it is not taken in.
    fn line(&mut self, index: usize, line: &[u8]) -> Option<(ProbeEvent, usize)> {
        let lost = |bytes: usize| {
            let mut losses = lock(&self.shared.losses);
            losses.messages += 1;
            losses.message_bytes += bytes as u64;
        };
        let peer = &mut self.peers[index];
        if !peer.share.takes_message(Instant::now()) {
            lost(line.len());
            return None;
        }
        let connection = index as u32;
        let Ok(said) = Said::parse(line) else {
            lock(&self.shared.losses).damaged_lines += 1;
            return None;
        };
        let mut message = match said {
            Said::Message(message) => message,
            Said::Profile(json) => {
                let is_asked = peer.greeted && self.shared.profiles_asked.load(Ordering::Relaxed);
                let takes = is_asked && !std::mem::replace(&mut peer.profile_taken, is_asked);
                let json = self.profile(takes, json)?;
                return Some((ProbeEvent::Profile { connection, json }, 0));
            }
            Said::Allocations(json) => {
                let takes = self.peers[index].greeted && self.allocations_are_asked(&self.peers[index]);
                self.peers[index].allocations_taken += u32::from(takes);
                let json = self.profile(takes, json)?;
                return Some((ProbeEvent::Allocations { connection, json }, 0));
            }
        };
        match &mut message {
            ProbeMessage::Hello(hello) => {
                peer.greeted = true;
                // A message may name any process.
                hello.pid = peer.pid.unwrap_or(hello.pid);
            }
            ProbeMessage::Working { .. } => return Some((ProbeEvent::Working { connection }, 0)),
            _ => {}
        }
        if !peer.greeted && !matches!(message, ProbeMessage::Off { .. }) {
            lost(line.len());
            return None;
        }
        let is_site = matches!(message, ProbeMessage::Site(_));
        let kept = ProbeLine::From { connection, message };
        let bytes = (line.len() as u64).max(size_of_json(&kept));
        let ProbeLine::From { message, .. } = kept else {
            return None;
        };
        let at_end = self.shared.at_end.load(Ordering::Relaxed);
        if !self.budget.takes(&mut peer.share, bytes, is_site, at_end) {
            lost(line.len());
            return None;
        }
        Some((ProbeEvent::Message { connection, message }, bytes as usize))
    }

    /// A profile that was asked for and for which there is place.
    fn profile(&mut self, takes: bool, json: &RawValue) -> Option<String> {
        let json = json.get();
        if !takes || self.budget.profile_bytes + json.len() > PROFILES_BYTES_MAX {
            lock(&self.shared.losses).profiles += 1;
            return None;
        }
        self.budget.profile_bytes += json.len();
        Some(json.to_owned())
    }

    fn send(&self, event: ProbeEvent, bytes: usize) -> Result<(), Over> {
        let waiting = &self.shared.waiting_bytes;
        while waiting.load(Ordering::Relaxed) > WAITING_BYTES_MAX {
            if self.shared.over.load(Ordering::Relaxed) {
                return Err(Over);
            }
            thread::sleep(ROUND);
        }
        waiting.fetch_add(bytes, Ordering::Relaxed);
        self.sender.send((event, bytes)).map_err(|_| Over)
    }
}

/// Bytes of a line in the run directory.
fn size_of_json(line: &ProbeLine) -> u64 {
    struct Count(u64);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(1);
    serde_json::to_writer(&mut count, line).expect("plain data");
    count.0
}

#[cfg(target_os = "linux")]
fn pid_of(stream: &UnixStream) -> Option<u32> {
    let credentials = rustix::net::sockopt::socket_peercred(stream).ok()?;
    u32::try_from(credentials.pid.as_raw_nonzero().get()).ok()
}

#[cfg(not(target_os = "linux"))]
const fn pid_of(_: &UnixStream) -> Option<u32> {
    None
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    profile: Option<&'a RawValue>,
}

/// What a line says.
enum Said<'a> {
    Message(ProbeMessage),
    Profile(&'a RawValue),
    Allocations(&'a RawValue),
}

impl<'a> Said<'a> {
    fn parse(line: &'a [u8]) -> serde_json::Result<Self> {
        let envelope: Envelope<'_> = serde_json::from_slice(line)?;
        match (envelope.kind.as_ref(), envelope.profile) {
            ("profile", Some(json)) => Ok(Self::Profile(json)),
            ("allocations", Some(json)) => Ok(Self::Allocations(json)),
            _ => serde_json::from_slice(line).map(Self::Message),
        }
    }
}

/// Whether a line is a message of the probe or a profile; for the fuzzer, which gives it any bytes.
#[must_use]
pub fn reads_probe_line(line: &[u8]) -> bool {
    match Said::parse(line) {
        Ok(Said::Message(message)) => {
            // What is kept reads back.
            let line = ProbeLine::From { connection: 0, message };
            let text = serde_json::to_string(&line).expect("plain data");
            assert_eq!(serde_json::from_str::<ProbeLine>(&text).expect("reads back"), line);
            true
        }
        said => said.is_ok(),
    }
}
