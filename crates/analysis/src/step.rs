//! One step: its ticks cut into windows, and the windows judged.

pub(crate) mod collecting;
mod held;
mod observed;
mod seen;
mod summary;
mod unjudged;
mod verdict;

use crate::judge::{Tally, higher_is_worse};
use crate::lateness::Watch;
use crate::neighbours::Neighbours;
use crate::percentiles::Gathered;
use crate::rules::Rules;
use crate::service::Service;
use crate::step_summary::AgentSummary;
use crate::window::{HeldWindow, Used, Window};
use collecting::Collecting;
use held::HeldStep;
use plimsoll_measure::{
    Counters, Histogram, InstancesSample, LoopDelays, NeighbourSample, ShardLoad, StepEnd, StepStart, TargetSample,
    TickDurations, TickLine, Timing,
};
use plimsoll_plan::{Limit, Objective};
use seen::Seen;

/// Delays of the event loop of one length that a tick may have.
const DELAYS_MAX: u32 = 1 << 20;

/// A step while its records come in. Its memory does not depend on its length.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    start: StepStart,
    /// When its load began: where a fleet makes it, later than the step. `None` before the first tick.
    load_begins_ns: Option<u64>,
    ended: Option<StepEnd>,
    end_ns: u64,
    window: Option<OpenWindow>,
    tallies: Vec<Tally>,
    watch: Watch,
    /// Everything from start to end.
    all: Counters,
    /// Events of the judged windows.
    judged: Counters,
    /// The same and the drain: every outcome of what the judged windows sent.
    outcomes: Counters,
    judged_ns: u64,
    judged_windows: u32,
    /// Responses slower than the response-time objectives allow.
    slow: u64,
    response_time: Gathered,
    service_time: Gathered,
    schedule_lag: Gathered,
    handshake_time: Gathered,
    opening_time: Gathered,
    message_time: Gathered,
    journey_time: Gathered,
    waiting_time: Gathered,
    /// Connections that it holds; `None` where it holds none.
    held: Option<HeldStep>,
    /// Each request of the scenario, by its place; empty where there is only one.
    requests: Vec<RequestStep>,
    service: Service,
    /// Delays of the event loop since the last tick, and in the judged windows.
    told_loop_delays: Histogram,
    loop_delays: Histogram,
    neighbours: Neighbours,
    /// Requests that completed in the last tick; `None` where what was used in it is not judged.
    last_judged: Option<u64>,
    outstanding: u64,
    generator_cpu_ns: u64,
    shards: u32,
    agents: Vec<AgentSummary>,
    /// What each agent of a fleet saw, by its place; empty where one machine makes the load.
    seen: Vec<Seen>,
    /// The zones that objectives are about, by their places among these.
    zones: Vec<Seen>,
    /// What came before was judged, and nothing since.
    unjudged_from_here: bool,
    pub(crate) collecting: Collecting,
}

/// One request of the scenario over the judged windows and the drain.
#[derive(Debug, Clone, Default)]
struct RequestStep {
    /// Responses that came in the judged windows.
    judged_completed: u64,
    /// Users who came to the end of their journey in the judged windows.
    judged_users: u64,
    outcomes: Counters,
    response_time: Gathered,
    service_time: Gathered,
    journey_time: Gathered,
    waiting_time: Gathered,
}

/// What the service used in a tick.
pub(crate) struct TickUse {
    pub(crate) used: Used,
    pub(crate) judged: bool,
}

#[derive(Debug, Clone)]
struct OpenWindow {
    window: Window,
    judged: bool,
}

