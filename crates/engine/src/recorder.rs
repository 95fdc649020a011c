//! What one shard has seen since the last tick.

use crate::backend::{Gathers, Handshaken};
use crate::connection::InFlight;
use crate::evidence::{Hidden, Seen};
use crate::hand_over::HandOver;
use crate::redirects::is_redirect;
use plimsoll_measure::{
    Counters, Durations, ErrorClass, Examples, Gauges, GeneratorLoad, Histogram, REQUESTS_APART_MAX, ShardLoad, Sight,
    Tick, TickDurations, Timing, apart,
};
use plimsoll_tls::Handshake;

/// Counts on the hot path; handed over and replaced once a tick.
#[derive(Debug)]
pub(crate) struct Recorder {
    /// What belongs to no request, and what is scheduled.
    pub(crate) counters: Counters,
    schedule_lag: Histogram,
    handshake_time: Histogram,
    opening_time: Histogram,
    ping_lateness: Histogram,
    /// By the place of the request in the scenario; see [`apart`].
    requests: Vec<Request>,
    examples: Examples,
    /// Kinds of which an example was handed over.
    shown: Vec<Sight>,
    hidden: Hidden,
    wake_lag: Histogram,
    /// How long the thread, which spins, found nothing to do, ns.
    pub(crate) spun_ns: u64,
    /// Those that went out, where the backend gathers them.
    pub(crate) starts: HandOver,
    /// Whether [requests follow](Self::requests_follow) responses.
    follow: bool,
}

const _: () = assert!(
    REQUESTS_APART_MAX == plimsoll_plan::REQUESTS_APART_MAX,
    "an objective about a request needs its metrics"
);

/// What became of one request of the scenario.
#[derive(Debug, Default)]
struct Request {
    counters: Counters,
    durations: Durations,
}

impl Recorder {
    /// For so many requests of a scenario, of a service that may send back what no report may show, on a backend that gathers so much.
    pub(crate) fn new(requests: usize, hidden: Hidden, gathers: Gathers) -> Self {
        Self {
            counters: Counters::default(),
            schedule_lag: Histogram::default(),
            handshake_time: Histogram::default(),
            opening_time: Histogram::default(),
            ping_lateness: Histogram::default(),
            requests: (0..requests.clamp(1, REQUESTS_APART_MAX))
                .map(|_| Request::default())
                .collect(),
            examples: Examples::default(),
            shown: Vec::new(),
            hidden,
            wake_lag: Histogram::default(),
            spun_ns: 0,
            starts: HandOver::new(gathers),
            follow: false,
        }
    }

    /// Requests are those of the closed model: what follows a response is due when it goes out, and late is what was due before.
    pub(crate) fn requests_follow(&mut self) {
        self.follow = true;
        self.starts.only_what_was_due_is_late();
    }

    #[inline]
    fn request(&mut self, request: u16) -> &mut Request {
        &mut self.requests[apart(request as usize)]
    }

    /// Response and service time of a request whose response came at `now_ns`.
    #[inline]
    pub(crate) fn times_ns(&self, request: &InFlight, now_ns: u64) -> (u64, u64) {
        let (mut intended_ns, mut sent_ns) = (request.intended_ns, request.sent_ns);
        if self.starts.may_hold_up(sent_ns) {
            sent_ns = self.starts.went_out_ns(sent_ns, now_ns);
            if self.follow && intended_ns == request.sent_ns {
                intended_ns = sent_ns;
            }
        }
        (now_ns.saturating_sub(intended_ns), now_ns.saturating_sub(sent_ns))
    }

    /// A whole response came in time.
    #[inline]
    pub(crate) fn response(&mut self, request: &InFlight, now_ns: u64, status: u16, failure: Option<ErrorClass>) {
        let (response_time_ns, service_time_ns) = self.times_ns(request, now_ns);
        let request = self.request(request.request);
        request.durations[Timing::ResponseTime].record(response_time_ns);
        request.durations[Timing::ServiceTime].record(service_time_ns);
        request.completed(status, failure);
    }

    /// A parked request has its response. How long it was parked says nothing, so it has no response time.
    pub(crate) fn delivery(
        &mut self,
        request: u16,
        delivery_time_ns: Option<u64>,
        status: u16,
        failure: Option<ErrorClass>,
    ) {
        let request = self.request(request);
        if let Some(ns) = delivery_time_ns {
            request.durations[Timing::DeliveryTime].record(ns);
        }
        request.completed(status, failure);
    }

    /// The service has accepted a message that this request of the scenario sends. With that it is delivered, if it has arrived before.
    pub(crate) fn message_accepted(&mut self, request: u16, delivered: bool) {
        let messages = &mut self.request(request).counters.messages;
        messages.accepted += 1;
        messages.delivered += u64::from(delivered);
    }

