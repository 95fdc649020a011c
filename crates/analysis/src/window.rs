//! One window: the slice of a step that is judged as a whole.

use crate::about::{About, JudgedZone};
use crate::instances::{InstancesUse, fuller};
use crate::wake_lag::WakeLag;
use plimsoll_measure::{
    Counters, Durations, ErrorClass, Gauges, Histogram, PartLine, ShardLoad, Summary, TickDurations, TickLine, Timing,
};
use plimsoll_plan::Limit;
use std::ops::Range;
use std::time::Duration;

/// CPU that the service used between two samples.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct CpuUse {
    /// CPU time, ns.
    pub(crate) used_ns: u64,
    /// CPU time that the cores it may use, or its quota, had to give, ns.
    pub(crate) available_ns: u64,
    /// For how long the quota kept it from running, ns; `None` without one.
    pub(crate) throttled_ns: Option<u64>,
    /// Time that passed, ns.
    pub(crate) elapsed_ns: u64,
}

impl CpuUse {
    pub(crate) fn merge(&mut self, other: Self) {
        self.used_ns = self.used_ns.saturating_add(other.used_ns);
        self.available_ns = self.available_ns.saturating_add(other.available_ns);
        self.elapsed_ns = self.elapsed_ns.saturating_add(other.elapsed_ns);
        if let Some(throttled_ns) = other.throttled_ns {
            let so_far = self.throttled_ns.get_or_insert_default();
            *so_far = so_far.saturating_add(throttled_ns);
        }
    }

    /// For which share of the time the quota kept it from running; `None` without one.
    fn throttled_share(self) -> Option<f64> {
        let throttled_ns = self.throttled_ns.filter(|_| self.elapsed_ns > 0)?;
        Some(throttled_ns as f64 / self.elapsed_ns as f64)
    }

    /// Busy share, 0 to 1; `None` when too little time passed between samples.
    pub(crate) fn share(self) -> Option<f64> {
        (self.available_ns >= SHARE_MIN_NS).then(|| self.used_ns as f64 / self.available_ns as f64)
    }
}

/// Least CPU time of which a share is taken, ns. A sample is some ms off the border of its tick.
const SHARE_MIN_NS: u64 = 50_000_000;

/// So many in this time, per second.
pub(crate) fn per_s(count: u64, ns: u64) -> f64 {
    if ns == 0 { 0.0 } else { count as f64 * 1e9 / ns as f64 }
}

/// What the service used in a tick.
#[derive(Debug, Clone, Default)]
pub(crate) struct Used {
    /// `None` when it was not sampled.
    pub(crate) cpu: Option<CpuUse>,
    /// Resident memory at its end, bytes.
    pub(crate) rss_bytes: Option<u64>,
    pub(crate) instances: InstancesUse,
    /// For how long its event loop kept timers waiting, where that was told.
    pub(crate) loop_delays: Histogram,
}

/// What happened in one window.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    /// Start since the beginning of the run, ns.
    pub(crate) start_ns: u64,
    /// Length, ns.
    pub(crate) duration_ns: u64,
    /// Events of its ticks.
    pub(crate) counters: Counters,
    /// Requests that were sent or queued when it began.
    pub(crate) outstanding_at_start: u64,
    /// Requests sent or queued at its end.
    pub(crate) gauges: Gauges,
    /// CPU of the service; `None` when it was not sampled.
    pub(crate) cpu: Option<CpuUse>,
    /// Most resident memory of the service, bytes; `None` when it was not sampled.
    pub(crate) rss_max_bytes: Option<u64>,
    /// What each instance of the service used of it.
    instances: InstancesUse,
    /// Busiest shard in the busiest tick, 0 to 1.
    pub(crate) busy_share_max: f64,
    /// Worst tick of the worst shard.
    pub(crate) wake_lag: WakeLag,
    /// Part of the worst tick that the worst core of the generator spent in soft interrupts.
    pub(crate) softirq_share_max: f64,
    /// Part of the worst tick in which a quota of CPU time held threads of the generator back.
    pub(crate) throttled_share_max: f64,
    response_times: Times,
    handshake_times: Times,
    opening_times: Times,
    journey_times: Times,
    message_times: Times,
    loop_delays: Times,
    /// Each request of the scenario, by its place; empty where there is only one.
    requests: Vec<PartWindow>,
    /// Each zone of a fleet that objectives are about, by its place among these.
    zones: Vec<PartWindow>,
}

/// What happened to one request of the scenario in a window, or was seen from one zone.
#[derive(Debug, Clone, Default)]
struct PartWindow {
    counters: Counters,
    response_times: Times,
    journey_times: Times,
}

