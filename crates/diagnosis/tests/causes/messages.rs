//! What a service comes to that is asked by messages on WebSockets, and what it keeps for who sends them.

use super::*;

fn on_web_sockets() -> Plan {
    let text = "
target: { url: 'ws://127.0.0.1:3000/', command: node server.js }
scenario: { requests: [{ send: { text: 'hello ${message}' } }] }
";
    Plan::parse(text, "plan.yaml").expect("a plan")
}

fn asked_by_messages(fold: &CounterFold) -> Findings {
    let plain = plain();
    let passes = Passes {
        plain: &plain,
        counters: Some((&plain, fold)),
        profile: None,
        allocations: &Profile::default(),
        directory: None,
    };
    diagnose(&on_web_sockets(), &plain, &passes)
}

/// As many messages as there are requests elsewhere; those of HTTP open connections.
fn talking() -> ProbeCounters {
    let mut counters = healthy();
    counters.requests.started = 8;
    counters.requests.messages = REQUESTS;
    counters.requests.messages_sent = REQUESTS;
    counters
}

#[test]
fn a_service_on_web_sockets_is_asked_by_messages() {
    let mut counters = talking();
    counted(&mut counters, "output", 200 * MS, 1);
    let found = asked_by_messages(&fold(&counters)).diagnosis.expect("a diagnosis");
    let cause = &found.causes[0];
    assert_eq!(cause.kind, CauseKind::BlockingWrite);
    assert_eq!((cause.per_request, cause.by_message), (Some(1.0), true));
    assert!(found.by_message);
    // Of another one a message is no request.
    assert_eq!(
        diagnosed(&counters, &Profile::default(), None).causes[0].per_request,
        Some(125.0)
    );
    counters.requests.messages = 0;
    let none = asked_by_messages(&fold(&counters)).notices;
    assert!(none.contains(&Notice::NothingCounted), "{none:?}");
}

#[test]
fn a_broadcast_is_serialised_once_or_for_each_receiver() {
    let kind = |texts: u64, sent: u64, again: u64| {
        let mut counters = talking();
        counters.requests.messages_sent = REQUESTS * sent;
        counted_as("JSON.stringify", &mut counters, "json", 200 * MS, 9);
        counters.counters[0].calls = REQUESTS * texts;
        counters.sites[0].calls = REQUESTS * texts;
        counters.sites[0].watched = 10;
        counters.sites[0].seen_again = again;
        let found = asked_by_messages(&fold(&counters)).diagnosis.expect("a diagnosis");
        let cause = found.causes.first().expect("a cause");
        (cause.kind, rounded(cause.cpu_share))
    };
    // Of five texts four are too many.
    assert_eq!(kind(5, 5, 10), (CauseKind::BroadcastPerSocket, 0.2));
    for (texts, sent, again, why) in [
        (2, 5, 10, "one for who said it and one for the others"),
        (5, 2, 10, "they are not sent"),
        (5, 5, 2, "each says something else"),
    ] {
        assert_eq!(kind(texts, sent, again), (CauseKind::Json, 0.25), "{why}");
    }
}

#[test]
fn messages_compressed_one_by_one_are_a_cause_where_they_take_the_cpu() {
    let found = |per_message: f64, thread_share: f64| {
        let mut counters = talking();
        counted_as("ws PerMessageDeflate.compress", &mut counters, "pool", 0, 1);
        let calls = (REQUESTS as f64 * per_message) as u64;
        counters.counters[0].calls = calls;
        counters.sites[0].calls = calls;
        counters.cpu.thread_ns = counters.cpu.thread_ns.map(|ns| (ns as f64 * thread_share) as u64);
        // So many tasks wait for a thread.
        counters.pool.wait_ns = counters.pool.canaries * 12 * MS;
        let found = asked_by_messages(&fold(&counters)).diagnosis.expect("a diagnosis");
        let causes = found.causes.iter();
        causes.map(|cause| (cause.kind, cause.per_request)).collect::<Vec<_>>()
    };
    assert_eq!(found(40.0, 0.4), [(CauseKind::MessageCompression, Some(40.0))]);
    assert_eq!(found(1.0, 0.4), [(CauseKind::MessageCompression, Some(1.0))]);
    let is_one = |found: Vec<(CauseKind, _)>| found.iter().any(|(kind, _)| *kind == CauseKind::MessageCompression);
    assert!(!is_one(found(0.02, 0.4)), "one message of fifty is compressed");
    assert!(!is_one(found(1.0, 0.95)), "the event loop takes the CPU");
}

#[test]
fn what_is_added_and_never_taken_away_is_a_cause_at_its_line() {
    for (name, counter_kind, kind) in [
        ("EventEmitter.on", "listener", CauseKind::ListenerGrowth),
        ("Socket.join", "room", CauseKind::RoomGrowth),
    ] {
        let found = |kept: [u64; 4]| {
            let from = |message| ProbeLine::From { connection: 0, message };
            let site = CallSite {
                id: 1,
                counter: name.to_owned(),
                frames: vec![SiteFrame {
                    file: "/srv/app.js".to_owned(),
                    line: 12,
                    ..SiteFrame::default()
                }],
                made_in: None,
            };
            let mut fold = CounterFold::default();
            for line in [
                from(ProbeMessage::Hello(Box::default())),
                from(ProbeMessage::Site(site)),
                ProbeLine::WindowBegins,
            ] {
                fold.push(&line);
            }
            for (second, kept) in kept.into_iter().enumerate() {
                let mut counters = ProbeCounters {
                    since_ms: 1000.0 * second as f64,
                    ..ProbeCounters::default()
                };
                counters.requests.messages = 500 * second as u64;
                counters.counters.push(FunctionCounter {
                    name: name.to_owned(),
                    kind: counter_kind.to_owned(),
                    calls: 250 * second as u64,
                    ..FunctionCounter::default()
                });
                counters.sites.push(SiteCounter {
                    id: 1,
                    calls: 250 * second as u64,
                    kept,
                    ..SiteCounter::default()
                });
                fold.push(&from(ProbeMessage::Counters(Box::new(counters))));
            }
            asked_by_messages(&fold).diagnosis.expect("a diagnosis").causes
        };
        let causes = found([100, 350, 600, 850]);
        let cause = causes.first().expect("a cause");
        assert_eq!((causes.len(), cause.kind), (1, kind));
        assert_eq!(cause.place.as_ref().map(|place| place.line), Some(12));
        let evidence = Evidence::Kept {
            added_per_request: 0.5,
            by: 500.0,
            to: 850.0,
        };
        assert_eq!(cause.evidence, evidence);
        assert_eq!(found([100, 850, 350, 600]), [], "they come and go");
    }
}
