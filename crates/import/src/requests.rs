//! From sequences to requests with weights, which is what plans send: each as often as the sequences have it, in no order.

use crate::journey::{Check, Journeys, List, Load, Request, RoundsBy, Sequence, Step, Take};
use crate::left_out::{Place, counted};
use std::time::Duration;

/// As many as a plan may have.
const MOST_REQUESTS: usize = 1_000;
const MOST_WEIGHT: f64 = 10_000.0;
/// Finer shares of requests are rounded.
const FINEST_SHARE: f64 = 1_000.0;

/// Requests and how they follow from what a client does.
#[derive(Debug)]
pub(crate) struct Weighted {
    pub(crate) requests: Vec<(u32, Request)>,
    /// Requests in a sequence, on average.
    pub(crate) per_sequence: f64,
    /// Pauses in a sequence, on average.
    pub(crate) pause: Duration,
}

/// Requests of all sequences, those that are the same as one.
pub(crate) fn weigh(journeys: &mut Journeys, sequences: Vec<Sequence>) -> Weighted {
    let total: f64 = sequences.iter().map(|sequence| sequence.weight).sum();
    let total = if total > 0.0 { total } else { 1.0 };
    let mut shares: Vec<(f64, Request)> = Vec::new();
    let mut pause = 0.0;
    for sequence in sequences {
        let before = shares.iter().map(|(share, _)| share).sum::<f64>();
        let mut seen = Seen::default();
        collect(&sequence.steps, sequence.weight / total, &mut shares, &mut seen);
        pause += seen.pause;
        say_what_is_lost(
            journeys,
            &sequence,
            &seen,
            shares.iter().map(|(share, _)| share).sum::<f64>() - before,
        );
    }
    let per_sequence: f64 = shares.iter().map(|(share, _)| share).sum();
    if shares.len() > MOST_REQUESTS {
        let place = shares[MOST_REQUESTS].1.place.clone();
        let what = counted(shares.len() - MOST_REQUESTS, "further request");
        journeys.leave_out(
            &place,
            what,
            format!("a plan has at most {MOST_REQUESTS} different ones"),
        );
        shares.truncate(MOST_REQUESTS);
    }
    Weighted {
        requests: whole(shares),
        per_sequence,
        pause: Duration::try_from_secs_f64(pause).unwrap_or_default(),
    }
}

/// What was in a sequence besides requests.
#[derive(Default)]
struct Seen {
    requests: usize,
    pauses: usize,
    /// Seconds, times the share of the sequence.
    pause: f64,
    first_pause: Option<Place>,
}

fn collect(steps: &[Step], share: f64, shares: &mut Vec<(f64, Request)>, seen: &mut Seen) {
    for step in steps {
        match step {
            Step::Request(request) => {
                seen.requests += 1;
                match shares.iter_mut().find(|(_, known)| is_same(known, request)) {
                    Some((known, _)) => *known += share,
                    None => shares.push((share, (**request).clone())),
                }
            }
            Step::Pause(place, pause) => {
                seen.pauses += 1;
                seen.pause += share * pause.mean().as_secs_f64();
                seen.first_pause.get_or_insert_with(|| place.clone());
            }
            Step::Repeat(times, steps) => collect(steps, share * times, shares, seen),
            Step::Rounds(rounds, steps) => {
                let times = match &rounds.by {
                    RoundsBy::Times(times) => f64::from(*times),
                    RoundsBy::Each {
                        list: List::Values(values),
                        ..
                    } => values.len() as f64,
                    RoundsBy::Each { .. } | RoundsBy::While(_) | RoundsBy::Until(_) => 1.0,
                };
                collect(steps, share * times, shares, seen);
            }
            Step::When(_, steps) | Step::Once(_, _, steps) => collect(steps, share, shares, seen),
            Step::OneOf(_, branches) => {
                let share = share / branches.len() as f64;
                branches.iter().for_each(|steps| collect(steps, share, shares, seen));
            }
        }
    }
}

/// Whether the same bytes are sent, and the same response is expected.
fn is_same(one: &Request, other: &Request) -> bool {
    one.method == other.method
        && one.url == other.url
        && one.headers == other.headers
        && one.body == other.body
        && one.authorization == other.authorization
        && one.statuses == other.statuses
}

