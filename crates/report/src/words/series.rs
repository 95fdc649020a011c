//! What comparisons, sweeps and studies come to, and what to do next.

use super::{headline, metric};
use crate::figures::{self, length_s, rate, share, signed_share};
use plimsoll_findings::{
    Besides, Changed, CompareHeadline, CompareNextStep, EffectBecause, EffectVerdict, FigureOf, MeasuredBy,
    MeasurementHeadline, Parameter, ResponsesOf, RoundFinding, Rule, ScaleHeadline, ScaleNextStep, StudyHeadline,
    StudyVerdict, Unused, WhatIsHere,
};

/// One sentence without its end.
pub(crate) fn compare_headline(headline: &CompareHeadline) -> String {
    let subject = |variant: &Option<String>| variant.clone().unwrap_or_else(|| "a variant".to_owned());
    match headline {
        CompareHeadline::Better { variant, better } => {
            format!("{} is better: {}", subject(variant), changes(better))
        }
        CompareHeadline::Worse { variant, worse } => format!("{} is worse: {}", subject(variant), changes(worse)),
        CompareHeadline::Mixed { variant, worse, better } => format!(
            "{} is worse in one thing and better in another: {}; {}",
            subject(variant),
            changes(worse),
            changes(better)
        ),
        CompareHeadline::NoDifference { figure, bound } => {
            format!("No difference larger than {} in {}", share(*bound), metric(*figure))
        }
        CompareHeadline::Held {
            figure,
            threshold,
            change,
            at_most,
            worse,
        } => {
            let loss = match worse {
                true => format!("Worse, but by less than {}", share(*threshold)),
                false => format!("No loss of {}", share(*threshold)),
            };
            let most = if figure.lower_is_better() {
                "at most"
            } else {
                "at least"
            };
            format!(
                "{loss}: {} {}, {most} {}",
                metric(*figure),
                signed_share(*change),
                signed_share(*at_most)
            )
        }
        CompareHeadline::Unseen {
            figure,
            threshold,
            sees,
            within_s,
            change,
            low,
            high,
        } => {
            let why = match sees > threshold {
                true => format!(
                    "In {} this machine sees a loss of {}, not one of {}",
                    length_s(*within_s),
                    share(*sees),
                    share(*threshold)
                ),
                false => format!("Between no loss and one of {}", share(*threshold)),
            };
            format!(
                "{why}: {} {} ({} to {})",
                metric(*figure),
                signed_share(*change),
                signed_share(*low),
                signed_share(*high)
            )
        }
        CompareHeadline::GeneratorLate { late, rounds } => {
            format!("The generator was late in {late} of {rounds} rounds: no verdict")
        }
        CompareHeadline::Interrupted { made, wanted } => {
            let of = wanted.map_or(String::new(), |wanted| format!(" of {wanted}"));
            format!("Stopped after {made}{of} rounds; the figures are those of the complete blocks")
        }
        CompareHeadline::CouldNotGoOn { why } => format!("The comparison could not go on: {why}"),
        CompareHeadline::NothingFailed => {
            "Load lines above which nothing failed cannot be compared: any of them may be higher".to_owned()
        }
        CompareHeadline::TooFewRounds => "Too few rounds could be used for a verdict".to_owned(),
    }
}

fn changes(changed: &[Changed]) -> String {
    let change = |changed: &Changed| {
        let of = changed.variant.as_ref().map(|variant| format!("{variant}: "));
        format!(
            "{}{} {} ({} to {})",
            of.unwrap_or_default(),
            metric(changed.figure),
            signed_share(changed.change),
            signed_share(changed.low),
            signed_share(changed.high)
        )
    };
    changed.iter().map(change).collect::<Vec<_>>().join(", ")
}

