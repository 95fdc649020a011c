//! Builds the record stream of a run by hand, second by second.

use plimsoll_analysis::Fold;
use plimsoll_findings::Findings;
use plimsoll_measure::probe::KeptMemory;
use plimsoll_measure::{
    AgentHost, CollectionMark, Ended, GroupSample, Host, InstanceSample, InstancesSample, KeptSample, NeighbourSample,
    Note, NoteKind, Record, RunEnd, RunInfo, RunKind, ShardLoad, Shock, ShockMark, ShockPhase, StepEnd, StepStart,
    TargetSample, Tick, Timing,
};
use plimsoll_plan::{
    Arrivals, Connections, Judging, Limit, Load, Objective, OpenLoad, Plan, PlanDraft, Rate, Scenario, Search, Share,
    Sizing, Target, Url,
};
use std::borrow::Cow;
use std::time::Duration;

pub(crate) const SECOND_NS: u64 = 1_000_000_000;
pub(crate) const QUANTILES: [f64; 3] = [0.5, 0.99, 0.999];

pub(crate) fn cpu(percent: u8) -> Objective {
    Limit::Cpu {
        max: Share::percent(percent),
    }
    .into()
}

pub(crate) fn p99(ms: u64) -> Objective {
    Limit::ResponseTime {
        quantile: Share::percent(99),
        max: Duration::from_millis(ms),
    }
    .into()
}

pub(crate) fn errors(percent: u8) -> Objective {
    Limit::Errors {
        max: Share::percent(percent),
    }
    .into()
}

pub(crate) fn plan(objectives: &[Objective]) -> Plan {
    let rate = Rate::per_s(100);
    let load = OpenLoad::constant(rate, Duration::from_secs(10), Arrivals::Even);
    plan_with(Load::Open(load), objectives)
}

pub(crate) fn plan_with(load: Load, objectives: &[Objective]) -> Plan {
    PlanDraft {
        name: "sample".to_owned(),
        target: Target::at(Url::at("127.0.0.1", 3000)),
        objectives: objectives.to_vec(),
        judging: Judging::default(),
        scenario: Scenario::default(),
        load,
        search: Search::default(),
        sizing: Sizing::default(),
        fleet: None,
        connections: Connections::default(),
        seed: 1,
    }
    .validate()
    .expect("a valid plan")
}

pub(crate) fn info(kind: RunKind) -> RunInfo {
    RunInfo {
        format: RunInfo::format(),
        kind,
        started_at: "2025-01-01T00:00:00Z".to_owned(),
        version: "0.1.0".to_owned(),
        quantiles: QUANTILES.to_vec(),
        marks_end: true,
    }
}

pub(crate) fn first_step(planned_s: Option<u64>, warm_up_s: u64) -> StepStart {
    StepStart {
        step: 0,
        at_ns: 0,
        rate_micro_per_s: Some(100_000_000),
        users: None,
        connections: None,
        planned_ns: planned_s.map(|s| s * SECOND_NS),
        warm_up_ns: warm_up_s * SECOND_NS,
        warms_up: false,
        target: Some(sample(0, 0)),
    }
}

/// A run of one step. Every second is 100 requests of 5 ms unless a closure changes the tick.
pub(crate) struct Run {
    fold: Fold,
    step: u32,
    at_ns: u64,
    index: u32,
    cpu_ns: u64,
    cores: u32,
    processes: u32,
    sampled: bool,
    group: Option<GroupSample>,
    throttled_ns_per_s: u64,
    rss_bytes: u64,
    /// What it keeps, where it is asked for it every five seconds.
    kept_bytes: Option<u64>,
    descriptors: Option<u32>,
    /// What runs beside the service, and in each second the CPU time that it uses and for how long its quota stops it, ns.
    neighbour: Option<(NeighbourSample, u64, u64)>,
    /// Its processes of Node.js, and how busy the main thread of each is.
    instances: Vec<(InstanceSample, f64)>,
}

impl Run {
    pub(crate) fn start(plan: &Plan, kind: RunKind, planned_s: Option<u64>, warm_up_s: u64) -> Self {
        Self::start_with(plan, kind, first_step(planned_s, warm_up_s))
    }

