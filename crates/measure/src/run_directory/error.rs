//! What can go wrong with a run directory, in words for its user.

use super::RUN;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A run directory could not be written or read. The text fits after "failed to".
#[derive(Debug, Error)]
pub enum DirectoryError {
    /// The operating system refused.
    #[error("{doing} {}: {}", path.display(), cause(source))]
    Io {
        /// What was tried: `create`, `append to`, `read` …
        doing: &'static str,
        /// On which file or directory.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// There is no run in this place.
    #[error("read {} as a run directory: {found}", path.display())]
    NotARun {
        /// What was given.
        path: PathBuf,
        /// What is there instead.
        found: String,
    },
    /// A newer plimsoll wrote it.
    #[error("read {}: found {found}, expected {expected} or older", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: String,
        /// The format of this version.
        expected: String,
    },
    /// The run in this place is written by another process.
    #[error("add to {}: its run still goes on", path.display())]
    GoesOn {
        /// The directory.
        path: PathBuf,
    },
    /// A file holds something else than it should.
    #[error("read {}: {found}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong and where.
        found: String,
    },
}

impl DirectoryError {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Io { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    Some("free some space, or write the run elsewhere".to_owned())
                }
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    Some("write the run to a directory that belongs to you".to_owned())
                }
                _ => None,
            },
            Self::NotARun { .. } => Some(format!("a run directory contains a {RUN}")),
            Self::Newer { .. } => Some("update plimsoll".to_owned()),
            Self::GoesOn { .. } => Some("wait until it ends, or stop it with Ctrl-C".to_owned()),
            Self::Malformed { .. } => None,
        }
    }

    /// Whether there is no room for what was to be written.
    #[must_use]
    pub fn is_full(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self, Self::Io { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge))
    }

    pub(super) fn malformed(path: &Path, found: String) -> Self {
        let path = path.to_owned();
        Self::Malformed { path, found }
    }

    pub(super) fn io(doing: &'static str, path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self::Io { doing, path, source }
    }
}

/// The operating system's words without its capital letter and number.
fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_lowercase().chain(letters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fit_after_failed_to() {
        let source = io::Error::from_raw_os_error(28);
        let error = DirectoryError::io("append to", Path::new("runs/a/ticks.jsonl"), source);
        assert_eq!(
            error.to_string(),
            "append to runs/a/ticks.jsonl: no space left on device"
        );
        assert!(error.hint().is_some_and(|hint| hint.contains("space")));
    }
}
