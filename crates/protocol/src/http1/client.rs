//! HTTP/1.1 behind the face that all protocols have.

use super::error::Malformed;
use super::last_head::LastHead;
use super::reader::{Completed, Progress, ResponseReader};
use super::request_encoder::RequestEncoder;
use crate::{Came, Client, Completions, Failure, RequestKind, Response, Standing, StreamEnd};
use std::collections::VecDeque;

/// Where a service does not say for how long it keeps an idle connection, it is given up after this. Node.js closes after 5 s
/// unless told otherwise, and a request sent into a closing connection is lost through nobody's fault.
const IDLE_LIMIT_NS: u64 = 4_000_000_000;
/// How long before the time that a service has announced a connection is given up, or half of the time, if that is less.
const IDLE_MARGIN_NS: u64 = 1_000_000_000;

/// What the connections to one service have in common.
#[derive(Debug, Default)]
pub struct Common {
    last_head: LastHead,
    /// Reads responses that come in one piece, which is most of them.
    reader: ResponseReader,
}

/// The client side of one HTTP/1.1 connection.
///
/// Small while nothing or all of a response has come, because a million of them may wait.
#[derive(Debug, Clone)]
pub struct Http1<T> {
    /// The request whose response comes next. Of no meaning while nothing is in flight.
    front: T,
    /// What most connections have nothing of.
    more: Option<Box<More<T>>>,
    in_flight: u16,
    pipelining: u16,
    /// For how long the service says it keeps the connection without a request, s; [`UNSAID`] where it does not.
    keep_alive_s: u16,
    keep_alive: bool,
    kind: RequestKind,
}

const UNSAID: u16 = u16::MAX;

#[derive(Debug, Clone)]
struct More<T> {
    /// A response of which only the beginning has come, or one that is malformed.
    begun: Option<ResponseReader>,
    /// The requests behind the front one, with pipelining.
    behind: VecDeque<(T, RequestKind)>,
}

impl<T> Default for More<T> {
    fn default() -> Self {
        Self {
            begun: None,
            behind: VecDeque::new(),
        }
    }
}

const _: () = assert!(size_of::<Http1<[u64; 4]>>() <= 48, "a million connections must fit");

impl<T: Copy + Default> Http1<T> {
    /// For connections that carry at most `pipelining` requests at a time, and without `keep_alive` one at all.
    #[must_use]
    pub fn new(pipelining: u16, keep_alive: bool) -> Self {
        Self {
            front: T::default(),
            more: None,
            in_flight: 0,
            pipelining,
            keep_alive_s: UNSAID,
            keep_alive,
            kind: RequestKind::default(),
        }
    }
}

impl<T: Copy> Http1<T> {
    #[inline]
    fn pop(&mut self) -> Option<T> {
        self.in_flight = self.in_flight.checked_sub(1)?;
        let front = self.front;
        if let Some(more) = &mut self.more {
            match more.behind.pop_front() {
                Some((token, kind)) => (self.front, self.kind) = (token, kind),
                None if more.begun.is_none() => self.more = None,
                None => {}
            }
        }
        Some(front)
    }

    fn begun(&self) -> Option<&ResponseReader> {
        self.more.as_ref()?.begun.as_ref()
    }

    fn take_begun(&mut self) -> Option<ResponseReader> {
        self.more.as_mut()?.begun.take()
    }

    fn keep(&mut self, reader: ResponseReader) {
        self.more.get_or_insert_default().begun = Some(reader);
    }

    /// Bytes that nobody asked for, such as a 408 before an idle connection is closed, or the rest of a body that is longer
    /// than it said. Line ends alone are none (RFC 9112, section 2.2); with others nobody knows where the next response begins
    /// (section 9.2).
    #[cold]
    fn unrequested(bytes: &[u8]) -> Result<Standing, Failure> {
        if bytes.iter().all(|byte| b"\r\n".contains(byte)) {
            return Ok(Standing::Open);
        }
        Err(Failure::Unrequested { bytes: bytes.len() })
    }

    /// Reads on in a response that has begun before.
    #[inline(never)]
    fn go_on(
        &mut self,
        bytes: &[u8],
        last_head: &mut LastHead,
        completions: &mut impl Completions<T>,
    ) -> Result<Taken, Failure> {
        let Some(mut reader) = self.take_begun() else {
            return Ok(Taken::Everything);
        };
        let in_body = reader.in_body();
        match reader.feed_to(bytes, last_head, |piece| completions.content(&self.front, piece)) {
            Ok(Progress::Done { consumed, response }) => {
                let whole = Response {
                    status: response.status,
                    bytes: reader.beginning(),
                    in_one_piece: false,
                };
                Ok(Taken::Response(consumed, self.complete(&response, &whole, completions)))
            }
            Ok(Progress::NeedMore) => {
                if !in_body && reader.in_body() && !self.wants_beginning(&reader, completions) {
                    reader.forget();
                }
                self.keep(reader);
                Ok(Taken::Everything)
            }
            Err(malformed) => Err(self.malformed(reader, &malformed)),
        }
    }

    /// `bytes` are the first piece of a response, or are none.
    #[inline(never)]
    fn begin(
        &mut self,
        mut reader: ResponseReader,
        bytes: &[u8],
        outcome: Result<Progress, Malformed>,
        completions: &mut impl Completions<T>,
    ) -> Result<Standing, Failure> {
        if let Err(malformed) = outcome {
            return Err(self.malformed(reader, &malformed));
        }
        if self.wants_beginning(&reader, completions) {
            reader.keep(bytes);
        }
        self.keep(reader);
        Ok(Standing::Open)
    }

