//! The file of a unix socket: who listens at it, what is wrong with it, and who removes it.

use crate::unix_diag::{self, UnixListener};
use plimsoll_plan::SocketPath;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, socket_with};
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use thiserror::Error;

/// Nothing can be sent to a unix socket. The text fits after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("connect to the unix socket {path}: {fault}")]
pub struct SocketError {
    /// Which.
    pub path: SocketPath,
    /// Why not.
    pub fault: SocketFault,
}

/// Why a connection to a unix socket was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SocketFault {
    /// There is no such file.
    Missing,
    /// The file is something else, such as `a directory`.
    Other(&'static str),
    /// Nothing listens at it.
    Stale,
    /// This user may not connect.
    Denied,
    /// As many connections wait as it has room for.
    Full,
    /// It takes datagrams and no connections.
    Datagram,
    /// Something else, as the system says it.
    Failed(String),
}

impl fmt::Display for SocketFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("no such file"),
            Self::Other(what) => write!(f, "{what}, not a socket"),
            Self::Stale => f.write_str(
                "connection refused: nothing listens at this socket file; an earlier run of the service may have left it behind",
            ),
            Self::Denied => f.write_str("permission denied"),
            Self::Full => f.write_str("its queue of new connections is full"),
            Self::Datagram => f.write_str("it takes datagrams, not connections"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl SocketFault {
    /// Of an attempt to connect to `path`.
    pub(crate) fn of(path: &SocketPath, error: &io::Error) -> Self {
        match Errno::from_io_error(error) {
            Some(Errno::NOENT) => Self::Missing,
            Some(Errno::CONNREFUSED) => what_else(path).map_or(Self::Stale, Self::Other),
            Some(Errno::NOTDIR) => Self::Other("a path below a file"),
            Some(Errno::ACCESS | Errno::PERM) => Self::Denied,
            Some(Errno::AGAIN) => Self::Full,
            Some(Errno::PROTOTYPE) => Self::Datagram,
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl SocketError {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let path = &self.path;
        match &self.fault {
            SocketFault::Missing => Some("start the service, or check the path".to_owned()),
            SocketFault::Other(_) | SocketFault::Datagram => {
                Some("give the path of the socket on which the service listens".to_owned())
            }
            SocketFault::Stale => Some(format!(
                "start the service; if it then fails with EADDRINUSE, remove the file first: rm {}",
                shell_word(path)
            )),
            SocketFault::Denied => Some(format!(
                "connecting needs write permission on the socket and search permission on its directories: see `ls -l {}`",
                shell_word(path)
            )),
            SocketFault::Full => Some("see why the service does not accept connections".to_owned()),
            SocketFault::Failed(_) => None,
        }
    }
}

/// A path as a shell takes it.
pub(crate) fn shell_word(path: &SocketPath) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | '@' | ':' | ',');
    if path.as_str().chars().all(plain) {
        path.to_string()
    } else {
        format!("'{}'", path.as_str().replace('\'', r"'\''"))
    }
}

/// Whether connections can be made to a unix socket; a queue that is full may have room later.
///
/// # Errors
/// [`SocketError`], when they cannot.
pub fn check_socket(path: &SocketPath) -> Result<(), SocketError> {
    match connect(path).map_err(|error| SocketFault::of(path, &error)) {
        Ok(_) | Err(SocketFault::Full) => Ok(()),
        Err(fault) => Err(SocketError {
            path: path.clone(),
            fault,
        }),
    }
}

/// A connection, without waiting for room in the queue of the service.
pub(crate) fn connect(path: &SocketPath) -> io::Result<UnixStream> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    rustix::net::connect(&socket, &SocketAddrUnix::new(path.as_str())?)?;
    let stream = UnixStream::from(socket);
    stream.set_nonblocking(false)?;
    Ok(stream)
}

/// What the file at `path` is instead of a socket.
pub(crate) fn what_else(path: &SocketPath) -> Option<&'static str> {
    let kind = fs::metadata(path).ok()?.file_type();
    Some(match kind {
        _ if kind.is_socket() => return None,
        _ if kind.is_dir() => "a directory",
        _ if kind.is_file() => "a regular file",
        _ => "a special file",
    })
}

/// Tells a file from one that has replaced it, even where that has its inode number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId {
    device: u64,
    inode: u64,
    changed: (i64, i64),
    uid: u32,
}

