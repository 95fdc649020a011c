//! Whether a service grows under a load that does not change.

use crate::run::{Run, cpu, finish, p99, plan};
use plimsoll_findings::{Findings, Growth, Headline, NextStep, TrendOutcome, TrendQuantity, UndecidedBecause, Verdict};
use plimsoll_measure::{Ended, RunKind};

const MB: u64 = 1_000_000;

fn soak(seconds: u32) -> Run {
    Run::start(&plan(&[cpu(80), p99(100)]), RunKind::Soak, Some(seconds.into()), 6)
}

/// A minute of a service that keeps so much in each second, and opens as many descriptors.
fn grown(mb_per_s: u64, descriptors_per_s: u32) -> Run {
    minute(
        |second| mb_per_s * second,
        |second| mb_per_s * second,
        descriptors_per_s,
    )
}

/// A minute of a service that has so many MB more than at first, and keeps so many of them.
fn minute(resident: impl Fn(u64) -> u64, kept: impl Fn(u64) -> u64, descriptors_per_s: u32) -> Run {
    (0..60).fold(soak(60), |run, second| {
        run.memory(100 * MB + MB * resident(second.into()))
            .kept(20 * MB + MB * kept(second.into()))
            .descriptors(30 + descriptors_per_s * second)
            .seconds(1)
    })
}

#[track_caller]
fn assert_outcomes(found: &Findings, outcomes: [TrendOutcome; 6]) {
    let soak = found.soak.as_ref().expect("it was watched");
    let all: Vec<_> = soak.trends.iter().map(|trend| trend.outcome).collect();
    assert_eq!(all, outcomes, "{soak:?}");
}

#[test]
fn what_grows_is_named_with_its_slope() {
    use TrendOutcome::{Grows, Steady};
    let found = grown(1, 2).findings();
    assert_outcomes(&found, [Grows, Steady, Grows, Steady, Steady, Grows]);
    let Headline::Grows { growth } = &found.headline else {
        unreachable!("{:?}", found.headline)
    };
    let expected = [(TrendQuantity::KeptBytes, 3600e6), (TrendQuantity::Descriptors, 7200.0)];
    assert_eq!(growth.len(), expected.len(), "{growth:?}");
    for (Growth { quantity, per_h }, (expected, expected_per_h)) in growth.iter().zip(expected) {
        assert_eq!(*quantity, expected);
        // Windows with a collection are missing from the pieces.
        assert!((per_h / expected_per_h - 1.0).abs() < 0.02, "{growth:?}");
    }
    let quantity = TrendQuantity::KeptBytes;
    assert_eq!(found.next_step, NextStep::FindGrowth { quantity });
    assert_eq!(found.verdict, Verdict::Breached);
    let soak = found.soak.expect("it was watched");
    // Ten of 54 windows had a collection.
    assert_eq!(soak.watched_s, 44.0);
    let kept = soak.kept.expect("it was asked");
    assert_eq!((kept.collections, kept.threads, kept.longest_pause_ms), (12, 1, 20.0));
}

#[test]
fn heap_that_has_not_found_its_size_accuses_nobody() {
    use TrendOutcome::{Steady, Unsettled};
    let found = minute(|second| 2 * second, |_| 0, 0).findings();
    let outcomes: Vec<_> = found.soak.iter().flat_map(|soak| &soak.trends).collect();
    assert_eq!(outcomes[0].outcome, Steady, "{outcomes:?}");
    // What is neither heap nor held by it is accused by itself.
    assert_eq!(outcomes[1].outcome, TrendOutcome::Grows, "{outcomes:?}");
    let found = (0..60).fold(soak(60), |run, second| {
        let run = run.memory(100 * MB).kept(20 * MB).descriptors(30);
        // Garbage between collections.
        let garbage = if second % 5 == 0 { 0 } else { MB * second };
        run.memory(100 * MB + garbage).seconds(1)
    });
    let found = found.findings();
    assert_outcomes(&found, [Steady, Steady, Unsettled, Steady, Steady, Steady]);
    assert_eq!(found.verdict, Verdict::Passed);
}

