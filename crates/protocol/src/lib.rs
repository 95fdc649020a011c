//! Client side of the protocols that load is sent in: bytes in, bytes and completions out.
//!
//! Everything here is a state machine that is handed bytes and says what they mean. [`Client`] is the face that all protocols
//! have; its page says in which order it is called. This crate must not know sockets, runtimes, clocks, threads or plans:
//! whoever drives it does the reading and the writing, and decides what a response is worth.

mod client;
pub mod content;
pub mod http1;
pub mod http2;
pub mod mark;
mod quote;
mod request;
pub mod socket_io;
pub mod websocket;

pub use client::{BodyEnd, Came, Client, Completions, Failure, RequestFailure, Response, Standing, StreamEnd};
pub use request::{InvalidRequest, Part, RequestKind, RequestParts};
