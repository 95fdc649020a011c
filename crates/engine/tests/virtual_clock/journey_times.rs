//! Times of users on journeys, against services whose right figures are arithmetic.

use super::journeys::{near, users_of};
use super::{MS, S, job_of, open, run_on};
use plimsoll_engine::Control;
use plimsoll_engine::backend::Slot;
use plimsoll_measure::{Tick, Timing};
use plimsoll_plan::Plan;
use plimsoll_sim::backend::{Peer, ResponseTime, VirtualBackend, freezing};
use std::borrow::Cow;

/// What a service that stands still again and again does to users is arithmetic: each request is due when the response before it came
/// and the pause is over, and is done when the service goes on.
#[test]
fn a_service_that_freezes_makes_each_request_wait_as_long_as_computed() {
    let (period_ns, frozen_ns, pause_ns) = (10 * S, S, 300 * MS);
    let freeze = || freezing(period_ns, frozen_ns);
    let mut service = freeze();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for user in 0..2000 {
        let arrived_ns = user * 10 * MS;
        let logged_in_ns = service.responds_at_ns(arrived_ns);
        let asks_ns = logged_in_ns + pause_ns;
        first.push(logged_in_ns - arrived_ns);
        second.push(service.responds_at_ns(asks_ns) - asks_ns);
    }
    let actions = "pause: 300ms, request: { name: ask, path: / }";
    let plan = format!(
        "target: http://localhost:80\nscenario: {{ journeys: [{{ actions: [request: {{ name: first, path: / }}, {actions}] }}] }}\n"
    );
    let plan = Plan::parse(&plan, "plan.yaml").expect("a valid plan");
    let mut total = Tick::default();
    run_on(
        &job_of(plan.scenario(), open(100, 20)),
        VirtualBackend::new(freeze()),
        |tick| {
            total.merge(&tick);
            Control::Continue
        },
    );
    assert_eq!(users_of(&total).finished, 2000);
    for (place, mut expected) in [first, second].into_iter().enumerate() {
        expected.sort_unstable();
        let seen = &total.durations.requests[place][Timing::ResponseTime];
        assert_eq!(seen.count(), 2000);
        for quantile in [0.5, 0.9, 0.92, 0.95, 0.99, 0.999, 1.0] {
            let rank = (quantile * 2000.0_f64).ceil() as usize - 1;
            let (found, expected) = (seen.quantile_ns(quantile), expected[rank]);
            assert!(
                found.abs_diff(expected) <= expected / 500 + 1000,
                "request {place}, quantile {quantile}: {found} is not {expected}"
            );
        }
    }
}

/// Responds to `/second` late each tenth time.
#[derive(Default)]
struct Late {
    seconds: u64,
}

impl Peer for Late {
    fn receive(&mut self, _slot: Slot, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        let takes_ns = match bytes.starts_with(b"GET /second ") {
            false => 20 * MS,
            true => {
                self.seconds += 1;
                if self.seconds.is_multiple_of(10) {
                    400 * MS
                } else {
                    5 * MS
                }
            }
        };
        let response = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
        vec![(now_ns + takes_ns, Cow::Borrowed(response))]
    }
}

#[test]
fn a_service_that_is_late_with_one_request_shows_at_that_request() {
    let plan = "target: http://localhost:80\nscenario: { journeys: [{ actions: [request: { path: /first }, pause: 50ms, request: { path: /second }] }] }\n";
    let plan = Plan::parse(plan, "plan.yaml").expect("a valid plan");
    let mut total = Tick::default();
    run_on(
        &job_of(plan.scenario(), open(100, 10)),
        VirtualBackend::before(Late::default()),
        |tick| {
            total.merge(&tick);
            Control::Continue
        },
    );
    assert_eq!(users_of(&total).finished, 1000);
    let times = |request: usize| &total.durations.requests[request][Timing::ResponseTime];
    for quantile in [0.0, 0.5, 0.9, 0.999, 1.0] {
        near(times(0).quantile_ns(quantile), 20 * MS);
    }
    for (quantile, ms) in [(0.0, 5), (0.5, 5), (0.9, 5), (0.901, 400), (0.99, 400), (1.0, 400)] {
        near(times(1).quantile_ns(quantile), ms * MS);
        near(
            total.durations[Timing::JourneyTime].quantile_ns(quantile),
            (20 + 50 + ms) * MS,
        );
        near(
            total.durations[Timing::WaitingTime].quantile_ns(quantile),
            (20 + ms) * MS,
        );
    }
}
