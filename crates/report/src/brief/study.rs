//! A study in brief.

use super::Brief;
use crate::terminal::Written;
use crate::words;
use plimsoll_findings::StudyFindings;

pub(crate) fn study(study: &StudyFindings, written: Written<'_>) -> String {
    let (_, word) = words::study_verdict(study.verdict);
    let mut brief = Brief::new(word, &study.title, &words::study_headline(&study.headline), written);
    brief.fact("next", words::study_next_step(study.verdict));
    brief.fact("question", &study.question);
    if let Some(size) = &study.size {
        brief.fact("size", &words::study_size(size));
    }
    for effect in &study.effects {
        let (_, word) = words::effect_verdict(effect.verdict);
        brief.fact(word, &format!("{}: {}", effect.name, words::effect_why(effect)));
    }
    brief.notices(&study.notices);
    brief.finish()
}
