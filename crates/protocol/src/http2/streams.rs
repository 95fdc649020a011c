//! The streams of one connection: which are open, and where to find each.
//!
//! A client opens every second stream, one after the other, so what belongs to a stream is found by its distance from the
//! oldest one.

use super::call::Call;
use super::limits::KEPT_BYTES;
use super::stream_error::StreamError;
use super::unsent::Unsent;
use super::window::Received;
use crate::{BodyEnd, Came, RequestKind};
use std::collections::VecDeque;
use std::ops::{Index, IndexMut};

/// A request and what has come of its response.
#[derive(Debug, Clone)]
pub(super) struct Stream<T> {
    pub(super) token: T,
    pub(super) id: u32,
    /// How much of the body the service takes now, bytes.
    pub(super) send_window: i32,
    pub(super) received: Received,
    /// Of the final response; 0 until it has come.
    pub(super) status: u16,
    /// Interim responses before it.
    pub(super) interim: u8,
    pub(super) kind: RequestKind,
    /// What the head says, or [`UNKNOWN_LENGTH`].
    pub(super) content_length: u64,
    pub(super) content_bytes: u64,
    /// What most streams have nothing of.
    pub(super) more: Option<Box<More>>,
}

impl<T> Stream<T> {
    /// Whether something of the body is still to be sent.
    pub(super) fn is_sending(&self) -> bool {
        self.more.as_ref().is_some_and(|more| more.unsent.is_some())
    }

    /// The response is to be that of a call.
    pub(super) fn await_call(&mut self) {
        self.more.get_or_insert_default().call = Some(Call::default());
    }

    /// What has come of a call, where the request is one.
    #[inline]
    pub(super) fn call(&mut self) -> Option<&mut Call> {
        self.more.as_mut()?.call.as_mut()
    }

    /// The body is sent.
    pub(super) fn forget_body(&mut self) {
        let kept = self.more.take();
        let kept = kept.filter(|more| more.kept.is_some() || more.call.is_some());
        self.more = kept.map(|mut more| {
            more.unsent = None;
            more
        });
    }

    /// Whether no content belongs to the response, whatever its headers say (RFC 9110, section 6.4.1).
    pub(super) fn is_bare(&self) -> bool {
        self.kind == RequestKind::Head || matches!(self.status, 204 | 304)
    }

    /// What has come of the response, the head being whole.
    pub(super) fn came(&self) -> Came {
        if self.status == 0 {
            return Came::Nothing;
        }
        Came::Body {
            status: self.status,
            received_bytes: self.content_bytes,
            end: match self.content_length {
                UNKNOWN_LENGTH => BodyEnd::Stream,
                length => BodyEnd::Length(length),
            },
        }
    }
}

/// The response does not say how long it is.
pub(super) const UNKNOWN_LENGTH: u64 = u64::MAX;

/// What few streams have.
#[derive(Debug, Clone, Default)]
pub(super) struct More {
    /// How the response begins, where that is wanted.
    pub(super) kept: Option<Vec<u8>>,
    /// There is more of the response than is kept.
    pub(super) is_cut: bool,
    /// What the windows did not let out of the body.
    pub(super) unsent: Option<Unsent>,
    /// What has come of a call.
    pub(super) call: Option<Call>,
}

impl More {
    /// Takes content of a response with this status.
    pub(super) fn take(&mut self, status: u16, content: &[u8]) -> Result<(), StreamError> {
        if let Some(call) = &mut self.call
            && status == 200
            && let Err(wrong) = call.take(content)
        {
            self.kept = None;
            return Err(wrong);
        }
        if let Some(kept) = self.kept.as_mut().filter(|_| !self.is_cut) {
            let room = KEPT_BYTES.saturating_sub(kept.len()).min(content.len());
            kept.extend_from_slice(&content[..room]);
            self.is_cut |= room < content.len();
        }
        Ok(())
    }
}

/// Number of an open stream among the places of [`Streams`].
pub(super) type Place = u32;

/// What a stream is to this end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lookup {
    Open(Place),
    /// It was open.
    Closed,
    /// It has never been open.
    Idle,
}

/// All streams of a connection.
#[derive(Debug, Clone)]
pub(super) struct Streams<T> {
    places: Vec<Stream<T>>,
    free: Vec<Place>,
    /// Where each stream is from the oldest open one on, or [`CLOSED`].
    order: VecDeque<Place>,
    /// Id of the first of them.
    first: u32,
    /// Id of the next stream.
    next: u32,
    /// Id of the last stream that this connection can have.
    last: u32,
    open: u32,
}

const CLOSED: Place = Place::MAX;

/// Largest id of a stream.
const MAX_ID: u32 = (1 << 31) - 1;
/// Most streams from the oldest open one on. One that stays open must not make the list grow without end.
const MAX_ORDER: usize = 1 << 20;

impl<T: Copy> Streams<T> {
    /// For all the streams that a connection can have, or for a single one.
    pub(super) fn new(single: bool) -> Self {
        Self {
            places: Vec::new(),
            free: Vec::new(),
            order: VecDeque::new(),
            first: 1,
            next: 1,
            last: if single { 1 } else { MAX_ID },
            open: 0,
        }
    }

