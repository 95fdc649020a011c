//! Files whose path stands in another file: the body of a request, a module, a source map.

use crate::bounded::{Bounded, READ, refuse_other_than_regular};
use rustix::fs::{FileType, Mode};
use std::io;
use std::path::Path;

/// Opens a regular file of at most `most_bytes`; a link is followed.
///
/// # Errors
/// [`io::ErrorKind::NotFound`] when there is none; else when it is anything but a regular file, too large, or may not be
/// read.
pub fn file(path: &Path, most_bytes: u64) -> io::Result<Bounded> {
    let kind = FileType::from_raw_mode(rustix::fs::stat(path)?.st_mode);
    refuse_other_than_regular(kind)?;
    let file = rustix::fs::open(path, READ, Mode::empty())?;
    Bounded::regular(file.into(), most_bytes)
}

/// Its bytes.
///
/// # Errors
/// As [`file()`].
pub fn bytes(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    file(path, most_bytes)?.bytes()
}

/// Its text.
///
/// # Errors
/// As [`file()`], and when it is not UTF-8.
pub fn text(path: &Path, most_bytes: u64) -> io::Result<String> {
    file(path, most_bytes)?.text()
}
