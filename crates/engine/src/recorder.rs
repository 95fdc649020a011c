//! What one shard has seen since the last tick.

use plimsoll_measure::{Counters, Durations, ErrorClass, Gauges, Histogram, ShardLoad, Tick};

/// Counts on the hot path; handed over and replaced once a tick.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) counters: Counters,
    pub(crate) durations: Durations,
    wake_lag: Histogram,
    /// How long the thread, which spins, found nothing to do, ns.
    pub(crate) spun_ns: u64,
}

impl Recorder {
    /// A whole answer came in time.
    #[inline]
    pub(crate) fn answer(&mut self, response_time_ns: u64, service_time_ns: u64, status: u16, expected: bool) {
        self.durations.response_time.record(response_time_ns);
        self.durations.service_time.record(service_time_ns);
        self.completed(status, expected);
    }

    #[inline]
    fn completed(&mut self, status: u16, expected: bool) {
        self.counters.completed += 1;
        self.counters.count_status(status);
        if expected {
            self.counters.passed += 1;
        } else {
            self.counters.errors.add(ErrorClass::Status, 1);
        }
    }

    /// A parked request was answered. How long it was parked says nothing, so it has no response time.
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

    /// A request had no whole answer within `timeout_ns` of its intended start; it counts at its timeout.
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
