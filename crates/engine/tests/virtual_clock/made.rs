//! Values that are made when a request is due, as a service sees them.

use super::{S, job_of, open, run_on};
use plimsoll_engine::Control;
use plimsoll_engine::backend::Slot;
use plimsoll_plan::{Load, Plan};
use plimsoll_sim::backend::{Peer, VirtualBackend};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Keeps the paths of requests and when they came, and responds at once.
struct Paths(Rc<RefCell<Vec<(u64, String)>>>);

impl Peer for Paths {
    fn receive(&mut self, _slot: Slot, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        let text = std::str::from_utf8(bytes).expect("text");
        let path = text.split(' ').nth(1).expect("a path").to_owned();
        self.0.borrow_mut().push((now_ns, path));
        vec![(
            now_ns,
            Cow::Borrowed(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".as_slice()),
        )]
    }
}

fn paths(scenario: &str, load: Load) -> Vec<(u64, Vec<String>)> {
    let plan = format!("target: http://localhost:80\nscenario: {{ {scenario} }}\n");
    let plan = Plan::parse(&plan, "plan.yaml").expect("a valid plan");
    let seen = Rc::new(RefCell::new(Vec::new()));
    let backend = VirtualBackend::before(Paths(Rc::clone(&seen)));
    run_on(&job_of(plan.scenario(), load), backend, |_| Control::Continue);
    let seen = seen.take().into_iter();
    seen.map(|(at_ns, path)| (at_ns, path.split('/').skip(1).map(str::to_owned).collect()))
        .collect()
}

fn each(seen: &[(u64, Vec<String>)], part: usize) -> BTreeSet<&str> {
    seen.iter().map(|(_, parts)| parts[part].as_str()).collect()
}

const VARIABLES: &str = "variables: { id: { uuid: random }, code: { length: 12, anew: true }, any: { from: 1, to: 3, order: random }, at: { now: milliseconds } }";

#[test]
fn no_two_requests_have_the_same_value_by_chance_whatever_their_kinds() {
    let requests = "requests: [{ name: a, path: '/${id}/${code}/${any}' }, { name: b, path: '/${id}/${code}/${any}' }]";
    let seen = paths(&format!("{VARIABLES}, {requests}"), open(100, 2));
    assert_eq!(seen.len(), 200);
    assert_eq!([0, 1].map(|part| each(&seen, part).len()), [200, 200]);
    assert_eq!(each(&seen, 2), BTreeSet::from(["1", "2", "3"]));
    assert_eq!(
        paths(&format!("{VARIABLES}, {requests}"), open(100, 2)),
        seen,
        "the seed decides"
    );
}

#[test]
fn user_keeps_a_value_unless_it_is_made_anew() {
    let ask = "request: { path: '/${id}/${code}/${code}' }";
    let journey = |name: &str| {
        format!(
            "{{ name: {name}, actions: [request: {{ name: {name}, path: '/${{id}}/${{code}}/${{code}}' }}, repeat: {{ times: 3, actions: [{ask}] }}] }}"
        )
    };
    let ask_named = journey("x").replace(ask, "request: { name: y, path: '/${id}/${code}/${code}' }");
    let other = journey("v").replace(ask, "request: { name: w, path: '/${id}/${code}/${code}' }");
    let seen = paths(&format!("{VARIABLES}, journeys: [{ask_named}, {other}]"), open(10, 2));
    assert_eq!(seen.len(), 80, "20 users, 4 requests each");
    assert_eq!(
        each(&seen, 0).len(),
        20,
        "a user has one, and no other user of any journey"
    );
    assert_eq!(each(&seen, 1).len(), 80, "each request has another one, also in rounds");
    assert!(
        seen.iter().all(|(_, parts)| parts[1] == parts[2]),
        "the same wherever it stands in a request"
    );
}

#[test]
fn time_is_when_a_request_is_due() {
    let journey = "journeys: [{ actions: [request: { name: a, path: '/${at}' }, pause: 1500ms, set: { then: '${at}' }, request: { name: b, path: '/${at}/${then}' }] }]";
    let seen = paths(&format!("{VARIABLES}, {journey}"), open(2, 2));
    let ms = |text: &str| text.parse::<u64>().expect("a number");
    let zero_ms = ms(&seen[0].1[0]) - seen[0].0 / 1_000_000;
    assert_eq!(seen.len(), 8);
    for (at_ns, parts) in &seen {
        // Whole milliseconds of two clocks.
        assert!(
            (ms(&parts[0]) - zero_ms).abs_diff(at_ns / 1_000_000) <= 1,
            "{parts:?} at {at_ns}"
        );
        assert!(parts.get(1).is_none_or(|then| *then == parts[0]));
    }
    let first = "requests: [path: '/${at}']";
    let seen = paths(&format!("{VARIABLES}, {first}"), open(4, 1));
    let after: Vec<u64> = seen
        .iter()
        .map(|(_, parts)| ms(&parts[0]) - ms(&seen[0].1[0]))
        .collect();
    assert!(
        after
            .iter()
            .zip([0, 250, 500, 750])
            .all(|(found, due)| found.abs_diff(due) <= 1),
        "{after:?}"
    );
    assert!(seen.iter().all(|(at_ns, _)| *at_ns < 2 * S));
}
