//! Users on journeys, as the fold sees them.

use crate::runs::RUN;
use crate::streams::{Load, Stream, Subject};
use plimsoll_findings::Findings;
use plimsoll_measure::{Counters, Durations, Tick, Timing, UserCounts};

/// Users who come again and again: each of the 40 logs in once.
pub(crate) fn once() -> Findings {
    let text = r#"
name: shop
target: { url: "http://127.0.0.1:8080", command: node services/shop/src/server.js }
scenario:
  journeys:
    - name: browse
      actions:
        - once: { actions: [request: { name: log in, method: POST, path: /sessions }] }
        - request: { name: look, path: /articles }
        - request: { name: order, method: POST, path: /orders }
load: { model: closed, connections: 40, duration: 30s, think_time: 500ms }
"#;
    let load = Load {
        rate_per_s: 120.0,
        constant: false,
        seconds: 30,
        warm_up_s: 4,
    };
    Stream::of(&Subject { plan: text, ..RUN }).step(load, travel).complete()
}

/// Half of the requests look, half order, of which one fails each second. All who are there log in at first, and again when their order has failed.
fn travel(second: u32, tick: &mut Tick) {
    let journeys = tick.counters.completed / 2;
    let new = if second == 0 { 40 } else { 1 };
    let users = |reached, failed| UserCounts {
        reached,
        failed,
        ..UserCounts::default()
    };
    let log_in = UserCounts {
        started: journeys,
        new,
        finished: journeys - 1,
        ..users(new, 0)
    };
    let each = [
        (new, log_in),
        (journeys, users(journeys, 0)),
        (journeys, users(journeys, 1)),
    ];
    tick.requests = each
        .iter()
        .map(|(sent, users)| Counters {
            sent: *sent,
            completed: *sent,
            passed: sent - users.failed,
            users: *users,
            ..Counters::default()
        })
        .collect();
    each.iter().for_each(|(_, users)| tick.counters.users.merge(users));
    tick.durations.requests = vec![Durations::default(); each.len()];
    for number in 0..journeys - 1 {
        let ms = 20 + number % 13;
        let of_journeys = &mut tick.durations.requests[0];
        of_journeys[Timing::JourneyTime].record(ms * 1_000_000);
        of_journeys[Timing::WaitingTime].record(ms * 1_000_000);
    }
}
