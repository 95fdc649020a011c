//! Whose port or unix socket it is: the service's, or a stranger's.
//!
//! Figures are a service's only if every socket that gets the connections is open in one of its processes. It does not
//! matter who opened the socket: one that was handed down by whoever started plimsoll is the service's once a process of
//! it has it. What cannot be seen is not held against anybody.

use crate::descriptors::{Descriptor, open_in};
use crate::namespace;
use crate::port::{self, Owner};
use crate::process::Process;
use crate::unix_diag;
use crate::unix_socket::{self, FileId};
use plimsoll_plan::{Address, SocketPath};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

/// A stranger is one only when this many looks agree: processes that start, fork and end are seen halfway.
const LOOKS: u32 = 4;
const BETWEEN_LOOKS: Duration = Duration::from_millis(15);

/// These take connections in the name of a process in another network namespace; Linux cuts names to 15 bytes.
const FORWARDERS: &[&str] = &[
    "docker-proxy",
    "com.docker.back",
    "rootlessport",
    "rootlesskit",
    "slirp4netns",
    "pasta",
    "pasta.avx2",
    "conmon",
    "gvproxy",
];
/// These start a service where it does not become their child.
const CONTAINER_CLIENTS: &[&str] = &[
    "docker",
    "docker-compose",
    "podman",
    "podman-compose",
    "nerdctl",
    "finch",
];

/// Who gets the connections to the address of the target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ownership {
    /// The service.
    Own,
    /// Somebody else, alone or together with the service.
    Foreign(Foreign),
    /// This cannot be seen; why not, as a part of a sentence.
    Unseen(String),
    /// Nothing listens there.
    Nobody,
}

/// Somebody gets connections that are meant for the service. The text is a whole sentence without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    /// Where.
    pub address: Address,
    /// Who it is, if that can be seen.
    pub owner: Option<Owner>,
    /// The user whose socket it is.
    pub uid: u32,
    /// The service has such a socket as well, and they share the connections.
    pub shared: bool,
    /// Where the service listens.
    pub listens_on: Vec<Endpoint>,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.address.place();
        let verb = if self.shared { "shared with" } else { "taken by" };
        match &self.owner {
            Some(owner) => write!(f, "{place} is {verb} {owner}")?,
            None => write!(f, "{place} is {verb} a process of user {}", self.uid)?,
        }
        f.write_str(", which is not part of the service")?;
        if !self.shared && !self.listens_on.is_empty() {
            write!(f, "; the service listens on {}", list(&self.listens_on))?;
        }
        Ok(())
    }
}

impl Foreign {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        let other = another(&self.address);
        self.owner.as_ref().map_or_else(
            || format!("stop it, or choose {other}"),
            |owner| {
                let pid = owner.pid;
                format!("stop it with `kill {pid}`, choose {other}, or watch it with `--pid {pid}`")
            },
        )
    }
}

/// What a service may be given instead of what it has there.
pub(crate) const fn another(address: &Address) -> &'static str {
    match address {
        Address::Tcp(_) => "another port",
        Address::Unix(_) => "another path",
    }
}

/// Where a service listens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Endpoint {
    /// A TCP port.
    Tcp {
        /// Address and port.
        address: SocketAddr,
        /// In a network namespace where we are not.
        elsewhere: bool,
    },
    /// A unix socket by the name that it was bound to, fit for a terminal; it may be relative.
    Unix(String),
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp {
                address,
                elsewhere: false,
            } => address.fmt(f),
            Self::Tcp { address, .. } => write!(f, "{address} of another network namespace"),
            Self::Unix(name) => write!(f, "the unix socket {name}"),
        }
    }
}

/// As in `it listens on 127.0.0.1:3000 and [::1]:3000`.
pub(crate) fn list(endpoints: &[Endpoint]) -> String {
    /// More do not help.
    const SHOWN: usize = 5;
    let mut words: Vec<String> = endpoints.iter().take(SHOWN).map(ToString::to_string).collect();
    if endpoints.len() > SHOWN {
        words.push(format!("{} more", endpoints.len() - SHOWN));
    }
    match words.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// A socket that gets connections to an address.
#[derive(Debug, Clone)]
struct Receiver {
    address: Address,
    /// Of the user who made it.
    uid: u32,
    inode: u64,
}

/// That an address is a service's, to be looked at again and again.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    address: Address,
    /// Ports of the same host that connections go to as well.
    more_ports: Vec<u16>,
    known: Known,
    /// The file of a unix socket, as the last look found it.
    file: Option<FileId>,
}

