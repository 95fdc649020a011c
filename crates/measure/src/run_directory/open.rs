//! How the files of a directory are opened: each up to the most that one of its kind holds, and all of a
//! directory up to the most that it holds of that kind.

use super::budget::{Budget, Content};
use super::{DirectoryError, RUN};
use plimsoll_files::{Bounded, Directory};
use std::io;
use std::path::Path;

/// Opens a directory that the user named.
///
/// # Errors
/// [`DirectoryError::NotARun`] when there is none.
pub fn open(path: &Path) -> Result<Directory, DirectoryError> {
    Directory::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => not_a_run(path, "it does not exist"),
        io::ErrorKind::NotADirectory => not_a_run(path, "it is a file"),
        _ => DirectoryError::io("open", path, error),
    })
}

/// Opens a directory inside of another one, which no link leads out of.
///
/// # Errors
/// [`DirectoryError::NotARun`] when there is none, [`DirectoryError::Io`] when it cannot be opened.
pub fn inner(directory: &Directory, name: &str) -> Result<Directory, DirectoryError> {
    let path = directory.path().join(name);
    directory.inner(name).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => not_a_run(&path, "it does not exist"),
        io::ErrorKind::NotADirectory => not_a_run(&path, "it is a file"),
        _ => DirectoryError::io("open", &path, error),
    })
}

pub(super) fn not_a_run(path: &Path, found: &str) -> DirectoryError {
    DirectoryError::NotARun {
        path: path.to_owned(),
        found: found.to_owned(),
    }
}

/// What [`RUN`] would be in, where it is not there.
pub(super) fn without_run(directory: &Directory) -> DirectoryError {
    not_a_run(directory.path(), &format!("it is a directory without {RUN}"))
}

/// `None` when the file is not there.
pub(super) fn optional(directory: &Directory, name: &str, content: Content) -> Result<Option<Bounded>, DirectoryError> {
    match directory.file(name, content.most_bytes()) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(DirectoryError::io("read", &directory.path().join(name), error)),
    }
}

/// Its text.
pub(super) fn text(
    directory: &Directory,
    name: &str,
    content: Content,
    budget: &Budget,
) -> Result<String, DirectoryError> {
    optional_text(directory, name, content, budget)?
        .ok_or_else(|| DirectoryError::io("read", &directory.path().join(name), io::ErrorKind::NotFound.into()))
}

/// Its text; `None` when it is not there.
pub(super) fn optional_text(
    directory: &Directory,
    name: &str,
    content: Content,
    budget: &Budget,
) -> Result<Option<String>, DirectoryError> {
    let text = kept_text(directory, name, content)?;
    if let Some(text) = &text {
        budget.take(content, &directory.path().join(name), text.len())?;
    }
    Ok(text)
}

/// As [`optional_text`], before the budget of the directory was asked.
pub(super) fn kept_text(directory: &Directory, name: &str, content: Content) -> Result<Option<String>, DirectoryError> {
    let file = optional(directory, name, content)?;
    file.map(Bounded::text)
        .transpose()
        .map_err(|error| DirectoryError::io("read", &directory.path().join(name), error))
}
