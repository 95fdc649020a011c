//! A service that is disturbed, as the fold sees it.

use crate::runs::{PLAN, RUN};
use crate::streams::{Stream, Subject, constant, fail, host, plan};
use plimsoll_findings::Findings;
use plimsoll_measure::{ErrorClass, RunKind, Shock, ShockPhase, Tick, Timing};

const BEGINS: u32 = 12;
const ENDS: u32 = 17;

/// A burst fills a queue that does not get shorter afterwards.
pub(crate) fn in_queue() -> Findings {
    shocked(|second, tick| {
        slow(tick, 1_700 + u64::from(second) * 20);
        tick.gauges.in_flight = 4_100;
    })
}

/// A burst is shed in part, and three seconds later all is well.
pub(crate) fn back() -> Findings {
    shocked(|second, tick| {
        if second < ENDS + 3 {
            slow(tick, 140);
        }
    })
}

fn shocked(after: impl Fn(u32, &mut Tick)) -> Findings {
    let plan = plan(PLAN);
    let subject = Subject {
        kind: RunKind::Shock,
        ..RUN
    };
    let burst = Shock::Burst { times: 4.0 };
    let mut stream = Stream::on(&subject, &plan, "0.1.0", &host());
    let load = constant(1_000.0, 50, 2);
    stream.begin(load);
    for second in 0..load.seconds {
        match second {
            BEGINS => stream.shock(ShockPhase::Begins, &burst),
            ENDS => stream.shock(ShockPhase::Ends, &burst),
            _ => {}
        }
        stream.second(load, second, |second, tick| match second {
            BEGINS..ENDS => {
                tick.counters.scheduled *= 4;
                slow(tick, 420);
                fail(tick, ErrorClass::Status, 300);
                tick.counters.turned_away = 260;
                tick.gauges.in_flight = 800;
            }
            ENDS.. => after(second, tick),
            _ => {}
        });
    }
    stream.end_step(false).complete()
}

/// Everything took so long.
fn slow(tick: &mut Tick, ms: u64) {
    tick.durations.clear();
    for number in 0..tick.counters.completed {
        tick.durations[Timing::ResponseTime].record((ms + number % 37) * 1_000_000);
        tick.durations[Timing::ServiceTime].record((ms + number % 31) * 1_000_000);
    }
}
