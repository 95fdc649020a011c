//! The records that runs against a made-up service leave. They go through the fold of `analysis`, as those of a real run do.

use crate::service::{Service, wobble};
use plimsoll_analysis::{Decision, Fold};
use plimsoll_findings::Findings;
use plimsoll_measure::probe::{KeptMemory, SpaceUse};
use plimsoll_measure::{
    CollectionMark, Ended, GroupSample, Host, InstanceSample, InstancesSample, KeptSample, MachineSample,
    NeighbourSample, Note, NoteKind, Record, RunEnd, RunInfo, RunKind, ShardLoad, Shock, ShockMark, ShockPhase,
    StepEnd, StepStart, TargetSample, Tick, Timing,
};
use plimsoll_plan::{Load as PlanLoad, Plan, SearchUnit};
use std::borrow::Cow;

pub(crate) const SECOND_NS: u64 = 1_000_000_000;
const QUANTILES: [f64; 3] = [0.5, 0.99, 0.999];

/// What a run is of.
pub(crate) struct Subject<'a> {
    pub(crate) kind: RunKind,
    /// Without objectives, which are those that a plan has unless it says otherwise.
    pub(crate) plan: &'a str,
    pub(crate) service: Service,
    /// Whether the process of the service can be seen.
    pub(crate) sampled: bool,
}

/// A run while its records are made.
pub(crate) struct Stream {
    fold: Fold,
    service: Service,
    sampled: bool,
    limited: bool,
    /// What runs beside the service, if anything does.
    neighbour: Option<&'static str>,
    /// It is a cluster with so many workers, of which the first gets the most.
    workers: u32,
    at_ns: u64,
    cpu_ns: u64,
    step: u32,
    index: u32,
    /// What a user asks for, in a search in users.
    each_per_s: Option<f64>,
    /// Varies the CPU of the service from run to run.
    pub(crate) seed: f64,
    /// What the service keeps for good, in a soak, where it is asked for it.
    pub(crate) kept_bytes_per_s: f64,
    soaks: bool,
    /// Descriptors that it does not close.
    pub(crate) opened_per_s: f64,
}

/// One step of a stream.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) rate_per_s: f64,
    /// Whether the rate is constant, and so known of the step.
    pub(crate) constant: bool,
    pub(crate) seconds: u32,
    pub(crate) warm_up_s: u32,
}

pub(crate) fn constant(rate_per_s: f64, seconds: u32, warm_up_s: u32) -> Load {
    Load {
        rate_per_s,
        constant: true,
        seconds,
        warm_up_s,
    }
}

pub(crate) fn plan(text: &str) -> Plan {
    Plan::parse(text, "plan.yaml").expect("a valid plan")
}

pub(crate) fn host() -> Host {
    Host {
        kernel: "Linux 6.1.0".to_owned(),
        cpu_model: "AMD EPYC 7543".to_owned(),
        cores: 4,
        memory_bytes: 16 << 30,
        generator_cpus: vec![1, 2, 3],
        target_cpus: vec![0],
        io: "epoll".to_owned(),
        ..Host::default()
    }
}

/// What each user asks for who pauses much longer than it waits for responses; `None` where users are not searched.
fn each_per_s(plan: &Plan) -> Option<f64> {
    match (plan.search().unit, plan.load()) {
        (SearchUnit::Users, PlanLoad::Closed(closed)) => Some(1.0 / closed.think_time.as_secs_f64()),
        _ => None,
    }
}

impl Stream {
    pub(crate) fn of(subject: &Subject<'_>) -> Self {
        Self::on(subject, &plan(subject.plan), "0.1.0", &host())
    }