impl PartWindow {
    fn add(&mut self, line: &PartLine, durations: &Durations) {
        self.counters.merge(&line.counters);
        self.response_times
            .add(&durations[Timing::ResponseTime], &line.durations[Timing::ResponseTime]);
        self.journey_times
            .add(&durations[Timing::JourneyTime], &line.durations[Timing::JourneyTime]);
    }
}

/// Durations of one kind in a window.
#[derive(Debug, Clone, Default)]
struct Times {
    histogram: Histogram,
    /// Of ticks whose histograms are lost: what is left of them.
    kept: Vec<Summary>,
}

impl Window {
    pub(crate) fn open(line: &TickLine, outstanding_at_start: u64) -> Self {
        Self {
            start_ns: line.start_ns,
            duration_ns: 0,
            counters: Counters::default(),
            outstanding_at_start,
            gauges: Gauges::default(),
            cpu: None,
            rss_max_bytes: None,
            instances: InstancesUse::default(),
            busy_share_max: 0.0,
            wake_lag: WakeLag::default(),
            softirq_share_max: 0.0,
            throttled_share_max: 0.0,
            response_times: Times::default(),
            handshake_times: Times::default(),
            opening_times: Times::default(),
            journey_times: Times::default(),
            message_times: Times::default(),
            loop_delays: Times::default(),
            requests: Vec::new(),
            zones: Vec::new(),
        }
    }

    /// Adds a tick that lies in this window.
    pub(crate) fn add(&mut self, line: &TickLine, durations: &TickDurations, zones: &[JudgedZone], used: &Used) {
        self.duration_ns = self.duration_ns.saturating_add(line.duration_ns);
        self.gauges = line.gauges;
        if let Some(cpu) = used.cpu {
            self.cpu.get_or_insert_default().merge(cpu);
        }
        self.rss_max_bytes = self.rss_max_bytes.max(used.rss_bytes);
        self.instances.merge(&used.instances);
        self.loop_delays.histogram.merge(&used.loop_delays);
        let busiest = line.generator.shards.iter().map(ShardLoad::busy_share);
        self.busy_share_max = busiest.fold(self.busy_share_max, f64::max);
        for shard in &line.generator.shards {
            self.wake_lag.merge(WakeLag::of(shard));
        }
        let softirq_share = line.generator.softirq_share_max.unwrap_or(0.0);
        self.softirq_share_max = self.softirq_share_max.max(softirq_share);
        let throttled_share = line.generator.throttled_share.unwrap_or(0.0);
        self.throttled_share_max = self.throttled_share_max.max(throttled_share);
        self.add_outcomes(line, durations, zones);
    }

    /// Adds only the outcomes of a tick: responses that came in while the step drained belong to
    /// requests that this window, the last one, sent.
    pub(crate) fn add_outcomes(&mut self, line: &TickLine, durations: &TickDurations, zones: &[JudgedZone]) {
        self.counters.merge(&line.counters);
        self.response_times
            .add(&durations[Timing::ResponseTime], &line.durations[Timing::ResponseTime]);
        self.handshake_times.add(
            &durations[Timing::HandshakeTime],
            &line.durations[Timing::HandshakeTime],
        );
        self.opening_times
            .add(&durations[Timing::OpeningTime], &line.durations[Timing::OpeningTime]);
        self.journey_times
            .add(&durations[Timing::JourneyTime], &line.durations[Timing::JourneyTime]);
        self.message_times
            .add(&durations[Timing::MessageTime], &line.durations[Timing::MessageTime]);
        let requests = self.requests.len().max(line.requests.len());
        self.requests.resize_with(requests, PartWindow::default);
        for ((mine, line), durations) in self.requests.iter_mut().zip(&line.requests).zip(&durations.requests) {
            mine.add(line, durations);
        }
        self.zones.resize_with(zones.len(), PartWindow::default);
        for (mine, zone) in self.zones.iter_mut().zip(zones) {
            for &agent in &zone.agents {
                if let (Some(line), Some(durations)) = (line.agents.get(agent), durations.agents.get(agent)) {
                    mine.add(line, durations);
                }
            }
        }
    }

