//! What the kernel says in `/proc` and `/sys`, and is told there. It is read as it comes: such files have no size, and the
//! kernel ends them.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// A table of a million sockets has about 150 MB.
const MOST_BYTES: u64 = 1 << 30;

/// A file, to be read line by line.
///
/// # Errors
/// When there is none, or it may not be read.
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    File::open(path)
}

/// The text of a file.
///
/// # Errors
/// When there is none, it may not be read, or it is not UTF-8.
pub fn text(path: impl AsRef<Path>) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

/// Sets a value: writes to a file that the kernel has there.
///
/// # Errors
/// When there is none, it may not be written, or the kernel does not take the value.
pub fn set(path: impl AsRef<Path>, value: &str) -> io::Result<()> {
    // At once: each write is a value of its own.
    File::options().write(true).open(path)?.write_all(value.as_bytes())
}

/// The bytes of a file, where a process wrote them itself, such as its arguments.
///
/// # Errors
/// When there is none, or it may not be read.
pub fn bytes(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}
