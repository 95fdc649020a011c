//! Files of ours that a program is given as its output, which grow as it writes.

use crate::bounded::{READ, refuse_other_than_regular};
use crate::whole::Access;
use rustix::fs::{FileType, Mode, OFlags};
use std::fs::File;
use std::io;
use std::path::Path;

/// A file that is appended to and can be read, for its owner alone; a link is not followed.
///
/// # Errors
/// When it cannot be opened.
pub fn appended(path: &Path) -> io::Result<File> {
    open(path, OFlags::empty())
}

/// As [`appended`], without what was in it.
///
/// # Errors
/// When it cannot be opened.
pub fn fresh(path: &Path) -> io::Result<File> {
    open(path, OFlags::TRUNC)
}

/// What a program wrote, to be read. The program may still write, or have put something else in its place.
///
/// # Errors
/// When there is no such file, or it is anything but a regular file.
pub fn written(path: &Path) -> io::Result<File> {
    there(path, READ)
}

/// As [`written`], to be overwritten in places as well.
///
/// # Errors
/// As [`written`].
pub fn rewritable(path: &Path) -> io::Result<File> {
    there(path, READ | OFlags::RDWR)
}

fn there(path: &Path, flags: OFlags) -> io::Result<File> {
    let file: File = rustix::fs::open(path, flags | OFlags::NOFOLLOW, Mode::empty())?.into();
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&file)?.st_mode);
    refuse_other_than_regular(kind).map(|()| file)
}

fn open(path: &Path, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Access::Private.when_created())?.into())
}
