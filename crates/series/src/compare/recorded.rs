//! How often a check is right on a machine that was recorded: rounds of a service against itself, made here one after the
//! other (`bench/gate/record`), are dealt to two variants that are the same, or of which the second costs more.
//!
//! Stretches of the record follow each other, each from anywhere and of any length, so that rounds which were made one after
//! the other stay neighbours: the stationary bootstrap of D. N. Politis and J. P. Romano, Journal of the American
//! Statistical Association 89, 1994, pages 1303 to 1313.

use super::figures::{self, Figure};
use super::gate::{is_decided, look, verdict};
use super::made::{self, seeds_with};
use super::{Blocks, ComparedRound, UNUSED_BLOCKS, compare, next_block, order};
use crate::check::{Judge, Noise, fewest, least_deviations};
use plimsoll_findings::{CompareVerdict, Unused};
use plimsoll_measure::run_directory::{ComparisonInfo, Gate, Look};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

const QUIET: &str = include_str!("../../../../bench/gate/noise/quiet.csv");
const BUSY: &str = include_str!("../../../../bench/gate/noise/busy.csv");

const RECORDS: [(&str, &str); 2] = [("quiet", QUIET), ("busy", BUSY)];
/// So many fit into its three minutes, besides the first ones.
const BLOCKS_OF_DOCTOR: u32 = 8;

const THRESHOLD: f64 = 0.05;
/// Mean length of a stretch, rounds.
const STRETCH: f64 = 20.0;

/// What was seen in a round.
#[derive(Debug, Clone, Copy)]
struct Seen {
    cpu_us_per_request: f64,
    p50_ms: f64,
    p99_ms: f64,
    throughput_per_s: f64,
    late: bool,
}

fn record(text: &str) -> Vec<Seen> {
    let rounds = text
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let seen = |line: &str| {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().expect("a number")).collect();
        let [cpu_us_per_request, p50_ms, p99_ms, throughput_per_s, late] = cells[..] else {
            panic!("five figures: {line}");
        };
        Seen {
            cpu_us_per_request,
            p50_ms,
            p99_ms,
            throughput_per_s,
            late: late > 0.0,
        }
    };
    rounds.map(seen).collect()
}

/// A machine that does what it did, in another order.
struct Replayed<'a> {
    record: &'a [Seen],
    rng: ChaCha8Rng,
    at: usize,
}

impl<'a> Replayed<'a> {
    fn new(record: &'a [Seen], seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let at = rng.random_range(0..record.len());
        Self { record, rng, at }
    }

    fn next(&mut self) -> Seen {
        let jumps = self.rng.random::<f64>() < 1.0 / STRETCH;
        self.at = if jumps {
            self.rng.random_range(0..self.record.len())
        } else {
            (self.at + 1) % self.record.len()
        };
        self.record[self.at]
    }

    fn block(&mut self, info: &ComparisonInfo, rounds: &mut Vec<ComparedRound>, block: u32, costs: f64) {
        for variant in order(info, block) {
            let seen = self.next();
            let factor = if variant == 0 { 1.0 } else { costs };
            rounds.push(round(rounds.len() as u32, block, variant, seen, factor));
        }
    }
}

fn round(number: u32, block: u32, variant: usize, seen: Seen, factor: f64) -> ComparedRound {
    ComparedRound {
        invalid: seen.late,
        unused_because: seen.late.then_some(Unused::LostRecords),
        cpu_us_per_request: Some(seen.cpu_us_per_request * factor),
        p50_ms: Some(seen.p50_ms * factor),
        p99_ms: Some(seen.p99_ms),
        throughput_per_s: Some(seen.throughput_per_s),
        ..made::round(number, block, variant)
    }
}

fn info() -> ComparisonInfo {
    ComparisonInfo {
        blocks: 2000,
        gate: Some(Gate {
            threshold: THRESHOLD,
            within_s: 600.0,
            fail_if_inconclusive: false,
            looks: Vec::new(),
            before: None,
        }),
        ..made::info(&["base", "working tree"])
    }
}

/// Checks of which the bounds are computed once for all that look at the same times.
#[derive(Default)]
struct Checks {
    judges: HashMap<Vec<u32>, Option<Judge>>,
    deviations: HashMap<u32, f64>,
}

impl Checks {
    fn judge(&mut self, looks: &[Look], blocks: u32) -> Option<Judge> {
        let key = looks.iter().map(|look| look.blocks).chain([blocks]).collect();
        *self.judges.entry(key).or_insert_with(|| Judge::at(looks))
    }

