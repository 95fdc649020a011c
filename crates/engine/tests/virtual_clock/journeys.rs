//! Users on journeys, against a service that gives out a token and looks whether it comes back.

use super::{MS, S, job_of, open, run_on};
use plimsoll_engine::backend::Slot;
use plimsoll_engine::{Control, Job};
use plimsoll_measure::{ErrorClass, Tick, Timing, UserCounts};
use plimsoll_plan::{ClosedLoad, Connections, Load, Plan};
use plimsoll_sim::backend::{Peer, VirtualBackend};
use std::borrow::Cow;
use std::time::Duration;

/// Responds to everything after the same time. Tokens have the number of the log-in.
#[derive(Default)]
struct Shop {
    takes_ns: u64,
    log_ins: usize,
    /// The token of this log-in is missing.
    without: Option<usize>,
}

impl Peer for Shop {
    fn receive(&mut self, _slot: Slot, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        let text = std::str::from_utf8(bytes).expect("text");
        let (cookie, body) = match text.split(' ').nth(1).expect("a path") {
            "/log-in" => {
                self.log_ins += 1;
                let body = match self.without == Some(self.log_ins) {
                    true => "{}".to_owned(),
                    false => format!("{{\"token\":\"t{}\"}}", self.log_ins),
                };
                (format!("set-cookie: sid=t{}; Path=/\r\n", self.log_ins), body)
            }
            path => {
                let given = path.strip_prefix("/of/").expect("a path of a user");
                assert!(text.contains(&format!("x-token: {given}\r\n")), "{text}");
                assert!(text.contains(&format!("cookie: sid={given}\r\n")), "{text}");
                (String::new(), "{\"state\":\"done\"}".to_owned())
            }
        };
        let head = format!("HTTP/1.1 200 OK\r\n{cookie}content-length: {}\r\n\r\n", body.len());
        // In two pieces, the second one with the body.
        vec![
            (now_ns + self.takes_ns, Cow::Owned(head.into_bytes())),
            (now_ns + self.takes_ns, Cow::Owned(body.into_bytes())),
        ]
    }
}

fn shop(takes_ns: u64) -> Shop {
    Shop {
        takes_ns,
        ..Shop::default()
    }
}

/// Users who log in and then do these actions.
fn job(actions: &str, load: Load) -> Job {
    let log_in = "request: { path: /log-in, take: { token: { json: $.token } } }";
    let plan =
        format!("target: http://localhost:80\nscenario: {{ journeys: [{{ actions: [{log_in}, {actions}] }}] }}\n");
    let plan = Plan::parse(&plan, "plan.yaml").expect("a valid plan");
    job_of(plan.scenario(), load)
}

const ASK: &str = "request: { name: ask, path: '/of/${token}', headers: { x-token: '${token}' }, take: { state: { json: $.state } } }";

/// All ticks in one, and when the last of them ended.
fn run(job: &Job, shop: Shop) -> (Tick, u64) {
    let (mut total, mut end_ns) = (Tick::default(), 0);
    run_on(job, VirtualBackend::before(shop), |tick| {
        end_ns = tick.start_ns + tick.duration_ns;
        total.merge(&tick);
        Control::Continue
    });
    (total, end_ns)
}

fn users(tick: &Tick, request: usize) -> UserCounts {
    tick.requests[request].users
}

#[track_caller]
fn near(found_ns: u64, expected_ns: u64) {
    assert!(
        found_ns.abs_diff(expected_ns) <= expected_ns / 500,
        "{found_ns} is not {expected_ns}"
    );
}

#[test]
fn each_request_is_due_when_the_response_before_it_came_and_the_pause_is_over() {
    let job = job(&format!("pause: 100ms, {ASK}"), open(10, 5));
    let (tick, _) = run(&job, shop(20 * MS));
    let expected = UserCounts {
        started: 50,
        finished: 50,
        reached: 50,
        ..UserCounts::default()
    };
    assert_eq!(users(&tick, 0), expected);
    assert_eq!(users(&tick, 1).reached, 50);
    assert_eq!((tick.counters.scheduled, tick.counters.passed), (100, 100));
    for quantile in [0.0, 1.0] {
        near(tick.durations[Timing::JourneyTime].quantile_ns(quantile), 140 * MS);
        near(tick.durations[Timing::ResponseTime].quantile_ns(quantile), 20 * MS);
    }
}

#[test]
fn a_user_who_waits_for_a_connection_has_a_longer_response_time() {
    let job = Job {
        connections: Connections {
            max: 1,
            response_timeout: Duration::from_secs(60),
            ..Connections::default()
        },
        ..job(ASK, open(20, 1))
    };
    let (tick, _) = run(&job, shop(100 * MS));
    assert_eq!(users(&tick, 0).finished, 20);
    // 40 requests of 100 ms, one after the other; the last user came after 950 ms.
    near(tick.durations[Timing::JourneyTime].max_ns(), 4 * S - 950 * MS);
    assert!(tick.durations[Timing::ResponseTime].max_ns() > S);
}

