//! Takes the responses of a connection, has them recorded, and keeps an example of what went wrong.

use crate::across::Across;
use crate::backend::Slot;
use crate::connection::{InFlight, Start};
use crate::evidence::{self, Seen};
use crate::outcomes::{Holds, Outcomes};
use crate::recorder::Recorder;
use crate::redirects::{Redirect, is_redirect};
use crate::requests::Requests;
use plimsoll_measure::{ErrorClass, Sight};
use plimsoll_protocol::http1::Glimpse;
use plimsoll_protocol::{RequestFailure, Response};

/// Where the responses of one connection go.
pub(crate) struct Completions<'a, D, R> {
    pub(crate) slot: Slot,
    pub(crate) driver: &'a mut D,
    pub(crate) requests: &'a Requests<R>,
    pub(crate) recorder: &'a mut Recorder,
    /// Its name.
    pub(crate) protocol: &'static str,
    pub(crate) across: &'a mut Across,
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
    fn sights(&self, request: u16, status: u16) -> impl Iterator<Item = Sight> + use<D, R> {
        let unexpected = !self.requests.accepts(request, status);
        let failure = Some(Sight::Failure(ErrorClass::Status)).filter(|_| unexpected);
        let redirect = Some(Sight::Redirect).filter(|_| is_redirect(status));
        let wanted = [failure, redirect].map(|sight| sight.filter(|&sight| self.recorder.wants(sight)));
        wanted.into_iter().flatten()
    }

    #[cold]
    fn show(&mut self, request: u16, response: &Response<'_>) {
        let kept = self.across.kept.take_if(|slot| *slot == self.slot).is_some();
        if !kept && !response.in_one_piece && self.across.kept.is_some() {
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
        let request = self.across.hops.end(request);
        let name = self.requests.name(request.request);
        self.recorder.show_failure(class, self.now_ns, || seen.of(name));
        self.recorder.failed(request.request, class);
        self.driver.failed(&request, self.now_ns, self.recorder);
    }

    /// A response that is not the usual one: it was redirected to, is a redirect itself, or has a status that is not expected.
    #[inline(never)]
    fn unusual(&mut self, request: &InFlight, response: &Response<'_>, expected: bool) {
        if self.requests.follows(request.request, response.status) && self.follow(request, response) {
            return;
        }
        let whole = self.across.hops.end(request);
        let failure = Some(ErrorClass::Status).filter(|_| !expected);
        self.driver
            .responded(&whole, response, failure, self.now_ns, self.recorder);
        if !expected || response.status >= 300 {
            self.show(request.request, response);
        }
    }

    /// A call has ended otherwise than with OK, which the plan may expect.
    fn call(&mut self, request: &InFlight, status: u16, code: Option<u32>, message: &[u8]) {
        let accepted = self.requests.accepted_calls(request.request);
        let failure = match code {
            None => Some(ErrorClass::GrpcNoStatus),
            Some(code) if accepted.iter().any(|status| status.code() == code) => None,
            Some(code) => Some(ErrorClass::of_grpc(code)),
        };
        let response = Response {
            status,
            bytes: &[],
            in_one_piece: false,
        };
        self.driver
            .responded(request, &response, failure, self.now_ns, self.recorder);
        if let Some(class) = failure {
            let name = self.requests.name(request.request);
            let seen = || evidence::call(code, message, accepted).of(name);
            self.recorder.show_failure(class, self.now_ns, seen);
        }
    }

    /// Sends a request on where a redirect leads, or has it fail. One that leads nowhere is a response like others.
    fn follow(&mut self, request: &InFlight, response: &Response<'_>) -> bool {
        let location = Glimpse::of(response.bytes).and_then(|seen| seen.leads_to());
        let Some(location) = location else { return false };
        let redirect = Redirect {
            status: response.status,
            location,
            hop: self.across.hops.of(request),
            sent_ns: request.sent_ns,
        };
        let values = self.driver.values_of(request);
        let of_user = values.map(|values| (request.request, values));
        let due = (request.number, request.intended_ns);
        match self.requests.next_hop(due, of_user, &redirect) {
            Some(Ok(hop)) => {
                self.recorder.followed(request.request);
                let hop = Some(self.across.hops.go_on(request, hop));
                let start = Start {
                    hop,
                    ..request.elsewhere(false)
                };
                self.driver.redirected(start, response);
            }
            Some(Err(why)) => {
                let seen = Seen::redirect(response.status, response.bytes, &why);
                self.end(request, ErrorClass::NotFollowed, seen);
            }
            None => return false,
        }
        true
    }
}

