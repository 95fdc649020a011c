//! Finds where responses end in the bytes of one connection.

use super::chunked::Chunked;
use super::error::{Malformed, Truncated};
use super::head::{Body, Head};
use super::last_head::LastHead;
use super::limits::MAX_INTERIM_BYTES;
use crate::quote::quote;
use crate::{BodyEnd, Came, RequestKind};

/// Reads the responses of one connection, in whatever pieces they come.
///
/// A response that comes in one piece is read where it lies: nothing is copied and nothing allocated. A head that is split
/// over pieces is put together in a buffer, which is kept as the [beginning](Self::beginning) of the response.
#[derive(Debug, Clone, Default)]
pub struct ResponseReader {
    /// Beginning of a head whose end has not come or, once it has, of the response, where that is kept.
    held: Vec<u8>,
    stage: Stage,
    head_bytes: u64,
    body_bytes: u64,
    status: u16,
    keep_alive_s: Option<u16>,
    keep_alive: bool,
    request: RequestKind,
}

/// A head in pieces is parsed with each of them up to this length, and then each time that it has doubled: what is wrong with
/// it is seen early, and yet a head of any length in pieces of any length costs no more than a few times its length.
const PARSE_EACH_BYTES: usize = 2048;
/// Most bytes of a response that are kept to be looked at, unless its head is longer, which is kept whole.
const KEPT_BYTES: usize = 4096;

// A million connections must fit.
const _: () = assert!(size_of::<ResponseReader>() <= 64);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    /// No request is outstanding.
    #[default]
    Idle,
    /// In the status line or the headers, perhaps before their first byte.
    Head,
    /// In a body with so many bytes to come.
    Sized {
        remaining: u64,
    },
    Chunked(Chunked),
    UntilClose,
}

/// How far a piece of input went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Every byte was taken and the response is not complete.
    NeedMore,
    /// The response is complete.
    Done {
        /// Bytes that were taken. Those after them belong to the next response.
        consumed: usize,
        /// What it was.
        response: Completed,
    },
}

/// A complete response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completed {
    /// Status code as sent; three digits, but not necessarily one that RFC 9110 knows.
    pub status: u16,
    /// Whether the connection can carry another request. If not, the client has to close it; after 101, and after 2xx to
    /// `CONNECT`, what follows is not HTTP.
    pub keep_alive: bool,
    /// For how long the service says it keeps the connection without a request, s.
    pub keep_alive_s: Option<u16>,
    /// Bytes of the status line and the headers, those of interim responses included.
    pub head_bytes: u64,
    /// Bytes of the body without chunk framing.
    pub body_bytes: u64,
}

impl ResponseReader {
    /// A reader for a new connection.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A reader for a new connection whose first response is announced.
    #[must_use]
    pub fn expecting(request: RequestKind) -> Self {
        Self {
            stage: Stage::Head,
            request,
            ..Self::default()
        }
    }

    /// Announces the next response. To be called once for each, before its first byte is fed: when the request is sent or,
    /// with pipelining, when the response before it is done.
    #[inline]
    pub fn expect(&mut self, request: RequestKind) {
        debug_assert_eq!(self.stage, Stage::Idle, "the previous response is not complete");
        self.stage = Stage::Head;
        if !self.held.is_empty() {
            self.held = Vec::new();
        }
        self.head_bytes = 0;
        self.body_bytes = 0;
        self.request = request;
    }

    /// Takes bytes up to the end of the announced response. Responses with status 1xx are skipped, but for 101. `last` is
    /// shared by the connections to one service and changes nothing but the cost.
    ///
    /// # Errors
    ///
    /// When the bytes are not a valid response, or none was announced. The connection is then of no use; the reader is as
    /// new.
    pub fn feed(&mut self, bytes: &[u8], last: &mut LastHead) -> Result<Progress, Malformed> {
        self.feed_to(bytes, last, |_| {})
    }

    /// As [`Self::feed`]; gives `content` what is content among the bytes, without the framing of chunks.
    ///
    /// # Errors
    /// As [`Self::feed`]. What came before the fault has been given.
    #[inline]
    pub fn feed_to(
        &mut self,
        bytes: &[u8],
        last: &mut LastHead,
        mut content: impl FnMut(&[u8]),
    ) -> Result<Progress, Malformed> {
        if !self.held.is_empty() {
            return self.feed_held(bytes, last, &mut content);
        }
        let progress = self.advance(bytes, last, &mut content);
        if progress.is_err() {
            *self = Self::new();
        }
        progress
    }

