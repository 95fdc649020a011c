//! What a check comes to where some of what it would go by is not known.

use super::made::{self, round};
use super::{
    CompareHeadline, CompareNextStep, CompareVerdict, ComparedRound, Comparison, FigureVerdict, Metric, compare,
};
use plimsoll_findings::{GateDecision, Headline, Unused};
use plimsoll_measure::run_directory::{ComparisonInfo, Ended, Gate, Look};

const LAST: Look = Look {
    blocks: 12,
    time_share: 1.0,
};

fn info(looks: &[Look]) -> ComparisonInfo {
    ComparisonInfo {
        gate: Some(Gate {
            threshold: 0.05,
            within_s: 600.0,
            fail_if_inconclusive: false,
            looks: looks.to_vec(),
            before: None,
        }),
        ..made::info(&["base", "working tree"])
    }
}

/// A thousandth or two on top of one.
fn scattered(number: u32) -> f64 {
    1.0 + f64::from(number * 7 % 5) / 2000.0
}

/// Rounds of a service and the same, of which `change` makes something else.
fn rounds(blocks: u32, change: impl Fn(&mut ComparedRound)) -> Vec<ComparedRound> {
    let each = |number| {
        let block = number / 2;
        let place = if block % 2 == 0 { number % 2 } else { 1 - number % 2 };
        let scatter = scattered(number);
        let mut round = ComparedRound {
            cpu_us_per_request: Some(200.0 * scatter),
            p50_ms: Some(2.0 * scatter),
            p99_ms: Some(9.0 * scatter),
            throughput_per_s: Some(1000.0 * scatter),
            ..round(number, block, place as usize)
        };
        change(&mut round);
        round
    };
    (0..2 * blocks).map(each).collect()
}

fn is_of_tree(round: &ComparedRound) -> bool {
    round.variant == 1
}

/// The generator was late in it.
fn late(round: &mut ComparedRound) {
    came_to(round, Headline::GeneratorLate);
}

fn came_to(round: &mut ComparedRound, headline: Headline) {
    round.invalid = true;
    round.unused_because = Some(Unused::CameTo {
        headline: Box::new(headline),
    });
}

fn checked(change: impl Fn(&mut ComparedRound)) -> Comparison {
    compare(&info(&[LAST]), &rounds(14, change))
}

#[track_caller]
fn assert_passes_by_cpu(found: &Comparison, blocks: usize) {
    assert_eq!(found.verdict, CompareVerdict::Passed);
    assert_eq!(
        found.gate.as_ref().and_then(|gate| gate.metric),
        Some(Metric::CpuPerRequest)
    );
    assert_eq!(found.figures[0].figure, Metric::CpuPerRequest);
    assert_eq!(found.figures[0].block_changes.len(), blocks);
}

#[test]
fn late_round_without_cpu_costs_its_block_alone() {
    assert_passes_by_cpu(&checked(|_| {}), 12);
    assert_passes_by_cpu(&checked(late), 12);
    let without = |round: &mut ComparedRound| {
        if round.number == 9 {
            late(round);
            round.cpu_us_per_request = None;
        }
    };
    assert_passes_by_cpu(&checked(without), 11);
}

#[test]
fn no_other_metric_decides_where_cpu_is_not_known() {
    let found = checked(|round| round.cpu_us_per_request = None);
    assert_eq!(found.verdict, CompareVerdict::Inconclusive);
    assert_eq!(found.headline, CompareHeadline::TooFewRounds);
    let gate = found.gate.expect("a check");
    assert_eq!((gate.metric, gate.sees), (None, None));
    assert!(
        found.figures.iter().any(|figure| figure.verdict == FigureVerdict::Held),
        "p50 holds, and does not decide"
    );
}

#[test]
fn closed_check_with_late_rounds_alone_is_inconclusive() {
    let closed = ComparisonInfo {
        closed: true,
        ..info(&[LAST])
    };
    let found = compare(&closed, &rounds(14, |_| {}));
    assert_eq!(found.verdict, CompareVerdict::Passed);
    assert_eq!(found.gate.and_then(|gate| gate.metric), Some(Metric::Throughput));
    let found = compare(&closed, &rounds(14, late));
    assert_eq!(found.verdict, CompareVerdict::Inconclusive);
    assert_eq!(found.headline, CompareHeadline::GeneratorLate { late: 28, rounds: 28 });
    assert_eq!(found.next_step, CompareNextStep::RelieveGenerator);
}