/// One sentence with its end.
pub(crate) fn compare_next_step(step: CompareNextStep) -> String {
    match step {
        CompareNextStep::Keep => "Keep it; `plimsoll capacity` finds what it gains in load.".to_owned(),
        CompareNextStep::SeeCosts => "Look for what the change adds to each request before you keep it.".to_owned(),
        CompareNextStep::Decide => "Decide which of these figures matters for this service.".to_owned(),
        CompareNextStep::MoreRounds { detectable, rounds } => format!(
            "A difference of {} would have been found in 4 of 5 such comparisons; `--rounds {rounds}` finds one of half that \
             size.",
            share(detectable)
        ),
        CompareNextStep::MoreTime {
            threshold,
            needs_s,
            sees,
        } => {
            let time = needs_s.map(|needs_s| {
                let minutes = (needs_s / 60.0).ceil();
                format!(
                    "`--within {minutes}m` finds a loss of {} on a machine as noisy as this. ",
                    share(threshold)
                )
            });
            format!(
                "{}A loss of {} is found in the time that there was; `plimsoll doctor --noise` says what disturbs.",
                time.unwrap_or_default(),
                share(sees)
            )
        }
        CompareNextStep::Merge => "Nothing that was measured speaks against this change.".to_owned(),
        CompareNextStep::RelieveGenerator => {
            "Run it again at a lower rate, or give the generator more cores; `plimsoll doctor` checks this machine."
                .to_owned()
        }
        CompareNextStep::SearchFurther => {
            "Let the searches go on until something fails: raise `search.max` or `search.budget` in the plan."
                .to_owned()
        }
        CompareNextStep::RunToEnd => "Run it again to its end for a verdict.".to_owned(),
        CompareNextStep::SeeServiceLog => {
            "See what the service wrote: service.log in the newest run directory of the comparison.".to_owned()
        }
    }
}

/// Why a round is not used.
#[must_use]
pub fn unused(because: &Unused) -> String {
    match because {
        Unused::LostRecords => "records of it are lost".to_owned(),
        Unused::CameTo { headline: came_to } => headline(came_to),
        Unused::Cold => "the first rounds of each variant find everything cold".to_owned(),
        Unused::BlockIncomplete => "another round of its block could not be used".to_owned(),
    }
}

/// What a round was good for.
pub(crate) fn use_of(round: &RoundFinding) -> String {
    match (&round.unused_because, round.used) {
        (_, true) => "used".to_owned(),
        (Some(because), false) => unused(because),
        (None, false) => "not used".to_owned(),
    }
}

/// One sentence without its end.
pub(crate) fn scale_headline(headline: &ScaleHeadline) -> String {
    match headline {
        ScaleHeadline::CouldNotGoOn { why } => format!("The sweep could not go on: {why}"),
        ScaleHeadline::TooFewSizes => "Too few sizes could be measured for a fit".to_owned(),
        ScaleHeadline::GeneratorLate => "The generator was late in too many rounds: no verdict".to_owned(),
        ScaleHeadline::StoppedEarly => "Stopped before enough sizes were measured for a fit".to_owned(),
        ScaleHeadline::LevelsOff { per_s, sizes } => format!(
            "Throughput levels off towards {}; up to {} {} no peak is proven",
            rate(*per_s),
            sizes.greatest,
            sizes.sizes_of
        ),
        ScaleHeadline::MayPeak { sizes } => format!(
            "Throughput levels off; whether it peaks is not known from up to {} {}",
            sizes.greatest, sizes.sizes_of
        ),
        ScaleHeadline::Grows { sizes } => format!(
            "Throughput grows with the {} up to {}: no peak is seen",
            sizes.sizes_of, sizes.greatest
        ),
        ScaleHeadline::NoPeak { sizes } => format!(
            "Throughput has no peak: it still grows at {} {}",
            sizes.greatest, sizes.sizes_of
        ),
        ScaleHeadline::Peaks { size, per_s, sizes } => {
            let beyond = match size.value > f64::from(sizes.greatest) {
                true => format!(", beyond the {} that were measured", sizes.greatest),
                false => String::new(),
            };
            format!(
                "Throughput peaks at {} {}{beyond}, with {}",
                with_interval(size, &figures::number),
                sizes.sizes_of,
                rate(*per_s)
            )
        }
    }
}

/// A parameter of the law with its interval.
pub(crate) fn with_interval(parameter: &Parameter, draw: &dyn Fn(f64) -> String) -> String {
    let range = match parameter.high {
        Some(high) => format!("{} to {}", draw(parameter.low), draw(high)),
        None => format!("{} or more", draw(parameter.low)),
    };
    format!("{} ({range})", draw(parameter.value))
}

