//! Payloads of frames, where they lie.

use super::connection_error::ConnectionError;
use super::frame::{FrameHeader, flag, without_padding};
use std::ops::Deref;

/// Bytes where they came, or a copy of them, which begins with a frame header.
#[derive(Debug)]
pub(super) enum Payload<'a> {
    Here(&'a [u8]),
    Held { bytes: Vec<u8>, from: usize, to: usize },
}

impl Deref for Payload<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Here(bytes) => bytes,
            Self::Held { bytes, from, to } => &bytes[*from..*to],
        }
    }
}

/// The part of a header block that a HEADERS frame has (RFC 9113, section 6.2).
#[inline]
pub(super) fn fragment<'a>(header: &FrameHeader, payload: Payload<'a>) -> Result<Payload<'a>, ConnectionError> {
    if !header.has(flag::PADDED | flag::PRIORITY) {
        return Ok(payload);
    }
    bare_fragment(header, payload)
}

#[inline(never)]
fn bare_fragment<'a>(header: &FrameHeader, payload: Payload<'a>) -> Result<Payload<'a>, ConnectionError> {
    let (kind, length) = (header.kind, header.length);
    let mut content = &*payload;
    let mut from = 0;
    if header.has(flag::PADDED) {
        content = without_padding(content).ok_or(ConnectionError::Padding { kind })?;
        from = 1;
    }
    if header.has(flag::PRIORITY) {
        // What was meant to say which streams are urgent: five bytes that mean nothing any longer.
        content = content.get(5..).ok_or(ConnectionError::FrameLength { kind, length })?;
        from += 5;
    }
    let to = from + content.len();
    Ok(match payload {
        Payload::Here(bytes) => Payload::Here(&bytes[from..to]),
        Payload::Held { bytes, from: start, .. } => Payload::Held {
            bytes,
            from: start + from,
            to: start + to,
        },
    })
}
