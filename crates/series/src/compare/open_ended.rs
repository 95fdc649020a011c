//! Load lines above which nothing failed, compared: any of them may be higher.

use super::made::{self, round};
use super::{CompareHeadline, CompareNextStep, CompareVerdict, ComparedRound, Comparison, FigureVerdict, compare};
use plimsoll_findings::{EndedBecause, Metric, Notice};
use plimsoll_measure::run_directory::{ComparisonInfo, Prediction};

/// A load line, and why nothing failed above it, where nothing did.
type Line = (f64, Option<EndedBecause>);

const PASSED: Option<EndedBecause> = Some(EndedBecause::MaxPassed);

/// Four blocks of searches after one that is not used. The lines of a variant differ by up to 0.3 %.
fn compared_with(lines: [Line; 2], cpu_us: Option<f64>) -> Comparison {
    let info = ComparisonInfo {
        unused_blocks: 1,
        blocks: 4,
        fail_if_worse: Some(0.05),
        prediction: Some(Prediction {
            diagnosis: "diagnosis".to_owned(),
            cause: "json-parse".to_owned(),
            factor: 1.5,
            low: Some(1.4),
            high: Some(1.6),
            at_least: false,
        }),
        ..made::info(&["a", "b"])
    };
    let rounds: Vec<ComparedRound> = (0..10)
        .map(|number| {
            let (block, variant) = (number / 2, (number % 2) as usize);
            let (per_s, open_ended) = lines[variant];
            ComparedRound {
                load_line_per_s: Some(per_s * (1.0 + f64::from(block % 4) / 1000.0)),
                open_ended,
                cpu_us_per_request: cpu_us,
                ..round(number, block, variant)
            }
        })
        .collect();
    compare(&info, &rounds)
}

fn compared(lines: [Line; 2]) -> Comparison {
    compared_with(lines, Some(200.0))
}

/// The verdict on the load line, `None` where it is not judged; and how many of the rounds are said to have an open end.
#[track_caller]
fn check(lines: [Line; 2], expected: Option<FigureVerdict>, open: Option<usize>) -> Comparison {
    let comparison = compared(lines);
    let line = comparison
        .figures
        .iter()
        .find(|figure| figure.figure == Metric::LoadLine);
    assert_eq!(line.map(|line| line.verdict), expected, "{lines:?}");
    let said = comparison.notices.iter().find_map(|notice| match notice {
        Notice::LoadLinesOpenEnded { rounds, used: 8, .. } => Some(*rounds),
        _ => None,
    });
    assert_eq!(said, open, "{lines:?}");
    comparison
}

#[test]
fn lines_above_which_something_failed_are_judged() {
    check(
        [(1000.0, None), (1000.0, None)],
        Some(FigureVerdict::NoDifference),
        None,
    );
    check([(1000.0, None), (1500.0, None)], Some(FigureVerdict::Better), None);
    let held = compared([(1000.0, None), (1500.0, None)]).prediction;
    assert_eq!(held.and_then(|prediction| prediction.held), Some(true));
}

#[test]
fn lines_at_the_most_that_was_offered_do_not_come_to_no_difference() {
    let comparison = check([(1000.0, PASSED), (1000.0, PASSED)], None, Some(8));
    // What a request costs there is known.
    let CompareHeadline::NoDifference { figure, .. } = comparison.headline else {
        panic!("{:?}", comparison.headline);
    };
    assert_eq!(figure, Metric::CpuPerRequest);
    assert_eq!(comparison.next_step, CompareNextStep::SearchFurther);
    let spent = Some(EndedBecause::BudgetSpent);
    check([(800.0, spent), (1000.0, spent)], None, Some(8));
    check([(1000.0, PASSED), (1000.0, None)], None, Some(4));
}

#[test]
fn without_cpu_nothing_is_left_to_judge() {
    let comparison = compared_with([(1000.0, PASSED), (1000.0, PASSED)], None);
    assert_eq!(comparison.verdict, CompareVerdict::Failed);
    assert_eq!(
        (comparison.headline, comparison.next_step),
        (CompareHeadline::NothingFailed, CompareNextStep::SearchFurther)
    );
}

/// A line that is lower than one that may be even higher is lower.
#[test]
fn a_difference_that_can_only_be_greater_is_judged() {
    let better = check([(900.0, None), (1000.0, PASSED)], Some(FigureVerdict::Better), Some(4));
    let prediction = better.prediction.expect("a prediction");
    assert_eq!(
        (prediction.held, prediction.proven),
        (None, None),
        "it is at least 1.11"
    );
    let worse = check([(1000.0, PASSED), (900.0, None)], Some(FigureVerdict::Worse), Some(4));
    assert!(worse.failed);
    // The lower one may be the higher one.
    check([(1000.0, None), (900.0, PASSED)], None, Some(4));
    check([(900.0, PASSED), (1000.0, None)], None, Some(4));
}

/// One that had to end early is as open as four.
#[test]
fn one_open_end_among_those_that_are_used_counts() {
    let info = ComparisonInfo {
        unused_blocks: 1,
        blocks: 4,
        ..made::info(&["a", "b"])
    };
    let verdict = |open_in: u32| {
        let rounds: Vec<ComparedRound> = (0..10)
            .map(|number| ComparedRound {
                load_line_per_s: Some(1000.0 + f64::from(number % 3)),
                open_ended: PASSED.filter(|_| number == open_in),
                ..round(number, number / 2, (number % 2) as usize)
            })
            .collect();
        compare(&info, &rounds).verdict
    };
    assert_eq!(verdict(5), CompareVerdict::Failed);
    assert_eq!(verdict(1), CompareVerdict::NoDifference, "it is not used");
}
