//! The head of a response: what its fields say together.

use super::hpack::Fields;
use super::limits::{MAX_HEAD_BYTES, MAX_HEADERS};
use super::meaning::{Meaning, Wrong};
use super::stream_error::StreamError;
use crate::quote::quote;

/// What the head of a response says about its framing and its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) content_length: Option<u64>,
    /// Its content is said to be that of a response to a call.
    pub(super) is_of_call: bool,
}

/// Reads the fields of a head, and writes them down as HTTP/1 would where `keeps` says so of its status.
pub(super) struct HeadReader<K> {
    status: Option<u16>,
    content_length: Option<u64>,
    is_of_call: bool,
    error: Option<StreamError>,
    keeps: K,
    /// The head to be looked at, whole.
    text: Option<Vec<u8>>,
    bytes: usize,
    fields: u32,
    /// A field that is no pseudo-header has come.
    in_headers: bool,
}

impl<K: FnMut(u16) -> bool> HeadReader<K> {
    pub(super) fn new(keeps: K) -> Self {
        Self {
            status: None,
            content_length: None,
            is_of_call: false,
            error: None,
            keeps,
            text: None,
            bytes: 0,
            fields: 0,
            in_headers: false,
        }
    }

    /// What the fields said, and the text of them where it is kept. What is wrong comes with the text too.
    pub(super) fn finish(self) -> (Result<Head, StreamError>, Option<Vec<u8>>) {
        let mut text = self.text;
        if let Some(text) = &mut text {
            text.extend_from_slice(b"\r\n");
        }
        let head = match (self.error, self.status) {
            (Some(error), _) => Err(error),
            (None, None) => Err(StreamError::NoStatus),
            (None, Some(status)) => Ok(Head {
                status,
                content_length: self.content_length,
                is_of_call: self.is_of_call,
            }),
        };
        (head, text)
    }

    fn take(&mut self, name: &[u8], value: &[u8], meaning: Meaning) -> Result<(), StreamError> {
        self.fields += 1;
        self.bytes = self.bytes.saturating_add(name.len() + value.len());
        if self.bytes > MAX_HEAD_BYTES {
            return Err(StreamError::HeadTooLarge);
        }
        if self.fields > MAX_HEADERS {
            return Err(StreamError::TooManyHeaders);
        }
        match meaning {
            Meaning::Status(_) if self.in_headers => Err(StreamError::LatePseudoHeader { name: quote(name) }),
            Meaning::Status(_) if self.status.is_some() => Err(StreamError::TwoStatuses),
            Meaning::Status(status) => {
                self.status = Some(status);
                // Whether an interim response is worth keeping nobody asks.
                if status >= 200 && (self.keeps)(status) {
                    self.text = Some([b"HTTP/2 ", value, b"\r\n"].concat());
                }
                return Ok(());
            }
            Meaning::ContentLength(length) => match self.content_length.replace(length) {
                Some(first) if first != length => Err(StreamError::TwoLengths { first, second: length }),
                _ => Ok(()),
            },
            Meaning::CallContent => {
                self.is_of_call = true;
                Ok(())
            }
            Meaning::Other => Ok(()),
            Meaning::Wrong(wrong) => Err(error_of(wrong, name, value)),
        }?;
        self.in_headers = true;
        if let Some(text) = &mut self.text {
            [name, b": ", value, b"\r\n"]
                .iter()
                .for_each(|part| text.extend_from_slice(part));
        }
        Ok(())
    }
}

impl<K: FnMut(u16) -> bool> Fields for HeadReader<K> {
    type Meaning = Meaning;

    fn meaning(name: &[u8], value: &[u8]) -> Meaning {
        Meaning::of(name, value)
    }

    fn field(&mut self, name: &[u8], value: &[u8], meaning: Meaning) {
        if self.error.is_none() {
            self.error = self.take(name, value, meaning).err();
        }
    }
}

