//! Files that the user named on the command line. The user says what they are: a link to a file is that file, a pipe is
//! waited for, and `/dev/stdout` is standard output.

use crate::bounded::{Bounded, READ, refuse_other_than_regular};
use crate::stream;
use crate::whole::{self, Access, Taken};
use rustix::fd::{AsFd as _, BorrowedFd};
use rustix::fs::{FileType, Mode, OFlags, Stat};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The bytes of a file, a pipe or a terminal, at most `most_bytes`.
///
/// # Errors
/// When there is nothing, it is a directory, a socket or a device, it is too large, or it may not be read.
pub fn bytes(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    let about = rustix::fs::stat(path)?;
    let kind = FileType::from_raw_mode(about.st_mode);
    if kind == FileType::Socket && is_same(rustix::stdio::stdin(), &about) {
        // A socket cannot be opened by a name such as `/dev/stdin`.
        return standard_input(most_bytes);
    }
    // Whoever names a pipe means to wait for what comes out of it.
    let may_wait = matches!(kind, FileType::Fifo | FileType::CharacterDevice);
    let flags = if may_wait {
        READ.difference(OFlags::NONBLOCK)
    } else {
        READ
    };
    if kind != FileType::CharacterDevice && kind != FileType::Fifo {
        refuse_other_than_regular(kind)?;
    }
    let file = rustix::fs::open(path, flags, Mode::empty())?;
    any(file.into(), most_bytes)?.bytes()
}

/// The text of such a file.
///
/// # Errors
/// As [`bytes`], and when it is not UTF-8.
pub fn text(path: &Path, most_bytes: u64) -> io::Result<String> {
    String::from_utf8(bytes(path, most_bytes)?).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

/// What comes on standard input, at most `most_bytes`.
///
/// # Errors
/// When it is closed, too large, or cannot be read.
pub fn standard_input(most_bytes: u64) -> io::Result<Vec<u8>> {
    let input = rustix::stdio::stdin().try_clone_to_owned()?;
    Bounded::new(input.into(), most_bytes).bytes()
}

/// Of the devices, only a terminal says something that somebody meant.
fn any(file: File, most_bytes: u64) -> io::Result<Bounded> {
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&file)?.st_mode);
    match kind {
        FileType::Fifo => Ok(Bounded::new(file, most_bytes)),
        FileType::CharacterDevice if rustix::termios::isatty(&file) => Ok(Bounded::new(file, most_bytes)),
        _ => Bounded::regular(file, most_bytes),
    }
}

/// Writes a file whole, as the user's `umask` says; a file that is there keeps its mode. Where the name is a link, the
/// file that it leads to is written; a pipe or a device gets the content as it is.
///
/// # Errors
/// When it cannot be written; then a file that was there is still there.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    // Asked of the kernel first: it refuses links of others in a directory that belongs to all.
    let about = match rustix::fs::stat(path) {
        Ok(about) => Some(about),
        Err(rustix::io::Errno::NOENT) => None,
        Err(error) => return Err(error.into()),
    };
    if let Some(about) = &about {
        if let Some(stream) = standard_stream(about) {
            return into(stream.try_clone_to_owned()?.into(), content);
        }
        if !is_regular(about) || of_a_descriptor(path) {
            return in_place(path, OFlags::APPEND, content);
        }
    }
    let target = followed(path)?;
    let (directory, name) = parts(&target)?;
    let access = about
        .as_ref()
        .map_or(Access::Shared, |about| Access::Same(about.st_mode & 0o777));
    let refused = |error: &io::Error| {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
        matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | ResourceBusy)
    };
    let written = open_directory(directory)
        .and_then(|directory| whole::write(directory.as_fd(), name, content, access, Taken::Replace));
    match written {
        // A file that is mounted by itself, or one of ours in a directory that is not, can only be written where it is.
        Err(error) if about.is_some() && refused(&error) => in_place(&target, OFlags::TRUNC, content),
        written => written,
    }
}

/// Writes a new file whole, as the user's `umask` says.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] when there is anything of that name, else when it cannot be written.
pub fn create(path: &Path, content: &[u8]) -> io::Result<()> {
    let (directory, name) = parts(path)?;
    let directory = open_directory(directory)?;
    whole::write(directory.as_fd(), name, content, Access::Shared, Taken::Refuse)
}

fn open_directory(path: &Path) -> io::Result<rustix::fd::OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

fn is_regular(about: &Stat) -> bool {
    FileType::from_raw_mode(about.st_mode) == FileType::RegularFile
}

