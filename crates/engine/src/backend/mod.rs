//! What a shard needs of the outside world: a clock and sockets.
//!
//! One trait, so that the same shard runs over epoll or kqueue ([`mio`]), over an io_uring (`io_uring`) and over a virtual clock.
//! Connections are named by slots that the shard hands out; a slot may be used again after
//! [`Backend::close`]. Events follow the completion style: bytes that have arrived, not readiness.

#[cfg(target_os = "linux")]
pub mod io_uring;
pub mod mio;
#[cfg(target_os = "linux")]
mod received;
mod socket;
#[cfg(target_os = "linux")]
mod stamps;
#[cfg(target_os = "linux")]
mod timerfd;
pub mod tls;
pub mod tunnel;
#[cfg(target_os = "linux")]
mod unread;

pub(crate) use socket::unix_ns_at;
pub use socket::{Route, monotonic_ns};

use plimsoll_measure::ErrorClass;
use plimsoll_tls::Handshake;

/// How sockets are driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Io {
    /// epoll or kqueue; runs everywhere.
    Mio,
    /// Linux 6.1 and newer.
    #[cfg(target_os = "linux")]
    IoUring,
}

impl Io {
    /// What was asked for; else io_uring where it is allowed, and if not, mio with the reason.
    ///
    /// # Errors
    /// When what was asked for is not to be had here.
    pub fn choose(wanted: Option<Self>) -> std::io::Result<(Self, Option<std::io::Error>)> {
        match wanted {
            Some(Self::Mio) => Ok((Self::Mio, None)),
            #[cfg(target_os = "linux")]
            Some(Self::IoUring) => io_uring::probe().map(|()| (Self::IoUring, None)),
            #[cfg(target_os = "linux")]
            None => Ok(match io_uring::probe() {
                Ok(()) => (Self::IoUring, None),
                Err(reason) => (Self::Mio, Some(reason)),
            }),
            #[cfg(not(target_os = "linux"))]
            None => Ok((Self::Mio, None)),
        }
    }

    /// Name in the run directory and of the flag.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mio => "mio",
            #[cfg(target_os = "linux")]
            Self::IoUring => "io_uring",
        }
    }
}

/// Names a connection of one shard.
pub type Slot = u32;

/// A clock and sockets, owned by one shard.
pub trait Backend {
    /// Nanoseconds since the zero that all shards of a run share. Never goes back.
    fn now_ns(&self) -> u64;

    /// CPU time that the calling thread has used, nanoseconds.
    fn cpu_ns(&self) -> u64;

    /// Whether events say when bytes arrived, and not just when they were read.
    fn stamps(&self) -> bool {
        false
    }

    /// What is held back of what is [sent](Self::send), until the next wait or until a connection is closed.
    fn gathers(&self) -> Gathers {
        Gathers::Nothing
    }

    /// Begins to connect `slot`. The outcome comes as [`Event::Connected`] or [`Event::ConnectFailed`].
    ///
    /// # Errors
    /// A failure that is known at once. The slot is then not in use.
    fn connect(&mut self, slot: Slot) -> Result<(), Fault>;

    /// Hands the bytes that `write` appends to the kernel, at the latest with the next wait; says how many. What the kernel does
    /// not take at once follows by itself. A connection that turns out to be dead reports [`Event::Closed`].
    fn send(&mut self, slot: Slot, write: impl FnOnce(&mut Vec<u8>)) -> usize;

    /// Of a connection that the peer has [finished](End::Finished): whether it did so before all that was sent had come to it,
    /// so that nobody has read the last of it. `None` where that cannot be said.
    fn ended_before_it_read(&mut self, _slot: Slot) -> Option<bool> {
        None
    }

    /// Of a slot that is not connected yet: how far it is.
    fn connect_stage(&self, _slot: Slot) -> ConnectStage {
        ConnectStage::Accepting
    }

    /// Whether the peer is spoken to by TLS.
    fn is_secured(&self) -> bool {
        false
    }

