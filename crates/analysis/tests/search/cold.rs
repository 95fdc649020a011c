//! Services that cost three times as much at first. They are found at their line, as if they had been warm.

use crate::lab::Case;
use plimsoll_sim::{Cold, Drift, Model, Warms};
use std::time::Duration;

/// The same service, cold. It is met with a rate that it cannot carry yet.
fn cold(case: Case, warms: Warms) -> Case {
    let mut case = Case {
        model: Model {
            cold: Some(Cold { factor: 3.0, warms }),
            ..case.model
        },
        ..case
    };
    case.search.start = plimsoll_plan::Level::whole(1000);
    case
}

/// The share of seeds for which the line is found within 5 %.
fn found((case, line): (Case, f64)) -> f64 {
    let is_near = |seed: &u64| {
        let found = case.search(*seed).result.passed.unwrap_or_default().as_f64();
        (found / line - 1.0).abs() <= 0.05
    };
    share(is_near)
}

/// The share of seeds that are so.
fn share(is_so: impl Fn(&u64) -> bool) -> f64 {
    let seeds = crate::seeds(40);
    (0..seeds).filter(is_so).count() as f64 / seeds as f64
}

const OVER: Warms = Warms::Over(Duration::from_secs(5));

#[test]
fn the_line_by_cpu_of_a_service_that_was_cold_is_found() {
    let (case, line) = crate::even();
    assert_eq!(found((cold(case, OVER), line)), 1.0);
}

#[test]
fn the_line_of_a_service_that_warms_up_by_requests_is_found() {
    let (case, line) = crate::even();
    assert_eq!(found((cold(case, Warms::After(10_000.0)), line)), 1.0);
}

#[test]
fn the_line_by_response_time_of_a_service_that_was_cold_is_found() {
    let (case, line) = crate::fixed();
    // Of the same service warm as many are, since arrivals are random.
    assert!(found((cold(case, OVER), line)) >= 0.95);
}

/// The share of seeds for which what was found can be carried, and is no more than a tenth below the line.
fn sound(case: &Case, line: f64) -> f64 {
    let is_sound = |seed: &u64| {
        let found = case.search(*seed).result.passed.unwrap_or_default().as_f64();
        (0.9..=1.05).contains(&(found / line))
    };
    share(is_sound)
}

#[test]
fn neighbours_are_not_taken_for_a_cold_service() {
    let (mut case, line) = crate::neighbours();
    // Now and then all work is a third dearer, for as long as a step takes.
    case.model.drift = Some(Drift {
        deviation: 0.15,
        over: Duration::from_secs(10),
    });
    // 62 of a hundred if no step were ever taken for cold, 61 as it is.
    let sound = sound(&case, line);
    assert!(sound >= 0.5, "{sound}");
}

#[test]
fn a_service_that_is_warm_at_once_is_asked_as_often_as_ever() {
    for (case, _) in [crate::bucket(), crate::onset()] {
        for seed in 0..crate::seeds(40) {
            let steps = case.search(seed).fold.history().len();
            assert!(steps <= 11, "{}: {steps} steps, seed {seed}", case.name);
        }
    }
}
