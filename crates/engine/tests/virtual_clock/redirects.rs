//! Redirects that are followed, by services that take a known time for each.

use super::{MS, job, open, run_on, scenario};
use plimsoll_engine::{Control, Job, LaidOut};
use plimsoll_measure::{ErrorClass, Tick, Timing};
use plimsoll_plan::{ClosedLoad, Load, Url};
use plimsoll_sim::backend::{Peer, VirtualBackend};
use std::borrow::Cow;
use std::time::Duration;

/// Redirects `/root` to `/1`, that to `/2` and so on up to the last, and takes 100 ms for each.
struct Chain {
    last: u32,
    /// Every redirect ends its connection.
    closes: bool,
}

impl Peer for Chain {
    fn receive(&mut self, _slot: u32, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        let path = bytes.split(|&byte| byte == b' ').nth(1).expect("a path");
        let path = std::str::from_utf8(path).expect("text");
        let reached = path[1..].parse().unwrap_or(0);
        let ends = if self.closes { "connection: close\r\n" } else { "" };
        let response = match reached == self.last {
            true => "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_owned(),
            false => format!(
                "HTTP/1.1 302 Found\r\nlocation: {}\r\n{ends}content-length: 0\r\n\r\n",
                reached + 1
            ),
        };
        vec![(now_ns + 100 * MS, Cow::Owned(response.into_bytes()))]
    }
}

/// The same load, with redirects followed.
fn following(load: Load, most: u32) -> Job {
    let scenario = scenario(&[("root", "GET", 1)]);
    Job {
        requests: LaidOut::http1(&scenario, &Url::at("localhost", 80), true, most).expect("a valid scenario"),
        ..job(load)
    }
}

fn total(job: &Job, service: Chain) -> Tick {
    let mut total = Tick::default();
    run_on(job, VirtualBackend::before(service), |tick| {
        total.merge(&tick);
        Control::Continue
    });
    total
}

#[test]
fn response_time_lasts_until_the_last_response() {
    for closes in [false, true] {
        let tick = total(&following(open(10, 10), 5), Chain { last: 3, closes });
        let counters = &tick.counters;
        assert_eq!((counters.passed, counters.followed, counters.sent), (100, 300, 400));
        assert_eq!((counters.completed, counters.status), (100, [0, 100, 0, 0, 0]));
        for timing in [Timing::ResponseTime, Timing::ServiceTime] {
            for quantile in [0.0, 1.0] {
                let ms = tick.durations[timing].quantile_ns(quantile) as f64 / 1e6;
                assert!((ms - 400.0).abs() < 1.0, "{timing:?} {ms}");
            }
        }
        assert_eq!(tick.durations[Timing::ScheduleLag].count(), 100);
    }
}

#[test]
fn the_timeout_is_over_where_it_began() {
    let mut job = following(open(10, 10), 50);
    job.connections.response_timeout = Duration::from_millis(250);
    let tick = total(
        &job,
        Chain {
            last: 50,
            closes: false,
        },
    );
    assert_eq!(
        tick.counters.errors.get(ErrorClass::ResponseTimeout),
        100,
        "{:?}",
        tick.counters
    );
    assert_eq!(tick.counters.followed, 200);
    let service_time = &tick.durations[Timing::ServiceTime];
    assert!(service_time.quantile_ns(0.0) > 249 * MS, "from the first of them");
}

#[test]
fn users_wait_for_the_last_response() {
    let load = Load::Closed(ClosedLoad {
        connections: 2,
        duration: Some(Duration::from_secs(10)),
        requests: None,
        think_time: Duration::ZERO,
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    });
    let tick = total(&following(load, 1), Chain { last: 1, closes: false });
    assert_eq!((tick.counters.passed, tick.counters.followed), (100, 100));
    assert_eq!(tick.counters.connections_opened, 2);
}

#[test]
fn what_goes_on_and_on_is_an_error() {
    let tick = total(&following(open(10, 1), 2), Chain { last: 3, closes: false });
    assert_eq!(
        tick.counters.errors.get(ErrorClass::NotFollowed),
        10,
        "{:?}",
        tick.counters
    );
    assert_eq!((tick.counters.followed, tick.counters.completed), (20, 0));
}

#[test]
fn redirects_are_responses_unless_they_are_followed() {
    let tick = total(&job(open(10, 1)), Chain { last: 3, closes: false });
    assert_eq!((tick.counters.passed, tick.counters.redirects), (10, 10));
}
