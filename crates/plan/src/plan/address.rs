//! Where a service listens: by its name, as a URL has it, and by the address that connections go to.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt;
use std::net::SocketAddr;
use std::path::Path;

/// Most bytes of the path of a unix socket: `sun_path` of unix(7) holds 108, and ends with a NUL.
pub const SOCKET_PATH_BYTES_MAX: usize = 107;

/// Where a service listens, as its URL names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Server {
    /// A TCP port.
    Tcp {
        /// Name or address, IPv6 without brackets and perhaps with a zone: `fe80::1%lo`.
        host: String,
        /// Explicit or the default of the scheme.
        port: u16,
    },
    /// A unix socket.
    Unix(SocketPath),
}

/// An address that connections go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A TCP port.
    Tcp(SocketAddr),
    /// A unix socket.
    Unix(SocketPath),
}

impl Address {
    /// Whether it is a unix socket.
    #[must_use]
    pub const fn is_unix(&self) -> bool {
        matches!(self, Self::Unix(_))
    }

    /// What a service has there, within a sentence: `port 3000`, `the unix socket /run/app.sock`.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            Self::Tcp(address) => format!("port {}", address.port()),
            Self::Unix(path) => format!("the unix socket {path}"),
        }
    }
}

impl From<SocketAddr> for Address {
    fn from(address: SocketAddr) -> Self {
        Self::Tcp(address)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix(path) => path.fmt(f),
        }
    }
}

/// The path of a unix socket: absolute, fit to be shown, and short enough for the kernel.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SocketPath(String);

/// What stands for itself in a URL (RFC 3986, section 2.3); everything else is encoded, `/` above all.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

impl SocketPath {
    /// `path` where connections can be made to it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(path: impl Into<String>) -> Result<Self, NoSocketPath> {
        let path = path.into();
        if path.starts_with('\0') {
            Err(NoSocketPath::Abstract)
        } else if path.contains(|c: char| c.is_control() || plimsoll_plain::is_unsafe(c)) {
            Err(NoSocketPath::Unprintable)
        } else if !path.starts_with('/') {
            Err(NoSocketPath::Relative)
        } else if path.ends_with('/') {
            Err(NoSocketPath::Directory)
        } else if path.len() > SOCKET_PATH_BYTES_MAX {
            Err(NoSocketPath::Long(path.len()))
        } else {
            Ok(Self(path))
        }
    }

    /// The path as it is.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As the host of a URL.
    pub(crate) fn encoded(&self) -> String {
        utf8_percent_encode(&self.0, ENCODED).to_string()
    }
}

impl AsRef<Path> for SocketPath {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl fmt::Display for SocketPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a text is not the path of a unix socket that connections can be made to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSocketPath {
    /// It begins with a NUL: a name without a file.
    Abstract,
    /// It has characters that are not shown.
    Unprintable,
    /// It does not begin with `/`.
    Relative,
    /// It ends with `/`.
    Directory,
    /// It has so many bytes.
    Long(usize),
}
