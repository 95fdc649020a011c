//! A simulated service under one step of load after another.

use crate::model::{Bucket, Cold, Drift, Model, Warms, Work};
use crate::random::{exponential, normal};
use crate::stalls::Stalls;
use plimsoll_measure::{Counters, ErrorClass, ShardLoad, TargetSample, Tick, Timing};
use plimsoll_plan::{Arrivals, OpenLoad, Rate};
use plimsoll_schedule::{AgentShare, Schedule};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;
use std::time::Duration;

/// CPU of the generator per request, ns. It only has to be far from its limit.
const GENERATOR_NS_PER_REQUEST: u64 = 10_000;

/// One step of load in the open model.
#[derive(Debug, Clone, Copy)]
pub struct StepLoad {
    /// Arrivals per second.
    pub rate: Rate,
    /// How they are spread.
    pub arrivals: Arrivals,
    /// How long requests arrive.
    pub duration: Duration,
    /// Length of a tick.
    pub tick: Duration,
    /// From the arrival to the last byte; then the request has failed.
    pub response_timeout: Duration,
}

/// A service in virtual time.
pub struct SimService {
    model: Model,
    rng: ChaCha8Rng,
    stalls: Stalls,
    wandering: Wandering,
    now_ns: u64,
    /// When the worker is done with everything it was given.
    free_ns: u64,
    tokens: Tokens,
    cpu_ns: u64,
    /// Requests that the worker was given.
    taken: u64,
    ticks: Ticks,
}

impl SimService {
    /// Everything random in it follows from `seed`.
    #[must_use]
    pub fn new(model: Model, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let stalls = Stalls::new(&model, ChaCha8Rng::seed_from_u64(rng.random()));
        Self {
            model,
            rng,
            stalls,
            wandering: Wandering::default(),
            now_ns: 0,
            free_ns: 0,
            tokens: Tokens::default(),
            cpu_ns: 0,
            taken: 0,
            ticks: Ticks::default(),
        }
    }

    /// The virtual time, since the beginning of the run, ns.
    #[must_use]
    pub fn now_ns(&self) -> u64 {
        self.now_ns
    }

    /// The service as the operating system would show it now.
    #[must_use]
    pub fn sample(&self) -> TargetSample {
        TargetSample {
            at_ns: self.now_ns,
            cpu_ns: self.cpu_ns,
            cores: 1,
            rss_bytes: 64 << 20,
            processes: 1,
            threads: 11,
            sockets: 16,
            ..TargetSample::default()
        }
    }

    /// Loads it with one step and drains it. `on_tick` gets every tick and the sample at its end;
    /// when it returns false no request arrives any more. Returns whether the step was cut short.
    pub fn step(&mut self, load: &StepLoad, mut on_tick: impl FnMut(&Tick, TargetSample) -> bool) -> bool {
        let tick_ns = load.tick.as_nanos() as u64;
        let start_ns = self.now_ns;
        let planned = (load.duration.as_nanos() as u64).div_ceil(tick_ns);
        let whole = OpenLoad::constant(load.rate, load.duration, load.arrivals);
        let mut starts = Schedule::new(&whole, self.rng.random(), AgentShare::WHOLE).peekable();
        self.ticks.begin(start_ns, tick_ns);
        let mut in_flight = 0;
        let mut goes_on = true;
        let mut index: u64 = 0;
        while (index < planned && goes_on) || in_flight > 0 {
            let draining = index >= planned || !goes_on;
            let end_ns = (index + 1) * tick_ns;
            let mut scheduled = 0;
            while let Some(start) = starts.next_if(|start| !draining && start.at_ns < end_ns) {
                self.arrive(start_ns + start.at_ns, load);
                scheduled += 1;
            }
            let (mut tick, busy_ns) = self.ticks.take();
            let finished = tick.counters.finished();
            in_flight = in_flight + scheduled - finished;
            tick.index = index as u32;
            tick.draining = draining;
            tick.counters.scheduled = scheduled;
            tick.counters.sent = scheduled;
            tick.gauges.in_flight = in_flight;
            tick.generator.shards = vec![ShardLoad {
                cpu_ns: scheduled * GENERATOR_NS_PER_REQUEST,
                elapsed_ns: tick_ns,
                wake_lag_p99_ns: 60_000,
                ..ShardLoad::default()
            }];
            let noise = normal(&mut self.rng, self.model.cpu_noise) * tick_ns as f64;
            self.cpu_ns += (busy_ns as f64 + noise).max(0.0) as u64;
            self.now_ns = start_ns + end_ns;
            let wanted = on_tick(&tick, self.sample());
            goes_on = goes_on && (wanted || draining);
            self.ticks.give_back(tick);
            index += 1;
        }
        index < planned || !goes_on
    }

