//! One connection: what is in flight on it, and for how long it may rest.

use plimsoll_protocol::http1::{RequestKind, ResponseReader};
use std::collections::VecDeque;

/// Where a service does not say for how long it keeps an idle connection, it is given up after this. Node.js closes after 5 s
/// unless told otherwise, and a request sent into a closing connection is lost through nobody's fault.
const REST_LIMIT_NS: u64 = 4_000_000_000;
/// How long before the time that a service has announced a connection is given up, or half of the time, if that is less.
const REST_MARGIN_NS: u64 = 1_000_000_000;

/// A request on its way.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct InFlight {
    pub(crate) intended_ns: u64,
    pub(crate) sent_ns: u64,
    /// Number among all requests of the run.
    pub(crate) number: u64,
    /// Which request of the scenario.
    pub(crate) index: u32,
    pub(crate) answer: RequestKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Free,
    Connecting,
    Open,
}

pub(crate) struct Connection {
    pub(crate) state: State,
    /// A whole answer has come on it.
    pub(crate) served: bool,
    pub(crate) in_flight: u16,
    /// For how long the service says it keeps the connection without a request, s.
    pub(crate) keep_alive_s: Option<u16>,
    pub(crate) reader: ResponseReader,
    /// The request whose answer comes next.
    pub(crate) front: InFlight,
    /// For how long nothing had come on it when that was sent, ns; 0 with pipelining. Of no meaning before the first answer.
    pub(crate) rested_ns: u64,
    /// Those behind it; only with pipelining.
    behind: VecDeque<InFlight>,
    /// Connecting: since when. Open: last used.
    pub(crate) since_ns: u64,
}

impl Connection {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Free,
            served: false,
            in_flight: 0,
            keep_alive_s: None,
            reader: ResponseReader::new(),
            front: InFlight::default(),
            rested_ns: 0,
            behind: VecDeque::new(),
            since_ns: 0,
        }
    }

    /// For how long it may rest before it is given up, ns.
    pub(crate) fn rest_limit_ns(&self) -> u64 {
        self.keep_alive_s.map_or(REST_LIMIT_NS, |seconds| {
            let announced_ns = u64::from(seconds) * 1_000_000_000;
            announced_ns.saturating_sub(REST_MARGIN_NS).max(announced_ns / 2)
        })
    }

    /// Whether it has rested for too long to be given a request.
    #[inline]
    pub(crate) fn is_stale(&self, now_ns: u64) -> bool {
        let rested_ns = now_ns.saturating_sub(self.since_ns);
        rested_ns > 0 && self.in_flight == 0 && rested_ns >= self.rest_limit_ns()
    }

    #[inline]
    pub(crate) fn push(&mut self, request: InFlight) {
        if self.in_flight == 0 {
            self.reader.expect(request.answer);
            self.front = request;
            self.rested_ns = request.sent_ns.saturating_sub(self.since_ns);
        } else {
            self.behind.push_back(request);
        }
        self.in_flight += 1;
    }

    /// Takes a request back whose answer is not to come, the front one first.
    pub(crate) fn give_up(&mut self) -> Option<InFlight> {
        self.in_flight = self.in_flight.checked_sub(1)?;
        let given_up = self.front;
        if let Some(next) = self.behind.pop_front() {
            self.front = next;
        }
        Some(given_up)
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> InFlight {
        let done = self.front;
        self.in_flight -= 1;
        if let Some(next) = self.behind.pop_front() {
            self.reader.expect(next.answer);
            self.front = next;
            self.rested_ns = 0;
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_rests_for_less_than_the_service_announced() {
        let mut connection = Connection::new();
        for (announced, limit_ms) in [
            (None, 4000),
            (Some(0), 0),
            (Some(1), 500),
            (Some(2), 1000),
            (Some(5), 4000),
            (Some(72), 71_000),
        ] {
            connection.keep_alive_s = announced;
            assert_eq!(connection.rest_limit_ns(), limit_ms * 1_000_000, "{announced:?}");
        }
    }

    #[test]
    fn a_connection_that_is_in_use_is_not_stale() {
        let mut connection = Connection::new();
        connection.keep_alive_s = Some(0);
        assert!(!connection.is_stale(0), "the answer has come this moment");
        assert!(connection.is_stale(1));
        connection.push(InFlight::default());
        assert!(!connection.is_stale(1));
    }
}
