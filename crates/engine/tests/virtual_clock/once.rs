//! What users do on their first journey alone: who comes again has the values and the cookies of before.

use super::{MS, S, job_of, open, run_on};
use plimsoll_engine::backend::Slot;
use plimsoll_engine::{Control, Job};
use plimsoll_measure::Tick;
use plimsoll_plan::{ClosedLoad, Load, Plan, UserStage};
use plimsoll_sim::backend::{Peer, VirtualBackend};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

/// Each log-in has a token, by body and by cookie, and both have to come back together. Asks fail where they say so.
struct Gate {
    log_ins: usize,
    asks: usize,
    /// Fails this ask.
    fails: Option<usize>,
    /// The tokens of asks that came.
    seen: BTreeSet<String>,
    /// So many asks in a row have to be with different tokens.
    users: usize,
}

impl Peer for Gate {
    fn receive(&mut self, _slot: Slot, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        let text = std::str::from_utf8(bytes).expect("text");
        let (status, cookie, body) = match text.split(' ').nth(1).expect("a path") {
            "/log-in" => {
                self.log_ins += 1;
                let token = self.log_ins;
                (
                    "200 OK",
                    format!("set-cookie: sid=t{token}\r\n"),
                    format!("{{\"token\":\"t{token}\"}}"),
                )
            }
            path => {
                let token = path.strip_prefix("/of/").expect("a path of a user");
                assert!(text.contains(&format!("cookie: sid={token}\r\n")), "{text}");
                // Everybody asks once before anybody asks again.
                if self.seen.len() == self.users {
                    self.seen.clear();
                }
                assert!(
                    self.seen.insert(token.to_owned()) || self.fails.is_some(),
                    "{token} again"
                );
                self.asks += 1;
                let is_failed = self.fails == Some(self.asks);
                let status = if is_failed { "500 Oh" } else { "200 OK" };
                (status, String::new(), "{}".to_owned())
            }
        };
        let head = format!(
            "HTTP/1.1 {status}\r\n{cookie}content-length: {}\r\n\r\n{body}",
            body.len()
        );
        vec![(now_ns + 5 * MS, Cow::Owned(head.into_bytes()))]
    }
}

fn gate(users: usize) -> Gate {
    Gate {
        log_ins: 0,
        asks: 0,
        fails: None,
        seen: BTreeSet::new(),
        users,
    }
}

fn job(load: Load) -> Job {
    let plan = "
target: http://localhost:80
scenario:
  journeys:
    - actions:
        - once: { actions: [request: { path: /log-in, take: { token: { json: $.token } } }] }
        - request: { name: ask, path: '/of/${token}' }
        - pause: 20ms
";
    job_of(Plan::parse(plan, "plan.yaml").expect("a valid plan").scenario(), load)
}

fn closed(users: u32, requests: u64, think_time: Duration) -> Load {
    Load::Closed(ClosedLoad {
        connections: users,
        requests: Some(requests),
        duration: None,
        think_time,
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    })
}

/// How many users were at the log-in, and how many asked.
#[track_caller]
fn check(load: Load, gate: Gate, expected: (u64, u64)) {
    let mut total = Tick::default();
    run_on(&job(load), VirtualBackend::before(gate), |tick| {
        total.merge(&tick);
        Control::Continue
    });
    let [log_in, ask] = [0, 1].map(|request: usize| total.requests[request].users);
    assert_eq!((log_in.reached, ask.reached), expected);
    // Who is new does it, and nobody else.
    assert_eq!(log_in.new, log_in.reached);
}

#[test]
fn each_arrival_does_what_is_done_once() {
    check(open(10, 5), gate(1), (50, 50));
}

#[test]
fn a_user_of_the_closed_model_does_it_on_its_first_journey() {
    for think_time in [Duration::ZERO, Duration::from_millis(7)] {
        check(closed(3, 30, think_time), gate(3), (3, 30));
    }
}

#[test]
fn a_user_whose_journey_failed_does_it_again() {
    let gate = Gate {
        fails: Some(4),
        ..gate(2)
    };
    check(closed(2, 20, Duration::ZERO), gate, (3, 20));
}

#[test]
fn users_who_come_in_stages_do_it_when_they_come() {
    let stage = |users, seconds| UserStage {
        from: users,
        to: users,
        duration: Duration::from_secs(seconds),
    };
    let stages = vec![stage(4, 1), stage(1, 1), stage(3, 1)];
    for think_time in [Duration::ZERO, Duration::from_millis(300)] {
        let load = ClosedLoad {
            think_time,
            ..ClosedLoad::in_stages(stages.clone())
        };
        let mut total = Tick::default();
        let gate = Gate {
            fails: Some(usize::MAX),
            ..gate(4)
        };
        run_on(&job(Load::Closed(load)), VirtualBackend::before(gate), |tick| {
            total.merge(&tick);
            Control::Continue
        });
        // Four at first, and two more who come when three have gone.
        let log_in = total.requests[0].users;
        assert_eq!((log_in.reached, log_in.new), (6, 6), "{think_time:?}");
        assert!(total.requests[1].users.reached > 3 * (3 * S / (325 * MS)) / 2);
    }
}

/// Ten times a second, and not for ever at one moment.
#[test]
fn users_who_have_nothing_to_do_come_again_later() {
    let plan = "
target: http://localhost:80
scenario: { journeys: [{ actions: [once: { actions: [request: { path: /log-in }] }] }] }
";
    let plan = Plan::parse(plan, "plan.yaml").expect("a valid plan");
    for think_time in [Duration::ZERO, Duration::from_millis(100)] {
        let load = ClosedLoad {
            connections: 2,
            duration: Some(Duration::from_secs(1)),
            think_time,
            ..ClosedLoad::in_stages(Vec::new())
        };
        let mut total = Tick::default();
        let job = job_of(plan.scenario(), Load::Closed(load));
        run_on(&job, VirtualBackend::new(|arrived_ns| arrived_ns + 5 * MS), |tick| {
            total.merge(&tick);
            Control::Continue
        });
        let counters = &total.counters;
        assert_eq!(counters.sent, 2, "{think_time:?}");
        assert!((18..=22).contains(&counters.users.finished), "{counters:?}");
    }
}
