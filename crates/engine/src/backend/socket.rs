//! What all backends over real sockets have in common: the clocks, making a connection, naming a failure.

use super::{Fault, Slot};
use plimsoll_measure::ErrorClass;
use plimsoll_plan::Address;
use rustix::io::{Errno, FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, sockopt};
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;
use std::time::Duration;

/// Monotonic time of this machine, nanoseconds; the zero is arbitrary.
#[must_use]
pub fn monotonic_ns() -> u64 {
    timespec_ns(clock_gettime(ClockId::Monotonic))
}

/// The time of day when [`monotonic_ns`] was at `zero_ns`, nanoseconds since 1970.
pub(crate) fn unix_ns_at(zero_ns: u64) -> u64 {
    let since_ns = monotonic_ns().saturating_sub(zero_ns);
    realtime_ns().saturating_sub(since_ns)
}

/// Time of day, nanoseconds since 1970.
pub(super) fn realtime_ns() -> u64 {
    timespec_ns(clock_gettime(ClockId::Realtime))
}

/// CPU time that the calling thread has used, nanoseconds.
pub(super) fn thread_cpu_ns() -> u64 {
    timespec_ns(clock_gettime(ClockId::ThreadCPUTime))
}

fn timespec_ns(time: Timespec) -> u64 {
    // No field of these clocks is ever negative.
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

/// How the kernel treats a TCP connection.
#[derive(Debug, Clone, Copy, Default)]
struct Manner {
    /// How often it asks an idle peer whether it is still there.
    probe_every: Option<Duration>,
    /// A connection that we close is reset, so that its port is free at once.
    reset_at_close: bool,
}

/// Where connections go, and from where.
#[derive(Debug, Clone)]
pub struct Route {
    remotes: Remotes,
    made: usize,
}

#[derive(Debug, Clone)]
enum Remotes {
    Tcp {
        /// Used in turn; at least one.
        remotes: Vec<SocketAddr>,
        /// Used in turn; empty leaves the choice to the kernel.
        local_addrs: Vec<IpAddr>,
        manner: Manner,
    },
    Unix(SocketAddrUnix),
}

/// A socket that does not block.
pub(super) enum Begun {
    /// On its way to the remote address, or there.
    Underway(OwnedFd),
    /// The queue of the unix socket that listens is full.
    Full(OwnedFd),
}

impl Route {
    /// To `remote`, from `local_addrs` in turn; empty leaves the choice to the kernel. A unix socket is reached from nowhere.
    #[must_use]
    pub fn new(remote: &Address, local_addrs: Vec<IpAddr>) -> Self {
        let remotes = match remote {
            Address::Tcp(remote) => Remotes::Tcp {
                remotes: vec![*remote],
                local_addrs,
                manner: Manner::default(),
            },
            Address::Unix(path) => {
                Remotes::Unix(SocketAddrUnix::new(path.as_str()).expect("a socket path has room in an address"))
            }
        };
        Self { remotes, made: 0 }
    }

    /// To these ports of the same host instead, in turn; none leaves it as it is.
    #[must_use]
    pub fn to_ports(mut self, ports: &[u16]) -> Self {
        if let (Remotes::Tcp { remotes, .. }, false) = (&mut self.remotes, ports.is_empty()) {
            let first = remotes[0];
            // An address of IPv6 keeps its zone.
            let at = |&port: &u16| {
                let mut remote = first;
                remote.set_port(port);
                remote
            };
            *remotes = ports.iter().map(at).collect();
        }
        self
    }

    /// With TCP keep-alive at this interval, in whole seconds. A unix socket needs none: the kernel says when its peer has gone.
    #[must_use]
    pub fn probing(mut self, every: Option<Duration>) -> Self {
        if let Remotes::Tcp { manner, .. } = &mut self.remotes {
            manner.probe_every = every;
        }
        self
    }

    /// TCP connections that we close are reset. Closed in order, each would block its port for a minute.
    #[must_use]
    pub fn resetting(mut self) -> Self {
        if let Remotes::Tcp { manner, .. } = &mut self.remotes {
            manner.reset_at_close = true;
        }
        self
    }

    /// Begins a connection.
    pub(super) fn connect(&mut self) -> Result<Begun, Fault> {
        match &self.remotes {
            Remotes::Tcp {
                remotes,
                local_addrs,
                manner,
            } => {
                let remote = remotes[self.made % remotes.len()];
                let local = local_addrs.get(self.made % local_addrs.len().max(1)).copied();
                self.made += 1;
                connect_tcp(local, remote, *manner).map(Begun::Underway).map_err(fault)
            }
            Remotes::Unix(remote) => {
                let socket = socket(AddressFamily::UNIX).map_err(fault)?;
                match rustix::net::connect(&socket, remote) {
                    Ok(()) => Ok(Begun::Underway(socket)),
                    Err(Errno::AGAIN) => Ok(Begun::Full(socket)),
                    Err(errno) => Err(fault(errno)),
                }
            }
        }
    }

    /// Whether a socket that had met a full queue is there now.
    fn connect_again(&self, socket: &OwnedFd) -> Result<bool, Fault> {
        let Remotes::Unix(remote) = &self.remotes else {
            return Ok(true);
        };
        match rustix::net::connect(socket, remote) {
            Ok(()) => Ok(true),
            Err(Errno::AGAIN) => Ok(false),
            Err(errno) => Err(fault(errno)),
        }
    }
}

/// Between two looks whether a queue that was full has room.
const QUEUE_LOOK_NS: u64 = 1_000_000;

/// Unix sockets whose connect met a full queue. TCP sends its packet again then; of these the kernel lets a thread know only
/// if it sleeps in the call, so each is tried again in its turn until it is there or given up.
#[derive(Default)]
pub(super) struct Queue(VecDeque<(Slot, OwnedFd)>);

/// What became of a socket that waited.
pub(super) enum Waited {
    Connected(Slot, OwnedFd),
    Failed(Slot, Fault),
}

impl Queue {
    pub(super) fn push(&mut self, slot: Slot, socket: OwnedFd) {
        self.0.push_back((slot, socket));
    }

    pub(super) fn has(&self, slot: Slot) -> bool {
        self.0.iter().any(|(waiting, _)| *waiting == slot)
    }

    /// Gives up a socket.
    pub(super) fn remove(&mut self, slot: Slot) {
        if !self.0.is_empty() {
            self.0.retain(|(waiting, _)| *waiting != slot);
        }
    }

    /// When to end a wait, which would else last until `until_ns`, to look again.
    #[inline]
    pub(super) fn end_of_wait(&self, now_ns: impl FnOnce() -> u64, until_ns: u64) -> u64 {
        if self.0.is_empty() {
            until_ns
        } else {
            until_ns.min(now_ns() + QUEUE_LOOK_NS)
        }
    }

    /// The next socket that need not wait any longer.
    #[inline]
    pub(super) fn next(&mut self, route: &Route) -> Option<Waited> {
        if self.0.is_empty() {
            return None;
        }
        self.try_first(route)
    }

    #[cold]
    fn try_first(&mut self, route: &Route) -> Option<Waited> {
        let outcome = route.connect_again(&self.0.front()?.1);
        if outcome == Ok(false) {
            return None;
        }
        let (slot, socket) = self.0.pop_front()?;
        Some(match outcome {
            Ok(_) => Waited::Connected(slot, socket),
            Err(fault) => Waited::Failed(slot, fault),
        })
    }
}

/// Probes without a reply after which the kernel gives a connection up.
const PROBES: u32 = 3;

fn socket(family: AddressFamily) -> Result<OwnedFd, Errno> {
    let socket = rustix::net::socket(family, SocketType::STREAM, None)?;
    fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
    ioctl_fionbio(&socket, true)?;
    Ok(socket)
}

fn connect_tcp(local: Option<IpAddr>, remote: SocketAddr, manner: Manner) -> Result<OwnedFd, Errno> {
    let socket = socket(if remote.is_ipv4() {
        AddressFamily::INET
    } else {
        AddressFamily::INET6
    })?;
    sockopt::set_tcp_nodelay(&socket, true)?;
    if manner.reset_at_close {
        sockopt::set_socket_linger(&socket, Some(Duration::ZERO))?;
    }
    if let Some(every) = manner.probe_every {
        sockopt::set_tcp_keepidle(&socket, every)?;
        sockopt::set_tcp_keepintvl(&socket, every)?;
        sockopt::set_tcp_keepcnt(&socket, PROBES)?;
        sockopt::set_socket_keepalive(&socket, true)?;
    }
    if let Some(local) = local {
        rustix::net::bind(&socket, &SocketAddr::new(local, 0))?;
    }
    match rustix::net::connect(&socket, &remote) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(socket),
        Err(errno) => Err(errno),
    }
}

/// Why a connection could not be made.
pub(super) fn fault(errno: Errno) -> Fault {
    let class = match errno {
        Errno::CONNREFUSED => ErrorClass::Refused,
        Errno::CONNRESET => ErrorClass::Reset,
        Errno::TIMEDOUT => ErrorClass::ConnectTimeout,
        Errno::ADDRNOTAVAIL | Errno::ADDRINUSE | Errno::AGAIN => ErrorClass::NoPort,
        Errno::MFILE | Errno::NFILE => ErrorClass::NoDescriptor,
        _ => ErrorClass::Unreachable,
    };
    Fault {
        class,
        errno: Some(errno.raw_os_error()),
        words: None,
    }
}

/// The same for an error of the standard library.
pub(super) fn io_fault(error: &io::Error) -> Fault {
    match error.raw_os_error() {
        Some(errno) => fault(Errno::from_raw_os_error(errno)),
        None => ErrorClass::Unreachable.into(),
    }
}
