//! What a service begins with.

use super::connection_error::ConnectionError;
use super::frame::{FrameHeader, Kind, flag};
use crate::quote::{quote, quote_line};

/// The first frame of a service is SETTINGS (RFC 9113, section 3.4).
#[cold]
pub(super) fn check_first(header: &FrameHeader, bytes: &[u8]) -> Result<(), ConnectionError> {
    refuse_other_protocol(bytes, true)?;
    if header.kind == Kind::SETTINGS && !header.has(flag::ACK) {
        return Ok(());
    }
    let found = header.to_string();
    Err(ConnectionError::NoSettings { found })
}

/// What another protocol begins with, and where `is_all` what cannot be the beginning of a frame.
#[cold]
pub(super) fn refuse_other_protocol(bytes: &[u8], is_all: bool) -> Result<(), ConnectionError> {
    match bytes {
        [0x15 | 0x16, 0x03, ..] => Err(ConnectionError::Tls),
        [b'H', b'T', b'T', b'P', b'/', ..] if is_all => Err(ConnectionError::Http1 {
            found: quote_line(bytes),
        }),
        // A first frame of 64 KiB would be too large.
        [1..=u8::MAX, ..] if is_all => Err(ConnectionError::NoSettings { found: quote(bytes) }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_protocol_is_named() {
        for (bytes, message) in [
            (
                &b"HTTP/1.1 400 Bad Request\r\n\r\n"[..],
                "the response is HTTP/1.x, not HTTP/2: `HTTP/1.1 400 Bad Request`; hint: the service does not speak HTTP/2 \
                 on this port, or not without TLS",
            ),
            (
                &[0x15, 3, 1, 0, 2, 2, 0x46],
                "the response is a TLS record, not HTTP/2; hint: the service seems to expect https",
            ),
            (
                b"SSH-2",
                "the service does not begin with a SETTINGS frame but with `SSH-2`",
            ),
            (
                &[0, 0, 0, 6, 0, 0, 0, 0, 0],
                "the service does not begin with a SETTINGS frame but with PING frame of 0 bytes with flags 0x0 on stream 0",
            ),
        ] {
            let error = match FrameHeader::split(bytes) {
                Some((header, _)) => check_first(&header, bytes),
                None => refuse_other_protocol(bytes, true),
            };
            let error = error.unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}
