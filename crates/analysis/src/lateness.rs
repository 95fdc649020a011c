//! Whether the generator kept up. When it did not, a step is invalid and says nothing of the service.

use crate::wake_lag::{LATER, WakeLag};
use crate::window::{Window, own_errors};
use plimsoll_findings::{Late, Windows};
use plimsoll_plan::{Journey, Limit, Load, Objective, Park, Plan, SearchUnit};
use std::time::Duration;

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
/// The bound where the plan has no objective for a time that counts from when something is due.
const DEFAULT_LAG_NS: u64 = 10_000_000;

/// The bounds that the generator must keep, fixed for a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// By the places of [`LATER`]; none where nobody asks for it.
    wake_lag_ns: [Option<u64>; LATER.len()],
}

impl Bounds {
    /// A tenth of the tightest objective for a time that counts from when something is due, at least one millisecond: what the
    /// generator itself adds must be small against what is judged. To the time of a journey each of its requests adds. What an objective about a quantile above p99 judges is the
    /// few latest, so the few latest starts are looked at for it too. None where nothing is due at a moment of its own.
    pub(crate) fn of(plan: &Plan, unit: Option<SearchUnit>) -> Self {
        let bounds = plan.objectives().iter().filter_map(|objective| match objective.limit {
            Limit::ResponseTime { quantile, max } | Limit::MessageTime { quantile, max } => {
                Some((quantile.value(), bound_ns(max, 1)?))
            }
            Limit::JourneyTime { quantile, max } => {
                Some((quantile.value(), bound_ns(max, requests_max(plan, objective))?))
            }
            Limit::Cpu { .. }
            | Limit::Errors { .. }
            | Limit::JourneyFailed { .. }
            | Limit::AchievedRate { .. }
            | Limit::HandshakeTime { .. }
            | Limit::OpeningTime { .. }
            | Limit::Held { .. }
            | Limit::LoopDelay { .. }
            | Limit::Memory { .. }
            | Limit::Throttled { .. } => None,
        });
        let above = |least: f64| bounds.clone().filter(move |(quantile, _)| *quantile > least);
        let tightest = |least| above(least).map(|(_, ns)| ns).min();
        Self {
            wake_lag_ns: match has_due_moments(plan, unit) {
                true => [
                    Some(tightest(0.0).unwrap_or(DEFAULT_LAG_NS)),
                    tightest(0.99),
                    tightest(0.999),
                ],
                false => [None; LATER.len()],
            },
        }
    }
}

/// A tenth of what is judged, for each of so many starts that make it up.
fn bound_ns(judged: Duration, starts: u64) -> Option<u64> {
    let ns = u64::try_from(judged.as_nanos()).ok()?;
    Some((ns / 10 / starts).max(LAG_FLOOR_NS))
}

/// Requests of the longest journey that an objective is about, at least one.
fn requests_max(plan: &Plan, objective: &Objective) -> u64 {
    let journeys = plan.scenario().journeys.iter();
    let of_these = journeys.filter(|journey| objective.request.as_ref().is_none_or(|name| *name == journey.name));
    of_these.map(Journey::requests_max).max().unwrap_or(1).max(1)
}

/// Whether anything starts at a moment of its own: by a schedule or after a pause, and not because something else has ended.
fn has_due_moments(plan: &Plan, unit: Option<SearchUnit>) -> bool {
    match (unit, plan.load()) {
        (Some(SearchUnit::Rate), _) | (None, Load::Open(_)) => true,
        (Some(SearchUnit::Users), _) | (None, Load::Closed(_)) => !plan.cycle().is_zero(),
        (Some(SearchUnit::Connections), _) | (None, Load::Hold(_)) => {
            plan.scenario().repeated().is_some() || pings(plan.load())
        }
    }
}

/// Whether connections that are held send requests at moments of their own.
fn pings(load: &Load) -> bool {
    matches!(load, Load::Hold(hold) if hold.ping.is_some() && hold.park == Park::Nothing)
}

/// What is known of the generator over the judged windows of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Watch {
    windows: u32,
    busy: u32,
    /// By the places of [`LATER`].
    lagging: [u32; LATER.len()],
    interrupted: u32,
    throttled: u32,
    late: u32,
    own_errors: u64,
    busy_share_max: f64,
    wake_lag: WakeLag,
}

impl Watch {
    pub(crate) fn count(&mut self, window: &Window, bounds: Bounds) {
        let busy = window.busy_share_max >= BUSY_SHARE_LIMIT;
        let mut lagging = false;
        let lags = window.wake_lag.by_share().into_iter().zip(bounds.wake_lag_ns);
        for ((lag_ns, bound_ns), count) in lags.zip(&mut self.lagging) {
            let late = bound_ns.is_some_and(|bound_ns| lag_ns > bound_ns);
            *count += u32::from(late);
            lagging |= late;
        }
        let interrupted = window.softirq_share_max >= SOFTIRQ_SHARE_LIMIT;
        let throttled = window.throttled_share_max >= THROTTLED_SHARE_LIMIT;
        self.windows += 1;
        self.busy += u32::from(busy);
        self.interrupted += u32::from(interrupted);
        self.throttled += u32::from(throttled);
        self.late += u32::from(busy || lagging || interrupted || throttled);
        self.own_errors = self.own_errors.saturating_add(own_errors(&window.counters));
        self.busy_share_max = self.busy_share_max.max(window.busy_share_max);
        self.wake_lag.merge(window.wake_lag);
    }