/// Wrong responses are cheap, and a late generator does not make them.
#[test]
fn errors_of_late_rounds_fail_a_check() {
    let found = checked(|round| {
        late(round);
        if is_of_tree(round) {
            round.cpu_us_per_request = Some(50.0 * scattered(round.number));
            round.error_share = Some(0.3);
        }
    });
    assert_eq!(found.verdict, CompareVerdict::Worse);
    let failed: Vec<_> = found.figures.iter().filter(|figure| figure.failed).collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!((failed[0].figure, failed[0].block_changes.len()), (Metric::Errors, 12));
}

/// What an agent did not do is missing in what a request costs.
#[test]
fn rounds_that_lost_an_agent_are_not_used() {
    let found = checked(|round| match round.block {
        3 => came_to(round, Headline::AgentLost),
        4 => late(round),
        _ => {}
    });
    assert_eq!(found.figures[0].block_changes.len(), 11);
    assert_eq!(found.variants[0].rounds_used, 11);
}

/// Two rounds more than at the look, each at twice the cost.
#[test]
fn what_came_since_a_look_is_not_decided() {
    let look = Look {
        blocks: 6,
        time_share: 0.4,
    };
    let costs = |round: &mut ComparedRound| {
        if is_of_tree(round) {
            round.cpu_us_per_request = Some(400.0 * scattered(round.number));
        }
    };
    let stopped = |looks: &[Look], blocks| {
        let info = ComparisonInfo {
            ended: Some(Ended::Interrupted),
            ..info(looks)
        };
        compare(&info, &rounds(blocks, costs))
    };
    let seen = stopped(&[look], 8);
    assert_eq!(seen.gate.expect("a check").decision, GateDecision::Worse);
    for found in [stopped(&[look], 9), stopped(&[], 8)] {
        assert_eq!(found.verdict, CompareVerdict::Interrupted);
        let made = found.rounds.len();
        assert_eq!(found.headline, CompareHeadline::Interrupted { made, wanted: None });
        assert_eq!(found.gate.expect("a check").decision, GateDecision::Undecided);
        assert!(!found.failed);
        let is_open = |verdict| matches!(verdict, FigureVerdict::Undecided | FigureVerdict::Unjudged);
        assert!(found.figures.iter().all(|figure| is_open(figure.verdict)));
    }
}

#[test]
fn loss_of_throughput_that_is_seen_is_less_than_all_of_it() {
    let closed = ComparisonInfo {
        closed: true,
        ..info(&[LAST])
    };
    let found = compare(
        &closed,
        &rounds(14, |round| {
            let scatter = (f64::from(round.number * 7 % 5) - 2.0).exp();
            round.throughput_per_s = Some(1000.0 * scatter);
        }),
    );
    let sees = found.gate.and_then(|gate| gate.sees).expect("enough blocks");
    assert!((0.5..1.0).contains(&sees), "{sees}");
}

/// Between no loss and the threshold no time decides, so none is promised.
#[test]
fn time_that_was_enough_is_not_asked_for_again() {
    let found = |factor: f64, scatter: f64| {
        checked(|round| {
            let more = if is_of_tree(round) { factor } else { 1.0 };
            let cpu = 200.0 * more * (1.0 + scatter * (f64::from(round.number * 7 % 5) - 2.0));
            round.cpu_us_per_request = Some(cpu);
        })
    };
    let needs = |found: &Comparison| match found.next_step {
        CompareNextStep::MoreTime { needs_s, sees, .. } => (needs_s.is_some(), sees < 0.05),
        _ => panic!("{:?}", found.verdict),
    };
    assert_eq!(needs(&found(1.02, 0.1)), (true, false));
    let between = found(1.035, 0.013);
    assert_eq!(needs(&between), (false, true), "{:?}", between.headline);
}

/// A third variant may differ more than the second.
#[test]
fn no_difference_is_bounded_for_every_variant() {
    let info = made::info(&["a", "b", "c"]);
    let rounds: Vec<ComparedRound> = (0..42)
        .map(|number| {
            let variant = number as usize % 3;
            let scatter = if variant == 2 { 0.1 } else { 0.01 };
            let cpu = 200.0 * (1.0 + scatter * (f64::from(number * 11 % 7) - 3.0));
            ComparedRound {
                cpu_us_per_request: Some(cpu),
                ..round(number, number / 3, variant)
            }
        })
        .collect();
    let found = compare(&info, &rounds);
    let CompareHeadline::NoDifference { figure, bound } = found.headline else {
        panic!("{:?}", found.headline);
    };
    let of_third = found.figures.iter().find(|f| f.variant == "c" && f.figure == figure);
    let of_third = of_third.expect("a figure");
    assert_eq!(bound, of_third.change_low.abs().max(of_third.change_high.abs()));
}
