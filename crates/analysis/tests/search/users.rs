//! A search in users at a time, who ask at a known rate: it tries whole ones, and finds the line that the rates have.

use crate::even;
use crate::lab::Case;
use plimsoll_analysis::Ending;
use plimsoll_findings::Notice;
use plimsoll_plan::{Level, SearchUnit};
use std::time::Duration;

/// A user of the simulated service asks twenty times a second.
const EACH_PER_S: f64 = 20.0;

fn in_users(mut case: Case, start: u32) -> Case {
    case.search.unit = SearchUnit::Users;
    case.search.start = Level::whole(start);
    case.each_per_s = EACH_PER_S;
    case
}

#[test]
fn the_search_finds_the_line_in_whole_users() {
    let (case, line) = even();
    for seed in 0..5 {
        let searched = in_users(case.clone(), 10).search(seed);
        let result = &searched.result;
        assert_eq!(result.ending, Ending::Converged, "seed {seed}: {result:?}");
        let steps = searched.fold.history().iter();
        assert!(
            steps.clone().all(|step| step.level.micro().is_multiple_of(1_000_000)),
            "seed {seed}"
        );
        let found = result.passed.unwrap_or_default().as_f64() * EACH_PER_S;
        assert!((line * 0.94..line).contains(&found), "seed {seed}: {found} of {line}");
    }
}

#[test]
fn the_search_ends_between_two_users_who_are_far_apart() {
    let (case, line) = even();
    let mut case = in_users(case, 1);
    case.each_per_s = line / 5.5;
    let result = case.search(3).result;
    assert_eq!(result.ending, Ending::Converged, "{result:?}");
    assert_eq!(
        (result.passed, result.failed),
        (Some(Level::whole(5)), Some(Level::whole(6)))
    );
}

#[test]
fn findings_of_a_search_in_users_have_rates_beside() {
    let (case, _) = even();
    let searched = in_users(case, 10).search(1);
    let line = searched.fold.findings().load_line.expect("a line was found");
    let concurrent = line.concurrent.as_ref().expect("in users");
    let asked_for = |users: f64| users * EACH_PER_S;
    let near = |per_s: f64, users: f64| (per_s / asked_for(users) - 1.0).abs() < 0.02;
    assert!(near(line.rate_per_s, concurrent.users as f64), "{line:?}");
    assert!(near(line.interval_low_per_s, concurrent.interval_low), "{line:?}");
    assert!(concurrent.interval_low <= concurrent.users as f64);
    assert!(concurrent.failed.is_some_and(|failed| failed > concurrent.users));
}

/// Users who pause for a second ask about once a second, unless something keeps them.
#[test]
fn users_who_are_missing_by_littles_law_are_noticed() {
    let (case, _) = even();
    for (each_per_s, holds) in [(1.0, true), (0.6, false)] {
        let mut case = in_users(case.clone(), 200);
        (case.each_per_s, case.think_time) = (each_per_s, Duration::from_secs(1));
        let findings = case.search(1).fold.findings();
        let line = findings.load_line.as_ref().expect("a line was found");
        let law = line.concurrent.as_ref().and_then(|users| users.littles_law);
        assert_eq!(law.map(|law| law.holds), Some(holds), "{line:?}");
        let is_noticed = findings
            .notices
            .iter()
            .any(|notice| matches!(notice, Notice::LittlesLawBroken { .. }));
        assert_eq!(is_noticed, !holds, "{each_per_s} per second");
    }
}
