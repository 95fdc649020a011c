//! What the counters of the probe come to.

use super::*;
use plimsoll_findings::{Headline, What};

#[test]
fn nothing_is_found_in_a_healthy_service() {
    assert_eq!(kinds(&healthy()), []);
}

#[test]
fn what_is_counted_is_a_cause_from_a_twentieth_of_the_cpu() {
    let all_ns = (CPU_US * 1e3) as u64 * REQUESTS;
    for (kind, expected) in [
        ("output", CauseKind::BlockingWrite),
        ("file-write", CauseKind::BlockingWrite),
        ("file-read", CauseKind::SyncFileRead),
        ("json", CauseKind::Json),
        ("crypto", CauseKind::SyncCrypto),
        ("zlib", CauseKind::SyncZlib),
        ("template", CauseKind::ModuleOrTemplatePerRequest),
    ] {
        for (share, found) in [(0.04, vec![]), (0.2, vec![expected])] {
            let mut counters = healthy();
            counted(&mut counters, kind, (all_ns as f64 * share) as u64, 1);
            assert_eq!(kinds(&counters), found, "{kind} with {share}");
        }
    }
}

#[test]
fn short_cryptography_is_what_a_service_does_until_it_takes_a_fifth() {
    let all_ns = (CPU_US * 1e3) as u64 * REQUESTS;
    // Calls of 49 and of 51 µs, however many make up the share.
    for (share, call_ns, found) in [
        (0.15, 49_000, vec![]),
        (0.15, 51_000, vec![CauseKind::SyncCrypto]),
        (0.25, 49_000, vec![CauseKind::SyncCrypto]),
    ] {
        let ns = (all_ns as f64 * share) as u64;
        let mut counters = healthy();
        counted(&mut counters, "crypto", ns, 1);
        if let Some(crypto) = counters.counters.last_mut() {
            crypto.calls = ns / call_ns;
        }
        assert_eq!(kinds(&counters), found, "{share} in calls of {call_ns} ns");
    }
}

#[test]
fn the_place_is_a_line_of_the_service_itself() {
    for (site, line, via, inside) in [
        (1, 12, None, None),
        (2, 40, Some("logger"), Some("node_modules/logger/index.js:9")),
    ] {
        let mut counters = healthy();
        counted(&mut counters, "output", 200 * MS, site);
        let diagnosis = diagnosed(&counters, &Profile::default(), None);
        let cause = diagnosis.causes.first().expect("a cause");
        let place = cause.place.as_ref().expect("a place");
        assert_eq!((place.file.as_str(), place.line), ("app.js", line));
        assert_eq!(cause.via.as_deref(), via);
        assert_eq!(cause.inside.as_ref().map(ToString::to_string).as_deref(), inside);
        assert_eq!(cause.per_request, Some(1.0));
        assert_eq!(cause.cpu_us_per_request, Some(200.0));
        assert_eq!(cause.cpu_share, Some(0.25));
    }
}

#[test]
fn a_short_function_is_named_with_the_line_that_calls_it_most() {
    let mut counters = healthy();
    counted(&mut counters, "json", 200 * MS, 7);
    counters.sites.push(SiteCounter {
        id: 8,
        calls: 2 * REQUESTS,
        ns: 100 * MS,
        ..SiteCounter::default()
    });
    let mut profile = profiled::profile(0, 0, 0, 500);
    let places = |profile: &Profile| {
        let cause = diagnosed(&counters, profile, None).causes.remove(0);
        let line = |place: Option<plimsoll_findings::Place>| place.map(|place| place.line);
        (line(cause.place), line(cause.called_from))
    };
    // On line 5, in what begins on line 3.
    profile.frames[2].line = 3;
    assert_eq!(places(&profile), (Some(5), None));
    profile.frames[2].line = 4;
    assert_eq!(places(&profile), (Some(5), Some(51)));
}

#[test]
fn what_lines_are_said_to_have_adds_up_to_what_was_counted() {
    let first_line = |counters: &ProbeCounters| {
        let diagnosis = diagnosed(counters, &Profile::default(), None);
        let cause = diagnosis.causes.into_iter().next().expect("a cause");
        (cause.per_request, cause.cpu_us_per_request)
    };
    let mut counters = healthy();
    counted(&mut counters, "output", 200 * MS, 1);
    counters.sites[0].calls = REQUESTS * 9 / 10;
    counters.sites[0].ns = 210 * MS;
    assert_eq!(first_line(&counters), (Some(1.0), Some(200.0)));
    // A third of them, with half of the time, had no code of the service on the stack.
    counters.sites[0].calls = REQUESTS / 2;
    counters.sites[0].ns = 50 * MS;
    counters.sites.push(SiteCounter {
        id: 3,
        calls: REQUESTS / 4,
        ns: 50 * MS,
        ..SiteCounter::default()
    });
    assert_eq!(first_line(&counters), (Some(0.666), Some(100.0)));
    // Without a place for all of them nobody knows whose the others are.
    counters.sites[1].id = 0;
    assert_eq!(first_line(&counters), (Some(0.5), Some(50.0)));
}