    /// A service with a quota that keeps it from running for so long in each second.
    pub(crate) fn throttled(self, millicores: u32, throttled_ms_per_s: u64) -> Self {
        Self {
            group: Some(GroupSample {
                cpu_millicores: Some(millicores),
                throttled_ns: Some(0),
                ..GroupSample::default()
            }),
            throttled_ns_per_s: throttled_ms_per_s * 1_000_000,
            ..self
        }
    }

    /// It consists of these from here on, each with one thread that is so busy. Those that were there go on.
    pub(crate) fn instances(mut self, all: Vec<(InstanceSample, f64)>) -> Self {
        let before = std::mem::replace(&mut self.instances, all);
        for (mine, _) in &mut self.instances {
            if let Some((known, _)) = before.iter().find(|(known, _)| known.pid == mine.pid) {
                *mine = known.clone();
            }
        }
        if before.is_empty() {
            self.push_instances(0);
        }
        self
    }

    /// It is asked at the end of one tick, and has replied by that of the next one.
    fn push_kept(&mut self) {
        let Some(heap_used_bytes) = self.kept_bytes else { return };
        match self.at_ns / SECOND_NS % 5 {
            0 => self
                .fold
                .push(&Record::Collection(CollectionMark { at_ns: self.at_ns })),
            1 => self.fold.push(&Record::Kept(KeptSample {
                at_ns: self.at_ns,
                asked_ns: self.at_ns - SECOND_NS,
                threads: 1,
                processes: self.processes,
                memory: KeptMemory {
                    paused_ns: SECOND_NS / 50,
                    heap_used_bytes,
                    heap_committed_bytes: heap_used_bytes + (10 << 20),
                    rss_bytes: self.rss_bytes,
                    ..KeptMemory::default()
                },
            })),
            _ => {}
        }
    }

    fn push_instances(&mut self, elapsed_ns: u64) {
        for (mine, busy) in &mut self.instances {
            let used_ns = (*busy * elapsed_ns as f64) as u64;
            mine.cpu_ns += used_ns;
            mine.main_ns += used_ns;
        }
        if !self.instances.is_empty() {
            self.fold.push(&Record::Instances(InstancesSample {
                at_ns: self.at_ns,
                processes: self.instances.iter().map(|(mine, _)| mine.clone()).collect(),
            }));
        }
    }

    /// A neighbour that uses so much of one core.
    pub(crate) fn beside(mut self, name: &str, busy_cores: f64, shares_cores: bool) -> Self {
        let seen = NeighbourSample {
            name: name.to_owned(),
            shares_cores,
            sample: sample(0, 0),
        };
        self.fold.push(&Record::Neighbour(seen.clone()));
        self.neighbour = Some((seen, (busy_cores * SECOND_NS as f64) as u64, 0));
        self
    }

    /// A neighbour with a quota of so many thousandths of a core, which stops it for so much of each second.
    pub(crate) fn beside_within(
        mut self,
        name: &str,
        busy_cores: f64,
        cpu_millicores: u32,
        stopped_ms_per_s: u64,
    ) -> Self {
        let group = GroupSample {
            cpu_millicores: Some(cpu_millicores),
            throttled_ns: Some(0),
            ..GroupSample::default()
        };
        let seen = NeighbourSample {
            name: name.to_owned(),
            shares_cores: false,
            sample: TargetSample {
                group: Some(group),
                ..sample(0, 0)
            },
        };
        self.fold.push(&Record::Neighbour(seen.clone()));
        self.neighbour = Some((
            seen,
            (busy_cores * SECOND_NS as f64) as u64,
            stopped_ms_per_s * 1_000_000,
        ));
        self
    }

    /// A service of which the kernel has ended processes for memory.
    pub(crate) fn killed(self, oom_kills: u64, limit_bytes: u64) -> Self {
        Self {
            group: Some(GroupSample {
                memory_bytes: Some(limit_bytes),
                memory_limit_bytes: Some(limit_bytes),
                oom_kills,
                ..GroupSample::default()
            }),
            ..self
        }
    }

    /// A run whose first step warms the service up, for as long at most.
    pub(crate) fn warm_up(plan: &Plan, at_most_s: u64) -> Self {
        let warm_up = StepStart {
            rate_micro_per_s: None,
            warms_up: true,
            ..first_step(Some(at_most_s), at_most_s)
        };
        Self::start_with(plan, RunKind::Run, warm_up)
    }

