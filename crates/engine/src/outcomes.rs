//! What becomes of requests, as the kind of load has it.

use crate::backend::Slot;
use crate::connection::{InFlight, Start};
use crate::recorder::Recorder;
use plimsoll_measure::ErrorClass;
use plimsoll_protocol::Response;

/// What a load keeps open for its own sake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Nothing: connections are there for requests, and one that is lost is replaced.
    Nothing,
    /// Connections: one that ends has failed, with or without a request on it.
    Connections,
    /// Requests, which share connections: one that ends with its connection has failed.
    Requests,
}

/// Takes the outcome of each request.
pub(crate) trait Outcomes {
    const HOLDS: Holds;

    /// Whether [`Self::content`] takes notice of anything: else nothing is spent on it.
    const TAKES_CONTENT: bool = false;

    /// Records the whole response to a request, which is a failure of this class or none.
    fn responded(
        &mut self,
        request: &InFlight,
        response: &Response<'_>,
        failure: Option<ErrorClass>,
        now_ns: u64,
        recorder: &mut Recorder,
    );

    /// A piece of the content of the response to a request, on the connection of a slot, before the response is whole.
    #[inline]
    fn content(&mut self, _slot: Slot, _request: &InFlight, _piece: &[u8], _now_ns: u64, _recorder: &mut Recorder) {}

    /// Whether the head of a response in pieces to this request of the scenario is wanted when it is whole.
    #[inline]
    fn wants_head(&self, _request: u16) -> bool {
        false
    }

    /// A piece of a message that came by itself on the connection of a slot, and whether the message ends with it.
    #[inline]
    fn message(&mut self, _slot: Slot, _piece: &[u8], _ends: bool, _now_ns: u64, _recorder: &mut Recorder) {}

    /// A request has ended otherwise, which is recorded.
    fn failed(&mut self, request: &InFlight, now_ns: u64, recorder: &mut Recorder);

    /// The values with which a user sent a request, by variable; `None` where they follow from its number.
    fn values_of(&mut self, _request: &InFlight) -> Option<&[Vec<u8>]> {
        None
    }

    /// A request goes on where this response led it, before all others.
    fn redirected(&mut self, start: Start, response: &Response<'_>);
}
