//! Network namespaces of other processes, as containers have them.

use crate::process::Process;
use plimsoll_files::kernel;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

/// Which network namespace a process is in; `self` for our own.
pub(crate) fn network(process: &str) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{process}/ns/net")).ok()
}

/// Whether a process is in another one than we are.
pub(crate) fn is_elsewhere(pid: u32) -> bool {
    network(&pid.to_string()).is_some_and(|namespace| Some(namespace) != network("self"))
}

/// The addresses (IPv4) by which others reach a process in another network namespace; none where it is in ours.
pub(crate) fn addresses(pid: u32) -> Vec<IpAddr> {
    if !is_elsewhere(pid) {
        return Vec::new();
    }
    let routes = kernel::text(format!("/proc/{pid}/net/fib_trie")).unwrap_or_default();
    let all = local_addresses(&routes).into_iter();
    all.filter(|address| !address.is_loopback()).map(IpAddr::V4).collect()
}

/// Those of a table such as `/proc/net/fib_trie`, where a line with an address comes before one that says it is local.
fn local_addresses(routes: &str) -> BTreeSet<Ipv4Addr> {
    let mut last: Option<Ipv4Addr> = None;
    let mut found = BTreeSet::new();
    for line in routes.lines().map(str::trim) {
        match line.strip_prefix("|-- ") {
            Some(address) => last = address.parse().ok(),
            None if line == "/32 host LOCAL" => found.extend(last),
            None => {}
        }
    }
    found
}

/// A connection to an address of a process, in whichever network namespace that is. It stays there, while this thread stays here.
pub(crate) fn connect(process: &Process, address: SocketAddr, timeout: Duration) -> io::Result<TcpStream> {
    if !is_elsewhere(process.id.pid) {
        return TcpStream::connect_timeout(&address, timeout);
    }
    enter_and(process.id.pid, move || TcpStream::connect_timeout(&address, timeout))
}

#[cfg(target_os = "linux")]
fn enter_and<T: Send + 'static>(pid: u32, act: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
    use std::os::fd::AsFd as _;

    let namespace = kernel::open(format!("/proc/{pid}/ns/net"))?;
    // A thread of its own: it ends in that namespace.
    let entered = std::thread::spawn(move || {
        move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))?;
        act()
    });
    entered.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
}

#[cfg(not(target_os = "linux"))]
fn enter_and<T>(_pid: u32, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    act()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_addresses_are_found_among_routes() {
        let routes = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\n     +-- 172.17.0.0/16 2 0 2\n        \
                      |-- 172.17.0.0\n           /16 link UNICAST\n        |-- 172.17.0.2\n           /32 host LOCAL\n        \
                      |-- 172.17.255.255\n           /32 link BROADCAST\nLocal:\n     |-- 127.0.0.1\n        /32 host LOCAL\n     \
                      |-- 172.17.0.2\n        /32 host LOCAL\n";
        let found: Vec<String> = local_addresses(routes).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["127.0.0.1", "172.17.0.2"]);
        assert_eq!(local_addresses(""), BTreeSet::new());
    }

    #[test]
    fn own_namespace_is_not_elsewhere() {
        assert!(!is_elsewhere(std::process::id()));
        assert_eq!(addresses(std::process::id()), [IpAddr::V4(Ipv4Addr::LOCALHOST); 0]);
    }
}