    /// A run of one step that these agents make; the zone of one follows an `@`.
    pub(crate) fn of_fleet(plan: &Plan, agents: &[&str]) -> Self {
        let mut run = Self::start(plan, RunKind::Run, Some(10), 0);
        let host = Host {
            agents: agents
                .iter()
                .map(|name| AgentHost {
                    name: name.split('@').next().unwrap_or_default().to_owned(),
                    zone: name.split_once('@').map(|(_, zone)| zone.to_owned()),
                    cores: 4,
                    ..AgentHost::default()
                })
                .collect(),
            ..Host::default()
        };
        run.fold = Fold::new(plan, &info(RunKind::Run), &host);
        run.fold.push(&Record::StepStart(first_step(Some(10), 0)));
        run
    }

    pub(crate) fn start_with(plan: &Plan, kind: RunKind, start: StepStart) -> Self {
        let mut fold = Fold::new(plan, &info(kind), &Host::default());
        fold.push(&Record::StepStart(start));
        Self {
            fold,
            step: 0,
            at_ns: 0,
            index: 0,
            cpu_ns: 0,
            cores: 1,
            processes: 1,
            sampled: true,
            group: None,
            throttled_ns_per_s: 0,
            rss_bytes: 50 << 20,
            kept_bytes: None,
            descriptors: None,
            neighbour: None,
            instances: Vec::new(),
        }
    }

    /// The agents that make its load get ready for so long.
    pub(crate) fn ready_after(mut self, ns: u64) -> Self {
        self.at_ns += ns;
        self
    }

    /// A service of so many processes that may use so many cores.
    pub(crate) fn wide(mut self, processes: u32, cores: u32) -> Self {
        self.processes = processes;
        self.cores = cores;
        self
    }

    /// It has so much memory from here on.
    pub(crate) fn memory(mut self, bytes: u64) -> Self {
        self.rss_bytes = bytes;
        self
    }

    /// It keeps so much from here on, of its memory.
    pub(crate) fn kept(mut self, bytes: u64) -> Self {
        self.kept_bytes = Some(bytes);
        self
    }

    /// It has so many descriptors open from here on.
    pub(crate) fn descriptors(mut self, count: u32) -> Self {
        self.descriptors = Some(count);
        self
    }

    pub(crate) fn not_sampled(mut self) -> Self {
        self.sampled = false;
        self
    }

    /// `count` seconds at 10 % CPU.
    pub(crate) fn seconds(self, count: u32) -> Self {
        self.seconds_with(count, |_, _| {})
    }

    /// `count` seconds changed by `change`, which also gets the CPU of the second in ns.
    pub(crate) fn seconds_with(mut self, count: u32, change: impl Fn(&mut Tick, &mut u64)) -> Self {
        for _ in 0..count {
            let (tick, cpu_ns) = self.next_tick(SECOND_NS, &change);
            self.push(&tick, cpu_ns);
        }
        self
    }

    pub(crate) fn tick_of(mut self, duration_ns: u64, change: impl Fn(&mut Tick, &mut u64)) -> Self {
        let (tick, cpu_ns) = self.next_tick(duration_ns, &change);
        self.push(&tick, cpu_ns);
        self
    }

    /// A shock begins or ends here; the service counts as back after so many seconds.
    pub(crate) fn shock(mut self, phase: ShockPhase, shock: &Shock, steady_s: u64) -> Self {
        self.fold.push(&Record::Shock(ShockMark {
            at_ns: self.at_ns,
            phase,
            shock: shock.clone(),
            steady_ns: steady_s * SECOND_NS,
        }));
        self
    }

    pub(crate) fn note(mut self, kind: NoteKind, message: &str) -> Self {
        self.fold.push(&Record::Note(Note {
            at_ns: self.at_ns,
            kind,
            message: message.to_owned(),
            hint: None,
        }));
        self
    }

    pub(crate) fn is_warm(&self) -> bool {
        self.fold.is_warm()
    }

