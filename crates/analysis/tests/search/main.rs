//! The capacity search against services whose load line is known.
//!
//! The line is the greatest rate at which nine of ten windows pass in the long run. Where theory
//! gives it, it is computed; elsewhere it was found by bisection over simulations of 1,500 windows,
//! and `the_lines_found_by_simulation_are_right` checks it with other seeds.
//!
//! With `PLIMSOLL_EVERY_SEED` set, each service is searched with two and a half times as many seeds.

mod cold;
mod connections;
mod lab;
mod users;

use lab::{Case, Searched, cpu, no_errors, p99};
use plimsoll_analysis::{Ending, Fold};
use plimsoll_findings::{Headline, Quantity, StepVerdict, Verdict};
use plimsoll_plan::{Arrivals, Level, Share};
use plimsoll_sim::{Bucket, Drift, Hiccups, Model, Onset, Pause};
use std::time::Duration;

/// M/M/1, µ = 2,000/s, judged by CPU.
fn exponential() -> (Case, f64) {
    let model = Model::exponential(Duration::from_micros(500));
    let case = Case::new("M/M/1", model, &[cpu(80), p99(100), no_errors()]);
    // The work that arrives in a window of T is a compound Poisson sum, so the busy share has the
    // mean ρ = λ/µ and the variance λ E[S²] / T = 2ρ / (µT). Its 90th percentile meets 80 % where
    // ρ + 1.2816 √(2ρ / (µT)) = 0.8, which is quadratic in √ρ.
    let half = 1.2816 * (2.0 / 2000.0_f64).sqrt() / 2.0;
    let root = (half * half + 0.8).sqrt() - half;
    (case, 2000.0 * root * root)
}

/// D/D/1, µ = 5,000/s, judged by CPU.
fn even() -> (Case, f64) {
    let model = Model::fixed(Duration::from_micros(200));
    let mut case = Case::new("D/D/1", model, &[cpu(80), p99(100), no_errors()]);
    case.arrivals = Arrivals::Even;
    // Utilisation is λ/µ in every window.
    (case, 4000.0)
}

/// M/D/1, µ = 1,000/s, judged by its response times.
fn fixed() -> (Case, f64) {
    let model = Model::fixed(Duration::from_micros(1000));
    (Case::new("M/D/1", model, &[p99(100), no_errors()]), 986.0)
}

/// M/M/1, µ = 1,000/s, judged by its response times.
fn exponential_slow() -> (Case, f64) {
    let model = Model::exponential(Duration::from_micros(1000));
    (Case::new("M/M/1, p99", model, &[p99(100), no_errors()]), 967.0)
}

/// Responds at once up to 900/s, then 429.
fn bucket() -> (Case, f64) {
    let model = Model {
        bucket: Some(Bucket {
            rate_per_s: 900.0,
            burst: 20.0,
        }),
        ..Model::fixed(Duration::from_micros(100))
    };
    let mut case = Case::new("token bucket", model, &[cpu(80), p99(100), no_errors()]);
    case.arrivals = Arrivals::Even;
    // Whatever the burst, in the long run every request beyond the refill is refused.
    (case, 900.0)
}

/// Errors begin at 1,300/s.
fn onset() -> (Case, f64) {
    let model = Model {
        onset: Some(Onset {
            rate_per_s: 1300.0,
            slope: 1.0,
        }),
        ..Model::fixed(Duration::from_micros(100))
    };
    // Nine of ten windows are free of errors up to where a window sees 0.1 of them: 1,300.1/s.
    (Case::new("errors", model, &[cpu(80), p99(100), no_errors()]), 1300.0)
}

/// M/M/1, µ = 2,500/s, on a host that errs about CPU by 2 % and stops for 200 ms twice a minute.
fn noisy() -> (Case, f64) {
    let model = Model {
        cpu_noise: 0.02,
        hiccups: Some(Hiccups {
            every: Duration::from_secs(30),
            length: Duration::from_millis(200),
        }),
        ..Model::exponential(Duration::from_micros(400))
    };
    (
        Case::new("noisy host", model, &[cpu(80), p99(100), no_errors()]),
        1891.0,
    )
}

