//! Whether the peer has read what was sent to it before it ended the connection.
#![expect(
    unsafe_code,
    reason = "no crate has the calls that ask for the state of a TCP connection, and for what a unix socket has not read"
)]

use nix::libc;
use rustix::io::Errno;
use rustix::net::{AddressFamily, sockopt};
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
///
/// A unix socket has no packets under way: what could be sent is in the queue of the peer, and stays there until it is read. A
/// peer that closes with something in it resets the connection.
pub(super) fn ended_before_it_read(socket: BorrowedFd<'_>) -> Option<bool> {
    if sockopt::socket_domain(socket) == Ok(AddressFamily::UNIX) {
        let was_reset = sockopt::socket_error(socket) == Ok(Err(Errno::CONNRESET));
        return Some(was_reset || unread_bytes(socket)? > 0);
    }
    tcp_ended_before_it_read(socket)
}

/// What the peer of a unix socket has not read.
fn unread_bytes(socket: BorrowedFd<'_>) -> Option<u32> {
    let mut bytes: libc::c_int = 0;
    // SAFETY: the kernel writes one int.
    let outcome = unsafe { libc::ioctl(socket.as_raw_fd(), libc::TIOCOUTQ, &raw mut bytes) };
    (outcome == 0).then_some(bytes.unsigned_abs())
}

fn tcp_ended_before_it_read(socket: BorrowedFd<'_>) -> Option<bool> {
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
