//! What held connections send and get, against a service that delays, loses, doubles, reorders, splits and makes things up.

use super::{MS, S, job_of};
use plimsoll_engine::backend::Slot;
use plimsoll_engine::{Actions, Control, Elsewhere, Job};
use plimsoll_measure::{MessageCounts, Tick, Timing};
use plimsoll_plan::{
    Action, ActionRequest, Address, HoldLoad, Load, OnFailure, Park, Piece, Rate, Receivers, Repeat, Request, Scenario,
    Template, Values, Variable,
};
use plimsoll_sim::backend::{Peer, VirtualBackend};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

const CONNECTIONS: u32 = 10;
/// Each connection sends once in 5 s, so that a message is due every 500 ms, for 30 s.
const MESSAGES: u64 = 60;
/// Connections are opened within this time.
const OPENING_NS: u64 = 100 * MS;
/// From the intended sending to the arrival.
const DELIVERY_NS: u64 = 40 * MS;

/// The mark of each message that was sent, in order.
type Sent = Rc<RefCell<Vec<Vec<u8>>>>;

/// Accepts what the actions send, but for one in so many.
struct Taker {
    sent: Sent,
    refuses: Option<usize>,
}

impl Peer for Taker {
    fn receive(&mut self, _slot: Slot, bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        let mut sent = self.sent.borrow_mut();
        let path = bytes.strip_prefix(b"GET /send/").expect("an action");
        sent.push(path[..16].to_vec());
        let status = match self.refuses {
            Some(each) if sent.len().is_multiple_of(each) => "503 Busy",
            _ => "200 OK",
        };
        let response = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
        vec![(now_ns + MS, Cow::Owned(response.into_bytes()))]
    }
}

/// Says on held connections, after the head of a response without an end, what `says` makes of the messages.
struct Holder<F> {
    sent: Sent,
    says: F,
}

/// Pieces on the connection of a slot, with the time of each, and whether the response is chunked.
impl<F: Fn(Slot, &[Vec<u8>]) -> Vec<(u64, Vec<u8>)>> Peer for Holder<F> {
    fn receive(&mut self, slot: Slot, _bytes: &[u8], now_ns: u64) -> Vec<(u64, Cow<'static, [u8]>)> {
        let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
        let mut pieces = vec![(now_ns, Cow::Borrowed(&head[..]))];
        let said = (self.says)(slot, &self.sent.borrow());
        pieces.extend(said.into_iter().map(|(at_ns, text)| {
            let chunk = [format!("{:x}\r\n", text.len()).as_bytes(), &text, b"\r\n"].concat();
            (at_ns.max(now_ns), Cow::Owned(chunk))
        }));
        pieces
    }
}

fn holding() -> Job {
    let hold = Load::Hold(HoldLoad {
        connections: CONNECTIONS,
        pace: Rate::per_s(100),
        duration: Duration::from_secs(30),
        park: Park::Request,
        ping: None,
        ports: Vec::new(),
    });
    let path = [Piece::Literal(b"/send/"), Piece::Variable(0)];
    let request = Request {
        name: "send".to_owned(),
        ..Request::get(Template::of(path))
    };
    let repeat = Repeat {
        every: Duration::from_secs(5),
        actions: vec![Action::Request(Box::new(ActionRequest {
            url: None,
            request,
            takes: Vec::new(),
            checks: Vec::new(),
            on_failure: OnFailure::default(),
            receivers: Receivers::default(),
        }))],
    };
    let scenario = Scenario {
        variables: vec![Variable {
            name: "message".to_owned(),
            values: Values::Message,
        }],
        actions: vec![Action::Repeat(repeat.clone())],
        ..super::scenario(&[("wait", "GET", 1)])
    };
    Job {
        actions: Some(Actions {
            repeat,
            receivers: Some(1),
            elsewhere: Some(Elsewhere {
                remote: Address::Tcp("127.0.0.1:81".parse().expect("an address")),
                tls: None,
            }),
        }),
        ..job_of(&scenario, hold)
    }
}

/// When message `number` is to arrive.
fn arrives_ns(number: usize) -> u64 {
    OPENING_NS + number as u64 * 500 * MS + DELIVERY_NS
}

/// All ticks in one, and the last of those of the connections.
fn run_with(
    refuses: Option<usize>,
    says: impl Fn(Slot, &[Vec<u8>]) -> Vec<(u64, Vec<u8>)>,
    on_tick: impl Fn(&Tick) -> Control,
) -> (Tick, Tick) {
    let sent = Sent::default();
    let taker = Taker {
        sent: Rc::clone(&sent),
        refuses,
    };
    let (mut total, mut last) = (Tick::default(), Tick::default());
    let on_tick: &mut dyn FnMut(Tick) -> Control = &mut |tick| {
        total.merge(&tick);
        let control = on_tick(&tick);
        last = tick;
        control
    };
    holding().run_acting_on(
        VirtualBackend::before(taker).before_any(),
        || VirtualBackend::before(Holder { sent, says }).before_any(),
        on_tick,
    );
    (total, last)
}

fn run(says: impl Fn(Slot, &[Vec<u8>]) -> Vec<(u64, Vec<u8>)>) -> (Tick, Tick) {
    run_with(None, says, |_| Control::Continue)
}

/// Each message goes to connection `number % CONNECTIONS`, once, in time.
fn in_turn(slot: Slot, sent: &[Vec<u8>]) -> Vec<(u64, Vec<u8>)> {
    let own = sent
        .iter()
        .enumerate()
        .skip(slot as usize)
        .step_by(CONNECTIONS as usize);
    own.map(|(number, mark)| (arrives_ns(number), mark.clone())).collect()
}