#[test]
fn a_prediction_needs_cpu_to_be_what_runs_out() {
    let mut counters = healthy();
    counters.requests.followed_ns *= 100;
    counted(&mut counters, "output", 200 * MS, 1);
    for (broke, bound, predicted) in [
        ("cpu <= 80%", Bound::Cpu, Some(1247)),
        ("p99 <= 100ms", Bound::Neither, None),
    ] {
        let broke: Objective = broke.parse().expect("an objective");
        let diagnosis = diagnosed(&counters, &Profile::default(), Some(line(&broke)));
        let found = diagnosis.causes[0]
            .predicted
            .as_ref()
            .and_then(|found| found.load_line_per_s);
        assert_eq!(
            (diagnosis.bound, found.map(|rate| rate.round() as u64)),
            (bound, predicted)
        );
    }
}

#[test]
fn waits_and_headers_are_causes_of_their_own() {
    type Change = fn(&mut ProbeCounters);
    let table: [(CauseKind, Change); 9] = [
        (CauseKind::ThreadpoolWork, |c| {
            counted_as("zlib.gzip", c, "pool", 0, 1);
            c.cpu.thread_ns = c.cpu.thread_ns.map(|ns| ns / 2);
        }),
        (CauseKind::ThreadpoolSaturation, |c| {
            counted(c, "pool", 0, 1);
            c.pool.wait_ns = c.pool.canaries * 12 * MS;
        }),
        (CauseKind::ConnectionPool, |c| {
            counted(c, "connection", 0, 1);
            c.pools = vec![pool(REQUESTS * REQUEST_NS / 2)];
        }),
        (CauseKind::SerialAwaits, |c| {
            c.upstream = vec![UpstreamCounter {
                requests: 3 * REQUESTS,
                active_ns: REQUESTS * REQUEST_NS * 9 / 10,
                ..UpstreamCounter::default()
            }];
        }),
        (CauseKind::UpstreamNoKeepalive, |c| {
            c.upstream = vec![UpstreamCounter {
                requests: REQUESTS,
                connections: REQUESTS,
                ..UpstreamCounter::default()
            }];
        }),
        (CauseKind::NoKeepalive, |c| c.requests.connections = REQUESTS),
        (CauseKind::FullHandshakes, |c| {
            c.requests.handshakes_full = REQUESTS / 10;
        }),
        (CauseKind::NoCompression, |c| {
            c.responses.compressible = 200;
            c.responses.compressible_bytes = 200 * 30_000;
            c.responses.accepts_encoding = 200;
        }),
        (CauseKind::NoEtag, |c| c.responses.conditional = 200),
    ];
    for (expected, change) in table {
        let mut counters = healthy();
        change(&mut counters);
        assert_eq!(kinds(&counters), [expected]);
    }
}

/// What is resumed, and what comes once for each connection, is no finding.
#[test]
fn handshakes_that_are_resumed_are_no_cause() {
    for (full, resumed) in [(REQUESTS / 10, REQUESTS / 10), (REQUESTS / 50, 0)] {
        let mut counters = healthy();
        counters.requests.handshakes_full = full;
        counters.requests.handshakes_resumed = resumed;
        assert_eq!(kinds(&counters), [], "{full} full and {resumed} resumed");
    }
}

/// Whoever has many slow requests at once needs a connection for each of them.
#[test]
fn connections_that_were_open_at_once_are_no_finding() {
    let mut counters = healthy();
    counters.requests.connections = REQUESTS;
    counters.requests.connections_peak = REQUESTS * 3 / 5;
    counters.upstream = vec![UpstreamCounter {
        requests: REQUESTS,
        connections: REQUESTS,
        active_peak: REQUESTS * 3 / 5,
        ..UpstreamCounter::default()
    }];
    assert_eq!(kinds(&counters), []);
    counters.requests.connections_peak = REQUESTS / 4;
    counters.upstream[0].active_peak = REQUESTS / 4;
    assert_eq!(
        kinds(&counters),
        [CauseKind::UpstreamNoKeepalive, CauseKind::NoKeepalive]
    );
}