impl<D: Outcomes, R> plimsoll_protocol::Completions<InFlight> for Completions<'_, D, R> {
    const TAKES_CONTENT: bool = D::TAKES_CONTENT;

    #[inline]
    fn response(&mut self, request: &InFlight, response: &Response<'_>) {
        if self.served {
            let rested_ns = request.sent_ns.saturating_sub(self.since_ns);
            self.across.longest_rest_ns = rested_ns.max(self.across.longest_rest_ns);
        }
        self.since_ns = self.now_ns;
        self.served = true;
        self.count += 1;
        let expected = self.requests.accepts(request.request, response.status);
        if expected && response.status < 300 && request.hop.is_none() {
            self.driver
                .responded(request, response, None, self.now_ns, self.recorder);
        } else {
            self.unusual(request, response, expected);
        }
    }

    #[cold]
    fn opened(&mut self, request: &InFlight, response: &Response<'_>) {
        if D::HOLDS != Holds::Nothing {
            // What opens them is what is asked about.
            return self.response(request, response);
        }
        self.served = true;
        if self.requests.accepts(request.request, response.status) {
            self.recorder.opened(self.now_ns.saturating_sub(request.sent_ns));
        } else {
            self.show(request.request, response);
        }
    }

    #[inline]
    fn content(&mut self, request: &InFlight, piece: &[u8]) {
        self.driver
            .content(self.slot, request, piece, self.now_ns, self.recorder);
    }

    #[inline]
    fn message(&mut self, piece: &[u8], ends: bool) {
        self.driver.message(self.slot, piece, ends, self.now_ns, self.recorder);
    }

    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    #[cold]
    fn pinged(&mut self, late_ns: u64) {
        self.recorder.pinged(late_ns);
    }

    fn keeps_beginning(&mut self, request: &InFlight, status: u16) -> bool {
        if self.requests.follows(request.request, status) || self.driver.wants_head(request.request) {
            return true;
        }
        let keeps = self.across.kept.is_none() && self.sights(request.request, status).next().is_some();
        if keeps {
            self.across.kept = Some(self.slot);
        }
        keeps
    }

    fn keeps_content(&mut self, request: &InFlight, status: u16) -> bool {
        D::HOLDS != Holds::Requests || self.sights(request.request, status).next().is_some()
    }

    #[cold]
    fn failed(&mut self, request: &InFlight, failure: &RequestFailure<'_>) {
        self.count += 1;
        if *failure == RequestFailure::Refused && !request.again && D::HOLDS != Holds::Connections {
            self.across.again.push(request.elsewhere(true));
            return;
        }
        let (class, seen) = match *failure {
            RequestFailure::Call { status, code, message } => return self.call(request, status, code, message),
            RequestFailure::Malformed { reason, beginning } => {
                let seen = Seen::malformed(&reason, beginning);
                let seen = match self.requests.is_call(request.request) {
                    true => seen.expecting("a gRPC response"),
                    false => seen.in_protocol(self.protocol),
                };
                (ErrorClass::Malformed, seen)
            }
            RequestFailure::Reset { code, came } => (ErrorClass::StreamReset, evidence::stream_reset(code, came)),
            RequestFailure::Refused => (ErrorClass::StreamReset, evidence::declined()),
        };
        self.end(request, class, seen);
    }

    #[cold]
    fn unseen(&mut self, request: &InFlight, words: &str) {
        self.count += 1;
        if D::HOLDS == Holds::Nothing {
            self.across.again.push(request.elsewhere(request.again));
        } else {
            self.end(request, ErrorClass::Closed, evidence::farewell(words));
        }
    }
}
