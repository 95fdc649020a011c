//! Rounds of several variants to a verdict: better, worse, or no difference larger than so much.
//!
//! The round is what is independent, not the request: requests of one round share one process, one warm-up and one
//! second of the host. So a round counts once for each figure, and what is compared is its logarithm, block by block.

mod before;
mod beside;
#[cfg(test)]
mod checked;
mod conclusion;
mod figures;
mod gate;
#[cfg(test)]
mod made;
#[cfg(test)]
mod open_ended;
mod outcome;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod simulation;

pub use figures::ComparedRound;
pub(crate) use figures::{deciding, loss_share, too_much};
pub use gate::look;
pub(crate) use outcome::more_requests;

use crate::crossover::Estimate;
use crate::responses::responses_together;
use figures::{Figure, JUDGED_CONFIDENCE};
use plimsoll_findings::{
    CompareHeadline, CompareNextStep, CompareVerdict, Comparison, FigureVerdict, Metric, Notice, ResponsesFinding,
    ResponsesOf, RoundFinding, Unused, VariantFinding,
};
use plimsoll_measure::run_directory::{ComparisonInfo, Ended, Variant};
use std::collections::BTreeMap;
use std::mem::discriminant;

/// The first blocks are run and not used: their rounds find their files on the disk and everything else cold, and the
/// machine takes more than one block to settle. T. Kalibera and R. Jones, Rigorous benchmarking in reasonable time,
/// ISMM 2013, drop first executions likewise.
pub const UNUSED_BLOCKS: u32 = 2;
/// The blocks of a sweep and of searches are long enough for the machine to settle in one.
pub const UNUSED_BLOCKS_OF_LONG: u32 = 1;

/// Whether block number `block` runs the variants in their order or in the opposite one.
///
/// The sequence of Thue and Morse: A B, B A, B A, A B, B A, A B, A B, B A … Each four rounds cancel a steady drift, and
/// each eight one that itself grows steadily.
pub(crate) const fn runs_forward(info: &ComparisonInfo, block: u32) -> bool {
    block.saturating_sub(info.unused_blocks).count_ones().is_multiple_of(2)
}

/// The variants in the order in which block number `block` runs them.
#[must_use]
pub fn order(info: &ComparisonInfo, block: u32) -> Vec<usize> {
    let variants = 0..info.variants.len();
    if runs_forward(info, block) {
        variants.collect()
    } else {
        variants.rev().collect()
    }
}

/// What the rounds so far come to. `rounds` are those of `info` that have left something, in their order.
#[must_use]
pub fn compare(info: &ComparisonInfo, rounds: &[ComparedRound]) -> Comparison {
    let blocks = Blocks::of(info, rounds);
    let mut figures = figures::all(info, &blocks, gate::judge(info, &blocks).as_ref());
    gate::add_what_is_seen(info, &mut figures);
    let first = rounds.first();
    let open_ended = figures::open_ended(&blocks);
    // Lines that may be higher prove no factor.
    let proof = figures.iter().filter(|_| open_ended.is_none());
    let prediction = outcome::outcome(info, &proof.map(|figure| &figure.finding).collect::<Vec<_>>());
    let before = info.gate.iter().flat_map(|gate| before::notices(gate, &figures));
    let mut comparison = Comparison {
        format: "plimsoll.comparison-findings/3".to_owned(),
        name: info.name.clone(),
        target: first.map(|r| r.target.clone()).unwrap_or_default(),
        started_at: info.started_at.clone(),
        duration_s: rounds.iter().map(|r| r.duration_s).sum(),
        version: info.version.clone(),
        host: first.map(|r| r.host.clone()),
        verdict: verdict(info, rounds, &figures),
        // What they are follows from the rest.
        headline: CompareHeadline::TooFewRounds,
        next_step: CompareNextStep::RunToEnd,
        variants: variants(info, &blocks),
        load: info.load.clone(),
        confidence: JUDGED_CONFIDENCE,
        fail_if_worse: info.fail_if_worse,
        failed: figures.iter().any(|figure| figure.finding.failed),
        gate: gate::gate(info, rounds, &figures),
        notices: before.chain(open_ended).chain(notices(info, rounds)).collect(),
        figures: figures.into_iter().map(|figure| figure.finding).collect(),
        prediction,
        rounds: rounds.iter().map(|round| round_finding(info, &blocks, round)).collect(),
        responses: responses(info, rounds),
        responses_beside: beside::beside(info, rounds),
    };
    let differ = comparison.responses_beside.filter(|beside| !beside.is_same());
    comparison.notices.extend(differ.map(Notice::ResponsesDiffer));
    comparison.headline = conclusion::headline(&comparison, info, rounds);
    comparison.next_step = conclusion::next_step(&comparison);
    comparison
}