#[test]
fn the_most_at_once_is_that_of_all_messages_of_the_window() {
    let kinds_with = |before: u64, within: u64| {
        let mut counters = healthy();
        counters.requests.connections = REQUESTS;
        let with = |connections_peak, last: &ProbeCounters| {
            let mut counters = last.clone();
            counters.requests.connections_peak = connections_peak;
            ProbeLine::From {
                connection: 0,
                message: ProbeMessage::Counters(Box::new(counters)),
            }
        };
        let mut fold = CounterFold::default();
        for line in [
            ProbeLine::WindowBegins,
            with(before, &ProbeCounters::default()),
            with(within, &counters),
            with(1, &counters),
            ProbeLine::WindowEnds,
        ] {
            fold.push(&line);
        }
        let diagnosis = by_counters(&fold).diagnosis.expect("a diagnosis");
        diagnosis.causes.iter().map(|cause| cause.kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds_with(1, REQUESTS), []);
    assert_eq!(kinds_with(REQUESTS, 1), [CauseKind::NoKeepalive]);
}

/// Sizes of the heap after collections: at the beginning of the window, and when the load is over.
#[test]
fn what_two_collections_leave_in_between_is_never_released() {
    let kinds_with = |before: u64, after: u64| {
        let mut last = healthy();
        last.memory.after_major_count = 1;
        last.memory.after_major_bytes = Some(before);
        let mut fold = fold(&last);
        last.memory.after_major_count = 2;
        last.memory.after_major_bytes = Some(after);
        fold.push(&ProbeLine::From {
            connection: 0,
            message: ProbeMessage::Counters(Box::new(last)),
        });
        let diagnosis = by_counters(&fold).diagnosis.expect("a diagnosis");
        diagnosis.causes.iter().map(|cause| cause.kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds_with(60_000_000, 120_000_000), [CauseKind::HeapGrowth]);
    assert_eq!(kinds_with(60_000_000, 66_000_000), []);
    assert_eq!(kinds_with(9_000_000, 12_000_000), []);
}

#[test]
fn a_series_of_calls_begins_with_the_first_of_its_lines() {
    let mut counters = healthy();
    counters.upstream = vec![UpstreamCounter {
        requests: 2 * REQUESTS,
        active_ns: REQUESTS * REQUEST_NS * 9 / 10,
        ..UpstreamCounter::default()
    }];
    counted(&mut counters, "fetch", 0, 1);
    counters.sites[0].calls = REQUESTS * 51 / 100;
    counters.sites.push(SiteCounter {
        id: 4,
        calls: REQUESTS * 49 / 100,
        ..SiteCounter::default()
    });
    let diagnosis = diagnosed(&counters, &Profile::default(), None);
    let cause = &diagnosis.causes[0];
    let others: Vec<_> = cause.other_places.iter().map(|place| place.line).collect();
    assert_eq!(cause.kind, CauseKind::SerialAwaits);
    assert_eq!(
        (cause.place.as_ref().map(|place| place.line), others),
        (Some(11), vec![12])
    );
}

#[test]
fn calls_next_to_each_other_are_not_in_series() {
    let mut counters = healthy();
    counters.upstream = vec![UpstreamCounter {
        requests: 3 * REQUESTS,
        active_ns: REQUESTS * REQUEST_NS * 27 / 10,
        ..UpstreamCounter::default()
    }];
    assert_eq!(kinds(&counters), []);
}

#[test]
fn lines_of_one_function_are_one_cause_and_those_of_others_are_not() {
    // A line that costs 8 % of the CPU, and another one that costs 3 %: site 4 is in the same function, site 7 in its helper.
    let found = |other: u32| {
        let mut counters = healthy();
        counted(&mut counters, "file-read", 64 * MS, 1);
        counters.counters[0].ns += 24 * MS;
        counters.counters[0].calls += REQUESTS;
        counters.sites.push(SiteCounter {
            id: other,
            calls: REQUESTS,
            ns: 24 * MS,
            ..SiteCounter::default()
        });
        let causes = diagnosed(&counters, &Profile::default(), None).causes;
        let [cause] = causes.as_slice() else {
            panic!("one cause: {causes:?}");
        };
        let others: Vec<_> = cause.other_places.iter().map(|place| place.line).collect();
        (rounded(cause.cpu_share), cause.per_request, others)
    };
    assert_eq!(found(4), (0.11, Some(2.0), vec![11]));
    assert_eq!(found(7), (0.08, Some(1.0), vec![]));
}

#[test]
fn a_rare_long_call_stops_the_loop() {
    let mut counters = healthy();
    counted(&mut counters, "process", 0, 1);
    counters.counters[0].calls = 4;
    counters.counters[0].ns = 100 * MS;
    counters.sites[0].calls = 4;
    counters.sites[0].ns = 100 * MS;
    assert_eq!(kinds(&counters), [CauseKind::EventLoopStall]);
}

#[test]
fn a_threadpool_that_takes_the_cpu_is_what_limits_the_service() {
    let mut counters = healthy();
    counted_as("zlib.gzip", &mut counters, "pool", 0, 1);
    counters.cpu.thread_ns = Some(400 * MS);
    let said = |counters: &ProbeCounters| {
        let (plain, fold) = (plain(), fold(counters));
        let passes = Passes {
            directory: None,
            plain: &plain,
            counters: Some((&plain, &fold)),
            profile: None,
            allocations: &Profile::default(),
        };
        let found = diagnose(&plan(), &plain, &passes);
        let Headline::Limit { bound, cause, .. } = found.headline else {
            panic!("{:?}", found.headline);
        };
        assert_eq!(bound, Bound::Cpu);
        cause
    };
    let calls = What::Calls {
        functions: vec!["zlib.gzip".to_owned()],
        again: false,
        stop_loop: false,
    };
    assert_eq!(said(&counters), Some(calls));
    // Files are read, and what computes on the threads is not counted.
    counters.counters[0].name = "fs.read".to_owned();
    assert_eq!(said(&counters), None);
    // More tasks at once than there are threads.
    counters.counters[0].calls = 12 * REQUESTS;
    let kind = CauseKind::ThreadpoolSaturation;
    assert_eq!(said(&counters), Some(What::Kind { kind }));
    // Tasks that wait for a thread do not explain why the CPU runs out.
    counters.cpu.thread_ns = Some(800 * MS);
    counters.pool.wait_ns = counters.pool.canaries * 12 * MS;
    assert_eq!(said(&counters), None);
}

/// What is said of parsing 500 bytes that came before, once for each request, under a load of this plan.
fn parsed_once(scenario: &str, share: f64, per_request: u64) -> Vec<(CauseKind, bool)> {
    let text = format!("target: {{ url: 'http://127.0.0.1:3000/', command: node server.js }}\nscenario: {scenario}\n");
    let plan = Plan::parse(&text, "plan.yaml").expect("a plan");
    let mut counters = healthy();
    let ns = (CPU_US * 1e3 * share) as u64 * REQUESTS;
    counted_as("JSON.parse", &mut counters, "json", ns, 1);
    if let (Some(function), Some(site)) = (counters.counters.last_mut(), counters.sites.last_mut()) {
        (function.calls, site.calls) = (REQUESTS * per_request, REQUESTS * per_request);
        (function.bytes, site.bytes) = (500 * function.calls, 500 * site.calls);
        (function.watched, site.watched) = (function.calls, site.calls);
        (function.seen_again, site.seen_again) = (function.calls, site.calls);
    }
    let plain = plain();
    let fold = fold(&counters);
    let passes = Passes {
        directory: None,
        plain: &plain,
        counters: Some((&plain, &fold)),
        profile: None,
        allocations: &Profile::default(),
    };
    let diagnosis = diagnose(&plan, &plain, &passes).diagnosis.expect("a diagnosis");
    let causes = diagnosis.causes.iter();
    causes
        .map(|cause| (cause.kind, matches!(cause.what, What::Calls { again: true, .. })))
        .collect()
}

#[test]
fn reading_what_a_request_says_is_no_cause_below_a_fifth_and_never_the_same_again() {
    let body = |bytes: usize| {
        format!(
            "{{ requests: [{{ method: POST, path: /, body: '{}' }}] }}",
            "x".repeat(bytes)
        )
    };
    assert_eq!(parsed_once(&body(500), 0.15, 1), []);
    assert_eq!(parsed_once(&body(500), 0.3, 1), [(CauseKind::Json, false)]);
    // A recorded plan has the length of the body in its place.
    let recorded = "{ requests: [{ method: POST, path: /, body: '[redacted, 500 bytes]' }] }";
    assert_eq!(parsed_once(recorded, 0.15, 1), []);
    let others = [(CauseKind::Json, true)];
    assert_eq!(parsed_once(&body(500), 0.15, 2), others, "once is enough");
    assert_eq!(parsed_once(&body(900), 0.15, 1), others, "another text");
    assert_eq!(
        parsed_once("{ requests: [{ path: / }] }", 0.15, 1),
        others,
        "nothing is said"
    );
}
