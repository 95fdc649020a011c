//! WebSocket (RFC 6455), as much as small messages need. A message is a request, and its response says the same; of Socket.IO 4 an event is
//! one, and its response the acknowledgement. Each message on a connection has a number, which stands for its stream.

use super::Stream;
use crate::Part;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha1_smol::Sha1;
use std::collections::HashMap;

/// What a service appends to the key of the handshake (section 1.3).
const GUID: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const HEAD_END: &[u8] = b"\r\n\r\n";

const FINAL: u8 = 0x80;
const MASKED: u8 = 0x80;
const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// The session of Engine.IO. No ping of it comes into a measurement.
const SESSION: &[u8] =
    br#"0{"sid":"session","upgrades":[],"pingInterval":3600000,"pingTimeout":3600000,"maxPayload":1000000}"#;
const CONNECT: &[u8] = b"40";
const CONNECTED: &[u8] = br#"40{"sid":"socket"}"#;
const EVENT: &[u8] = b"42";
const ACKNOWLEDGEMENT: &[u8] = b"43";

/// What messages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speech {
    /// Texts.
    Bare,
    /// Packets of Socket.IO, in its namespace `/`.
    SocketIo,
}

/// Where messages end, and what is said to each.
#[derive(Debug)]
pub(crate) struct Messages {
    speech: Speech,
    open: bool,
    /// A head or a frame that has not come whole yet.
    begun: Vec<u8>,
    asked: Stream,
    /// What the responses that have not left yet begin with.
    owed: HashMap<Stream, Vec<u8>>,
}

impl Messages {
    pub(crate) fn new(speech: Speech) -> Self {
        Self {
            speech,
            open: false,
            begun: Vec::new(),
            asked: 0,
            owed: HashMap::new(),
        }
    }

    pub(crate) fn read(&mut self, bytes: &[u8], requests: &mut Vec<Stream>, out: &mut Vec<u8>) -> bool {
        self.begun.extend_from_slice(bytes);
        let mut begun = std::mem::take(&mut self.begun);
        let mut from = 0;
        if !self.open {
            let Some(end) = begun.windows(HEAD_END.len()).position(|four| four == HEAD_END) else {
                self.begun = begun;
                return true;
            };
            if !open(&begun[..end], out) {
                return false;
            }
            self.open = true;
            from = end + HEAD_END.len();
            if self.speech == Speech::SocketIo {
                frame(FINAL | TEXT, SESSION, out);
            }
        }
        while let Some(Frame { first, payload, bytes }) = Frame::read(&mut begun[from..]) {
            from += bytes;
            match first & 0x0f {
                CLOSE => return false,
                PING => frame(FINAL | PONG, payload, out),
                PONG => {}
                _ if first & FINAL == 0 => return false,
                _ => requests.extend(self.message(payload, out)),
            }
        }
        self.begun = begun.split_off(from);
        true
    }

    /// Reads a message; gives its number where it is a request.
    fn message(&mut self, message: &[u8], out: &mut Vec<u8>) -> Option<Stream> {
        let response = match self.speech {
            Speech::Bare => message.to_vec(),
            Speech::SocketIo => {
                if message.starts_with(CONNECT) {
                    frame(FINAL | TEXT, CONNECTED, out);
                }
                let number = message.strip_prefix(EVENT)?;
                let digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
                [ACKNOWLEDGEMENT, &number[..digits], b"["].concat()
            }
        };
        self.asked += 1;
        self.owed.insert(self.asked, response);
        Some(self.asked)
    }

    pub(crate) fn write(&mut self, stream: Stream, part: Part, last: bool, out: &mut Vec<u8>) {
        let Some(response) = self.owed.get(&stream) else { return };
        let (begins, ends): (&[u8], &[u8]) = match self.speech {
            Speech::Bare => (b"", b""),
            Speech::SocketIo => (b"\"\"", b"]"),
        };
        let whole = || {
            let mut whole = Vec::new();
            frame(FINAL | TEXT, &[response, ends].concat(), &mut whole);
            whole
        };
        match part {
            Part::Whole => out.extend(whole()),
            Part::Begin => out.push(FINAL | TEXT),
            Part::Rest => out.extend_from_slice(&whole()[1..]),
            Part::Head(_) => frame(TEXT, &[response, begins].concat(), out),
            Part::Body(bytes) => {
                let said = match self.speech {
                    Speech::Bare => bytes.to_vec(),
                    // A text of ASCII is written in JSON as it is in Rust.
                    Speech::SocketIo => format!(",{:?}", String::from_utf8_lossy(bytes)).into_bytes(),
                };
                match last {
                    true => frame(FINAL | CONTINUATION, &[&said, ends].concat(), out),
                    false => frame(CONTINUATION, &said, out),
                }
            }
        }
        if last {
            self.owed.remove(&stream);
        }
    }
}

/// Responds to the opening handshake; false when it is none.
fn open(head: &[u8], out: &mut Vec<u8>) -> bool {
    let mut lines = head.split(|&byte| byte == b'\n');
    let key = lines.find_map(|line| {
        let (name, value) = line.split_at_checked(line.iter().position(|&byte| byte == b':')?)?;
        name.eq_ignore_ascii_case(b"sec-websocket-key")
            .then(|| value[1..].trim_ascii())
    });
    let Some(key) = key else { return false };
    let mut hash = Sha1::new();
    hash.update(key);
    hash.update(GUID);
    let accept = BASE64.encode(hash.digest().bytes());
    let head =
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ";
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(accept.as_bytes());
    out.extend_from_slice(HEAD_END);
    true
}