/// The complete blocks that are used: for each, the round of every variant.
pub(crate) struct Blocks<'a> {
    pub(crate) complete: BTreeMap<u32, Vec<&'a ComparedRound>>,
}

impl<'a> Blocks<'a> {
    /// A check, which has no time for other blocks, uses the CPU of rounds in which the generator was late. A comparison does not: it makes
    /// another block in the place of each, because its verdict is about response times and throughput as well, which such rounds do not have.
    pub(crate) fn of(info: &ComparisonInfo, rounds: &'a [ComparedRound]) -> Self {
        Self::usable(info, rounds, |round| Self::counts(info, round))
    }

    /// Whether any of what a round saw is used, once its block is complete.
    fn counts(info: &ComparisonInfo, round: &ComparedRound) -> bool {
        round.unused_because.is_none() || info.gate.is_some() && round.is_late()
    }

    /// Those of late rounds as well.
    pub(crate) fn with_late(info: &ComparisonInfo, rounds: &'a [ComparedRound]) -> Self {
        Self::usable(info, rounds, |round| round.unused_because.is_none() || round.is_late())
    }

    fn usable(info: &ComparisonInfo, rounds: &'a [ComparedRound], usable: impl Fn(&ComparedRound) -> bool) -> Self {
        let usable = |round: &&ComparedRound| round.block >= info.unused_blocks && usable(round);
        let mut complete: BTreeMap<u32, Vec<&ComparedRound>> = BTreeMap::new();
        for round in rounds.iter().filter(usable) {
            complete.entry(round.block).or_default().push(round);
        }
        complete.retain(|_, rounds| rounds.len() == info.variants.len());
        for rounds in complete.values_mut() {
            rounds.sort_by_key(|round| round.variant);
        }
        Self { complete }
    }

    /// The share by which CPU per request moved from the first to the second half of the blocks.
    pub(crate) fn drift(&self) -> Option<f64> {
        let cpu: Vec<f64> = self
            .complete
            .values()
            .flatten()
            .filter_map(|round| round.cpu_us_per_request)
            .collect();
        let mean = |part: &[f64]| (!part.is_empty()).then(|| part.iter().sum::<f64>() / part.len() as f64);
        let (first, second) = cpu.split_at(cpu.len() / 2);
        Some(mean(second)? / mean(first)? - 1.0)
    }

    fn has(&self, round: &ComparedRound) -> bool {
        let mut block = self.complete.get(&round.block).into_iter().flatten();
        block.any(|r| r.number == round.number)
    }
}

/// How long a block takes of those that were begun, which took `took_s` together.
pub(crate) fn block_s(rounds: &[ComparedRound], took_s: f64) -> f64 {
    let begun = rounds.iter().map(|round| round.block + 1).max().unwrap_or(0);
    took_s / f64::from(begun.max(1))
}

/// Every judged figure of the second variant and what it was made from, the deciding one first.
pub(crate) fn figures(info: &ComparisonInfo, blocks: &Blocks<'_>) -> Vec<(Metric, Estimate)> {
    let all = figures::all(info, blocks, None).into_iter();
    all.filter(|figure| figure.finding.judged)
        .map(|figure| (figure.finding.figure, figure.estimate))
        .collect()
}

/// The next block to run, as long as there are fewer complete ones than wanted. A block with an invalid round is run
/// again, up to half as many as were wanted.
#[must_use]
pub fn next_block(info: &ComparisonInfo, rounds: &[ComparedRound]) -> Option<u32> {
    let begun = rounds.iter().map(|round| round.block + 1).max().unwrap_or(0);
    if gate::is_over(info, rounds) {
        return None;
    }
    let complete = Blocks::of(info, rounds).complete.len();
    let wanted = complete < info.blocks as usize && begun < info.blocks_at_most();
    wanted.then_some(begun)
}