/// Reads the fields behind the content of a response (RFC 9113, section 8.1), or those of a response that nobody waits for.
#[derive(Default)]
pub(super) struct TrailerReader {
    pub(super) error: Option<StreamError>,
}

impl Fields for TrailerReader {
    type Meaning = Meaning;

    fn meaning(name: &[u8], value: &[u8]) -> Meaning {
        Meaning::of(name, value)
    }

    fn field(&mut self, name: &[u8], value: &[u8], meaning: Meaning) {
        let error = match meaning {
            Meaning::Status(_) => Some(error_of(Wrong::PseudoHeader, name, value)),
            Meaning::Wrong(wrong) => Some(error_of(wrong, name, value)),
            Meaning::ContentLength(_) | Meaning::CallContent | Meaning::Other => None,
        };
        self.error = self.error.take().or(error);
    }
}

/// Values are not quoted, because they may be secrets.
#[cold]
fn error_of(wrong: Wrong, name: &[u8], value: &[u8]) -> StreamError {
    let quoted = quote(name);
    match wrong {
        Wrong::PseudoHeader => StreamError::PseudoHeader { name: quoted },
        Wrong::Status => StreamError::Status { found: quote(value) },
        Wrong::ContentLength => StreamError::ContentLength { found: quote(value) },
        Wrong::Name => StreamError::HeaderName { name: quoted },
        Wrong::Value => StreamError::HeaderValue { name: quoted },
        Wrong::Connection => StreamError::ConnectionHeader { name: quoted },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads these fields, keeps them, and says what came of them.
    fn read(fields: &[(&str, &str)]) -> (Result<Head, String>, String) {
        let mut reader = HeadReader::new(|status| status >= 400);
        for (name, value) in fields {
            let (name, value) = (name.as_bytes(), value.as_bytes());
            reader.field(name, value, Meaning::of(name, value));
        }
        let (head, text) = reader.finish();
        let text = text.unwrap_or_default();
        (
            head.map_err(|error| error.to_string()),
            String::from_utf8(text).unwrap(),
        )
    }

    #[test]
    fn a_head_is_read_and_written_down_where_it_is_wanted() {
        let fields = [
            (":status", "404"),
            ("content-length", "3"),
            ("content-type", "text/plain"),
        ];
        let head = Head {
            status: 404,
            content_length: Some(3),
            is_of_call: false,
        };
        let text = "HTTP/2 404\r\ncontent-length: 3\r\ncontent-type: text/plain\r\n\r\n";
        assert_eq!(read(&fields), (Ok(head), text.to_owned()));
        assert_eq!(read(&[(":status", "204")]).1, "");
    }

    #[test]
    fn what_is_wrong_is_said_without_values() {
        for (fields, error) in [
            (&[][..], "the response has no :status"),
            (&[("a", "b")], "the response has no :status"),
            (
                &[(":status", "200"), (":status", "200")],
                "the response has more than one :status",
            ),
            (
                &[("a", "b"), (":status", "200")],
                "pseudo-header `:status` comes behind other headers",
            ),
            (&[(":status", "2x0")], ":status is not three digits: `2x0`"),
            (
                &[(":status", "200"), (":path", "/")],
                "the response has the pseudo-header `:path`, which none may have",
            ),
            (
                &[(":status", "200"), ("Set-Cookie", "secret")],
                "header name `Set-Cookie` has an upper-case letter or a byte that no name may have",
            ),
            (
                &[(":status", "200"), ("set-cookie", "secret\n")],
                "the value of header `set-cookie` has a byte or a space that it may not have",
            ),
            (
                &[(":status", "200"), ("connection", "close")],
                "header `connection` is about an HTTP/1.1 connection, which HTTP/2 forbids",
            ),
            (
                &[(":status", "200"), ("content-length", "1"), ("content-length", "2")],
                "content-length is given as both 1 and 2",
            ),
        ] {
            assert_eq!(read(fields).0, Err(error.to_owned()), "{fields:?}");
        }
    }
}