/// What the last look came to, for as long as the same sockets get the connections.
#[derive(Debug, Clone, Default)]
enum Known {
    #[default]
    Nothing,
    /// Where each socket was found open.
    Own(BTreeMap<u64, Descriptor>),
    /// These sockets, and why it cannot be seen whose they are.
    Unseen(BTreeSet<u64>, String),
}

impl Claim {
    pub(crate) const fn new(address: Address) -> Self {
        Self {
            address,
            more_ports: Vec::new(),
            known: Known::Nothing,
            file: None,
        }
    }

    pub(crate) const fn address(&self) -> &Address {
        &self.address
    }

    /// Connections go to these ports as well, where the service may listen or not.
    pub(crate) fn extend_to(&mut self, ports: &[u16]) {
        self.more_ports = ports.to_vec();
    }

    /// Something accepts connections, and no socket of this network namespace: rules of the kernel pass them on, or a unix socket
    /// is one of another namespace.
    pub(crate) fn accept_unlisted(&mut self) {
        let why = match self.address {
            Address::Tcp(_) => "the kernel forwards the connections",
            Address::Unix(_) => "it was made in another network namespace",
        };
        self.known = Known::Unseen(BTreeSet::new(), why.to_owned());
    }

    /// Looks who gets the connections. `members` gives the living processes of the service. Cheap enough for every tick
    /// while nothing has changed.
    pub(crate) fn look(&mut self, mut members: impl FnMut() -> Vec<Process>) -> Ownership {
        if !cfg!(target_os = "linux") {
            return Ownership::Unseen("only Linux shows this".to_owned());
        }
        if let Address::Tcp(address) = self.address
            && !port::is_local(address.ip())
        {
            return Ownership::Unseen(format!(
                "{} is on another machine, or in another network namespace",
                address.ip()
            ));
        }
        if self.file_is_unchanged() {
            return Ownership::Own;
        }
        let mut looks = 1;
        loop {
            let receivers = match self.receivers() {
                Ok(receivers) => receivers,
                Err(error) => {
                    return Ownership::Unseen(format!("the kernel does not list unix sockets here ({error})"));
                }
            };
            let found = self
                .remembered(&receivers)
                .unwrap_or_else(|| self.find_out(receivers, &members()));
            if looks == LOOKS || matches!(found, Ownership::Own | Ownership::Unseen(_)) {
                return found;
            }
            looks += 1;
            thread::sleep(BETWEEN_LOOKS);
        }
    }

    /// Whether a unix socket that was the service's still is: a file leads to the same socket for as long as it is the same. It
    /// saves a list of all unix sockets that listen.
    fn file_is_unchanged(&self) -> bool {
        let (Address::Unix(path), Known::Own(places)) = (&self.address, &self.known) else {
            return false;
        };
        self.file.is_some() && self.file == FileId::of(path) && are_open(places)
    }

    fn receivers(&mut self) -> io::Result<Vec<Receiver>> {
        match &self.address {
            Address::Tcp(address) => Ok(self.receivers_at_ports(*address)),
            Address::Unix(path) => {
                self.file = FileId::of(path);
                let Some(file) = self.file else { return Ok(Vec::new()) };
                receivers_at_file(path, file)
            }
        }
    }

    /// Those at all ports; none where the first has none.
    fn receivers_at_ports(&self, address: SocketAddr) -> Vec<Receiver> {
        let all = port::listeners("self");
        let mut receivers = port::receivers(&all, address);
        if !receivers.is_empty() {
            let at = |port: &u16| port::receivers(&all, SocketAddr::new(address.ip(), *port));
            receivers.extend(self.more_ports.iter().flat_map(at));
        }
        let receiver = |listener: port::Listener| Receiver {
            address: SocketAddr::new(address.ip(), listener.address.port()).into(),
            uid: listener.uid,
            inode: listener.inode,
        };
        receivers.into_iter().map(receiver).collect()
    }

    fn remembered(&self, receivers: &[Receiver]) -> Option<Ownership> {
        let now: BTreeSet<u64> = receivers.iter().map(|listener| listener.inode).collect();
        match &self.known {
            Known::Own(places) if now.iter().eq(places.keys()) && are_open(places) => Some(Ownership::Own),
            Known::Unseen(sockets, why) if now == *sockets => Some(Ownership::Unseen(why.clone())),
            _ => None,
        }
    }