    /// As [`Self::feed`], where the beginning of the response is held. Keeps as much of it as may be wanted.
    #[inline(never)]
    fn feed_held(
        &mut self,
        bytes: &[u8],
        last: &mut LastHead,
        content: &mut impl FnMut(&[u8]),
    ) -> Result<Progress, Malformed> {
        let in_body = self.in_body();
        let progress = self.advance(bytes, last, content);
        match progress {
            Err(_) => {
                let held = std::mem::take(&mut self.held);
                *self = Self { held, ..Self::new() };
            }
            // A head is all there, however long it is.
            Ok(Progress::NeedMore) if self.stage == Stage::Head => return progress,
            Ok(Progress::NeedMore) if in_body => self.keep(bytes),
            Ok(Progress::NeedMore) => {}
            Ok(Progress::Done { consumed, .. }) if in_body => self.keep(&bytes[..consumed]),
            // The head has taken them all, unless interim responses came before it.
            Ok(Progress::Done { consumed, .. }) => {
                let surplus = bytes.len() - consumed;
                self.held.truncate(self.held.len().saturating_sub(surplus));
            }
        }
        self.held.truncate(self.kept_bytes_max());
        self.held.shrink_to_fit();
        progress
    }

    /// Whether the head of the announced response is whole, and its body is not.
    #[inline]
    pub(super) fn in_body(&self) -> bool {
        !matches!(self.stage, Stage::Idle | Stage::Head)
    }