/// A frame of a client.
struct Frame<'a> {
    first: u8,
    /// Without its mask.
    payload: &'a [u8],
    /// Of all of it.
    bytes: usize,
}

impl<'a> Frame<'a> {
    /// The frame that `bytes` begin with, once it is whole.
    fn read(bytes: &'a mut [u8]) -> Option<Self> {
        let &[first, second, ref rest @ ..] = &*bytes else {
            return None;
        };
        let (length, head) = match second & !MASKED {
            126 => (u64::from(u16::from_be_bytes(*rest.first_chunk()?)), 4),
            127 => (u64::from_be_bytes(*rest.first_chunk()?), 10),
            length => (u64::from(length), 2),
        };
        let mask: [u8; 4] = *bytes.get(head..)?.first_chunk()?;
        let begin = head + mask.len();
        let end = begin.checked_add(usize::try_from(length).ok()?)?;
        let payload = bytes.get_mut(begin..end)?;
        for (byte, mask) in payload.iter_mut().zip(mask.iter().cycle()) {
            *byte ^= mask;
        }
        Some(Self {
            first,
            payload,
            bytes: end,
        })
    }
}

fn frame(first: u8, payload: &[u8], out: &mut Vec<u8>) {
    out.push(first);
    match payload.len() {
        length @ 0..=125 => out.push(length as u8),
        length @ 126..=0xffff => {
            out.push(126);
            out.extend_from_slice(&(length as u16).to_be_bytes());
        }
        length => {
            out.push(127);
            out.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(payload);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of section 1.3.
    const OPENING: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    const OPENED: &[u8] = b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
                            sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    /// What a client says, masked by zeros and by others.
    fn said(texts: &[&[u8]]) -> Vec<u8> {
        let mut said = OPENING.to_vec();
        for (text, mask) in texts.iter().zip([[0; 4], [1, 2, 3, 4]].iter().cycle()) {
            said.extend_from_slice(&[FINAL | TEXT, MASKED | text.len() as u8]);
            said.extend_from_slice(mask);
            said.extend(text.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        }
        said
    }

    fn unread(of: &[u8]) -> Vec<u8> {
        let mut unread = Vec::new();
        frame(FINAL | TEXT, of, &mut unread);
        unread
    }

    #[test]
    fn messages_are_found_in_whatever_pieces() {
        let said = said(&[b"one", b"two"]);
        for at in 0..said.len() {
            let (mut messages, mut requests, mut out) = (Messages::new(Speech::Bare), Vec::new(), Vec::new());
            assert!(messages.read(&said[..at], &mut requests, &mut out), "split at {at}");
            assert!(messages.read(&said[at..], &mut requests, &mut out), "split at {at}");
            assert_eq!((&requests[..], &out[..]), (&[1, 2][..], OPENED), "split at {at}");
            out.clear();
            messages.write(2, Part::Whole, true, &mut out);
            messages.write(1, Part::Begin, false, &mut out);
            messages.write(1, Part::Rest, true, &mut out);
            assert_eq!(out, [unread(b"two"), unread(b"one")].concat(), "split at {at}");
            assert!(messages.owed.is_empty());
        }
    }

    #[test]
    fn events_are_acknowledged_by_their_numbers() {
        let (mut messages, mut requests, mut out) = (Messages::new(Speech::SocketIo), Vec::new(), Vec::new());
        assert!(messages.read(&said(&[b"40", b"4217[\"say\"]", b"3"]), &mut requests, &mut out));
        assert_eq!(requests, [1]);
        assert_eq!(out, [OPENED, &unread(SESSION), &unread(CONNECTED)].concat());
        out.clear();
        messages.write(1, Part::Whole, true, &mut out);
        assert_eq!(out, unread(b"4317[]"));
    }

    #[test]
    fn a_body_comes_in_fragments() {
        for (speech, text, fragments) in [
            (Speech::Bare, &b"one"[..], [&b"one"[..], b"a\n", b"b\n"]),
            (Speech::SocketIo, b"421[]", [b"431[\"\"", br#","a\n""#, br#","b\n"]"#]),
        ] {
            let (mut messages, mut out) = (Messages::new(speech), Vec::new());
            assert!(messages.read(&said(&[text]), &mut Vec::new(), &mut Vec::new()));
            messages.write(1, Part::Head(4), false, &mut out);
            messages.write(1, Part::Body(b"a\n"), false, &mut out);
            messages.write(1, Part::Body(b"b\n"), true, &mut out);
            let mut expected = Vec::new();
            for (first, fragment) in [TEXT, CONTINUATION, FINAL | CONTINUATION].into_iter().zip(fragments) {
                frame(first, fragment, &mut expected);
            }
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn another_protocol_is_refused() {
        let read = |bytes: &[u8]| Messages::new(Speech::Bare).read(bytes, &mut Vec::new(), &mut Vec::new());
        assert!(!read(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"));
        assert!(!read(&[OPENING, &[FINAL | CLOSE, MASKED, 0, 0, 0, 0]].concat()));
    }
}