    fn find_out(&mut self, receivers: Vec<Receiver>, members: &[Process]) -> Ownership {
        self.known = Known::Nothing;
        if receivers.is_empty() {
            return Ownership::Nobody;
        }
        let wanted: BTreeSet<u64> = receivers.iter().map(|listener| listener.inode).collect();
        let open = open_in(members, &wanted);
        if open.sockets.len() == wanted.len() {
            self.known = Known::Own(open.sockets);
            return Ownership::Own;
        }
        let (own, receivers): (Vec<Receiver>, Vec<Receiver>) = receivers
            .into_iter()
            .partition(|one| open.sockets.contains_key(&one.inode));
        let owners: Vec<(Receiver, Option<Owner>)> = receivers
            .into_iter()
            .map(|one| {
                let owner = port::owner_of(one.inode);
                (one, owner)
            })
            .collect();
        let is_foreign = |owner: Option<&Owner>| match (owner, open.hidden) {
            (None, Some(_)) => false,
            _ => !forwards(owner, members),
        };
        if let Some((receiver, owner)) = owners.into_iter().find(|(_, owner)| is_foreign(owner.as_ref())) {
            return Ownership::Foreign(Foreign {
                shared: own.iter().any(|one| one.address == receiver.address),
                address: receiver.address,
                owner,
                uid: receiver.uid,
                listens_on: endpoints(members),
            });
        }
        let why = open.hidden.map_or_else(
            || "connections reach it through the proxy of a container".to_owned(),
            |member| format!("the open sockets of {member} are hidden from this user"),
        );
        self.known = Known::Unseen(wanted, why.clone());
        Ownership::Unseen(why)
    }
}

fn receivers_at_file(path: &SocketPath, file: FileId) -> io::Result<Vec<Receiver>> {
    let receiver = |inode| Receiver {
        address: Address::Unix(path.clone()),
        uid: file.uid(),
        inode,
    };
    Ok(unix_socket::receivers(path, file)?.into_iter().map(receiver).collect())
}

/// Whether each of these sockets is still open where it was found.
fn are_open(places: &BTreeMap<u64, Descriptor>) -> bool {
    places.iter().all(|(inode, descriptor)| descriptor.is(*inode))
}

/// Whether the owner may be one that passes connections on to a container of the service.
fn forwards(owner: Option<&Owner>, members: &[Process]) -> bool {
    let is_forwarder = owner.is_none_or(|owner| FORWARDERS.contains(&owner.name.as_str()));
    let in_container =
        |member: &Process| CONTAINER_CLIENTS.contains(&member.name.as_str()) || namespace::is_elsewhere(member.id.pid);
    is_forwarder && members.iter().any(in_container)
}

/// Where the processes listen, as far as can be seen.
pub(crate) fn endpoints(members: &[Process]) -> Vec<Endpoint> {
    let own = namespace::network("self");
    let mut namespaces = BTreeMap::new();
    for member in members {
        let pid = member.id.pid.to_string();
        let namespace = namespace::network(&pid);
        namespaces.entry(namespace).or_insert_with(|| port::listeners(&pid));
    }
    let mut found = BTreeSet::new();
    for (namespace, listeners) in namespaces {
        let inodes: BTreeSet<u64> = listeners.iter().map(|listener| listener.inode).collect();
        let open = open_in(members, &inodes).sockets;
        let its = listeners.iter().filter(|listener| open.contains_key(&listener.inode));
        found.extend(its.map(|listener| Endpoint::Tcp {
            address: listener.address,
            elsewhere: namespace.is_some() && namespace != own,
        }));
    }
    found.extend(unix_endpoints(members));
    found.into_iter().collect()
}

/// Those of our network namespace that have a name.
fn unix_endpoints(members: &[Process]) -> impl Iterator<Item = Endpoint> {
    let mut listeners = unix_diag::listeners().unwrap_or_default();
    let inodes: BTreeSet<u64> = listeners.iter().map(|listener| listener.inode).collect();
    let open = open_in(members, &inodes).sockets;
    listeners.retain(|listener| listener.file.is_some() && open.contains_key(&listener.inode));
    listeners.into_iter().map(|listener| {
        let name = String::from_utf8_lossy(&listener.name);
        Endpoint::Unix(plimsoll_plain::line(&name).into_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptors::tests::while_a_thread_listens;

    #[test]
    #[cfg(target_os = "linux")]
    fn port_of_a_thread_with_its_own_descriptors_is_its_process_s() {
        while_a_thread_listens(|address| {
            let mut claim = Claim::new(address.into());
            let us = || vec![Process::read(std::process::id()).expect("we run")];
            assert_eq!(claim.look(us), Ownership::Own);
            assert_eq!(claim.look(Vec::new), Ownership::Own, "what is known is looked at first");
        });
    }
}
