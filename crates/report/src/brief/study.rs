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
    let (shown, judged): (Vec<_>, Vec<_>) = study.effects.iter().partition(|effect| words::is_only_shown(effect));
    for effect in judged {
        let (_, word) = words::effect_verdict(effect.verdict);
        brief.fact(word, &format!("{}: {}", effect.name, words::effect_why(effect)));
    }
    let shown = shown.into_iter().map(|effect| {
        let [_, here, ..] = words::effect(effect);
        format!("{} {here}", effect.name)
    });
    let shown: Vec<String> = shown.collect();
    if !shown.is_empty() {
        brief.fact("shown", &shown.join("; "));
    }
    brief.notices(&study.notices);
    brief.finish()
}
