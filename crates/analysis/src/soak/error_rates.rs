//! How often growth is found where there is some, and where there is none: memory of simulated services, second by second.

use super::SoakWatch;
use plimsoll_findings::{TrendOutcome, TrendQuantity};
use plimsoll_measure::{TargetSample, TickLine};
use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

const MB: f64 = 1e6;
const SECOND_NS: u64 = 1_000_000_000;
/// Ten minutes, of which the first is the warm-up.
const TEN_MINUTES: u64 = 600;
const AN_HOUR: u64 = 3_600;

/// Memory between two collections of garbage: it grows, and falls.
struct Teeth {
    height: f64,
    seconds: f64,
    /// How far the present one is, 0 to 1, and how long it takes.
    at: f64,
    takes: f64,
}

impl Teeth {
    fn new(rng: &mut ChaCha8Rng, most_mb: f64, least_s: f64, most_s: f64) -> Self {
        let seconds = rng.random_range(least_s.ln()..most_s.ln()).exp();
        Self {
            height: rng.random_range(1.0..most_mb) * MB,
            seconds,
            at: rng.random_range(0.0..1.0),
            takes: seconds,
        }
    }

    fn next(&mut self, rng: &mut ChaCha8Rng) -> f64 {
        self.at += 1.0 / self.takes;
        if self.at >= 1.0 {
            self.at %= 1.0;
            self.takes = self.seconds * rng.random_range(0.8..1.2);
        }
        self.height * self.at
    }
}

/// What is said of the memory of a service that keeps so much for good in each minute. It fills its heap at first, and has the teeth of
/// two generations: up to 10 MB each 1 to 5 s, and up to 40 MB each 5 to 60 s.
fn judged(seed: u64, seconds: u64, kept_mb_per_min: f64) -> TrendOutcome {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut watch = SoakWatch::default();
    let (young, old) = (
        Teeth::new(&mut rng, 10.0, 1.0, 5.0),
        Teeth::new(&mut rng, 40.0, 5.0, 60.0),
    );
    let mut teeth = [young, old];
    let fills = rng.random_range(0.0..40.0) * MB;
    let fills_in_s = rng.random_range(5.0..20.0);
    for second in 0..seconds {
        let at_s = second as f64;
        let teeth: f64 = teeth.iter_mut().map(|teeth| teeth.next(&mut rng)).sum();
        let filled = fills * (1.0 - (-at_s / fills_in_s).exp());
        let memory = 60.0 * MB + filled + teeth + kept_mb_per_min * MB * at_s / 60.0;
        if second < seconds / 10 {
            continue;
        }
        let line = TickLine {
            start_ns: second * SECOND_NS,
            duration_ns: SECOND_NS,
            ..TickLine::default()
        };
        let sample = TargetSample {
            rss_bytes: memory as u64,
            ..TargetSample::default()
        };
        watch.tick(&line, None, Some(sample), None);
    }
    let trends = watch.finding().trends;
    let memory = trends.iter().find(|trend| trend.quantity == TrendQuantity::MemoryBytes);
    memory.expect("it is looked at").outcome
}

/// Seeds of runs that come to this.
fn seeds(runs: u64, seconds: u64, kept_mb_per_min: f64, outcome: TrendOutcome) -> Vec<u64> {
    let comes_to = |seed: &u64| judged(*seed, seconds, kept_mb_per_min) == outcome;
    (0..runs).filter(comes_to).collect()
}

#[test]
fn healthy_service_is_not_accused_in_a_thousand_runs() {
    let accused = seeds(1_000, TEN_MINUTES, 0.0, TrendOutcome::Grows);
    assert!(accused.is_empty(), "seeds {accused:?}");
}

#[test]
fn leak_of_a_megabyte_a_minute_is_found_in_ten_minutes() {
    let found = seeds(200, TEN_MINUTES, 1.0, TrendOutcome::Grows).len();
    assert!(found >= 180, "found in {found} of 200 runs");
    let missed = seeds(200, TEN_MINUTES, 1.0, TrendOutcome::Steady);
    assert!(missed.is_empty(), "seeds {missed:?}");
}

#[test]
fn healthy_service_is_cleared_in_an_hour() {
    let cleared = seeds(50, AN_HOUR, 0.0, TrendOutcome::Steady).len();
    assert!(cleared >= 45, "cleared in {cleared} of 50 runs");
}