impl Step {
    pub(crate) fn begin(start: StepStart, rules: &Rules) -> Self {
        Self {
            end_ns: start.at_ns,
            service: Service::since(start.target),
            told_loop_delays: Histogram::default(),
            loop_delays: Histogram::default(),
            held: HeldStep::begin(&start, rules.held.as_ref()),
            start,
            load_begins_ns: None,
            ended: None,
            window: None,
            tallies: vec![Tally::default(); rules.objectives.len()],
            watch: Watch::default(),
            all: Counters::default(),
            judged: Counters::default(),
            outcomes: Counters::default(),
            judged_ns: 0,
            judged_windows: 0,
            slow: 0,
            response_time: Gathered::default(),
            service_time: Gathered::default(),
            schedule_lag: Gathered::default(),
            handshake_time: Gathered::default(),
            opening_time: Gathered::default(),
            message_time: Gathered::default(),
            journey_time: Gathered::default(),
            waiting_time: Gathered::default(),
            requests: Vec::new(),
            neighbours: Neighbours::named(&rules.neighbours),
            last_judged: None,
            outstanding: 0,
            generator_cpu_ns: 0,
            shards: 0,
            agents: Vec::new(),
            seen: Vec::new(),
            zones: vec![Seen::default(); rules.judged_zones.len()],
            unjudged_from_here: false,
            collecting: Collecting::default(),
        }
    }

    /// Whether none of it is judged.
    pub(crate) fn is_warm_up(&self) -> bool {
        self.start.warms_up
    }

    /// How long the load has been on when a tick or window begins at `start_ns`. It may begin a little early.
    fn since_load_began_ns(&self, start_ns: u64, rules: &Rules) -> u64 {
        start_ns
            .saturating_add(rules.slack_ns())
            .saturating_sub(self.load_begins_ns.unwrap_or(self.start.at_ns))
    }

    /// Whether what was sampled last is from well before the load began: a share of the time since then says too little.
    fn was_idle_before(&self, line: &TickLine, rules: &Rules) -> bool {
        let is_first = self.load_begins_ns.is_none();
        is_first && line.start_ns.saturating_sub(self.start.at_ns) > rules.slack_ns()
    }

    /// Whether a window that begins at `start_ns` counts.
    fn is_judged(&self, start_ns: u64, rules: &Rules) -> bool {
        let is_warm = self.since_load_began_ns(start_ns, rules) >= self.start.warm_up_ns;
        !self.start.warms_up && !self.unjudged_from_here && is_warm
    }

    /// Whether a tick counts: it is judged, and plimsoll itself did not stop the service in it.
    fn counts(&self, line: &TickLine, rules: &Rules) -> bool {
        self.is_judged(line.start_ns, rules) && !self.collecting.disturbs(line)
    }

    /// Whether a tick belongs to the first part, which is not judged.
    pub(crate) fn is_warming_up(&self, line: &TickLine, rules: &Rules) -> bool {
        !self.unjudged_from_here && !self.is_judged(line.start_ns, rules)
    }

    /// The service is disturbed from here on: what it does then says nothing of how it is without that.
    pub(crate) fn shock(&mut self, rules: &Rules) {
        self.close_window(rules);
        self.judge_no_more();
    }

    /// No tick that comes from here on is judged.
    pub(crate) const fn judge_no_more(&mut self) {
        self.unjudged_from_here = true;
    }

    /// What all processes of the service used last.
    pub(crate) const fn last_target(&self) -> Option<TargetSample> {
        self.service.last
    }

