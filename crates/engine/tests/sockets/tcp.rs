//! Sockets of TCP.

#[path = "loopback.rs"]
mod loopback;

pub(crate) use loopback::{bound as listen, full, nobody};

use plimsoll_engine::Connector;
use std::net::TcpStream;

pub(crate) type Stream = TcpStream;

/// How TLS is spoken to what listens here.
pub(crate) fn connector() -> Option<Connector> {
    None
}
