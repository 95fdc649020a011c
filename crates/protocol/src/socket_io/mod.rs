//! Socket.IO as a client speaks it, over WebSocket: Engine.IO 4 and Socket.IO protocol 5, as Socket.IO 4 has them.
//!
//! [`SocketIo`] is a client around the one of WebSocket. Its first request is the opening handshake, and joins a namespace once the service
//! has opened a session; the connection is open when the service has let the client in. All others are events. One that asks for an
//! acknowledgement has this as its response, whatever it says; events are independent of each other. Pings of the service get their pongs.
//! A session begins on a WebSocket, or by long polling that a WebSocket takes over from ([`Transport`]). No binary arguments are sent; those of a
//! service are passed over.

mod client;
mod packet;
mod polling;
mod request;
mod session;

pub use client::SocketIo;
pub use request::{EventLayout, SocketIoOpening, SocketIoRequest, Transport};