    /// How many are open.
    #[inline]
    pub(super) fn open(&self) -> u32 {
        self.open
    }

    /// Whether no further one can ever be opened.
    #[inline]
    pub(super) fn is_exhausted(&self) -> bool {
        self.next > self.last
    }

    /// Whether one can be opened now.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        !self.is_exhausted() && self.order.len() < MAX_ORDER
    }

    /// Opens the next one.
    #[inline]
    pub(super) fn begin(&mut self, token: T, kind: RequestKind, send_window: i32) -> Place {
        let stream = Stream {
            token,
            id: self.next,
            send_window,
            received: Received::default(),
            status: 0,
            interim: 0,
            kind,
            content_length: UNKNOWN_LENGTH,
            content_bytes: 0,
            more: None,
        };
        self.next += 2;
        self.open += 1;
        let place = match self.free.pop() {
            Some(place) => {
                self.places[place as usize] = stream;
                place
            }
            None => {
                self.places.push(stream);
                (self.places.len() - 1) as Place
            }
        };
        self.order.push_back(place);
        place
    }

    /// Where the stream with this id is.
    #[inline]
    pub(super) fn look_up(&self, id: u32) -> Lookup {
        if id >= self.next || id & 1 == 0 {
            return Lookup::Idle;
        }
        let nth = id.wrapping_sub(self.first) as usize / 2;
        match self.order.get(nth) {
            Some(&place) if id >= self.first && place != CLOSED => Lookup::Open(place),
            _ => Lookup::Closed,
        }
    }

    /// Closes an open stream.
    #[inline]
    pub(super) fn end(&mut self, place: Place) -> (T, Option<Box<More>>) {
        let stream = &mut self.places[place as usize];
        let (id, token, more) = (stream.id, stream.token, stream.more.take());
        self.order[((id - self.first) / 2) as usize] = CLOSED;
        while self.order.front() == Some(&CLOSED) {
            self.order.pop_front();
            self.first += 2;
        }
        self.free.push(place);
        self.open -= 1;
        (token, more)
    }

    /// Where the stream is that was opened first.
    #[inline]
    pub(super) fn oldest(&self) -> Option<Place> {
        self.order.front().copied()
    }

    /// Where all open ones are, the oldest first.
    pub(super) fn places(&self) -> Vec<Place> {
        self.order.iter().copied().filter(|place| *place != CLOSED).collect()
    }
}

impl<T> Index<Place> for Streams<T> {
    type Output = Stream<T>;

    #[inline]
    fn index(&self, place: Place) -> &Stream<T> {
        &self.places[place as usize]
    }
}

impl<T> IndexMut<Place> for Streams<T> {
    #[inline]
    fn index_mut(&mut self, place: Place) -> &mut Stream<T> {
        &mut self.places[place as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(streams: &mut Streams<u32>, token: u32) -> u32 {
        let place = streams.begin(token, RequestKind::Other, 0);
        streams[place].id
    }

    #[test]
    fn streams_are_found_whatever_order_they_end_in() {
        let mut streams = Streams::new(false);
        let ids: Vec<u32> = (0..5).map(|token| begin(&mut streams, token)).collect();
        assert_eq!(ids, [1, 3, 5, 7, 9]);
        for (id, oldest) in [(5, Some(0)), (1, Some(1)), (3, Some(3)), (9, Some(3)), (7, None)] {
            let Lookup::Open(place) = streams.look_up(id) else {
                panic!("{id} is open");
            };
            assert_eq!(streams.end(place).0, id / 2);
            assert_eq!(streams.look_up(id), Lookup::Closed);
            assert_eq!(streams.oldest().map(|place| streams[place].token), oldest);
        }
        assert_eq!((streams.open(), streams.order.len(), streams.places.len()), (0, 0, 5));
        assert_eq!(begin(&mut streams, 5), 11);
        assert!(matches!(streams.look_up(11), Lookup::Open(_)));
        for idle in [0, 2, 12, 13, u32::MAX] {
            assert_eq!(streams.look_up(idle), Lookup::Idle, "{idle}");
        }
        assert_eq!(streams.places.len(), 5, "places are used again");
    }

    #[test]
    fn a_stream_that_stays_open_does_not_let_the_list_grow_without_end() {
        let mut streams = Streams::new(false);
        begin(&mut streams, 0);
        let mut rounds = 0;
        while streams.has_room() {
            let place = streams.begin(1, RequestKind::Other, 0);
            streams.end(place);
            rounds += 1;
        }
        assert_eq!((rounds, streams.places.len()), (MAX_ORDER - 1, 2));
        let oldest = streams.oldest().expect("it is open");
        streams.end(oldest);
        assert!(streams.has_room() && streams.order.is_empty());
    }

    #[test]
    fn the_last_id_is_the_end_of_a_connection() {
        let mut single = Streams::new(true);
        assert!(single.has_room());
        begin(&mut single, 0);
        assert!(single.is_exhausted() && !single.has_room());
        let mut streams = Streams::new(false);
        (streams.first, streams.next) = (MAX_ID, MAX_ID);
        assert_eq!(begin(&mut streams, 0), MAX_ID);
        assert!(streams.is_exhausted());
        assert!(matches!(streams.look_up(MAX_ID), Lookup::Open(_)));
    }
}
