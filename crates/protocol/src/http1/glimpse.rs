//! What a person wants to see of a response that went wrong: no headers but those that say what it is.

use super::field::field;
use crate::content::{NotOpened, opened, unchunked};
use std::borrow::Cow;

/// Parts of a response, as far as they are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Glimpse<'a> {
    /// The status line without the version.
    pub status: &'a [u8],
    /// Value of `content-type`.
    pub content_type: Option<&'a [u8]>,
    /// Value of `location`, up to its query: that may hold a secret.
    pub location: Option<&'a [u8]>,
    /// Value of `content-encoding`.
    pub content_encoding: Option<&'a [u8]>,
    /// How the body begins, without the size of its first chunk.
    pub body: &'a [u8],
    /// Value of `location` with its query.
    whole_location: Option<&'a [u8]>,
    /// How the body begins, with the size of its first chunk.
    framed: &'a [u8],
    chunked: bool,
}

impl<'a> Glimpse<'a> {
    /// Of the response at the beginning of `bytes`, behind those that are interim; `None` where no response begins there.
    #[must_use]
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        let mut response = bytes;
        loop {
            let start = response.iter().position(|byte| !b"\r\n".contains(byte))?;
            response = &response[start..];
            if !response.starts_with(b"HTTP/") {
                return None;
            }
            let (head, body) = split(response);
            let whole_location = field(head, "location");
            let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let status = line
                .splitn(2, |&byte| byte == b' ')
                .nth(1)
                .unwrap_or_default()
                .trim_ascii();
            if status.starts_with(b"1") && !status.starts_with(b"101") && !body.is_empty() {
                response = body;
                continue;
            }
            let chunked =
                field(head, "transfer-encoding").is_some_and(|value| value.to_ascii_lowercase().ends_with(b"chunked"));
            let chunk = body.iter().position(|&byte| byte == b'\n').filter(|_| chunked);
            return Some(Self {
                status,
                content_type: field(head, "content-type"),
                content_encoding: field(head, "content-encoding"),
                location: whole_location.map(|to| to.split(|byte| b"?#".contains(byte)).next().unwrap_or_default()),
                whole_location,
                body: chunk.map_or(body, |end| &body[end + 1..]),
                framed: body,
                chunked,
            });
        }
    }
}

impl<'a> Glimpse<'a> {
    /// Value of `location` as it came, for whoever goes there. It may hold a secret.
    #[must_use]
    pub fn leads_to(&self) -> Option<&'a [u8]> {
        self.whole_location
    }

    /// How the body begins once it is out of its content coding, up to this many bytes.
    ///
    /// # Errors
    /// When it cannot be read so.
    pub fn opened(&self, most_bytes: usize) -> Result<Vec<u8>, NotOpened> {
        let data = match self.chunked {
            true => Cow::Owned(unchunked(self.framed)),
            false => Cow::Borrowed(self.framed),
        };
        opened(self.content_encoding.unwrap_or(b"identity"), &data, most_bytes)
    }
}

/// The head, with the line end before the empty line, and what follows.
fn split(response: &[u8]) -> (&[u8], &[u8]) {
    let end = (0..response.len()).find(|&at| ends_head(response, at));
    response.split_at(end.map_or(response.len(), |at| at + 1))
}

/// Whether the byte at `at` ends an empty line.
fn ends_head(response: &[u8], at: usize) -> bool {
    response.get(at) == Some(&b'\n') && (response[..at].ends_with(b"\n") || response[..at].ends_with(b"\n\r"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_says_what_it_is_is_seen() {
        let response = b"HTTP/1.1 103 E\r\nlink: x\r\n\r\nHTTP/1.1 404 Not Found\r\nSet-Cookie: s=secret\r\nContent-Type: text/html\r\n\
                       transfer-encoding: chunked\r\n\r\n9\r\nCannot GE\r\n";
        let seen = Glimpse::of(response).expect("a response");
        assert_eq!(seen.status, b"404 Not Found");
        assert_eq!(seen.content_type, Some(&b"text/html"[..]));
        assert_eq!(seen.location, None);
        assert_eq!(seen.body, b"Cannot GE\r\n");
    }

    #[test]
    fn a_location_is_seen_without_its_query() {
        let seen = Glimpse::of(b"HTTP/1.1 302 Found\nLocation: /login?token=abc#x\n\n").expect("a response");
        assert_eq!((seen.status, seen.location), (&b"302 Found"[..], Some(&b"/login"[..])));
        assert_eq!(seen.body, b"");
        assert_eq!(seen.leads_to(), Some(&b"/login?token=abc#x"[..]));
    }

    #[test]
    fn what_is_no_response_has_no_parts() {
        for bytes in [&b""[..], b"\r\n\r\n", b"HELO there\r\n", b"\x16\x03\x01"] {
            assert_eq!(Glimpse::of(bytes), None, "{bytes:?}");
        }
        assert_eq!(Glimpse::of(b"HTTP/1.1 200").map(|seen| seen.status), Some(&b"200"[..]));
    }
}
