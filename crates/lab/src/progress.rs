//! One line about the run, after each tick.

use plimsoll_findings::{HeldProgress, Progress};
use plimsoll_measure::{HeldClients, Histogram, TargetSample, Tick, Timing};
use plimsoll_plan::{Load, Scenario};
use std::time::Duration;

/// How far the whole run may still have to go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Horizon {
    /// When the run as a whole began, ns.
    pub(crate) start_ns: u64,
    /// How long it may take as a whole, if that is known.
    pub(crate) whole: Option<Duration>,
}

impl Horizon {
    fn left(self, at_ns: u64) -> Option<Duration> {
        Some(self.whole?.saturating_sub(Duration::from_nanos(at_ns - self.start_ns)))
    }

    fn done_share(self, at_ns: u64) -> Option<f64> {
        let whole = self.whole?.as_secs_f64();
        (whole > 0.0).then(|| (Duration::from_nanos(at_ns - self.start_ns).as_secs_f64() / whole).min(1.0))
    }
}

/// The step that a tick belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepFrame {
    pub(crate) step: u32,
    pub(crate) start_ns: u64,
    pub(crate) planned: Option<Duration>,
    pub(crate) rate_per_s: Option<f64>,
    /// Whether users make the load.
    pub(crate) users: bool,
    pub(crate) horizon: Horizon,
}

pub(crate) fn progress(
    frame: StepFrame,
    tick: &Tick,
    before: Option<TargetSample>,
    after: Option<TargetSample>,
) -> Progress {
    let end_ns = tick.start_ns + tick.duration_ns;
    let per_s = |count: u64| count as f64 * 1e9 / tick.duration_ns.max(1) as f64;
    let response_time = &tick.durations[Timing::ResponseTime];
    Progress {
        step: frame.step,
        elapsed_s: end_ns.saturating_sub(frame.start_ns) as f64 / 1e9,
        planned_s: frame.planned.map(|planned| planned.as_secs_f64()),
        left_s: frame.horizon.left(end_ns).map(|left| left.as_secs_f64()),
        done_share: frame.horizon.done_share(end_ns),
        rate_per_s: frame.rate_per_s,
        offered_per_s: per_s(tick.counters.scheduled),
        throughput_per_s: per_s(tick.counters.completed),
        journeys_per_s: frame.users.then(|| per_s(tick.counters.users.started)),
        p99_ms: p99_ms(response_time),
        cpu_share: before
            .zip(after)
            .and_then(|(before, after)| after.busy_share_since(&before)),
        errors: tick.counters.errors.total(),
        draining: tick.draining,
        held: None,
    }
}

fn p99_ms(of: &Histogram) -> Option<f64> {
    (of.count() > 0).then(|| of.quantile_ns(0.99) as f64 / 1e6)
}

/// The connections that a load holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    wanted: u64,
    /// How many requests of the scenario are no actions; `None` where none is one.
    usual: Option<usize>,
}

impl Held {
    /// `None` for a load that holds none.
    pub(crate) fn of(load: &Load, scenario: &Scenario) -> Option<Self> {
        match load {
            Load::Hold(hold) => Some(Self {
                wanted: hold.connections.into(),
                usual: scenario.repeated().map(|_| scenario.requests.len()),
            }),
            Load::Open(_) | Load::Closed(_) => None,
        }
    }

    /// `opened` counts from the beginning of the step.
    pub(crate) fn progress(self, tick: &Tick, opened: u64) -> HeldProgress {
        let delivery_time = &tick.durations[Timing::DeliveryTime];
        let HeldClients { live, .. } = HeldClients::of(&tick.counters, &tick.gauges);
        HeldProgress {
            wanted: self.wanted,
            live,
            lost: opened.saturating_sub(live),
            delivery_p99_ms: p99_ms(delivery_time),
            message_p99_ms: p99_ms(&tick.durations[Timing::MessageTime]),
        }
    }

    /// Responses on the connections in a tick, per second.
    pub(crate) fn responses_per_s(self, tick: &Tick) -> f64 {
        let completed = match self.usual {
            None => tick.counters.completed,
            Some(usual) => tick.requests.iter().take(usual).map(|request| request.completed).sum(),
        };
        completed as f64 * 1e9 / tick.duration_ns.max(1) as f64
    }
}