#[track_caller]
fn check(tick: &Tick, expected: MessageCounts) {
    assert_eq!(tick.counters.messages, expected);
    assert_eq!(
        tick.requests[0].messages,
        MessageCounts::default(),
        "of the request that waits"
    );
    assert_eq!(tick.requests[1].messages, expected, "of the request that sends");
}

const ALL: MessageCounts = MessageCounts {
    accepted: MESSAGES,
    delivered: MESSAGES,
    copies: 0,
    doubled: 0,
    compared: MESSAGES - CONNECTIONS as u64,
    out_of_order: 0,
};

#[test]
fn messages_take_what_the_service_takes() {
    let (total, last) = run(in_turn);
    check(&total, ALL);
    let time = &total.durations[Timing::MessageTime];
    assert_eq!(time.count(), MESSAGES);
    let off_ns = time
        .max_ns()
        .abs_diff(DELIVERY_NS)
        .max(time.quantile_ns(0.0).abs_diff(DELIVERY_NS));
    assert!(off_ns < MS / 10, "{off_ns} ns");
    // Connections of actions are none that are held, and responses to them are apart.
    assert_eq!((total.counters.connections_opened, last.gauges.connections), (10, 10));
    assert_eq!(
        (total.requests[0].completed, total.requests[1].completed),
        (0, MESSAGES)
    );
    assert_eq!(total.durations.requests[0][Timing::ResponseTime].count(), 0);
    // The last one arrives before the load ends, so that nothing is awaited.
    assert_eq!(last.start_ns + last.duration_ns, OPENING_NS + 30 * S);
}

#[test]
fn what_is_lost_is_awaited_and_not_delivered() {
    let (total, last) = run(|slot, sent| match slot {
        3 => Vec::new(),
        slot => in_turn(slot, sent),
    });
    let lost = MESSAGES / u64::from(CONNECTIONS);
    let compared = ALL.compared - (lost - 1);
    check(
        &total,
        MessageCounts {
            delivered: MESSAGES - lost,
            compared,
            ..ALL
        },
    );
    assert!(last.draining);
    assert_eq!(
        last.start_ns + last.duration_ns,
        OPENING_NS + 40 * S,
        "the response timeout is over"
    );
}

#[test]
fn what_comes_late_ends_the_wait() {
    let (total, last) = run(|slot, sent| {
        let late = |(at_ns, mark)| (at_ns + 2 * S, mark);
        in_turn(slot, sent).into_iter().map(late).collect()
    });
    check(&total, ALL);
    let end_ns = last.start_ns + last.duration_ns;
    assert!((OPENING_NS + 31 * S..OPENING_NS + 32 * S).contains(&end_ns), "{end_ns}");
    assert!(total.durations[Timing::MessageTime].quantile_ns(0.0) >= 2 * S);
}

#[test]
fn what_comes_twice_is_doubled_wherever_it_comes() {
    let (total, _) = run(|slot, sent| match slot {
        // Those of the connection before, a second later, besides its own.
        4 => [
            in_turn(4, sent),
            in_turn(3, sent)
                .into_iter()
                .map(|(at_ns, mark)| (at_ns + S, mark))
                .collect(),
        ]
        .concat(),
        slot => in_turn(slot, sent),
    });
    check(&total, MessageCounts { doubled: 6, ..ALL });
}

#[test]
fn what_overtakes_is_out_of_order() {
    let (total, _) = run(|slot, sent| {
        let mut own = in_turn(slot, sent);
        if slot == 0 {
            // The second and the third change places.
            let text = std::mem::take(&mut own[1].1);
            own[1].1 = std::mem::replace(&mut own[2].1, text);
        }
        own
    });
    check(&total, MessageCounts { out_of_order: 1, ..ALL });
}

#[test]
fn a_mark_in_pieces_is_found() {
    let (total, _) = run(|slot, sent| {
        let pieces = |(at_ns, mark): (u64, Vec<u8>)| {
            let text = [b"data: plimpl", mark.as_slice(), b"\n\n"].concat();
            let each = 1 + at_ns as usize / 500_000_000 % 7;
            text.chunks(each)
                .map(|piece| (at_ns, piece.to_vec()))
                .collect::<Vec<_>>()
        };
        in_turn(slot, sent).into_iter().flat_map(pieces).collect()
    });
    check(&total, ALL);
}

#[test]
fn what_the_service_makes_up_counts_as_nothing() {
    let (total, _) = run(|slot, sent| {
        let mut said = in_turn(slot, sent);
        let forged = |number: u64| (S + number * MS, format!("plim{number:012}").into_bytes());
        said.extend((0..100).map(forged));
        said
    });
    check(&total, ALL);
}

#[test]
fn what_the_service_does_not_accept_is_not_under_way() {
    let (total, last) = run_with(Some(10), in_turn, |_| Control::Continue);
    let refused = MESSAGES / 10;
    // They arrive all the same.
    let expected = MessageCounts {
        accepted: MESSAGES - refused,
        delivered: MESSAGES - refused,
        ..ALL
    };
    check(&total, expected);
    assert_eq!(total.counters.errors.total(), refused);
    assert!(!last.draining);
}

#[test]
fn a_run_that_is_stopped_leaves_messages_under_way() {
    let (total, last) = run_with(None, in_turn, |tick| {
        match tick.gauges.connections > 0 && tick.index == 9 {
            true => Control::Stop,
            false => Control::Continue,
        }
    });
    let counts = total.counters.messages;
    assert!(!last.draining);
    assert!(counts.under_way() > 0 && counts.delivered > 0, "{counts:?}");
}