    /// What a check comes to whose time is over after so many blocks, and how many of them it took.
    fn check(&mut self, record: &[Seen], seed: u64, costs: f64, blocks: u32) -> (CompareVerdict, u32) {
        let mut machine = Replayed::new(record, seed);
        let (mut info, mut rounds) = (info(), Vec::new());
        let all = UNUSED_BLOCKS + blocks;
        for block in 0..all {
            machine.block(&info, &mut rounds, block, costs);
            let done = block + 1;
            let Some(look) = look(&info, &rounds, f64::from(done) / f64::from(all), done == all) else {
                continue;
            };
            info.gate.as_mut().expect("a check").looks.push(look);
            let looks = &info.gate.as_ref().expect("a check").looks;
            let judge = self.judge(looks, blocks);
            let figures: Vec<Figure> = figures::all(&info, &Blocks::of(&info, &rounds), judge.as_ref());
            if done == all || is_decided(&figures) {
                return (verdict(&figures), done);
            }
        }
        unreachable!("the last look ends it")
    }

    /// What `doctor --noise` promises from so many blocks: how many a check needs for a loss of the threshold.
    fn promised(&mut self, record: &[Seen], seed: u64, blocks: u32) -> u32 {
        let mut machine = Replayed::new(record, seed);
        let (info, mut rounds) = (info(), Vec::new());
        for block in 0..UNUSED_BLOCKS + blocks {
            machine.block(&info, &mut rounds, block, 1.0);
        }
        let figures = figures::all(&info, &Blocks::of(&info, &rounds), None);
        let noise = Noise::at_most(&figures[0].estimate);
        let mut of = |blocks| {
            *self
                .deviations
                .entry(blocks)
                .or_insert_with(|| least_deviations(blocks))
        };
        fewest(|blocks| noise.deviation * of(blocks) <= THRESHOLD.ln_1p()).expect("within reach")
    }
}

#[test]
fn unchanged_service_fails_in_at_most_two_of_a_hundred() {
    for (name, text) in RECORDS {
        let (record, mut checks) = (record(text), Checks::default());
        for blocks in [12, 40] {
            let failed = seeds_with(2000, |seed| {
                checks.check(&record, seed, 1.0, blocks).0 == CompareVerdict::Worse
            });
            println!(
                "{name}, {blocks} blocks: {} of 2,000 checks of the same failed",
                failed.len()
            );
            assert!(
                failed.len() <= 40,
                "{name}, {blocks} blocks: {} seeds, {failed:?}",
                failed.len()
            );
        }
    }
}

#[test]
fn loss_of_threshold_passes_in_at_most_five_of_a_hundred() {
    for (name, text) in RECORDS {
        let (record, mut checks) = (record(text), Checks::default());
        for blocks in [12, 40] {
            let costs = 1.0 + THRESHOLD;
            let passed = seeds_with(1000, |seed| {
                checks.check(&record, seed, costs, blocks).0 == CompareVerdict::Passed
            });
            println!("{name}, {blocks} blocks: {} of 1,000 losses passed", passed.len());
            assert!(
                passed.len() <= 50,
                "{name}, {blocks} blocks: {} seeds, {passed:?}",
                passed.len()
            );
        }
    }
}

/// `doctor --noise` measures for three minutes at another time than the check does.
#[test]
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment")]
fn loss_of_threshold_is_found_in_nine_of_ten_within_promised_time() {
    for (name, text) in RECORDS {
        let (record, mut checks) = (record(text), Checks::default());
        // A promise that is kept in 85 of a hundred cases alone fails on 200 of them in 19 of 20 cases.
        let losses = match std::env::var_os("PLIMSOLL_EVERY_SEED") {
            Some(_) => 500,
            None => 200,
        };
        let missed = seeds_with(losses, |seed| {
            let blocks = checks.promised(&record, seed, BLOCKS_OF_DOCTOR);
            checks.check(&record, 1_000_000 + seed, 1.0 + THRESHOLD, blocks).0 != CompareVerdict::Worse
        });
        println!(
            "{name}: {} of {losses} losses were found in the promised time",
            losses - missed.len() as u64
        );
        assert!(
            missed.len() as u64 * 10 <= losses,
            "{name}: {} seeds, {missed:?}",
            missed.len()
        );
    }
}

/// The bounds that are kept for many checks are those of each.
#[test]
fn simulated_checks_are_those_that_are_made() {
    let record = record(QUIET);
    let mut checks = Checks::default();
    for seed in 0..10 {
        let costs = if seed % 2 == 0 { 1.0 } else { 1.0 + THRESHOLD };
        let (expected, done) = checks.check(&record, seed, costs, 24);
        let mut machine = Replayed::new(&record, seed);
        let (mut info, mut rounds) = (info(), Vec::new());
        let all = UNUSED_BLOCKS + 24;
        while let Some(block) = next_block(&info, &rounds) {
            machine.block(&info, &mut rounds, block, costs);
            let due = look(&info, &rounds, f64::from(block + 1) / f64::from(all), block + 1 == all);
            info.gate.as_mut().expect("a check").looks.extend(due);
        }
        let found = compare(&info, &rounds);
        assert_eq!(
            (found.verdict, rounds.len() as u32),
            (expected, 2 * done),
            "seed {seed}"
        );
        let gate = found.gate.expect("a check");
        assert_eq!(found.failed, expected == CompareVerdict::Worse);
        assert!(gate.sees > Some(0.0) && gate.needs_s > Some(0.0), "{gate:?}");
    }
}