#[test]
fn cache_that_fills_up_and_stops_is_no_growth() {
    let found = minute(|second| second.min(30), |second| second.min(30), 0).findings();
    let soak = found.soak.as_ref().expect("it was watched");
    assert_eq!(soak.trends[0].outcome, TrendOutcome::Steady, "{soak:?}");
}

#[test]
fn memory_of_a_service_that_says_nothing_takes_longer() {
    let grown = |seconds: u32| {
        let run = soak(seconds);
        (0..seconds).fold(run, |run, second| {
            run.memory(100 * MB + MB * u64::from(second)).descriptors(30).seconds(1)
        })
    };
    for (seconds, outcome) in [(600, TrendOutcome::Undecided), (2_000, TrendOutcome::Grows)] {
        let found = grown(seconds).findings();
        let soak = found.soak.expect("it was watched");
        assert_eq!(soak.trends[0].outcome, TrendOutcome::NotSeen);
        assert_eq!(soak.trends[2].outcome, outcome, "{soak:?}");
        let is_young = matches!(soak.trends[2].because, Some(UndecidedBecause::YoungHeap { .. }));
        assert_eq!(is_young, outcome == TrendOutcome::Undecided);
        assert_eq!(soak.kept, None);
    }
}

#[test]
fn cpu_and_response_times_grow_as_well() {
    use TrendOutcome::{Grows, NotSeen, Steady};
    let found = (0..60).fold(soak(60), |run, second| {
        run.memory(100 * MB).descriptors(30).seconds_with(1, |tick, cpu_ns| {
            finish(tick, 100, 5 + second / 2);
            *cpu_ns += second * 1_000_000;
        })
    });
    assert_outcomes(&found.findings(), [NotSeen, NotSeen, Steady, Grows, Grows, Steady]);
}

#[test]
fn service_that_does_not_grow_passes() {
    let found = grown(0, 0).findings();
    assert_eq!(found.verdict, Verdict::Passed);
    assert_outcomes(&found, [TrendOutcome::Steady; 6]);
    assert!(matches!(&found.headline, Headline::Steady { quantities, .. } if quantities.len() == 6));
    assert_eq!(found.next_step, NextStep::SoakOn);
}

#[test]
fn short_soak_is_undecided() {
    use TrendOutcome::{NotSeen, Undecided};
    let found = soak(30).memory(100 * MB).seconds(30).findings();
    assert_outcomes(&found, [NotSeen, NotSeen, Undecided, Undecided, Undecided, NotSeen]);
    assert_eq!(found.verdict, Verdict::Unjudged);
    assert!(matches!(&found.headline, Headline::GrowthUndecided { quantities, .. } if quantities.len() == 3));
    assert_eq!(found.next_step, NextStep::SoakLonger);
}

#[test]
fn service_elsewhere_is_judged_by_its_responses() {
    use TrendOutcome::{NotSeen, Steady};
    let run = Run::start(&plan(&[p99(100)]), RunKind::Soak, Some(60), 6);
    let found = run.not_sampled().seconds(60).findings();
    assert_outcomes(&found, [NotSeen, NotSeen, NotSeen, NotSeen, Steady, NotSeen]);
    assert_eq!(found.verdict, Verdict::Passed);
}

#[test]
fn broken_objective_goes_before_growth() {
    let found = (0..60).fold(soak(60), |run, second| {
        run.memory(100 * MB + MB * second)
            .descriptors(30)
            .seconds_with(1, |tick, _| finish(tick, 100, 900))
    });
    let found = found.findings();
    assert_eq!(found.verdict, Verdict::Breached);
    assert!(
        matches!(found.headline, Headline::Breached { .. }),
        "{:?}",
        found.headline
    );
}

#[test]
fn interrupted_soak_says_what_it_saw() {
    use TrendOutcome::{Grows, Steady};
    let found = grown(1, 0).ended(true, Ended::Interrupted).findings();
    assert_eq!(found.verdict, Verdict::Interrupted);
    assert!(matches!(
        found.headline,
        Headline::Interrupted { has_figures: true, .. }
    ));
    assert_outcomes(&found, [Grows, Steady, Grows, Steady, Steady, Steady]);
}