    /// Keeps `bytes` as the beginning of the response, or as what follows on it.
    pub(crate) fn keep(&mut self, bytes: &[u8]) {
        let room = self.kept_bytes_max().saturating_sub(self.held.len());
        self.held.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn kept_bytes_max(&self) -> usize {
        KEPT_BYTES.max(self.head_bytes as usize)
    }

    /// Gives up the beginning of a response whose head is whole.
    pub(crate) fn forget(&mut self) {
        self.held = Vec::new();
    }

    /// What has come of the announced response.
    #[must_use]
    pub fn came(&self) -> Came {
        let end = match self.stage {
            Stage::Idle => return Came::Nothing,
            Stage::Head => {
                return match self.head_bytes + self.held.len() as u64 {
                    0 => Came::Nothing,
                    bytes => Came::Head(bytes),
                };
            }
            Stage::Sized { remaining } => BodyEnd::Length(self.body_bytes + remaining),
            Stage::Chunked(_) => BodyEnd::LastChunk,
            Stage::UntilClose => BodyEnd::Connection,
        };
        Came::Body {
            status: self.status,
            received_bytes: self.body_bytes,
            end,
        }
    }

    /// How the response begins, where it came in pieces and its head is whole or malformed; else nothing.
    #[must_use]
    pub fn beginning(&self) -> &[u8] {
        match self.stage {
            Stage::Head => &[],
            _ => &self.held,
        }
    }

    /// Tells that the peer closed the connection. Gives the response when closing is what ends it; `None` when none was
    /// outstanding. The reader is as new afterwards.
    ///
    /// # Errors
    ///
    /// When the announced response is not complete.
    pub fn end_of_stream(&mut self) -> Result<Option<Completed>, Truncated> {
        let ended = std::mem::take(self);
        let received = ended.body_bytes;
        match ended.stage {
            Stage::Idle => Ok(None),
            Stage::Head => {
                if let Some(malformed) = Head::refuse_end(&ended.held) {
                    return Err(malformed.into());
                }
                match Head::parse(&ended.held, ended.request).map(|_| ended.head_bytes + ended.held.len() as u64)? {
                    0 => Err(Truncated::BeforeResponse),
                    received => Err(Truncated::InHead { received }),
                }
            }
            Stage::Sized { remaining } => Err(Truncated::InBody {
                received,
                expected: received + remaining,
            }),
            Stage::Chunked(_) => Err(Truncated::InChunked { received }),
            Stage::UntilClose => Ok(Some(ended.completed())),
        }
    }

    fn advance(
        &mut self,
        bytes: &[u8],
        last: &mut LastHead,
        content: &mut impl FnMut(&[u8]),
    ) -> Result<Progress, Malformed> {
        let mut consumed = 0;
        if self.stage == Stage::Head {
            loop {
                let Some((head, taken)) = self.take_head(&bytes[consumed..], last)? else {
                    return Ok(Progress::NeedMore);
                };
                consumed += taken;
                self.head_bytes += head.bytes as u64;
                if matches!(head.status, 100..=199) && head.status != 101 {
                    if self.head_bytes > MAX_INTERIM_BYTES {
                        return Err(Malformed::TooManyInterim);
                    }
                    self.held = Vec::new();
                    continue;
                }
                self.status = head.status;
                self.keep_alive_s = head.keep_alive_s;
                self.keep_alive = head.keep_alive;
                self.stage = match head.body {
                    Body::Sized(remaining) => Stage::Sized { remaining },
                    Body::Chunked => Stage::Chunked(Chunked::new()),
                    Body::UntilClose => Stage::UntilClose,
                };
                break;
            }
        }
        let rest = &bytes[consumed..];
        match &mut self.stage {
            Stage::Sized { remaining } => {
                let taken = (*remaining).min(rest.len() as u64);
                *remaining -= taken;
                let done = *remaining == 0;
                self.body_bytes += taken;
                // No more than the length of a slice.
                content(&rest[..taken as usize]);
                Ok(if done {
                    self.finish(consumed + taken as usize)
                } else {
                    Progress::NeedMore
                })
            }
            Stage::Chunked(chunked) => {
                let piece = chunked.feed(rest, content)?;
                self.body_bytes += piece.content;
                Ok(if piece.done {
                    self.finish(consumed + piece.consumed)
                } else {
                    Progress::NeedMore
                })
            }
            Stage::UntilClose => {
                self.body_bytes += rest.len() as u64;
                content(rest);
                Ok(Progress::NeedMore)
            }
            Stage::Idle | Stage::Head if rest.is_empty() => Ok(Progress::NeedMore),
            Stage::Idle | Stage::Head => Err(Malformed::Unrequested { found: quote(rest) }),
        }
    }

    /// Takes a head, and says how many of `bytes` belong to it. Without its end, takes all of them and gives `None`.
    #[inline]
    fn take_head(&mut self, bytes: &[u8], last: &mut LastHead) -> Result<Option<(Head, usize)>, Malformed> {
        if self.held.is_empty() {
            let head = last.parse(bytes, self.request)?;
            if head.is_none() {
                self.held.extend_from_slice(bytes);
            }
            return Ok(head.map(|head| (head, head.bytes)));
        }
        let before = self.held.len();
        self.held.extend_from_slice(bytes);
        let doubled =
            (before / PARSE_EACH_BYTES).checked_ilog2() != (self.held.len() / PARSE_EACH_BYTES).checked_ilog2();
        if before >= PARSE_EACH_BYTES && !doubled && !may_end(&self.held, before) {
            return Ok(None);
        }
        let head = Head::parse(&self.held, self.request)?;
        // What was held before did not hold the end, so the end lies in `bytes`.
        Ok(head.map(|head| (head, head.bytes - before)))
    }

    fn finish(&mut self, consumed: usize) -> Progress {
        self.stage = Stage::Idle;
        Progress::Done {
            consumed,
            response: self.completed(),
        }
    }

    fn completed(&self) -> Completed {
        Completed {
            status: self.status,
            keep_alive: self.keep_alive,
            keep_alive_s: self.keep_alive_s,
            head_bytes: self.head_bytes,
            body_bytes: self.body_bytes,
        }
    }
}

/// Whether an empty line, which ends a head, ends in `held` at or after `from`.
fn may_end(held: &[u8], from: usize) -> bool {
    let ends = |at: usize| held[at] == b'\n' && (held[..at].ends_with(b"\n") || held[..at].ends_with(b"\n\r"));
    (from..held.len()).any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(request: RequestKind) -> ResponseReader {
        let mut reader = ResponseReader::new();
        reader.expect(request);
        reader
    }

    #[test]
    fn pipelined_responses_are_taken_one_by_one() {
        let bytes = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 204 No Content\r\n\r\n";
        let mut reader = reader(RequestKind::Other);
        let response = Completed {
            status: 200,
            keep_alive: true,
            keep_alive_s: None,
            head_bytes: 38,
            body_bytes: 2,
        };
        assert_eq!(
            reader.feed(bytes, &mut LastHead::default()),
            Ok(Progress::Done { consumed: 40, response })
        );
        reader.expect(RequestKind::Other);
        let response = Completed {
            status: 204,
            keep_alive: true,
            keep_alive_s: None,
            head_bytes: 27,
            body_bytes: 0,
        };
        assert_eq!(
            reader.feed(&bytes[40..], &mut LastHead::default()),
            Ok(Progress::Done { consumed: 27, response })
        );
        assert_eq!(reader.end_of_stream(), Ok(None));
    }

    #[test]
    fn bytes_without_a_request_are_a_violation() {
        let mut reader = ResponseReader::new();
        assert_eq!(reader.feed(b"", &mut LastHead::default()), Ok(Progress::NeedMore));
        assert_eq!(
            reader
                .feed(b"HTTP/1.1 408 ", &mut LastHead::default())
                .unwrap_err()
                .to_string(),
            "the service sent `HTTP/1.1 408 ` with no request outstanding"
        );
    }

    #[test]
    fn a_split_head_gives_its_buffer_back_when_it_is_not_wanted() {
        let mut reader = reader(RequestKind::Other);
        assert_eq!(
            reader.feed(b"HTTP/1.1 200 OK\r\ncontent-le", &mut LastHead::default()),
            Ok(Progress::NeedMore)
        );
        assert!(reader.held.capacity() > 0);
        assert_eq!(
            reader.feed(b"ngth: 1\r\n\r\n", &mut LastHead::default()),
            Ok(Progress::NeedMore)
        );
        assert_eq!(reader.beginning(), b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n");
        reader.forget();
        assert_eq!(reader.held.capacity(), 0);
    }

    #[test]
    fn the_beginning_of_a_response_in_pieces_is_kept_until_the_next() {
        let mut reader = reader(RequestKind::Other);
        let last = &mut LastHead::default();
        assert_eq!(reader.came(), Came::Nothing);
        assert_eq!(
            reader.feed(b"HTTP/1.1 500 Oops\r\ncontent-le", last),
            Ok(Progress::NeedMore)
        );
        assert_eq!((reader.came(), reader.beginning()), (Came::Head(29), &b""[..]));
        assert_eq!(reader.feed(b"ngth: 2\r\n\r\nn", last), Ok(Progress::NeedMore));
        let came = Came::Body {
            status: 500,
            received_bytes: 1,
            end: BodyEnd::Length(2),
        };
        assert_eq!(reader.came(), came);
        assert!(matches!(reader.feed(b"o", last), Ok(Progress::Done { .. })));
        assert_eq!(reader.beginning(), b"HTTP/1.1 500 Oops\r\ncontent-length: 2\r\n\r\nno");
        reader.expect(RequestKind::Other);
        assert_eq!((reader.beginning(), reader.held.capacity()), (&b""[..], 0));
    }

    #[test]
    fn what_has_come_of_a_body_says_where_it_ends() {
        for (head, end) in [
            ("content-length: 5\r\n\r\nok", BodyEnd::Length(5)),
            ("transfer-encoding: chunked\r\n\r\n2\r\nok\r\n", BodyEnd::LastChunk),
            ("connection: close\r\n\r\nok", BodyEnd::Connection),
        ] {
            let mut reader = reader(RequestKind::Other);
            let bytes = format!("HTTP/1.1 200 OK\r\n{head}");
            let progress = reader.feed(bytes.as_bytes(), &mut LastHead::default());
            assert_eq!(progress, Ok(Progress::NeedMore));
            let (status, received_bytes) = (200, 2);
            let came = Came::Body {
                status,
                received_bytes,
                end,
            };
            assert_eq!(reader.came(), came, "{head}");
        }
    }

    #[test]
    fn a_response_in_one_piece_is_not_copied() {
        let mut reader = reader(RequestKind::Other);
        let bytes = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        assert!(matches!(
            reader.feed(bytes, &mut LastHead::default()),
            Ok(Progress::Done { .. })
        ));
        assert_eq!(reader.held.capacity(), 0);
    }
}
