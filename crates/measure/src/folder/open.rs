//! How the files of a directory are opened: each up to the most that one of its kind holds.

use super::{FolderError, RUN};
use plimsoll_files::{Bounded, Directory};
use std::io;
use std::path::Path;

const MIB: u64 = 1 << 20;

/// `run.json`, `host.json`, `comparison.json` and the like.
pub(super) const MOST_ABOUT_BYTES: u64 = 8 * MIB;
/// `findings.json`.
pub(super) const MOST_FINDINGS_BYTES: u64 = 16 * MIB;
/// Where the code in a profile comes from.
pub(super) const MOST_ORIGINS_BYTES: u64 = 32 * MIB;
/// `plan.json`: 16 MiB of bodies, in base64 or with their quotes escaped.
pub(super) const MOST_PLAN_BYTES: u64 = 24 * MIB;
/// Files of records, which are read one by one: a day and a half of ticks.
pub(super) const MOST_RECORDS_BYTES: u64 = 128 * MIB;
/// Their histograms, likewise.
pub(super) const MOST_HISTOGRAMS_BYTES: u64 = 2048 * MIB;
/// A profile as the runtime made it.
pub const MOST_PROFILE_BYTES: u64 = 48 * MIB;

/// Opens a directory that the user named.
///
/// # Errors
/// [`FolderError::NotARun`] when there is none.
pub fn open(path: &Path) -> Result<Directory, FolderError> {
    Directory::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => not_a_run(path, "there is nothing"),
        io::ErrorKind::NotADirectory => not_a_run(path, "it is a file"),
        _ => FolderError::io("open", path, error),
    })
}

/// Opens a directory inside of another one, which no link leads out of.
///
/// # Errors
/// [`FolderError::NotARun`] when there is none, [`FolderError::Io`] when it cannot be opened.
pub fn inner(directory: &Directory, name: &str) -> Result<Directory, FolderError> {
    let path = directory.path().join(name);
    directory.inner(name).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => not_a_run(&path, "there is nothing"),
        io::ErrorKind::NotADirectory => not_a_run(&path, "it is a file"),
        _ => FolderError::io("open", &path, error),
    })
}

pub(super) fn not_a_run(path: &Path, found: &str) -> FolderError {
    FolderError::NotARun {
        path: path.to_owned(),
        found: found.to_owned(),
    }
}

/// What [`RUN`] would be in, where it is not there.
pub(super) fn without_run(directory: &Directory) -> FolderError {
    not_a_run(directory.path(), &format!("it is a folder without {RUN}"))
}

/// `None` when the file is not there.
pub(super) fn optional(directory: &Directory, name: &str, most_bytes: u64) -> Result<Option<Bounded>, FolderError> {
    match directory.file(name, most_bytes) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FolderError::io("read", &directory.path().join(name), error)),
    }
}

/// Its text.
pub(super) fn text(directory: &Directory, name: &str, most_bytes: u64) -> Result<String, FolderError> {
    directory
        .text(name, most_bytes)
        .map_err(|error| FolderError::io("read", &directory.path().join(name), error))
}

/// Its text; `None` when it is not there.
pub(super) fn optional_text(directory: &Directory, name: &str, most_bytes: u64) -> Result<Option<String>, FolderError> {
    let file = optional(directory, name, most_bytes)?;
    file.map(Bounded::text)
        .transpose()
        .map_err(|error| FolderError::io("read", &directory.path().join(name), error))
}
