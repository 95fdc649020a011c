//! A study as JUnit XML: a test case for the whole and one for each effect. None fails for not being here: that is a
//! result.

use super::{Outcome, output, suite};
use plimsoll_analysis::{EffectVerdict, ResponsesFinding, StudyFindings, StudyVerdict};

/// One suite.
pub(crate) fn study(study: &StudyFindings) -> String {
    let mut cases = vec![("verdict".to_owned(), whole(study))];
    for effect in &study.effects {
        let outcome = match effect.verdict {
            EffectVerdict::NotMeasured => Outcome::Skipped(effect.because.clone()),
            _ => Outcome::Passed,
        };
        cases.push((effect.name.clone(), outcome));
    }
    let named = study.measurements.iter().flat_map(|measurement| {
        measurement.responses.iter().map(|responses| ResponsesFinding {
            of: format!("{}, {}", measurement.name, responses.of),
            ..responses.clone()
        })
    });
    let output = output(&named.collect::<Vec<_>>(), &study.notices);
    suite(
        &cases,
        "study",
        &study.name,
        &study.started_at,
        study.duration_s,
        &output,
    )
}

fn whole(study: &StudyFindings) -> Outcome {
    match study.verdict {
        StudyVerdict::Failed | StudyVerdict::Interrupted | StudyVerdict::Invalid => {
            Outcome::Error(format!("{}\nNext: {}", study.headline, study.next_step))
        }
        StudyVerdict::Reproduced
        | StudyVerdict::Partly
        | StudyVerdict::NotReproduced
        | StudyVerdict::Untold
        | StudyVerdict::Shown => Outcome::Passed,
    }
}
