//! The suite of sockets over io_uring.

#![cfg(target_os = "linux")]

use plimsoll_engine::backend::Io;

const IO: Io = Io::IoUring;

#[path = "sockets/hold.rs"]
mod hold;

#[path = "sockets/suite.rs"]
mod suite;
