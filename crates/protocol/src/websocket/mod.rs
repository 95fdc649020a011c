//! WebSocket as a client speaks it (RFC 6455).
//!
//! [`WebSocket`] is the client of one connection. Its first request is the opening handshake, a request of HTTP/1.1; all others are
//! messages, which have no response. What the service sends is read frame by frame and handed on as it comes, so that a message is
//! never kept. An opening handshake whose headers offer compression (permessage-deflate) has the messages of the service opened; what the client
//! says is not compressed. No other extension is known, and one that is used although it was not offered is a fault. [`Exchange`] is a client around it, whose messages
//! have responses: what carries their marks.

mod client;
mod close_code;
mod deflate;
mod exchange;
mod fault;
mod frame;
mod frame_reader;
mod handshake;
mod limits;
mod message;
mod text;

pub use client::{Keys, WebSocket, WebSocketRequest};
pub use close_code::CloseCode;
pub use exchange::{Exchange, ExchangeShared};
pub use fault::Fault;
pub use frame_reader::{FrameReader, Incoming};
pub use handshake::Opening;
#[cfg(test)]
pub(crate) use handshake::accept_of;
pub use limits::MAX_MESSAGE_BYTES;
pub use message::MessageLayout;
