//! Responses on the streams of one connection: heads, content, what is wrong with them, and what comes of each request.

use super::call::{CallFailure, WithStatus};
use super::connection_error::ConnectionError;
use super::error_code::ErrorCode;
use super::frame::{self, FrameHeader, flag};
use super::head::{Head, HeadReader, TrailerReader};
use super::hpack::{Fields, Table, decode};
use super::last_block::LastBlock;
use super::limits::MAX_INTERIM;
use super::meaning::Meaning;
use super::stream_error::StreamError;
use super::streams::{Lookup, Place, Streams, UNKNOWN_LENGTH};
use super::window::{Exceeded, Received};
use crate::{Completions, RequestFailure, Response};

/// What the connections to one service have in common: room to work in.
#[derive(Debug, Default)]
pub struct Common {
    scratch: Vec<u8>,
}

/// The requests that are open, and what has come of their responses.
#[derive(Debug, Clone)]
pub(super) struct Responses<T> {
    pub(super) streams: Streams<T>,
    table: Table<Meaning>,
    last_block: LastBlock,
    received: Received,
    /// The last of the streams that ended otherwise than by a response. Up to here frames may come on streams that this end has
    /// closed (RFC 9113, section 5.1).
    abandoned: u32,
}

impl<T: Copy> Responses<T> {
    pub(super) fn new(single: bool) -> Self {
        Self {
            streams: Streams::new(single),
            table: Table::new(),
            last_block: LastBlock::default(),
            received: Received::default(),
            abandoned: 0,
        }
    }

    /// How much content has come, of whatever stream.
    #[inline]
    pub(super) fn received(&self) -> Received {
        self.received
    }

    /// Where the stream of a frame is; `None` where nobody waits for what comes on it.
    #[inline]
    fn place(&self, header: &FrameHeader) -> Result<Option<Place>, Box<ConnectionError>> {
        let (kind, stream) = (header.kind, header.stream);
        match self.streams.look_up(stream) {
            Lookup::Open(place) => Ok(Some(place)),
            Lookup::Closed if stream <= self.abandoned => Ok(None),
            Lookup::Closed => Err(ConnectionError::ClosedStream { kind, stream }.into()),
            Lookup::Idle => Err(ConnectionError::IdleStream { kind, stream }.into()),
        }
    }