/// One sentence with its end.
pub(crate) fn scale_next_step(step: ScaleNextStep) -> String {
    match step {
        ScaleNextStep::RunToEnd => "Run it again to its end.".to_owned(),
        ScaleNextStep::SeeService => {
            "Start the service by itself to see what is wrong, or give at least four sizes.".to_owned()
        }
        ScaleNextStep::MovePeak => {
            "More than the peak costs throughput; to move it, look for what all of them must agree on.".to_owned()
        }
        ScaleNextStep::RaiseCeiling { per_s } => format!(
            "No size brings more than {}; to raise that, look for what they do one after the other.",
            rate(per_s)
        ),
        ScaleNextStep::TellApart { size } => {
            format!("Measure larger sizes, up to {size} or more: there the two costs differ.")
        }
        ScaleNextStep::GoOn { greatest } => {
            format!("Measure larger sizes: up to {greatest} nothing is in the way.")
        }
    }
}

/// One sentence without its end.
pub(crate) fn study_headline(headline: &StudyHeadline) -> String {
    let judged = headline.judged;
    let besides = headline.besides.iter().map(|besides| left(besides, judged));
    let besides = besides.collect::<Vec<_>>().join("; ");
    let and = |text: &str| match besides.as_str() {
        "" => text.to_owned(),
        besides => format!("{text}; {besides}"),
    };
    match headline.code {
        StudyVerdict::Reproduced if judged == 1 => "The published effect is here as well".to_owned(),
        StudyVerdict::Reproduced => format!("All {judged} published effects are here as well"),
        StudyVerdict::Partly => and(&format!(
            "{} of {judged} published effects are here as well",
            headline.reproduced
        )),
        StudyVerdict::NotReproduced => and("Not reproduced"),
        StudyVerdict::Untold => and("Too noisy for a verdict"),
        StudyVerdict::Shown => "No figure was published; what was measured here is shown".to_owned(),
        StudyVerdict::Invalid => and("The generator was late, so not every effect has a verdict"),
        StudyVerdict::Interrupted => and("Stopped before the end"),
        StudyVerdict::Failed => and("Not everything could be measured"),
    }
}

/// Effects that are not here as they were published; all that were judged need no names.
fn left(besides: &Besides, judged: usize) -> String {
    let words = match besides.verdict {
        EffectVerdict::Weaker => "smaller here",
        EffectVerdict::NotReproduced => "not reproduced",
        EffectVerdict::Untold => "inconclusive",
        EffectVerdict::Reversed => "the other way here",
        EffectVerdict::NotMeasured => "not measured",
        EffectVerdict::Reproduced => "here as well",
        EffectVerdict::Shown => "shown",
    };
    match besides.effects.len() {
        all if all == judged => words.to_owned(),
        _ => format!("{words}: {}", besides.effects.join(", ")),
    }
}

/// One sentence with its end.
pub(crate) const fn study_next_step(verdict: StudyVerdict) -> &'static str {
    match verdict {
        StudyVerdict::Reproduced | StudyVerdict::Shown => {
            "Try the same on your service: the study's README says with which command."
        }
        StudyVerdict::Partly | StudyVerdict::NotReproduced => {
            "Read what differs: a result that does not carry over is a result."
        }
        StudyVerdict::Untold => "Run it again with more rounds, such as --rounds 20, or on a quieter machine.",
        StudyVerdict::Invalid => "Run it again on a quieter machine; `plimsoll doctor` checks this one.",
        StudyVerdict::Interrupted => "Run it again to its end.",
        StudyVerdict::Failed => "See below why, fix it, and run the study again.",
    }
}

