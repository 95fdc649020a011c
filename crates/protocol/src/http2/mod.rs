//! HTTP/2 as a client speaks it (RFC 9113).
//!
//! [`Http2`] is the client of one connection, and [`RequestLayout`] one kind of request, laid out once for any number of
//! connections. Requests of a connection are independent: each is a stream, which fails alone or is given up alone.
//!
//! Bytes come in through a frame reader, which cuts them and refuses frames that cannot be where they are; heads and content go
//! to the responses of their streams, and the few frames about the connection itself are taken in `connection.rs`. Bodies are
//! measured, not kept. Pushes are turned off, and priorities, which RFC 9113 deprecates, are neither sent nor read.

mod bodies;
mod call;
mod client;
mod connection;
mod connection_error;
mod error_code;
mod first_frame;
mod frame;
mod frame_reader;
mod head;
mod hpack;
mod last_block;
mod limits;
mod meaning;
mod payload;
mod request_layout;
mod request_writer;
mod responses;
mod settings;
mod stream_error;
mod streams;
mod unsent;
mod window;

pub use client::Http2;
pub use request_layout::{RequestLayout, Scheme};
pub use responses::Common;
