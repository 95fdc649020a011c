//! Runs a capacity search against a simulated service, as the lab does against a real one.

use plimsoll_analysis::{Decision, Fold, Search, SearchResult, SearchStep, StepOutcome};
use plimsoll_measure::{Ended, Host, Record, RunEnd, RunInfo, RunKind, StepEnd, StepStart};
use plimsoll_plan::{
    Arrivals, ClosedLoad, Connections, HoldLoad, Judging, Level, Limit, Load, Objective, OpenLoad, Park, Plan,
    PlanDraft, Rate, Scenario, SearchUnit, Share, Target, Url,
};
use plimsoll_sim::{Model, SimService, StepLoad};
use std::borrow::Cow;
use std::ops::Range;
use std::time::Duration;

/// A simulated service and what is asked of it.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) model: Model,
    pub(crate) arrivals: Arrivals,
    pub(crate) objectives: Vec<Objective>,
    pub(crate) search: plimsoll_plan::Search,
    pub(crate) judging: Judging,
    /// The generator is late above this rate.
    pub(crate) generator_limit_per_s: f64,
    /// What one of the unit of the search asks for.
    pub(crate) each_per_s: f64,
    /// Connections that the service has room for, where the search is in these.
    pub(crate) room: u32,
    /// Pause of users, where the search is in these.
    pub(crate) think_time: Duration,
    /// Steps in which something on the host keeps the generator from its work, whatever the rate.
    pub(crate) disturbed_steps: Range<u32>,
}

/// How a search went.
pub(crate) struct Searched {
    pub(crate) result: SearchResult,
    pub(crate) fold: Fold,
    pub(crate) took: Duration,
}

impl Case {
    pub(crate) fn new(name: &'static str, model: Model, objectives: &[Objective]) -> Self {
        Self {
            name,
            model,
            arrivals: Arrivals::Poisson,
            objectives: objectives.to_vec(),
            search: plimsoll_plan::Search::default(),
            judging: Judging::default(),
            generator_limit_per_s: f64::INFINITY,
            each_per_s: 1.0,
            room: u32::MAX,
            think_time: Duration::ZERO,
            disturbed_steps: 0..0,
        }
    }

    pub(crate) fn plan(&self) -> Plan {
        let load = match self.search.unit {
            SearchUnit::Rate => Load::Open(OpenLoad::constant(
                self.search.start.rate(),
                self.search.step,
                self.arrivals,
            )),
            SearchUnit::Users => Load::Closed(ClosedLoad {
                connections: self.search.start.number(),
                duration: Some(self.search.step),
                requests: None,
                think_time: self.think_time,
                pacing: Duration::ZERO,
                ramp: Duration::ZERO,
                stages: Vec::new(),
            }),
            SearchUnit::Connections => Load::Hold(HoldLoad {
                connections: self.search.start.number(),
                // Its ticks begin with the step, so that all connections are there at once.
                pace: Rate::per_s(1_000_000),
                duration: self.search.step,
                park: Park::Request,
                ping: None,
                ports: Vec::new(),
            }),
        };
        let mut draft = PlanDraft {
            name: self.name.to_owned(),
            target: Target::at(Url::at("127.0.0.1", 3000)),
            objectives: self.objectives.clone(),
            judging: self.judging,
            scenario: Scenario::default(),
            load,
            search: self.search,
            sizing: plimsoll_plan::Sizing::default(),
            fleet: None,
            connections: Connections::default(),
            seed: 1,
        };
        draft.complete_search();
        draft.validate().expect("a valid plan")
    }

    /// A whole search.
    pub(crate) fn search(&self, seed: u64) -> Searched {
        self.search_keeping(seed, None).0
    }

    /// The records of a whole search.
    pub(crate) fn record(&self, seed: u64) -> Vec<Record<'static>> {
        self.search_keeping(seed, Some(Vec::new())).1.unwrap_or_default()
    }

    fn search_keeping(&self, seed: u64, records: Records) -> (Searched, Records) {
        let plan = self.plan();
        let mut bench = Bench::new(&plan, self, seed);
        bench.records = records;
        let search = Search::new(&plan);
        let result = loop {
            match search.decide(bench.fold.history()) {
                Decision::Step(next) => bench.step(&next, &search),
                Decision::Done(result) => break result,
            };
        };
        bench.end();
        let searched = Searched {
            result,
            took: Duration::from_nanos(bench.service.now_ns()),
            fold: bench.fold,
        };
        (searched, bench.records)
    }

    /// Share of windows in which every objective held at `rate`, in the long run.
    pub(crate) fn passing_share(&self, rate: f64, windows: u32, seed: u64) -> f64 {
        let plan = self.plan();
        let mut bench = Bench::new(&plan, self, seed);
        let warm_up = Duration::from_secs(20);
        let next = SearchStep {
            level: Level::from_f64(rate),
            duration: warm_up + self.judging.window * windows,
            warm_up,
            purpose: plimsoll_analysis::Purpose::Confirm,
        };
        let outcome = bench.run_step(&next, |_| false);
        let shares = outcome
            .tallies
            .iter()
            .map(|t| f64::from(t.passed) / f64::from(t.judged));
        shares.fold(1.0, f64::min)
    }
}