    pub(crate) fn on(subject: &Subject<'_>, plan: &Plan, version: &str, host: &Host) -> Self {
        let info = RunInfo {
            format: RunInfo::format(),
            kind: subject.kind,
            started_at: "2026-03-02T09:14:07Z".to_owned(),
            version: version.to_owned(),
            quantiles: QUANTILES.to_vec(),
            marks_end: true,
        };
        Self {
            fold: Fold::new(plan, &info, host),
            service: subject.service,
            sampled: subject.sampled,
            limited: false,
            neighbour: None,
            workers: 0,
            at_ns: 0,
            cpu_ns: 0,
            step: 0,
            index: 0,
            each_per_s: each_per_s(plan),
            seed: 0.0,
            kept_bytes_per_s: 0.0,
            soaks: subject.kind == RunKind::Soak,
            opened_per_s: 0.0,
        }
    }

    /// With half a core and 512 MiB.
    pub(crate) fn limited(self) -> Self {
        Self { limited: true, ..self }
    }

    /// With a neighbour of this name, which is all but full.
    pub(crate) fn beside(self, name: &'static str) -> Self {
        Self {
            neighbour: Some(name),
            ..self
        }
    }

    /// As a cluster of so many workers.
    pub(crate) fn in_cluster(self, workers: u32) -> Self {
        Self { workers, ..self }
    }

    /// What the search of the plan asks for, until it is over or `steps` were run.
    pub(crate) fn search(mut self, steps: u32, change: impl Fn(&mut Tick)) -> Self {
        while let Some(Decision::Step(next)) = self.fold.decide().filter(|_| self.step < steps) {
            let load = Load {
                rate_per_s: next.level.as_f64() * self.each_per_s.unwrap_or(1.0),
                constant: true,
                seconds: next.duration.as_secs() as u32,
                warm_up_s: next.warm_up.as_secs() as u32,
            };
            self = self.step(load, |_, tick| change(tick));
        }
        self
    }

    /// A step; `change` is given the second and its tick.
    pub(crate) fn step(mut self, load: Load, change: impl Fn(u32, &mut Tick)) -> Self {
        self.begin(load);
        let mut seconds = 0;
        while seconds < load.seconds && !self.fold.should_stop_early() {
            self.second(load, seconds, &change);
            seconds += 1;
        }
        self.drain();
        self.end_step(seconds < load.seconds)
    }

    pub(crate) fn begin(&mut self, load: Load) {
        self.index = 0;
        let target = self.sample();
        self.fold.push(&Record::StepStart(StepStart {
            step: self.step,
            at_ns: self.at_ns,
            rate_micro_per_s: (load.constant && self.each_per_s.is_none()).then_some((load.rate_per_s * 1e6) as u64),
            users: self.each_per_s.map(|each| (load.rate_per_s / each).round() as u32),
            connections: None,
            planned_ns: Some(u64::from(load.seconds) * SECOND_NS),
            warm_up_ns: u64::from(load.warm_up_s) * SECOND_NS,
            warms_up: false,
            target,
        }));
        self.push_instances();
        self.push_neighbour();
    }

    /// One second of a load.
    pub(crate) fn second(&mut self, load: Load, second: u32, change: impl Fn(u32, &mut Tick)) {
        let mut tick = self.tick(load, f64::from(second));
        change(second, &mut tick);
        let noise = 1.0 + wobble(f64::from(second) + load.rate_per_s + self.seed, 0.012);
        let busy = self.service.cpu_share(load.rate_per_s) * noise * (1.0 + wobble(self.seed, 0.02));
        self.cpu_ns += (busy.min(0.999) * SECOND_NS as f64) as u64;
        // What the processes of a cluster use is given.
        if self.workers > 0 {
            self.cpu_ns =
                (self.at_ns + SECOND_NS) / 100 * (0..=self.workers).map(|number| hundredths(number) + 3).sum::<u64>();
        }
        self.push(&tick);
    }

    /// Half a second in which nothing is scheduled any more.
    fn drain(&mut self) {
        let tick = Tick {
            draining: true,
            duration_ns: SECOND_NS / 2,
            ..self.empty()
        };
        self.cpu_ns += SECOND_NS / 200;
        self.push(&tick);
    }

