//! Where the requests come from that start when they are due.

use crate::backend::{Backend, Slot};
use crate::connection::{InFlight, Owner, Protocol, Start};
use crate::pool::Pool;
use crate::recorder::Recorder;
use crate::requests::Requests;
use plimsoll_measure::ErrorClass;
use plimsoll_protocol::Response;

/// What is due, and what becomes of it.
pub(crate) trait Starts {
    /// Whether [`Self::content`] takes notice of anything.
    const TAKES_CONTENT: bool = false;

    /// The next request if it is due at `now_ns`.
    fn take_due(&mut self, now_ns: u64, recorder: &mut Recorder) -> Option<Start>;

    /// When the next request is due, as far as is known at `now_ns`; `None` when none is.
    fn next_due_ns(&self, now_ns: u64) -> Option<u64>;

    /// When the one after that is due, if that is known already.
    fn due_after_next_ns(&self) -> Option<u64>;

    /// A request has finished; `reached` is false when there was not even a connection for it.
    fn finished(&mut self, start: &Start, now_ns: u64, reached: bool, recorder: &mut Recorder);

    /// Whether no request will come any more.
    fn is_exhausted(&self, now_ns: u64) -> bool;

    /// Whether requests are due by a schedule alone.
    fn is_scheduled(&self) -> bool;

    /// When the load ends, if that is known beforehand.
    fn end_ns(&self) -> Option<u64>;

    /// How many users are there, where stages say so.
    fn users(&self) -> Option<u64> {
        None
    }

    /// From now on no request comes any more but those that others lead to.
    fn finish(&mut self, now_ns: u64);

    /// Whether each user has a connection of its own.
    #[inline]
    fn owns_connections(&self) -> bool {
        false
    }

    /// The connection of the user whose request this is, as far as it is known.
    #[inline]
    fn connection_of(&self, _start: &Start) -> Option<(Owner, Slot)> {
        None
    }

    /// A user who has left, and the connection that it had.
    #[inline]
    fn take_left(&mut self) -> Option<(Owner, Slot)> {
        None
    }

    /// Which request of the scenario is due.
    #[inline]
    fn request_of<R>(&self, start: &Start, requests: &Requests<R>) -> u16 {
        requests.request_of(start.number)
    }

    /// Sends a request on an open connection.
    #[inline]
    fn send<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, slot: Slot, start: Start, now_ns: u64) {
        pool.start(slot, start, now_ns);
    }

    /// The same of a request that has waited for the connection.
    #[inline]
    fn send_waiting<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, slot: Slot, start: Start, now_ns: u64) {
        pool.start_waiting(slot, start, now_ns);
    }

    /// Records the whole response to a request, which is a failure of this class or none.
    fn responded(
        &mut self,
        request: &InFlight,
        response: &Response<'_>,
        failure: Option<ErrorClass>,
        now_ns: u64,
        recorder: &mut Recorder,
    );

    /// The values with which a user sent a request, by variable; `None` where they follow from its number.
    fn values_of(&mut self, _request: &InFlight) -> Option<&[Vec<u8>]> {
        None
    }

    /// A request goes on where this response led it.
    fn redirected(&mut self, _start: &Start, _response: &Response<'_>) {}

    /// A piece of the content of the response to a request, before the response is whole.
    #[inline]
    fn content(&mut self, _request: &InFlight, _piece: &[u8]) {}

    /// Whether the head of a response in pieces to this request of the scenario is wanted when it is whole.
    #[inline]
    fn wants_head(&self, _request: u16) -> bool {
        false
    }
}
