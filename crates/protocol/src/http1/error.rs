//! What can be wrong with a response.

use super::limits::{MAX_HEAD_BYTES, MAX_HEADERS, MAX_INTERIM_BYTES, MAX_SIZE_LINE_BYTES, MAX_TRAILER_BYTES};

/// The bytes are not a valid HTTP/1 response. Nothing after them on this connection can be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// Bytes came when no request was outstanding.
    #[error("the service sent {found} with no request outstanding")]
    Unrequested {
        /// Beginning of what came, quoted.
        found: String,
    },
    /// The first byte is that of a TLS record.
    #[error("the response is a TLS record, not HTTP; hint: the service seems to expect https")]
    Tls,
    /// The first bytes are the header of an HTTP/2 SETTINGS frame, with which such a server begins (RFC 9113, section 3.4).
    #[error("the response is an HTTP/2 frame, not HTTP/1.1: the service speaks HTTP/2 (h2c, gRPC)")]
    Http2,
    /// The response does not begin with `HTTP/1.0` or `HTTP/1.1`.
    #[error("status line is not HTTP/1.x: {found}")]
    NotHttp {
        /// Beginning of the line, quoted.
        found: String,
    },
    /// The rest of the status line is wrong.
    #[error("status line has no three-digit status: {found}")]
    Status {
        /// Beginning of the line, quoted.
        found: String,
    },
    /// A header line has no valid name, no colon, or a forbidden byte.
    #[error("header line is invalid: {found}")]
    Header {
        /// Beginning of the line, quoted.
        found: String,
    },
    /// More than [`MAX_HEADERS`] headers.
    #[error("the response has more than {MAX_HEADERS} headers")]
    TooManyHeaders,
    /// Interim responses (1xx) alone are longer than a reader bears.
    #[error("interim responses (1xx) exceed {MAX_INTERIM_BYTES} bytes without a final one")]
    TooManyInterim,
    /// Status line and headers are longer than [`MAX_HEAD_BYTES`].
    #[error("status line and headers are longer than {MAX_HEAD_BYTES} bytes")]
    HeadTooLarge,
    /// `content-length` is not one decimal number below 2⁶⁴.
    #[error("content-length is {why}: {found}")]
    ContentLength {
        /// What it is instead.
        why: NoLength,
        /// The value, quoted.
        found: String,
    },
    /// Two `content-length` values differ, so the end of the body is unknown.
    #[error("content-length is given as both {first} and {second}")]
    ContentLengthConflict {
        /// The value that came first.
        first: u64,
        /// The value that contradicts it.
        second: u64,
    },
    /// A chunk does not begin with a hexadecimal size below 2⁶⁴.
    #[error("chunk size is not a hexadecimal number: found {found}")]
    ChunkSize {
        /// The byte that does not belong there, quoted.
        found: String,
    },
    /// The line with the size of a chunk and its extensions is too long.
    #[error("chunk-size line is longer than {MAX_SIZE_LINE_BYTES} bytes")]
    ChunkLineTooLong,
    /// A line of a chunked body ends in LF alone, which is how two readers of one stream come to disagree.
    #[error("the {line} line of a chunked body ends in LF without CR")]
    BareLf {
        /// `chunk-size` or `trailer`.
        line: &'static str,
    },
    /// A line or the data of a chunk is not followed by CR LF.
    #[error("chunk is not followed by CR LF: found {found}")]
    ChunkEnd {
        /// The byte that was there instead, quoted.
        found: String,
    },
    /// The fields after the last chunk are too long.
    #[error("trailer after the last chunk is longer than {MAX_TRAILER_BYTES} bytes")]
    TrailerTooLarge,
}

/// What the value of `content-length` is instead of a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoLength {
    /// Nothing.
    #[error("empty")]
    Empty,
    /// A number below 0.
    #[error("negative")]
    Negative,
    /// A number of 2⁶⁴ or more.
    #[error("too large")]
    TooLarge,
    /// Anything else.
    #[error("not a number")]
    NotANumber,
}

impl NoLength {
    /// Of a value that is no length.
    pub(super) fn of(value: &[u8]) -> Self {
        let number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        match value {
            [] => Self::Empty,
            [b'-', digits @ ..] if number(digits) => Self::Negative,
            digits if number(digits) => Self::TooLarge,
            _ => Self::NotANumber,
        }
    }
}

/// The peer closed the connection before the response was complete.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Truncated {
    /// Not one byte of the response had come. On a kept-alive connection the service may simply have closed it while idle.
    #[error("the connection ended before the response began")]
    BeforeResponse,
    /// It ended within the status line or the headers, or after an interim response.
    #[error("the connection ended after {received} bytes of status line and headers")]
    InHead {
        /// Bytes of the response received.
        received: u64,
    },
    /// It ended within a body of known length.
    #[error("the connection ended after {received} of {expected} bytes of the body")]
    InBody {
        /// Bytes of the body received.
        received: u64,
        /// `content-length`.
        expected: u64,
    },
    /// It ended before the last chunk.
    #[error("the connection ended after {received} bytes of a chunked body, before its last chunk")]
    InChunked {
        /// Bytes of the body received, without chunk framing.
        received: u64,
    },
    /// What came before the end is not the beginning of a response.
    #[error(transparent)]
    Malformed(#[from] Malformed),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quote::{quote, quote_line};

    #[test]
    fn messages_say_what_was_found() {
        let error = Malformed::NotHttp {
            found: quote_line(b"HELO mail.example.org\r\n"),
        };
        assert_eq!(
            error.to_string(),
            "status line is not HTTP/1.x: `HELO mail.example.org`"
        );
        for (value, text) in [
            ("99999999999999999999999", "too large: `99999999999999999999999`"),
            ("-2", "negative: `-2`"),
            ("", "empty: ``"),
            ("1x", "not a number: `1x`"),
            ("-", "not a number: `-`"),
        ] {
            let error = Malformed::ContentLength {
                why: NoLength::of(value.as_bytes()),
                found: quote(value.as_bytes()),
            };
            assert_eq!(error.to_string(), format!("content-length is {text}"));
        }
        let error = Malformed::BareLf { line: "chunk-size" };
        assert_eq!(
            error.to_string(),
            "the chunk-size line of a chunked body ends in LF without CR"
        );
        let error = Truncated::InBody {
            received: 3,
            expected: 10,
        };
        assert_eq!(
            error.to_string(),
            "the connection ended after 3 of 10 bytes of the body"
        );
    }
}
