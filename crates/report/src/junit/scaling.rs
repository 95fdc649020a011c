//! A sweep as JUnit XML: one test case, which says whether it could be made.

use super::{Outcome, named, output, suite};
use crate::words;
use plimsoll_findings::{ScaleVerdict, Scaling};

/// One suite with one case.
pub(crate) fn scaling(scaling: &Scaling) -> String {
    let outcome = match scaling.verdict {
        ScaleVerdict::Fitted => Outcome::Passed,
        _ => Outcome::Error(format!(
            "{}\nNext: {}",
            words::scale_headline(&scaling.headline),
            words::scale_next_step(scaling.next_step)
        )),
    };
    suite(
        &[("verdict".to_owned(), outcome)],
        "scale",
        &scaling.name,
        &scaling.started_at,
        scaling.duration_s,
        &output(named(&scaling.responses), &scaling.notices),
    )
}
