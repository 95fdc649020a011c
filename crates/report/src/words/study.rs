//! Studies and their effects in words.

use super::Tone;
use super::objective::in_unit;
use super::series::{effect_because, rule, what_is_here};
use crate::figures;
use plimsoll_findings::{
    EffectBecause, EffectFinding, EffectVerdict, HereFinding, PublishedDirection, PublishedFinding, SizeFinding,
    StudyVerdict,
};

pub(crate) fn study_verdict(verdict: StudyVerdict) -> (Tone, &'static str) {
    match verdict {
        StudyVerdict::Reproduced => (Tone::Good, "reproduced"),
        StudyVerdict::Partly => (Tone::Doubtful, "partly reproduced"),
        StudyVerdict::NotReproduced => (Tone::Unknown, "not reproduced"),
        StudyVerdict::Untold => (Tone::Doubtful, "too noisy"),
        StudyVerdict::Shown => (Tone::Unknown, "shown"),
        StudyVerdict::Invalid => (Tone::Doubtful, "invalid"),
        StudyVerdict::Interrupted => (Tone::Doubtful, "interrupted"),
        StudyVerdict::Failed => (Tone::Bad, "failed"),
    }
}

pub(crate) fn effect_verdict(verdict: EffectVerdict) -> (Tone, &'static str) {
    match verdict {
        EffectVerdict::Reproduced => (Tone::Good, "reproduced"),
        EffectVerdict::Weaker => (Tone::Doubtful, "weaker"),
        EffectVerdict::NotReproduced => (Tone::Unknown, "not reproduced"),
        EffectVerdict::Untold => (Tone::Doubtful, "cannot tell"),
        EffectVerdict::Reversed => (Tone::Bad, "reversed"),
        EffectVerdict::Shown => (Tone::Unknown, "shown"),
        EffectVerdict::NotMeasured => (Tone::Bad, "not measured"),
    }
}

pub(crate) const EFFECT_HEADS: [&str; 4] = ["published", "here", "interval", "size"];

/// The ratio that was published, the one of here, its interval, and how large the one is of the other, in the order of
/// [`EFFECT_HEADS`]. A figure that has nothing to be a ratio to is shown itself.
pub(crate) fn effect(effect: &EffectFinding) -> [String; 4] {
    let here = effect.here.as_ref();
    let alone = |here: &HereFinding| effect.published.is_none() && here.from.is_none();
    let [value, interval] = match here {
        None => [None, None],
        Some(here) if alone(here) => {
            // Its ends are shares of it, unless it is nothing.
            let whole = if here.to > 0.0 { here.to } else { 1.0 };
            [
                Some(in_unit(here.to, here.unit)),
                interval(here, |end| in_unit(end * whole, here.unit)),
            ]
        }
        Some(here) => [
            Some(here.ratio.map_or("no end".to_owned(), figures::small)),
            interval(here, figures::small),
        ],
    };
    [
        figures::or_dash(effect.published.as_ref().map(published_ratio)),
        figures::or_dash(value),
        figures::or_dash(interval),
        figures::or_dash(effect.share_of_published.map(figures::share)),
    ]
}

fn interval(here: &HereFinding, draw: impl Fn(f64) -> String) -> Option<String> {
    match (here.low, here.high) {
        (Some(low), Some(high)) => Some(format!("{} to {}", draw(low), draw(high))),
        (Some(low), None) => Some(format!("above {}", draw(low))),
        (None, _) => None,
    }
}

fn published_ratio(published: &PublishedFinding) -> String {
    let bound = |sign: &str, bound: Option<f64>| bound.map(|bound| format!("{sign} {}", figures::small(bound)));
    let direction = published.direction.map(|direction| match direction {
        PublishedDirection::More => "more".to_owned(),
        PublishedDirection::Less => "less".to_owned(),
    });
    direction
        .or_else(|| bound("≥", published.at_least))
        .or_else(|| bound("≤", published.at_most))
        .or_else(|| published.ratio.map(figures::small))
        .unwrap_or_default()
}

/// How large it was measured.
pub(crate) fn study_size(size: &SizeFinding) -> String {
    let here = format!("{} {}", figures::count(size.here.into()), size.of);
    if size.here == size.asked {
        here
    } else {
        format!("{here}; the study asks for {}", figures::count(size.asked.into()))
    }
}

/// What was published, with its figures.
pub(crate) fn published(published: &PublishedFinding) -> String {
    match (published.from, published.to) {
        (Some(from), Some(to)) => format!("{} → {}, {}", figures::small(from), figures::small(to), published.what),
        _ => format!("{}, {}", published_ratio(published), published.what),
    }
}

/// What is here, with its figures.
pub(crate) fn here(here: &HereFinding) -> String {
    let to = in_unit(here.to, here.unit);
    let figures = match here.from {
        Some(from) => format!("{} → {to}", in_unit(from, here.unit)),
        None => to,
    };
    let steps = match here.steps {
        1 => String::new(),
        steps => format!(", {steps} steps"),
    };
    format!("{figures}, {}{steps}", what_is_here(&here.what))
}

/// Whether an effect has no verdict because nothing was published of it.
pub(crate) fn is_only_shown(effect: &EffectFinding) -> bool {
    matches!(effect.because, EffectBecause::NothingPublished)
}

/// Why an effect has its verdict, and when it counts as reproduced.
pub(crate) fn effect_why(effect: &EffectFinding) -> String {
    let because = effect_because(&effect.because);
    match effect.rule {
        Some(of) => format!("{because}; reproduced is: {}", rule(of)),
        None => because,
    }
}
