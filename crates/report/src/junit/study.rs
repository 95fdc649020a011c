//! A study as JUnit XML: a test case for the whole and one for each effect. None fails for not being here: that is a
//! result.

use super::{Outcome, output, suite};
use crate::words;
use plimsoll_findings::{EffectVerdict, ResponsesFinding, StudyFindings, StudyVerdict};

/// One suite.
pub(crate) fn study(study: &StudyFindings) -> String {
    let mut cases = vec![("verdict".to_owned(), whole(study))];
    for effect in &study.effects {
        let outcome = match effect.verdict {
            EffectVerdict::NotMeasured => Outcome::Skipped(words::effect_because(&effect.because)),
            _ => Outcome::Passed,
        };
        cases.push((effect.name.clone(), outcome));
    }
    let named = study.measurements.iter().flat_map(|measurement| {
        let of = |responses: &ResponsesFinding| format!("{}, {}", measurement.name, words::responses_of(&responses.of));
        measurement
            .responses
            .iter()
            .map(move |responses| (of(responses), responses))
    });
    let output = output(named, &study.notices);
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
        StudyVerdict::Failed | StudyVerdict::Interrupted | StudyVerdict::Invalid => Outcome::Error(format!(
            "{}\nNext: {}",
            words::study_headline(&study.headline),
            words::study_next_step(study.verdict)
        )),
        StudyVerdict::Reproduced
        | StudyVerdict::Partly
        | StudyVerdict::NotReproduced
        | StudyVerdict::Untold
        | StudyVerdict::Shown => Outcome::Passed,
    }
}