    /// Judges one objective, of what it is about. `rate_so_far` is completed
    /// and scheduled since judging began; `held` is what became of the connections that it holds, if any.
    pub(crate) fn judge(&self, limit: Limit, about: &About, rate_so_far: (u64, u64), held: HeldWindow) -> Judgement {
        // Where it is not among them, it has not occurred.
        let absent = PartWindow::default();
        let part = match about {
            About::All => None,
            About::Requests(places) => Some(self.requests.get(places.start).unwrap_or(&absent)),
            About::Zone(place) => Some(self.zones.get(*place).unwrap_or(&absent)),
        };
        let (counters, response_times, journey_times) = match part {
            Some(part) => (&part.counters, &part.response_times, &part.journey_times),
            None => (&self.counters, &self.response_times, &self.journey_times),
        };
        match limit {
            Limit::Cpu { max } => {
                let share = fuller(self.cpu.and_then(CpuUse::share), self.instances.hottest_share());
                Judgement::at_most(share, max.value())
            }
            Limit::LoopDelay { .. } if self.loop_delays.count() == 0 => Judgement::at_most(None, 0.0),
            Limit::LoopDelay { quantile, max } => self.loop_delays.judge(quantile.value(), 0, max),
            Limit::Memory { max } => {
                Judgement::at_most(self.rss_max_bytes.map(|bytes| bytes as f64), max.bytes() as f64)
            }
            Limit::Throttled { max } => Judgement::at_most(self.cpu.and_then(CpuUse::throttled_share), max.value()),
            Limit::ResponseTime { max, .. } if response_times.count() == 0 => {
                self.judge_silence(counters.dropped, part.is_none(), max)
            }
            Limit::ResponseTime { quantile, max } => response_times.judge(quantile.value(), counters.dropped, max),
            Limit::HandshakeTime { .. } if self.handshake_times.count() == 0 => Judgement::at_most(None, 0.0),
            Limit::HandshakeTime { quantile, max } => self.handshake_times.judge(quantile.value(), 0, max),
            Limit::OpeningTime { .. } if self.opening_times.count() == 0 => Judgement::at_most(None, 0.0),
            Limit::OpeningTime { quantile, max } => self.opening_times.judge(quantile.value(), 0, max),
            Limit::JourneyTime { .. } if journey_times.count() == 0 => Judgement::at_most(None, 0.0),
            Limit::JourneyTime { quantile, max } => journey_times.judge(quantile.value(), counters.dropped, max),
            Limit::JourneyFailed { max } => {
                let counters = |place: usize| self.requests.get(place).map(|request| &request.counters);
                let places = match about {
                    About::Requests(places) => Some(places.clone()),
                    About::All | About::Zone(_) => None,
                };
                let (failed, ended) = ended_users(&self.counters, places, counters);
                Judgement::at_most((ended > 0).then(|| failed as f64 / ended as f64), max.value())
            }
            Limit::MessageTime { quantile, max } => {
                let overdue = held.overdue_after(max);
                match self.message_times.count() {
                    0 => Judgement {
                        value: None,
                        passed: (overdue > 0).then_some(false),
                        lost: false,
                    },
                    _ => self.message_times.judge(quantile.value(), overdue, max),
                }
            }
            Limit::Held { min } => Judgement {
                value: held.share,
                passed: held.share.map(|share| share >= min.value()),
                lost: false,
            },
            Limit::Errors { max } => {
                let (errors, finished) = service_errors(counters);
                // Connections that are held without a word have no errors either.
                let silent = held.share.map(|_| 0.0);
                let share = (finished > 0).then(|| errors as f64 / finished as f64).or(silent);
                Judgement::at_most(share, max.value())
            }
            // Responses cross the borders of windows, so one window alone says little about the rate.
            Limit::AchievedRate { min } => {
                let (completed, scheduled) = rate_so_far;
                let share = (scheduled > 0).then(|| completed as f64 / scheduled as f64);
                Judgement {
                    value: share,
                    // One response may always be on its way.
                    passed: share.map(|_| completed.saturating_add(1) as f64 >= min.value() * scheduled as f64),
                    lost: false,
                }
            }
        }
    }

    /// Nothing finished. That breaches the objective where a request was certainly overdue, and
    /// says nothing where none was. Which requests were due is not known of one alone.
    fn judge_silence(&self, dropped: u64, of_all: bool, max: Duration) -> Judgement {
        let waited_for = self.outstanding_at_start > 0 || self.counters.scheduled > 1;
        let overdue = of_all && waited_for && u128::from(self.duration_ns) >= max.as_nanos();
        Judgement {
            value: None,
            passed: (overdue || dropped > 0).then_some(false),
            lost: false,
        }
    }
}

/// What became of the connections that a step holds, in a window.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct HeldWindow {
    /// Connections that were open at its end, as a share of those that are to be held; `None` before all are due.
    pub(crate) share: Option<f64>,
    /// Arrivals of messages that did not come up to its end, although these were accepted before it began.
    pub(crate) overdue: u64,
    /// How long these have been under way at least.
    pub(crate) overdue_for: Duration,
}

impl HeldWindow {
    /// Arrivals that are certainly later than this.
    fn overdue_after(self, max: Duration) -> u64 {
        if self.overdue_for >= max { self.overdue } else { 0 }
    }
}