/// A service on a host that others use too. What was seen of such a one: near the line 10 % more load
/// takes 5 to 7 % more CPU, since wakeups get rarer, and CPU at one rate moves by 4 % over seconds.
fn neighbours() -> (Case, f64) {
    let model = Model {
        cpu_noise: 0.03,
        wakeup: Duration::from_micros(320),
        drift: Some(Drift {
            deviation: 0.04,
            over: Duration::from_secs(6),
        }),
        ..Model::fixed(Duration::from_micros(256))
    };
    let mut case = Case::new("neighbours", model, &[cpu(80), p99(100), no_errors()]);
    case.judging.passing_windows = Share::percent(75);
    (case, 2365.0)
}

/// M/D/1, µ = 1,000/s, that stands still 1 s in 10. Each pause fails two windows of ten, and more
/// where the backlog takes long to work off.
fn paused() -> (Case, f64) {
    let model = Model {
        pause: Some(Pause {
            every: Duration::from_secs(10),
            length: Duration::from_secs(1),
        }),
        ..Model::fixed(Duration::from_micros(1000))
    };
    let mut case = Case::new("pauses", model, &[p99(100), no_errors()]);
    case.judging.passing_windows = Share::percent(70);
    case.search.step = Duration::from_secs(22);
    case.search.budget = Duration::from_secs(400);
    (case, 650.0)
}

/// So many seeds where every one is asked for, else two of five: of 40 searches, more than the two that may miss the line do so
/// in 19 of 20 cases where the search misses it three times as often as it may. A seed always gives the same, so only a change of
/// the search can fail these tests.
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment")]
fn seeds(every: u64) -> u64 {
    match std::env::var_os("PLIMSOLL_EVERY_SEED") {
        Some(_) => every,
        None => every * 2 / 5,
    }
}

/// Searches with many seeds; returns the share of those that converged.
fn check_interval((case, line): &(Case, f64), every: u64) -> f64 {
    let seeds = seeds(every);
    let (mut converged, mut outside) = (0_u32, Vec::new());
    for seed in 0..seeds {
        let searched = case.search(seed);
        let result = &searched.result;
        let high = result.interval_high.unwrap_or(f64::INFINITY);
        if *line < result.interval_low || *line > high {
            outside.push(seed);
        }
        // The last step may drain for a tick or two more.
        assert!(
            searched.took <= case.search.budget + Duration::from_secs(5),
            "{} seed {seed}",
            case.name
        );
        if result.ending == Ending::Converged {
            converged += 1;
            let share = searched.fold.findings().load_line.and_then(|l| l.bracket_share);
            assert!(
                share.is_some_and(|s| s <= 0.05 + 1e-9),
                "{} seed {seed}: {share:?}",
                case.name
            );
        }
    }
    let missed = outside.len() as u64;
    assert!(
        missed * 20 <= seeds,
        "{}: seeds {outside:?} of {seeds} miss {line}",
        case.name
    );
    f64::from(converged) / seeds as f64
}

#[test]
fn the_interval_holds_the_line_of_mm1() {
    assert!(check_interval(&exponential(), 100) >= 0.9);
}

#[test]
fn the_interval_holds_the_line_of_dd1() {
    assert_eq!(check_interval(&even(), 100), 1.0);
}

#[test]
fn the_interval_holds_the_line_of_md1_by_response_time() {
    check_interval(&fixed(), 100);
}

#[test]
fn the_interval_holds_the_line_of_mm1_by_response_time() {
    check_interval(&exponential_slow(), 100);
}

#[test]
fn the_interval_holds_the_line_of_a_token_bucket() {
    assert_eq!(check_interval(&bucket(), 100), 1.0);
}

#[test]
fn the_interval_holds_the_line_where_errors_begin() {
    assert_eq!(check_interval(&onset(), 100), 1.0);
}

#[test]
fn the_interval_holds_the_line_on_a_noisy_host() {
    check_interval(&noisy(), 100);
}