#[test]
fn a_missing_value_ends_the_journey_of_one_user() {
    let job = job(ASK, open(10, 1));
    let shop = Shop {
        without: Some(3),
        ..shop(5 * MS)
    };
    let (tick, _) = run(&job, shop);
    let (first, second) = (users(&tick, 0), users(&tick, 1));
    assert_eq!((first.started, first.finished, first.failed), (10, 9, 1));
    assert_eq!((second.reached, second.failed), (9, 0));
    assert_eq!(tick.counters.errors.get(ErrorClass::Take), 1);
    assert_eq!(tick.counters.errors.total(), 1);
}

#[test]
fn in_the_closed_model_users_begin_anew() {
    let closed = Load::Closed(ClosedLoad {
        connections: 3,
        requests: Some(9),
        duration: None,
        think_time: Duration::from_millis(40),
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
    });
    let (tick, end_ns) = run(&job(&format!("pause: 10ms, {ASK}"), closed), shop(5 * MS));
    assert_eq!((users(&tick, 0).started, users(&tick, 0).finished), (9, 9));
    assert!(end_ns >= 2 * (20 + 40) * MS, "{end_ns}");
}

#[test]
fn rounds_end_when_it_is_so() {
    let until =
        format!("repeat: {{ until: {{ value: '${{state}}', is: done }}, every: 1s, at most: 5, actions: [{ASK}] }}");
    let times = format!("repeat: {{ times: 3, every: 1s, actions: [{ASK}] }}");
    for (actions, sent, took_ns) in [(until, 1, 20 * MS), (times, 3, 10 * MS + 2 * S + 10 * MS)] {
        let (tick, _) = run(&job(&actions, open(10, 1)), shop(10 * MS));
        assert_eq!(
            (tick.requests[1].sent, users(&tick, 1).reached),
            (10 * sent, 10),
            "{actions}"
        );
        near(tick.durations[Timing::JourneyTime].max_ns(), took_ns);
    }
}

#[test]
fn chance_is_as_often_as_it_says_and_the_same_each_time() {
    let job = job(&format!("chance: {{ of: 30%, actions: [{ASK}] }}"), open(1000, 1));
    let reached = || users(&run(&job, shop(MS)).0, 1).reached;
    let first = reached();
    assert!((250..350).contains(&first), "{first}");
    assert_eq!(first, reached());
}

#[test]
fn users_with_long_pauses_are_left_when_the_load_is_over() {
    let (tick, end_ns) = run(&job(&format!("pause: 10m, {ASK}"), open(10, 1)), shop(MS));
    let first = users(&tick, 0);
    assert_eq!((first.started, first.finished, first.failed), (10, 0, 0));
    assert!((31 * S..33 * S).contains(&end_ns), "{end_ns}");
}

/// A plan whose users log in with a row each of a table of this many rows.
fn job_with_rows(rows: usize, of_table: &str, load: Load) -> Job {
    let plan = format!(
        "target: http://localhost:80\nscenario: {{ variables: {{ u: {{ file: u.csv, {of_table} }} }}, journeys: [{{ actions: [request: {{ path: /log-in, headers: {{ x-u: '${{u.n}}' }} }}] }}] }}\n"
    );
    let file: String = std::iter::once("n\n".to_owned())
        .chain((0..rows).map(|row| format!("row{row}\n")))
        .collect();
    let plan = Plan::parse_with(&plan, "plan.yaml", &|_, _| Ok(file.clone().into_bytes()), &|_| None);
    job_of(plan.expect("a valid plan").scenario(), load)
}

/// Keeps the rows that come with log-ins.
struct Door(std::rc::Rc<std::cell::RefCell<Vec<String>>>);

impl Peer for Door {
    fn receive(&mut self, _slot: Slot, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        let text = std::str::from_utf8(bytes).expect("text");
        let row = text
            .split("x-u: ")
            .nth(1)
            .and_then(|rest| rest.split("\r\n").next())
            .expect("a row");
        self.0.borrow_mut().push(row.to_owned());
        vec![(
            now_ns + MS,
            Cow::Borrowed(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
        )]
    }
}

fn rows_of(job: &Job) -> (Tick, Vec<String>) {
    let rows = std::rc::Rc::default();
    let mut total = Tick::default();
    job.run_on(VirtualBackend::before(Door(std::rc::Rc::clone(&rows))), |tick| {
        total.merge(&tick);
        Control::Continue
    });
    (total, rows.take())
}

#[test]
fn users_are_given_rows_in_turn_from_step_to_step() {
    let job = job_with_rows(7, "order: in turn", open(10, 1));
    let (first, second) = (rows_of(&job).1, rows_of(&job).1);
    let expected: Vec<String> = (0..20).map(|user| format!("row{}", user % 7)).collect();
    assert_eq!([first, second].concat(), expected);
}

#[test]
fn the_load_ends_when_the_rows_are_used_up() {
    let (tick, rows) = rows_of(&job_with_rows(12, "once: true", open(10, 5)));
    assert_eq!(rows, (0..12).map(|row| format!("row{row}")).collect::<Vec<_>>());
    let users = tick.counters.users;
    assert_eq!((users.started, users.finished, users.without_row), (12, 12, 1));
    assert_eq!((tick.counters.scheduled, tick.counters.dropped), (12, 0));
}
