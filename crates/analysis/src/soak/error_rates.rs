//! How often growth is found where there is some, and where there is none: memory of simulated services, second by second.

use super::SoakWatch;
use plimsoll_findings::{TrendOutcome, TrendQuantity};
use plimsoll_measure::probe::KeptMemory;
use plimsoll_measure::{KeptSample, TargetSample, TickLine};
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

/// What becomes of simulated services.
#[derive(Clone, Copy)]
struct Service {
    /// For so long, of which the first tenth is the warm-up.
    seconds: u64,
    /// It keeps so much for good in each minute.
    kept_mb_per_min: f64,
    /// A cache is full after this share of the time, of up to 30 MB.
    cache_is_full_at: Option<f64>,
    /// It is asked what it keeps.
    is_asked: bool,
}

const HEALTHY: Service = Service {
    seconds: TEN_MINUTES,
    kept_mb_per_min: 0.0,
    cache_is_full_at: None,
    is_asked: true,
};
const LEAKS: Service = Service {
    kept_mb_per_min: 1.0,
    ..HEALTHY
};

/// What is said of the memory of a service: of what it keeps, or of resident memory where it is not asked. Resident memory fills at first, and has
/// the teeth of two generations: up to 10 MB each 1 to 5 s, and up to 40 MB each 5 to 60 s. What is kept after a collection settles by up to 4 MB in up
/// to 10 minutes, has a cache that is emptied when it has up to 3 MB, and up to 0.5 MB of requests that are under way.
fn judged(seed: u64, service: Service) -> TrendOutcome {
    let Service { seconds, .. } = service;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut watch = SoakWatch::default();
    let (young, old) = (
        Teeth::new(&mut rng, 10.0, 1.0, 5.0),
        Teeth::new(&mut rng, 40.0, 5.0, 60.0),
    );
    let mut teeth = [young, old];
    let mut emptied = Teeth::new(&mut rng, 3.0, 3.0, 60.0);
    let fills = rng.random_range(0.0..40.0) * MB;
    let fills_in_s = rng.random_range(5.0..20.0);
    let settles = rng.random_range(0.0..4.0) * MB;
    let settles_in_s = rng.random_range(5_f64.ln()..200_f64.ln()).exp();
    let under_way = rng.random_range(0.02_f64.ln()..0.5_f64.ln()).exp() * MB;
    let cache = rng.random_range(1.0..30.0) * MB;
    let judged_from = seconds / 10;
    let every = ((seconds - judged_from - 2) / 24).clamp(4, 300);
    for second in 0..seconds {
        let at_s = second as f64;
        let teeth: f64 = teeth.iter_mut().map(|teeth| teeth.next(&mut rng)).sum();
        let emptied = emptied.next(&mut rng);
        let filled = fills * (1.0 - (-at_s / fills_in_s).exp());
        let cached = service
            .cache_is_full_at
            .map_or(0.0, |full_at| cache * (at_s / (full_at * seconds as f64)).min(1.0));
        let for_good = cached + service.kept_mb_per_min * MB * at_s / 60.0;
        let memory = 60.0 * MB + filled + teeth + for_good;
        if second < judged_from {
            continue;
        }
        let line = TickLine {
            start_ns: second * SECOND_NS,
            duration_ns: SECOND_NS,
            ..TickLine::default()
        };
        let sample = TargetSample {
            rss_bytes: memory as u64,
            processes: 1,
            ..TargetSample::default()
        };
        watch.tick(&line, None, Some(sample), None);
        if service.is_asked && (second - judged_from) % every == 0 {
            let settled = settles * (1.0 - (-at_s / settles_in_s).exp());
            let kept = 10.0 * MB + settled + emptied + under_way * rng.random_range(0.0..2.0) + for_good;
            let sample_of_kept = KeptSample {
                asked_ns: second * SECOND_NS,
                threads: 1,
                processes: 1,
                memory: KeptMemory {
                    heap_used_bytes: kept as u64,
                    heap_committed_bytes: kept as u64,
                    rss_bytes: (kept + 50.0 * MB) as u64,
                    ..KeptMemory::default()
                },
                ..KeptSample::default()
            };
            watch.kept(&sample_of_kept, Some(sample));
        }
    }
    let quantity = match service.is_asked {
        true => TrendQuantity::KeptBytes,
        false => TrendQuantity::MemoryBytes,
    };
    let trends = watch.finding().trends;
    let memory = trends.iter().find(|trend| trend.quantity == quantity);
    memory.expect("it is looked at").outcome
}

/// Seeds of runs that come to this.
fn seeds(runs: u64, service: Service, outcome: TrendOutcome) -> Vec<u64> {
    let comes_to = |seed: &u64| judged(*seed, service) == outcome;
    (0..runs).filter(comes_to).collect()
}

#[test]
fn healthy_service_is_not_accused_in_a_thousand_runs() {
    for seconds in [60, 180, TEN_MINUTES] {
        let accused = seeds(1_000, Service { seconds, ..HEALTHY }, TrendOutcome::Grows);
        assert!(accused.is_empty(), "{seconds} s, seeds {accused:?}");
    }
}

#[test]
fn leak_of_a_megabyte_a_minute_is_found_in_ten_minutes() {
    let found = seeds(400, LEAKS, TrendOutcome::Grows).len();
    assert!(found >= 396, "found in {found} of 400 runs");
    let missed = seeds(400, LEAKS, TrendOutcome::Steady);
    assert!(missed.is_empty(), "seeds {missed:?}");
}

#[test]
fn cache_that_is_full_half_way_is_not_accused() {
    let caches = (1..=10).map(|tenth| Service {
        cache_is_full_at: Some(0.05 * f64::from(tenth)),
        ..HEALTHY
    });
    for cache in caches {
        let accused = seeds(100, cache, TrendOutcome::Grows);
        assert!(accused.is_empty(), "{:?}: seeds {accused:?}", cache.cache_is_full_at);
    }
}

#[test]
fn healthy_service_is_cleared_in_an_hour() {
    let hour = Service {
        seconds: AN_HOUR,
        ..HEALTHY
    };
    let cleared = seeds(50, hour, TrendOutcome::Steady).len();
    assert!(cleared >= 45, "cleared in {cleared} of 50 runs");
}

#[test]
fn service_that_is_not_asked_is_judged_by_resident_memory() {
    let service = |seconds, kept_mb_per_min| Service {
        seconds,
        kept_mb_per_min,
        is_asked: false,
        ..HEALTHY
    };
    let accused = seeds(1_000, service(TEN_MINUTES, 1.0), TrendOutcome::Grows);
    assert!(accused.is_empty(), "a young heap may grow as much: seeds {accused:?}");
    let accused = seeds(100, service(AN_HOUR, 0.0), TrendOutcome::Grows);
    assert!(accused.is_empty(), "seeds {accused:?}");
    let found = seeds(50, service(AN_HOUR, 1.0), TrendOutcome::Grows).len();
    assert!(found >= 49, "found in {found} of 50 runs");
}
