//! A comparison as JUnit XML: a test case for the whole and one for each judged figure.

use super::{Outcome, named, output, suite};
use crate::words;
use plimsoll_findings::{CompareVerdict, Comparison, FigureFinding, FigureVerdict};

/// One suite. A case fails where the comparison does: beyond the threshold that was set.
pub(crate) fn comparison(comparison: &Comparison) -> String {
    let mut cases = vec![("verdict".to_owned(), whole(comparison))];
    for figure in comparison.figures.iter().filter(|figure| figure.judged) {
        let name = format!("{}: {}", figure.variant, words::metric(figure.figure));
        cases.push((name, judged(comparison.verdict, figure)));
    }
    suite(
        &cases,
        words::command(comparison),
        &comparison.name,
        &comparison.started_at,
        comparison.duration_s,
        &output(named(&comparison.responses), &comparison.notices),
    )
}

fn whole(comparison: &Comparison) -> Outcome {
    let message = || {
        let next = words::compare_next_step(comparison.next_step);
        format!("{}\nNext: {next}", words::compare_headline(&comparison.headline))
    };
    match comparison.verdict {
        CompareVerdict::Invalid | CompareVerdict::Interrupted | CompareVerdict::Failed => Outcome::Error(message()),
        // It has not passed, and a build server that counts tests must not count it as such.
        CompareVerdict::Inconclusive => Outcome::Skipped(message()),
        _ if comparison.failed => Outcome::Failed(message()),
        _ => Outcome::Passed,
    }
}

fn judged(whole: CompareVerdict, figure: &FigureFinding) -> Outcome {
    let [_, _, change, interval, _] = words::change(figure);
    let found = || format!("{change}, interval {interval}");
    let has_ended = !matches!(
        whole,
        CompareVerdict::Invalid | CompareVerdict::Interrupted | CompareVerdict::Failed
    );
    match figure.verdict {
        // Nothing has passed where the whole has no verdict.
        _ if !has_ended => Outcome::Skipped(format!("no verdict: {}", found())),
        _ if figure.failed => Outcome::Failed(found()),
        FigureVerdict::Undecided => Outcome::Skipped(found()),
        _ => Outcome::Passed,
    }
}
