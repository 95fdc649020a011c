//! What is known of a step: for the search, and in figures.

use crate::judge::Tally;
use crate::wake_lag::WakeLag;
use plimsoll_findings::{
    Condition, CurvePoint, HoldFinding, Percentiles, SeenFinding, StepFinding, StepVerdict, TargetFinding, Unjudged,
    ZoneFinding,
};
use plimsoll_measure::{AGENTS_MAX, ShardLoad};
use plimsoll_plan::Level;

/// What the capacity search needs to know of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct StepOutcome {
    /// Number of the step, from 0.
    pub step: u32,
    /// What was offered, in the unit of the search.
    pub level: Level,
    /// How it ended, or would if it ended now.
    pub verdict: StepVerdict,
    /// First objective of the plan that did not hold, by its place in the plan.
    pub broke: Option<usize>,
    /// Every objective, in the order of the plan.
    pub tallies: Vec<Tally>,
    /// Windows that the whole step was to be judged by.
    pub windows_planned: u32,
    /// Requests completed per second in the judged part.
    pub throughput_per_s: f64,
    /// CPU per request in the judged part, µs.
    pub cpu_us_per_request: Option<f64>,
    /// Responses that met every expectation, from its beginning to the end of its drain.
    pub requests_passed: u64,
    /// When it began, since the beginning of the run, ns.
    pub start_ns: u64,
    /// When it was drained, or the last tick that was seen, ns.
    pub end_ns: u64,
}

/// A step that is over, without its histograms.
#[derive(Debug, Clone)]
pub(crate) struct StepSummary {
    pub(crate) finding: StepFinding,
    pub(crate) response_time: Percentiles,
    pub(crate) service_time: Percentiles,
    pub(crate) schedule_lag: Percentiles,
    pub(crate) response_time_curve: Vec<CurvePoint>,
    /// All requests together.
    pub(crate) all_requests: RequestSummary,
    /// Each request of the scenario; empty where there is only one.
    pub(crate) requests: Vec<RequestSummary>,
    pub(crate) service: Option<TargetFinding>,
    /// The connections that it held, in a search for them.
    pub(crate) hold: Option<HoldFinding>,
    pub(crate) neighbours: Vec<NeighbourSummary>,
    pub(crate) generator: GeneratorSummary,
    /// Each agent of a fleet, by its place; empty without one.
    pub(crate) agents: Vec<AgentSummary>,
    /// What each of them saw; empty where there is only one.
    pub(crate) seen: Vec<SeenFinding>,
    /// The same of their zones, as far as they are in any.
    pub(crate) zones: Vec<ZoneFinding>,
    /// Objectives that were not judged, and why.
    pub(crate) unjudged: Vec<(Condition, Unjudged)>,
    /// Why nothing at all was judged; `None` when something was.
    pub(crate) nothing_judged: Option<Unjudged>,
    /// A window cannot be judged again, because its histograms are lost.
    pub(crate) is_lost: bool,
    pub(crate) judged_windows: u32,
}

/// A neighbour of the service over the judged part of a step.
#[derive(Debug, Clone)]
pub(crate) struct NeighbourSummary {
    pub(crate) name: String,
    /// It may run on cores of the service.
    pub(crate) shares_cores: bool,
    pub(crate) resources: Option<TargetFinding>,
}

/// Requests of the scenario over the judged part of a step, and the users whose journeys begin with them.
#[derive(Debug, Clone)]
pub(crate) struct RequestSummary {
    pub(crate) rate_per_s: Option<f64>,
    pub(crate) response_time: Percentiles,
    pub(crate) service_time: Percentiles,
    pub(crate) users_per_s: Option<f64>,
    pub(crate) journey_time: Percentiles,
    pub(crate) waiting_time: Percentiles,
}

/// An agent over the judged part of a step.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AgentSummary {
    pub(crate) shards: u32,
    pub(crate) busy_share_max: f64,
    pub(crate) wake_lag_p99_ns: u64,
}

impl AgentSummary {
    /// Takes in one of its shards in a tick.
    fn add(&mut self, shard: &ShardLoad) {
        self.busy_share_max = self.busy_share_max.max(shard.busy_share());
        self.wake_lag_p99_ns = self.wake_lag_p99_ns.max(shard.wake_lag_p99_ns);
    }

    /// Takes in a judged tick of all agents, each at its place.
    pub(crate) fn add_tick(agents: &mut Vec<Self>, shards: &[ShardLoad]) {
        let place = |shard: &ShardLoad| shard.agent.map(usize::from).filter(|place| *place < AGENTS_MAX);
        let Some(last) = shards.iter().filter_map(place).max() else {
            return;
        };
        agents.resize_with(agents.len().max(last + 1), Self::default);
        for shard in shards {
            if let Some(place) = place(shard) {
                agents[place].add(shard);
            }
        }
        for (place, agent) in agents.iter_mut().enumerate() {
            let of_it = shards
                .iter()
                .filter(|shard| shard.agent.map(usize::from) == Some(place));
            agent.shards = agent.shards.max(of_it.count() as u32);
        }
    }
}

/// The generator over the judged part of a step.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GeneratorSummary {
    pub(crate) shards: u32,
    pub(crate) busy_share_max: Option<f64>,
    pub(crate) wake_lag: Option<WakeLag>,
    pub(crate) cpu_us_per_request: Option<f64>,
}
