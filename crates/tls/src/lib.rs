//! TLS as a client speaks it: bytes of the wire in, bytes for the wire and plain bytes out.
//!
//! A [`Connector`] holds what all connections of a run have in common: whom they trust, how they identify themselves, which
//! sessions can be resumed. It makes a [`Session`] for each connection, which is called in this order: [`Session::begin`] once,
//! [`Session::receive`] with whatever arrives, [`Session::seal`] once [`Session::receive`] has said that the handshake is done, and
//! [`Session::end`] before the connection is closed. [`Failure`] says in words what is wrong.
//!
//! rustls does the protocol and ring the cryptography. This crate must not know sockets, clocks, what is said over a session,
//! or plans.

mod connector;
mod failure;
mod named;
mod nobody;
mod session;
mod unverified;

pub use connector::{Connector, Identity, Options, SetupError, Trust, Versions};
pub use failure::Failure;
pub use session::{Handshake, Received, Session};