    fn arrive(&mut self, at_ns: u64, load: &StepLoad) {
        if let Some(bucket) = self.model.bucket
            && !self.tokens.take(bucket, at_ns)
        {
            self.ticks.finish(at_ns, at_ns + 100_000, Some(ErrorClass::Status));
            return;
        }
        let work_ns = match self.model.work {
            Work::Fixed(work) => work.as_nanos() as u64,
            Work::Exponential(mean) => exponential(&mut self.rng, mean.as_nanos() as f64) as u64,
        };
        let wakeup_ns = if self.free_ns < at_ns {
            self.model.wakeup.as_nanos() as u64
        } else {
            0
        };
        let dearness = match self.model.drift {
            Some(drift) => self.wandering.dearness(drift, at_ns, &mut self.rng),
            None => 1.0,
        } * self.coldness(at_ns);
        self.taken += 1;
        let done_ns = self.work(at_ns, ((work_ns + wakeup_ns) as f64 * dearness) as u64);
        let timeout_ns = load.response_timeout.as_nanos() as u64;
        if done_ns - at_ns > timeout_ns {
            let error = Some(ErrorClass::ResponseTimeout);
            self.ticks.finish(at_ns, at_ns + timeout_ns, error);
        } else {
            let error = self.fails(load.rate).then_some(ErrorClass::Status);
            self.ticks.finish(at_ns, done_ns, error);
        }
    }

    /// Factor on the cost of work that comes in at this moment and begins when the worker is free.
    fn coldness(&self, at_ns: u64) -> f64 {
        let Some(Cold { factor, warms }) = self.model.cold else {
            return 1.0;
        };
        let warmth = match warms {
            Warms::Over(time) => self.free_ns.max(at_ns) as f64 / time.as_nanos() as f64,
            Warms::After(requests) => self.taken as f64 / requests,
        };
        1.0 + (factor - 1.0) * (-warmth).exp()
    }

    /// Keeps the worker busy for `work_ns` from when it is free; returns when it is done.
    fn work(&mut self, at_ns: u64, work_ns: u64) -> u64 {
        let mut at = self.free_ns.max(at_ns);
        let mut left = work_ns;
        while let Some((stall_start, stall_end)) = self.stalls.next(at) {
            let until_stall = stall_start.saturating_sub(at);
            if left <= until_stall {
                break;
            }
            self.ticks.busy(at, at + until_stall);
            left -= until_stall;
            at = stall_end;
        }
        self.ticks.busy(at, at + left);
        self.free_ns = at + left;
        self.free_ns
    }

    fn fails(&mut self, offered: Rate) -> bool {
        let share = self.model.onset.map_or(0.0, |onset| {
            onset.slope * (offered.as_f64_per_s() - onset.rate_per_s) / onset.rate_per_s
        });
        share > 0.0 && self.rng.random::<f64>() < share
    }
}

/// Where the cost of work has wandered to.
#[derive(Default)]
struct Wandering {
    /// In standard deviations; `None` before the first look.
    at: Option<f64>,
    seen_ns: u64,
}