impl Times {
    fn add(&mut self, histogram: &Histogram, line: &Summary) {
        self.histogram.merge(histogram);
        if histogram.count() == 0 && line.count > 0 {
            self.kept.push(line.clone());
        }
    }

    fn count(&self) -> u64 {
        let kept = self.kept.iter().map(|kept| kept.count);
        kept.fold(self.histogram.count(), u64::saturating_add)
    }

    /// Judges a quantile of them, of which there is at least one.
    fn judge(&self, quantile: f64, dropped: u64, max: Duration) -> Judgement {
        let finished = self.count();
        // A start that was never made counts as slower than everything that finished.
        let quantile = quantile * finished.saturating_add(dropped) as f64 / finished as f64;
        if quantile > 1.0 + 1e-9 {
            return Judgement {
                value: None,
                passed: Some(false),
                lost: false,
            };
        }
        let quantile = quantile.min(1.0);
        let max_ns = max.as_nanos() as f64;
        if self.kept.is_empty() {
            return Judgement::at_most(Some(self.histogram.quantile_ns(quantile) as f64), max_ns);
        }
        // Without its histograms nothing passes. That it broke may be certain.
        let broke = self.least_quantile_ns(quantile) as f64 > max_ns;
        Judgement {
            value: None,
            passed: broke.then_some(false),
            lost: !broke,
        }
    }

    /// The least that the quantile can be, ns. Of a tick that lost its histograms the neighbours that its line keeps are
    /// known, and a quantile of all is at least the least of the parts.
    fn least_quantile_ns(&self, quantile: f64) -> u64 {
        let whole = (self.histogram.count() > 0).then(|| self.histogram.quantile_ns(quantile));
        let kept = self.kept.iter().map(|kept| least_kept_ns(kept, quantile));
        whole.into_iter().chain(kept).min().unwrap_or_default()
    }
}

/// The least that a quantile can be by what a line keeps, ns.
fn least_kept_ns(kept: &Summary, quantile: f64) -> u64 {
    let below = || kept.quantiles_ns.iter().rfind(|(q, _)| *q < quantile);
    kept.quantile_ns(quantile)
        .unwrap_or_else(|| below().map_or(0, |&(_, ns)| ns))
}

/// Failures that are the service's, and the requests among which they happened.
pub(crate) fn service_errors(counters: &Counters) -> (u64, u64) {
    let own: u64 = own_errors(counters);
    let errors = counters.errors.total().saturating_add(charged_races(counters));
    (errors - own, counters.finished() - own)
}

/// Users whose journey ended because a request failed, and all whose journey ended: of the journey whose requests have these places, or of all. `all` is
/// what was counted of all requests, `of` what was of each.
pub(crate) fn ended_users<'a>(
    all: &Counters,
    places: Option<Range<usize>>,
    of: impl Fn(usize) -> Option<&'a Counters>,
) -> (u64, u64) {
    let (failed, finished) = match places {
        None => (all.users.failed, all.users.finished),
        Some(places) => {
            let finished = of(places.start).map_or(0, |first| first.users.finished);
            (
                places.filter_map(of).map(|counters| counters.users.failed).sum(),
                finished,
            )
        }
    };
    (failed, finished.saturating_add(failed))
}

/// One in so many requests may meet a connection that the service is ending before that is the service's failure; see
/// `docs/decisions/0023-keep-alive-races-are-told-apart.md`.
const RACES_FORGIVEN_ONE_IN: u64 = 5;

/// Keep-alive races that count as failures of the service: all or none.
pub(crate) fn charged_races(counters: &Counters) -> u64 {
    let races = counters.races();
    if races > counters.finished() / RACES_FORGIVEN_ONE_IN {
        races
    } else {
        0
    }
}

/// Failures that are the generator's.
pub(crate) fn own_errors(counters: &Counters) -> u64 {
    let own = |class: &ErrorClass| class.is_generators_own();
    ErrorClass::ALL
        .into_iter()
        .filter(own)
        .map(|c| counters.errors.get(c))
        .fold(0, u64::saturating_add)
}

/// One objective in one window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Judgement {
    /// Durations in ns, memory in bytes, everything else as a share.
    pub(crate) value: Option<f64>,
    /// `None` when the window says nothing about the objective.
    pub(crate) passed: Option<bool>,
    /// It would say something, had its histograms not been lost.
    pub(crate) lost: bool,
}

impl Judgement {
    fn at_most(value: Option<f64>, max: f64) -> Self {
        Self {
            value,
            passed: value.map(|v| v <= max),
            lost: false,
        }
    }
}
