//! What one shard has seen since the last tick.

use crate::evidence::{Hidden, Seen};
use plimsoll_measure::{Counters, Durations, ErrorClass, Examples, Gauges, Histogram, ShardLoad, Sight, Tick};

/// Counts on the hot path; handed over and replaced once a tick.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) counters: Counters,
    pub(crate) durations: Durations,
    examples: Examples,
    /// Kinds of which an example was handed over.
    shown: Vec<Sight>,
    hidden: Hidden,
    wake_lag: Histogram,
    /// How long the thread, which spins, found nothing to do, ns.
    pub(crate) spun_ns: u64,
}

/// Statuses that send the client elsewhere (RFC 9110, section 15.4).
pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

impl Recorder {
    /// Of a service that may send back what no report may show.
    pub(crate) fn new(hidden: Hidden) -> Self {
        Self {
            hidden,
            ..Self::default()
        }
    }

    /// A whole response came in time.
    #[inline]
    pub(crate) fn response(&mut self, response_time_ns: u64, service_time_ns: u64, status: u16, expected: bool) {
        self.durations.response_time.record(response_time_ns);
        self.durations.service_time.record(service_time_ns);
        self.completed(status, expected);
    }

    #[inline]
    fn completed(&mut self, status: u16, expected: bool) {
        self.counters.completed += 1;
        self.counters.count_status(status);
        self.counters.redirects += u64::from(is_redirect(status));
        if expected {
            self.counters.passed += 1;
        } else {
            self.counters.errors.add(ErrorClass::Status, 1);
        }
    }

    /// A parked request has its response. How long it was parked says nothing, so it has no response time.
    pub(crate) fn delivery(&mut self, delivery_time_ns: Option<u64>, status: u16, expected: bool) {
        if let Some(ns) = delivery_time_ns {
            self.durations.delivery_time.record(ns);
        }
        self.completed(status, expected);
    }

    /// A request was handed to the kernel `lag_ns` after its intended start.
    #[inline]
    pub(crate) fn sent(&mut self, lag_ns: u64, bytes: usize) {
        self.durations.schedule_lag.record(lag_ns);
        self.counters.sent += 1;
        self.counters.sent_bytes += bytes as u64;
    }

    /// The shard noticed a due start `lag_ns` late, whatever the service did.
    #[inline]
    pub(crate) fn woke(&mut self, lag_ns: u64) {
        self.wake_lag.record(lag_ns);
    }

    /// A request had no whole response within `timeout_ns` of its intended start; it counts at its timeout.
    pub(crate) fn timed_out(&mut self, timeout_ns: u64, since_sent_ns: Option<u64>) {
        self.durations.response_time.record(timeout_ns);
        if let Some(ns) = since_sent_ns {
            self.durations.service_time.record(ns);
        }
        self.counters.errors.add(ErrorClass::ResponseTimeout, 1);
    }

    /// A request failed in another way. It has no duration.
    pub(crate) fn failed(&mut self, class: ErrorClass) {
        self.counters.errors.add(class, 1);
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
        let wake_lag_p99_ns = self.wake_lag.quantile_ns(0.99);
        self.wake_lag.clear();
        Tick {
            index: span.index,
            start_ns: span.start_ns,
            duration_ns: span.end_ns - span.start_ns,
            draining: span.draining,
            counters: std::mem::take(&mut self.counters),
            gauges,
            generator: plimsoll_measure::GeneratorLoad {
                shards: vec![ShardLoad {
                    cpu_ns,
                    spun_ns: std::mem::take(&mut self.spun_ns),
                    elapsed_ns: span.end_ns - span.start_ns,
                    wake_lag_p99_ns,
                }],
                ..plimsoll_measure::GeneratorLoad::default()
            },
            durations: std::mem::take(&mut self.durations),
            examples: std::mem::take(&mut self.examples),
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
