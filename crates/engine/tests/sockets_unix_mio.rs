//! The suite of sockets over epoll or kqueue, over unix sockets.

use plimsoll_engine::backend::mio::MioBackend;
use plimsoll_engine::backend::{Io, Route};
use plimsoll_plan::Address;

const IO: Io = Io::Mio;

fn backend(remote: &Address) -> MioBackend {
    MioBackend::new(Route::new(remote, Vec::new()), 0).expect("a poll descriptor")
}

#[path = "sockets/backends.rs"]
mod backends;

#[path = "sockets/failures.rs"]
mod failures;

#[path = "sockets/hold.rs"]
mod hold;

#[path = "sockets/unix.rs"]
mod net;

#[path = "sockets/queue.rs"]
mod queue;

#[path = "sockets/suite.rs"]
mod suite;
