//! What came back in several runs together.

use crate::findings::{ErrorFinding, Findings};
use schemars::JsonSchema;
use serde::Serialize;

/// What came back to one variant of a comparison, in a sweep, or in a measurement of a study.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct ResponsesFinding {
    /// To what.
    pub of: ResponsesOf,
    /// Requests that finished, those of warm-ups as well.
    pub finished: u64,
    /// Responses by first digit of the status; index 0 is 1xx.
    pub status: [u64; 5],
    /// Responses with a status outside 100 to 599.
    pub status_other: u64,
    /// Failures by class, most frequent first. The example is that of the first run that has one, its time since the
    /// beginning of that run.
    pub errors: Vec<ErrorFinding>,
}

/// To what responses came back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ResponsesOf {
    /// A run.
    #[default]
    Run,
    /// All sizes of a sweep.
    AllSizes,
    /// A variant of a comparison.
    Variant {
        /// Its name.
        name: String,
    },
}

impl ResponsesFinding {
    /// Of one run.
    pub(crate) fn of_run(findings: &Findings) -> Self {
        let totals = &findings.totals;
        Self {
            of: ResponsesOf::Run,
            finished: totals.passed.saturating_add(totals.errors),
            status: totals.status,
            status_other: totals.status_other,
            errors: findings.errors.clone(),
        }
    }

    /// Of several.
    pub(crate) fn together<'a>(of: ResponsesOf, runs: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut all = Self { of, ..Self::default() };
        for run in runs {
            all.finished = all.finished.saturating_add(run.finished);
            for (sum, count) in all.status.iter_mut().zip(run.status) {
                *sum = sum.saturating_add(count);
            }
            all.status_other = all.status_other.saturating_add(run.status_other);
            for error in &run.errors {
                match all.errors.iter_mut().find(|known| known.class == error.class) {
                    Some(known) => {
                        known.count = known.count.saturating_add(error.count);
                        known.charged |= error.charged;
                        known.example = known.example.take().or_else(|| error.example.clone());
                    }
                    None => all.errors.push(error.clone()),
                }
            }
        }
        for error in &mut all.errors {
            error.share = error.count as f64 / all.finished.max(1) as f64;
        }
        all.errors.sort_by_key(|error| std::cmp::Reverse(error.count));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{ExampleFinding, FailureClass};
    use plimsoll_measure::ErrorClass;

    const STATUS: FailureClass = FailureClass::Error(ErrorClass::Status);
    const RESET: FailureClass = FailureClass::Error(ErrorClass::Reset);

    fn run(passed: u64, errors: &[(FailureClass, u64, Option<&str>)]) -> ResponsesFinding {
        let failed: u64 = errors.iter().map(|(_, count, _)| count).sum();
        let error = |&(class, count, found): &(FailureClass, u64, Option<&str>)| ErrorFinding {
            class,
            count,
            share: count as f64 / (passed + failed) as f64,
            generators_own: false,
            charged: true,
            example: found.map(|found| ExampleFinding {
                at_s: 1.0,
                request: None,
                expected: String::new(),
                found: found.to_owned(),
                received: String::new(),
            }),
        };
        ResponsesFinding {
            of: ResponsesOf::Run,
            finished: passed + failed,
            status: [0, passed, 0, 0, failed],
            status_other: 1,
            errors: errors.iter().map(error).collect(),
        }
    }

    #[test]
    fn runs_are_summed_and_the_first_example_of_each_class_is_kept() {
        let runs = [
            run(90, &[(STATUS, 8, None), (RESET, 2, Some("first reset"))]),
            run(100, &[]),
            run(180, &[(RESET, 12, Some("later reset")), (STATUS, 8, Some("500"))]),
        ];
        let all = ResponsesFinding::together(ResponsesOf::AllSizes, &runs);
        assert_eq!(
            (&all.of, all.finished, all.status_other),
            (&ResponsesOf::AllSizes, 400, 3)
        );
        assert_eq!(all.status, [0, 370, 0, 0, 30]);
        let errors: Vec<_> = all
            .errors
            .iter()
            .map(|e| (e.class, e.count, e.share, e.example.as_ref().map(|e| e.found.as_str())))
            .collect();
        assert_eq!(
            errors,
            [(STATUS, 16, 0.04, Some("500")), (RESET, 14, 0.035, Some("first reset"))]
        );
        assert_eq!(ResponsesFinding::together(ResponsesOf::Run, []).finished, 0);
    }
}
