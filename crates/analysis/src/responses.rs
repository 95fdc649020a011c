//! What came back in several runs together.

use crate::findings::{ErrorFinding, Findings};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What came back to one variant of a comparison, in a sweep, or in a measurement of a study.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ResponsesFinding {
    /// To which variant, or in what.
    pub of: String,
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

impl ResponsesFinding {
    /// Of one run.
    pub(crate) fn of_run(of: &str, findings: &Findings) -> Self {
        let totals = &findings.totals;
        Self {
            of: of.to_owned(),
            finished: totals.passed.saturating_add(totals.errors),
            status: totals.status,
            status_other: totals.status_other,
            errors: findings.errors.clone(),
        }
    }

    /// Of several.
    pub(crate) fn together<'a>(of: &str, runs: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut all = Self {
            of: of.to_owned(),
            ..Self::default()
        };
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
    use crate::findings::ExampleFinding;

    fn run(passed: u64, errors: &[(&str, u64, Option<&str>)]) -> ResponsesFinding {
        let failed: u64 = errors.iter().map(|(_, count, _)| count).sum();
        let error = |&(class, count, found): &(&str, u64, Option<&str>)| ErrorFinding {
            class: class.to_owned(),
            count,
            share: count as f64 / (passed + failed) as f64,
            meaning: format!("what {class} means"),
            generators_own: false,
            charged: true,
            example: found.map(|found| ExampleFinding {
                at_s: 1.0,
                expected: String::new(),
                found: found.to_owned(),
                received: String::new(),
            }),
        };
        ResponsesFinding {
            of: "a run".to_owned(),
            finished: passed + failed,
            status: [0, passed, 0, 0, failed],
            status_other: 1,
            errors: errors.iter().map(error).collect(),
        }
    }

    #[test]
    fn runs_are_summed_and_the_first_example_of_each_class_is_kept() {
        let runs = [
            run(90, &[("status", 8, None), ("reset", 2, Some("first reset"))]),
            run(100, &[]),
            run(180, &[("reset", 12, Some("later reset")), ("status", 8, Some("500"))]),
        ];
        let all = ResponsesFinding::together("a", &runs);
        assert_eq!((all.of.as_str(), all.finished, all.status_other), ("a", 400, 3));
        assert_eq!(all.status, [0, 370, 0, 0, 30]);
        let errors: Vec<_> = all
            .errors
            .iter()
            .map(|e| {
                (
                    e.class.as_str(),
                    e.count,
                    e.share,
                    e.example.as_ref().map(|e| e.found.as_str()),
                )
            })
            .collect();
        assert_eq!(
            errors,
            [
                ("status", 16, 0.04, Some("500")),
                ("reset", 14, 0.035, Some("first reset"))
            ]
        );
        assert_eq!(ResponsesFinding::together("none", []).finished, 0);
    }
}