#[test]
fn the_interval_holds_the_line_on_a_host_with_neighbours() {
    assert!(check_interval(&neighbours(), 100) >= 0.6);
}

#[test]
fn the_interval_holds_the_line_of_a_service_that_pauses() {
    check_interval(&paused(), 40);
}

#[test]
fn the_lines_found_by_simulation_are_right() {
    for (case, line) in [
        fixed(),
        exponential_slow(),
        noisy(),
        neighbours(),
        paused(),
        exponential(),
    ] {
        let wanted = case.judging.passing_windows.value();
        let share = |part: f64| case.passing_share(line * part, 1500, 2);
        let (below, above) = (share(0.97), share(1.03));
        assert!(below >= wanted && above < wanted, "{}: {below} {above}", case.name);
    }
}

#[test]
fn three_runs_agree_within_ten_percent() {
    for (case, _) in [exponential(), even(), bucket(), onset(), noisy(), neighbours()] {
        let rates = [11, 12, 13].map(|seed| case.search(seed).result.passed.unwrap_or_default().as_f64());
        let (low, high) = (
            rates.into_iter().fold(f64::INFINITY, f64::min),
            rates.into_iter().fold(0.0, f64::max),
        );
        assert!(high / low < 1.1, "{}: {rates:?}", case.name);
    }
}

#[test]
fn a_service_of_5000_per_s_is_searched_in_half_the_budget() {
    let model = Model {
        cpu_noise: 0.01,
        ..Model::fixed(Duration::from_micros(160))
    };
    let (mut case, _) = even();
    case.model = model;
    for seed in 0..10 {
        let Searched { result, took, .. } = case.search(seed);
        assert_eq!(result.ending, Ending::Converged, "seed {seed}");
        assert!(took <= Duration::from_secs(60), "seed {seed}: {took:?}");
        let rate = result.passed.unwrap_or_default().as_f64();
        assert!((4600.0..5000.0).contains(&rate), "seed {seed}: {rate}");
    }
}

#[test]
fn the_findings_name_the_line_and_what_broke_above_it() {
    let findings = even().0.search(1).fold.findings();
    let line = findings.load_line.clone().expect("a line was found");
    // What the page shows beside the line is at the line, and not a mean over all that was tried.
    let completed_per_s = findings.totals.throughput_per_s.expect("judged");
    assert!(
        (completed_per_s / line.rate_per_s - 1.0).abs() < 0.02,
        "{completed_per_s} at {}",
        line.rate_per_s
    );
    assert_eq!(findings.verdict, Verdict::Passed);
    assert!(line.converged);
    let broke = line.broke.as_ref().expect("something broke");
    assert_eq!((broke.quantity, broke.bound), (Quantity::Cpu, 0.8));
    assert!(
        line.cpu_us_per_request.is_some_and(|us| (us - 200.0).abs() < 2.0),
        "{line:?}"
    );
    let Headline::LoadLine {
        rate_per_s,
        failed_per_s,
        broke,
        unjudged: None,
        ..
    } = &findings.headline
    else {
        panic!("{:?}", findings.headline);
    };
    assert_eq!(
        (*rate_per_s, *failed_per_s, broke),
        (line.rate_per_s, line.failed_per_s, &line.broke)
    );
    // What is reported besides was seen at the line.
    assert!(findings.objectives.iter().all(|o| o.passed == Some(true)));
    assert!(
        findings
            .target_resources
            .is_some_and(|t| (0.75..0.8).contains(&t.cpu_share))
    );
}

#[test]
fn a_run_read_back_finds_what_it_found_live() {
    let (case, _) = noisy();
    let live = case.search(5);
    let mut again = Fold::new(&case.plan(), &lab::info(), &plimsoll_measure::Host::default());
    for record in &case.record(5) {
        again.push(record);
    }
    assert_eq!(again.findings(), live.fold.findings());
    assert_eq!(again.history(), live.fold.history());
}

