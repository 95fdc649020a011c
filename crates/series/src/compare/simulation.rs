//! How often a comparison is right, on a machine whose noise is known.

use super::made::{self, seeds_with};
use super::{
    CompareHeadline, CompareVerdict, ComparedRound, Comparison, FigureVerdict, UNUSED_BLOCKS, compare, next_block,
    order, runs_forward,
};
use crate::crossover::{Block, Estimate};
use plimsoll_measure::run_directory::{ComparisonInfo, Ended, Prediction};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A machine on which nothing stays as it was: it drifts, its noise remembers the round before, every round has noise
/// of its own, and now and then a neighbour takes a share of it. Logarithms; 0.01 is one per cent.
struct Machine {
    rng: ChaCha8Rng,
    /// Of a whole comparison, one way.
    drift: f64,
    walk: f64,
    remembered: f64,
    round: u32,
}

impl Machine {
    fn new(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let drift = rng.random_range(-0.15..0.15);
        Self {
            rng,
            drift,
            walk: 0.0,
            remembered: 0.0,
            round: 0,
        }
    }

    /// Normal around zero, by the method of Box and Muller.
    fn normal(&mut self, deviation: f64) -> f64 {
        let (u, v): (f64, f64) = (self.rng.random(), self.rng.random());
        deviation * (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// What the next round has on top of the truth; of 26 rounds in all.
    fn next(&mut self) -> f64 {
        self.walk += self.normal(0.005);
        self.remembered = 0.6 * self.remembered + self.normal(0.012);
        let neighbour = if self.rng.random::<f64>() < 0.03 { 0.08 } else { 0.0 };
        let drift = self.drift * f64::from(self.round) / 26.0;
        self.round += 1;
        drift + self.walk + self.remembered + neighbour + self.normal(0.015)
    }

    fn round(&mut self, number: u32, block: u32, variant: usize, effect: f64) -> ComparedRound {
        let common = self.next();
        let effect = if variant == 0 { 0.0 } else { effect };
        let tail = common * 2.0 + self.normal(0.1);
        let median = common + self.normal(0.02);
        ComparedRound {
            cpu_us_per_request: Some(200.0 * (effect + common).exp()),
            p50_ms: Some(0.4 * median.exp()),
            p99_ms: Some(3.0 * tail.exp()),
            throughput_per_s: Some(1000.0 * self.normal(0.0005).exp()),
            ..made::round(number, block, variant)
        }
    }
}

fn info(variants: usize) -> ComparisonInfo {
    ComparisonInfo {
        fail_if_worse: Some(0.05),
        ..made::info(&["a", "b", "c"][..variants])
    }
}

fn rounds(info: &ComparisonInfo, seed: u64, effect: f64) -> Vec<ComparedRound> {
    let mut machine = Machine::new(seed);
    let mut rounds = Vec::new();
    while let Some(block) = next_block(info, &rounds) {
        for variant in order(info, block) {
            rounds.push(machine.round(rounds.len() as u32, block, variant, effect));
        }
    }
    rounds
}

fn compared(variants: usize, seed: u64, effect: f64) -> Comparison {
    let info = info(variants);
    compare(&info, &rounds(&info, seed, effect))
}

#[test]
fn the_same_against_itself_is_called_different_in_at_most_one_of_twenty() {
    for variants in [2, 3] {
        let called = seeds_with(1000, |seed| {
            compared(variants, seed, 0.0).verdict != CompareVerdict::NoDifference
        });
        assert!(
            called.len() <= 50,
            "{variants} variants: {} seeds, {called:?}",
            called.len()
        );
    }
}

#[test]
fn five_per_cent_more_cpu_is_found_in_nine_of_ten() {
    for (effect, verdict) in [(1.05, CompareVerdict::Worse), (0.95, CompareVerdict::Better)] {
        let missed = seeds_with(1000, |seed| compared(2, seed, f64::ln(effect)).verdict != verdict);
        assert!(missed.len() <= 100, "{effect}: {} seeds, {missed:?}", missed.len());
    }
}

#[test]
fn a_change_as_large_as_promised_is_found_as_often_as_promised() {
    let promised = |seed| compared(2, seed, 0.0).figures[0].detectable;
    let mean = (0..200).map(promised).sum::<f64>() / 200.0;
    let found = seeds_with(1000, |seed| {
        compared(2, seed, mean.ln_1p()).figures[0].verdict == FigureVerdict::Worse
    });
    assert!((780..=900).contains(&found.len()), "{mean}: {}", found.len());
}

/// The interval holds the truth as often as it says, and the usual bootstrap of as few blocks does not.
#[test]
fn ninety_five_per_cent_is_ninety_five_per_cent() {
    const TRIALS: u64 = 2000;
    let covered = |half_width: fn(&[Block], &mut ChaCha8Rng) -> (f64, f64)| {
        let holds = |seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let blocks = blocks(seed);
            let (low, high) = half_width(&blocks, &mut rng);
            low <= 0.0 && 0.0 <= high
        };
        seeds_with(TRIALS, holds).len() as f64 / TRIALS as f64
    };
    let ours = covered(|blocks, _| {
        let estimate = Estimate::of(blocks).expect("blocks enough");
        let margin = estimate.margin(0.95);
        (estimate.difference - margin, estimate.difference + margin)
    });
    let bootstrap = covered(percentile_bootstrap);
    assert!((0.94..=0.965).contains(&ours), "{ours}");
    assert!(bootstrap < 0.92, "{bootstrap}");
}

/// Differences of twelve blocks in CPU per request, where there is no difference.
fn blocks(seed: u64) -> Vec<Block> {
    let info = info(2);
    let rounds = rounds(&info, seed, 0.0);
    let cpu = |round: &ComparedRound| round.cpu_us_per_request.map_or(0.0, f64::ln);
    rounds
        .chunks(2)
        .skip(UNUSED_BLOCKS as usize)
        .map(|pair| {
            let forward = runs_forward(&info, pair[0].block);
            let difference = cpu(&pair[1]) - cpu(&pair[0]);
            Block {
                difference: if forward { difference } else { -difference },
                forward,
            }
        })
        .collect()
}

/// B. Efron and R. Tibshirani, An Introduction to the Bootstrap, Chapman and Hall, 1993, chapter 13.
fn percentile_bootstrap(blocks: &[Block], rng: &mut ChaCha8Rng) -> (f64, f64) {
    let mut means: Vec<f64> = (0..400)
        .map(|_| {
            let drawn = (0..blocks.len()).map(|_| blocks[rng.random_range(0..blocks.len())].difference);
            drawn.sum::<f64>() / blocks.len() as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    (means[10], means[389])
}

#[test]
fn more_errors_are_worse_whatever_else_is_better() {
    let info = info(2);
    let mut rounds = rounds(&info, 1, f64::ln(0.5));
    for round in rounds.iter_mut().filter(|round| round.variant == 1) {
        round.error_share = Some(0.2);
    }
    let found = compare(&info, &rounds);
    assert_eq!(found.verdict, CompareVerdict::Worse);
    assert!(found.failed);
    assert!(
        found
            .figures
            .iter()
            .any(|figure| figure.verdict == FigureVerdict::Better)
    );
}

#[test]
fn an_invalid_round_is_not_used_and_its_block_is_run_again() {
    let info = info(2);
    let mut rounds = rounds(&info, 1, 0.0);
    rounds[6].invalid = true;
    rounds[6].unused_because = Some(super::Unused::LostRecords);
    assert_eq!(next_block(&info, &rounds), Some(14));
    let found = compare(&info, &rounds);
    assert_eq!(found.variants[0].rounds_used, 11);
    let unused: Vec<_> = found
        .rounds
        .iter()
        .filter(|round| !round.used)
        .map(|r| r.round)
        .collect();
    assert_eq!(unused, [0, 1, 2, 3, 6, 7]);
    assert_eq!(found.figures[0].block_changes.len(), 11);
}

/// A prediction is set beside what the figures prove: × 2 on the load line where a request needs half of the CPU.
#[test]
fn a_prediction_is_as_far_off_as_the_proven_gain_says() {
    let predicting = |factor, at_least| ComparisonInfo {
        prediction: Some(Prediction {
            diagnosis: "d".to_owned(),
            cause: "c".to_owned(),
            factor,
            low: Some(factor * 0.9),
            high: Some(factor * 1.3),
            at_least,
        }),
        ..info(2)
    };
    let outcome = |factor, effect| {
        let info = predicting(factor, false);
        let found = compare(&info, &rounds(&info, 5, effect));
        (found.prediction.expect("predicted"), found.figures[0].change)
    };
    let (found, change) = outcome(1.5, -0.5);
    let proven = found.proven.expect("rounds enough");
    assert!(
        (proven - 1.0 / (1.0 + change)).abs() < 1e-9 && (1.5..1.8).contains(&proven),
        "{found:?}"
    );
    assert!(
        found.proven_low < Some(proven) && Some(proven) < found.proven_high,
        "{found:?}"
    );
    let error = found.error.expect("a gain");
    assert!(
        (error - (1.5 - proven) / (proven - 1.0)).abs() < 1e-9 && error < -0.1,
        "{found:?}"
    );

    assert_eq!(outcome(1.5, 0.2).0.error, None, "nothing was gained");
    for (factor, at_least, held) in [
        (1.6, false, true),
        (1.05, false, false),
        (1.05, true, true),
        (4.0, true, false),
    ] {
        let info = predicting(factor, at_least);
        let found = compare(&info, &rounds(&info, 5, -0.5)).prediction.expect("predicted");
        assert_eq!(found.held, Some(held), "{factor} at least {at_least}: {found:?}");
    }
    assert_eq!(
        compare(&predicting(1.5, false), &[])
            .prediction
            .expect("predicted")
            .proven,
        None
    );
    assert_eq!(compare(&info(2), &rounds(&info(2), 5, 0.0)).prediction, None);
}

#[test]
fn without_rounds_enough_the_verdict_says_why() {
    let late = CompareHeadline::GeneratorLate { late: 1, rounds: 6 };
    let stopped = CompareHeadline::Interrupted {
        made: 6,
        wanted: Some(28),
    };
    let why = "b died".to_owned();
    let died = CompareHeadline::CouldNotGoOn { why: why.clone() };
    for (ended, invalid, expected, headline) in [
        (Some(Ended::Complete), true, CompareVerdict::Invalid, late),
        (
            Some(Ended::Complete),
            false,
            CompareVerdict::Failed,
            CompareHeadline::TooFewRounds,
        ),
        (Some(Ended::Failed(why)), false, CompareVerdict::Failed, died),
        (
            Some(Ended::Interrupted),
            false,
            CompareVerdict::Interrupted,
            stopped.clone(),
        ),
        (None, false, CompareVerdict::Interrupted, stopped),
    ] {
        let info = ComparisonInfo { ended, ..info(2) };
        let mut rounds = rounds(&info, 1, 0.0);
        rounds.truncate(6);
        rounds[0].invalid = invalid;
        let found = compare(&info, &rounds);
        assert_eq!(found.verdict, expected);
        assert!(found.figures.is_empty());
        assert_eq!(found.headline, headline);
        assert_eq!(compare(&info, &[]).figures.len(), 0);
    }
}

#[test]
fn the_order_cancels_what_grows_steadily() {
    let info = info(2);
    let sign = |block| if runs_forward(&info, block) { 1.0 } else { -1.0 };
    for power in [0, 1] {
        let sum: f64 = (2..6).map(|block| sign(block) * f64::from(block).powi(power)).sum();
        assert_eq!(sum, 0.0);
    }
}