    pub(crate) fn end_step(mut self, cut_short: bool) -> Self {
        self.fold.push(&Record::StepEnd(StepEnd {
            step: self.step,
            at_ns: self.at_ns,
            cut_short,
        }));
        self.step += 1;
        self
    }

    pub(crate) fn note(mut self, kind: NoteKind, message: &str, hint: Option<&str>) -> Self {
        self.fold.push(&Record::Note(Note {
            at_ns: self.at_ns,
            kind,
            message: message.to_owned(),
            hint: hint.map(ToOwned::to_owned),
        }));
        self
    }

    pub(crate) fn machine(&mut self, sample: MachineSample) {
        self.fold.push(&Record::Machine(MachineSample {
            at_ns: self.at_ns,
            ..sample
        }));
    }

    /// A shock begins or ends here.
    pub(crate) fn shock(&mut self, phase: ShockPhase, shock: &Shock) {
        self.fold.push(&Record::Shock(ShockMark {
            at_ns: self.at_ns,
            phase,
            shock: shock.clone(),
            steady_ns: 5 * SECOND_NS,
        }));
    }

    /// What it comes to when it ends so.
    pub(crate) fn ended(mut self, ended: Ended) -> Findings {
        self.fold.push(&Record::RunEnd(RunEnd {
            at_ns: self.at_ns,
            ended,
        }));
        self.fold.findings()
    }

    pub(crate) fn complete(self) -> Findings {
        self.ended(Ended::Complete)
    }

    fn empty(&self) -> Tick {
        let mut tick = Tick {
            index: self.index,
            start_ns: self.at_ns,
            duration_ns: SECOND_NS,
            ..Tick::default()
        };
        tick.generator.shards = vec![
            ShardLoad {
                cpu_ns: SECOND_NS / 5,
                elapsed_ns: SECOND_NS,
                wake_lag_p99_ns: 71_000,
                ..ShardLoad::default()
            };
            3
        ];
        tick
    }

    fn tick(&self, load: Load, second: f64) -> Tick {
        let mut tick = self.empty();
        let rate_per_s = load.rate_per_s;
        let noise = 1.0 + wobble(second + rate_per_s + self.seed, 0.2);
        let count = self.service.throughput(rate_per_s) as u64;
        for number in 0..count {
            let quantile = (number as f64 + 0.5) / count as f64;
            let ms = self.service.response_ms(rate_per_s, quantile, second) * noise;
            tick.durations[Timing::ResponseTime].record((ms * 1e6) as u64);
            tick.durations[Timing::ServiceTime].record((ms * 0.97e6) as u64);
            let lag_ms = 0.012 + 0.02 * -(1.0 - quantile).ln();
            tick.durations[Timing::ScheduleLag].record((lag_ms * 1e6) as u64);
        }
        let counters = &mut tick.counters;
        counters.scheduled = rate_per_s as u64;
        counters.sent = rate_per_s as u64;
        counters.completed = count;
        counters.passed = count;
        counters.status = [0, count, 0, 0, 0];
        counters.sent_bytes = count * 318;
        counters.received_bytes = count * 1_612;
        counters.connections_opened = if self.index == 0 && self.step == 0 { 64 } else { 0 };
        tick.gauges.connections = 64;
        tick
    }

    fn push(&mut self, tick: &Tick) {
        self.at_ns += tick.duration_ns;
        self.index += 1;
        let target = self.sample();
        self.push_instances();
        self.push_kept();
        self.fold.push(&Record::Tick {
            line: tick.line(self.step, &QUANTILES),
            durations: Cow::Borrowed(&tick.durations),
            target,
        });
        self.push_neighbour();
    }

