//! Why an experiment could not be made.

use plimsoll_engine::{EngineError, ResolveError};
use plimsoll_fleet::BusError;
use plimsoll_measure::run_directory::{DirectoryError, MOST_ROUNDS};
use plimsoll_plan::PlanError;
use plimsoll_target::{
    AttachError, NeighbourError, NoLimits, NoSuchCores, ProgramError, SocketError, StartError, hint_on_refusal,
};
use plimsoll_tls::SetupError;
use std::path::PathBuf;
use thiserror::Error;

/// An experiment did not come to a result. The text fits after "failed to".
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LabError {
    /// The plan cannot be put into practice.
    #[error("use the plan: {0}")]
    Plan(String),
    /// A series that could not be read back.
    #[error("begin a series: it may take {most} rounds, expected at most {MOST_ROUNDS}")]
    TooManyRounds {
        /// With those of blocks that are run again.
        most: usize,
    },
    /// A service that is compared with itself stopped to work.
    #[error("measure noise: {0}")]
    Noise(String),
    /// The service could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A neighbour of the service could not be started.
    #[error(transparent)]
    Neighbour(#[from] NeighbourError),
    /// There is no place for what programs beside the service write.
    #[error("make a directory for what programs beside the service write: {0}")]
    Scratch(#[source] std::io::Error),
    /// A stand-in cannot be told what to do.
    #[error("stand in for {name}: {found}")]
    StandIn {
        /// Of the neighbour.
        name: String,
        /// Why not.
        found: String,
    },
    /// The running service cannot be watched.
    #[error(transparent)]
    Attach(#[from] AttachError),
    /// The host name has no address.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// Nothing can be sent to the unix socket.
    #[error(transparent)]
    Socket(#[from] SocketError),
    /// TLS cannot be spoken as the plan says.
    #[error(transparent)]
    Tls(#[from] SetupError),
    /// A file with certificates or a key cannot be read.
    #[error("read {path}: {source}")]
    Certificate {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The generator could not be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The wanted way to drive sockets is not to be had.
    #[error("use io_uring: {0}")]
    Io(#[source] std::io::Error),
    /// Connections cannot leave from an address that was named.
    #[error("send from {address}: {found}")]
    LocalAddress {
        /// As it was named.
        address: std::net::IpAddr,
        /// Why not.
        found: String,
    },
    /// Cores that were named are not there.
    #[error(transparent)]
    Cores(#[from] NoSuchCores),
    /// The service cannot be limited as the plan says.
    #[error(transparent)]
    Limits(#[from] NoLimits),
    /// A thread that never sleeps would have to share its core.
    #[error("use --spin: {0}")]
    Spin(String),
    /// The run directory cannot be made or read.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// A variant of a comparison cannot be run.
    #[error("run variant {name}: failed to {source}")]
    Variant {
        /// What it is called.
        name: String,
        /// Why not.
        source: Box<LabError>,
        /// What to do about it, where `source` does not say it.
        hint: Option<String>,
    },
    /// A revision of the service cannot be checked out.
    #[error("use revision {revision}: {found}")]
    Revision {
        /// As the user wrote it.
        revision: String,
        /// What is wrong.
        found: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// A program did not do what it was run for.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The probe has no socket to report to.
    #[error("listen for the probe: {0}")]
    Probe(#[source] std::io::Error),
    /// Something was not left out of the service.
    #[error("leave out {name}: {found}")]
    Removal {
        /// As the user wrote it.
        name: String,
        /// Why not.
        found: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// The bus of the fleet carries nothing.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// There is no fleet that could make the load.
    #[error("make the load with a fleet: {found}")]
    Fleet {
        /// What is wrong.
        found: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// A service on other machines cannot be measured.
    #[error("start service {service} with its target agents: {found}")]
    Hosted {
        /// What runs call it.
        service: String,
        /// What is wrong.
        found: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// A fleet on this machine cannot be started, or has ended.
    #[error("keep a fleet on this machine: {found}")]
    LocalFleet {
        /// What is wrong.
        found: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// A run that was cut off cannot be completed.
    #[error("complete the run: {found}")]
    Resume {
        /// What is wrong.
        found: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// What comes before the load failed.
    #[error("do what comes before the load: {0}")]
    Before(String),
    /// The user stopped it before there was any load.
    #[error("begin the load: stopped by the user")]
    Stopped,
    /// There is nothing to diagnose.
    #[error("diagnose the service: {0}")]
    Diagnosis(String),
    /// The plan kept in a run directory cannot be read.
    #[error("read the plan of the run: {0}")]
    KeptPlan(String),
}

impl From<PlanError> for LabError {
    fn from(error: PlanError) -> Self {
        Self::Plan(error.to_string())
    }
}

impl LabError {
    /// What is kept of it: what failed, and what the user can do about it.
    pub(crate) fn with_hint(&self) -> String {
        let hint = self.hint().map_or(String::new(), |hint| format!(" ({hint})"));
        format!("failed to {self}{hint}")
    }

    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Start(error) => error.hint(),
            Self::Neighbour(error) => error.hint(),
            Self::Attach(error) => error.hint(),
            Self::Socket(error) => error.hint(),
            Self::Directory(error) => error.hint(),
            Self::Variant { source, hint, .. } => source.hint().or_else(|| hint.clone()),
            Self::Revision { hint, .. }
            | Self::Removal { hint, .. }
            | Self::Fleet { hint, .. }
            | Self::Hosted { hint, .. }
            | Self::Resume { hint, .. }
            | Self::LocalFleet { hint, .. } => hint.clone(),
            Self::Bus(error) => error.hint.clone(),
            Self::Resolve(_) => Some("check the spelling of the host in the target's URL".to_owned()),
            Self::Engine(EngineError::Start(error)) => hint_on_refusal(error),
            Self::Engine(EngineError::Pin { .. }) => {
                Some("choose other cores, or leave out --generator-cpus".to_owned())
            }
            Self::Engine(EngineError::OwnTable(_)) => Some(
                "containers often forbid it; raise the limit of one table with `ulimit -n`, or hold fewer connections"
                    .to_owned(),
            ),
            Self::Io(_) => {
                Some("it needs Linux 6.1 or newer, and containers often forbid it; leave out --io".to_owned())
            }
            Self::Cores(error) => Some(error.hint()),
            Self::Limits(error) => Some(error.hint()),
            Self::LocalAddress { .. } => Some(
                "give addresses of this machine with --local-addrs (`ip address` lists them), or leave it out"
                    .to_owned(),
            ),
            Self::Spin(_) => {
                Some("change --threads, --generator-cpus or --target-cpus, or leave out --spin".to_owned())
            }
            Self::Probe(error) | Self::Scratch(error) => hint_on_refusal(error)
                .or_else(|| Some("set TMPDIR to a writable directory for temporary files".to_owned())),
            Self::TooManyRounds { .. } => {
                Some("use fewer --rounds, variants or sizes; half of the rounds may be run again".to_owned())
            }
            Self::Program(error) => error.hint(),
            Self::Tls(SetupError::System(_)) => Some(
                "install ca-certificates, or name the authorities of the service with --cacert or `target.tls.ca`"
                    .to_owned(),
            ),
            Self::Tls(_) | Self::Certificate { .. } => {
                Some("give files in PEM, whose blocks begin with `-----BEGIN`".to_owned())
            }
            Self::Before(_) => {
                Some("nothing was measured; see `scenario.before` of the plan and the output of the service".to_owned())
            }
            Self::StandIn { .. }
            | Self::Stopped
            | Self::Diagnosis(_)
            | Self::Noise(_)
            | Self::Plan(_)
            | Self::Engine(_)
            | Self::KeptPlan(_) => None,
        }
    }

    /// Whether the user stopped it before there was anything to report.
    #[must_use]
    pub fn cancelled(&self) -> bool {
        match self {
            Self::Stopped | Self::Start(StartError::Cancelled) | Self::Program(ProgramError::Cancelled { .. }) => true,
            Self::Neighbour(error) => error.cancelled(),
            Self::Variant { source, .. } => source.cancelled(),
            _ => false,
        }
    }

    /// Whether the plan or how it was to be run is at fault, and not what it was to be done with.
    #[must_use]
    pub fn is_of_plan(&self) -> bool {
        match self {
            Self::Plan(_)
            | Self::TooManyRounds { .. }
            | Self::Cores(_)
            | Self::Limits(_)
            | Self::Spin(_)
            | Self::LocalAddress { .. } => true,
            Self::Attach(error) => error.is_of_arguments(),
            Self::Variant { source, .. } => source.is_of_plan(),
            _ => false,
        }
    }
}
