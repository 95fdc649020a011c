//! One connection that stands: frames in, and what they do.

use super::bodies::Bodies;
use super::connection_error::ConnectionError;
use super::error_code::ErrorCode;
use super::frame::{self, FrameHeader, Kind, MAX_PAYLOAD_BYTES, flag, number};
use super::frame_reader::{FrameReader, Next};
use super::limits::MAX_CONTROL_FRAMES;
use super::request_layout::RequestLayout;
use super::request_writer::RequestWriter;
use super::responses::{Common, Responses};
use super::settings::{self, PeerSettings};
use super::stream_error::StreamError;
use super::streams::Lookup;
use super::window::opened;
use crate::quote::quote;
use crate::{Came, Completions, RequestKind, Standing};

/// The client side of one connection.
#[derive(Debug, Clone)]
pub(super) struct Connection<T> {
    reader: FrameReader,
    responses: Responses<T>,
    writer: RequestWriter,
    bodies: Bodies,
    peer: PeerSettings,
    leaving: Option<Leaving>,
    /// Frames that had to be acknowledged since there was a request, content or a response.
    control_frames: u32,
    /// The frame that a connection error is about, in words.
    wrong_frame: String,
    /// Nothing more is to be said on it.
    is_dead: bool,
}

/// The service has said that it will end the connection.
#[derive(Debug, Clone)]
struct Leaving {
    /// The last stream that it has seen or will see.
    last: u32,
    code: ErrorCode,
    /// How it said so.
    words: String,
}

impl<T: Copy> Connection<T> {
    /// A connection that stands, for a single request or for many.
    pub(super) fn begin(single: bool, out: &mut Vec<u8>) -> Self {
        settings::begin(out);
        Self {
            reader: FrameReader::default(),
            responses: Responses::new(single),
            writer: RequestWriter::new(),
            bodies: Bodies::new(),
            peer: PeerSettings::new(),
            leaving: None,
            control_frames: 0,
            wrong_frame: String::new(),
            is_dead: false,
        }
    }

