//! The suite of sockets over io_uring, over TLS.

#![cfg(target_os = "linux")]

use plimsoll_engine::backend::io_uring::UringBackend;
use plimsoll_engine::backend::tls::Tls;
use plimsoll_engine::backend::{Io, Route};
use plimsoll_plan::Address;

const IO: Io = Io::IoUring;

fn backend(remote: &Address) -> Tls<UringBackend> {
    let sockets = UringBackend::new(Route::new(remote, Vec::new()), 0).expect("a ring");
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
