//! How connections are used.

use std::time::Duration;

/// How the generator uses connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// Most connections open at once (open model); exact number (closed model comes with its own).
    pub max: u32,
    /// Opened at the start of a load, before any is needed: who listens. A closed load has at most its own number of them.
    pub min: u32,
    /// Whether a connection carries more than one request.
    pub keep_alive: bool,
    /// Whether each user on a journey has a connection of its own, from its first request to the end of the journey.
    pub per_user: bool,
    /// Requests in flight on one connection of HTTP/1.1; 1 is no pipelining.
    pub pipelining: u32,
    /// Most requests in flight on one connection of HTTP/2; `None` is what suits the load.
    pub streams: Option<u32>,
    /// From the start of the connect call to an established connection.
    pub connect_timeout: Duration,
    /// From the intended start to the last byte of the response.
    pub response_timeout: Duration,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            max: 256,
            min: 0,
            keep_alive: true,
            per_user: false,
            pipelining: 1,
            streams: None,
            connect_timeout: Duration::from_secs(5),
            response_timeout: Duration::from_secs(10),
        }
    }
}
