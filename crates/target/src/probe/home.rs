//! The directory that brings the probe into a service: the script that Node.js loads, and the socket on which it reports.
//!
//! Whoever can write here decides what runs in the service, so only this user can enter, whatever the umask. Its path is
//! plain: Node.js splits `NODE_OPTIONS` at spaces and unquotes it by rules of its own, and wrappers by theirs.

use crate::Scratch;
use plimsoll_files::{Directory, handed};
use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::PathBuf;

/// What Node.js loads into the service.
const PROBE: &str = include_str!("../../../../probe/probe.cjs");
const PROBE_FILE: &str = "probe.cjs";
const SOCKET_FILE: &str = "socket";
/// Of a path on which a socket can listen, and its final zero does not count: the least of all systems, bytes.
const SOCKET_PATH_MAX: usize = 103;
/// Tried in this order after the directory for temporary files that the user chose.
const PLACES: &[&str] = &["/tmp", "/var/tmp", "/dev/shm"];

/// A directory of our own. It goes with what is in it when this is dropped.
#[derive(Debug)]
pub(super) struct Home {
    scratch: Scratch,
}

impl Home {
    pub(super) fn make() -> io::Result<Self> {
        let chosen = [
            Some(std::env::temp_dir()),
            std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from),
        ];
        let chosen = chosen
            .into_iter()
            .flatten()
            .filter_map(|path| std::path::absolute(path).ok());
        Self::make_below(chosen.chain(PLACES.iter().map(PathBuf::from)))
    }

    fn make_below(places: impl Iterator<Item = PathBuf>) -> io::Result<Self> {
        let mut refused = io::Error::new(
            io::ErrorKind::NotFound,
            "no directory for temporary files has a path that needs no quoting",
        );
        for place in places {
            let path = place.join(format!("plimsoll-{:016x}{:016x}", random(), random()));
            if !is_plain(path.as_os_str()) || path.as_os_str().len() + 1 + SOCKET_FILE.len() > SOCKET_PATH_MAX {
                continue;
            }
            match Self::make_at(path) {
                Ok(home) => return Ok(home),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    fn make_at(path: PathBuf) -> io::Result<Self> {
        // From here on it is removed whatever happens.
        let home = Self {
            scratch: Scratch::at(path)?,
        };
        let mut script = Directory::open(home.scratch.path())?.append(PROBE_FILE)?;
        script.write_all(PROBE.as_bytes())?;
        script.set_permissions(Permissions::from_mode(0o400))?;
        home.check()?;
        Ok(home)
    }

    /// The script that Node.js loads.
    pub(super) fn script(&self) -> PathBuf {
        self.scratch.path().join(PROBE_FILE)
    }

    /// Where the probe reports.
    pub(super) fn socket(&self) -> PathBuf {
        self.scratch.path().join(SOCKET_FILE)
    }

    /// Refuses a directory or a script that is not the one that was made.
    pub(super) fn check(&self) -> io::Result<()> {
        let directory = std::fs::symlink_metadata(self.scratch.path())?;
        let is_ours = directory.is_dir()
            && directory.uid() == rustix::process::geteuid().as_raw()
            && directory.mode() & 0o077 == 0;
        let script = handed::written(&self.script())?;
        if is_ours && holds(&script, PROBE.as_bytes())? {
            return Ok(());
        }
        Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("somebody else changed {}", self.scratch.path().display()),
        ))
    }
}

fn holds(file: &File, expected: &[u8]) -> io::Result<bool> {
    let mut found = Vec::with_capacity(expected.len() + 1);
    file.take(expected.len() as u64 + 1).read_to_end(&mut found)?;
    Ok(found == expected)
}

/// The keys of a hasher come from the system's source of randomness.
fn random() -> u64 {
    RandomState::new().hash_one(0)
}

/// Whether a shell, Node.js and whatever stands between them take it as it is.
fn is_plain(path: &OsStr) -> bool {
    path.as_bytes()
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || b"/._-+@".contains(byte))
}

/// Whether a text names the script of a probe, as the error of a service that cannot load it.
pub(crate) fn names_script(text: &str) -> bool {
    text.split_once("/plimsoll-")
        .is_some_and(|(_, rest)| rest.contains(PROBE_FILE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn mode(path: &Path) -> u32 {
        std::fs::symlink_metadata(path).expect("it is there").mode() & 0o777
    }

    #[test]
    fn home_is_closed_to_others_and_goes_when_dropped() {
        let home = Home::make().expect("made");
        let path = home.scratch.path().to_owned();
        assert_eq!((mode(&path), mode(&home.script())), (0o700, 0o400));
        home.check().expect("as it was made");
        drop(home);
        assert!(!path.exists());
    }

    #[test]
    fn home_has_a_plain_path_where_temporary_files_have_none() {
        let directory = tempfile::tempdir().expect("a directory");
        let names = [
            "a b",
            "cafe\u{301}",
            "quo\"te",
            "back\\slash",
            "new\nline",
            "#",
            "per%20cent",
            "$HOME",
            "'",
            &"l".repeat(90),
        ];
        for name in names {
            let odd = directory.path().join(name);
            std::fs::create_dir(&odd).expect("made");
            let home = Home::make_below([odd.clone(), directory.path().to_owned()].into_iter()).expect("made");
            assert!(
                home.scratch.path().starts_with(directory.path()) && !home.scratch.path().starts_with(&odd),
                "{:?}",
                home.scratch
            );
            assert!(Home::make_below(std::iter::once(odd)).is_err());
        }
    }

    #[test]
    fn home_that_somebody_changed_is_refused() {
        let home = Home::make().expect("made");
        std::fs::remove_file(home.script()).expect("removed");
        home.check().expect_err("the script is gone");
        std::fs::write(home.script(), PROBE.replace('(', "((")).expect("written");
        home.check().expect_err("another script");
        std::fs::write(home.script(), PROBE).expect("written");
        home.check().expect("the same again");
        std::fs::set_permissions(home.scratch.path(), Permissions::from_mode(0o755)).expect("set");
        home.check().expect_err("others may enter");
        std::fs::set_permissions(home.scratch.path(), Permissions::from_mode(0o700)).expect("set");
        std::fs::remove_file(home.script()).expect("removed");
        std::os::unix::fs::symlink("/dev/zero", home.script()).expect("linked");
        home.check().expect_err("a link");
    }
}
