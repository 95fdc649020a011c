//! Cookies of users, whatever the response is that sets them.

use super::{MS, job_of, open, run_on};
use plimsoll_engine::Control;
use plimsoll_engine::backend::Slot;
use plimsoll_measure::Tick;
use plimsoll_plan::Plan;
use plimsoll_sim::backend::{Peer, VirtualBackend};
use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

/// Sets a cookie by a response with this status, behind a header of so many bytes, and counts the requests that come with it.
struct Jar {
    status: u16,
    padding: usize,
    brought: Rc<Cell<u64>>,
}

impl Peer for Jar {
    fn receive(&mut self, _slot: Slot, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        let text = std::str::from_utf8(bytes).expect("text");
        if text.contains("\r\ncookie: sid=s1\r\n") {
            self.brought.set(self.brought.get() + 1);
        }
        let head = format!(
            "HTTP/1.1 {} Maybe\r\nx-policy: {}\r\nset-cookie: sid=s1; Path=/\r\ncontent-length: 2\r\n\r\n",
            self.status,
            "p".repeat(self.padding)
        );
        // The body is a piece of its own.
        let pieces = [head.into_bytes(), b"{}".to_vec()];
        pieces.map(|piece| (now_ns + MS, Cow::Owned(piece))).to_vec()
    }
}

#[track_caller]
fn is_brought(status: u16, padding: usize) {
    let plan = "target: http://localhost:80\nscenario: { journeys: [{ actions: [request: { name: set, path: /, on_failure: continue }, request: { name: bring, path: /, on_failure: continue }] }] }\n";
    let plan = Plan::parse(plan, "plan.yaml").expect("a valid plan");
    let brought = Rc::default();
    let jar = Jar {
        status,
        padding,
        brought: Rc::clone(&brought),
    };
    let mut total = Tick::default();
    run_on(
        &job_of(plan.scenario(), open(10, 1)),
        VirtualBackend::before(jar),
        |tick| {
            total.merge(&tick);
            Control::Continue
        },
    );
    assert_eq!(total.counters.completed, 20);
    assert_eq!(brought.get(), 10, "status {status}, {padding} bytes");
}

#[test]
fn a_cookie_is_kept_whatever_the_status_is() {
    for status in [200, 302, 401, 500] {
        is_brought(status, 1);
    }
}

#[test]
fn a_cookie_is_kept_however_long_the_head_is() {
    for padding in [4_000, 5_000, 50_000] {
        is_brought(200, padding);
    }
}
