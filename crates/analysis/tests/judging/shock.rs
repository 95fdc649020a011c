//! How a service comes back that was disturbed on purpose.

use crate::fail;
use crate::run::{Run, SECOND_NS, errors, finish, p99, plan};
use plimsoll_findings::{FailureClass, Findings, Headline, Late, NextStep, NotBack, Notice, ShockPart, Verdict};
use plimsoll_measure::{ErrorClass, RunKind, Shock, ShockPhase, Tick};

const BURST: Shock = Shock::Burst { times: 4.0 };

/// What is otherwise in a second.
type Change = fn(&mut Tick);

/// Five seconds as they should be, three of a shock in which nothing is as it should be, and then these.
fn shocked(after: &[Change]) -> Findings {
    let mut run = Run::start(&plan(&[p99(100), errors(1)]), RunKind::Shock, Some(30), 2)
        .seconds(7)
        .shock(ShockPhase::Begins, &BURST, 3)
        .seconds_with(3, |tick, _| {
            tick.counters.scheduled = 400;
            finish(tick, 100, 900);
            tick.counters.turned_away = 30;
            fail(tick, ErrorClass::Status, 40);
        })
        .shock(ShockPhase::Ends, &BURST, 3);
    for change in after {
        run = run.seconds_with(1, |tick, _| change(tick));
    }
    run.findings()
}

fn good(_: &mut Tick) {}

fn slow(tick: &mut Tick) {
    finish(tick, 100, 900);
}

#[test]
fn service_is_back_at_the_first_steady_stretch() {
    let found = shocked(&[slow, good, slow, good, good, good, slow, good]);
    let shock = found.shock.as_ref().expect("there was one");
    assert_eq!(found.verdict, Verdict::Passed, "{shock:?}");
    assert_eq!((shock.begins_s, shock.ends_s), (7.0, Some(10.0)));
    assert_eq!((shock.back_after_s, shock.failed_since), (Some(3.0), 1));
    assert_eq!((shock.window_s, shock.steady_s, shock.watched_s), (1.0, 3.0, Some(8.0)));
    assert_eq!(
        found.headline,
        Headline::Back {
            shock: BURST,
            after_s: Some(3.0),
            window_s: 1.0
        }
    );
    // What is judged is what came before, without the warm-up.
    assert_eq!(found.objectives[0].windows_judged, 5);
    assert_eq!(shock.before.windows, 5);
    assert_eq!(found.response_time.count, 500);
    let during = ShockPart {
        windows: 3,
        held: 0,
        scheduled: 1200,
        passed: 180,
        shed: 90,
        failed: 30,
        ..ShockPart::default()
    };
    assert_eq!(shock.during, during);
    // The windows before the stretch.
    assert_eq!((shock.until_back.windows, shock.until_back.held), (3, 1));
}

#[test]
fn service_that_held_all_the_time_was_never_away() {
    let found = Run::start(&plan(&[p99(100)]), RunKind::Shock, Some(30), 2)
        .seconds(5)
        .shock(ShockPhase::Begins, &Shock::Restart, 2)
        .shock(ShockPhase::Ends, &Shock::Restart, 2)
        .seconds(3)
        .findings();
    let shock = found.shock.expect("there was one");
    assert_eq!((shock.broke, shock.back_after_s), (false, Some(0.0)));
    assert!(matches!(found.headline, Headline::Back { after_s: None, .. }));
    assert_eq!(found.next_step, NextStep::ShockMore);
}

/// Half of the requests are served, and so many wait.
fn waiting<const COUNT: u64>(tick: &mut Tick) {
    finish(tick, 50, 900);
    tick.gauges.in_flight = COUNT;
}

fn silent(tick: &mut Tick) {
    finish(tick, 0, 1);
    tick.gauges.in_flight = 700;
}

fn refused(tick: &mut Tick) {
    finish(tick, 0, 1);
    tick.counters.errors.add(ErrorClass::Refused, 100);
}

fn failing(tick: &mut Tick) {
    fail(tick, ErrorClass::Status, 25);
}

#[test]
fn service_that_is_not_back_is_in_a_state() {
    let p99_broken = || NotBack::Broken {
        objective: Some(plimsoll_analysis::condition(&p99(100))),
    };
    let class = FailureClass::Error;
    let (waits, before) = (800, 0);
    let table: [(&[Change], NotBack); 8] = [
        (&[slow, slow, good], NotBack::WatchedTooShort { held_s: 1.0 }),
        (
            &[refused, refused],
            NotBack::Unreachable {
                most: class(ErrorClass::Refused),
            },
        ),
        (&[slow, silent, silent], NotBack::Silent { waiting: 700 }),
        (
            &[waiting::<800>, waiting::<800>, waiting::<800>],
            NotBack::Queue { waiting: waits, before },
        ),
        (
            &[waiting::<800>, waiting::<500>, waiting::<200>],
            NotBack::WorkingOff {
                waiting: 200,
                from: 800,
            },
        ),
        (
            &[slow, failing, failing],
            NotBack::Failing {
                most: class(ErrorClass::Status),
                share: 0.25,
            },
        ),
        (&[slow, slow, slow], p99_broken()),
        // After it had seemed to be back for two seconds.
        (&[slow, good, good, slow, slow], p99_broken()),
    ];
    for (after, state) in table {
        let found = shocked(after);
        let too_short = matches!(state, NotBack::WatchedTooShort { .. });
        let verdict = if too_short {
            Verdict::Unjudged
        } else {
            Verdict::Breached
        };
        assert_eq!(found.verdict, verdict, "{state:?}");
        let not_back = found.shock.and_then(|shock| shock.not_back);
        assert_eq!(not_back.as_ref(), Some(&state));
        assert_eq!(found.next_step, NextStep::LetComeBack { state });
    }
}

#[test]
fn objective_that_broke_before_the_shock_is_named() {
    let found = Run::start(&plan(&[p99(100)]), RunKind::Shock, Some(30), 2)
        .seconds_with(7, |tick, _| slow(tick))
        .shock(ShockPhase::Begins, &BURST, 2)
        .shock(ShockPhase::Ends, &BURST, 2)
        .seconds(5)
        .findings();
    let objective = Some(plimsoll_analysis::condition(&p99(100)));
    assert_eq!(found.headline, Headline::BrokenBefore { objective });
    assert_eq!(
        (found.verdict, found.next_step),
        (Verdict::Breached, NextStep::LowerBase)
    );
}

#[test]
fn generator_that_is_late_from_the_shock_on_makes_it_invalid() {
    let late = |tick: &mut Tick, _: &mut u64| tick.generator.shards[0].wake_lag_p99_ns = SECOND_NS;
    let found = Run::start(&plan(&[p99(100)]), RunKind::Shock, Some(30), 2)
        .seconds(7)
        .shock(ShockPhase::Begins, &BURST, 2)
        .seconds_with(2, late)
        .shock(ShockPhase::Ends, &BURST, 2)
        .seconds(5)
        .findings();
    assert_eq!(
        (found.verdict, found.generator.kept_up),
        (Verdict::Invalid, Some(false))
    );
    let is_late = |notice: &Notice| {
        matches!(
            notice,
            Notice::GeneratorLate {
                because: Late::WokeLate { .. }
            }
        )
    };
    assert!(found.notices.iter().any(is_late), "{:?}", found.notices);
}