/// Why an effect has its verdict.
pub(crate) fn effect_because(because: &EffectBecause) -> String {
    match because {
        EffectBecause::SameDirection => "the same direction".to_owned(),
        EffectBecause::SameDirectionOfSize { share: size } => {
            format!("the same direction, {} of the published size", share(*size))
        }
        EffectBecause::SameDirectionWithoutEnd => "the same direction, and without end here".to_owned(),
        EffectBecause::OtherDirection => "the other direction".to_owned(),
        EffectBecause::IntervalHoldsBoth => "the interval holds both no effect and one that is large enough".to_owned(),
        EffectBecause::NoEffect => "no effect, or one that is not large enough".to_owned(),
        EffectBecause::Same => "the same here".to_owned(),
        EffectBecause::SameAndInterval => "the same here, but the interval reaches further".to_owned(),
        EffectBecause::NotSame => "not the same here".to_owned(),
        EffectBecause::Inside => "inside the bound".to_owned(),
        EffectBecause::InsideAndInterval => "inside the bound, but the interval reaches across it".to_owned(),
        EffectBecause::Outside => "outside the bound".to_owned(),
        EffectBecause::NothingPublished => "nothing was published of it".to_owned(),
        EffectBecause::GeneratorLate { measurement } => format!("the generator was late in {measurement}"),
        EffectBecause::Stopped { measurement } => format!("{measurement} was stopped"),
        EffectBecause::NotMeasured { measurement } => format!("{measurement} could not be measured"),
        EffectBecause::NotBegun { measurement } => format!("{measurement} was not begun"),
        EffectBecause::NoSuchFigure => "the measurement has no such figure".to_owned(),
    }
}

/// When an effect counts as reproduced.
pub(crate) fn rule(rule: Rule) -> String {
    match rule {
        Rule::SameSide { least_share: 0.0 } => "on the same side of 1 with its whole interval".to_owned(),
        Rule::SameSide { least_share } => format!(
            "on the same side of 1 with its whole interval, and at least {} as large",
            share(least_share)
        ),
        Rule::Within { within } => format!("at most {} more or less than 1", share(within)),
        Rule::Above => "above 1 with its whole interval".to_owned(),
        Rule::Below => "below 1 with its whole interval".to_owned(),
        Rule::AtLeast => "at least the bound with its whole interval".to_owned(),
        Rule::AtMost => "at most the bound with its whole interval".to_owned(),
    }
}

/// What a measurement of a study came to.
pub(crate) fn measurement_headline(came_to: &MeasurementHeadline) -> String {
    match came_to {
        MeasurementHeadline::Compared { headline } => compare_headline(headline),
        MeasurementHeadline::Scaled { headline } => scale_headline(headline),
        MeasurementHeadline::Ran { headline: ran } => headline(ran),
        MeasurementHeadline::Printed { figures } => format!("The program printed {}", figures.join(", ")),
        MeasurementHeadline::Failed { why } => why.clone(),
    }
}

/// What a measurement is, as a study writes it.
pub(crate) const fn measured_by(kind: MeasuredBy) -> &'static str {
    match kind {
        MeasuredBy::Compare => "compare",
        MeasuredBy::Scale => "scale",
        MeasuredBy::Capacity => "capacity",
        MeasuredBy::Run => "run",
        MeasuredBy::Command => "command",
    }
}

/// Which figure was read off which measurement.
pub(crate) fn what_is_here(what: &WhatIsHere) -> String {
    match what {
        WhatIsHere::Compared { figure, variant, first } => format!("{}, {variant} ÷ {first}", metric(*figure)),
        WhatIsHere::Read { figure, against } => {
            let ((name, of), other) = (figure_of(figure), against.as_ref().map(figure_of));
            match other {
                None => format!("{name}, {of}"),
                Some((same, against)) if same == name => format!("{name}, {of} ÷ {against}"),
                Some((other, against)) if against == of => format!("{name} ÷ {other}, {of}"),
                Some((other, against)) => format!("{name}, {of} ÷ {other}, {against}"),
            }
        }
    }
}

fn figure_of(figure: &FigureOf) -> (&str, String) {
    let name = match figure.figure {
        Some(figure) => metric(figure),
        None => figure.name.as_deref().unwrap_or_default(),
    };
    let size = figure.size.map(|size| format!(" at {size}"));
    (name, format!("{}{}", figure.measurement, size.unwrap_or_default()))
}

/// To what responses came back.
pub(crate) fn responses_of(of: &ResponsesOf) -> &str {
    match of {
        ResponsesOf::Run => "all",
        ResponsesOf::AllSizes => "all sizes",
        ResponsesOf::Variant { name } => name,
    }
}
