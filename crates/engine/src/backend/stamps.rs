//! When bytes arrived, as the kernel says it.
//!
//! With it answers may be read late: they need not wake the generator, and its own delays do not count as the service's.
#![expect(unsafe_code, reason = "a struct of the kernel has no other constructor")]

use super::socket::realtime_ns;
use nix::sys::socket::{setsockopt, sockopt::ReceiveTimestampns};
use std::os::fd::OwnedFd;

/// In front of all: the lengths of name, control messages and bytes, and flags, each in four bytes.
const LENGTHS_BYTES: usize = 16;
/// A control message that holds a time: length, level and type, then seconds and nanoseconds.
const MESSAGE_BYTES: usize = 32;

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
        let (head, bytes) = buffer
            .split_at_checked(LENGTHS_BYTES + MESSAGE_BYTES)
            .unwrap_or((buffer, &[]));
        let realtime_ns = head
            .get(LENGTHS_BYTES..)
            .filter(|_| control_bytes(head) == MESSAGE_BYTES)
            .and_then(realtime_of);
        (bytes, realtime_ns.map(|ns| ns.saturating_sub(self.ahead_ns)))
    }
}

/// How much of the room for control messages is filled.
fn control_bytes(head: &[u8]) -> usize {
    let length = head.get(4..8).and_then(|bytes| bytes.try_into().ok());
    length.map_or(0, |bytes| u32::from_ne_bytes(bytes) as usize)
}

fn realtime_of(control: &[u8]) -> Option<u64> {
    let number = |at: usize| Some(u64::from_ne_bytes(control.get(at..at + 8)?.try_into().ok()?));
    let level = i32::from_ne_bytes(control.get(8..12)?.try_into().ok()?);
    let kind = i32::from_ne_bytes(control.get(12..16)?.try_into().ok()?);
    (level == nix::libc::SOL_SOCKET && kind == nix::libc::SCM_TIMESTAMPNS)
        .then_some(number(16)? * 1_000_000_000 + number(24)?)
}
