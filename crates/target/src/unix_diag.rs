//! Unix sockets that listen, as sock_diag(7) lists them: with the file that each was bound to, which `/proc/net/unix` has not.

use rustix::net::netlink::{SOCK_DIAG, SocketAddrNetlink};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with};
use std::io;

/// A unix socket that listens in our network namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnixListener {
    /// Of the socket itself.
    pub(crate) inode: u64,
    /// Inode number of its file, its lower 32 bits; `None` without a file.
    pub(crate) file: Option<u32>,
    /// The name that it was bound to, which may be relative; empty where it has none.
    pub(crate) name: Vec<u8>,
}

/// linux/netlink.h, linux/sock_diag.h and linux/unix_diag.h.
const HEADER_BYTES: usize = 16;
const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLMSG_ERROR: u16 = 2;
const NLMSG_DONE: u16 = 3;
const NLM_F_REQUEST_DUMP: u16 = 0x301;
const AF_UNIX: u8 = 1;
/// `TCP_LISTEN` of linux/tcp_states.h, as a bit.
const LISTENING: u32 = 1 << 10;
const SHOW_NAME_AND_FILE: u32 = 1 | 2;
const ATTRIBUTE_NAME: u16 = 0;
const ATTRIBUTE_FILE: u16 = 1;
/// Larger than a datagram of the kernel, which has at most two pages or 32 kB.
const DATAGRAM_BYTES: usize = 64 * 1024;

/// All of our network namespace.
///
/// # Errors
/// When the kernel does not list them for this process.
pub(crate) fn listeners() -> io::Result<Vec<UnixListener>> {
    let socket = socket_with(
        AddressFamily::NETLINK,
        SocketType::DGRAM,
        SocketFlags::CLOEXEC,
        Some(SOCK_DIAG),
    )?;
    sendto(&socket, &request(), SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
    let mut datagram = vec![0; DATAGRAM_BYTES];
    let mut found = Vec::new();
    loop {
        let (length, _) = recv(&socket, &mut *datagram, RecvFlags::empty())?;
        if read_datagram(&datagram[..length], &mut found)? {
            return Ok(found);
        }
    }
}

fn request() -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&(HEADER_BYTES as u32 + 24).to_ne_bytes());
    bytes.extend_from_slice(&SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    bytes.extend_from_slice(&NLM_F_REQUEST_DUMP.to_ne_bytes());
    // Sequence number and sender, by which nobody needs to tell responses apart here.
    bytes.extend_from_slice(&[0; 8]);
    bytes.extend_from_slice(&[AF_UNIX, 0, 0, 0]);
    bytes.extend_from_slice(&LISTENING.to_ne_bytes());
    bytes.extend_from_slice(&0_u32.to_ne_bytes());
    bytes.extend_from_slice(&SHOW_NAME_AND_FILE.to_ne_bytes());
    bytes.extend_from_slice(&[0; 8]);
    bytes
}

/// Adds what a datagram lists; whether it was the last.
fn read_datagram(mut datagram: &[u8], found: &mut Vec<UnixListener>) -> io::Result<bool> {
    while let Some(length) = u32_at(datagram, 0) {
        let message = datagram
            .get(..length as usize)
            .filter(|message| message.len() >= HEADER_BYTES);
        let message = message.ok_or(io::ErrorKind::InvalidData)?;
        match u16_at(message, 4) {
            Some(NLMSG_DONE) => return Ok(true),
            Some(NLMSG_ERROR) => {
                let errno = u32_at(message, HEADER_BYTES).unwrap_or_default().cast_signed();
                return Err(io::Error::from_raw_os_error(errno.saturating_neg()));
            }
            _ => found.extend(read_listener(&message[HEADER_BYTES..])),
        }
        datagram = datagram.get(length.next_multiple_of(4) as usize..).unwrap_or_default();
    }
    Ok(false)
}

/// A `unix_diag_msg` and its attributes.
fn read_listener(message: &[u8]) -> Option<UnixListener> {
    let mut listener = UnixListener {
        inode: u32_at(message, 4)?.into(),
        file: None,
        name: Vec::new(),
    };
    let mut attributes = message.get(16..)?;
    while let (Some(length), Some(kind)) = (u16_at(attributes, 0), u16_at(attributes, 2)) {
        let value = attributes.get(4..length as usize)?;
        match kind {
            // A path ends with a NUL; an abstract name begins with one.
            ATTRIBUTE_NAME => listener.name = value.strip_suffix(b"\0").unwrap_or(value).to_vec(),
            ATTRIBUTE_FILE => listener.file = u32_at(value, 0),
            _ => {}
        }
        attributes = attributes
            .get((length as usize).next_multiple_of(4)..)
            .unwrap_or_default();
    }
    Some(listener)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt as _;

    #[test]
    fn a_listener_is_found_by_its_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("app.sock");
        let _listener = std::os::unix::net::UnixListener::bind(&path).expect("bound");
        let file = std::fs::metadata(&path).expect("there").ino() as u32;
        let all = listeners().expect("listed");
        let found: Vec<_> = all.iter().filter(|one| one.file == Some(file)).collect();
        assert!(found.iter().any(|one| one.name.ends_with(b"/app.sock")), "{all:?}");
    }

    #[test]
    fn damaged_datagrams_are_no_listeners() {
        let header = |length: u32, kind: u16| [&length.to_ne_bytes()[..], &kind.to_ne_bytes(), &[0; 10]].concat();
        let mut found = Vec::new();
        assert!(read_datagram(&header(16, NLMSG_DONE), &mut found).expect("whole"));
        for bytes in [header(15, 20), header(17, 20), header(0, 20)] {
            assert!(read_datagram(&bytes, &mut found).is_err(), "{bytes:?}");
        }
        let refused = [header(20, NLMSG_ERROR), (-2_i32).to_ne_bytes().to_vec()].concat();
        let error = read_datagram(&refused, &mut found).expect_err("refused");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        let short = [header(20, 20), vec![1, 2, 3, 4]].concat();
        assert!(!read_datagram(&short, &mut found).expect("whole"));
        assert_eq!(found, []);
    }
}