    /// Takes a header block: the head of a response, or what follows its content.
    #[inline]
    pub(super) fn head(
        &mut self,
        header: &FrameHeader,
        block: &[u8],
        common: &mut Common,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<(), Box<ConnectionError>> {
        let Some(place) = self.place(header)? else {
            // The table of this end has to stay as the service takes it to be.
            let nowhere = &mut TrailerReader::default();
            return self.decode(block, common, nowhere);
        };
        let stream = &self.streams[place];
        let ends = header.has(flag::END_STREAM);
        if stream.status != 0 {
            return self.trailers(place, ends, block, common, out, completions);
        }
        if ends && stream.more.is_some() {
            return self.head_that_ends(place, block, common, out, completions);
        }
        let token = stream.token;
        let changes = self.table.changes();
        let mut keeps = None;
        if let Some(head) = self.last_block.of(block, changes) {
            let wanted = completions.keeps_beginning(&token, head.status);
            if !wanted {
                self.begin(place, head, None, ends, out, completions);
                return Ok(());
            }
            keeps = Some(wanted);
        }
        let mut reader = HeadReader::new(|status| keeps.unwrap_or_else(|| completions.keeps_beginning(&token, status)));
        self.decode(block, common, &mut reader)?;
        let (head, text) = reader.finish();
        if let Ok(head) = head
            && head.status >= 200
            && self.table.changes() == changes
        {
            self.last_block.keep(block, head, changes);
        }
        self.take_head(place, head, text, ends, out, completions);
        Ok(())
    }

    /// Takes the head of a response that ends with it, where there is more to a stream: it may say how a call has ended.
    #[inline(never)]
    fn head_that_ends(
        &mut self,
        place: Place,
        block: &[u8],
        common: &mut Common,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<(), Box<ConnectionError>> {
        let token = self.streams[place].token;
        let mut reader = HeadReader::new(|status| completions.keeps_beginning(&token, status));
        let mut fields = WithStatus::new(&mut reader);
        self.decode(block, common, &mut fields)?;
        let status = fields.status;
        if let Some(call) = self.streams[place].call() {
            call.status = status;
        }
        let (head, text) = reader.finish();
        self.take_head(place, head, text, true, out, completions);
        Ok(())
    }

    fn take_head(
        &mut self,
        place: Place,
        head: Result<Head, StreamError>,
        text: Option<Vec<u8>>,
        ends: bool,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) {
        match head {
            Ok(head) if head.status < 200 => self.interim(place, head, ends, out, completions),
            Ok(head) => self.begin(place, head, text, ends, out, completions),
            Err(error) => {
                self.streams[place].more.get_or_insert_default().kept = text;
                self.refuse(place, &error, ends, out, completions);
            }
        }
    }

    #[inline(never)]
    fn decode(
        &mut self,
        block: &[u8],
        common: &mut Common,
        fields: &mut impl Fields<Meaning = Meaning>,
    ) -> Result<(), Box<ConnectionError>> {
        let decoded = decode(block, &mut self.table, &mut common.scratch, fields);
        decoded.map_err(|error| Box::new(error.into()))
    }

    /// The head of a response is whole.
    #[inline]
    fn begin(
        &mut self,
        place: Place,
        head: Head,
        text: Option<Vec<u8>>,
        ends: bool,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) {
        let stream = &mut self.streams[place];
        stream.status = head.status;
        stream.content_length = head.content_length.unwrap_or(UNKNOWN_LENGTH);
        if let Some(call) = stream.call() {
            call.is_of_call = head.is_of_call;
        }
        if let Some(text) = text {
            let is_cut = !completions.keeps_content(&stream.token, head.status);
            let more = stream.more.get_or_insert_default();
            more.kept = Some(text);
            more.is_cut = is_cut;
        }
        if ends {
            self.finish(place, out, completions);
        }
    }

    #[inline(never)]
    fn interim(
        &mut self,
        place: Place,
        head: Head,
        ends: bool,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) {
        let stream = &mut self.streams[place];
        let error = if head.status == 101 {
            StreamError::SwitchingProtocols
        } else if ends {
            StreamError::InterimEnds
        } else if stream.interim == MAX_INTERIM {
            StreamError::TooManyInterim
        } else {
            stream.interim += 1;
            return;
        };
        self.refuse(place, &error, ends, out, completions);
    }

    #[inline(never)]
    fn trailers(
        &mut self,
        place: Place,
        ends: bool,
        block: &[u8],
        common: &mut Common,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<(), Box<ConnectionError>> {
        let mut reader = TrailerReader::default();
        let mut fields = WithStatus::new(&mut reader);
        self.decode(block, common, &mut fields)?;
        let status = fields.status;
        if let Some(call) = self.streams[place].call() {
            call.status = status;
        }
        match reader.error {
            Some(error) => self.refuse(place, &error, ends, out, completions),
            None if !ends => self.refuse(place, &StreamError::TrailersGoOn, ends, out, completions),
            None => self.finish(place, out, completions),
        }
        Ok(())
    }

    /// Takes content of a DATA frame, or a piece of it.
    #[inline]
    pub(super) fn content(
        &mut self,
        header: &FrameHeader,
        begins: bool,
        content: &[u8],
        ends: bool,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<(), Box<ConnectionError>> {
        if begins {
            match self.received.take(header.length) {
                Ok(None) => {}
                Ok(Some(increment)) => frame::window_update(0, increment, out),
                Err(Exceeded) => return Err(ConnectionError::WindowExceeded.into()),
            }
        }
        let place = match self.place(header) {
            // The stream ended with what came of the frame before.
            Err(_) if !begins => None,
            place => place?,
        };
        let Some(place) = place else {
            return Ok(());
        };
        let is_last = header.has(flag::END_STREAM);
        if let Err(error) = self.count(place, header, begins, content, out) {
            self.refuse(place, &error, is_last, out, completions);
            return Ok(());
        }
        completions.content(&self.streams[place].token, content);
        if ends && is_last {
            self.finish(place, out, completions);
        }
        Ok(())
    }

    #[inline]
    fn count(
        &mut self,
        place: Place,
        header: &FrameHeader,
        begins: bool,
        content: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Box<StreamError>> {
        let stream = &mut self.streams[place];
        if begins {
            match stream.received.take(header.length) {
                Ok(None) => {}
                Ok(Some(increment)) => frame::window_update(header.stream, increment, out),
                Err(Exceeded) => return Err(StreamError::WindowExceeded.into()),
            }
            if stream.status == 0 {
                return Err(StreamError::ContentBeforeHead.into());
            }
        }
        if content.is_empty() {
            return Ok(());
        }
        if stream.is_bare() {
            return Err(StreamError::NoContentBelongs.into());
        }
        if let Some(more) = &mut stream.more {
            // No more than belongs to the response, so that it does not depend on the pieces in which it came.
            let belongs = stream.content_length - stream.content_bytes;
            let content = &content[..content.len().min(usize::try_from(belongs).unwrap_or(usize::MAX))];
            more.take(stream.status, content)?;
        }
        stream.content_bytes += content.len() as u64;
        if stream.content_bytes > stream.content_length {
            let length = stream.content_length;
            return Err(StreamError::TooLong { length }.into());
        }
        Ok(())
    }

    /// The service has ended a stream whose response has begun.
    #[inline]
    fn finish(&mut self, place: Place, out: &mut Vec<u8>, completions: &mut impl Completions<T>) {
        let stream = &self.streams[place];
        let (received, length) = (stream.content_bytes, stream.content_length);
        if length != received && length != UNKNOWN_LENGTH && !stream.is_bare() {
            let error = StreamError::TooShort { received, length };
            self.refuse(place, &error, true, out, completions);
            return;
        }
        let (id, status) = (stream.id, stream.status);
        let (token, more) = self.streams.end(place);
        let Some(more) = more else {
            let response = Response {
                status,
                bytes: &[],
                in_one_piece: false,
            };
            completions.response(&token, &response);
            return;
        };
        if more.unsent.is_some() {
            // The service has its response without the rest of the body.
            self.abandon(id, ErrorCode::CANCEL, out);
        }
        if let Some(failure) = more.call.as_ref().and_then(|call| call.failure(status)) {
            fail_call(&token, status, &failure, completions);
            return;
        }
        let response = Response {
            status,
            bytes: more.kept.as_deref().unwrap_or_default(),
            in_one_piece: more.kept.is_some() && !more.is_cut,
        };
        completions.response(&token, &response);
    }

    /// Ends a stream on which something wrong has come. Its connection goes on.
    #[cold]
    pub(super) fn refuse(
        &mut self,
        place: Place,
        error: &StreamError,
        peer_ended: bool,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) {
        let (id, is_sending) = (self.streams[place].id, self.streams[place].is_sending());
        let (token, more) = self.streams.end(place);
        if !peer_ended || is_sending {
            self.abandon(id, error.code(), out);
        }
        let failure = RequestFailure::Malformed {
            reason: &error.to_string(),
            beginning: more.as_ref().and_then(|more| more.kept.as_deref()).unwrap_or_default(),
        };
        completions.failed(&token, &failure);
    }

    /// The service has ended a stream before its response was whole.
    #[cold]
    pub(super) fn fail(&mut self, place: Place, code: ErrorCode, completions: &mut impl Completions<T>) {
        if code == ErrorCode::REFUSED_STREAM {
            let token = self.forget(place);
            completions.failed(&token, &RequestFailure::Refused);
        } else {
            self.fail_by(place, &code.to_string(), completions);
        }
    }

    /// The same, in these words.
    #[cold]
    pub(super) fn fail_by(&mut self, place: Place, code: &str, completions: &mut impl Completions<T>) {
        let came = self.streams[place].came();
        let token = self.forget(place);
        completions.failed(&token, &RequestFailure::Reset { code, came });
    }

    /// The service will not look at the streams above this one.
    #[cold]
    pub(super) fn forget_above(&mut self, last: u32, words: &str, completions: &mut impl Completions<T>) {
        for place in self.streams.places().into_iter().rev() {
            if self.streams[place].id > last {
                let token = self.forget(place);
                completions.unseen(&token, words);
            }
        }
    }

    /// Takes back the oldest request. Where the connection is of further use, the service is told.
    pub(super) fn give_up(&mut self, tells: bool, out: &mut Vec<u8>) -> Option<T> {
        let place = self.streams.oldest()?;
        let id = self.streams[place].id;
        let token = self.forget(place);
        if tells {
            self.abandon(id, ErrorCode::CANCEL, out);
        }
        Some(token)
    }

    /// Closes a stream on which nothing is awaited any longer.
    fn forget(&mut self, place: Place) -> T {
        self.abandoned = self.abandoned.max(self.streams[place].id);
        self.streams.end(place).0
    }

    fn abandon(&mut self, id: u32, code: ErrorCode, out: &mut Vec<u8>) {
        self.abandoned = self.abandoned.max(id);
        frame::reset(id, code, out);
    }
}

/// A response has ended, and is none of a call that went well.
#[cold]
fn fail_call<T>(token: &T, status: u16, failure: &CallFailure<'_>, completions: &mut impl Completions<T>) {
    match failure {
        &CallFailure::Status { code, message } => {
            completions.failed(token, &RequestFailure::Call { status, code, message });
        }
        CallFailure::Wrong(error) => {
            let failure = RequestFailure::Malformed {
                reason: &error.to_string(),
                beginning: &[],
            };
            completions.failed(token, &failure);
        }
    }
}