    /// Whether the beginning of a response is to be kept, as far as its head is whole.
    fn wants_beginning(&self, reader: &ResponseReader, completions: &mut impl Completions<T>) -> bool {
        match reader.came() {
            Came::Body { status, .. } => completions.keeps_beginning(&self.front, status),
            Came::Nothing | Came::Head(_) => false,
        }
    }

    fn malformed(&mut self, reader: ResponseReader, malformed: &Malformed) -> Failure {
        self.keep(reader);
        Failure::Malformed {
            reason: malformed.to_string(),
        }
    }

    /// The response to the oldest request is whole.
    #[inline]
    fn complete(
        &mut self,
        completed: &Completed,
        response: &Response<'_>,
        completions: &mut impl Completions<T>,
    ) -> Standing {
        let token = self.front;
        self.pop();
        self.keep_alive_s = completed.keep_alive_s.map_or(UNSAID, |seconds| seconds.min(UNSAID - 1));
        completions.response(&token, response);
        if self.keep_alive && completed.keep_alive {
            Standing::Open
        } else {
            Standing::Closing
        }
    }
}

/// Whether who takes the responses takes notice of their content.
const fn takes_content<T, C: Completions<T>>(_: &C) -> bool {
    C::TAKES_CONTENT
}

/// What bytes came to.
enum Taken {
    /// So many of them were the end of a response.
    Response(usize, Standing),
    /// All of them belong to a response of which there is more to come.
    Everything,
}

impl<T: Copy> Client for Http1<T> {
    type Request = RequestEncoder;
    type Token = T;
    type Shared = Common;

    const NAME: &'static str = "HTTP/1.1";
    const INDEPENDENT: bool = false;

    #[inline]
    fn open(&mut self, _out: &mut Vec<u8>) {}

    #[inline]
    fn start<'v>(&mut self, request: &RequestEncoder, value: impl Fn(usize) -> &'v [u8], token: T, out: &mut Vec<u8>) {
        request.encode(value, out);
        if self.in_flight == 0 {
            (self.front, self.kind) = (token, request.kind());
        } else {
            let more = self.more.get_or_insert_default();
            more.behind.push_back((token, request.kind()));
        }
        self.in_flight += 1;
    }

    #[inline]
    fn capacity(&self) -> u32 {
        (self.pipelining - self.in_flight).into()
    }

    #[inline]
    fn in_flight(&self) -> u32 {
        self.in_flight.into()
    }

    #[inline]
    fn oldest(&self) -> Option<&T> {
        (self.in_flight > 0).then_some(&self.front)
    }

    #[inline]
    fn receive(
        &mut self,
        mut bytes: &[u8],
        common: &mut Common,
        _out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<Standing, Failure> {
        while !bytes.is_empty() {
            if self.in_flight == 0 {
                return Self::unrequested(bytes);
            }
            if self.begun().is_some() {
                match self.go_on(bytes, &mut common.last_head, completions)? {
                    Taken::Everything => return Ok(Standing::Open),
                    Taken::Response(consumed, Standing::Open) => bytes = &bytes[consumed..],
                    Taken::Response(_, standing) => return Ok(standing),
                }
                continue;
            }
            common.reader.expect(self.kind);
            let (reader, last_head) = (&mut common.reader, &mut common.last_head);
            let outcome = match takes_content(completions) {
                true => reader.feed_to(bytes, last_head, |piece| completions.content(&self.front, piece)),
                // What holds nothing costs nothing.
                false => reader.feed_to(bytes, last_head, |_| {}),
            };
            match outcome {
                Ok(Progress::Done { consumed, response }) => {
                    let whole = Response {
                        status: response.status,
                        bytes: &bytes[..consumed],
                        in_one_piece: true,
                    };
                    if self.complete(&response, &whole, completions) == Standing::Closing {
                        return Ok(Standing::Closing);
                    }
                    bytes = &bytes[consumed..];
                }
                outcome => return self.begin(std::mem::take(&mut common.reader), bytes, outcome, completions),
            }
        }
        Ok(Standing::Open)
    }

    fn end_of_stream(&mut self, end: StreamEnd, completions: &mut impl Completions<T>) -> Result<(), Failure> {
        if self.in_flight == 0 {
            return Ok(());
        }
        let mut reader = self
            .take_begun()
            .unwrap_or_else(|| ResponseReader::expecting(self.kind));
        let beginning = reader.beginning().to_vec();
        let completed = reader.ended_by(end)?;
        let token = self.front;
        self.pop();
        let response = Response {
            status: completed.status,
            bytes: &beginning,
            in_one_piece: false,
        };
        completions.response(&token, &response);
        Ok(())
    }

    fn give_up(&mut self, _out: &mut Vec<u8>) -> Option<T> {
        self.pop()
    }

    fn came(&self) -> Came {
        self.begun().map_or(Came::Nothing, ResponseReader::came)
    }

    fn beginning(&self) -> &[u8] {
        self.begun().map_or(&[], ResponseReader::beginning)
    }

    #[inline]
    fn idle_limit_ns(&self) -> u64 {
        if self.keep_alive_s == UNSAID {
            return IDLE_LIMIT_NS;
        }
        let announced_ns = u64::from(self.keep_alive_s) * 1_000_000_000;
        announced_ns.saturating_sub(IDLE_MARGIN_NS).max(announced_ns / 2)
    }
}

#[cfg(test)]
mod tests;
