//! Who listens on a port.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::path::Path;

/// A process that has a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// Its number.
    pub pid: u32,
    /// Its name, as in `ps`.
    pub name: String,
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (process {})", self.name, self.pid)
    }
}

/// The process that listens on `port`, as far as our rights let us see it.
pub(crate) fn owner(port: u16) -> Option<Owner> {
    let inodes: HashSet<String> = ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .filter_map(|table| fs::read_to_string(table).ok())
        .flat_map(|table| listening_inodes(&table, port))
        .collect();
    if inodes.is_empty() {
        return None;
    }
    let pids = fs::read_dir("/proc").ok()?;
    let mut pids = pids.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let pid = pids.find(|pid| has_socket(*pid, &inodes))?;
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?.trim().to_owned();
    Some(Owner { pid, name })
}

/// Inodes of the sockets in the table of proc_net_tcp(5) that listen on `port`.
fn listening_inodes(table: &str, port: u16) -> Vec<String> {
    const LISTEN: &str = "0A";
    let port = format!(":{port:04X}");
    table
        .lines()
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_ascii_whitespace().collect();
            let [_, local, _, state, .., inode] = *fields.get(..10)? else {
                return None;
            };
            (local.ends_with(&port) && state == LISTEN).then(|| inode.to_owned())
        })
        .collect()
}

fn has_socket(pid: u32, inodes: &HashSet<String>) -> bool {
    let Ok(entries) = fs::read_dir(Path::new("/proc").join(pid.to_string()).join("fd")) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let link = fs::read_link(entry.path()).unwrap_or_default();
        let link = link.to_string_lossy();
        link.strip_prefix("socket:[")
            .and_then(|rest| rest.strip_suffix(']'))
            .is_some_and(|inode| inodes.contains(inode))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn only_listeners_count() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
                     0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0\n   \
                     1: 0100007F:0BB8 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 100 0\n   \
                     2: 0100007F:0BB9 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0 100 0\n";
        assert_eq!(listening_inodes(table, 3000), ["4711"]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn we_are_found_as_the_owner_of_our_port() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        assert_eq!(owner(port).map(|owner| owner.pid), Some(std::process::id()));
    }
}
