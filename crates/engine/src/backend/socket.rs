//! What all backends over real sockets have in common: the clocks, making a connection, naming a failure.

use super::Fault;
use plimsoll_measure::ErrorClass;
use rustix::io::{Errno, FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::net::{AddressFamily, SocketType, sockopt};
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;
use std::time::Duration;

/// Monotonic time of this machine, nanoseconds; the zero is arbitrary.
#[must_use]
pub fn monotonic_ns() -> u64 {
    timespec_ns(clock_gettime(ClockId::Monotonic))
}

/// Time of day, nanoseconds since 1970.
#[cfg(target_os = "linux")]
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

/// How the kernel treats a connection.
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
    /// Used in turn; at least one.
    remotes: Vec<SocketAddr>,
    /// Used in turn; empty leaves the choice to the kernel.
    local_addrs: Vec<IpAddr>,
    manner: Manner,
    made: usize,
}

impl Route {
    /// To `remote`, from `local_addrs` in turn; empty leaves the choice to the kernel.
    #[must_use]
    pub fn new(remote: SocketAddr, local_addrs: Vec<IpAddr>) -> Self {
        Self {
            remotes: vec![remote],
            local_addrs,
            manner: Manner::default(),
            made: 0,
        }
    }

    /// To these ports of the same host instead, in turn; none leaves it as it is.
    #[must_use]
    pub fn to_ports(mut self, ports: &[u16]) -> Self {
        if let (Some(first), false) = (self.remotes.first().copied(), ports.is_empty()) {
            self.remotes = ports.iter().map(|&port| SocketAddr::new(first.ip(), port)).collect();
        }
        self
    }

    /// With TCP keep-alive at this interval, in whole seconds.
    #[must_use]
    pub fn probing(mut self, every: Option<Duration>) -> Self {
        self.manner.probe_every = every;
        self
    }

    /// Connections that we close are reset. Closed in order, each would block its port for a minute.
    #[must_use]
    pub fn resetting(mut self) -> Self {
        self.manner.reset_at_close = true;
        self
    }

    /// A socket that does not block, on its way to the remote address.
    pub(super) fn connect(&mut self) -> Result<OwnedFd, Fault> {
        let remote = self.remotes[self.made % self.remotes.len()];
        let local = self.local_addrs.get(self.made % self.local_addrs.len().max(1)).copied();
        self.made += 1;
        connect(local, remote, self.manner).map_err(fault)
    }
}

/// Probes without a reply after which the kernel gives a connection up.
const PROBES: u32 = 3;

fn connect(local: Option<IpAddr>, remote: SocketAddr, manner: Manner) -> Result<OwnedFd, Errno> {
    let family = if remote.is_ipv4() {
        AddressFamily::INET
    } else {
        AddressFamily::INET6
    };
    let socket = rustix::net::socket(family, SocketType::STREAM, None)?;
    fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
    ioctl_fionbio(&socket, true)?;
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
    }
}

/// The same for an error of the standard library.
pub(super) fn io_fault(error: &io::Error) -> Fault {
    match error.raw_os_error() {
        Some(errno) => fault(Errno::from_raw_os_error(errno)),
        None => ErrorClass::Unreachable.into(),
    }
}