type Records = Option<Vec<Record<'static>>>;

struct Bench {
    fold: Fold,
    service: SimService,
    arrivals: Arrivals,
    window: Duration,
    generator_limit_per_s: f64,
    unit: SearchUnit,
    each_per_s: f64,
    room: u32,
    disturbed_steps: Range<u32>,
    steps: u32,
    records: Records,
}

impl Bench {
    fn new(plan: &Plan, case: &Case, seed: u64) -> Self {
        Self {
            fold: Fold::new(plan, &info(), &Host::default()),
            service: SimService::new(case.model, seed),
            arrivals: case.arrivals,
            window: case.judging.window,
            generator_limit_per_s: case.generator_limit_per_s,
            unit: case.search.unit,
            each_per_s: case.each_per_s,
            room: case.room,
            disturbed_steps: case.disturbed_steps.clone(),
            steps: 0,
            records: None,
        }
    }

    fn end(&mut self) {
        let mut sink = Sink {
            fold: &mut self.fold,
            records: &mut self.records,
        };
        sink.push(Record::RunEnd(RunEnd {
            at_ns: self.service.now_ns(),
            ended: Ended::Complete,
        }));
    }

    fn step(&mut self, next: &SearchStep, search: &Search) {
        self.run_step(next, |running| search.should_stop_early(running));
    }

    fn run_step(&mut self, next: &SearchStep, stop: impl Fn(&StepOutcome) -> bool) -> StepOutcome {
        let step = self.steps;
        self.steps += 1;
        let mut sink = Sink {
            fold: &mut self.fold,
            records: &mut self.records,
        };
        sink.push(Record::StepStart(StepStart {
            step,
            at_ns: self.service.now_ns(),
            rate_micro_per_s: (self.unit == SearchUnit::Rate).then(|| next.level.micro()),
            users: (self.unit == SearchUnit::Users).then(|| next.level.number()),
            connections: (self.unit == SearchUnit::Connections).then(|| next.level.number()),
            planned_ns: Some(next.duration.as_nanos() as u64),
            warm_up_ns: next.warm_up.as_nanos() as u64,
            warms_up: false,
            target: Some(self.service.sample()),
        }));
        let rate = Rate::from_f64_per_s(next.level.as_f64() * self.each_per_s);
        let load = StepLoad {
            rate,
            arrivals: self.arrivals,
            duration: match self.unit {
                // Connections are there at once, so that the few µs that are planned for them are none.
                SearchUnit::Connections => Duration::from_secs(next.duration.as_secs()),
                SearchUnit::Rate | SearchUnit::Users => next.duration,
            },
            tick: self.window,
            response_timeout: Duration::from_secs(10),
        };
        let late = rate.as_f64_per_s() > self.generator_limit_per_s || self.disturbed_steps.contains(&step);
        let cut_short = self.service.step(&load, |tick, target| {
            let mut line = tick.line(step, &[]);
            if self.unit == SearchUnit::Connections {
                line.gauges.connections = next.level.number().min(self.room).into();
            }
            if late {
                line.generator.shards[0].wake_lag_p99_ns = 50_000_000;
            }
            sink.push(Record::Tick {
                line,
                durations: Cow::Borrowed(&tick.durations),
                target: Some(target),
            });
            sink.fold.current_step().is_some_and(|running| !stop(&running))
        });
        sink.push(Record::StepEnd(StepEnd {
            step,
            at_ns: self.service.now_ns(),
            cut_short,
        }));
        self.fold.last_step().cloned().expect("a step has just ended")
    }
}

/// Feeds the fold, and keeps the records where they are wanted.
struct Sink<'a> {
    fold: &'a mut Fold,
    records: &'a mut Records,
}

impl Sink<'_> {
    fn push(&mut self, record: Record<'_>) {
        self.fold.push(&record);
        if let Some(records) = self.records {
            records.push(match record {
                Record::Tick {
                    line,
                    durations,
                    target,
                } => Record::Tick {
                    line,
                    durations: Cow::Owned(durations.into_owned()),
                    target,
                },
                Record::StepStart(start) => Record::StepStart(start),
                Record::Machine(sample) => Record::Machine(sample),
                Record::Collection(mark) => Record::Collection(mark),
                Record::Kept(sample) => Record::Kept(sample),
                Record::LoopDelays(told) => Record::LoopDelays(told),
                Record::Instances(sample) => Record::Instances(sample),
                Record::Neighbour(sample) => Record::Neighbour(sample),
                Record::Shock(mark) => Record::Shock(mark),
                Record::StepEnd(end) => Record::StepEnd(end),
                Record::Note(note) => Record::Note(note),
                Record::RunEnd(end) => Record::RunEnd(end),
            });
        }
    }
}

pub(crate) fn info() -> RunInfo {
    RunInfo {
        format: RunInfo::format(),
        kind: RunKind::Capacity,
        started_at: "2025-01-01T00:00:00Z".to_owned(),
        version: "0.1.0".to_owned(),
        quantiles: Vec::new(),
        marks_end: true,
    }
}

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

pub(crate) fn no_errors() -> Objective {
    Limit::Errors { max: Share::percent(0) }.into()
}
