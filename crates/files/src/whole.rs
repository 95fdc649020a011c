//! Writing a file so that a reader sees the old content or the new one, and a full disk leaves the old one.

use rustix::fd::BorrowedFd;
use rustix::fs::{AtFlags, Mode, OFlags};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicU32, Ordering};

/// Who may read what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// The owner alone.
    Private,
    /// As the user's `umask` says.
    Shared,
    /// As the file that it replaces.
    Same(u32),
}

impl Access {
    pub(crate) const fn when_created(self) -> Mode {
        Mode::from_raw_mode(match self {
            Self::Private | Self::Same(_) => 0o600,
            Self::Shared => 0o666,
        })
    }
}

/// What happens to a file that has the name already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    Replace,
    Refuse,
}

/// Writes `content` under a temporary name beside `name` and then gives it its name. A link of that name is replaced, not
/// followed.
pub(crate) fn write(
    directory: BorrowedFd<'_>,
    name: &OsStr,
    content: &[u8],
    access: Access,
    taken: Taken,
) -> io::Result<()> {
    let (temporary, mut file) = temporary(directory, name, access)?;
    let written = file.write_all(content).and_then(|()| {
        if let Access::Same(mode) = access {
            rustix::fs::fchmod(&file, Mode::from_raw_mode(mode))?;
        }
        match taken {
            Taken::Replace => rustix::fs::renameat(directory, &temporary, directory, name)?,
            Taken::Refuse => give_name(directory, &temporary, name)?,
        }
        Ok(())
    });
    if written.is_err() {
        // Left behind it would only take space; why writing failed matters more than whether this works.
        let _ = rustix::fs::unlinkat(directory, &temporary, AtFlags::empty());
    }
    written
}

/// Renames, unless the name is taken.
fn give_name(directory: BorrowedFd<'_>, temporary: &OsStr, name: &OsStr) -> rustix::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::RenameFlags;
        use rustix::io::Errno;
        match rustix::fs::renameat_with(directory, temporary, directory, name, RenameFlags::NOREPLACE) {
            // A file system, or a kernel, that does not know this.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            known => return known,
        }
    }
    rustix::fs::linkat(directory, temporary, directory, name, AtFlags::empty())?;
    rustix::fs::unlinkat(directory, temporary, AtFlags::empty())
}

/// A new file beside `name`, hidden, and named after it.
fn temporary(directory: BorrowedFd<'_>, name: &OsStr, access: Access) -> io::Result<(OsString, File)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    /// A name has at most 255 bytes, and a letter up to four.
    const MOST_LETTERS: usize = 50;
    let name: String = name.to_string_lossy().chars().take(MOST_LETTERS).collect();
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let temporary = OsString::from(format!(".{name}.{}-{number}.tmp", std::process::id()));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match rustix::fs::openat(directory, &temporary, flags, access.when_created()) {
            Ok(file) => return Ok((temporary, file.into())),
            Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
