//! Why a service could not be started or watched, in words for its user.

use crate::health::Found;
use crate::ownership::{another, list};
use crate::probe::home;
use crate::unix_socket::{SocketFault, shell_word};
use crate::{Endpoint, ExitReport, Foreign, NoContainer, NoLimits, Owner};
use plimsoll_plan::{Address, SocketPath};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// A service did not start. The text fits after "failed to". Whatever had been started is gone.
#[derive(Debug, Error)]
pub enum StartError {
    /// The host of the URL has no address.
    #[error("find the address of {host}: {source}")]
    Resolve {
        /// As in the plan.
        host: String,
        /// Why not.
        source: io::Error,
    },
    /// Something listens where the service should.
    #[error("start the service: {} is already in use by {}", address.place(), name(owner.as_ref()))]
    InUse {
        /// Of the URL.
        address: Address,
        /// Who has it, if that can be seen.
        owner: Option<Owner>,
    },
    /// Something else is where the file of its socket should be.
    #[error("start the service: {path} is {what}, so it cannot listen on a unix socket there")]
    InTheWay {
        /// Of the URL.
        path: SocketPath,
        /// Such as `a directory`.
        what: &'static str,
    },
    /// The file for its output cannot be written.
    #[error("open {} for the output of the service: {source}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It cannot be given these cores. Starting it without any is possible.
    #[error(
        "pin the service to cpus {}: available are {}",
        crate::cpus::list(wanted),
        crate::cpus::list(available)
    )]
    Pin {
        /// As asked.
        wanted: Vec<usize>,
        /// What this process may use.
        available: Vec<usize>,
    },
    /// It cannot be limited as the plan says.
    #[error(transparent)]
    Limits(#[from] NoLimits),
    /// The program cannot be run.
    #[error("run {program}: {source}")]
    Spawn {
        /// First word of the command.
        program: String,
        /// Why not.
        source: io::Error,
    },
    /// Nobody could be started who would end it.
    #[error("start a supervisor for the service: {source}")]
    Supervise {
        /// Why not.
        source: io::Error,
    },
    /// It ended before it was ready.
    #[error("start the service: it {report}{}", left_behind(stale.as_ref()))]
    Exited {
        /// How it ended, and its last lines.
        report: ExitReport,
        /// The file of a unix socket at which nothing listened before.
        stale: Option<SocketPath>,
    },
    /// The port is open, and not the service's.
    #[error("start the service: {foreign}{}", tail(last_lines))]
    Foreign {
        /// Who has it.
        foreign: Box<Foreign>,
        /// The last lines of output of the service.
        last_lines: Vec<String>,
    },
    /// It runs but is not ready.
    #[error(
        "start the service: {url} was not ready within {timeout:?}: {found}{}{}",
        elsewhere(found, listens_on),
        tail(last_lines)
    )]
    NotReady {
        /// What was asked.
        url: String,
        /// Whether it should listen on a unix socket.
        on_unix: bool,
        /// For how long.
        timeout: Duration,
        /// What was found last: `connection refused`, `status 503` …
        found: Box<Found>,
        /// Where it listens.
        listens_on: Vec<Endpoint>,
        /// Its last lines of output.
        last_lines: Vec<String>,
    },
    /// The user did not want to wait any longer.
    #[error("start the service: interrupted")]
    Cancelled,
}

impl StartError {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::InUse { owner: Some(owner), .. } => {
                let pid = owner.pid;
                Some(format!("stop it with `kill {pid}`, or watch it with `--pid {pid}`"))
            }
            Self::InUse { owner: None, address } => Some(format!("stop it, or choose {}", another(address))),
            Self::InTheWay { .. } => Some("give the URL the path on which the service listens".to_owned()),
            Self::Pin { available, .. } => {
                let list = crate::cpus::list(available);
                Some(format!("choose from {list}, or leave the cpus out"))
            }
            Self::Spawn { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                Some("check the spelling, the PATH and the working directory".to_owned())
            }
            Self::NotReady { found, on_unix, .. } => Some(
                found
                    .hint()
                    .unwrap_or(if *on_unix {
                        "the service must listen on the socket of the URL, whose path is also in its environment as PORT"
                    } else {
                        "the service must listen on the port of the URL, which is also in its environment as PORT; if it has a port \
                         of its own, name that in the URL"
                    })
                    .to_owned(),
            ),
            Self::Foreign { foreign, .. } => Some(foreign.hint()),
            Self::Limits(error) => Some(error.hint()),
            Self::Exited { report, .. } if report.hint().is_some() => report.hint(),
            Self::Exited { report, .. } if report.last_lines.iter().any(|line| home::names_script(line)) => Some(
                "the service could not load the probe: a service of another user cannot read it, nor one to which the \
                 permission model of Node.js denies its directory"
                    .to_owned(),
            ),
            Self::Exited { stale: Some(path), .. } => Some(format!(
                "remove it with `rm {}`, and let the service remove it before it listens",
                shell_word(path)
            )),
            Self::Spawn { source, .. } | Self::Supervise { source } | Self::Output { source, .. } => {
                hint_on_refusal(source)
            }
            Self::Resolve { .. } | Self::Exited { .. } | Self::Cancelled => None,
        }
    }
}