    /// Busiest shard in the busiest tick, 0 to 1; `None` when nothing was judged.
    pub(crate) fn busy_share_max(&self) -> Option<f64> {
        (self.windows > 0).then_some(self.busy_share_max)
    }

    /// Worst judged tick of the worst shard; `None` when nothing was judged, and where nothing is due at a moment of its own.
    pub(crate) fn wake_lag(&self, bounds: Bounds) -> Option<WakeLag> {
        (self.windows > 0 && bounds.wake_lag_ns[0].is_some()).then_some(self.wake_lag)
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
        // Where several are as frequent the last one is told, and of starts the greatest share of them.
        let woke_late = (0..LATER.len()).rev().filter_map(|place| {
            let cause = Late::WokeLate {
                share: LATER[place],
                bound_ms: bounds.wake_lag_ns[place]? as f64 / 1e6,
                windows: in_windows(self.lagging[place]),
            };
            Some((self.lagging[place], cause))
        });
        let causes = [
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
        let (_, cause) = woke_late.chain(causes).max_by_key(|(windows, _)| *windows)?;
        Some(cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(plan: &str, unit: Option<SearchUnit>, expected_ms: Option<u64>) -> [Option<u64>; LATER.len()] {
        let plan = format!("target: {{ url: 'ws://127.0.0.1:3000/' }}\n{plan}");
        let plan = if plan.contains("send:") {
            plan
        } else {
            plan.replace("ws:", "http:")
        };
        let bounds = Bounds::of(&Plan::parse(&plan, "plan.yaml").expect("a plan"), unit);
        assert_eq!(bounds.wake_lag_ns[0].map(|ns| ns / 1_000_000), expected_ms, "{plan}");
        bounds.wake_lag_ns
    }

    #[test]
    fn the_tightest_objective_for_a_time_from_a_due_moment_bounds_the_lateness() {
        check("objectives: [p99 <= 200ms]", None, Some(20));
        check("objectives: [p99 <= 200ms, p50 <= 40ms]", None, Some(4));
        check("objectives: [p99 <= 2ms]", None, Some(1));
        check("objectives: [errors = 0, cpu <= 80%]", None, Some(10));
    }

    /// 20 requests that are each 20 ms late make a journey 400 ms longer.
    #[test]
    fn an_objective_for_a_journey_is_shared_by_its_requests() {
        let requests = [1, 2, 3, 4]
            .map(|number| format!("request: {{ path: /{number} }}"))
            .join(", ");
        let visit = "{ name: visit, actions: [request: { path: / }] }";
        let journeys = format!("scenario: {{ journeys: [{visit}, {{ name: buy, actions: [{requests}] }}] }}");
        let bound = |objectives: &str, expected_ms| {
            check(
                &format!("objectives: [{objectives}]\n{journeys}"),
                None,
                Some(expected_ms),
            );
        };
        bound("journey p99 <= 2s", 50);
        bound("journey p99(buy) <= 2s", 50);
        bound("journey p99(visit) <= 2s", 200);
        bound("journey p99 <= 2s, p99 <= 300ms", 30);
        bound("journey p99 <= 20ms", 1);
    }

    /// p99.9 is what one start in a thousand makes of it.
    #[test]
    fn an_objective_about_fewer_looks_at_fewer_starts() {
        let ms =
            |objectives, expected_ms| check(objectives, None, Some(expected_ms)).map(|ns| ns.map(|ns| ns / 1_000_000));
        assert_eq!(ms("objectives: [p99 <= 200ms]", 20), [Some(20), None, None]);
        assert_eq!(
            ms("objectives: [p99 <= 200ms, p99.9 <= 1s]", 20),
            [Some(20), Some(100), None]
        );
        assert_eq!(
            ms("objectives: [p99.9 <= 50ms, max <= 1s]", 5),
            [Some(5), Some(5), Some(100)]
        );
        assert_eq!(ms("objectives: [p99.99 <= 50ms]", 5), [Some(5), Some(5), Some(5)]);
    }

    #[test]
    fn only_what_is_due_at_a_moment_of_its_own_can_be_late() {
        let closed = "load: { model: closed, connections: 2, duration: 1s }";
        check(closed, None, None);
        check(&closed.replace("duration", "think_time: 1s, duration"), None, Some(10));
        let users = Some(SearchUnit::Users);
        check(&closed.replace("duration", "think_time: 1s, duration"), users, Some(10));
        check(closed, users, None);
        check(closed, Some(SearchUnit::Rate), Some(10));
        let hold = "load: { model: hold, connections: 2, duration: 9s }";
        check(hold, None, None);
        let idle = hold.replace("duration", "park: nothing, duration");
        check(&idle, None, None);
        // The kernel pings where a request is parked.
        check(&hold.replace("duration", "ping: 5s, duration"), None, None);
        let pings = idle.replace("duration", "ping: 5s, duration");
        check(&pings, None, Some(10));
        check(&pings, Some(SearchUnit::Connections), Some(10));
        let sends = "scenario: { actions: [repeat: { every: 1s, actions: [send: { text: '${message}' }] }] }";
        check(
            &format!("objectives: [message p99 <= 50ms]\n{hold}\n{sends}"),
            None,
            Some(5),
        );
    }
}
