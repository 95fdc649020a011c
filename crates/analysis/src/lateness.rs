//! Whether the generator kept up. When it did not, a step is invalid and says nothing of the service.

use crate::window::{Window, own_errors};
use plimsoll_findings::{Late, Windows};
use plimsoll_plan::{Limit, Objective};

/// A shard that is busy for this share of a window has no reserve to send on time.
const BUSY_SHARE_LIMIT: f64 = 0.95;
/// A core that spends this part of a window in soft interrupts leaves its thread too little to send on time, however little
/// the thread has to do. On loopback what a request sets off in the kernel is a soft interrupt too, up to 60 % of a full core.
const SOFTIRQ_SHARE_LIMIT: f64 = 0.75;
/// A quota of CPU time that holds threads back for this part of a window stops them for milliseconds at a time, with everything
/// that they were timing.
const THROTTLED_SHARE_LIMIT: f64 = 0.01;
/// Share of the judged windows in which the generator may be late.
const TOLERATED_SHARE: f64 = 0.1;
/// Lateness below this is never held against the generator.
const LAG_FLOOR_NS: u64 = 1_000_000;
/// The bound where the plan has no objective for the response time.
const DEFAULT_LAG_NS: u64 = 10_000_000;

/// The bounds that the generator must keep, fixed for a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    wake_lag_ns: u64,
}

impl Bounds {
    /// A tenth of the tightest response-time objective, at least one millisecond: what the
    /// generator itself adds to a response time must be small against what is judged. In the
    /// closed model no start has a due time, so none can be late.
    pub(crate) fn of(objectives: &[Objective], open_model: bool) -> Self {
        let tightest = objectives.iter().filter_map(|objective| match objective.limit {
            Limit::ResponseTime { max, .. } => u64::try_from(max.as_nanos()).ok(),
            _ => None,
        });
        let tenth = tightest.min().map_or(DEFAULT_LAG_NS, |ns| ns / 10);
        Self {
            wake_lag_ns: if open_model { tenth.max(LAG_FLOOR_NS) } else { u64::MAX },
        }
    }
}

/// What is known of the generator over the judged windows of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Watch {
    windows: u32,
    busy: u32,
    lagging: u32,
    interrupted: u32,
    throttled: u32,
    late: u32,
    own_errors: u64,
    busy_share_max: f64,
    wake_lag_p99_ns: u64,
}

impl Watch {
    pub(crate) fn count(&mut self, window: &Window, bounds: Bounds) {
        let busy = window.busy_share_max >= BUSY_SHARE_LIMIT;
        let lagging = window.wake_lag_p99_ns > bounds.wake_lag_ns;
        let interrupted = window.softirq_share_max >= SOFTIRQ_SHARE_LIMIT;
        let throttled = window.throttled_share_max >= THROTTLED_SHARE_LIMIT;
        self.windows += 1;
        self.busy += u32::from(busy);
        self.lagging += u32::from(lagging);
        self.interrupted += u32::from(interrupted);
        self.throttled += u32::from(throttled);
        self.late += u32::from(busy || lagging || interrupted || throttled);
        self.own_errors = self.own_errors.saturating_add(own_errors(&window.counters));
        self.busy_share_max = self.busy_share_max.max(window.busy_share_max);
        self.wake_lag_p99_ns = self.wake_lag_p99_ns.max(window.wake_lag_p99_ns);
    }

    /// Busiest shard in the busiest tick, 0 to 1; `None` when nothing was judged.
    pub(crate) fn busy_share_max(&self) -> Option<f64> {
        (self.windows > 0).then_some(self.busy_share_max)
    }

    /// Worst judged tick of the worst shard, ns; `None` when nothing was judged, and where no start has a due time.
    pub(crate) fn wake_lag_p99_ns(&self, bounds: Bounds) -> Option<u64> {
        (self.windows > 0 && bounds.wake_lag_ns < u64::MAX).then_some(self.wake_lag_p99_ns)
    }

    /// Why the step is invalid; `None` when the generator kept up.
    pub(crate) fn invalid_because(&self, bounds: Bounds) -> Option<Late> {
        if self.own_errors > 0 {
            return Some(Late::OutOfResources {
                requests: self.own_errors,
            });
        }
        if f64::from(self.late) <= f64::from(self.windows) * TOLERATED_SHARE {
            return None;
        }
        let in_windows = |windows| Windows {
            windows,
            judged: self.windows,
        };
        // Where several are as frequent the last one is told.
        let causes = [
            (
                self.lagging,
                Late::WokeLate {
                    bound_ms: bounds.wake_lag_ns as f64 / 1e6,
                    windows: in_windows(self.lagging),
                },
            ),
            (
                self.busy,
                Late::Busy {
                    share: BUSY_SHARE_LIMIT,
                    windows: in_windows(self.busy),
                },
            ),
            (
                self.interrupted,
                Late::Interrupted {
                    share: SOFTIRQ_SHARE_LIMIT,
                    windows: in_windows(self.interrupted),
                },
            ),
            (
                self.throttled,
                Late::Throttled {
                    share: THROTTLED_SHARE_LIMIT,
                    windows: in_windows(self.throttled),
                },
            ),
        ];
        let (_, cause) = causes.into_iter().max_by_key(|(windows, _)| *windows)?;
        Some(cause)
    }
}