/// What can be done where the system has no more processes, threads, descriptors or memory for us.
#[must_use]
pub fn hint_on_refusal(error: &io::Error) -> Option<String> {
    use rustix::io::Errno;
    let hint = match Errno::from_io_error(error)? {
        Errno::AGAIN => "no more processes or threads are allowed: see `ulimit -u`, and pids.max of the control group",
        Errno::MFILE => "no more descriptors are allowed: see `ulimit -n`",
        Errno::NFILE => "the machine has no more descriptors: see /proc/sys/fs/file-max",
        Errno::NOMEM => "out of memory: see `free`, and memory.max of the control group",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// A running service cannot be watched. The text fits after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AttachError {
    /// There is no such process.
    #[error("watch process {0}: no such process")]
    NoProcess(u32),
    /// The host of the URL has no address.
    #[error("find the address of {host}: {found}")]
    Resolve {
        /// As in the plan.
        host: String,
        /// Why not.
        found: String,
    },
    /// Another process has the port.
    #[error("watch {watched}: {foreign}")]
    Foreign {
        /// What was to be watched: `process 12`, `container web`.
        watched: String,
        /// Who has the port.
        foreign: Box<Foreign>,
    },
    /// Nothing listens at the target.
    #[error(transparent)]
    NotListening(Box<NotListening>),
    /// Which container is meant cannot be said.
    #[error(transparent)]
    Container(#[from] NoContainer),
    /// This system has no `/proc`.
    #[error("watch {0}: processes cannot be sampled on this system, only on Linux")]
    NoProc(String),
    /// It is on other machines.
    #[error("watch service {0}: it is on the machines of target agents")]
    Elsewhere(String),
}

/// Nothing listens where a running service should.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "watch {watched}: cannot connect to {}: {found}{}",
    if place.is_unix() { place.to_string() } else { authority.clone() },
    elsewhere(found, listens_on)
)]
pub struct NotListening {
    /// What was to be watched: `process 12`, `container web`.
    pub watched: String,
    /// Where it should listen.
    pub place: Address,
    /// Host and port of the target.
    pub authority: String,
    /// What was found.
    pub found: Found,
    /// Where it listens.
    pub listens_on: Vec<Endpoint>,
    /// The addresses that it has in a network namespace of its own.
    pub addresses: Vec<IpAddr>,
}

impl AttachError {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Foreign { foreign, .. } => foreign.owner.as_ref().map(|owner| {
                let pid = owner.pid;
                format!("watch that one with `--pid {pid}`, or check the URL")
            }),
            Self::NotListening(at) => Some(
                elsewhere_hint(&at.listens_on, &at.addresses)
                    .unwrap_or_else(|| "check the URL, and what is to be watched".to_owned()),
            ),
            Self::Container(error) => Some(error.hint().to_owned()),
            Self::NoProcess(_) | Self::NoProc(_) | Self::Resolve { .. } | Self::Elsewhere(_) => None,
        }
    }

    /// Whether another argument would help.
    #[must_use]
    pub const fn is_of_arguments(&self) -> bool {
        matches!(
            self,
            Self::NoProcess(_) | Self::Foreign { .. } | Self::NotListening(_) | Self::Container(_)
        )
    }
}

fn elsewhere(found: &Found, listens_on: &[Endpoint]) -> String {
    let is_open = !matches!(
        found,
        Found::Refused | Found::NoConnect | Found::Gone | Found::Socket(SocketFault::Missing | SocketFault::Stale)
    );
    if is_open || listens_on.is_empty() {
        return String::new();
    }
    format!("; it listens on {}", list(listens_on))
}

/// Where a service is reached that listens in a network namespace of its own, as one in a container does.
fn elsewhere_hint(listens_on: &[Endpoint], addresses: &[IpAddr]) -> Option<String> {
    let listening = listens_on.iter().find_map(|endpoint| match endpoint {
        Endpoint::Tcp {
            address,
            elsewhere: true,
        } => Some(address),
        Endpoint::Tcp { .. } | Endpoint::Unix(_) => None,
    })?;
    let port = listening.port();
    if listening.ip().is_loopback() {
        return Some(format!(
            "it listens only to its own network: let it listen on 0.0.0.0:{port}, and give the URL at which that is reached from here"
        ));
    }
    let own = addresses
        .first()
        .map(|address| format!(", or its own address, http://{}/", SocketAddr::new(*address, port)));
    let own = own.unwrap_or_default();
    Some(format!(
        "it has a network of its own: give the URL of the port that is published for {port}{own}"
    ))
}

fn left_behind(stale: Option<&SocketPath>) -> String {
    stale.map_or_else(String::new, |path| {
        format!("\nthe socket file {path} was there before, and nothing listened at it: an earlier run left it behind")
    })
}

fn name(owner: Option<&Owner>) -> String {
    owner.map_or_else(|| "another process".to_owned(), ToString::to_string)
}

fn tail(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  | {line}")).collect()
}