    /// Takes in a tick; returns what the service used in it and whether it is judged.
    pub(crate) fn tick(
        &mut self,
        line: &TickLine,
        durations: &TickDurations,
        target: Option<TargetSample>,
        rules: &Rules,
    ) -> TickUse {
        let idle_before = self.was_idle_before(line, rules);
        self.load_begins_ns.get_or_insert(line.start_ns);
        self.end_ns = line.end_ns();
        self.all.merge(&line.counters);
        self.shards = self.shards.max(line.generator.shards.len() as u32);
        let before = self.service.last;
        let cpu = target.and_then(|now| self.service.cpu_since_last(now));
        let cpu = cpu.filter(|_| !idle_before);
        let instances = Some(self.service.instances.take()).filter(|_| !idle_before);
        let used = Used {
            cpu,
            rss_bytes: target.map(|now| now.rss_bytes),
            instances: instances.unwrap_or_default(),
            loop_delays: std::mem::take(&mut self.told_loop_delays),
        };
        self.last_judged = None;
        if let Some(held) = self.held.as_mut().filter(|_| !line.draining) {
            held.tick(line);
        }
        if line.draining {
            self.drain(line, durations, rules);
            return TickUse { used, judged: false };
        }
        self.roll_window(line, rules);
        let judged = self.window.as_ref().is_some_and(|w| w.judged);
        if let Some(open) = &mut self.window {
            open.window.add(line, durations, &rules.judged_zones, &used);
        }
        if judged {
            self.count_judged(line, durations, rules);
            self.service.count(before, target, cpu, line.counters.completed);
            self.service.instances.count(&used.instances);
            self.loop_delays.merge(&used.loop_delays);
            self.last_judged = (!idle_before).then_some(line.counters.completed);
        }
        self.outstanding = line.gauges.outstanding();
        TickUse { used, judged }
    }

    /// Takes in the instances of the service at the start of the step, or at the end of the tick that comes next.
    pub(crate) fn instances(&mut self, seen: &InstancesSample) {
        self.service.instances.see(seen);
    }

    /// Takes in for how long the event loop kept timers waiting, in the tick that comes next.
    pub(crate) fn loop_delays(&mut self, told: &LoopDelays) {
        for (delay_us, count) in &told.delays {
            // No tick has so many timers.
            for _ in 0..*count.min(&DELAYS_MAX) {
                self.told_loop_delays.record(u64::from(*delay_us) * 1000);
            }
        }
    }

    /// Takes in a neighbour at the start of the step, or at the end of the last tick.
    pub(crate) fn neighbour(&mut self, seen: &NeighbourSample) {
        let completed = self.last_judged.unwrap_or_default();
        self.neighbours.see(seen, self.last_judged.is_some(), completed);
    }

    pub(crate) fn end(&mut self, end: StepEnd, rules: &Rules) {
        self.held.iter_mut().for_each(|held| held.end(end.cut_short));
        self.close_window(rules);
        self.end_ns = end.at_ns;
        self.ended = Some(end);
    }

    /// The drain belongs to the last judged window, so that no request escapes judgement.
    fn drain(&mut self, line: &TickLine, durations: &TickDurations, rules: &Rules) {
        let goes_on = !self.unjudged_from_here;
        if let Some(open) = self.window.as_mut().filter(|open| open.judged && goes_on) {
            open.window.add_outcomes(line, durations, &rules.judged_zones);
            self.outcomes.merge(&line.counters);
            self.gather(line, durations, rules);
        }
    }

    fn gather(&mut self, line: &TickLine, durations: &TickDurations, rules: &Rules) {
        let add = |gathered: &mut Gathered, timing| gathered.add(&durations[timing], &line.durations[timing]);
        add(&mut self.response_time, Timing::ResponseTime);
        add(&mut self.service_time, Timing::ServiceTime);
        add(&mut self.schedule_lag, Timing::ScheduleLag);
        add(&mut self.handshake_time, Timing::HandshakeTime);
        add(&mut self.opening_time, Timing::OpeningTime);
        add(&mut self.message_time, Timing::MessageTime);
        add(&mut self.journey_time, Timing::JourneyTime);
        add(&mut self.waiting_time, Timing::WaitingTime);
        self.gather_seen(line, durations, rules);
        let requests = self.requests.len().max(line.requests.len());
        self.requests.resize_with(requests, RequestStep::default);
        for ((mine, line), durations) in self.requests.iter_mut().zip(&line.requests).zip(&durations.requests) {
            mine.outcomes.merge(&line.counters);
            mine.response_time
                .add(&durations[Timing::ResponseTime], &line.durations[Timing::ResponseTime]);
            mine.service_time
                .add(&durations[Timing::ServiceTime], &line.durations[Timing::ServiceTime]);
            mine.journey_time
                .add(&durations[Timing::JourneyTime], &line.durations[Timing::JourneyTime]);
            mine.waiting_time
                .add(&durations[Timing::WaitingTime], &line.durations[Timing::WaitingTime]);
        }
    }

