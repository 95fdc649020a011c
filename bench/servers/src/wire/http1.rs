//! HTTP/1.1.

use super::Stream;
use crate::Part;
use std::sync::Arc;

const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
/// In the middle of a header.
const CUT: usize = 25;
const END: [u8; 4] = *b"\r\n\r\n";

pub(crate) fn write(part: Part, out: &mut Vec<u8>) {
    match part {
        Part::Whole => out.extend_from_slice(RESPONSE),
        Part::Begin => out.extend_from_slice(&RESPONSE[..CUT]),
        Part::Rest => out.extend_from_slice(&RESPONSE[CUT..]),
        Part::Head(length) => {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
            out.extend_from_slice(head.as_bytes());
        }
        Part::Body(bytes) => out.extend_from_slice(bytes),
    }
}

/// Where requests end, and what they are for where that is asked.
#[derive(Debug)]
pub(crate) struct Requests {
    ends: RequestEnds,
    paths: Arc<[String]>,
    /// A head that has not come whole yet, where paths are asked for.
    begun: Vec<u8>,
}

impl Requests {
    pub(crate) fn new(paths: &Arc<[String]>) -> Self {
        Self {
            ends: RequestEnds::default(),
            paths: Arc::clone(paths),
            begun: Vec::new(),
        }
    }

    /// Adds the requests that end in these bytes.
    pub(crate) fn read(&mut self, bytes: &[u8], requests: &mut Vec<Stream>) {
        if self.paths.is_empty() {
            return requests.extend((0..self.ends.count(bytes)).map(|_| 0));
        }
        self.begun.extend_from_slice(bytes);
        while let Some(end) = self.begun.windows(END.len()).position(|four| four == END) {
            let head: Vec<u8> = self.begun.drain(..end + END.len()).collect();
            requests.push(self.asked(&head));
        }
    }

    /// Which of the paths a head asks for, from 1; 0 is none of them.
    fn asked(&self, head: &[u8]) -> Stream {
        let target = head.split(|&byte| byte == b' ').nth(1).unwrap_or_default();
        let path = target.split(|&byte| byte == b'?').next().unwrap_or_default();
        let place = self.paths.iter().position(|known| known.as_bytes() == path);
        place.map_or(0, |place| place as Stream + 1)
    }
}

/// Where requests end.
#[derive(Debug, Default)]
pub(crate) struct RequestEnds {
    /// How much of the empty line that ends a head has been seen.
    matched: u8,
}

impl RequestEnds {
    /// How many requests end in these bytes.
    pub(crate) fn count(&mut self, bytes: &[u8]) -> usize {
        // What most clients send: one request, whole.
        if self.matched == 0 && bytes.ends_with(&END) && !bytes[..bytes.len() - 1].windows(4).any(|four| four == END) {
            return 1;
        }
        let mut ends = 0;
        for &byte in bytes {
            if byte == END[usize::from(self.matched)] {
                self.matched += 1;
            } else {
                self.matched = u8::from(byte == b'\r');
            }
            if self.matched == 4 {
                self.matched = 0;
                ends += 1;
            }
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_found_in_whatever_pieces() {
        let two = b"GET / HTTP/1.1\r\nhost: a\r\n\r\nGET / HTTP/1.1\r\n\r\r\n\r\n";
        assert_eq!(RequestEnds::default().count(two), 2);
        assert_eq!(RequestEnds::default().count(b"GET / HTTP/1.1\r\n\r\n"), 1);
        for at in 0..two.len() {
            let mut ends = RequestEnds::default();
            assert_eq!(ends.count(&two[..at]) + ends.count(&two[at..]), 2, "split at {at}");
        }
    }

    #[test]
    fn paths_are_known_in_whatever_pieces() {
        let heads = b"GET /a?x=/b HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nhost: /b\r\n\r\nGET /b HTTP/1.1\r\n\r\n";
        let paths: Arc<[String]> = ["/a".to_owned(), "/b".to_owned()].into();
        for at in 0..heads.len() {
            let (mut asked, mut requests) = (Requests::new(&paths), Vec::new());
            asked.read(&heads[..at], &mut requests);
            asked.read(&heads[at..], &mut requests);
            assert_eq!(requests, [1, 0, 2], "split at {at}");
        }
    }

    #[test]
    fn begin_and_rest_are_the_whole() {
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        write(Part::Whole, &mut whole);
        write(Part::Begin, &mut parts);
        write(Part::Rest, &mut parts);
        assert_eq!(parts, whole);
    }
}