impl FileId {
    /// Of the socket file at `path`.
    pub(crate) fn of(path: &SocketPath) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        metadata.file_type().is_socket().then(|| Self::new(&metadata))
    }

    fn new(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            uid: metadata.uid(),
        }
    }

    /// The user who made it.
    pub(crate) const fn uid(self) -> u32 {
        self.uid
    }
}

/// The sockets that get connections to the socket file at `path`, by inode.
///
/// # Errors
/// When the kernel does not list unix sockets here.
pub(crate) fn receivers(path: &SocketPath, file: FileId) -> io::Result<Vec<u64>> {
    let name = Path::new(path.as_str()).file_name();
    // Several filesystems may have a file with this number.
    let has_name = |listener: &UnixListener| Path::new(OsStr::from_bytes(&listener.name)).file_name() == name;
    let all = unix_diag::listeners()?;
    let has_number = all.iter().filter(|listener| listener.file == Some(file.inode as u32));
    let (named, others): (Vec<_>, Vec<_>) = has_number.partition(|listener| has_name(listener));
    // A link or a renamed file has another name.
    let found = if named.is_empty() { others } else { named };
    Ok(found.iter().map(|listener| listener.inode).collect())
}

/// Removes the socket file that a service leaves behind which ends without removing it, as Node.js does when it is killed: the
/// next one could not listen there. Only a file that came after this was made goes, and only once nothing listens at it.
#[derive(Debug)]
pub(crate) struct Leftover {
    path: SocketPath,
    before: Option<FileId>,
}

impl Leftover {
    pub(crate) fn at(path: &SocketPath) -> Self {
        Self {
            path: path.clone(),
            before: FileId::of(path),
        }
    }

    /// The path, where it was a socket file before.
    pub(crate) fn stale(&self) -> Option<&SocketPath> {
        self.before.map(|_| &self.path)
    }
}

impl Drop for Leftover {
    fn drop(&mut self) {
        let now = FileId::of(&self.path);
        let is_stale =
            || matches!(connect(&self.path), Err(error) if SocketFault::of(&self.path, &error) == SocketFault::Stale);
        if now.is_some() && now != self.before && is_stale() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::{UnixDatagram, UnixListener};

    fn path(directory: &tempfile::TempDir, name: &str) -> SocketPath {
        SocketPath::new(directory.path().join(name).to_str().expect("UTF-8")).expect("a short path")
    }

    #[test]
    fn what_is_wrong_with_a_path_is_said() {
        let directory = tempfile::tempdir().expect("a directory");
        let at = |name: &str| path(&directory, name);
        fs::write(at("file"), "").expect("written");
        fs::create_dir(at("dir")).expect("made");
        drop(UnixListener::bind(at("stale")).expect("bound"));
        let _datagrams = UnixDatagram::bind(at("datagrams")).expect("bound");
        for (name, words) in [
            ("none", "no such file"),
            ("file", "a regular file, not a socket"),
            ("dir", "a directory, not a socket"),
            ("file/x", "a path below a file, not a socket"),
            ("stale", "connection refused: nothing listens at this socket file"),
            ("datagrams", "it takes datagrams, not connections"),
        ] {
            let error = check_socket(&at(name)).expect_err(name);
            let text = error.to_string();
            assert!(
                text.starts_with(&format!("connect to the unix socket {}: {words}", at(name))),
                "{text}"
            );
            assert!(error.hint().is_some(), "{name}");
        }
        let _listener = UnixListener::bind(at("open")).expect("bound");
        assert_eq!(check_socket(&at("open")), Ok(()));
    }

    #[test]
    fn a_file_that_came_later_and_at_which_nothing_listens_is_removed() {
        let directory = tempfile::tempdir().expect("a directory");
        let at = path(&directory, "app.sock");
        let leftover = Leftover::at(&at);
        let listener = UnixListener::bind(&at).expect("bound");
        drop(Leftover::at(&at));
        assert!(FileId::of(&at).is_some(), "it was there before");
        drop(listener);
        drop(Leftover::at(&at));
        assert!(FileId::of(&at).is_some(), "it was there before");
        drop(leftover);
        assert_eq!(FileId::of(&at), None);

        let leftover = Leftover::at(&at);
        let _listener = UnixListener::bind(&at).expect("bound");
        drop(leftover);
        assert!(FileId::of(&at).is_some(), "somebody listens");
    }

    #[test]
    fn a_path_is_a_word_of_a_shell() {
        for (path, word) in [("/run/app.sock", "/run/app.sock"), ("/run/it's", r"'/run/it'\''s'")] {
            assert_eq!(shell_word(&SocketPath::new(path).expect("a path")), word);
        }
    }
}