    /// Opens the window that `line` lies in. A tick is a window where both have the same length;
    /// shorter ticks are gathered until a window is full.
    fn roll_window(&mut self, line: &TickLine, rules: &Rules) {
        let full =
            |open: &OpenWindow| open.window.duration_ns.saturating_add(line.duration_ns / 2) >= rules.window_ns();
        let counts = self.counts(line, rules);
        if self
            .window
            .as_ref()
            .is_some_and(|open| full(open) || open.judged != counts)
        {
            self.close_window(rules);
        }
        if self.window.is_none() {
            self.window = Some(OpenWindow {
                window: Window::open(line, self.outstanding),
                judged: counts,
            });
        }
    }

    fn close_window(&mut self, rules: &Rules) {
        (self.tallies, self.watch) = self.judge_up_to_now(rules);
        self.window = None;
        if let Some(held) = &mut self.held {
            held.window_closes(&self.all);
        }
    }

    /// The tallies with the window that is still open.
    fn judge_up_to_now(&self, rules: &Rules) -> (Vec<Tally>, Watch) {
        let (mut tallies, mut watch) = (self.tallies.clone(), self.watch);
        if let Some(OpenWindow { window, judged: true }) = &self.window {
            let rate_so_far = (self.judged.completed, self.judged.scheduled);
            let held = self.held.as_ref().map_or_else(HeldWindow::default, |held| {
                held.window(window, &self.all, self.since_load_began_ns(window.start_ns, rules))
            });
            // What a step that was cut short leaves at its end says nothing of shares of time.
            let long_enough = |objective: &Objective| {
                window.duration_ns.saturating_mul(2) >= rules.window_ns()
                    || !matches!(objective.limit, Limit::Cpu { .. } | Limit::Throttled { .. })
            };
            for (tally, objective) in tallies.iter_mut().zip(&rules.objectives) {
                if long_enough(objective) {
                    let judgement = window.judge(objective.limit, &rules.about(objective), rate_so_far, held);
                    tally.count(judgement, higher_is_worse(objective));
                }
            }
            watch.count(window, rules.bounds);
        }
        for (tally, objective) in tallies.iter_mut().zip(&rules.objectives) {
            tally.observed = self.observed(objective, rules);
            tally.share_of = self.ended_users(objective, rules).map(|(_, ended)| ended);
        }
        (tallies, watch)
    }

    fn count_judged(&mut self, line: &TickLine, durations: &TickDurations, rules: &Rules) {
        self.judged.merge(&line.counters);
        self.outcomes.merge(&line.counters);
        self.judged_ns = self.judged_ns.saturating_add(line.duration_ns);
        self.gather(line, durations, rules);
        for (mine, line) in self.requests.iter_mut().zip(&line.requests) {
            mine.judged_completed = mine.judged_completed.saturating_add(line.counters.completed);
            mine.judged_users = mine.judged_users.saturating_add(line.counters.users.finished);
        }
        let busy_ns = line.generator.shards.iter().map(ShardLoad::busy_ns);
        AgentSummary::add_tick(&mut self.agents, &line.generator.shards);
        self.generator_cpu_ns = busy_ns.fold(self.generator_cpu_ns, u64::saturating_add);
        if let Some(bound) = rules.goodput_bound_ns() {
            let finished = &durations[Timing::ResponseTime];
            self.slow = self
                .slow
                .saturating_add(finished.count().saturating_sub(finished.count_at_or_below(bound)));
        }
        let opened_here = self.window.as_ref().is_some_and(|w| w.window.start_ns == line.start_ns);
        self.judged_windows += u32::from(opened_here);
    }
}
