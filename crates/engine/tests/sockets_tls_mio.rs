//! The suite of sockets over epoll or kqueue, over TLS.

use plimsoll_engine::backend::mio::MioBackend;
use plimsoll_engine::backend::tls::Tls;
use plimsoll_engine::backend::{Io, Route};
use plimsoll_plan::Address;

const IO: Io = Io::Mio;

fn backend(remote: &Address) -> Tls<MioBackend> {
    let sockets = MioBackend::new(Route::new(remote, Vec::new()), 0).expect("a poll descriptor");
    Tls::new(sockets, net::connector().expect("TLS is spoken"))
}

#[path = "sockets/backends.rs"]
mod backends;

#[path = "sockets/failures.rs"]
mod failures;

#[path = "sockets/handshakes.rs"]
mod handshakes;

#[path = "sockets/hold.rs"]
mod hold;

#[path = "sockets/tls.rs"]
mod net;

#[path = "sockets/suite.rs"]
mod suite;
