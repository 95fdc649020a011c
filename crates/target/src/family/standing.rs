//! How a family is, and what it took to start and to end it.

use std::io;
use std::process::ExitStatus;

/// Why a program did not start.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It may not run on the cpus.
    Pin,
    /// It cannot be moved into its control group; why not.
    Limit(String),
    /// It cannot be run.
    Run(io::Error),
    /// Nobody can be started who would end it.
    Supervise(io::Error),
}

/// How a family is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Standing {
    /// How its first process ended, if it did.
    pub(crate) first: Option<ExitStatus>,
    /// How the last of all its processes ended, if all did.
    pub(crate) all: Option<ExitStatus>,
    /// Somebody ended its supervisor.
    pub(crate) lost: bool,
}

/// What it took to end a family.
#[derive(Debug, Default)]
pub(crate) struct End {
    /// Names and pids of the processes that had to be killed.
    pub(crate) killed: Vec<String>,
    /// How its first process ended.
    pub(crate) first: Option<ExitStatus>,
}
