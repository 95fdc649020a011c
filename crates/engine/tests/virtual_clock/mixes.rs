//! Several requests in one scenario.

use super::{MS, S, job_of, open, run_on, scenario, total};
use plimsoll_engine::Control;
use plimsoll_measure::{Durations, ErrorClass, REQUESTS_APART_MAX, Sight, Tick, Timing};
use plimsoll_sim::backend::{Closing, Peer, VirtualBackend};
use std::borrow::Cow;

/// Orders take 40 ms and every other one of them fails; all else takes 1 ms.
struct Shop {
    orders: u32,
}

impl Peer for Shop {
    fn receive(&mut self, _slot: u32, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        if !bytes.starts_with(b"POST /order ") {
            return vec![(now_ns + MS, Cow::Borrowed(b"HTTP/1.1 204 No Content\r\n\r\n"))];
        }
        self.orders += 1;
        let response: &[u8] = if self.orders.is_multiple_of(2) {
            b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n"
        } else {
            b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n"
        };
        vec![(now_ns + 40 * MS, Cow::Borrowed(response))]
    }
}

#[test]
fn each_request_of_a_mix_has_its_own_counts_and_durations() {
    let scenario = scenario(&[("read", "GET", 9), ("order", "POST", 1)]);
    let mut tick = Tick::default();
    let backend = VirtualBackend::before(Shop { orders: 0 });
    run_on(&job_of(&scenario, open(1000, 10)), backend, |seen| {
        tick.merge(&seen);
        Control::Continue
    });
    let [read, order] = tick.requests.as_slice() else {
        panic!("{} requests", tick.requests.len())
    };
    assert_eq!((read.sent, read.completed, read.passed), (9000, 9000, 9000));
    assert_eq!((order.sent, order.completed, order.passed), (1000, 1000, 500));
    assert_eq!(order.errors.get(ErrorClass::Status), 500);
    assert_eq!((order.status[1], order.status[4]), (500, 500));
    let all = &tick.counters;
    assert_eq!((all.sent, all.passed, all.errors.total()), (10_000, 9500, 500));
    let ms = |durations: &Durations, quantile| durations[Timing::ResponseTime].quantile_ns(quantile) / MS;
    let [read, order] = tick.durations.requests.as_slice() else {
        panic!("no durations for each request")
    };
    assert_eq!((ms(read, 1.0), ms(order, 1.0)), (1, 40));
    assert!(ms(order, 0.0) >= 39, "{} ms", ms(order, 0.0));
    assert_eq!(tick.durations[Timing::ResponseTime].count(), 10_000);
    let example = tick
        .examples
        .get(Sight::Failure(ErrorClass::Status))
        .expect("an example");
    assert_eq!(
        (example.request.as_str(), example.found.as_str()),
        ("order", "status 503 Busy")
    );
}

#[test]
fn a_scenario_of_one_request_is_counted_once() {
    let tick = total(
        &job_of(&scenario(&[("read", "GET", 1)]), open(100, 1)),
        |arrived_ns: u64| arrived_ns + MS,
    );
    assert_eq!((tick.counters.passed, tick.requests.len()), (100, 0));
    assert_eq!(tick.durations.requests, []);
}

#[test]
fn requests_beyond_the_last_place_share_it() {
    let names: Vec<String> = (0..100).map(|number| format!("r{number}")).collect();
    let requests: Vec<_> = names.iter().map(|name| (name.as_str(), "GET", 1)).collect();
    let tick = total(&job_of(&scenario(&requests), open(100, 10)), |arrived_ns: u64| {
        arrived_ns + MS
    });
    assert_eq!(tick.requests.len(), REQUESTS_APART_MAX);
    assert_eq!((tick.requests[0].passed, tick.requests[63].passed), (10, 370));
}

#[test]
fn a_post_that_meets_the_end_of_its_connection_is_not_sent_again() {
    let closing = Closing {
        after_ns: 99 * MS,
        seen_after_ns: 2 * MS,
    };
    let mut tick = Tick::default();
    let backend = VirtualBackend::new(|arrived_ns: u64| arrived_ns).closing(closing);
    let job = job_of(&scenario(&[("order", "POST", 1)]), open(10, 10));
    run_on(&job, backend, |seen| {
        tick.merge(&seen);
        Control::Continue
    });
    // Each second request comes 100 ms after a response, 1 ms after the service has ended the connection.
    let counters = &tick.counters;
    assert_eq!(
        (counters.passed, counters.keep_alive_races, counters.repeated),
        (50, 50, 0)
    );
    assert_eq!((counters.finished(), counters.errors.total()), (100, 0));
    let race = tick.examples.get(Sight::KeepAliveRace).expect("an example");
    assert_eq!(
        race.found,
        "the service closed the connection, after 100 ms without a request, as the request was sent"
    );
    assert!(race.at_ns < S, "the first one");
}
