//! The suite of sockets over epoll or kqueue.

use plimsoll_engine::backend::mio::MioBackend;
use plimsoll_engine::backend::{Io, Route};
use std::net::SocketAddr;

const IO: Io = Io::Mio;

fn backend(remote: SocketAddr) -> MioBackend {
    MioBackend::new(Route::new(remote, Vec::new()), 0).expect("a poll descriptor")
}

#[path = "sockets/backends.rs"]
mod backends;

#[path = "sockets/failures.rs"]
mod failures;

#[path = "sockets/hold.rs"]
mod hold;

#[path = "sockets/suite.rs"]
mod suite;