    /// A message has arrived for the first time, so long after it was to be sent; behind the one before it or not, if one is known.
    pub(crate) fn message(&mut self, request: u16, time_ns: u64, delivered: bool, in_order: Option<bool>) {
        let request = self.request(request);
        request.durations[Timing::MessageTime].record(time_ns);
        let messages = &mut request.counters.messages;
        messages.delivered += u64::from(delivered);
        messages.compared += u64::from(in_order.is_some());
        messages.out_of_order += u64::from(in_order == Some(false));
    }

    /// A message for several connections has arrived at a further one.
    pub(crate) fn message_copy(&mut self, request: u16, time_ns: u64, in_order: Option<bool>) {
        self.message(request, time_ns, false, in_order);
        self.request(request).counters.messages.copies += 1;
    }

    /// A message has arrived that had arrived before.
    pub(crate) fn message_again(&mut self, request: u16) {
        self.request(request).counters.messages.doubled += 1;
    }

    /// A user begins, at a journey with this first request of the scenario; `is_new` of one who is to do what is done once.
    pub(crate) fn user_started(&mut self, first: u16, is_new: bool) {
        let users = &mut self.request(first).counters.users;
        users.started += 1;
        users.new += u64::from(is_new);
    }

    /// There was no row for a user whose journey has this first request of the scenario.
    pub(crate) fn user_without_row(&mut self, first: u16) {
        self.request(first).counters.users.without_row += 1;
    }

    /// A user has come to this request of the scenario, for the first time.
    pub(crate) fn user_reached(&mut self, request: u16) {
        self.request(request).counters.users.reached += 1;
    }

    /// A journey with this first request of the scenario has ended for a user with this one, which failed.
    pub(crate) fn user_failed(&mut self, first: u16, request: u16) {
        self.request(first).counters.users.ended_early += 1;
        self.request(request).counters.users.failed += 1;
    }

    /// A user has come to the end of a journey with this first request of the scenario, so long after the arrival, and
    /// has paused for so long of it.
    pub(crate) fn user_finished(&mut self, first: u16, time_ns: u64, paused_ns: u64) {
        let first = self.request(first);
        first.durations[Timing::JourneyTime].record(time_ns);
        first.durations[Timing::WaitingTime].record(time_ns.saturating_sub(paused_ns));
        first.counters.users.finished += 1;
    }

    /// A request was handed to the backend. Where a redirect led it, it was late or not when it was sent first.
    #[inline]
    pub(crate) fn sent(&mut self, request: &InFlight, bytes: usize) {
        if request.hop.is_none() {
            self.schedule_lag.record(request.lag_ns());
        }
        self.counters.sent_bytes += bytes as u64;
        self.request(request.request).counters.sent += 1;
    }

    /// A message was sent on a connection that is held. Nothing more becomes of it here.
    pub(crate) fn said(&mut self, request: u16) {
        let counters = &mut self.request(request).counters;
        counters.completed += 1;
        counters.passed += 1;
    }

    /// A response was a redirect, which is followed.
    pub(crate) fn followed(&mut self, request: u16) {
        self.request(request).counters.followed += 1;
    }

    /// A TLS session was established.
    pub(crate) fn shook_hands(&mut self, handshaken: Handshaken) {
        self.handshake_time.record(handshaken.took_ns);
        match handshaken.kind {
            Handshake::Full => self.counters.handshakes_full += 1,
            Handshake::Resumed => self.counters.handshakes_resumed += 1,
        }
    }

    /// A connection was opened by a request that is none of the scenario, `took_ns` after this was sent.
    pub(crate) fn opened(&mut self, took_ns: u64) {
        self.opening_time.record(took_ns);
    }

    /// The service pinged, so long after it was to.
    pub(crate) fn pinged(&mut self, late_ns: u64) {
        self.ping_lateness.record(late_ns);
    }

    /// The kernel is given all that was started.
    #[inline]
    pub(crate) fn all_go_out(&mut self, now_ns: u64) {
        if let Some((late, lag_ns)) = self.starts.all_go_out(now_ns) {
            self.late(late, lag_ns);
        }
    }

    /// What holds up starts that have not gone out is known until now.
    pub(crate) fn held_up(&mut self, now_ns: u64) {
        if let Some((late, lag_ns)) = self.starts.held_up(now_ns) {
            self.late(late, lag_ns);
        }
    }

    #[cold]
    fn late(&mut self, starts: u64, lag_ns: u64) {
        (0..starts).for_each(|_| self.wake_lag.record(lag_ns));
    }

    /// The shard noticed a due start `lag_ns` late, whatever the service did.
    #[inline]
    pub(crate) fn woke(&mut self, lag_ns: u64) {
        self.wake_lag.record(lag_ns);
    }

