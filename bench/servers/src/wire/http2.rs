//! HTTP/2 (RFC 9113), as much as requests without a body need. What headers say is never asked, so they are not decoded.
//!
//! The windows of the client are taken to be wide enough: what is sent at once is small. A client that grants too little
//! will say so by a connection error.

use super::Stream;
use crate::Part;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEAD_BYTES: usize = 9;
/// The longest frame that a client may send unless it is told otherwise (section 4.2).
const FRAME_BYTES_MAX: usize = 1 << 14;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const CONTINUATION: u8 = 9;
const ACK: u8 = 0x1;
const END_STREAM: u8 = 0x1;
const END_HEADERS: u8 = 0x4;

/// `:status: 200` of the static table (RFC 7541, appendix A).
const STATUS_200: u8 = 0x88;
const BODY: &[u8] = b"ok";

/// Where requests end.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    greeted: bool,
    /// A frame, or the preface, that has not come whole yet.
    begun: Vec<u8>,
}

impl Frames {
    pub(crate) fn read(&mut self, bytes: &[u8], requests: &mut Vec<Stream>, out: &mut Vec<u8>) -> bool {
        self.begun.extend_from_slice(bytes);
        let begun = std::mem::take(&mut self.begun);
        let mut left = begun.as_slice();
        if !self.greeted {
            let Some(after) = left.strip_prefix(PREFACE) else {
                let may_come = PREFACE.starts_with(left);
                self.begun = begun;
                return may_come;
            };
            self.greeted = true;
            frame(SETTINGS, 0, 0, &[], out);
            left = after;
        }
        while let Some((head, after)) = left.split_first_chunk::<HEAD_BYTES>() {
            let [a, b, c, kind, flags, stream @ ..] = *head;
            let length = u32::from_be_bytes([0, a, b, c]) as usize;
            if length > FRAME_BYTES_MAX || kind == GOAWAY {
                return false;
            }
            let Some((payload, rest)) = after.split_at_checked(length) else {
                break;
            };
            left = rest;
            match kind {
                // A request without a body ends with its headers, whatever frames they take.
                HEADERS | CONTINUATION if flags & END_HEADERS != 0 => requests.push(u32::from_be_bytes(stream)),
                SETTINGS if flags & ACK == 0 => frame(SETTINGS, ACK, 0, &[], out),
                PING if flags & ACK == 0 => frame(PING, ACK, 0, payload, out),
                _ => {}
            }
        }
        self.begun = left.to_vec();
        true
    }
}

pub(crate) fn write(stream: Stream, part: Part, last: bool, out: &mut Vec<u8>) {
    let ends = if last { END_STREAM } else { 0 };
    match part {
        Part::Whole => {
            frame(HEADERS, END_HEADERS, stream, &[STATUS_200], out);
            frame(DATA, END_STREAM, stream, BODY, out);
        }
        Part::Begin | Part::Head(_) => frame(HEADERS, END_HEADERS, stream, &[STATUS_200], out),
        Part::Rest => frame(DATA, END_STREAM, stream, BODY, out),
        Part::Body(bytes) => frame(DATA, ends, stream, bytes, out),
    }
}

fn frame(kind: u8, flags: u8, stream: Stream, payload: &[u8], out: &mut Vec<u8>) {
    let [_, length @ ..] = u32::try_from(payload.len()).unwrap_or(u32::MAX).to_be_bytes();
    out.extend_from_slice(&length);
    out.extend_from_slice(&[kind, flags]);
    out.extend_from_slice(&stream.to_be_bytes());
    out.extend_from_slice(payload);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said() -> Vec<u8> {
        let mut said = PREFACE.to_vec();
        frame(SETTINGS, 0, 0, &[], &mut said);
        frame(HEADERS, END_HEADERS | END_STREAM, 1, &[0x82], &mut said);
        frame(HEADERS, END_STREAM, 3, &[0x82], &mut said);
        frame(CONTINUATION, END_HEADERS, 3, &[0x84], &mut said);
        frame(PING, 0, 0, b"12345678", &mut said);
        said
    }

    #[test]
    fn requests_are_found_in_whatever_pieces() {
        let said = said();
        for at in 0..said.len() {
            let (mut frames, mut requests, mut out) = (Frames::default(), Vec::new(), Vec::new());
            assert!(frames.read(&said[..at], &mut requests, &mut out), "split at {at}");
            assert!(frames.read(&said[at..], &mut requests, &mut out), "split at {at}");
            assert_eq!(requests, [1, 3], "split at {at}");
            let mut expected = Vec::new();
            frame(SETTINGS, 0, 0, &[], &mut expected);
            frame(SETTINGS, ACK, 0, &[], &mut expected);
            frame(PING, ACK, 0, b"12345678", &mut expected);
            assert_eq!(out, expected, "split at {at}");
        }
    }

    #[test]
    fn another_protocol_is_refused() {
        let read = |bytes: &[u8]| Frames::default().read(bytes, &mut Vec::new(), &mut Vec::new());
        assert!(!read(b"GET / HTTP/1.1\r\n"));
        let mut long = PREFACE.to_vec();
        long.extend_from_slice(&[0xff; HEAD_BYTES]);
        assert!(!read(&long));
    }
}
