//! What a study comes to and what to do next, from its findings.

use plimsoll_findings::{Besides, EffectVerdict, StudyFindings, StudyHeadline};

pub(super) fn headline(findings: &StudyFindings) -> StudyHeadline {
    let with = |verdict| {
        let effects = findings.effects.iter().filter(move |effect| effect.verdict == verdict);
        effects.map(|effect| effect.name.clone()).collect::<Vec<_>>()
    };
    let besides = [
        EffectVerdict::Weaker,
        EffectVerdict::NotReproduced,
        EffectVerdict::Untold,
        EffectVerdict::Reversed,
        EffectVerdict::NotMeasured,
    ];
    StudyHeadline {
        code: findings.verdict,
        reproduced: with(EffectVerdict::Reproduced).len(),
        judged: findings.effects.len() - with(EffectVerdict::Shown).len(),
        besides: besides
            .into_iter()
            .map(|verdict| Besides {
                verdict,
                effects: with(verdict),
            })
            .filter(|besides| !besides.effects.is_empty())
            .collect(),
    }
}