impl Wandering {
    /// Factor on the cost of work at this moment. Between two looks the process is exact, however
    /// long: Gillespie, "Exact numerical simulation of the Ornstein-Uhlenbeck process and its
    /// integral", Physical Review E 54, 1996.
    fn dearness(&mut self, drift: Drift, at_ns: u64, rng: &mut ChaCha8Rng) -> f64 {
        let kept = match self.at {
            Some(_) => (-((at_ns - self.seen_ns) as f64) / drift.over.as_nanos() as f64).exp(),
            None => 0.0,
        };
        let at = self.at.unwrap_or(0.0) * kept + normal(rng, (1.0 - kept * kept).sqrt());
        (self.at, self.seen_ns) = (Some(at), at_ns);
        (at * drift.deviation).exp()
    }
}

/// What a token bucket holds.
#[derive(Default)]
struct Tokens {
    held: f64,
    at_ns: u64,
}

impl Tokens {
    fn take(&mut self, bucket: Bucket, at_ns: u64) -> bool {
        let refill = (at_ns - self.at_ns) as f64 / 1e9 * bucket.rate_per_s;
        self.held = (self.held + refill).min(bucket.burst);
        self.at_ns = at_ns;
        let granted = self.held >= 1.0;
        if granted {
            self.held -= 1.0;
        }
        granted
    }
}

/// The ticks from now on into which outcomes fall; used again, since histograms are large.
#[derive(Default)]
struct Ticks {
    open: VecDeque<Tick>,
    /// CPU of the worker in each, ns. Requests that timed out keep it busy past the last outcome.
    busy_ns: VecDeque<u64>,
    spare: Vec<Tick>,
    tick_ns: u64,
    next_start_ns: u64,
}

impl Ticks {
    fn begin(&mut self, start_ns: u64, tick_ns: u64) {
        if self.tick_ns != tick_ns {
            self.busy_ns.clear();
        }
        self.tick_ns = tick_ns;
        self.next_start_ns = start_ns;
    }

    fn index(&self, at_ns: u64) -> usize {
        ((at_ns - self.next_start_ns) / self.tick_ns) as usize
    }

    fn at(&mut self, at_ns: u64) -> &mut Tick {
        let index = self.index(at_ns);
        while self.open.len() <= index {
            let mut tick = self.spare.pop().unwrap_or_default();
            tick.start_ns = self.next_start_ns + self.open.len() as u64 * self.tick_ns;
            tick.duration_ns = self.tick_ns;
            self.open.push_back(tick);
        }
        &mut self.open[index]
    }

    fn finish(&mut self, arrived_ns: u64, at_ns: u64, error: Option<ErrorClass>) {
        let tick = self.at(at_ns);
        tick.durations[Timing::ResponseTime].record(at_ns - arrived_ns);
        tick.durations[Timing::ServiceTime].record(at_ns - arrived_ns);
        tick.durations[Timing::ScheduleLag].record(60_000);
        match error {
            Some(class) => tick.counters.errors.add(class, 1),
            None => tick.counters.passed += 1,
        }
        if error != Some(ErrorClass::ResponseTimeout) {
            tick.counters.completed += 1;
        }
    }

    fn busy(&mut self, from_ns: u64, to_ns: u64) {
        let mut at = from_ns;
        while at < to_ns {
            let index = self.index(at);
            let border = self.next_start_ns + (index as u64 + 1) * self.tick_ns;
            let end = to_ns.min(border);
            if self.busy_ns.len() <= index {
                self.busy_ns.resize(index + 1, 0);
            }
            self.busy_ns[index] += end - at;
            at = end;
        }
    }

    fn take(&mut self) -> (Tick, u64) {
        self.at(self.next_start_ns);
        self.next_start_ns += self.tick_ns;
        let busy_ns = self.busy_ns.pop_front().unwrap_or(0);
        (self.open.pop_front().unwrap_or_default(), busy_ns)
    }

    fn give_back(&mut self, mut tick: Tick) {
        tick.durations.clear();
        tick.counters = Counters::default();
        self.spare.push(tick);
    }
}