/// Standard output or standard error, where the file is what they go to: replaced by its name, what was printed before
/// would be lost.
fn standard_stream(about: &Stat) -> Option<BorrowedFd<'static>> {
    [rustix::stdio::stdout(), rustix::stdio::stderr()]
        .into_iter()
        .find(|stream| is_same(*stream, about))
}

fn is_same(stream: BorrowedFd<'_>, about: &Stat) -> bool {
    rustix::fs::fstat(stream).is_ok_and(|own| (own.st_dev, own.st_ino) == (about.st_dev, about.st_ino))
}

/// Such as `/dev/fd/3`: a file that the shell opened.
fn of_a_descriptor(path: &Path) -> bool {
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    parent.is_some_and(|parent| parent.starts_with("/proc") || parent.starts_with("/dev/fd"))
}

fn in_place(path: &Path, flags: OFlags, content: &[u8]) -> io::Result<()> {
    let flags = flags | OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
    into(rustix::fs::open(path, flags, Mode::empty())?.into(), content)
}

/// A reader that has gone has had enough.
fn into(file: File, content: &[u8]) -> io::Result<()> {
    match stream::write_all(file, content, || None) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Where links lead that the user made, also to a file that is not there yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    /// As many as the kernel follows.
    const MOST_LINKS: u32 = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match std::fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::ErrorKind::InvalidInput.into())
}

/// The directory and the name in it.
fn parts(path: &Path) -> io::Result<(&Path, &std::ffi::OsStr)> {
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    Ok((directory, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::thread;

    const KIB: u64 = 1024;

    fn pipe(path: &Path) {
        rustix::fs::mknodat(rustix::fs::CWD, path, FileType::Fifo, Mode::RWXU, 0).expect("made");
    }

    #[test]
    fn a_link_stays_and_leads_to_what_was_written() {
        let place = tempfile::tempdir().expect("a directory");
        let at = |name: &str| place.path().join(name);
        fs::create_dir(at("inner")).expect("made");
        for (link, target) in [
            ("to-file", "inner/file"),
            ("to-nothing", "inner/new"),
            ("to-link", "to-file"),
        ] {
            symlink(target, at(link)).expect("linked");
        }
        fs::write(at("inner/file"), "old").expect("written");
        fs::set_permissions(at("inner/file"), fs::Permissions::from_mode(0o646)).expect("set");
        for link in ["to-file", "to-nothing", "to-link"] {
            write(&at(link), link.as_bytes()).expect("written");
            assert_eq!(text(&at(link), KIB).expect("read"), link);
            assert!(fs::symlink_metadata(at(link)).expect("there").is_symlink(), "{link}");
        }
        let mode = fs::metadata(at("inner/file")).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o646, "it keeps its mode");
        assert_eq!(fs::read_dir(place.path()).expect("listed").count(), 4);
        symlink("circle", at("circle")).expect("linked");
        write(&at("circle"), b"").expect_err("it leads nowhere");
    }

    #[test]
    fn pipes_are_written_to_and_waited_for() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("pipe");
        pipe(&path);
        thread::scope(|scope| {
            scope.spawn(|| write(&path, b"content").expect("written"));
            assert_eq!(bytes(&path, KIB).expect("read"), b"content");
            scope.spawn(|| write(&path, &[b'x'; 2048]).expect("written, or its reader has gone"));
            let error = bytes(&path, KIB).expect_err("too large");
            assert_eq!(error.to_string(), "it is larger than 1024 bytes");
        });
        assert_eq!(fs::read_dir(place.path()).expect("listed").count(), 1);
    }

    #[test]
    fn devices_are_written_to_and_not_read() {
        assert_eq!(
            write(Path::new("/dev/full"), b"x").expect_err("full").kind(),
            io::ErrorKind::StorageFull
        );
        write(Path::new("/dev/null"), b"x").expect("written");
        assert_eq!(
            bytes(Path::new("/dev/zero"), KIB).expect_err("refused").to_string(),
            "it is a device, expected a regular file"
        );
    }

    #[test]
    fn a_new_file_takes_no_name_of_another() {
        let place = tempfile::tempdir().expect("a directory");
        let at = |name: &str| place.path().join(name);
        symlink("nothing", at("link")).expect("linked");
        create(&at("new"), b"content").expect("written");
        for name in ["new", "link"] {
            let error = create(&at(name), b"other").expect_err("taken");
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{name}");
        }
        assert_eq!(text(&at("new"), KIB).expect("read"), "content");
        assert_eq!(fs::read_dir(place.path()).expect("listed").count(), 2);
    }
}
