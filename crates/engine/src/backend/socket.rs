//! What all backends over real sockets have in common: the clocks, making a connection, naming a failure.

use plimsoll_measure::ErrorClass;
use rustix::io::{Errno, FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::net::{AddressFamily, SocketType};
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::OwnedFd;

/// Monotonic time of this machine, nanoseconds; the zero is arbitrary.
#[must_use]
pub fn monotonic_ns() -> u64 {
    timespec_ns(clock_gettime(ClockId::Monotonic))
}

/// CPU time that the calling thread has used, nanoseconds.
pub(super) fn thread_cpu_ns() -> u64 {
    timespec_ns(clock_gettime(ClockId::ThreadCPUTime))
}

fn timespec_ns(time: Timespec) -> u64 {
    // Neither field of a monotonic or CPU clock is ever negative.
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

/// Where connections go, and from where.
pub(super) struct Route {
    remote: SocketAddr,
    /// Used in turn; empty leaves the choice to the kernel.
    local_addrs: Vec<IpAddr>,
    next_local: usize,
}

impl Route {
    pub(super) fn new(remote: SocketAddr, local_addrs: Vec<IpAddr>) -> Self {
        Self {
            remote,
            local_addrs,
            next_local: 0,
        }
    }

    /// A socket that does not block, on its way to the remote address.
    pub(super) fn connect(&mut self) -> Result<OwnedFd, ErrorClass> {
        let local = self.local_addrs.get(self.next_local).copied();
        self.next_local = (self.next_local + 1) % self.local_addrs.len().max(1);
        connect(local, self.remote).map_err(error_class)
    }
}

fn connect(local: Option<IpAddr>, remote: SocketAddr) -> Result<OwnedFd, Errno> {
    let family = if remote.is_ipv4() {
        AddressFamily::INET
    } else {
        AddressFamily::INET6
    };
    let socket = rustix::net::socket(family, SocketType::STREAM, None)?;
    fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
    ioctl_fionbio(&socket, true)?;
    rustix::net::sockopt::set_tcp_nodelay(&socket, true)?;
    if let Some(local) = local {
        rustix::net::bind(&socket, &SocketAddr::new(local, 0))?;
    }
    match rustix::net::connect(&socket, &remote) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(socket),
        Err(errno) => Err(errno),
    }
}

/// Why a connection could not be made.
pub(super) fn error_class(errno: Errno) -> ErrorClass {
    match errno {
        Errno::CONNREFUSED => ErrorClass::Refused,
        Errno::CONNRESET => ErrorClass::Reset,
        Errno::TIMEDOUT => ErrorClass::ConnectTimeout,
        Errno::ADDRNOTAVAIL | Errno::ADDRINUSE | Errno::AGAIN => ErrorClass::NoPort,
        Errno::MFILE | Errno::NFILE => ErrorClass::NoDescriptor,
        _ => ErrorClass::Unreachable,
    }
}

/// The same for an error of the standard library.
pub(super) fn io_error_class(error: &io::Error) -> ErrorClass {
    error.raw_os_error().map_or(ErrorClass::Unreachable, |errno| {
        error_class(Errno::from_raw_os_error(errno))
    })
}
