//! What is started beside the service because the service needs it: a database, a cache, an upstream.

use crate::plan::target::Command;
use crate::plan::url::Url;
use std::fmt;

/// A program that the service needs. It is started before the service and stopped after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeighbourPlan {
    /// What it is called in reports, and in the name of the file of its output.
    pub name: String,
    /// How to start it. When it is ready, `ready` says.
    pub command: Command,
    /// When the service can be started.
    pub ready: Sign,
    /// Cores it may use, in ascending order; empty is all but those of the generator.
    pub cpus: Vec<usize>,
}

/// By what it is known that a neighbour is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sign {
    /// It listens on this port of 127.0.0.1.
    Port(u16),
    /// This URL responds with 2xx.
    Url(Url),
    /// A line of its output contains this.
    Line(String),
}

impl Sign {
    /// The port on which it is expected to listen.
    #[must_use]
    pub const fn port(&self) -> Option<u16> {
        match self {
            Self::Port(port) => Some(*port),
            Self::Url(url) => url.port(),
            Self::Line(_) => None,
        }
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port(port) => write!(f, "port {port}"),
            Self::Url(url) => url.fmt(f),
            Self::Line(text) => write!(f, "a line with `{text}`"),
        }
    }
}
