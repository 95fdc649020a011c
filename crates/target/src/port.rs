//! TCP sockets that listen, and who has a port.
//!
//! The tables of proc_net_tcp(5) begin with the sockets that listen, so a look costs the same however many connections
//! there are.

use crate::descriptors::open_in;
use crate::process::Process;
use crate::unix_socket::{self, FileId};
use plimsoll_files::kernel;
use plimsoll_plan::Address;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// A process that has a port.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    /// Its number.
    pub pid: u32,
    /// Its name, as in `ps`, without control characters.
    pub name: String,
}

impl Owner {
    fn of(pid: u32) -> Option<Self> {
        let name = plimsoll_plain::line(&Process::read(pid)?.name).into_owned();
        Some(Self { pid, name })
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (process {})", self.name, self.pid)
    }
}

/// A TCP socket that listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Listener {
    pub(crate) address: SocketAddr,
    /// Of the user who made it.
    pub(crate) uid: u32,
    pub(crate) inode: u64,
}

/// All that listen in the network namespace of a process; `self` for our own. Empty where there is no `/proc`.
pub(crate) fn listeners(process: &str) -> Vec<Listener> {
    ["tcp", "tcp6"]
        .iter()
        .filter_map(|table| kernel::open(format!("/proc/{process}/net/{table}")).ok())
        .flat_map(|table| read_table(BufReader::new(table)))
        .collect()
}

fn read_table(table: impl BufRead) -> Vec<Listener> {
    let lines = table.lines().map_while(Result::ok).skip(1);
    lines.map_while(|line| parse(&line)).collect()
}

/// `None` for a socket that does not listen.
fn parse(line: &str) -> Option<Listener> {
    const LISTEN: &str = "0A";
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let [_, local, _, state, _, _, _, uid, _, inode] = *fields.get(..10)? else {
        return None;
    };
    let (ip, port) = local.split_once(':')?;
    let address = SocketAddr::new(parse_ip(ip)?, u16::from_str_radix(port, 16).ok()?);
    (state == LISTEN).then_some(Listener {
        address,
        uid: uid.parse().ok()?,
        inode: inode.parse().ok()?,
    })
}

/// An address is shown as words of 32 bits, each as this machine reads it from memory.
fn parse_ip(hex: &str) -> Option<IpAddr> {
    let word = |at: usize| {
        Some(
            u32::from_str_radix(hex.get(at * 8..at * 8 + 8)?, 16)
                .ok()?
                .to_ne_bytes(),
        )
    };
    match hex.len() {
        8 => Some(Ipv4Addr::from(word(0)?).into()),
        32 => {
            let mut bytes = [0; 16];
            for (at, chunk) in bytes.chunks_exact_mut(4).enumerate() {
                chunk.copy_from_slice(&word(at)?);
            }
            Some(Ipv6Addr::from(bytes).into())
        }
        _ => None,
    }
}

/// Those of `all` that get the connections to `address`. Linux takes a socket of that very address before one of any
/// address, and one of IPv4 before one of both versions; several of the same kind (`SO_REUSEPORT`) share the connections.
pub(crate) fn receivers(all: &[Listener], address: SocketAddr) -> Vec<Listener> {
    // To connect to the unspecified address is to connect to this machine.
    let ip = match address.ip().to_canonical() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    let rank = |listener: &Listener| {
        let (bound, canonical) = (listener.address.ip(), listener.address.ip().to_canonical());
        let has_port = listener.address.port() == address.port();
        match (ip, bound) {
            _ if !has_port => None,
            _ if bound == ip => Some(0),
            _ if canonical == ip => Some(1),
            (IpAddr::V4(_), IpAddr::V4(_)) if bound.is_unspecified() => Some(2),
            (_, IpAddr::V6(_)) if bound.is_unspecified() => Some(3),
            _ => None,
        }
    };
    let best = all.iter().filter_map(rank).min();
    all.iter()
        .filter(|&listener| best.is_some() && rank(listener) == best)
        .copied()
        .collect()
}

/// Whether packets to `ip` stay on this machine: only its own addresses can be bound to.
pub(crate) fn is_local(ip: IpAddr) -> bool {
    ip.is_loopback() || UdpSocket::bind((ip, 0)).is_ok()
}

/// A process that has the socket open, as far as our rights let us see it.
pub(crate) fn owner_of(inode: u64) -> Option<Owner> {
    let mut all = Process::all();
    all.sort_by_key(|process| process.id);
    let open = open_in(&all, &BTreeSet::from([inode]));
    Owner::of(open.sockets.get(&inode)?.pid())
}

