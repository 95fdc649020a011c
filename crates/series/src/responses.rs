//! What came back in several runs together.

use plimsoll_findings::{Findings, ResponsesFinding, ResponsesOf};

/// Of one run.
#[must_use]
pub fn responses_of_run(findings: &Findings) -> ResponsesFinding {
    let totals = &findings.totals;
    ResponsesFinding {
        of: ResponsesOf::Run,
        finished: totals.passed.saturating_add(totals.errors),
        status: totals.status,
        status_other: totals.status_other,
        errors: findings.errors.clone(),
    }
}

/// Of several.
#[must_use]
pub fn responses_together<'a>(
    of: ResponsesOf,
    runs: impl IntoIterator<Item = &'a ResponsesFinding>,
) -> ResponsesFinding {
    let mut all = ResponsesFinding {
        of,
        ..ResponsesFinding::default()
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

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_findings::{ErrorFinding, ExampleFinding, FailureClass};
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
        let all = responses_together(ResponsesOf::AllSizes, &runs);
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
        assert_eq!(responses_together(ResponsesOf::Run, []).finished, 0);
    }
}
