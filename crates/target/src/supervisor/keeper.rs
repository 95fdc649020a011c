//! The keeper of directories: removes those that are left when everybody who could remove them is gone.
//!
//! It reads one pipe. The process that it belongs to holds the other end, and so does each of its supervisors. When the
//! pipe is at its end they are all gone, and with them every process that could still write into the directories.

use super::wire::{ADDED, END, REMOVED};
use super::{let_go, settle};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

/// A directory that nobody can write into can be removed at once; these are for what the kernel has yet to end.
const ATTEMPTS: u32 = 50;
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(50);

pub(super) fn main() -> ExitCode {
    match keep() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn keep() -> io::Result<()> {
    settle()?;
    let mut told = fs::File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let_go()?;
    let mut paths = Paths::default();
    let mut bytes = [0; 4096];
    while !paths.over {
        match told.read(&mut bytes) {
            Ok(0) => break,
            Ok(length) => paths.hear(&bytes[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    paths.left.iter().for_each(|path| remove(path));
    Ok(())
}

#[derive(Debug, Default)]
struct Paths {
    left: BTreeSet<PathBuf>,
    /// The other side does the rest itself.
    over: bool,
    /// The beginning of a message.
    part: Vec<u8>,
}

impl Paths {
    fn hear(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte != END {
                self.part.push(byte);
                continue;
            }
            let message = std::mem::take(&mut self.part);
            let Some((kind, path)) = message.split_first() else {
                continue;
            };
            let path = PathBuf::from(OsString::from_vec(path.to_vec()));
            match *kind {
                ADDED => {
                    self.left.insert(path);
                }
                REMOVED => {
                    self.left.remove(&path);
                }
                _ => self.over = true,
            }
        }
    }
}

fn remove(path: &Path) {
    for _ in 0..ATTEMPTS {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => thread::sleep(BETWEEN_ATTEMPTS),
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::supervisor::wire::{added, over, removed};

    #[test]
    fn what_was_added_and_not_removed_is_left() {
        let (a, b) = (Path::new("/tmp/a b"), Path::new("/tmp/\u{e4}\n"));
        let told = [added(a), added(b), removed(a), added(a), removed(a)].concat();
        let mut paths = Paths::default();
        for byte in told {
            paths.hear(&[byte]);
        }
        assert_eq!(paths.left.iter().collect::<Vec<_>>(), [b]);
        assert!(!paths.over);
        paths.hear(&over());
        assert!(paths.over);
    }
}