fn verdict(info: &ComparisonInfo, rounds: &[ComparedRound], figures: &[Figure]) -> CompareVerdict {
    let judged = |wanted| {
        figures
            .iter()
            .any(|figure| figure.finding.judged && figure.finding.verdict == wanted)
    };
    match &info.ended {
        Some(Ended::Failed(_)) => return CompareVerdict::Failed,
        Some(Ended::Interrupted) | None => return CompareVerdict::Interrupted,
        // What was complete has lost something since.
        Some(Ended::Complete) if rounds.iter().any(ComparedRound::interrupted) => return CompareVerdict::Interrupted,
        Some(Ended::Complete) => {}
    }
    if info.gate.is_some() {
        return gate::verdict(figures);
    }
    if !figures.iter().any(|figure| figure.finding.judged) {
        return if rounds.iter().any(|round| round.invalid) {
            CompareVerdict::Invalid
        } else {
            CompareVerdict::Failed
        };
    }
    let more_errors = figures
        .iter()
        .any(|figure| figure.is_errors() && figure.finding.verdict == FigureVerdict::Worse);
    match (judged(FigureVerdict::Better), judged(FigureVerdict::Worse)) {
        // A wrong response is worth nothing, however cheap it was.
        _ if more_errors => CompareVerdict::Worse,
        (true, true) => CompareVerdict::Mixed,
        (true, false) => CompareVerdict::Better,
        (false, true) => CompareVerdict::Worse,
        (false, false) => CompareVerdict::NoDifference,
    }
}

fn variants(info: &ComparisonInfo, blocks: &Blocks<'_>) -> Vec<VariantFinding> {
    let used = blocks.complete.len() as u32;
    let finding = |variant: &Variant| VariantFinding {
        name: variant.name.clone(),
        what: variant.what.clone(),
        rounds_used: used,
    };
    info.variants.iter().map(finding).collect()
}

/// Of each variant that had any.
fn responses(info: &ComparisonInfo, rounds: &[ComparedRound]) -> Vec<ResponsesFinding> {
    let of = |(number, variant): (usize, &Variant)| {
        let its = rounds.iter().filter(|round| round.variant == number);
        responses_together(
            ResponsesOf::Variant {
                name: variant.name.clone(),
            },
            its.map(|round| &round.responses),
        )
    };
    info.variants
        .iter()
        .enumerate()
        .map(of)
        .filter(|responses| responses.finished > 0)
        .collect()
}

pub(crate) fn round_finding(info: &ComparisonInfo, blocks: &Blocks<'_>, round: &ComparedRound) -> RoundFinding {
    let used = blocks.has(round);
    let left_out = || {
        (!used).then_some(if round.block < info.unused_blocks {
            Unused::Cold
        } else {
            Unused::BlockIncomplete
        })
    };
    RoundFinding {
        round: round.number,
        block: round.block,
        variant: info.variants[round.variant].name.clone(),
        directory: round.directory.clone(),
        used,
        unused_because: round.unused_because.clone().filter(|_| !used).or_else(left_out),
        cpu_us_per_request: round.cpu_us_per_request,
        p50_ms: round.p50_ms,
        p99_ms: round.p99_ms,
        throughput_per_s: round.throughput_per_s,
        error_share: round.error_share,
        load_line_per_s: round.load_line_per_s,
    }
}

/// What one round says, most of them say.
pub(crate) fn notices(info: &ComparisonInfo, rounds: &[ComparedRound]) -> Vec<Notice> {
    let mut notices: Vec<Notice> = Vec::new();
    for round in rounds {
        for notice in &round.notices {
            // What is left out is so because it is cold.
            if round.block < info.unused_blocks && matches!(notice, Notice::NotWarm { .. }) {
                continue;
            }
            if !notice.says_what_was_measured() {
                if !notices.iter().any(|known| known.is_same(notice)) {
                    notices.push(notice.clone());
                }
                continue;
            }
            let is_known = |known: &Notice| match known {
                Notice::InRound { notice: inner, .. } => discriminant(&**inner) == discriminant(notice),
                _ => false,
            };
            if !notices.iter().any(is_known) {
                notices.push(Notice::InRound {
                    round: round.number,
                    variant: info.variants[round.variant].name.clone(),
                    notice: Box::new(notice.clone()),
                });
            }
        }
    }
    notices.extend(figures::warming_up(info, rounds));
    notices
}
