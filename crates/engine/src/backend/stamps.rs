//! When bytes arrived, as the kernel says it.
//!
//! With it responses may be read late: they need not wake the generator, and its own delays do not count as the service's.
#![expect(unsafe_code, reason = "a struct of the kernel has no other constructor")]

use super::received::{MESSAGE_BYTES, split};
use super::socket::realtime_ns;
use nix::sys::socket::{setsockopt, sockopt::ReceiveTimestampns};
use std::os::fd::OwnedFd;

/// Reads what a receive with time stamps has put into its buffer.
pub(super) struct Stamps {
    /// How much room a receive leaves for control messages. The kernel reads it when it takes the operation.
    shape: Box<nix::libc::msghdr>,
    /// How far the clock of the stamps, which may be set, is ahead of that of the backend.
    ahead_ns: u64,
}

impl Stamps {
    pub(super) fn new() -> Self {
        // SAFETY: all fields of this struct may be zero: no address, no buffers.
        let mut shape: Box<nix::libc::msghdr> = Box::new(unsafe { std::mem::zeroed() });
        shape.msg_controllen = MESSAGE_BYTES as _;
        Self { shape, ahead_ns: 0 }
    }

    /// Has the kernel note when bytes of this socket arrive. Refused, they are taken to arrive when they are read.
    pub(super) fn ask_for(socket: &OwnedFd) {
        let _ = setsockopt(socket, ReceiveTimestampns, &true);
    }

    /// Stays where it is as long as `self` lives.
    pub(super) fn shape(&self) -> *const nix::libc::msghdr {
        &raw const *self.shape
    }

    /// Sets the clock of the stamps beside that of the backend, which has just been read. To be done after each wait, before
    /// its receives are looked at.
    pub(super) fn synchronise(&mut self, now_ns: u64) {
        self.ahead_ns = realtime_ns().saturating_sub(now_ns);
    }

    /// The bytes of a receive, and when the last of them had arrived, by the clock of the backend.
    pub(super) fn parse<'a>(&self, buffer: &'a [u8]) -> (&'a [u8], Option<u64>) {
        let (bytes, realtime_ns) = split(buffer, nix::libc::SOL_SOCKET, nix::libc::SCM_TIMESTAMPNS);
        (bytes, realtime_ns.map(|ns| ns.saturating_sub(self.ahead_ns)))
    }
}
