//! Words for a shock, and for how a service came back from it.

use super::{meaning, objective};
use crate::figures::{self, count, length_s, share};
use plimsoll_findings::{NotBack, ShockFinding, ShockPart};
use plimsoll_measure::{Shock, ShockPhase};

/// Title of the section.
pub(crate) const SHOCK: &str = "Shock";

/// What disturbed the service.
pub(crate) fn shock(shock: &Shock) -> String {
    match shock {
        Shock::Burst { times } => format!("a burst of {} times the rate", figures::number(*times)),
        Shock::NeighbourPaused { name } => format!("a pause of the neighbour {name}"),
        Shock::NeighbourGone { name } => format!("the loss of the neighbour {name}"),
        Shock::Restart => "a restart of the service".to_owned(),
    }
}

/// That it begins or ends.
pub(super) fn shock_passes(phase: ShockPhase, of: &Shock) -> String {
    let what = shock(of);
    match (phase, of) {
        (ShockPhase::Begins, _) => format!("shock begins: {what}"),
        (ShockPhase::Ends, Shock::NeighbourGone { name }) => format!("shock ends: {name} is started again"),
        (ShockPhase::Ends, Shock::Restart) => "shock ends: the service is started again".to_owned(),
        (ShockPhase::Ends, _) => "shock ends".to_owned(),
    }
}

/// How long after its end, as far as windows tell.
pub(super) fn after_shock(of: &Shock, after_s: f64, window_s: f64) -> String {
    let what = shock(of);
    let what = format!("the {}", what.trim_start_matches("a ").trim_start_matches("the "));
    after_end(after_s, window_s, &what)
}

/// Within the first window it is not known when.
fn after_end(after_s: f64, window_s: f64, of: &str) -> String {
    match after_s < window_s {
        true => format!("within {} of the end of {of}", length_s(window_s)),
        false => format!("{} after the end of {of}", length_s(after_s)),
    }
}

/// What a service is in that has not come back.
pub(crate) fn not_back(state: &NotBack) -> String {
    match state {
        NotBack::WatchedTooShort { held_s } => {
            format!("every objective held, but only for the last {}", length_s(*held_s))
        }
        NotBack::Unreachable { most } => format!("connections fail ({})", meaning(*most)),
        NotBack::Silent { waiting } => format!(
            "no response comes any more, and {} wait for one",
            figures::counted(*waiting, "request")
        ),
        NotBack::Queue { waiting, before } => format!(
            "{} wait in a queue that does not get shorter (before: {} at most)",
            figures::counted(*waiting, "request"),
            count(*before)
        ),
        NotBack::WorkingOff { waiting, from } => format!(
            "{} still wait, of {} at most; the queue gets shorter",
            figures::counted(*waiting, "request"),
            count(*from)
        ),
        NotBack::Failing { most, share: of } => {
            format!("{} of the requests go on failing ({})", share(*of), meaning(*most))
        }
        NotBack::Broken {
            objective: Some(broken),
        } => format!("{} does not hold", objective(broken)),
        NotBack::Broken { objective: None } => "no request succeeds".to_owned(),
    }
}

/// What to do about it, one sentence with its end.
pub(super) fn come_back(state: &NotBack) -> &'static str {
    match state {
        NotBack::WatchedTooShort { .. } => "Watch it for longer, with --after.",
        NotBack::Unreachable { .. } => {
            "See the output of the service: it has stopped listening, or does not accept connections any more."
        }
        NotBack::Silent { .. } => {
            "See what it waits for: calls without a timeout, or connections to a neighbour that are gone and not opened again."
        }
        NotBack::Queue { .. } => {
            "Bound the queue: refuse with 503 what cannot be served in time, and drop what nobody waits for any more."
        }
        NotBack::WorkingOff { .. } => {
            "Watch it for longer with --after to see when it is back; a bound on the queue makes it come back sooner."
        }
        NotBack::Failing { .. } => {
            "See the output of the service: what failed during the shock is not tried again, such as a connection to a neighbour."
        }
        NotBack::Broken { .. } => {
            "Compare the service before and after the shock; `plimsoll diagnose` names what costs time at this rate."
        }
    }
}

/// A shock: what is said of it, with a word for each.
pub(crate) fn shock_facts(found: &ShockFinding) -> Vec<(&'static str, String)> {
    let until = match found.ends_s {
        Some(ends_s) => format!("to {}", length_s(ends_s)),
        None => "and the run ended before it did".to_owned(),
    };
    let mut facts = vec![(
        "shock",
        format!("{}, from {} {until}", shock(&found.shock), length_s(found.begins_s)),
    )];
    facts.push(("back", back(found)));
    if found.failed_since > 0 {
        let text = format!(
            "failed in {} since",
            figures::counted(found.failed_since.into(), "window")
        );
        facts.push(("later", text));
    }
    facts.push(("before", part(&found.before)));
    if found.during.windows > 0 {
        facts.push(("during", part(&found.during)));
    }
    if found.until_back.windows > 0 {
        facts.push(("afterwards", part(&found.until_back)));
    }
    facts
}

fn back(found: &ShockFinding) -> String {
    let rule = format!(
        "back is where every objective begins to hold for {}, in windows of {}",
        length_s(found.steady_s),
        length_s(found.window_s)
    );
    match (found.back_after_s, &found.not_back, found.broke) {
        (Some(_), _, false) => format!("never away; {rule}"),
        (Some(after_s), ..) => format!("{}; {rule}", after_end(after_s, found.window_s, "the shock")),
        (None, Some(state), _) => format!("no: {}; {rule}", not_back(state)),
        (None, None, _) => format!("not known; {rule}"),
    }
}

/// What became of the load there. Shed and failed are told apart.
fn part(part: &ShockPart) -> String {
    let mut text = format!(
        "{} offered, {} passed, {} shed, {} failed",
        count(part.scheduled),
        count(part.passed),
        count(part.shed),
        count(part.failed)
    );
    if part.dropped > 0 {
        text.push_str(&format!(", {} never sent", count(part.dropped)));
    }
    text.push_str(&format!(
        "; at most {} waited; every objective held in {} of {}",
        count(part.waiting_max),
        count(part.held.into()),
        figures::counted(part.windows.into(), "window")
    ));
    text
}
