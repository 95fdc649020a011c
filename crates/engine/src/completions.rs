//! Takes the responses of a connection, has them recorded, and keeps an example of what went wrong.

use crate::backend::Slot;
use crate::connection::{InFlight, Start};
use crate::evidence::{self, Seen};
use crate::outcomes::Outcomes;
use crate::recorder::{Recorder, is_redirect};
use crate::requests::Requests;
use plimsoll_measure::{ErrorClass, Sight};
use plimsoll_protocol::{RequestFailure, Response};

/// Where the responses of one connection go.
pub(crate) struct Completions<'a, D, R> {
    pub(crate) slot: Slot,
    pub(crate) driver: &'a mut D,
    pub(crate) requests: &'a Requests<R>,
    pub(crate) recorder: &'a mut Recorder,
    /// Its name.
    pub(crate) protocol: &'static str,
    /// The connection whose response in pieces is kept to be shown.
    pub(crate) kept: &'a mut Option<Slot>,
    /// The longest rest of a connection after which a request had a response, ns.
    pub(crate) longest_rest_ns: &'a mut u64,
    /// Requests that go out on another connection.
    pub(crate) again: &'a mut Vec<Start>,
    /// When something had come on the connection before, and whether a response was among it.
    pub(crate) since_ns: u64,
    pub(crate) served: bool,
    pub(crate) now_ns: u64,
    /// How many requests have left the connection.
    pub(crate) count: u32,
}

impl<D, R> Completions<'_, D, R> {
    /// What a response is an example of, if one is wanted.
    #[cold]
    fn sights(&self, request: u32, status: u16) -> impl Iterator<Item = Sight> + use<D, R> {
        let unexpected = !self.requests.accepts(request, status);
        let failure = Some(Sight::Failure(ErrorClass::Status)).filter(|_| unexpected);
        let redirect = Some(Sight::Redirect).filter(|_| is_redirect(status));
        let wanted = [failure, redirect].map(|sight| sight.filter(|&sight| self.recorder.wants(sight)));
        wanted.into_iter().flatten()
    }

    #[cold]
    fn show(&mut self, request: u32, response: &Response<'_>) {
        let kept = self.kept.take_if(|slot| *slot == self.slot).is_some();
        if !kept && !response.in_one_piece && self.kept.is_some() {
            // A part of it is missing, and that of another connection will be whole.
            return;
        }
        for sight in self.sights(request, response.status) {
            let requests = self.requests;
            self.recorder.show(sight, self.now_ns, || {
                let seen = Seen::response(response.status, response.bytes).of(requests.name(request));
                match sight {
                    Sight::Failure(_) => seen.expecting(evidence::statuses(requests.accepted_status(request))),
                    _ => seen,
                }
            });
        }
    }
}

impl<D: Outcomes, R> Completions<'_, D, R> {
    /// A request has failed, and its connection goes on.
    fn end(&mut self, request: &InFlight, class: ErrorClass, seen: Seen<'_>) {
        let name = self.requests.name(request.request);
        self.recorder.show_failure(class, self.now_ns, || seen.of(name));
        self.recorder.failed(request.request, class);
        self.driver.failed(request, self.now_ns);
    }
}

impl<D: Outcomes, R> plimsoll_protocol::Completions<InFlight> for Completions<'_, D, R> {
    #[inline]
    fn response(&mut self, request: &InFlight, response: &Response<'_>) {
        if self.served {
            let rested_ns = request.sent_ns.saturating_sub(self.since_ns);
            *self.longest_rest_ns = rested_ns.max(*self.longest_rest_ns);
        }
        self.since_ns = self.now_ns;
        self.served = true;
        self.count += 1;
        let expected = self.requests.accepts(request.request, response.status);
        self.driver
            .responded(request, response, expected, self.now_ns, self.recorder);
        if !expected || response.status >= 300 {
            self.show(request.request, response);
        }
    }

    fn keeps_beginning(&mut self, request: &InFlight, status: u16) -> bool {
        let keeps = self.kept.is_none() && self.sights(request.request, status).next().is_some();
        if keeps {
            *self.kept = Some(self.slot);
        }
        keeps
    }

    #[cold]
    fn failed(&mut self, request: &InFlight, failure: &RequestFailure<'_>) {
        self.count += 1;
        if *failure == RequestFailure::Refused && !request.again && !D::HOLDS {
            self.again.push(request.elsewhere(true));
            return;
        }
        let (class, seen) = match *failure {
            RequestFailure::Malformed { reason, beginning } => {
                let seen = Seen::malformed(&reason, beginning).in_protocol(self.protocol);
                (ErrorClass::Malformed, seen)
            }
            RequestFailure::Reset { code, came } => (ErrorClass::StreamReset, evidence::stream_reset(code, came)),
            RequestFailure::Refused => (ErrorClass::StreamReset, evidence::declined()),
        };
        self.end(request, class, seen);
    }

    #[cold]
    fn unseen(&mut self, request: &InFlight) {
        self.count += 1;
        if D::HOLDS {
            self.end(request, ErrorClass::Closed, evidence::response_ends_connection());
        } else {
            self.again.push(request.elsewhere(request.again));
        }
    }
}