    /// The handshake of a connection that has just been [established](Event::Connected), where it took one.
    fn handshake(&self, _slot: Slot) -> Option<Handshaken> {
        None
    }

    /// Gives the slot back. No event of the old connection follows.
    fn close(&mut self, slot: Slot);

    /// A wait after the next one will end at `at_ns`, as far as is known at `now_ns`. A backend may set its timer early.
    fn expect(&mut self, _now_ns: u64, _at_ns: u64) {}

    /// Once all events of the last wait have been [taken](Backend::next_event), waits until there is an event or `until_ns` has come, whichever is first; `wake` says how many events it takes.
    fn wait(&mut self, until_ns: u64, wake: Wake);

    /// The next event since the last wait, `None` when all have been taken.
    fn next_event(&mut self) -> Option<Event<'_>>;
}

/// How much of what is sent a backend holds back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gathers {
    /// The kernel has it at once.
    Nothing,
    /// The kernel may be given some of it before.
    Part,
    /// The kernel is given all of it together.
    All,
}

/// What ends a wait before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wake {
    /// The first event.
    AtOnce,
    /// So many events, or fewer once so much time has passed. A backend that cannot count them in its sleep takes the first.
    Together {
        /// How many.
        events: usize,
        /// How long they wait for one another, ns.
        within_ns: u64,
    },
    /// Nothing, as a rule: events are gathered, because each wakeup costs more than a request. A
    /// backend that runs out of room for them may come back early.
    AtTheEnd,
}

/// Something happened to a connection.
#[derive(Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The connection is established.
    Connected(Slot),
    /// It could not be established. The slot must still be closed.
    ConnectFailed(Slot, Fault),
    /// Bytes have arrived.
    Received(Slot, &'a [u8], Arrived),
    /// The peer ended or reset the connection, after all that was received. The slot must still be closed.
    Closed(Slot, End),
}

/// When bytes arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrived {
    /// By the kernel, where it [stamps](Backend::stamps) them; else when they were read.
    pub at_ns: u64,
    /// When they were found here. What they lead to cannot have begun before.
    pub found_ns: u64,
}

impl Arrived {
    /// Bytes that were found when they arrived.
    #[must_use]
    pub const fn at(ns: u64) -> Self {
        Self {
            at_ns: ns,
            found_ns: ns,
        }
    }
}

/// How far a connection is that is not established yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectStage {
    /// The machine of the peer is to accept it.
    Accepting,
    /// The queue of new connections of a unix socket is full.
    Queueing,
    /// The proxy is to open a tunnel.
    Tunnelling,
    /// The TLS handshake has begun.
    Handshaking,
}

/// A TLS handshake that is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handshaken {
    /// How it went.
    pub kind: Handshake,
    /// From its first message, ours, until the last one that we waited for, ns.
    pub took_ns: u64,
}

/// How a connection ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// In order.
    Finished,
    /// The socket ended in order, and the session on it did not: something may have followed (RFC 8446, section 6.1).
    Truncated,
    /// By a reset or another failure.
    Reset {
        /// What the operating system says, where it does.
        errno: Option<i32>,
    },
    /// The session on it failed once it was established, and how: in TLS 1.3 a service refuses a client only then.
    Failed(Box<str>),
}

impl End {
    /// Whether the peer closed the socket in order.
    #[must_use]
    pub const fn is_in_order(&self) -> bool {
        matches!(self, Self::Finished | Self::Truncated)
    }
}

/// Why a connection could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What kind of failure it is.
    pub class: ErrorClass,
    /// What the operating system says, where it does.
    pub errno: Option<i32>,
    /// What is wrong, where neither the class nor the operating system says it.
    pub words: Option<Box<str>>,
}

impl From<ErrorClass> for Fault {
    fn from(class: ErrorClass) -> Self {
        Self {
            class,
            errno: None,
            words: None,
        }
    }
}
