//! Users on journeys, against a service that gives out a token and looks whether it comes back.

use super::{MS, S, job_of, open, run_on};
use plimsoll_engine::backend::Slot;
use plimsoll_engine::{Control, Job};
use plimsoll_measure::{ErrorClass, Tick, Timing, UserCounts};
use plimsoll_plan::{ClosedLoad, Connections, Load, Plan, UserStage};
use plimsoll_schedule::AgentShare;
use plimsoll_sim::backend::{Closing, Peer, VirtualBackend};
use proptest::prelude::*;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
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

/// Those of the one journey.
pub(crate) fn users_of(tick: &Tick) -> UserCounts {
    users(tick, 0)
}

#[track_caller]
pub(crate) fn near(found_ns: u64, expected_ns: u64) {
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
        near(tick.durations[Timing::WaitingTime].quantile_ns(quantile), 40 * MS);
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
fn a_user_goes_on_after_a_failed_check_where_told_to() {
    for (on_failure, reached, finished, ended) in [("end", 0, 0, 10), ("continue", 10, 10, 0)] {
        for check in ["{ json: $.state, is: open }", "{ time: 4ms }", "{ matches: 'd[^o]ne' }"] {
            let asks = ASK.strip_suffix(" }").expect("the end of the request");
            let fails = format!("{asks}, check: [{check}], on_failure: {on_failure} }}");
            let job = job(
                &format!(
                    "{fails}, request: {{ name: last, path: '/of/${{token}}', headers: {{ x-token: '${{token}}' }} }}"
                ),
                open(10, 1),
            );
            let (tick, _) = run(&job, shop(5 * MS));
            assert_eq!(tick.counters.errors.get(ErrorClass::Check), 10, "{check}");
            assert_eq!(users(&tick, 1).failed, ended, "{check}");
            assert_eq!(users(&tick, 0).ended_early, ended, "{check}");
            assert_eq!(users(&tick, 2).reached, reached, "{check}");
            assert_eq!(users(&tick, 0).finished, finished, "{check}");
        }
    }
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
        stages: Vec::new(),
    });
    let (tick, end_ns) = run(&job(&format!("pause: 10ms, {ASK}"), closed), shop(5 * MS));
    assert_eq!((users(&tick, 0).started, users(&tick, 0).finished), (9, 9));
    assert!(end_ns >= 2 * (20 + 40) * MS, "{end_ns}");
}

