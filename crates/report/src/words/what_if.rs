//! What came of leaving something out of the service, in words. It was measured; what is predicted of causes has other words.

use super::comparison::change;
use super::notice::notice;
use super::responses::responses_beside;
use super::series::compare_headline;
use crate::figures::{self, number, share};
use plimsoll_findings::{CompareVerdict, Diagnosis, FigureFinding, Metric, WhatIf};

/// How these figures came about.
pub(crate) fn what_ifs(diagnosis: &Diagnosis) -> String {
    let confidence = diagnosis.what_if.first().map_or(0.0, |what_if| what_if.confidence);
    format!(
        "measured at {}: the probe left one thing out, in rounds that alternate with rounds of the service as it is; the \
         intervals of each comparison hold together with {} confidence",
        figures::known(diagnosis.rate_per_s, figures::rate),
        share(confidence)
    )
}

/// What was left out, and the cause that it is a part of.
pub(crate) fn what_if_title(what_if: &WhatIf) -> String {
    let cause = what_if.cause.map(|number| format!(", part of cause {number}"));
    format!("without {}{}", what_if.without, cause.unwrap_or_default())
}

/// What that gave.
pub(crate) fn what_if_result(what_if: &WhatIf) -> String {
    let gain = what_if.gain.map(|gain| {
        let [factor, low, high] = [gain.factor, gain.low, gain.high].map(number);
        format!("the same CPU is enough for × {factor} requests ({low} to {high})")
    });
    match (gain, what_if.verdict) {
        (Some(gain), CompareVerdict::Interrupted | CompareVerdict::Failed | CompareVerdict::Invalid) => {
            format!("{gain}; {}", compare_headline(&what_if.headline))
        }
        (Some(gain), _) => gain,
        (None, _) => compare_headline(&what_if.headline),
    }
}

/// A figure as it is, without the thing, and the change with its interval.
pub(crate) fn what_if_figure(figure: &FigureFinding) -> String {
    let [as_it_is, without, changed, interval, _] = change(figure);
    format!("{as_it_is} → {without}, {changed} ({interval})")
}

/// The figures with their names, and how many rounds they are from.
pub(crate) fn what_if_facts(what_if: &WhatIf) -> Vec<(&'static str, String)> {
    let figures = what_if.figures.iter();
    let mut facts: Vec<_> = figures
        .map(|figure| match figure.figure {
            Metric::CpuPerRequest => ("CPU", format!("per request {}", what_if_figure(figure))),
            _ => ("p99", what_if_figure(figure)),
        })
        .collect();
    facts.extend(what_if.responses_beside.map(|of| ("responses", responses_beside(&of))));
    facts.push((
        "rounds",
        format!(
            "{} used of each, in {}",
            figures::count(what_if.rounds_used.into()),
            what_if.directory
        ),
    ));
    facts.extend(what_if.notices.iter().map(|of| ("note", notice(of))));
    facts
}

/// All of it in one line.
pub(crate) fn what_if(what_if: &WhatIf) -> String {
    let facts = what_if_facts(what_if);
    let facts: Vec<_> = facts.iter().map(|(name, text)| format!("{name} {text}")).collect();
    format!(
        "{}: {}; {}",
        what_if_title(what_if),
        what_if_result(what_if),
        facts.join("; ")
    )
}