    /// A request had no whole response within `timeout_ns` of its intended start; it counts at its timeout.
    pub(crate) fn timed_out(&mut self, request: u16, timeout_ns: u64, since_sent_ns: Option<u64>) {
        let request = self.request(request);
        request.durations[Timing::ResponseTime].record(timeout_ns);
        if let Some(ns) = since_sent_ns {
            request.durations[Timing::ServiceTime].record(ns);
        }
        request.counters.errors.add(ErrorClass::ResponseTimeout, 1);
    }

    /// A request failed in another way. It has no duration.
    pub(crate) fn failed(&mut self, request: u16, class: ErrorClass) {
        self.request(request).counters.errors.add(class, 1);
    }

    /// A connection failed that no request was on.
    pub(crate) fn connection_failed(&mut self, class: ErrorClass) {
        self.counters.errors.add(class, 1);
    }

    /// A due request found no place to wait.
    pub(crate) fn dropped(&mut self, request: u16) {
        self.request(request).counters.dropped += 1;
    }

    /// A request met a kept connection that the service was ending, and is sent `again` or not.
    pub(crate) fn lost_race(&mut self, request: u16, again: bool) {
        let counters = &mut self.request(request).counters;
        if again {
            counters.repeated += 1;
        } else {
            counters.keep_alive_races += 1;
        }
    }

    /// Whether no example of this kind has been seen.
    pub(crate) fn wants(&self, of: Sight) -> bool {
        !self.shown.contains(&of)
    }

    /// Keeps what was seen, the first of its kind.
    #[cold]
    pub(crate) fn show<'a>(&mut self, of: Sight, at_ns: u64, seen: impl FnOnce() -> Seen<'a>) {
        if self.wants(of) {
            self.shown.push(of);
            self.examples.add(self.hidden.example(of, at_ns, &seen()));
        }
    }

    /// The same of a failure.
    #[cold]
    pub(crate) fn show_failure<'a>(&mut self, class: ErrorClass, at_ns: u64, seen: impl FnOnce() -> Seen<'a>) {
        self.show(Sight::Failure(class), at_ns, seen);
    }

    /// Empties into a tick.
    pub(crate) fn take(&mut self, span: TickSpan, gauges: Gauges, cpu_ns: u64) -> Tick {
        let wake_lag = &self.wake_lag;
        let (p99_ns, p999_ns, max_ns) = (
            wake_lag.quantile_ns(0.99),
            wake_lag.quantile_ns(0.999),
            wake_lag.max_ns(),
        );
        self.wake_lag.clear();
        let mut counters = std::mem::take(&mut self.counters);
        let mut durations = TickDurations::default();
        let mut requests = Vec::new();
        if let [only] = self.requests.as_mut_slice() {
            let only = std::mem::take(only);
            counters.merge(&only.counters);
            durations.all = only.durations;
        } else {
            for request in self.requests.iter_mut().map(std::mem::take) {
                counters.merge(&request.counters);
                durations.all.merge(&request.durations);
                requests.push(request.counters);
                durations.requests.push(request.durations);
            }
        }
        durations[Timing::ScheduleLag] = std::mem::take(&mut self.schedule_lag);
        durations[Timing::HandshakeTime] = std::mem::take(&mut self.handshake_time);
        durations[Timing::OpeningTime] = std::mem::take(&mut self.opening_time);
        durations[Timing::PingLateness] = std::mem::take(&mut self.ping_lateness);
        Tick {
            index: span.index,
            start_ns: span.start_ns,
            duration_ns: span.end_ns - span.start_ns,
            draining: span.draining,
            counters,
            gauges,
            generator: GeneratorLoad {
                shards: vec![ShardLoad {
                    cpu_ns,
                    spun_ns: std::mem::take(&mut self.spun_ns),
                    elapsed_ns: span.end_ns - span.start_ns,
                    wake_lag_p99_ns: p99_ns,
                    wake_lag_p999_ns: p999_ns,
                    wake_lag_max_ns: max_ns,
                    ..ShardLoad::default()
                }],
                ..GeneratorLoad::default()
            },
            durations,
            requests,
            agents: Vec::new(),
            examples: std::mem::take(&mut self.examples),
        }
    }
}

impl Request {
    #[inline]
    fn completed(&mut self, status: u16, failure: Option<ErrorClass>) {
        self.counters.completed += 1;
        self.counters.count_status(status);
        if status >= 300 {
            self.counters.redirects += u64::from(is_redirect(status));
        }
        match failure {
            None => self.counters.passed += 1,
            Some(class) => {
                self.counters.errors.add(class, 1);
                let refuses = class == ErrorClass::Status && matches!(status, 429 | 503);
                self.counters.turned_away += u64::from(refuses);
            }
        }
    }
}

/// When a tick was.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TickSpan {
    pub(crate) index: u32,
    pub(crate) start_ns: u64,
    pub(crate) end_ns: u64,
    pub(crate) draining: bool,
}