#[test]
fn a_start_above_the_line_is_left_downwards() {
    let (mut case, line) = even();
    case.search.start = Level::whole(20_000);
    let result = case.search(3).result;
    assert_eq!(result.ending, Ending::Converged);
    assert!(
        (line * 0.95..line).contains(&result.passed.unwrap_or_default().as_f64()),
        "{result:?}"
    );
}

#[test]
fn a_service_without_a_right_response_has_no_line() {
    let (mut case, _) = bucket();
    case.model.bucket = Some(Bucket {
        rate_per_s: 0.0,
        burst: 0.0,
    });
    let searched = case.search(1);
    assert_eq!(searched.result.ending, Ending::NothingHolds);
    let findings = searched.fold.findings();
    assert_eq!(findings.verdict, Verdict::Breached);
    let Headline::NoLoadLine {
        broke: Some(broke),
        lowest_per_s: Some(100.0),
        ..
    } = findings.headline
    else {
        panic!("{:?}", findings.headline);
    };
    assert_eq!(broke.quantity, Quantity::Errors);
    assert!(searched.took < Duration::from_secs(15));
}

#[test]
fn a_service_that_outdoes_the_greatest_rate_has_no_upper_end() {
    let (mut case, _) = even();
    case.search.max = Level::whole(1000);
    let searched = case.search(1);
    assert_eq!(searched.result.ending, Ending::MaxHolds);
    let findings = searched.fold.findings();
    let line = findings.load_line.expect("a rate passed");
    assert_eq!((findings.verdict, line.rate_per_s), (Verdict::Passed, 1000.0));
    assert_eq!(
        (line.failed_per_s, line.interval_high_per_s, line.converged),
        (None, None, false)
    );
}

#[test]
fn a_generator_at_its_limit_is_not_taken_for_the_service() {
    let (mut case, _) = even();
    case.generator_limit_per_s = 2000.0;
    let searched = case.search(1);
    let Ending::GeneratorLimit(limit) = searched.result.ending else {
        panic!("{:?}", searched.result);
    };
    assert!((2000.0..2150.0).contains(&limit.as_f64()));
    let findings = searched.fold.findings();
    assert_eq!(findings.verdict, Verdict::Invalid);
    let Headline::LoadLine {
        rate_per_s,
        failed_per_s: None,
        ..
    } = findings.headline
    else {
        panic!("{:?}", findings.headline);
    };
    assert!((1900.0..2000.0).contains(&rate_per_s), "{rate_per_s}");
    assert_eq!(findings.load_line.and_then(|l| l.interval_high_per_s), None);
}

#[test]
fn a_host_that_disturbs_the_generator_for_a_while_does_not_end_the_search() {
    for from in 0..9 {
        let (mut case, line) = even();
        case.disturbed_steps = from..from + 2;
        let searched = case.search(1);
        let result = &searched.result;
        assert_eq!(result.ending, Ending::Converged, "from step {from}: {result:?}");
        let found = result.passed.unwrap_or_default().as_f64();
        assert!((line * 0.95..line).contains(&found), "from step {from}: {found}");
    }
}

#[test]
fn a_service_that_stalls_at_any_rate_is_never_said_to_have_a_sure_line() {
    let (mut case, _) = paused();
    case.judging.passing_windows = Share::percent(90);
    case.search = plimsoll_plan::Search::default();
    for seed in 0..10 {
        let searched = case.search(seed);
        assert_ne!(searched.result.ending, Ending::Converged, "seed {seed}");
    }
}

#[test]
fn a_hopeless_step_ends_early() {
    let (mut case, line) = even();
    case.search.start = Level::from_f64(2.0 * line);
    case.search.step = Duration::from_secs(30);
    let searched = case.search(1);
    let first = &searched.fold.history()[0];
    assert_eq!(first.verdict, StepVerdict::Breached);
    // Far above the line the climb is short anyway; at the line a step is long.
    let long = searched
        .fold
        .history()
        .iter()
        .filter(|s| s.verdict == StepVerdict::Breached && s.windows_planned > 10);
    for step in long {
        assert!(step.tallies[0].judged < step.windows_planned, "{step:?}");
    }
}
