//! The simulated services do what theory says of them.

use plimsoll_measure::{Counters, ErrorClass, TickDurations, Timing};
use plimsoll_plan::{Arrivals, Rate};
use plimsoll_sim::{Bucket, Model, Pause, SimService, StepLoad};
use std::time::Duration;

const MODEL_SEED: u64 = 7;

struct Seen {
    counters: Counters,
    durations: TickDurations,
    ticks: u32,
    cpu_share: f64,
}

fn load(rate: u32, seconds: u64, arrivals: Arrivals) -> StepLoad {
    StepLoad {
        rate: Rate::per_s(rate),
        arrivals,
        duration: Duration::from_secs(seconds),
        tick: Duration::from_secs(1),
        response_timeout: Duration::from_secs(10),
    }
}

fn run(model: Model, load: &StepLoad) -> Seen {
    let mut service = SimService::new(model, MODEL_SEED);
    let mut seen = Seen {
        counters: Counters::default(),
        durations: TickDurations::default(),
        ticks: 0,
        cpu_share: 0.0,
    };
    service.step(load, |tick, target| {
        seen.counters.merge(&tick.counters);
        seen.durations.merge(&tick.durations);
        seen.ticks += 1;
        if !tick.draining {
            seen.cpu_share = target.cpu_ns as f64 / target.at_ns as f64;
        }
        true
    });
    assert_eq!(
        seen.counters.scheduled,
        seen.counters.finished(),
        "every request has an outcome"
    );
    seen
}

fn assert_near(found: f64, expected: f64, share: f64) {
    assert!(
        (found / expected - 1.0).abs() < share,
        "found {found}, expected {expected}"
    );
}

#[test]
fn mm1_has_exponential_response_times_and_utilisation_lambda_by_mu() {
    // µ = 1,000/s, λ = 800/s: mean 1 / (µ − λ) = 5 ms, 99th percentile ln 100 times as much.
    let seen = run(
        Model::exponential(Duration::from_millis(1)),
        &load(800, 2000, Arrivals::Poisson),
    );
    assert_near(seen.durations[Timing::ResponseTime].mean_ns(), 5e6, 0.03);
    assert_near(
        seen.durations[Timing::ResponseTime].quantile_ns(0.99) as f64,
        5e6 * 100_f64.ln(),
        0.05,
    );
    assert_near(seen.cpu_share, 0.8, 0.01);
}

#[test]
fn md1_waits_half_as_long() {
    // Pollaczek and Khinchine: mean wait ρ / (2µ(1 − ρ)) = 2 ms, and 1 ms of work.
    let seen = run(
        Model::fixed(Duration::from_millis(1)),
        &load(800, 2000, Arrivals::Poisson),
    );
    assert_near(seen.durations[Timing::ResponseTime].mean_ns(), 3e6, 0.03);
}

#[test]
fn dd1_never_waits() {
    let seen = run(Model::fixed(Duration::from_millis(1)), &load(800, 10, Arrivals::Even));
    assert_near(seen.durations[Timing::ResponseTime].max_ns() as f64, 1e6, 0.001);
    assert_eq!((seen.counters.scheduled, seen.ticks), (8000, 10));
}

#[test]
fn overload_times_out_and_is_drained() {
    let seen = run(Model::fixed(Duration::from_millis(1)), &load(2000, 30, Arrivals::Even));
    assert_near(seen.cpu_share, 1.0, 0.001);
    assert!(seen.counters.errors.get(ErrorClass::ResponseTimeout) > 10_000);
    assert_near(seen.durations[Timing::ResponseTime].max_ns() as f64, 1e10, 0.001);
}

#[test]
fn a_bucket_refuses_what_is_beyond_its_rate() {
    let model = Model {
        bucket: Some(Bucket {
            rate_per_s: 900.0,
            burst: 2.0,
        }),
        ..Model::fixed(Duration::from_micros(10))
    };
    let seen = run(model, &load(1000, 100, Arrivals::Even));
    assert_near(seen.counters.errors.get(ErrorClass::Status) as f64, 10_000.0, 0.01);
    assert_eq!(
        run(model, &load(899, 10, Arrivals::Even)).counters.errors.total(),
        1,
        "it begins empty"
    );
}

#[test]
fn a_pause_of_1_s_in_10_shows_as_coordinated_omission_would_hide_it() {
    let model = Model {
        pause: Some(Pause {
            every: Duration::from_secs(10),
            length: Duration::from_secs(1),
        }),
        ..Model::fixed(Duration::from_nanos(1))
    };
    let seen = run(model, &load(1000, 30, Arrivals::Even));
    // A tenth of the requests waits, evenly spread over 0 to 1 s.
    for (quantile, ms) in [(0.95, 500.0), (0.99, 900.0), (0.999, 990.0)] {
        assert_near(
            seen.durations[Timing::ResponseTime].quantile_ns(quantile) as f64 / 1e6,
            ms,
            0.01,
        );
    }
    assert_eq!(seen.durations[Timing::ResponseTime].count(), 30_000);
}

#[test]
fn the_same_seed_makes_the_same_ticks() {
    let model = Model::exponential(Duration::from_millis(1));
    let load = load(700, 20, Arrivals::Poisson);
    let (one, two) = (run(model, &load), run(model, &load));
    assert_eq!((one.counters, one.durations), (two.counters, two.durations));
}
