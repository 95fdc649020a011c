//! How frames begin (RFC 6455, section 5.2), and the mask of those that a client sends.

use super::fault::Fault;

/// Most bytes in which the frame of a service begins: it has no mask.
pub(super) const HEAD_BYTES_MAX: usize = 10;
/// Most bytes in a ping, pong or close.
pub(super) const CONTROL_BYTES_MAX: usize = 125;

const FINAL: u8 = 0x80;
/// Of extensions: RSV1 says that a message is compressed (RFC 7692, section 6), the others nothing that is known.
const COMPRESSED: u8 = 0x40;
const RESERVED: u8 = 0x30;
const MASKED: u8 = 0x80;
/// Lengths from here on have bytes of their own.
const TWO_BYTES: u8 = 126;
const EIGHT_BYTES: u8 = 127;

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
    Continuation,
    Text,
    Binary,
    Close,
    Ping,
    Pong,
}

impl FrameKind {
    fn of(opcode: u8) -> Result<Self, Fault> {
        Ok(match opcode {
            0 => Self::Continuation,
            1 => Self::Text,
            2 => Self::Binary,
            8 => Self::Close,
            9 => Self::Ping,
            10 => Self::Pong,
            _ => return Err(Fault::UnknownKind(opcode)),
        })
    }

    const fn opcode(self) -> u8 {
        match self {
            Self::Continuation => 0,
            Self::Text => 1,
            Self::Binary => 2,
            Self::Close => 8,
            Self::Ping => 9,
            Self::Pong => 10,
        }
    }

    pub(super) const fn is_control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }
}

/// What the frame of a service begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FrameHead {
    pub(super) kind: FrameKind,
    /// It is the last of its message.
    pub(super) is_last: bool,
    /// Its message is compressed.
    pub(super) is_compressed: bool,
    /// Bytes behind the head.
    pub(super) length: u64,
    /// Bytes of the head.
    pub(super) bytes: usize,
}

impl FrameHead {
    /// The head at the beginning of `bytes`; `None` where it is not all there.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<Self>, Fault> {
        let &[first, second, ref rest @ ..] = bytes else {
            return Ok(None);
        };
        if first & RESERVED != 0 {
            return Err(Fault::ReservedBits);
        }
        let kind = FrameKind::of(first & 0x0f)?;
        let is_last = first & FINAL != 0;
        if second & MASKED != 0 {
            return Err(Fault::Masked);
        }
        let (length, bytes) = match second {
            TWO_BYTES => match rest.first_chunk::<2>() {
                None => return Ok(None),
                Some(length) => (u64::from(u16::from_be_bytes(*length)), 4),
            },
            EIGHT_BYTES => match rest.first_chunk::<8>() {
                None => return Ok(None),
                Some(length) => (u64::from_be_bytes(*length), 10),
            },
            length => (length.into(), 2),
        };
        let fewest = match length {
            0..=125 => 2,
            126..=0xffff => 4,
            _ => 10,
        };
        if bytes != fewest || length > i64::MAX as u64 {
            return Err(Fault::Length);
        }
        if kind.is_control() && (!is_last || length > CONTROL_BYTES_MAX as u64) {
            return Err(Fault::Control);
        }
        Ok(Some(Self {
            kind,
            is_last,
            is_compressed: first & COMPRESSED != 0,
            length,
            bytes,
        }))
    }
}

/// Appends a frame that is a message, or a control frame, of its own. `payload` appends what is in it, `length` bytes.
pub(super) fn write_frame(
    kind: FrameKind,
    length: usize,
    mask: [u8; 4],
    payload: impl FnOnce(&mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    out.push(FINAL | kind.opcode());
    match length {
        0..=125 => out.push(MASKED | length as u8),
        126..=0xffff => {
            out.push(MASKED | TWO_BYTES);
            out.extend_from_slice(&(length as u16).to_be_bytes());
        }
        _ => {
            out.push(MASKED | EIGHT_BYTES);
            out.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(&mask);
    let begin = out.len();
    payload(out);
    debug_assert_eq!(out.len() - begin, length, "the length was announced");
    for chunk in out[begin..].chunks_mut(mask.len()) {
        for (byte, mask) in chunk.iter_mut().zip(mask) {
            *byte ^= mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read() {
        let head = |kind, is_last, length, bytes| {
            Ok(Some(FrameHead {
                kind,
                is_last,
                is_compressed: false,
                length,
                bytes,
            }))
        };
        for (bytes, expected) in [
            (&b""[..], Ok(None)),
            (b"\x81", Ok(None)),
            (b"\x81\x05Hello", head(FrameKind::Text, true, 5, 2)),
            (b"\x02\x7e\x01", Ok(None)),
            (b"\x02\x7e\x01\x00", head(FrameKind::Binary, false, 256, 4)),
            (
                b"\x80\x7f\0\0\0\0\0\x01\0\0",
                head(FrameKind::Continuation, true, 65_536, 10),
            ),
            (b"\x89\x00", head(FrameKind::Ping, true, 0, 2)),
            (b"\xa1\x00", Err(Fault::ReservedBits)),
            (b"\x90\x00", Err(Fault::ReservedBits)),
            (b"\x83\x00", Err(Fault::UnknownKind(3))),
            (b"\x81\x80", Err(Fault::Masked)),
            (b"\x81\x7e\x00\x7d", Err(Fault::Length)),
            (b"\x81\x7f\0\0\0\0\0\0\xff\xff", Err(Fault::Length)),
            (b"\x81\x7f\xff\0\0\0\0\0\0\0", Err(Fault::Length)),
            (b"\x09\x00", Err(Fault::Control)),
            (b"\x88\x7e\x00\x7e", Err(Fault::Control)),
        ] {
            assert_eq!(FrameHead::parse(bytes), expected, "{}", bytes.escape_ascii());
        }
    }

    /// The example of RFC 6455, section 5.7.
    #[test]
    fn frames_are_masked_as_the_standard_shows() {
        let mut out = Vec::new();
        let payload = |out: &mut Vec<u8>| out.extend_from_slice(b"Hello");
        write_frame(FrameKind::Text, 5, [0x37, 0xfa, 0x21, 0x3d], payload, &mut out);
        assert_eq!(out, b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58");
    }
}
