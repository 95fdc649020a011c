//! The suite of sockets over io_uring, over TCP.

#![cfg(target_os = "linux")]

use plimsoll_engine::backend::io_uring::UringBackend;
use plimsoll_engine::backend::{Io, Route};
use plimsoll_plan::Address;

const IO: Io = Io::IoUring;

fn backend(remote: &Address) -> UringBackend {
    UringBackend::new(Route::new(remote, Vec::new()), 0).expect("a ring")
}

#[path = "sockets/addresses.rs"]
mod addresses;

#[path = "sockets/backends.rs"]
mod backends;

#[path = "sockets/failures.rs"]
mod failures;

#[path = "sockets/hold.rs"]
mod hold;

#[path = "sockets/tcp.rs"]
mod net;

#[path = "sockets/stamps.rs"]
mod stamps;

#[path = "sockets/suite.rs"]
mod suite;