/// A journey is two requests of 5 ms and a pause of 600 ms. Four users are there for a second, then one.
#[test]
fn a_user_who_goes_ends_its_journey_first() {
    let stage = |users, seconds| UserStage {
        from: users,
        to: users,
        duration: Duration::from_secs(seconds),
    };
    let closed = Load::Closed(ClosedLoad::in_stages(vec![stage(4, 1), stage(1, 2)]));
    let mut there = Vec::new();
    let mut total = Tick::default();
    let backend = VirtualBackend::before(shop(5 * MS));
    run_on(&job(&format!("pause: 600ms, {ASK}"), closed), backend, |tick| {
        there.extend(tick.gauges.users);
        total.merge(&tick);
        Control::Continue
    });
    // All four are on their second journey when three are to go, and end it at 1.22 s. The one who stays begins at 0, 0.61, 1.22, 1.83
    // and 2.44 s, and ends what it has begun.
    assert_eq!(
        (users(&total, 0).started, users(&total, 0).finished),
        (4 + 4 + 3, 4 + 4 + 3)
    );
    assert_eq!(users(&total, 0).failed, 0);
    let (first, last) = (there.first().copied(), there.last().copied());
    assert_eq!((first, last), (Some(4), Some(1)), "{there:?}");
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
        // What is left of `every` after the requests of a round is a pause.
        near(tick.durations[Timing::WaitingTime].max_ns(), (1 + sent) * 10 * MS);
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
struct Door(Rc<RefCell<Vec<String>>>);

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
    let rows = Rc::default();
    let mut total = Tick::default();
    job.run_on(VirtualBackend::before(Door(Rc::clone(&rows))), |tick| {
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

/// A shop that notes who is on which of its connections, and how many of these were open at a time.
#[derive(Default)]
struct Doors {
    shop: Shop,
    /// The connection of a slot is the last one of these.
    of_slot: Vec<Vec<usize>>,
    /// The tokens that came on each connection, or were given out on it.
    users: Rc<RefCell<Vec<BTreeSet<String>>>>,
}

impl Peer for Doors {
    fn receive(&mut self, slot: Slot, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        let text = String::from_utf8_lossy(bytes);
        let path = text.split(' ').nth(1).expect("a path");
        let user = match path.strip_prefix("/of/") {
            Some(token) => token.to_owned(),
            None => format!("t{}", self.shop.log_ins + 1),
        };
        let connection = *self.of_slot[slot as usize].last().expect("a connection");
        self.users.borrow_mut()[connection].insert(user);
        self.shop.receive(slot, bytes, now_ns)
    }

    fn connected(&mut self, slot: Slot) {
        let mut users = self.users.borrow_mut();
        let slots = self.of_slot.len().max(slot as usize + 1);
        self.of_slot.resize(slots, Vec::new());
        self.of_slot[slot as usize].push(users.len());
        users.push(BTreeSet::new());
    }
}

/// The ticks of users with connections of their own, and the users on each connection.
fn run_with_own(job: Job, max: u32, takes_ns: u64, closing: Option<Closing>) -> (Vec<Tick>, Vec<BTreeSet<String>>) {
    let job = Job {
        connections: Connections {
            max,
            per_user: true,
            response_timeout: Duration::from_secs(600),
            ..Connections::default()
        },
        ..job
    };
    let doors = Doors {
        shop: shop(takes_ns),
        ..Doors::default()
    };
    let users = Rc::clone(&doors.users);
    let backend = VirtualBackend::before(doors);
    let backend = match closing {
        Some(closing) => backend.closing(closing),
        None => backend,
    };
    let mut ticks = Vec::new();
    run_on(&job, backend, |tick| {
        ticks.push(tick);
        Control::Continue
    });
    (ticks, users.take())
}

fn all(ticks: &[Tick]) -> Tick {
    let mut total = Tick::default();
    ticks.iter().for_each(|tick| total.merge(tick));
    total
}

fn users_at_a_time(users: u32, requests: u64, think_ms: u64) -> Load {
    Load::Closed(ClosedLoad {
        connections: users,
        requests: Some(requests),
        duration: None,
        think_time: Duration::from_millis(think_ms),
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However many there are, however long they pause and however few connections there may be.
    #[test]
    fn each_user_has_one_connection_and_shares_it_with_nobody(
        rate in 1_u32..21,
        users in 1_u32..12,
        is_open in any::<bool>(),
        max in 1_u32..20,
        takes_ms in 1_u64..80,
        pause_ms in 1_u64..300,
        think_ms in 0_u64..20,
    ) {
        let load = match is_open {
            true => open(rate, 2),
            false => users_at_a_time(users, 40, think_ms),
        };
        let job = job(&format!("pause: {pause_ms}ms, repeat: {{ times: 2, actions: [{ASK}] }}"), load);
        let (ticks, of_connections) = run_with_own(job, max, takes_ms * MS, None);
        let total = all(&ticks);
        let first = users_of(&total);
        prop_assert_eq!(first.started, if is_open { u64::from(rate) * 2 } else { 40 });
        prop_assert_eq!((first.finished, first.failed), (first.started, 0));
        // A connection for each, and each of them for one.
        prop_assert_eq!(of_connections.len() as u64, first.started);
        prop_assert_eq!(total.counters.connections_opened, first.started);
        prop_assert!(of_connections.iter().all(|users| users.len() == 1), "{:?}", of_connections);
        let distinct: BTreeSet<_> = of_connections.iter().flatten().collect();
        prop_assert_eq!(distinct.len() as u64, first.started);
        let most = u64::from(if is_open { max } else { users });
        prop_assert!(ticks.iter().all(|tick| tick.gauges.connections <= most));
        // All of them are closed when their users have left.
        prop_assert_eq!(ticks.last().map(|tick| tick.gauges.connections), Some(0));
    }

    /// A service closes connections that rest: their users go on with another one, which is their own again.
    #[test]
    fn a_user_whose_connection_is_closed_opens_another_one(
        rate in 1_u32..40,
        takes_ms in 1_u64..20,
        pause_ms in 1_u64..300,
        rest_ms in 20_u64..200,
    ) {
        let job = job(&format!("repeat: {{ times: 2, actions: [pause: {pause_ms}ms, {ASK}] }}"), open(rate, 2));
        let closing = Closing { after_ns: rest_ms * MS, seen_after_ns: 0 };
        let (ticks, of_connections) = run_with_own(job, 2000, takes_ms * MS, Some(closing));
        let first = users_of(&all(&ticks));
        prop_assert_eq!((first.finished, first.failed), (u64::from(rate) * 2, 0));
        let used: Vec<_> = of_connections.iter().filter(|users| !users.is_empty()).collect();
        prop_assert!(used.iter().all(|users| users.len() == 1), "{:?}", used);
        let each = if pause_ms > rest_ms { 3 } else { 1 };
        if pause_ms != rest_ms {
            prop_assert_eq!(used.len() as u64, first.finished * each);
        }
    }
}

#[test]
fn users_beyond_the_most_connections_wait_until_others_leave() {
    let job = job(&format!("pause: 1s, {ASK}"), open(10, 1));
    let (ticks, of_connections) = run_with_own(job, 1, 10 * MS, None);
    let total = all(&ticks);
    assert_eq!((users_of(&total).finished, of_connections.len()), (10, 10));
    // One after the other, 1.02 s each; the last came after 900 ms.
    near(total.durations[Timing::JourneyTime].max_ns(), 10 * 1020 * MS - 900 * MS);
}

/// When users arrive at the service, as seen by an agent with this share.
fn arrivals_of(share: AgentShare, load: &Load) -> Vec<u64> {
    let arrivals = Rc::<RefCell<Vec<u64>>>::default();
    let job = Job {
        share,
        ..job(&format!("pause: 70ms, {ASK}"), load.clone())
    };
    let watched = Watched {
        shop: shop(5 * MS),
        arrivals: Rc::clone(&arrivals),
    };
    run_on(&job, VirtualBackend::before(watched), |_| Control::Continue);
    arrivals.take()
}

/// A shop that notes when users log in.
struct Watched {
    shop: Shop,
    arrivals: Rc<RefCell<Vec<u64>>>,
}

impl Peer for Watched {
    fn receive(&mut self, slot: Slot, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        if bytes.starts_with(b"GET /log-in ") {
            self.arrivals.borrow_mut().push(now_ns);
        }
        self.shop.receive(slot, bytes, now_ns)
    }
}

#[test]
fn users_of_seven_agents_arrive_when_those_of_one_do() {
    let load = open(70, 10);
    let whole = arrivals_of(AgentShare::WHOLE, &load);
    assert_eq!(whole.len(), 700);
    let shares = (0..7).map(|index| arrivals_of(AgentShare::new(index, 7).expect("one of seven"), &load));
    let shares: Vec<_> = shares.collect();
    assert!(shares.iter().all(|share| share.len() == 100), "{shares:?}");
    let mut together = shares.concat();
    together.sort_unstable();
    assert_eq!(together, whole);
}
