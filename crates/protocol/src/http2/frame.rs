//! Frames: what all of them begin with (RFC 9113, section 4.1), and those that a client writes.

use super::error_code::ErrorCode;
use std::fmt;

/// Bytes before the payload of a frame.
pub(super) const HEADER_BYTES: usize = 9;
/// Most bytes of a payload, in both directions: what is allowed before anything else is said, and never changed here.
pub(super) const MAX_PAYLOAD_BYTES: usize = 16_384;

/// What a frame is, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind(pub(super) u8);

impl Kind {
    pub(super) const DATA: Self = Self(0x0);
    pub(super) const HEADERS: Self = Self(0x1);
    pub(super) const PRIORITY: Self = Self(0x2);
    pub(super) const RST_STREAM: Self = Self(0x3);
    pub(super) const SETTINGS: Self = Self(0x4);
    pub(super) const PUSH_PROMISE: Self = Self(0x5);
    pub(super) const PING: Self = Self(0x6);
    pub(super) const GOAWAY: Self = Self(0x7);
    pub(super) const WINDOW_UPDATE: Self = Self(0x8);
    pub(super) const CONTINUATION: Self = Self(0x9);
}

/// In the order of their numbers.
const NAMES: [&str; 10] = [
    "DATA",
    "HEADERS",
    "PRIORITY",
    "RST_STREAM",
    "SETTINGS",
    "PUSH_PROMISE",
    "PING",
    "GOAWAY",
    "WINDOW_UPDATE",
    "CONTINUATION",
];

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.get(usize::from(self.0)) {
            Some(name) => write!(f, "{name} frame"),
            None => write!(f, "frame of kind {:#x}", self.0),
        }
    }
}

/// Bits that say more about a frame. What they mean depends on its kind.
pub(super) mod flag {
    pub(in crate::http2) const END_STREAM: u8 = 0x1;
    pub(in crate::http2) const ACK: u8 = 0x1;
    pub(in crate::http2) const END_HEADERS: u8 = 0x4;
    pub(in crate::http2) const PADDED: u8 = 0x8;
    pub(in crate::http2) const PRIORITY: u8 = 0x20;
}

/// What a frame begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FrameHeader {
    /// Bytes of the payload.
    pub(super) length: u32,
    pub(super) kind: Kind,
    pub(super) flags: u8,
    /// 0 for the connection.
    pub(super) stream: u32,
}

impl FrameHeader {
    /// At the beginning of `bytes`, and what comes behind it; `None` where it is not whole.
    #[inline]
    pub(super) fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (&[a, b, c, kind, flags, d, e, f, g], payload) = bytes.split_first_chunk::<HEADER_BYTES>()?;
        let header = Self {
            length: u32::from_be_bytes([0, a, b, c]),
            kind: Kind(kind),
            flags,
            // The first bit is reserved and means nothing.
            stream: u32::from_be_bytes([d & 0x7f, e, f, g]),
        };
        Some((header, payload))
    }

    #[inline]
    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    #[inline]
    pub(super) fn bytes(&self) -> [u8; HEADER_BYTES] {
        let [_, a, b, c] = self.length.to_be_bytes();
        let [d, e, f, g] = self.stream.to_be_bytes();
        [a, b, c, self.kind.0, self.flags, d, e, f, g]
    }

    #[inline]
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes());
    }
}

impl fmt::Display for FrameHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            length,
            kind,
            flags,
            stream,
        } = self;
        write!(f, "{kind} of {length} bytes with flags {flags:#x} on stream {stream}")
    }
}

/// A number of 32 bits at the beginning of a payload that is long enough.
pub(super) fn number(payload: &[u8]) -> u32 {
    payload.first_chunk().map_or(0, |&bytes| u32::from_be_bytes(bytes))
}

/// The content of a payload without its padding (RFC 9113, section 6.1); `None` where there is more padding than payload.
pub(super) fn without_padding(payload: &[u8]) -> Option<&[u8]> {
    let (&padding, rest) = payload.split_first()?;
    let content = rest.len().checked_sub(padding.into())?;
    Some(&rest[..content])
}

fn write(kind: Kind, flags: u8, stream: u32, payload: &[&[u8]], out: &mut Vec<u8>) {
    let length = payload.iter().map(|part| part.len() as u32).sum();
    let header = FrameHeader {
        length,
        kind,
        flags,
        stream,
    };
    header.write(out);
    payload.iter().for_each(|part| out.extend_from_slice(part));
}

pub(super) fn ping_ack(payload: &[u8], out: &mut Vec<u8>) {
    write(Kind::PING, flag::ACK, 0, &[payload], out);
}

pub(super) fn settings_ack(out: &mut Vec<u8>) {
    write(Kind::SETTINGS, flag::ACK, 0, &[], out);
}

pub(super) fn settings(settings: &[(u16, u32)], out: &mut Vec<u8>) {
    let payload: Vec<u8> = settings
        .iter()
        .flat_map(|(setting, value)| setting.to_be_bytes().into_iter().chain(value.to_be_bytes()))
        .collect();
    write(Kind::SETTINGS, 0, 0, &[&payload], out);
}

pub(super) fn reset(stream: u32, code: ErrorCode, out: &mut Vec<u8>) {
    write(Kind::RST_STREAM, 0, stream, &[&code.0.to_be_bytes()], out);
}

pub(super) fn window_update(stream: u32, increment: u32, out: &mut Vec<u8>) {
    write(Kind::WINDOW_UPDATE, 0, stream, &[&increment.to_be_bytes()], out);
}

/// Ends the connection. The peer has opened no streams, so none was processed.
pub(super) fn go_away(code: ErrorCode, out: &mut Vec<u8>) {
    write(Kind::GOAWAY, 0, 0, &[&[0; 4], &code.0.to_be_bytes()], out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_reads_back_without_its_reserved_bit() {
        let bytes = [0x00, 0x40, 0x01, 0x09, 0x25, 0x80, 0x00, 0x01, 0x03, 0xff];
        let (header, payload) = FrameHeader::split(&bytes).expect("it is whole");
        let expected = FrameHeader {
            length: 0x4001,
            kind: Kind::CONTINUATION,
            flags: 0x25,
            stream: 0x103,
        };
        assert_eq!((header, payload), (expected, &[0xff][..]));
        assert_eq!(header.bytes(), [0x00, 0x40, 0x01, 0x09, 0x25, 0x00, 0x00, 0x01, 0x03]);
        assert_eq!(FrameHeader::split(&bytes[..8]), None);
        assert_eq!(
            header.to_string(),
            "CONTINUATION frame of 16385 bytes with flags 0x25 on stream 259"
        );
        assert_eq!(Kind(0xa).to_string(), "frame of kind 0xa");
    }

    #[test]
    fn padding_is_taken_away() {
        for (payload, content) in [
            (&[0, 1, 2][..], Some(&[1, 2][..])),
            (&[1, 1, 2], Some(&[1])),
            (&[2, 1, 2], Some(&[])),
            (&[3, 1, 2], None),
            (&[0], Some(&[])),
            (&[], None),
        ] {
            assert_eq!(without_padding(payload), content, "{payload:?}");
        }
    }
}
