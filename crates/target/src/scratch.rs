//! A temporary directory that is gone however this process ends.

use crate::supervisor;
use crate::supervisor::wire::{added, over, removed};
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, Permissions};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, PipeWriter, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A directory of our own in the temporary directory, which only this user can enter. Dropping it removes it; when
/// this process ends without doing so, its keeper does.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// Directories elsewhere that go with it.
    others: Vec<PathBuf>,
}

impl Scratch {
    /// Makes it among the temporary files, with a name that begins like this.
    ///
    /// # Errors
    /// When it cannot be made, or nobody can be started who would remove it.
    pub fn new(prefix: &str) -> io::Result<Self> {
        // Absolute, because its keeper has another working directory.
        let parent = std::path::absolute(std::env::temp_dir())?;
        loop {
            let made = Self::at(parent.join(format!("{prefix}{:016x}", RandomState::new().hash_one(prefix))));
            if !made
                .as_ref()
                .is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists)
            {
                return made;
            }
        }
    }

    /// Makes it at this absolute path, where nothing is yet.
    ///
    /// # Errors
    /// When it cannot be made, or nobody can be started who would remove it.
    pub fn at(path: PathBuf) -> io::Result<Self> {
        lock().begin()?;
        // From here on its end is noted whatever happens.
        let mut scratch = Self {
            path: PathBuf::new(),
            others: Vec::new(),
        };
        // Told before it is there, so that there is no moment at which nobody would remove it.
        lock().add(&path);
        if let Err(error) = DirBuilder::new().mode(0o700).create(&path) {
            lock().remove(&path);
            return Err(error);
        }
        scratch.path = path;
        // The umask may have taken rights of our own.
        fs::set_permissions(&scratch.path, Permissions::from_mode(0o700))?;
        Ok(scratch)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Has a directory elsewhere go with this one, which is not there yet.
    pub fn takes_along(&mut self, other: PathBuf) {
        lock().add(&other);
        self.others.push(other);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        for path in self
            .others
            .iter()
            .chain([&self.path])
            .filter(|path| *path != OsStr::new(""))
        {
            // What cannot be removed now is tried again by the keeper.
            match fs::remove_dir_all(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {}
                _ => lock().remove(path),
            }
        }
        lock().end();
    }
}

/// The end of the pipe of the keeper, for a supervisor to hold.
pub(crate) fn keepers_pipe() -> Option<OwnedFd> {
    lock().pipe.as_ref()?.try_clone().ok().map(OwnedFd::from)
}

/// There is one keeper for all directories of this process, for as long as there are any.
struct Keeper {
    directories: usize,
    pipe: Option<PipeWriter>,
    child: Option<Child>,
}

static KEEPER: Mutex<Keeper> = Mutex::new(Keeper {
    directories: 0,
    pipe: None,
    child: None,
});

/// A thread that panicked left it as it was.
fn lock() -> MutexGuard<'static, Keeper> {
    KEEPER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Keeper {
    fn begin(&mut self) -> io::Result<()> {
        if self.directories == 0
            && let Some(mut command) = supervisor::keeper()
        {
            let (reader, writer) = io::pipe()?;
            command
                .stdin(OwnedFd::from(reader))
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            self.child = Some(command.spawn()?);
            self.pipe = Some(writer);
        }
        self.directories += 1;
        Ok(())
    }

    /// The keeper of the last directory has nothing left to do.
    fn end(&mut self) {
        self.directories -= 1;
        if self.directories > 0 {
            return;
        }
        self.tell(&over());
        self.pipe = None;
        if let Some(mut child) = self.child.take() {
            let _ = child.wait();
        }
    }

    fn add(&mut self, path: &Path) {
        self.tell(&added(path));
    }

    fn remove(&mut self, path: &Path) {
        self.tell(&removed(path));
    }

    /// Fails when somebody killed the keeper; then this process alone removes its directories.
    fn tell(&mut self, message: &[u8]) {
        if let Some(pipe) = &mut self.pipe {
            let _ = pipe.write_all(message);
        }
    }
}

/// The process of the keeper, if there is one.
pub(crate) fn keeper_process() -> Option<u32> {
    lock().child.as_ref().map(Child::id)
}
