//! Journeys: what became of their users, and how far they came.

use crate::figures;
use plimsoll_findings::{JourneyFinding, ReachedFinding};

/// Title of the part about journeys.
pub(crate) const JOURNEYS: &str = "Journeys";

/// Heads of [`journey_figures`].
pub(crate) const JOURNEY_HEADS: [&str; 9] = [
    "finished/s",
    "p50",
    "p99",
    "longest",
    "waiting p50",
    "waiting p99",
    "started",
    "finished",
    "failed",
];

/// Heads of [`reached_figures`].
pub(crate) const REACHED_HEADS: [&str; 3] = ["journeys", "of all", "ended here"];

/// What became of a journey each time that it was begun, by [`JOURNEY_HEADS`].
pub(crate) fn journey_figures(journey: &JourneyFinding) -> [String; 9] {
    let ms = |value| figures::known(value, figures::duration_ms);
    [
        figures::known(journey.finished_per_s, figures::number),
        ms(journey.time.p50_ms),
        ms(journey.time.p99_ms),
        ms(journey.time.max_ms),
        ms(journey.waiting.p50_ms),
        ms(journey.waiting.p99_ms),
        figures::count(journey.started),
        figures::count(journey.finished),
        figures::count(journey.failed),
    ]
}

/// How many journeys came to a request, by [`REACHED_HEADS`].
pub(crate) fn reached_figures(reached: &ReachedFinding) -> [String; 3] {
    [
        figures::count(reached.reached),
        figures::or_dash(reached.share.map(figures::share)),
        figures::count(reached.failed),
    ]
}

/// A request of a journey, with what is special about it.
pub(crate) fn reached_name(reached: &ReachedFinding) -> String {
    match reached.once {
        true => format!("{} (once)", reached.request),
        false => reached.request.clone(),
    }
}

/// What the shares of requests are of that are done once, where some users have done them before.
pub(crate) fn of_whom_once(journey: &JourneyFinding) -> Option<String> {
    let new = journey.new.filter(|new| *new < journey.started)?;
    let were = if new == 1 { "was" } else { "were" };
    Some(format!(
        "{} of the {} journeys of {} {were} the first of a user: what is done once is a share of these",
        figures::count(new),
        figures::count(journey.started),
        journey.name
    ))
}

/// The same in lines of text: what became of the users of a journey, and how far they came.
pub(crate) fn journey_lines(journey: &JourneyFinding) -> Vec<String> {
    let together = |heads: &[&str], figures: &[String]| {
        let facts = heads
            .iter()
            .zip(figures)
            .map(|(head, figure)| format!("{head} {figure}"));
        facts.collect::<Vec<_>>().join(", ")
    };
    let mut lines = vec![format!(
        "journey {}: {}",
        journey.name,
        together(&JOURNEY_HEADS, &journey_figures(journey))
    )];
    lines.extend(journey.requests.iter().map(|reached| {
        format!(
            "journey {}, came to {}: {}",
            journey.name,
            reached_name(reached),
            together(&REACHED_HEADS, &reached_figures(reached))
        )
    }));
    lines.extend(of_whom_once(journey));
    lines
}

/// How many users were still on the way, where any were.
pub(crate) fn under_way(journeys: &[JourneyFinding]) -> Option<String> {
    match journeys.iter().map(|journey| journey.under_way).sum() {
        0_u64 => None,
        1 => Some("1 user was still on the way when the run ended".to_owned()),
        users => Some(format!(
            "{} users were still on the way when the run ended",
            figures::count(users)
        )),
    }
}