    /// It is asked at the end of one tick, and has replied by that of the next one.
    fn push_kept(&mut self) {
        let at_s = self.at_ns / SECOND_NS;
        match at_s % 4 {
            2 if self.soaks && at_s > 4 => {
                self.fold
                    .push(&Record::Collection(CollectionMark { at_ns: self.at_ns }));
            }
            3 if self.soaks && at_s > 4 => {
                let kept_bytes = (self.kept_bytes_per_s * at_s as f64) as u64;
                let space = |name: &str, used_bytes| SpaceUse {
                    name: name.to_owned(),
                    used_bytes,
                };
                self.fold.push(&Record::Kept(KeptSample {
                    at_ns: self.at_ns,
                    asked_ns: self.at_ns - SECOND_NS,
                    threads: 1,
                    processes: 1,
                    memory: KeptMemory {
                        paused_ns: SECOND_NS / 80 + at_s * 10_000,
                        heap_used_bytes: (11 << 20) + at_s % 7 * 1_000 + kept_bytes,
                        heap_committed_bytes: (20 << 20) + kept_bytes,
                        external_bytes: 2 << 20,
                        array_buffers_bytes: 1 << 14,
                        rss_bytes: (71 << 20) + kept_bytes,
                        spaces: vec![
                            space("old_space", (9 << 20) + at_s % 7 * 1_000 + kept_bytes),
                            space("code_space", 2 << 20),
                        ],
                    },
                }));
            }
            _ => {}
        }
    }

    fn push_instances(&mut self) {
        if self.workers == 0 {
            return;
        }
        let process = |number: u32| {
            let busy = hundredths(number);
            InstanceSample {
                pid: 4_700 + number,
                machine: None,
                began: 1_000 + u64::from(number),
                script: Some("server.js".to_owned()),
                leads: number == 0,
                cpu_ns: self.at_ns / 100 * (busy + 3),
                main_ns: self.at_ns / 100 * busy,
                rss_bytes: (50 + u64::from(number)) << 20,
            }
        };
        self.fold.push(&Record::Instances(InstancesSample {
            at_ns: self.at_ns,
            processes: (0..=self.workers).map(process).collect(),
        }));
    }

    fn push_neighbour(&mut self) {
        let sample = TargetSample {
            at_ns: self.at_ns,
            cpu_ns: self.at_ns / 100 * 97,
            cores: 1,
            rss_bytes: 84 << 20,
            processes: 1,
            threads: 5,
            sockets: 21,
            ..TargetSample::default()
        };
        let seen = self.neighbour.map(|name| NeighbourSample {
            name: name.to_owned(),
            shares_cores: false,
            sample,
        });
        if let Some(seen) = seen {
            self.fold.push(&Record::Neighbour(seen));
        }
    }

    fn group(&self) -> Option<GroupSample> {
        self.limited.then_some(GroupSample {
            cpu_millicores: Some(500),
            throttled_ns: Some(self.at_ns / 4),
            memory_bytes: Some(96 << 20),
            memory_limit_bytes: Some(512 << 20),
            oom_kills: 0,
        })
    }

    fn sample(&self) -> Option<TargetSample> {
        let at_s = self.at_ns as f64 / 1e9;
        self.sampled.then(|| TargetSample {
            at_ns: self.at_ns,
            cpu_ns: self.cpu_ns,
            cores: self.workers.max(1),
            rss_bytes: self.service.rss_bytes(at_s) + (self.kept_bytes_per_s * at_s) as u64,
            processes: self.workers + 1,
            threads: 11 * (self.workers + 1),
            sockets: 66,
            descriptors: Some(88 + (self.opened_per_s * at_s) as u32),
            context_switches_voluntary: 0,
            context_switches_involuntary: self.at_ns / 25_000_000,
            group: self.group(),
        })
    }
}

/// How busy the main thread of a process of a cluster is, in hundredths of a core. The first is the primary.
fn hundredths(number: u32) -> u64 {
    match number {
        0 => 4,
        1 => 92,
        _ => 27 + u64::from(number),
    }
}

/// Makes `count` of the requests of a tick fail.
pub(crate) fn fail(tick: &mut Tick, class: plimsoll_measure::ErrorClass, count: u64) {
    let count = count.min(tick.counters.passed);
    tick.counters.errors.add(class, count);
    tick.counters.passed -= count;
}