fn say_what_is_lost(journeys: &mut Journeys, sequence: &Sequence, seen: &Seen, share: f64) {
    // A URL as a name would be taken apart as one.
    let name = match sequence.name.as_str() {
        "" => String::new(),
        url if url.contains("://") => String::new(),
        name => format!(" of `{name}`"),
    };
    if seen.requests > 1 && share > 0.0 {
        journeys.leave_out(
            &sequence.place,
            format!("the order{name}, {}", counted(seen.requests, "request")),
            "a plan sends requests independently of each other, each as often as it is in the file",
        );
    }
    if let Some(place) = &seen.first_pause {
        let is_carried = matches!(journeys.load, Some(Load::Clients { .. } | Load::Staged(_)));
        let why = match is_carried {
            true => "each client of the plan pauses behind every request instead, and for as long altogether",
            false => "arrivals of a plan do not wait for each other",
        };
        journeys.leave_out(place, format!("{}{name}", counted(seen.pauses, "pause")), why);
    }
    let (mut takes, mut checks) = (Vec::new(), Vec::new());
    gather(&sequence.steps, &mut takes, &mut checks);
    for check in checks {
        let why = "requests without an order check the status alone, by `expect`";
        journeys.leave_out(&check.place, check.what.clone(), why);
    }
    for take in takes {
        journeys.leave_out(
            &take.place,
            format!("`{}` from a response", take.variable),
            "plans take nothing out of responses; where a request needs it, the plan has it from the environment",
        );
    }
}

fn gather<'a>(steps: &'a [Step], takes: &mut Vec<&'a Take>, checks: &mut Vec<&'a Check>) {
    for step in steps {
        if let Step::Request(request) = step {
            takes.extend(&request.takes);
            checks.extend(&request.checks);
        }
        step.inner().iter().for_each(|steps| gather(steps, takes, checks));
    }
}

/// Shares as whole weights, as small as they can be.
pub(crate) fn whole<T>(shares: Vec<(f64, T)>) -> Vec<(u32, T)> {
    let least = shares
        .iter()
        .map(|(share, _)| *share)
        .filter(|share| *share > 0.0)
        .fold(f64::INFINITY, f64::min);
    let is_whole = |scale: f64| {
        shares
            .iter()
            .all(|(share, _)| ((share / least * scale).round() - share / least * scale).abs() < 1e-6)
    };
    let scale = (1..=FINEST_SHARE as u32)
        .map(f64::from)
        .find(|scale| is_whole(*scale))
        .unwrap_or(FINEST_SHARE);
    let sum: f64 = shares.iter().map(|(share, _)| share / least * scale).sum();
    let fit = if sum > MOST_WEIGHT {
        MOST_WEIGHT / 2.0 / sum
    } else {
        1.0
    };
    let weigh = |(share, request): (f64, T)| {
        let weight = (share / least * scale * fit).round();
        (weight as u32, request)
    };
    shares
        .into_iter()
        .filter(|(share, _)| *share > 0.0)
        .map(weigh)
        .map(|(weight, request)| (weight.max(1), request))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journey::When;
    use crate::text::Text;

    fn request(path: &str) -> Step {
        Step::Request(Box::new(Request::new(Place::Line(1), "GET", Text::literal(path))))
    }

    fn weights(sequences: Vec<(f64, Vec<Step>)>) -> (Vec<(u32, String)>, f64) {
        let sequence = |(weight, steps)| Sequence {
            name: String::new(),
            place: Place::Line(1),
            when: When::Load,
            weight,
            steps,
        };
        let sequences = sequences.into_iter().map(sequence).collect();
        let weighted = weigh(&mut Journeys::default(), sequences);
        let pair = |(weight, request): &(u32, Request)| (*weight, request.url.beginning().to_owned());
        (weighted.requests.iter().map(pair).collect(), weighted.per_sequence)
    }

    #[test]
    fn weight_follows_from_sequences_and_repeats() {
        let (found, per_sequence) = weights(vec![
            (3.0, vec![request("/a"), Step::Repeat(2.0, vec![request("/b")])]),
            (1.0, vec![request("/a"), request("/c")]),
        ]);
        assert_eq!(
            found,
            [(4, "/a".to_owned()), (6, "/b".to_owned()), (1, "/c".to_owned())]
        );
        assert!((per_sequence - 2.75).abs() < 1e-9);
    }

    #[test]
    fn weights_without_common_measure_are_rounded() {
        let (found, _) = weights(vec![
            (1.0, vec![request("/a")]),
            (std::f64::consts::PI, vec![request("/b")]),
        ]);
        assert_eq!(found, [(1000, "/a".to_owned()), (3142, "/b".to_owned())]);
        let (found, _) = weights(vec![(1.0, vec![request("/a")]), (1e9, vec![request("/b")])]);
        assert_eq!(found[0].0, 1);
        assert!(found[1].0 <= 10_000);
    }
}