/// The process that gets connections to `address`, as far as our rights let us see it.
pub(crate) fn owner(address: &Address) -> Option<Owner> {
    let inodes: Vec<u64> = match address {
        Address::Tcp(address) => receivers(&listeners("self"), *address)
            .iter()
            .map(|listener| listener.inode)
            .collect(),
        Address::Unix(path) => unix_socket::receivers(path, FileId::of(path)?).ok()?,
    };
    inodes.into_iter().find_map(owner_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    const HEADER: &str =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

    fn line(local: &str, state: &str, inode: u64) -> String {
        format!(
            "   0: {local} 00000000:0000 {state} 00000000:00000000 00:00000000 00000000  1000        0 {inode} 1 0 100 0\n"
        )
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn a_table_is_read_as_far_as_its_listeners() {
        let table = [
            HEADER.to_owned(),
            line("0100007F:0BB8", "0A", 4711),
            line("00000000000000000000000001000000:0BB9", "0A", 4712),
            line("0100007F:0BB8", "01", 4713),
            line("0100007F:0BBA", "0A", 4714),
        ];
        let found = read_table(table.concat().as_bytes());
        let seen: Vec<_> = found.iter().map(|one| (one.address.to_string(), one.inode)).collect();
        assert_eq!(
            seen,
            [("127.0.0.1:3000".to_owned(), 4711), ("[::1]:3001".to_owned(), 4712)]
        );
        assert_eq!(found[0].uid, 1000);
        for broken in ["", "x", "0: 0100007F 0 0A 0 0 0 0 0 0", "0: 01:0BB8 0 0A 0 0 0 0 0 7"] {
            assert_eq!(parse(broken), None, "{broken}");
        }
    }

    fn check(listening: &[&str], to: &str, expected: &[usize]) {
        let all: Vec<Listener> = listening
            .iter()
            .enumerate()
            .map(|(index, address)| Listener {
                address: address.parse().expect("an address"),
                uid: 0,
                inode: index as u64,
            })
            .collect();
        let found: Vec<usize> = receivers(&all, to.parse().expect("an address"))
            .iter()
            .map(|listener| listener.inode as usize)
            .collect();
        assert_eq!(found, expected, "{listening:?} asked at {to}");
    }

    #[test]
    fn the_most_specific_listener_gets_the_connections() {
        let both = &["0.0.0.0:80", "127.0.0.1:80", "[::]:80", "[::1]:80"];
        check(both, "127.0.0.1:80", &[1]);
        check(both, "127.0.0.2:80", &[0]);
        check(both, "0.0.0.0:80", &[1]);
        check(both, "[::1]:80", &[3]);
        check(both, "[::]:80", &[3]);
        check(both, "[fd00::1]:80", &[2]);
        check(both, "[::ffff:127.0.0.1]:80", &[1]);
        check(both, "127.0.0.1:81", &[]);
        check(&["[::]:80"], "127.0.0.1:80", &[0]);
        check(&["[::1]:80"], "127.0.0.1:80", &[]);
        check(&["0.0.0.0:80"], "[::1]:80", &[]);
        check(&["[::]:80", "[::ffff:127.0.0.1]:80"], "127.0.0.1:80", &[1]);
        check(&["127.0.0.1:80", "127.0.0.1:80", "0.0.0.0:80"], "127.0.0.1:80", &[0, 1]);
        check(&["[::]:80", "[::]:80"], "[::1]:80", &[0, 1]);
    }

    #[test]
    fn only_own_addresses_are_local() {
        assert!(is_local(Ipv4Addr::LOCALHOST.into()) && is_local(Ipv4Addr::new(127, 1, 2, 3).into()));
        // 192.0.2.0/24 is kept for documents (RFC 5737).
        assert!(!is_local(Ipv4Addr::new(192, 0, 2, 1).into()));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn we_are_found_as_the_owner_of_our_port() {
        for address in ["127.0.0.1:0", "[::]:0"] {
            let Ok(listener) = TcpListener::bind(address) else {
                assert!(address.starts_with('['), "there is IPv4");
                continue;
            };
            let port = listener.local_addr().expect("bound").port();
            let asked = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port);
            assert_eq!(owner(&asked.into()).map(|owner| owner.pid), Some(std::process::id()));
        }
    }
}
