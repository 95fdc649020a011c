//! Why an inspector cannot be used, in words for its user.

use std::time::Duration;
use thiserror::Error;

/// Where Node.js listens unless it is told otherwise.
pub(super) const USUAL_PORT: u16 = 9229;
/// From SIGUSR1 to an open port: a service under load takes it between two requests.
pub(super) const OPENING: Duration = Duration::from_secs(5);

/// The inspector of a process cannot be used. The text fits after "failed to".
#[derive(Debug, Error)]
pub enum InspectorError {
    /// None of the processes is one of Node.js that listens to SIGUSR1.
    #[error("open the inspector of the service: no process of it is one of Node.js that opens it on SIGUSR1")]
    NoNode,
    /// It did not open.
    #[error("open the inspector of {process}: it did not open within {} s of SIGUSR1", OPENING.as_secs())]
    NotOpened {
        /// Name and number of the process.
        process: String,
    },
    /// The connection failed.
    #[error("speak with the inspector of {process}: {found}")]
    Failed {
        /// Name and number of the process.
        process: String,
        /// How.
        found: String,
    },
    /// The process did not do what it was asked to.
    #[error("ask {process} what it keeps: {found}")]
    NotDone {
        /// Name and number of the process.
        process: String,
        /// Why not.
        found: String,
    },
}

impl InspectorError {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::NoNode => "give the id of the Node.js process with --pid, as the user who runs it; with --disable-sigusr1 it has to be \
                             started by plimsoll"
                .to_owned(),
            Self::NotOpened { .. } => format!(
                "see its output: another process may have port {USUAL_PORT}, or the service handles SIGUSR1 itself; \
                 else start it with --inspect"
            ),
            Self::NotDone { .. } => "go by its resident memory".to_owned(),
            Self::Failed { .. } => "leave the inspector to plimsoll: close DevTools and other debuggers".to_owned(),
        }
    }
}
