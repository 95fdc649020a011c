//! Messages that a service compresses (permessage-deflate, RFC 7692).

use super::fault::Fault;
use super::limits::MAX_MESSAGE_BYTES;
use crate::quote::quote;
use flate2::{Decompress, FlushDecompress, Status};

/// The name of the extension.
pub(super) const NAME: &[u8] = b"permessage-deflate";
/// What every compressed message ends with, and leaves out (section 7.2.1).
const TAIL: &[u8] = b"\0\0\xff\xff";
/// A last block of deflate that says nothing.
const END: &[u8] = b"\x01\0\0\xff\xff";
/// So much is opened at a time.
const ROOM_BYTES: usize = 4096;

/// What a service agreed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Agreed {
    /// Whether a message may refer to those before it.
    pub(super) keeps: bool,
}

impl Agreed {
    /// What the header `sec-websocket-extensions` of a service says to an offer of this extension alone. What is wrong fits after a colon.
    pub(super) fn read(extensions: &[u8]) -> Result<Self, String> {
        let mut parts = extensions.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
        if parts.next() != Some(NAME) || extensions.contains(&b',') {
            return Err(format!("the extension {}, which was not offered", quote(extensions)));
        }
        let mut agreed = Self { keeps: true };
        let mut seen: Vec<&[u8]> = Vec::new();
        for parameter in parts {
            let (name, value) = match parameter.iter().position(|&byte| byte == b'=') {
                Some(equals) => (
                    parameter[..equals].trim_ascii(),
                    Some(unquoted(&parameter[equals + 1..])),
                ),
                None => (parameter, None),
            };
            let is_valid = match name {
                b"server_no_context_takeover" => {
                    agreed.keeps = false;
                    value.is_none()
                }
                b"client_no_context_takeover" => value.is_none(),
                b"server_max_window_bits" | b"client_max_window_bits" => value
                    .is_some_and(|bits| matches!(bits, b"8" | b"9" | b"10" | b"11" | b"12" | b"13" | b"14" | b"15")),
                _ => false,
            };
            if !is_valid || seen.contains(&name) {
                return Err(format!("compression with the parameter {}", quote(parameter)));
            }
            seen.push(name);
        }
        Ok(agreed)
    }
}

fn unquoted(value: &[u8]) -> &[u8] {
    let value = value.trim_ascii();
    let inner = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\""));
    inner.unwrap_or(value)
}

/// Opens the compressed messages of one connection, one after the other.
#[derive(Debug)]
pub(super) struct Inflater {
    keeps: bool,
    /// Some 45 kB; there is none before the first message, nor between messages that do not refer to each other.
    state: Option<Decompress>,
    /// Bytes that have come out of the message.
    bytes: u64,
}

impl Clone for Inflater {
    /// For a connection on which nothing was compressed yet.
    fn clone(&self) -> Self {
        Self::new(self.keeps)
    }
}

impl Inflater {
    /// Of a connection whose messages may refer to those before them where it `keeps` these.
    pub(super) fn new(keeps: bool) -> Self {
        Self {
            keeps,
            state: None,
            bytes: 0,
        }
    }

