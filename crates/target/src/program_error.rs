//! What is said of a program that did not do what it was run for.

use crate::error::hint_on_refusal;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;
use thiserror::Error;

/// A program did not do what it was run for. The text fits after "failed to".
#[derive(Debug, Error)]
pub enum ProgramError {
    /// It could not be started.
    #[error("run {program}: {source}")]
    Spawn {
        /// Its name.
        program: String,
        /// Why not.
        source: io::Error,
    },
    /// Nobody could be started who would end it.
    #[error("start a supervisor for {program}: {source}")]
    Supervise {
        /// Its name.
        program: String,
        /// Why not.
        source: io::Error,
    },
    /// It lost its supervisor.
    #[error("run {program}: its supervisor was killed, so it was stopped")]
    Lost {
        /// Its name.
        program: String,
    },
    /// The file of its output cannot be used.
    #[error("keep what a program prints in {}: {source}", path.display())]
    Output {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It did not end well.
    #[error("run {program}: it ended with {status}{}", said(last_lines))]
    Failed {
        /// Its name.
        program: String,
        /// How it ended.
        status: ExitStatus,
        /// What it wrote to standard error last.
        last_lines: Vec<String>,
    },
    /// It did not end in time.
    #[error("run {program}: it had not ended after {} s{}", limit.as_secs(), said(last_lines))]
    TooLong {
        /// Its name.
        program: String,
        /// What it had.
        limit: Duration,
        /// What it wrote to standard error last.
        last_lines: Vec<String>,
    },
    /// It did not say what it should.
    #[error("run {program}: it printed {found}, expected {expected}")]
    Said {
        /// Its name.
        program: String,
        /// What it printed.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The user stopped it.
    #[error("run {program}: it was stopped")]
    Cancelled {
        /// Its name.
        program: String,
    },
}

impl ProgramError {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Spawn { source, .. } | Self::Supervise { source, .. } | Self::Output { source, .. } => {
                hint_on_refusal(source)
            }
            Self::Lost { .. }
            | Self::Failed { .. }
            | Self::TooLong { .. }
            | Self::Said { .. }
            | Self::Cancelled { .. } => None,
        }
    }
}

fn said(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n  {line}")).collect()
}
