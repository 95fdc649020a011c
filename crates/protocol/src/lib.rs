//! Client side of the protocols that load is sent in: bytes in, events out.
//!
//! Everything here is a state machine that is handed bytes and says what they mean. This crate must not know sockets,
//! runtimes, clocks, threads or plans: whoever drives it does the reading and the writing, and decides what an answer
//! is worth.

pub mod http1;