    /// Opens a piece of a message, perhaps its last one, and gives `take` what is in it. Of a message that breaks off and that the next one may
    /// refer to, this is seen in the next one, which makes no sense then.
    pub(super) fn open(
        &mut self,
        piece: &[u8],
        ends: bool,
        mut take: impl FnMut(&[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.inflate(piece, &mut take)?;
        if ends {
            self.inflate(TAIL, &mut take)?;
            self.bytes = 0;
            if !self.keeps {
                let is_whole = self.inflate(END, &mut take)?;
                self.state = None;
                return is_whole.then_some(()).ok_or(Fault::Compressed);
            }
        }
        Ok(())
    }

    /// Whether a last block ended with the last byte.
    fn inflate(&mut self, mut piece: &[u8], take: &mut impl FnMut(&[u8]) -> Result<(), Fault>) -> Result<bool, Fault> {
        let state = self.state.get_or_insert_with(|| Decompress::new(false));
        let mut room = [0; ROOM_BYTES];
        loop {
            let (taken_before, made_before) = (state.total_in(), state.total_out());
            let status = state.decompress(piece, &mut room, FlushDecompress::None);
            let status = status.map_err(|_| Fault::Compressed)?;
            // Neither is more than the length of a slice.
            let taken = (state.total_in() - taken_before) as usize;
            let made = (state.total_out() - made_before) as usize;
            piece = &piece[taken..];
            self.bytes += made as u64;
            if self.bytes > MAX_MESSAGE_BYTES {
                return Err(Fault::TooLong(self.bytes));
            }
            if made > 0 {
                take(&room[..made])?;
            }
            match status {
                // Of a message there may be more behind a last block (section 7.2.3.4).
                Status::StreamEnd => {
                    state.reset(false);
                    if piece.is_empty() {
                        return Ok(true);
                    }
                }
                // There may be more, also where there was room for it: the window is handed out up to its end.
                _ if made > 0 => {}
                _ if piece.is_empty() => return Ok(false),
                _ if taken == 0 => return Err(Fault::Compressed),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compress, Compression, FlushCompress};

    /// These texts, compressed one after the other, as a service with a window for all of them does it.
    fn compressed(texts: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut state = Compress::new(Compression::default(), false);
        let message = |text: &&[u8]| {
            let mut message = Vec::with_capacity(text.len() + 100);
            state
                .compress_vec(text, &mut message, FlushCompress::Sync)
                .expect("compressed");
            message.strip_suffix(TAIL).expect("the tail").to_vec()
        };
        texts.iter().map(message).collect()
    }

    /// What is in a message that comes in pieces of this size.
    fn open(inflater: &mut Inflater, message: &[u8], size: usize) -> Result<Vec<u8>, Fault> {
        let mut opened = Vec::new();
        let mut take = |bytes: &[u8]| {
            opened.extend_from_slice(bytes);
            Ok(())
        };
        for piece in message.chunks(size) {
            inflater.open(piece, false, &mut take)?;
        }
        inflater.open(b"", true, &mut take)?;
        Ok(opened)
    }

    #[test]
    fn messages_refer_to_each_other_where_that_was_agreed() {
        let long = b"the same again, and ".repeat(1000);
        let texts = [&b"the same again"[..], b"the same again", &long];
        let messages = compressed(&texts);
        assert!(messages[1].len() < messages[0].len());
        for size in [1, 7, usize::MAX] {
            let mut inflater = Inflater::new(true);
            for (message, text) in messages.iter().zip(texts) {
                assert_eq!(open(&mut inflater, message, size).as_deref(), Ok(text));
            }
        }
        let mut each = Inflater::new(false);
        assert_eq!(open(&mut each, &messages[0], 3).as_deref(), Ok(texts[0]));
        assert!(each.state.is_none());
    }

    /// Section 7.2.3.
    #[test]
    fn examples_of_the_standard_are_opened() {
        for (message, expected) in [
            (&b"\xf2\x48\xcd\xc9\xc9\x07\x00"[..], &b"Hello"[..]),
            (b"\x00\x05\x00\xfa\xff\x48\x65\x6c\x6c\x6f\x00", b"Hello"),
            (b"\xf3\x48\xcd\xc9\xc9\x07\x00\x00", b"Hello"),
            (b"\xf2\x48\x05\x00\x00\x00\xff\xff\xca\xc9\xc9\x07\x00", b"Hello"),
            (b"\x00", b""),
        ] {
            for keeps in [true, false] {
                for size in [1, usize::MAX] {
                    let mut inflater = Inflater::new(keeps);
                    let opened = open(&mut inflater, message, size);
                    assert_eq!(opened.as_deref(), Ok(expected), "{}, {keeps}", message.escape_ascii());
                }
            }
        }
        let mut inflater = Inflater::new(true);
        for message in [&b"\xf2\x48\xcd\xc9\xc9\x07\x00"[..], b"\xf2\x00\x11\x00\x00"] {
            assert_eq!(open(&mut inflater, message, 2).as_deref(), Ok(&b"Hello"[..]));
        }
    }

    #[test]
    fn messages_that_break_off_or_are_none_are_faults() {
        let text: Vec<u8> = (0..3000_u32).flat_map(|n| n.to_string().into_bytes()).collect();
        let message = &compressed(&[&text])[0];
        for cut in [1, 10, message.len() / 2, message.len() - 2] {
            let mut each = Inflater::new(false);
            assert_eq!(
                open(&mut each, &message[..cut], usize::MAX),
                Err(Fault::Compressed),
                "{cut}"
            );
        }
        for bytes in [&b"\xff\xff\xff\xff"[..], b"\x06hello"] {
            for keeps in [true, false] {
                let mut inflater = Inflater::new(keeps);
                assert_eq!(open(&mut inflater, bytes, 1), Err(Fault::Compressed));
            }
        }
    }

    #[test]
    fn a_bomb_is_too_long() {
        let zeros = vec![0; 1 << 20];
        let texts = vec![&zeros[..]; 101];
        let mut inflater = Inflater::new(true);
        let mut come = 0;
        let mut take = |bytes: &[u8]| {
            come += bytes.len() as u64;
            Ok(())
        };
        let blocks = compressed(&texts);
        let mut pieces = blocks.iter().flat_map(|block| [block.as_slice(), TAIL]);
        let fault = pieces.find_map(|piece| inflater.open(piece, false, &mut take).err());
        assert!(matches!(fault, Some(Fault::TooLong(_))), "{fault:?}");
        assert!(come <= MAX_MESSAGE_BYTES + ROOM_BYTES as u64);
    }

    #[test]
    fn what_was_agreed_is_read() {
        for (extensions, expected) in [
            ("permessage-deflate", Ok(true)),
            ("permessage-deflate; server_no_context_takeover", Ok(false)),
            (
                "permessage-deflate;client_no_context_takeover; server_max_window_bits=\"10\"",
                Ok(true),
            ),
            ("permessage-deflate; client_max_window_bits=15", Ok(true)),
            (
                "permessage-deflate; client_max_window_bits",
                Err("`client_max_window_bits`"),
            ),
            (
                "permessage-deflate; server_max_window_bits=7",
                Err("`server_max_window_bits=7`"),
            ),
            (
                "permessage-deflate; server_no_context_takeover=1",
                Err("server_no_context_takeover=1"),
            ),
            ("permessage-deflate; mystery", Err("`mystery`")),
            (
                "permessage-deflate; server_max_window_bits=9; server_max_window_bits=9",
                Err("server_max_window_bits"),
            ),
            ("permessage-deflate, permessage-deflate", Err("not offered")),
            ("x-webkit-deflate-frame", Err("not offered")),
            ("", Err("not offered")),
        ] {
            let found = Agreed::read(extensions.as_bytes());
            match (found, expected) {
                (Ok(agreed), Ok(keeps)) => assert_eq!(agreed.keeps, keeps, "{extensions}"),
                (Err(found), Err(expected)) => assert!(found.contains(expected), "{found}"),
                (found, expected) => panic!("{extensions}: {found:?}, not {expected:?}"),
            }
        }
    }
}
