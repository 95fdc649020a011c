//! A function that stops the event loop, and the calls that it makes while it does, are one cause with both symptoms: they go together.

use crate::cost::OTHER_PLACES_MAX;
use crate::synchronous::COUNTED;
use plimsoll_findings::{Bound, Cause, CauseKind, Evidence, Place, StallCalls, What};

/// Joins them. What is said first is what broke first: the calls where that is the CPU, and else the stall.
pub(crate) fn join(bound: Bound, causes: &mut Vec<Cause>) {
    while let Some((stall, calls, evidence)) = pair(causes) {
        let of_calls = causes.remove(calls);
        let stall = causes.remove(stall - usize::from(calls < stall));
        causes.push(joined(bound, &stall, of_calls, evidence));
    }
}

/// A stall, the costliest calls in the same function, and the evidence of both.
fn pair(causes: &[Cause]) -> Option<(usize, usize, Evidence)> {
    let stalls = causes.iter().enumerate().filter(|(_, cause)| is_stall(cause));
    let mut pairs = stalls.filter_map(|(at, stall)| {
        let within = causes
            .iter()
            .enumerate()
            .filter_map(|(nth, calls)| Some((nth, calls, of_both(stall, calls)?)));
        let share = |cause: &Cause| cause.cpu_share.unwrap_or(0.0);
        let (nth, _, evidence) = within.max_by(|(_, a, _), (_, b, _)| share(a).total_cmp(&share(b)))?;
        Some((at, nth, evidence))
    });
    pairs.next()
}

fn is_stall(cause: &Cause) -> bool {
    let is_alone = matches!(cause.evidence, Evidence::Stall { calls: None, .. });
    is_alone && matches!(cause.what, What::Stall { .. })
}

/// The evidence of a stall and of calls that it makes; `None` where they are not in its function, or not counted call by call.
fn of_both(stall: &Cause, calls: &Cause) -> Option<Evidence> {
    let same = |(a, b): (&Place, &Place)| {
        a.is_same_line(b) || (a.file == b.file && a.function == b.function && !a.function.is_empty())
    };
    let places = calls.place.as_ref().zip(stall.place.as_ref());
    if !COUNTED.contains(&calls.kind) || !places.is_some_and(same) {
        return None;
    }
    match (&stall.evidence, &calls.evidence, &calls.what) {
        (
            &Evidence::Stall {
                longest_delay_ms,
                longest_run_ms,
                ..
            },
            &Evidence::Calls {
                per_request,
                us_per_call,
                ..
            },
            What::Calls { functions, .. },
        ) => Some(Evidence::Stall {
            longest_delay_ms,
            longest_run_ms,
            calls: Some(StallCalls {
                functions: functions.clone(),
                per_request,
                us_per_call,
            }),
        }),
        _ => None,
    }
}

fn joined(bound: Bound, stall: &Cause, calls: Cause, evidence: Evidence) -> Cause {
    let sum = |of: fn(&Cause) -> Option<f64>| Some(of(stall).unwrap_or(0.0) + of(&calls).unwrap_or(0.0));
    let (cpu_us_per_request, cpu_share) = (sum(|cause| cause.cpu_us_per_request), sum(|cause| cause.cpu_share));
    // Where calls are what is said, their place is; else that of what costs more.
    let by_calls = bound == Bound::Cpu || calls.cpu_share >= stall.cpu_share;
    let (costlier, other) = if by_calls { (&calls, stall) } else { (stall, &calls) };
    let mut places: Vec<Place> = Vec::new();
    let all = [costlier, other]
        .into_iter()
        .flat_map(|cause| cause.place.iter().chain(&cause.other_places));
    for place in all {
        if !places.iter().any(|known| known.is_same_line(place)) {
            places.push(place.clone());
        }
    }
    let (kind, what) = match bound {
        Bound::Cpu => (calls.kind, calls.what.clone()),
        _ => (CauseKind::EventLoopStall, stall.what.clone()),
    };
    let mut places = places.into_iter();
    Cause {
        kind,
        what,
        place: places.next(),
        other_places: places.take(OTHER_PLACES_MAX).collect(),
        cpu_us_per_request,
        cpu_share: cpu_share.map(|share| share.min(1.0)),
        evidence,
        ..calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> Option<Place> {
        Some(Place {
            file: "store.js".to_owned(),
            line,
            function: "account".to_owned(),
            ..Place::default()
        })
    }

    fn causes(calls_in: &str) -> Vec<Cause> {
        let stall = Cause {
            place: place(25),
            cpu_share: Some(0.06),
            ..Cause::new(
                CauseKind::EventLoopStall,
                What::Stall {
                    function: "account".to_owned(),
                },
                Evidence::Stall {
                    longest_delay_ms: 110.0,
                    longest_run_ms: 121.0,
                    calls: None,
                },
            )
        };
        let mut calls = Cause {
            place: place(26),
            cpu_share: Some(0.59),
            ..Cause::new(
                CauseKind::Json,
                What::Calls {
                    functions: vec!["JSON.stringify".to_owned()],
                    again: false,
                    stop_loop: false,
                },
                Evidence::Calls {
                    per_request: 59.0,
                    us_per_call: 2.0,
                    mean_bytes: 238.0,
                    repeated_share: None,
                },
            )
        };
        if let Some(place) = &mut calls.place {
            calls_in.clone_into(&mut place.function);
        }
        vec![stall, calls]
    }

    #[test]
    fn a_stall_and_its_calls_are_one_cause_by_what_broke_first() {
        for (bound, kind) in [
            (Bound::EventLoop, CauseKind::EventLoopStall),
            (Bound::Cpu, CauseKind::Json),
        ] {
            let mut found = causes("account");
            join(bound, &mut found);
            let [cause] = found.as_slice() else {
                panic!("one cause: {found:?}");
            };
            assert_eq!(cause.kind, kind);
            assert_eq!(cause.place.as_ref().map(|place| place.line), Some(26));
            assert_eq!(cause.other_places.len(), 1);
            assert!(cause.cpu_share.is_some_and(|share| (share - 0.65).abs() < 1e-9));
            assert!(matches!(&cause.evidence, Evidence::Stall { calls: Some(calls), .. } if calls.per_request > 58.0));
        }
    }

    #[test]
    fn calls_that_are_said_are_said_where_they_are() {
        for (bound, line) in [(Bound::EventLoop, 25), (Bound::Cpu, 26)] {
            let mut found = causes("account");
            found[0].cpu_share = Some(0.7);
            join(bound, &mut found);
            assert_eq!(found[0].place.as_ref().map(|place| place.line), Some(line));
        }
    }

    #[test]
    fn calls_elsewhere_are_a_cause_of_their_own() {
        let mut found = causes("handler");
        join(Bound::EventLoop, &mut found);
        assert_eq!(found.len(), 2);
    }
}
