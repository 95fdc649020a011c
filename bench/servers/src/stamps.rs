//! What the kernel notes of a connection: when bytes came in, and when bytes went out.
//!
//! Between a request's coming and the last byte of its response's going lies all that this side took, however late this
//! program was woken, and however long the kernel held back what it was given. See
//! <https://docs.kernel.org/networking/timestamping.html>.

use mio::net::TcpStream;
use nix::cmsg_space;
use nix::sys::socket::sockopt::Timestamping;
use nix::sys::socket::{ControlMessageOwned, MsgFlags, RecvMsg, TimestampingFlag, Timestamps, recvmsg, setsockopt};
use std::io::{self, IoSliceMut};
use std::os::fd::AsRawFd as _;

/// Bytes that have left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Departure {
    /// Which byte of all that were ever sent is the last of them, modulo 2³².
    pub(crate) last_byte: u32,
    /// On the clock of the calendar.
    pub(crate) at_ns: u64,
}

/// Has the kernel note both for a connection that was just accepted.
pub(crate) fn ask_for(stream: &TcpStream) -> io::Result<()> {
    let noted = TimestampingFlag::SOF_TIMESTAMPING_RX_SOFTWARE | TimestampingFlag::SOF_TIMESTAMPING_TX_SOFTWARE;
    let told = TimestampingFlag::SOF_TIMESTAMPING_SOFTWARE
        | TimestampingFlag::SOF_TIMESTAMPING_OPT_ID
        | TimestampingFlag::SOF_TIMESTAMPING_OPT_TSONLY;
    Ok(setsockopt(stream, Timestamping, &(noted | told))?)
}

/// Reads bytes, and when the last of them came, on the clock of the calendar.
pub(crate) fn read(stream: &TcpStream, buffer: &mut [u8]) -> io::Result<(usize, Option<u64>)> {
    let mut control = cmsg_space!(Timestamps);
    let mut buffers = [IoSliceMut::new(buffer)];
    let message: RecvMsg<'_, '_, ()> =
        recvmsg(stream.as_raw_fd(), &mut buffers, Some(&mut control), MsgFlags::empty())?;
    let came_ns = message.cmsgs()?.find_map(|control| stamp_ns(&control));
    Ok((message.bytes, came_ns))
}

/// The next of the departures that were not told yet.
pub(crate) fn departure(stream: &TcpStream) -> Option<Departure> {
    let mut control = cmsg_space!(Timestamps, nix::libc::sock_extended_err, nix::libc::sockaddr_in);
    let message: RecvMsg<'_, '_, ()> =
        recvmsg(stream.as_raw_fd(), &mut [], Some(&mut control), MsgFlags::MSG_ERRQUEUE).ok()?;
    let (mut at_ns, mut last_byte) = (None, None);
    for control in message.cmsgs().ok()? {
        at_ns = at_ns.or_else(|| stamp_ns(&control));
        if let ControlMessageOwned::Ipv4RecvErr(error, _) = control {
            last_byte = Some(error.ee_data);
        }
    }
    Some(Departure {
        last_byte: last_byte?,
        at_ns: at_ns?,
    })
}

fn stamp_ns(control: &ControlMessageOwned) -> Option<u64> {
    let ControlMessageOwned::ScmTimestampsns(stamps) = control else {
        return None;
    };
    u64::try_from(std::time::Duration::from(stamps.system).as_nanos()).ok()
}
