//! One connection of a shard: its client, and for how long it has rested.

use crate::requests::Requests;
use plimsoll_protocol::Client;
use std::num::NonZeroU32;

/// A user who has a connection of its own: the place of the user, counted from 1 so that a connection needs no more room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Owner(NonZeroU32);

impl Owner {
    /// The user at this place.
    pub(crate) fn at(place: usize) -> Self {
        // Places are bounded.
        Self(NonZeroU32::MIN.saturating_add(place as u32))
    }
}

/// Where it is noted how a redirect led a request on: the number of a place, counted from 1 so that a request needs no more room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HopId(NonZeroU32);

impl HopId {
    /// Of the place with this index.
    pub(crate) fn of(index: usize) -> Self {
        // As many as there are requests at a time.
        Self(NonZeroU32::MIN.saturating_add(index as u32))
    }

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A request that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Start {
    /// Number among all requests of the run; it picks the kind and the values.
    pub(crate) number: u64,
    pub(crate) intended_ns: u64,
    /// It was sent before, and the service declined it or was ending its connection.
    pub(crate) again: bool,
    /// Where a redirect led it.
    pub(crate) hop: Option<HopId>,
}

impl Start {
    pub(crate) fn new(number: u64, intended_ns: u64) -> Self {
        Self {
            number,
            intended_ns,
            again: false,
            hop: None,
        }
    }

    /// As it is kept once it is sent, at this time as this request of the scenario.
    #[inline]
    pub(crate) fn sent(&self, request: u16, sent_ns: u64) -> InFlight {
        InFlight {
            intended_ns: self.intended_ns,
            sent_ns,
            number: self.number,
            request,
            again: self.again,
            hop: self.hop,
        }
    }
}

/// What the engine keeps with a request from its start to its outcome.
#[derive(Debug, Clone, Copy, Default)]
pub struct InFlight {
    pub(crate) intended_ns: u64,
    pub(crate) sent_ns: u64,
    /// Number among all requests of the run.
    pub(crate) number: u64,
    /// Which request of the scenario.
    pub(crate) request: u16,
    /// It was sent before, and the service declined it or was ending its connection.
    pub(crate) again: bool,
    /// Where a redirect led it.
    pub(crate) hop: Option<HopId>,
}

impl InFlight {
    /// How long after it was due it was sent, ns.
    #[inline]
    pub(crate) fn lag_ns(&self) -> u64 {
        self.sent_ns.saturating_sub(self.intended_ns)
    }

    /// The same request on another connection; `again` where that may not happen once more.
    pub(crate) fn elsewhere(&self, again: bool) -> Start {
        Start {
            number: self.number,
            intended_ns: self.intended_ns,
            again,
            hop: self.hop,
        }
    }
}

/// What the engine can drive: a client for its requests, of which each connection gets a copy.
pub trait Protocol: Client<Token = InFlight> + Clone {}

impl<C: Client<Token = InFlight> + Clone> Protocol for C {}

/// The requests of a scenario as a client takes them.
pub type RequestsOf<C> = Requests<<C as Client>::Request>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Free,
    /// The socket is not connected yet, or the client is not ready for its first request.
    Connecting,
    Open,
    /// It takes no more requests, and what is on it goes on.
    Leaving,
}

pub(crate) struct Connection<C> {
    pub(crate) client: C,
    /// Connecting: since when. Open: last used.
    pub(crate) since_ns: u64,
    pub(crate) state: State,
    /// A whole response has come on it.
    pub(crate) served: bool,
    /// Whose it is alone.
    pub(crate) owner: Option<Owner>,
}

const _: () = assert!(
    size_of::<Connection<plimsoll_protocol::http1::Http1<InFlight>>>() <= 64,
    "a million connections must fit"
);

impl<C: Protocol> Connection<C> {
    pub(crate) fn new(client: C) -> Self {
        Self {
            client,
            since_ns: 0,
            state: State::Free,
            served: false,
            owner: None,
        }
    }

    /// Whether it is open and may take one more request.
    #[inline]
    pub(crate) fn can_take(&self) -> bool {
        self.state == State::Open && self.client.capacity() > 0
    }

    /// Whether it has rested for too long to be given a request.
    #[inline]
    pub(crate) fn is_stale(&self, now_ns: u64) -> bool {
        let rested_ns = now_ns.saturating_sub(self.since_ns);
        rested_ns > 0 && self.client.in_flight() == 0 && rested_ns >= self.client.idle_limit_ns()
    }

    /// For how long nothing had come on it when its oldest request was sent, ns.
    #[inline]
    pub(crate) fn rested_ns(&self) -> u64 {
        let sent_ns = self.client.oldest().map_or(0, |request| request.sent_ns);
        sent_ns.saturating_sub(self.since_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_protocol::http1::{Common, Http1, RequestEncoder};
    use plimsoll_protocol::{Completions, Part, RequestFailure, RequestParts, Response};

    struct Nowhere;

    impl Completions<InFlight> for Nowhere {
        fn response(&mut self, _token: &InFlight, _response: &Response<'_>) {}

        fn keeps_beginning(&mut self, _token: &InFlight, _status: u16) -> bool {
            false
        }

        fn failed(&mut self, _token: &InFlight, _failure: &RequestFailure<'_>) {}

        fn unseen(&mut self, _token: &InFlight, _words: &str) {}
    }

    #[test]
    fn a_connection_that_is_in_use_is_not_stale() {
        let root = RequestEncoder::new(&RequestParts {
            method: "GET",
            authority: "shop",
            target: &[Part::Literal(b"/")],
            headers: &[],
            body: &[],
            keep_alive: true,
        })
        .unwrap();
        let mut connection = Connection::new(Http1::new(1, true));
        let start = |client: &mut Http1<_>| client.start(&root, |_| b"", InFlight::default(), &mut Vec::new());
        start(&mut connection.client);
        let response = b"HTTP/1.1 204 No Content\r\nkeep-alive: timeout=0\r\n\r\n";
        let received = connection
            .client
            .receive(response, &mut Common::default(), &mut Vec::new(), &mut Nowhere);
        assert!(received.is_ok());
        assert!(!connection.is_stale(0), "the response has come this moment");
        assert!(connection.is_stale(1));
        start(&mut connection.client);
        assert!(!connection.is_stale(1));
    }
}
