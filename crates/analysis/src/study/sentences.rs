//! What a study says in words.

use super::{EffectVerdict, MeasuredPart, Parts, State, StudyFindings, StudyVerdict, part};
use plimsoll_measure::folder::ProgramFigures;
use plimsoll_plan::{Bound, Direction, Effect};

/// When an effect counts as reproduced, one fragment.
pub(super) fn rule(bound: Bound) -> String {
    match bound {
        Bound::Ratio { least_share: 0.0, .. } => "on the same side of 1 with its whole interval".to_owned(),
        Bound::Ratio { least_share, .. } => format!(
            "on the same side of 1 with its whole interval, and at least {:.0} % as large",
            least_share * 100.0
        ),
        Bound::Same { within } => format!("at most {:.0} % more or less than 1", within * 100.0),
        Bound::Direction(Direction::More) => "above 1 with its whole interval".to_owned(),
        Bound::Direction(Direction::Less) => "below 1 with its whole interval".to_owned(),
        Bound::AtLeast(_) => "at least the bound with its whole interval".to_owned(),
        Bound::AtMost(_) => "at most the bound with its whole interval".to_owned(),
    }
}

pub(super) fn not_measured(effect: &Effect, parts: Parts<'_>) -> String {
    let against = effect.against.as_ref().map(|value| &value.measurement);
    for name in [Some(&effect.here.measurement), against].into_iter().flatten() {
        match part(parts, name).map(MeasuredPart::state) {
            Some(State::Usable) => {}
            Some(State::Invalid) => return format!("the generator was late in {name}"),
            Some(State::Interrupted) => return format!("{name} was stopped"),
            Some(State::Failed) => return format!("{name} could not be measured"),
            None => return format!("{name} was not begun"),
        }
    }
    "the measurement has no such figure".to_owned()
}

pub(super) fn printed(printed: &ProgramFigures) -> String {
    let names: Vec<&str> = printed.figures.keys().map(String::as_str).collect();
    format!("The program printed {}", names.join(", "))
}

pub(super) fn headline(findings: &StudyFindings) -> String {
    let with = |verdict| {
        let effects = findings.effects.iter().filter(move |effect| effect.verdict == verdict);
        effects.map(|effect| effect.name.as_str()).collect::<Vec<_>>()
    };
    let reproduced = with(EffectVerdict::Reproduced).len();
    let judged = findings.effects.len() - with(EffectVerdict::Shown).len();
    let besides: Vec<String> = [
        ("smaller here", EffectVerdict::Weaker),
        ("not here", EffectVerdict::NotReproduced),
        ("cannot be told", EffectVerdict::Untold),
        ("the other way here", EffectVerdict::Reversed),
        ("not measured", EffectVerdict::NotMeasured),
    ]
    .into_iter()
    .filter(|(_, verdict)| !with(*verdict).is_empty())
    .map(|(words, verdict)| match with(verdict) {
        all if all.len() == judged => words.to_owned(),
        some => format!("{words}: {}", some.join(", ")),
    })
    .collect();
    let besides = besides.join("; ");
    match findings.verdict {
        StudyVerdict::Reproduced if judged == 1 => "The published effect is here as well".to_owned(),
        StudyVerdict::Reproduced => format!("All {judged} published effects are here as well"),
        StudyVerdict::Partly => format!("{reproduced} of {judged} published effects are here as well; {besides}"),
        StudyVerdict::NotReproduced => format!("What was published does not show here; {besides}"),
        StudyVerdict::Untold => format!("Too noisy to tell whether it is here; {besides}"),
        StudyVerdict::Shown => "No figure was published; what was measured here is shown".to_owned(),
        StudyVerdict::Invalid => format!("The generator was late, so not all is said; {besides}"),
        StudyVerdict::Interrupted => format!("Stopped before the end; {besides}"),
        StudyVerdict::Failed => format!("Not everything could be measured; {besides}"),
    }
    .trim_end_matches("; ")
    .to_owned()
}

pub(super) fn next_step(findings: &StudyFindings) -> &'static str {
    match findings.verdict {
        StudyVerdict::Reproduced | StudyVerdict::Shown => {
            "Try the same on your service: the study's README says with which command."
        }
        StudyVerdict::Partly | StudyVerdict::NotReproduced => {
            "Read what differs: a result that does not carry over is a result."
        }
        StudyVerdict::Untold => "Run it again with more rounds, such as --rounds 20, or on a quieter machine.",
        StudyVerdict::Invalid => "Run it again on a quieter machine; `plimsoll doctor` checks this one.",
        StudyVerdict::Interrupted => "Run it again to its end.",
        StudyVerdict::Failed => "See below why, mend it, and run the study again.",
    }
}
