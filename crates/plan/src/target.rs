//! The service under test.

use std::path::PathBuf;
use std::time::Duration;

/// Where the service answers and how it is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Base address; request paths are appended to its path.
    pub url: Url,
    /// How to start it; `None` when it runs already.
    pub command: Option<Command>,
    /// Process to sample when it runs already.
    pub pid: Option<u32>,
    /// Cores the service may use, as for `taskset -c`; empty is all.
    pub cpus: Vec<usize>,
}

/// A checked `http` URL, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Url {
    /// Protocol.
    pub scheme: Scheme,
    /// Name or address, IPv6 without brackets.
    pub host: String,
    /// Explicit or the default of the scheme.
    pub port: u16,
    /// Path with query; begins with `/`.
    pub path: String,
}

/// Protocol of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// HTTP/1.1 over TCP.
    Http,
}

/// How to start a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Program and arguments; at least the program.
    pub argv: Vec<String>,
    /// Added to the environment.
    pub env: Vec<(String, String)>,
    /// Where it starts; `None` is the current folder.
    pub working_dir: Option<PathBuf>,
    /// When it counts as up.
    pub ready: Readiness,
    /// Where its standard output and error go.
    pub stdout: Stdout,
    /// From SIGTERM to SIGKILL.
    pub stop_grace: Duration,
}

/// When a started service counts as up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readiness {
    /// A path that must answer 2xx; `None` is an open port.
    pub path: Option<String>,
    /// The run fails when it takes longer.
    pub timeout: Duration,
}

/// Where a service's output goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stdout {
    /// A file in the run folder; writes block, as in production under a redirect.
    #[default]
    File,
    /// A pipe that we drain into that file.
    Pipe,
    /// `/dev/null`.
    Null,
    /// Our own.
    Inherit,
}