    /// Ends the step and begins one of so many seconds that is judged.
    pub(crate) fn judged(mut self, cut_short: bool, planned_s: u64) -> Self {
        self.end_step(cut_short);
        self.step += 1;
        self.index = 0;
        self.fold.push(&Record::StepStart(StepStart {
            step: self.step,
            at_ns: self.at_ns,
            rate_micro_per_s: Some(100_000_000),
            users: None,
            connections: None,
            planned_ns: Some(planned_s * SECOND_NS),
            warm_up_ns: 0,
            warms_up: false,
            target: Some(sample(self.at_ns, self.cpu_ns)),
        }));
        self
    }

    fn end_step(&mut self, cut_short: bool) {
        self.fold.push(&Record::StepEnd(StepEnd {
            step: self.step,
            at_ns: self.at_ns,
            cut_short,
        }));
    }

    pub(crate) fn end(self, cut_short: bool) -> Fold {
        self.ended(cut_short, Ended::Complete)
    }

    /// How far it has come when it ends so.
    pub(crate) fn ended(mut self, cut_short: bool, ended: Ended) -> Fold {
        self.end_step(cut_short);
        self.fold.push(&Record::RunEnd(RunEnd {
            at_ns: self.at_ns,
            ended,
        }));
        self.fold
    }

    pub(crate) fn findings(self) -> Findings {
        self.end(false).findings()
    }

    fn next_tick(&self, duration_ns: u64, change: impl Fn(&mut Tick, &mut u64)) -> (Tick, u64) {
        let mut tick = Tick {
            index: self.index,
            start_ns: self.at_ns,
            duration_ns,
            ..Tick::default()
        };
        finish(&mut tick, 100, 5);
        tick.counters.scheduled = 100;
        tick.generator.shards = vec![ShardLoad {
            cpu_ns: duration_ns / 10,
            elapsed_ns: duration_ns,
            wake_lag_p99_ns: 50_000,
            ..ShardLoad::default()
        }];
        let mut cpu_ns = duration_ns / 10;
        change(&mut tick, &mut cpu_ns);
        (tick, cpu_ns)
    }

    fn push(&mut self, tick: &Tick, cpu_ns: u64) {
        self.at_ns += tick.duration_ns;
        self.index += 1;
        self.cpu_ns += cpu_ns;
        if let Some(throttled_ns) = self.group.as_mut().and_then(|group| group.throttled_ns.as_mut()) {
            *throttled_ns += self.throttled_ns_per_s;
        }
        self.push_instances(tick.duration_ns);
        self.push_kept();
        self.fold.push(&Record::Tick {
            line: tick.line(self.step, &QUANTILES),
            durations: Cow::Borrowed(&tick.durations),
            target: self.sampled.then(|| TargetSample {
                cores: self.cores,
                processes: self.processes,
                rss_bytes: self.rss_bytes,
                descriptors: self.descriptors,
                group: self.group,
                ..sample(self.at_ns, self.cpu_ns)
            }),
        });
        if let Some((seen, used_ns, stopped_ns)) = &mut self.neighbour {
            seen.sample.at_ns = self.at_ns;
            seen.sample.cpu_ns += *used_ns;
            if let Some(GroupSample {
                throttled_ns: Some(throttled_ns),
                ..
            }) = &mut seen.sample.group
            {
                *throttled_ns += *stopped_ns;
            }
            self.fold.push(&Record::Neighbour(seen.clone()));
        }
    }
}

/// Replaces what finished in a tick by `count` correct responses of `ms` each.
pub(crate) fn finish(tick: &mut Tick, count: u64, ms: u64) {
    tick.durations.clear();
    for _ in 0..count {
        tick.durations[Timing::ResponseTime].record(ms * 1_000_000);
        tick.durations[Timing::ServiceTime].record(ms * 1_000_000);
        tick.durations[Timing::ScheduleLag].record(20_000);
    }
    tick.counters.sent = count;
    tick.counters.completed = count;
    tick.counters.passed = count;
}

fn sample(at_ns: u64, cpu_ns: u64) -> TargetSample {
    TargetSample {
        at_ns,
        cpu_ns,
        cores: 1,
        rss_bytes: 50 << 20,
        processes: 1,
        threads: 11,
        sockets: 5,
        ..TargetSample::default()
    }
}
