//! A directory whose contents may come from elsewhere.

use crate::bounded::{Bounded, READ, refuse_other_than_regular};
use crate::whole::{self, Access, Taken};
use rustix::fd::{AsFd as _, OwnedFd};
use rustix::fs::{AtFlags, Dir, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// A directory with more entries is none of ours.
const MOST_NAMES: usize = 100_000;

/// An open directory. What is in it is reached by its name alone, never by a path, and links in it are not followed: no
/// file outside of it is read or written, whatever happens in it meanwhile.
#[derive(Debug)]
pub struct Directory {
    descriptor: OwnedFd,
    path: PathBuf,
}

impl Directory {
    /// Opens the directory that the user named, which may be a link.
    ///
    /// # Errors
    /// When there is none, or it may not be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let descriptor = rustix::fs::open(path, flags, Mode::empty())?;
        let path = path.to_owned();
        Ok(Self { descriptor, path })
    }

    /// A directory in it.
    ///
    /// # Errors
    /// When there is none, it is a link, or it may not be read.
    pub fn inner(&self, name: &str) -> io::Result<Self> {
        let name = plain(name)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let descriptor =
            rustix::fs::openat(&self.descriptor, name, flags, Mode::empty()).map_err(|error| {
                match self.kind(name) {
                    Ok(FileType::Symlink) => io::Error::other("it is a link, and links in it are not followed"),
                    _ => error.into(),
                }
            })?;
        let path = self.path.join(name);
        Ok(Self { descriptor, path })
    }

    /// Where it is, for messages and for programs that are told of it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names of what is in it, in order. Names that are not UTF-8 are left out: none of ours is one.
    ///
    /// # Errors
    /// When it cannot be listed, or holds more than 100,000 names.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.descriptor)? {
            let entry = entry?;
            match entry.file_name().to_str() {
                Ok("." | "..") | Err(_) => {}
                Ok(_) if names.len() == MOST_NAMES => {
                    return Err(io::Error::other(format!("it holds more than {MOST_NAMES} names")));
                }
                Ok(name) => names.push(name.to_owned()),
            }
        }
        names.sort();
        Ok(names)
    }

    /// Whether it holds anything of this name, be it a link.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        plain(name).is_ok_and(|name| self.kind(name).is_ok())
    }

    /// A regular file in it of at most `most_bytes`, to be read.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] when there is none; else when it is anything but a regular file, too large, or may not
    /// be read.
    pub fn file(&self, name: &str, most_bytes: u64) -> io::Result<Bounded> {
        let name = plain(name)?;
        // Before it is opened, because opening a device can have effects; and again after, because it can be exchanged.
        refuse_other_than_regular(self.kind(name)?)?;
        let file = rustix::fs::openat(&self.descriptor, name, READ | OFlags::NOFOLLOW, Mode::empty())?;
        Bounded::regular(file.into(), most_bytes)
    }

    /// The text of a regular file in it.
    ///
    /// # Errors
    /// As [`Directory::file`], and when it is not UTF-8.
    pub fn text(&self, name: &str, most_bytes: u64) -> io::Result<String> {
        self.file(name, most_bytes)?.text()
    }

    /// Writes a file into it, for its owner alone: the whole of it or nothing. What had the name before is replaced.
    ///
    /// # Errors
    /// When it cannot be written; then what was there is still there.
    pub fn write(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let name = plain(name)?;
        whole::write(self.descriptor.as_fd(), name, content, Access::Private, Taken::Replace)
    }

    /// A new file in it that grows by what is appended, for its owner alone. A crash or a full disk can tear its end, so
    /// it is only for records that are read line by line.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] when the name is taken, else when it cannot be made.
    pub fn append(&self, name: &str) -> io::Result<File> {
        let flags =
            OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.descriptor, plain(name)?, flags, Access::Private.when_created())?;
        Ok(file.into())
    }

    /// A file of ours in it that goes on growing behind its first `kept_bytes`. What is there behind them is cut off.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] when there is none; else when it is anything but a regular file of this directory alone, or may not be
    /// written.
    pub fn append_behind(&self, name: &str, kept_bytes: u64) -> io::Result<File> {
        let name = plain(name)?;
        refuse_other_than_regular(self.kind(name)?)?;
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file: File = rustix::fs::openat(&self.descriptor, name, flags, Mode::empty())?.into();
        let about = rustix::fs::fstat(&file)?;
        refuse_other_than_regular(FileType::from_raw_mode(about.st_mode))?;
        if about.st_nlink > 1 {
            return Err(io::Error::other("it has another name, perhaps elsewhere"));
        }
        if u64::try_from(about.st_size).is_ok_and(|size| size > kept_bytes) {
            file.set_len(kept_bytes)?;
        }
        Ok(file)
    }

    /// Keeps others from [locking](Self::lock) it for as long as it is open, or its process lives. False where another one has it. Where the
    /// file system has no locks, everybody gets one.
    #[must_use]
    pub fn lock(&self) -> bool {
        let locked = rustix::fs::flock(&self.descriptor, FlockOperation::NonBlockingLockExclusive);
        locked != Err(Errno::WOULDBLOCK)
    }

    /// Makes a directory in `parent`, for its owner alone, and opens it.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] when the name is taken, else when it cannot be made.
    pub fn create(parent: &Path, name: &str) -> io::Result<Self> {
        let parent = Self::open(parent)?;
        rustix::fs::mkdirat(&parent.descriptor, plain(name)?, Mode::RWXU)?;
        parent.inner(name)
    }

    /// Makes a directory, and those above it that are missing, for their owner alone. Those that are there stay as they
    /// are.
    ///
    /// # Errors
    /// When one cannot be made, or is a file.
    pub fn create_all(path: &Path) -> io::Result<()> {
        DirBuilder::new()
            .recursive(true)
            .mode(Mode::RWXU.as_raw_mode())
            .create(path)
    }

    fn kind(&self, name: &OsStr) -> io::Result<FileType> {
        let about = rustix::fs::statat(&self.descriptor, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(FileType::from_raw_mode(about.st_mode))
    }
}

