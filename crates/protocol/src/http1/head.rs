//! Status line and headers of a response, and what they say about its body.

use super::error::{Malformed, NoLength};
use super::limits::{MAX_HEAD_BYTES, MAX_HEADERS};
use crate::RequestKind;
use crate::quote::{quote, quote_field, quote_line};
use httparse::{Header, ParserConfig, Response, Status};
use std::mem::MaybeUninit;

/// Headers for which there is always room. Nearly every response has fewer; for more, room is made while they are read.
const USUAL_HEADERS: usize = 100;
/// What precedes the digits of the version.
const HTTP_1: &[u8] = b"HTTP/1.";

/// A complete status line with headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    /// Length up to and including the empty line.
    pub(super) bytes: usize,
    pub(super) status: u16,
    pub(super) body: Body,
    /// Whether the connection can carry another request after this response.
    pub(super) keep_alive: bool,
    /// For how long the service says it keeps the connection without a request, s.
    pub(super) keep_alive_s: Option<u16>,
}

/// How the end of the body is found (RFC 9112, section 6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// After this many bytes.
    Sized(u64),
    /// After the last chunk.
    Chunked,
    /// When the peer closes.
    UntilClose,
}

impl Head {
    /// Parses the head at the beginning of `bytes`; `None` when it is not all there.
    ///
    /// Lines may end in LF alone, empty lines before the status line are skipped (RFC 9112, section 2.2), blanks between
    /// its parts may be several (section 4), and a line that goes on after a line end and a blank is one line (section 5.2).
    pub(super) fn parse(bytes: &[u8], request: RequestKind) -> Result<Option<Self>, Malformed> {
        let bytes = &bytes[..bytes.len().min(MAX_HEAD_BYTES)];
        let mut headers = [const { MaybeUninit::<Header<'_>>::uninit() }; USUAL_HEADERS];
        let mut response = Response::new(&mut []);
        match parse_into(&mut response, bytes, &mut headers) {
            Ok(Status::Complete(head_bytes)) => Self::interpret(head_bytes, &response, request).map(Some),
            Ok(Status::Partial) if bytes.len() == MAX_HEAD_BYTES => Err(Malformed::HeadTooLarge),
            Ok(Status::Partial) => Ok(None),
            Err(httparse::Error::TooManyHeaders) => Self::parse_many(bytes, request),
            Err(httparse::Error::Version) if minor_version(bytes).is_some() => Self::parse_newer(bytes, request),
            // What it is shows in its ninth byte.
            Err(_) if bytes.len() < FRAME_HEADER_BYTES && may_be_settings(bytes) => Ok(None),
            Err(error) => Err(explain(error, bytes)),
        }
    }

    /// Why `bytes`, of which [`Head::parse`] wants more and gets none, are no beginning of a head; `None` where they are one.
    pub(super) fn refuse_end(bytes: &[u8]) -> Option<Malformed> {
        let refused = !bytes.is_empty() && may_be_settings(bytes);
        refused.then(|| explain(httparse::Error::Version, bytes))
    }

    /// The same with room for as many headers as there may be.
    #[cold]
    fn parse_many(bytes: &[u8], request: RequestKind) -> Result<Option<Self>, Malformed> {
        let mut headers = vec![MaybeUninit::<Header<'_>>::uninit(); MAX_HEADERS];
        let mut response = Response::new(&mut []);
        match parse_into(&mut response, bytes, &mut headers) {
            Ok(Status::Complete(head_bytes)) => Self::interpret(head_bytes, &response, request).map(Some),
            Ok(Status::Partial) if bytes.len() == MAX_HEAD_BYTES => Err(Malformed::HeadTooLarge),
            Ok(Status::Partial) => Ok(None),
            Err(error) => Err(explain(error, bytes)),
        }
    }

    /// Reads HTTP/1.2 and above as 1.1, the highest minor version there is (RFC 9110, section 2.5).
    #[cold]
    fn parse_newer(bytes: &[u8], request: RequestKind) -> Result<Option<Self>, Malformed> {
        let mut known = bytes.to_vec();
        if let Some(minor) = minor_version(bytes) {
            known[minor] = b'1';
        }
        Self::parse(&known, request)
    }

    fn interpret(bytes: usize, response: &Response<'_, '_>, request: RequestKind) -> Result<Self, Malformed> {
        let status = response.code.unwrap_or_default();
        let http_1_1 = response.version == Some(1);
        let fields = Fields::collect(response.headers);
        let mut keep_alive = if http_1_1 {
            !fields.close
        } else {
            fields.keep_alive && !fields.close
        };

        // The order of these rules is that of RFC 9112, section 6.3.
        let no_body = request == RequestKind::Head || matches!(status, 100..=199 | 204 | 304);
        let ends_http = status == 101 || (request == RequestKind::Connect && matches!(status, 200..=299));
        let body = if no_body || ends_http {
            keep_alive &= !ends_http;
            Body::Sized(0)
        } else if let Some(chunked) = fields.transfer_encoding_chunked {
            // Both framings at once, or a transfer coding from a peer that cannot know them, is how smuggling looks:
            // read it by the coding, then trust the connection no further (section 6.1).
            keep_alive &= http_1_1 && fields.content_length.is_none();
            if chunked { Body::Chunked } else { Body::UntilClose }
        } else {
            match fields.content_length {
                None => Body::UntilClose,
                Some(value) => Body::Sized(value?),
            }
        };
        keep_alive &= body != Body::UntilClose;
        Ok(Self {
            bytes,
            status,
            body,
            keep_alive,
            keep_alive_s: fields.keep_alive_s,
        })
    }
}

/// The few fields that decide about framing.
#[derive(Default)]
struct Fields {
    content_length: Option<Result<u64, Malformed>>,
    /// Whether `chunked` is the last coding, when there is any.
    transfer_encoding_chunked: Option<bool>,
    close: bool,
    keep_alive: bool,
    keep_alive_s: Option<u16>,
}

impl Fields {
    fn collect(headers: &[Header<'_>]) -> Self {
        let mut fields = Self::default();
        for header in headers {
            // Lengths differ, so that most headers cost one comparison of integers.
            match header.name.len() {
                10 if header.name.eq_ignore_ascii_case("keep-alive") => {
                    fields.keep_alive_s = list(header.value).find_map(timeout_s).or(fields.keep_alive_s);
                }
                10 if header.name.eq_ignore_ascii_case("connection") => {
                    for option in list(header.value) {
                        fields.close |= option.eq_ignore_ascii_case(b"close");
                        fields.keep_alive |= option.eq_ignore_ascii_case(b"keep-alive");
                    }
                }
                14 if header.name.eq_ignore_ascii_case("content-length") => {
                    let length = content_length(header.value);
                    fields.content_length = Some(match fields.content_length.take() {
                        None => length,
                        Some(before) => before.and_then(|first| agree(first, length?)),
                    });
                }
                17 if header.name.eq_ignore_ascii_case("transfer-encoding") => {
                    for coding in list(header.value) {
                        // No coding at all, by a name that RFC 2616 gave it (section 3.6) and RFC 7230 took away.
                        let none =
                            coding.eq_ignore_ascii_case(b"identity") && fields.transfer_encoding_chunked.is_none();
                        if !none {
                            fields.transfer_encoding_chunked = Some(coding.eq_ignore_ascii_case(b"chunked"));
                        }
                    }
                }
                _ => {}
            }
        }
        fields
    }
}

/// The parameter `timeout` of the field `keep-alive` (RFC 2068, section 19.7.1); more than it can hold is the most it can.
fn timeout_s(parameter: &[u8]) -> Option<u16> {
    let (name, value) = parameter.split_at_checked(7)?;
    let digits = value.trim_ascii().strip_prefix(b"=")?.trim_ascii();
    let number = std::str::from_utf8(digits).ok()?.parse::<u64>().ok()?;
    name.eq_ignore_ascii_case(b"timeout")
        .then(|| u16::try_from(number).unwrap_or(u16::MAX))
}

/// The elements of a comma-separated field (RFC 9110, section 5.6.1).
fn list(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value
        .split(|&b| b == b',')
        .map(<[u8]>::trim_ascii)
        .filter(|element| !element.is_empty())
}

/// Parses `content-length`; a list of equal numbers is one number (RFC 9110, section 8.6).
fn content_length(value: &[u8]) -> Result<u64, Malformed> {
    let mut elements = value
        .split(|&b| b == b',')
        .map(|element| decimal(element.trim_ascii(), value));
    let first = elements.next().unwrap_or_else(|| decimal(b"", value))?;
    elements.try_fold(first, |first, next| agree(first, next?))
}

fn decimal(digits: &[u8], value: &[u8]) -> Result<u64, Malformed> {
    let step = |sum: u64, &digit: &u8| match digit {
        b'0'..=b'9' => sum.checked_mul(10)?.checked_add(u64::from(digit - b'0')),
        _ => None,
    };
    let number = if digits.is_empty() {
        None
    } else {
        digits.iter().try_fold(0, step)
    };
    number.ok_or_else(|| Malformed::ContentLength {
        why: NoLength::of(value),
        found: quote(value),
    })
}

fn agree(first: u64, second: u64) -> Result<u64, Malformed> {
    if first == second {
        Ok(first)
    } else {
        Err(Malformed::ContentLengthConflict { first, second })
    }
}

fn parse_into<'h, 'b>(
    response: &mut Response<'h, 'b>,
    bytes: &'b [u8],
    headers: &'h mut [MaybeUninit<Header<'b>>],
) -> httparse::Result<usize> {
    let mut parser = ParserConfig::default();
    parser
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_multiple_spaces_in_response_status_delimiters(true);
    parser.parse_response_with_uninit_headers(response, bytes, headers)
}

/// Where the minor version stands, when it is one above those that the parser knows.
fn minor_version(bytes: &[u8]) -> Option<usize> {
    let start = bytes.iter().position(|byte| !b"\r\n".contains(byte))?;
    let minor = start + HTTP_1.len();
    let newer = bytes[start..].starts_with(HTTP_1) && matches!(bytes.get(minor), Some(b'2'..=b'9'));
    newer.then_some(minor)
}

/// The header of an HTTP/2 frame: length, type, flags, stream (RFC 9113, section 4.1).
const FRAME_HEADER_BYTES: usize = 9;

/// Whether `bytes` are the header of a SETTINGS frame (RFC 9113, section 6.5), or its beginning: of type 4, on stream 0, and
/// with a length that needs no more than two bytes, which no frame may exceed at the start.
fn may_be_settings(bytes: &[u8]) -> bool {
    let expected = [Some(0), None, None, Some(4), None, Some(0), Some(0), Some(0), Some(0)];
    bytes
        .iter()
        .zip(expected)
        .all(|(&byte, expected)| expected.is_none_or(|expected| byte == expected))
}

/// Says what is wrong with a head, quoting the line that holds the first wrong byte.
#[cold]
fn explain(error: httparse::Error, bytes: &[u8]) -> Malformed {
    let line = &bytes[offending_line(bytes)..];
    match error {
        httparse::Error::TooManyHeaders => Malformed::TooManyHeaders,
        httparse::Error::Version | httparse::Error::Token if matches!(line.first(), Some(0x15 | 0x16)) => {
            Malformed::Tls
        }
        _ if bytes.len() >= FRAME_HEADER_BYTES && may_be_settings(bytes) => Malformed::Http2,
        httparse::Error::Version | httparse::Error::Token => Malformed::NotHttp {
            found: quote_line(line),
        },
        httparse::Error::Status => Malformed::Status {
            found: quote_line(line),
        },
        httparse::Error::NewLine | httparse::Error::HeaderName | httparse::Error::HeaderValue => Malformed::Header {
            found: quote_field(line),
        },
    }
}

/// Where the line begins that holds the first wrong byte of `bytes`.
///
/// The parser reads from left to right, so every prefix that includes the wrong byte is refused and every shorter one is
/// not: bisection finds it.
fn offending_line(bytes: &[u8]) -> usize {
    let refused = |length: usize| {
        let mut headers = vec![MaybeUninit::<Header<'_>>::uninit(); MAX_HEADERS];
        parse_into(&mut Response::new(&mut []), &bytes[..length], &mut headers).is_err()
    };
    let (mut accepted, mut rejected) = (0, bytes.len());
    while rejected - accepted > 1 {
        let middle = accepted + (rejected - accepted) / 2;
        if refused(middle) {
            rejected = middle;
        } else {
            accepted = middle;
        }
    }
    bytes[..accepted]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |newline| newline + 1)
}
