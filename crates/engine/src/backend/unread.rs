//! Whether the peer has read what was sent to it before it ended the connection.
#![expect(
    unsafe_code,
    reason = "no crate has the call that asks for the state of a TCP connection"
)]

use nix::libc;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};

/// `TCP_CLOSE` and `TCP_CLOSE_WAIT` of linux/tcp_states.h.
const CLOSE: u8 = 7;
const CLOSE_WAIT: u8 = 8;

/// Of a connection that the peer has ended in order: whether it did so before all that was sent had come to it. Then nobody
/// has read the last of it. `None` where the kernel does not say.
///
/// A peer that has read everything acknowledges all of it, at the latest with its end. One that has not, because its end was
/// on its way when we sent, acknowledges no more: it resets the connection.
pub(super) fn ended_before_it_read(socket: BorrowedFd<'_>) -> Option<bool> {
    let mut info = MaybeUninit::<libc::tcp_info>::zeroed();
    let mut length = size_of::<libc::tcp_info>() as libc::socklen_t;
    // SAFETY: the kernel writes at most `length` bytes, and all fields may hold any bits.
    let info = unsafe {
        let outcome = libc::getsockopt(
            socket.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            info.as_mut_ptr().cast(),
            &raw mut length,
        );
        if outcome != 0 {
            return None;
        }
        info.assume_init()
    };
    match info.tcpi_state {
        CLOSE => Some(true),
        CLOSE_WAIT => Some(info.tcpi_unacked > 0),
        _ => None,
    }
}