    #[inline]
    pub(super) fn start<'v>(
        &mut self,
        request: &RequestLayout,
        value: &impl Fn(usize) -> &'v [u8],
        token: T,
        out: &mut Vec<u8>,
    ) {
        let layout = &request.0;
        let streams = &mut self.responses.streams;
        // No larger than 2^31 - 1.
        let place = streams.begin(token, layout.kind, self.peer.window_bytes as i32);
        let ends = layout.body.bytes(value) == 0;
        self.writer.write(layout, streams[place].id, ends, value, out);
        if !ends {
            if layout.kind == RequestKind::Call {
                streams[place].await_call();
            }
            self.bodies.send(layout, place, streams, value, out);
        }
        self.control_frames = 0;
    }

    /// How many more requests may be started where `streams` are at most to be in flight.
    #[inline]
    pub(super) fn capacity(&self, streams: u32) -> u32 {
        if self.is_dead || self.leaving.is_some() || !self.responses.streams.has_room() {
            return 0;
        }
        streams.min(self.peer.streams).saturating_sub(self.in_flight())
    }

    #[inline]
    pub(super) fn in_flight(&self) -> u32 {
        self.responses.streams.open()
    }

    pub(super) fn oldest(&self) -> Option<&T> {
        let streams = &self.responses.streams;
        streams.oldest().map(|place| &streams[place].token)
    }

    /// Whether a request can ever be started on it again.
    pub(super) fn is_worn(&self) -> bool {
        self.is_dead || self.leaving.is_some() || self.responses.streams.is_exhausted()
    }

    #[inline]
    pub(super) fn receive(
        &mut self,
        mut bytes: &[u8],
        common: &mut Common,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<Standing, Box<ConnectionError>> {
        let in_flight = self.in_flight();
        let received = self.responses.received();
        while !bytes.is_empty() {
            if self.reader.is_between_frames() {
                bytes = self.whole_frames(bytes, common, out, completions)?;
            }
            match self.reader.next(&mut bytes)? {
                Some(Next::Head { header, block }) => {
                    self.note(&header, |this| {
                        this.responses.head(&header, &block, common, out, completions)
                    })?;
                }
                Some(Next::Content {
                    header,
                    begins,
                    content,
                    ends,
                }) => self.note(&header, |this| {
                    this.responses.content(&header, begins, content, ends, out, completions)
                })?,
                Some(Next::Frame { header, payload }) => {
                    self.note(&header, |this| this.frame(&header, &payload, out, completions))?;
                }
                Some(Next::Nothing) | None => continue,
            }
            if self.in_flight() == 0 && self.is_worn() {
                return Ok(Standing::Closing);
            }
        }
        if self.in_flight() < in_flight || self.responses.received() != received {
            self.control_frames = 0;
        }
        Ok(match self.leaving {
            Some(_) => Standing::Leaving,
            None => Standing::Open,
        })
    }

    /// Takes frames that are nearly all that come: whole heads, and content without padding. Stops before any other, and before
    /// the last response of the connection.
    #[inline]
    fn whole_frames<'a>(
        &mut self,
        mut bytes: &'a [u8],
        common: &mut Common,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<&'a [u8], Box<ConnectionError>> {
        if self.is_worn() {
            return Ok(bytes);
        }
        while let Some((header, rest)) = FrameHeader::split(bytes)
            && let Some((payload, behind)) = rest.split_at_checked(header.length as usize)
            && header.length as usize <= MAX_PAYLOAD_BYTES
            && header.stream != 0
        {
            const BESIDE: u8 = flag::PADDED | flag::PRIORITY | flag::END_HEADERS;
            match (header.kind, header.flags & BESIDE) {
                (Kind::HEADERS, flag::END_HEADERS) => {
                    self.note(&header, |this| {
                        this.responses.head(&header, payload, common, out, completions)
                    })?;
                }
                (Kind::DATA, flags) if flags & flag::PADDED == 0 => self.note(&header, |this| {
                    this.responses.content(&header, true, payload, true, out, completions)
                })?,
                _ => break,
            }
            bytes = behind;
        }
        Ok(bytes)
    }

    /// Keeps in words which frame something wrong was in.
    #[inline]
    fn note(
        &mut self,
        header: &FrameHeader,
        take: impl FnOnce(&mut Self) -> Result<(), Box<ConnectionError>>,
    ) -> Result<(), Box<ConnectionError>> {
        take(self).inspect_err(|_| self.wrong_frame = header.to_string())
    }

    /// Takes a frame that is neither a header block nor content.
    #[inline(never)]
    fn frame(
        &mut self,
        header: &FrameHeader,
        payload: &[u8],
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<(), Box<ConnectionError>> {
        let is_ack = header.has(flag::ACK);
        match header.kind {
            Kind::SETTINGS if !is_ack => self.settings(payload, out),
            Kind::PING if !is_ack => {
                self.count_control_frame()?;
                frame::ping_ack(payload, out);
                Ok(())
            }
            Kind::GOAWAY => self.go_away(payload, completions),
            Kind::WINDOW_UPDATE => self.window_update(header, number(payload), out, completions),
            Kind::RST_STREAM => {
                let code = ErrorCode(number(payload));
                if let Some(place) = self.of_stream(header)? {
                    self.responses.fail(place, code, completions);
                }
                Ok(())
            }
            Kind::PRIORITY if header.length != 5 => {
                if let Lookup::Open(place) = self.responses.streams.look_up(header.stream) {
                    let length = header.length;
                    let error = StreamError::Priority { length };
                    self.responses.refuse(place, &error, false, out, completions);
                }
                Ok(())
            }
            // What is acknowledged, says nothing any longer, or is not known.
            _ => Ok(()),
        }
    }

    /// Where the stream of a frame is that may come on a closed stream too.
    fn of_stream(&self, header: &FrameHeader) -> Result<Option<u32>, Box<ConnectionError>> {
        let (kind, stream) = (header.kind, header.stream);
        match self.responses.streams.look_up(stream) {
            Lookup::Open(place) => Ok(Some(place)),
            Lookup::Closed => Ok(None),
            Lookup::Idle => Err(ConnectionError::IdleStream { kind, stream }.into()),
        }
    }

    fn count_control_frame(&mut self) -> Result<(), Box<ConnectionError>> {
        self.control_frames += 1;
        match self.control_frames > MAX_CONTROL_FRAMES {
            true => Err(ConnectionError::Flood.into()),
            false => Ok(()),
        }
    }

    fn settings(&mut self, payload: &[u8], out: &mut Vec<u8>) -> Result<(), Box<ConnectionError>> {
        self.count_control_frame()?;
        let before = i64::from(self.peer.window_bytes);
        self.peer.take(payload, &mut self.writer.table)?;
        frame::settings_ack(out);
        let change = i64::from(self.peer.window_bytes) - before;
        if change != 0 {
            let streams = &mut self.responses.streams;
            for place in streams.places() {
                let window = &mut streams[place].send_window;
                *window = opened(*window, change).ok_or(ConnectionError::WindowOverflow)?;
                self.bodies.queue(place, streams);
            }
            self.bodies.go_on(streams, out);
        }
        Ok(())
    }

    fn go_away(&mut self, payload: &[u8], completions: &mut impl Completions<T>) -> Result<(), Box<ConnectionError>> {
        let last = number(payload) & (u32::MAX >> 1);
        let before = self.leaving.as_ref().map_or(u32::MAX, |leaving| leaving.last);
        if last > before || (last != 0 && last.is_multiple_of(2)) {
            return Err(ConnectionError::LastStream { last }.into());
        }
        let (code, words) = payload[4..].split_at(4);
        let code = ErrorCode(number(code));
        let words = match words {
            [] => format!("GOAWAY with {code}"),
            _ => format!("GOAWAY with {code}, {}", quote(words)),
        };
        self.responses.forget_above(last, &words, completions);
        self.leaving = Some(Leaving { last, code, words });
        Ok(())
    }

    fn window_update(
        &mut self,
        header: &FrameHeader,
        increment: u32,
        out: &mut Vec<u8>,
        completions: &mut impl Completions<T>,
    ) -> Result<(), Box<ConnectionError>> {
        // The first bit is reserved.
        let increment = i64::from(increment & (u32::MAX >> 1));
        if header.stream == 0 {
            if increment == 0 {
                return Err(ConnectionError::ZeroIncrement.into());
            }
            self.bodies.window = opened(self.bodies.window, increment).ok_or(ConnectionError::WindowOverflow)?;
            self.bodies.go_on(&mut self.responses.streams, out);
            return Ok(());
        }
        let Some(place) = self.of_stream(header)? else {
            return Ok(());
        };
        let window = opened(self.responses.streams[place].send_window, increment);
        match window {
            _ if increment == 0 => self
                .responses
                .refuse(place, &StreamError::ZeroIncrement, false, out, completions),
            None => self
                .responses
                .refuse(place, &StreamError::WindowOverflow, false, out, completions),
            Some(window) => {
                self.responses.streams[place].send_window = window;
                self.bodies.queue(place, &mut self.responses.streams);
                self.bodies.go_on(&mut self.responses.streams, out);
            }
        }
        Ok(())
    }

    /// The connection is of no further use: says so, if the service understands it.
    #[cold]
    pub(super) fn die(&mut self, error: &ConnectionError, out: &mut Vec<u8>) {
        self.is_dead = true;
        if let Some(code) = error.code() {
            frame::go_away(code, out);
        }
        if !error.is_of_other_protocol()
            && let Some(refused) = self.reader.refused()
        {
            self.wrong_frame = refused.to_string();
        }
    }

    /// The peer has ended the connection. Requests whose responses are not whole fail, where it said why.
    pub(super) fn end(&mut self, completions: &mut impl Completions<T>) -> Result<(), Box<ConnectionError>> {
        self.is_dead = true;
        self.reader.end()?;
        let said = self
            .leaving
            .as_ref()
            .filter(|leaving| leaving.code != ErrorCode::NO_ERROR);
        if let Some(Leaving { words, .. }) = said {
            for place in self.responses.streams.places() {
                self.responses.fail_by(place, words, completions);
            }
        }
        Ok(())
    }

    pub(super) fn give_up(&mut self, out: &mut Vec<u8>) -> Option<T> {
        self.responses.give_up(!self.is_dead, out)
    }

    pub(super) fn came(&self) -> Came {
        let streams = &self.responses.streams;
        let Some(place) = streams.oldest() else {
            return Came::Nothing;
        };
        match (streams[place].came(), self.reader.head_bytes(streams[place].id)) {
            (Came::Nothing, bytes @ 1..) => Came::Head(bytes as u64),
            (came, _) => came,
        }
    }

    pub(super) fn farewell(&self) -> Option<&str> {
        self.leaving.as_ref().map(|leaving| leaving.words.as_str())
    }

    pub(super) fn beginning(&self) -> &[u8] {
        match self.wrong_frame.as_bytes() {
            [] => self.reader.held(),
            words => words,
        }
    }
}
