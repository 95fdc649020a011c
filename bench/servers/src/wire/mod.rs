//! What requests and responses look like in bytes. Requests have no body: the generators are told to send GETs.

mod http1;
mod http2;

use crate::Part;

/// Of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    Http1,
    Http2,
}

impl Version {
    /// Its name in TLS (RFC 7301).
    pub(crate) fn alpn(self) -> &'static [u8] {
        match self {
            Self::Http1 => b"http/1.1",
            Self::Http2 => b"h2",
        }
    }
}

/// The stream of a request, which its response goes to; always 0 in HTTP/1.1, where there is one after the other.
pub(crate) type Stream = u32;

/// Follows the bytes of one connection.
#[derive(Debug)]
pub(crate) enum Wire {
    Http1(http1::RequestEnds),
    Http2(http2::Frames),
}

impl Wire {
    pub(crate) fn new(version: Version) -> Self {
        match version {
            Version::Http1 => Self::Http1(http1::RequestEnds::default()),
            Version::Http2 => Self::Http2(http2::Frames::default()),
        }
    }

    /// Adds the requests that end in these bytes, and what has to be sent at once. False when they are no HTTP.
    #[must_use]
    pub(crate) fn read(&mut self, bytes: &[u8], requests: &mut Vec<Stream>, out: &mut Vec<u8>) -> bool {
        match self {
            Self::Http1(ends) => {
                requests.extend((0..ends.count(bytes)).map(|_| 0));
                true
            }
            Self::Http2(frames) => frames.read(bytes, requests, out),
        }
    }

    /// Adds a part of the response on a stream.
    pub(crate) fn write(&self, stream: Stream, part: Part, last: bool, out: &mut Vec<u8>) {
        match self {
            Self::Http1(_) => http1::write(part, out),
            Self::Http2(_) => http2::write(stream, part, last, out),
        }
    }
}
