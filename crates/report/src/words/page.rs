//! Sentences that only a page has room for: what a section shows, and how far its figures can be trusted.

use super::asked::of_messages;
use super::{Tone, taken_at};
use crate::figures;
use plimsoll_findings::{Diagnosis, Findings, StepVerdict, Verdict};

/// With a capital, unless it begins with something that is written small, such as an objective.
pub(crate) fn sentence(text: &str) -> String {
    let word = text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len());
    let is_word = word > 0
        && text[word..]
            .strip_prefix(' ')
            .is_some_and(|rest| !rest.starts_with(['<', '>', '=']));
    if is_word {
        super::capitalised(text)
    } else {
        text.to_owned()
    }
}

/// Whether the generator kept up.
pub(crate) const fn kept_up(kept_up: Option<bool>) -> (Tone, &'static str) {
    match kept_up {
        Some(true) => (Tone::Good, "kept up"),
        Some(false) => (Tone::Doubtful, "was late"),
        None => (Tone::Unknown, "not judged"),
    }
}

/// What that means for the figures.
pub(crate) const fn trust(findings: &Findings) -> &'static str {
    match (findings.generator.kept_up, findings.load_line.is_some()) {
        (None, _) => "Nothing was judged, so whether it started its requests in time is unknown.",
        (Some(true), _) => "It started its requests in time, so the figures describe the service.",
        (Some(false), true) => "It was late in some steps; those are invalid and do not describe the service.",
        (Some(false), false) => "It did not start its requests in time, so the figures do not describe the service.",
    }
}

/// How the objectives were judged.
pub(crate) fn judged_how(findings: &Findings) -> String {
    if findings.verdict == Verdict::Invalid && findings.load_line.is_none() {
        return "The generator was late, so these figures do not describe the service.".to_owned();
    }
    let at = match findings.load_line {
        Some(_) => taken_at(findings),
        None => "window by window".to_owned(),
    };
    format!("In the order of their priority, judged {at}.")
}

/// What the chart of the steps shows.
pub(crate) fn tried(findings: &Findings) -> String {
    let breached = findings
        .steps
        .iter()
        .filter(|step| step.verdict == StepVerdict::Breached);
    let mut objectives = breached.flat_map(|step| &step.objectives);
    let pale = match objectives.any(|objective| objective.passed != Some(false)) {
        true => "; a pale mark belongs to a step that another objective broke",
        false => "",
    };
    format!("Every step by what it offered. Beyond a dashed bound the objective is breached{pale}.")
}

/// What a mark in the chart of the steps means.
pub(crate) fn step_mark(verdict: StepVerdict) -> (Tone, &'static str) {
    match verdict {
        StepVerdict::Invalid => (Tone::Doubtful, "invalid: the generator was late"),
        other => super::step_verdict(other),
    }
}

/// From where to where response times go.
pub(crate) fn times(findings: &Findings) -> String {
    let at = taken_at(findings);
    format!("From the scheduled start to the last byte, {at}. Service time leaves out the wait before the send.")
}

/// What the chart over time shows.
pub(crate) fn over_time(findings: &Findings) -> String {
    let steps = match findings.steps.len() {
        0 | 1 => "",
        _ => " Upright lines begin a step; the figure beside them is what it offered.",
    };
    let shades = match findings.timeline.iter().all(|point| point.judged) {
        true => "",
        false if findings.shock.is_some() => " Shaded parts are warm-up, and what came from the shock on.",
        false => " Shaded parts are warm-up or drain and not judged.",
    };
    format!("The run from its beginning to its end.{steps}{shades}")
}

/// Why there is nothing to show of the service.
pub(crate) const fn unsampled(findings: &Findings) -> &'static str {
    match findings.target_command {
        Some(_) => "Its CPU and memory could not be sampled.",
        None => "Its CPU and memory could not be sampled. Let plimsoll start it, or name its process, to see them.",
    }
}

/// What runs out first, and how the causes are ordered.
pub(crate) fn causes(diagnosis: &Diagnosis) -> String {
    format!(
        "The service is {}: {}. Causes are in the order of their predicted gain, which is computed and never measured.",
        super::bound(diagnosis.bound),
        super::why(diagnosis)
    )
}

/// What the passes have in common.
pub(crate) fn passes(diagnosis: &Diagnosis) -> String {
    let text = format!(
        "All at {}, under the same arrivals. Capacity and CPU per request are measured in the plain pass; the others show \
         what they cost.",
        figures::known(diagnosis.rate_per_s, figures::rate)
    );
    of_messages(diagnosis.by_message, text)
}

/// What the chart of the changes shows.
pub(crate) fn changes(first: &str, intervals: &str) -> String {
    format!(
        "Every metric against {first}. A bar is the interval of the change, its upright line the estimate, a dot one block \
         of rounds. The intervals of the judged metrics {intervals}."
    )
}

/// What the chart of a sweep shows.
pub(crate) fn law(confidence: f64) -> String {
    format!(
        "A dot is one round, the line is X(N) = λN / (1 + σ(N − 1) + κN(N − 1)) fitted to them, the upright line its peak. \
         Intervals hold with {} confidence.",
        figures::share(confidence)
    )
}

/// `2026-03-02 09:14 UTC`; other text as it is.
pub(crate) fn minute(rfc3339: &str) -> String {
    let minute = || {
        let (date, time) = rfc3339.strip_suffix('Z')?.split_once('T')?;
        Some(format!("{date} {} UTC", time.get(..5)?))
    };
    minute().unwrap_or_else(|| rfc3339.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{minute, sentence};

    #[test]
    fn sentences_begin_with_a_capital_and_objectives_do_not() {
        for (text, expected) in [
            ("the service ended", "The service ended"),
            ("p99 <= 100ms did not hold", "p99 <= 100ms did not hold"),
            ("cpu <= 80% did not hold", "cpu <= 80% did not hold"),
            ("errors", "errors"),
            ("", ""),
        ] {
            assert_eq!(sentence(text), expected);
        }
    }

    #[test]
    fn times_are_given_to_the_minute() {
        assert_eq!(minute("2026-03-02T09:14:07Z"), "2026-03-02 09:14 UTC");
        assert_eq!(minute("yesterday"), "yesterday");
    }
}
