//! What requests and responses look like in bytes. Requests of HTTP have no body: the generators are told to send GETs.

mod http1;
mod http2;
mod web_socket;

use crate::Part;
use std::sync::Arc;

pub(crate) use web_socket::Speech;

/// How requests and responses are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    Http1,
    Http2,
    WebSocket(Speech),
}

impl Protocol {
    /// Its name in TLS (RFC 7301).
    pub(crate) fn alpn(self) -> &'static [u8] {
        match self {
            Self::Http1 | Self::WebSocket(_) => b"http/1.1",
            Self::Http2 => b"h2",
        }
    }
}

/// The stream of a request, which its response goes to. In HTTP/1.1, where there is one after the other, it is which of the paths that are seen apart the
/// request is for, from 1, or 0. A message has its number.
pub(crate) type Stream = u32;

/// Follows the bytes of one connection.
#[derive(Debug)]
pub(crate) enum Wire {
    Http1(http1::Requests),
    Http2(http2::Frames),
    WebSocket(web_socket::Messages),
}

impl Wire {
    pub(crate) fn new(protocol: Protocol, paths: &Arc<[String]>) -> Self {
        match protocol {
            Protocol::Http1 => Self::Http1(http1::Requests::new(paths)),
            Protocol::Http2 => Self::Http2(http2::Frames::default()),
            Protocol::WebSocket(speech) => Self::WebSocket(web_socket::Messages::new(speech)),
        }
    }

    /// Adds the requests that end in these bytes, and what has to be sent at once. False when they are of another protocol.
    #[must_use]
    pub(crate) fn read(&mut self, bytes: &[u8], requests: &mut Vec<Stream>, out: &mut Vec<u8>) -> bool {
        match self {
            Self::Http1(asked) => {
                asked.read(bytes, requests);
                true
            }
            Self::Http2(frames) => frames.read(bytes, requests, out),
            Self::WebSocket(messages) => messages.read(bytes, requests, out),
        }
    }

    /// Adds a part of the response on a stream.
    pub(crate) fn write(&mut self, stream: Stream, part: Part, last: bool, out: &mut Vec<u8>) {
        match self {
            Self::Http1(_) => http1::write(part, out),
            Self::Http2(_) => http2::write(stream, part, last, out),
            Self::WebSocket(messages) => messages.write(stream, part, last, out),
        }
    }
}