/// A name leads nowhere else.
fn plain(name: &str) -> io::Result<&OsStr> {
    if matches!(name, "" | "." | "..") || name.contains(['/', '\0']) {
        let message = format!("{name:?} is a path, expected a name");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(OsStr::new(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write as _;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use std::os::unix::net::UnixListener;

    const KIB: u64 = 1024;

    fn directory() -> (tempfile::TempDir, Directory) {
        let place = tempfile::tempdir().expect("a directory");
        let directory = Directory::create(place.path(), "run").expect("made");
        (place, directory)
    }

    fn refusal(directory: &Directory, name: &str) -> String {
        directory.text(name, KIB).expect_err("refused").to_string()
    }

    #[test]
    fn links_are_not_followed() {
        let (place, directory) = directory();
        let outside = place.path().join("outside");
        fs::create_dir(&outside).expect("made");
        fs::write(outside.join("secret"), "text").expect("written");
        for (name, target) in [
            ("file", "../outside/secret"),
            ("directory", "../outside"),
            ("nothing", "gone"),
        ] {
            symlink(target, directory.path().join(name)).expect("linked");
            assert!(refusal(&directory, name).contains("it is a link"), "{name}");
            assert!(
                directory
                    .inner(name)
                    .expect_err("refused")
                    .to_string()
                    .contains("it is a link"),
                "{name}"
            );
            assert!(directory.has(name));
        }
        for path in [
            "../outside/secret",
            "directory/secret",
            "..",
            ".",
            "",
            "/etc/hostname",
            "a\0b",
        ] {
            assert!(refusal(&directory, path).contains("expected a name"), "{path}");
        }
    }

    #[test]
    fn only_regular_files_are_read() {
        let (_place, directory) = directory();
        let path = directory.path();
        rustix::fs::mknodat(rustix::fs::CWD, path.join("pipe"), FileType::Fifo, Mode::RWXU, 0).expect("made");
        let _socket = UnixListener::bind(path.join("socket")).expect("bound");
        fs::create_dir(path.join("directory")).expect("made");
        let refused = |name| refusal(&directory, name);
        assert_eq!(refused("pipe"), "it is a pipe, expected a regular file");
        assert_eq!(refused("socket"), "it is a socket, expected a regular file");
        assert_eq!(refused("directory"), "it is a directory, expected a regular file");
        assert_eq!(
            directory.text("gone", KIB).expect_err("refused").kind(),
            io::ErrorKind::NotFound
        );
        let devices = Directory::open(Path::new("/dev")).expect("there");
        assert_eq!(
            devices.text("zero", KIB).expect_err("refused").to_string(),
            "it is a device, expected a regular file"
        );
    }

    #[test]
    fn reading_ends_at_the_limit() {
        let (_place, directory) = directory();
        directory.write("exact", &[b'x'; 1024]).expect("written");
        assert_eq!(directory.text("exact", KIB).expect("read").len(), 1024);
        directory.write("larger", &[b'x'; 1025]).expect("written");
        assert_eq!(refusal(&directory, "larger"), "it is larger than 1024 bytes");

        let grows = directory.file("exact", KIB).expect("opened");
        fs::write(directory.path().join("exact"), [b'x'; 4096]).expect("written");
        assert_eq!(grows.bytes().expect_err("refused").kind(), io::ErrorKind::FileTooLarge);
        // Files of the kernel say that they are empty.
        let kernel = Directory::open(Path::new("/proc/self")).expect("there");
        assert_eq!(
            kernel.text("status", 10).expect_err("refused").kind(),
            io::ErrorKind::FileTooLarge
        );
    }

    #[test]
    fn writing_replaces_links_and_touches_nothing_else() {
        let (place, directory) = directory();
        let outside = place.path().join("outside");
        fs::write(&outside, "kept").expect("written");
        symlink(&outside, directory.path().join("link")).expect("linked");
        fs::hard_link(&outside, directory.path().join("hard")).expect("linked");
        for name in ["link", "hard", "new"] {
            directory.write(name, b"ours").expect("written");
            assert_eq!(directory.text(name, KIB).expect("read"), "ours");
            let about = fs::symlink_metadata(directory.path().join(name)).expect("there");
            assert_eq!(
                (about.nlink(), about.permissions().mode() & 0o777),
                (1, 0o600),
                "{name}"
            );
        }
        assert_eq!(fs::read_to_string(&outside).expect("read"), "kept");
        assert_eq!(directory.names().expect("listed"), ["hard", "link", "new"]);
        let mode = fs::metadata(directory.path()).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn directories_that_were_missing_are_their_owners() {
        let (place, directory) = directory();
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).expect("ours");
        let inner = directory.path().join("above/below");
        for _ in 0..2 {
            Directory::create_all(&inner).expect("made");
            assert_eq!(mode(&inner), 0o700);
            assert_eq!(mode(inner.parent().expect("above")), 0o700);
            assert_eq!(mode(directory.path()), 0o755, "it was there before");
        }
        fs::write(place.path().join("file"), "").expect("written");
        Directory::create_all(&place.path().join("file/below")).expect_err("a file");
    }

    #[test]
    fn a_failed_write_leaves_what_was_there() {
        let (_place, directory) = directory();
        fs::create_dir(directory.path().join("taken")).expect("made");
        directory.write("taken", b"ours").expect_err("it is a directory");
        assert_eq!(directory.names().expect("listed"), ["taken"]);
    }

    #[test]
    fn file_goes_on_growing_behind_what_is_kept() {
        let (place, directory) = directory();
        directory.write("records", b"one\ntwo\nto").expect("written");
        let mut file = directory.append_behind("records", 8).expect("opened");
        file.write_all(b"three\n").expect("appended");
        assert_eq!(directory.text("records", KIB).expect("read"), "one\ntwo\nthree\n");
        // Never longer than it was.
        directory.append_behind("records", 100).expect("opened");
        assert_eq!(directory.text("records", KIB).expect("read").len(), 14);
        let gone = directory.append_behind("gone", 0).expect_err("there is none");
        assert_eq!(gone.kind(), io::ErrorKind::NotFound);
        let outside = place.path().join("outside");
        fs::write(&outside, "kept").expect("written");
        symlink(&outside, directory.path().join("link")).expect("linked");
        fs::hard_link(&outside, directory.path().join("hard")).expect("linked");
        for name in ["link", "hard", "../outside"] {
            directory.append_behind(name, 0).expect_err("it is elsewhere");
        }
        assert_eq!(fs::read_to_string(&outside).expect("read"), "kept");
    }

    #[test]
    fn directory_is_locked_by_one_that_is_open() {
        let (_place, directory) = directory();
        let other = Directory::open(directory.path()).expect("there");
        assert!(directory.lock());
        assert!(!other.lock());
        drop(directory);
        assert!(other.lock());
    }

    #[test]
    fn records_are_appended_to_a_new_file_alone() {
        let (place, directory) = directory();
        symlink(place.path().join("outside"), directory.path().join("link")).expect("linked");
        directory.append("records").expect("made");
        for name in ["records", "link"] {
            let error = directory.append(name).expect_err("taken");
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{name}");
        }
    }
}
