//! What held connections do besides being held: an open load of its own, whose accepted requests are messages under way.

use super::{Arrivals, Driver, Source};
use crate::backend::Backend;
use crate::connection::{InFlight, Protocol, Start};
use crate::messages::Ledger;
use crate::outcomes::{Holds, Outcomes};
use crate::pool::{Change, Pool};
use crate::recorder::Recorder;
use crate::wake_policy::{AWAITED_LOOK_NS, Wait};
use plimsoll_measure::ErrorClass;
use plimsoll_protocol::Response;
use std::sync::Arc;

/// The requests of actions, when they are due. It stays until the messages that it has sent have arrived, or have had their time.
pub(crate) struct Acting {
    arrivals: Arrivals<Source>,
    ledger: Arc<Ledger>,
    has_sent_all: bool,
}

impl Acting {
    pub(crate) fn new(arrivals: Arrivals<Source>, ledger: Arc<Ledger>) -> Self {
        Self {
            arrivals,
            ledger,
            has_sent_all: false,
        }
    }
}

impl Outcomes for Acting {
    const HOLDS: Holds = Holds::Nothing;

    #[inline]
    fn responded(
        &mut self,
        request: &InFlight,
        response: &Response<'_>,
        failure: Option<ErrorClass>,
        now_ns: u64,
        recorder: &mut Recorder,
    ) {
        if failure.is_none() {
            recorder.message_accepted(request.request, self.ledger.accept(request.number));
        }
        self.arrivals.responded(request, response, failure, now_ns, recorder);
    }

    fn failed(&mut self, request: &InFlight, now_ns: u64, recorder: &mut Recorder) {
        self.arrivals.failed(request, now_ns, recorder);
    }

    fn redirected(&mut self, start: Start, response: &Response<'_>) {
        self.arrivals.redirected(start, response);
    }
}

impl Driver for Acting {
    fn start_due<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) -> bool {
        let more = self.arrivals.start_due(pool, now_ns);
        if !self.has_sent_all && self.arrivals.is_done(pool, now_ns) {
            self.has_sent_all = true;
            self.ledger.has_sent_all();
        }
        more
    }

    fn react<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, change: Change) {
        self.arrivals.react(pool, change);
    }

    fn expire<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) {
        self.arrivals.expire(pool, now_ns);
    }

    fn wait<B: Backend, C: Protocol>(&self, pool: &Pool<B, C>, now_ns: u64, tick_ends_ns: u64) -> Wait {
        let latest_ns = match now_ns < self.ledger.end_ns() {
            true => tick_ends_ns,
            false => tick_ends_ns.min(now_ns + AWAITED_LOOK_NS),
        };
        self.arrivals.wait(pool, now_ns, latest_ns)
    }

    fn spins(&self) -> bool {
        self.arrivals.spins()
    }

    fn is_done<B: Backend, C: Protocol>(&self, _pool: &Pool<B, C>, now_ns: u64) -> bool {
        self.has_sent_all && self.ledger.is_over(now_ns)
    }

    fn queued(&self) -> u64 {
        self.arrivals.queued()
    }

    fn end_ns(&self) -> Option<u64> {
        self.arrivals.end_ns()
    }

    fn finish(&mut self, now_ns: u64) {
        self.arrivals.finish(now_ns);
    }
}
