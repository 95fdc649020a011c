//! The suite of sockets over epoll or kqueue.

use plimsoll_engine::backend::Io;

const IO: Io = Io::Mio;

#[path = "sockets/hold.rs"]
mod hold;

#[path = "sockets/suite.rs"]
mod suite;
