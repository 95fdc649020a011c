//! Bodies on their way out: as much as the windows let through, the rest when they are opened (RFC 9113, section 5.2).

use super::frame::{FrameHeader, Kind, MAX_PAYLOAD_BYTES, flag};
use super::request_layout::{Body, Layout};
use super::streams::{Lookup, Place, Streams};
use super::unsent::{Source, Unsent};
use super::window::INITIAL_BYTES;
use std::collections::VecDeque;
use std::sync::Arc;

/// Sends the bodies of one connection.
#[derive(Debug, Clone)]
pub(super) struct Bodies {
    /// How much the service takes now on all streams, bytes.
    pub(super) window: i32,
    /// Streams whose own windows are open, in the order of their turns.
    queue: VecDeque<u32>,
}

impl Bodies {
    pub(super) fn new() -> Self {
        Self {
            window: INITIAL_BYTES as i32,
            queue: VecDeque::new(),
        }
    }

    /// Sends the body of a request, which is not empty.
    pub(super) fn send<'v, T: Copy>(
        &mut self,
        layout: &Arc<Layout>,
        place: Place,
        streams: &mut Streams<T>,
        value: &impl Fn(usize) -> &'v [u8],
        out: &mut Vec<u8>,
    ) {
        let stream = &mut streams[place];
        let length = layout.body.bytes(value);
        let fits = |window: i32| usize::try_from(window).is_ok_and(|window| length <= window);
        let goes_at_once = self.queue.is_empty() && fits(self.window) && fits(stream.send_window);
        let body = match &layout.body {
            Body::Literal(body) if goes_at_once => {
                frames(stream.id, body, out);
                None
            }
            Body::Literal(_) => Some(Source::Layout(Arc::clone(layout))),
            Body::Varying { .. } if goes_at_once && length <= MAX_PAYLOAD_BYTES => {
                header(stream.id, length, true).write(out);
                layout.body.write(value, out);
                None
            }
            Body::Varying { .. } => {
                let mut body = Vec::with_capacity(length);
                layout.body.write(value, &mut body);
                if goes_at_once {
                    frames(stream.id, &body, out);
                    None
                } else {
                    Some(Source::Own(body))
                }
            }
        };
        let Some(body) = body else {
            // It fits in both.
            self.window -= length as i32;
            stream.send_window -= length as i32;
            return;
        };
        stream.more.get_or_insert_default().unsent = Some(Unsent::new(body));
        self.queue(place, streams);
        self.go_on(streams, out);
    }

    /// Gives a stream its turn, if it has something to send and its window is open.
    pub(super) fn queue<T: Copy>(&mut self, place: Place, streams: &mut Streams<T>) {
        let stream = &mut streams[place];
        if let Some(unsent) = stream.more.as_mut().and_then(|more| more.unsent.as_mut())
            && !unsent.queued
            && stream.send_window > 0
        {
            unsent.queued = true;
            self.queue.push_back(stream.id);
        }
    }

    /// Sends what the windows let through, a frame of each stream in turn.
    pub(super) fn go_on<T: Copy>(&mut self, streams: &mut Streams<T>, out: &mut Vec<u8>) {
        while self.window > 0
            && let Some(id) = self.queue.pop_front()
        {
            let Lookup::Open(place) = streams.look_up(id) else {
                continue;
            };
            let stream = &mut streams[place];
            let window = self.window.min(stream.send_window).max(0) as usize;
            let Some(unsent) = stream.more.as_mut().and_then(|more| more.unsent.as_mut()) else {
                continue;
            };
            let rest = unsent.rest();
            let length = rest.len().min(window).min(MAX_PAYLOAD_BYTES);
            let is_last = length == rest.len();
            if length > 0 {
                header(id, length, is_last).write(out);
                out.extend_from_slice(&rest[..length]);
            }
            unsent.sent += length;
            unsent.queued = false;
            self.window -= length as i32;
            stream.send_window -= length as i32;
            if is_last {
                stream.forget_body();
            } else {
                self.queue(place, streams);
            }
        }
    }
}

fn header(stream: u32, length: usize, is_last: bool) -> FrameHeader {
    FrameHeader {
        length: length as u32,
        kind: Kind::DATA,
        flags: if is_last { flag::END_STREAM } else { 0 },
        stream,
    }
}

/// Appends all of a body.
fn frames(stream: u32, body: &[u8], out: &mut Vec<u8>) {
    let mut rest = body;
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(rest.len().min(MAX_PAYLOAD_BYTES));
        header(stream, piece.len(), behind.is_empty()).write(out);
        out.extend_from_slice(piece);
        rest = behind;
    }
}
