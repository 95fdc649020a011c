//! What counters and profiles come to, cause by cause, and that nothing is said of a healthy service.

mod upstream;

use plimsoll_analysis::{Fold, condition};
use plimsoll_diagnosis::{CounterFold, Passes, diagnose};
use plimsoll_findings::{
    Bound, CauseKind, Diagnosis, EndedBecause, Evidence, Findings, LoadLine, Notice, Predicted, SpentOn,
};
use plimsoll_measure::probe::{
    CallSite, FunctionCounter, Pauses, ProbeCounters, ProbeHello, ProbeLine, ProbeMessage, SiteCounter, SiteFrame,
    UpstreamCounter,
};
use plimsoll_measure::{Call, Frame, Host, Profile, Record, RunInfo, RunKind, StepStart, TargetSample, Tick, Timing};
use plimsoll_plan::{Objective, Plan};
use std::borrow::Cow;

const MS: u64 = 1_000_000;
/// Requests in the window, each of which takes this long and this much CPU.
const REQUESTS: u64 = 1000;
const REQUEST_NS: u64 = MS;
const CPU_US: f64 = 800.0;
/// A pass keeps so much of one core busy.
const CORES_BUSY: f64 = 0.3;

fn plan() -> Plan {
    let text = "target: { url: 'http://127.0.0.1:3000/', command: node server.js }\n";
    Plan::parse(text, "plan.yaml").expect("a plan")
}

/// A plain pass on one core.
fn plain() -> Findings {
    const SECOND_NS: u64 = 1_000_000_000;
    let info = RunInfo {
        format: RunInfo::format(),
        kind: RunKind::Plain,
        started_at: "2025-01-01T00:00:00Z".to_owned(),
        version: "0.1.0".to_owned(),
        quantiles: vec![0.5, 0.99],
        marks_end: true,
    };
    let sample = |second: u64| TargetSample {
        at_ns: second * SECOND_NS,
        cpu_ns: second * SECOND_NS / 3,
        cores: 1,
        ..TargetSample::default()
    };
    let mut fold = Fold::new(&plan(), &info, &Host::default());
    fold.push(&Record::StepStart(StepStart {
        step: 0,
        at_ns: 0,
        rate_micro_per_s: None,
        planned_ns: Some(3 * SECOND_NS),
        warm_up_ns: 0,
        warms_up: false,
        target: Some(sample(0)),
    }));
    for second in 0..3 {
        let mut tick = Tick {
            start_ns: second * SECOND_NS,
            duration_ns: SECOND_NS,
            ..Tick::default()
        };
        for _ in 0..REQUESTS {
            tick.durations[Timing::ResponseTime].record(REQUEST_NS);
            tick.durations[Timing::ServiceTime].record(REQUEST_NS);
        }
        tick.counters.scheduled = REQUESTS;
        tick.counters.completed = REQUESTS;
        tick.counters.passed = REQUESTS;
        fold.push(&Record::Tick {
            line: tick.line(0, &info.quantiles),
            durations: Cow::Borrowed(&tick.durations),
            target: Some(sample(second + 1)),
        });
    }
    let mut findings = fold.findings();
    let service = findings.target_resources.as_mut().expect("it was sampled");
    service.cores = 1;
    service.cpu_share = CORES_BUSY;
    service.cpu_us_per_request = Some(CPU_US);
    findings
}

/// A window in which a healthy service responded.
fn healthy() -> ProbeCounters {
    let mut counters = ProbeCounters {
        since_ms: 10_000.0,
        ..ProbeCounters::default()
    };
    counters.requests.started = REQUESTS;
    counters.requests.followed = REQUESTS;
    counters.requests.followed_ns = REQUESTS * REQUEST_NS;
    counters.requests.connections = 8;
    counters.responses.sampled = 200;
    counters.responses.get = 200;
    counters.pool.canaries = 100;
    counters.pool.wait_ns = 100 * MS / 10;
    counters.event_loop.longest_delay_ns = 3 * MS;
    counters.gc.minor = Pauses { count: 20, ns: 20 * MS };
    counters.cpu.process_ns = 800 * MS;
    counters.cpu.thread_ns = Some(800 * MS);
    counters.event_loop.active_ns = 800 * MS;
    counters
}

fn rounded(share: Option<f64>) -> f64 {
    (share.expect("a share") * 1e3).round() / 1e3
}

fn fold(last: &ProbeCounters) -> CounterFold {
    let from = |message| ProbeLine::From { connection: 0, message };
    let site_of = |counter: &str, id, file: &str, line, package: Option<&str>| {
        let frame = |file: &str, line, package: Option<&str>| SiteFrame {
            file: file.to_owned(),
            line,
            column: 3,
            function: "handler".to_owned(),
            package: package.map(str::to_owned),
        };
        let mut frames = vec![frame(file, line, package)];
        if package.is_some() {
            frames.push(frame("/srv/app.js", 40, None));
        }
        from(ProbeMessage::Site(CallSite {
            id,
            counter: counter.to_owned(),
            frames,
        }))
    };
    // A helper of the service that its handler calls on some line.
    let through = |id, line| {
        let frame = |function: &str, line| SiteFrame {
            file: "/srv/app.js".to_owned(),
            line,
            column: 3,
            function: function.to_owned(),
            package: None,
        };
        from(ProbeMessage::Site(CallSite {
            id,
            counter: "counted".to_owned(),
            frames: vec![frame("get", 5), frame("handler", line)],
        }))
    };
    let site = |id, file, line, package| site_of("counted", id, file, line, package);
    let hello = ProbeHello {
        cwd: "/srv".to_owned(),
        threadpool_size: 4,
        ..ProbeHello::default()
    };
    let mut first = ProbeCounters::default();
    first.cpu.thread_ns = Some(0);
    let mut fold = CounterFold::default();
    for line in [
        from(ProbeMessage::Hello(Box::new(hello))),
        from(ProbeMessage::Listening { port: Some(3000) }),
        site(1, "/srv/app.js", 12, None),
        site(2, "/srv/node_modules/logger/index.js", 9, Some("logger")),
        site(4, "/srv/app.js", 11, None),
        through(7, 50),
        through(8, 51),
        site_of("other", 5, "/srv/app.js", 12, None),
        site_of("other", 6, "/srv/app.js", 11, None),
        from(ProbeMessage::Site(CallSite {
            id: 3,
            counter: "counted".to_owned(),
            frames: Vec::new(),
        })),
        ProbeLine::WindowBegins,
        from(ProbeMessage::Counters(Box::new(first))),
        from(ProbeMessage::Counters(Box::new(last.clone()))),
        ProbeLine::WindowEnds,
    ] {
        fold.push(&line);
    }
    fold
}

/// `ns` in all calls of a function of this kind, one a request, from the call site.
fn counted(counters: &mut ProbeCounters, kind: &str, ns: u64, site: u32) {
    counted_as("counted", counters, kind, ns, site);
}

fn counted_as(name: &str, counters: &mut ProbeCounters, kind: &str, ns: u64, site: u32) {
    counters.counters.push(FunctionCounter {
        name: name.to_owned(),
        kind: kind.to_owned(),
        calls: REQUESTS,
        ns,
        ..FunctionCounter::default()
    });
    counters.sites.push(SiteCounter {
        id: site,
        calls: REQUESTS,
        ns,
        ..SiteCounter::default()
    });
}

fn diagnosed(counters: &ProbeCounters, profile: &Profile, line: Option<LoadLine>) -> Diagnosis {
    diagnosed_with(counters, profile, &Profile::default(), line)
}

fn diagnosed_with(
    counters: &ProbeCounters,
    profile: &Profile,
    allocations: &Profile,
    line: Option<LoadLine>,
) -> Diagnosis {
    let plain = plain();
    let base = Findings {
        load_line: line,
        ..plain.clone()
    };
    let fold = fold(counters);
    let passes = Passes {
        plain: &plain,
        counters: Some((&plain, &fold)),
        profile: Some((&plain, profile)),
        allocations,
    };
    diagnose(&plan(), &base, &passes).diagnosis.expect("a diagnosis")
}

fn kinds(counters: &ProbeCounters) -> Vec<CauseKind> {
    let diagnosis = diagnosed(counters, &Profile::default(), None);
    diagnosis.causes.iter().map(|cause| cause.kind).collect()
}

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
    for (site, line, via) in [(1, 12, None), (2, 40, Some("logger"))] {
        let mut counters = healthy();
        counted(&mut counters, "output", 200 * MS, site);
        let diagnosis = diagnosed(&counters, &Profile::default(), None);
        let cause = diagnosis.causes.first().expect("a cause");
        let place = cause.place.as_ref().expect("a place");
        assert_eq!((place.file.as_str(), place.line), ("app.js", line));
        assert_eq!(cause.via.as_deref(), via);
        assert_eq!(cause.per_request, Some(1.0));
        assert_eq!(cause.cpu_us_per_request, Some(200.0));
        assert_eq!(cause.cpu_share, Some(0.25));
    }
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

/// A line that ended where this objective broke.
pub(crate) fn line(broke: &Objective) -> LoadLine {
    LoadLine {
        rate_per_s: 900.0,
        failed_per_s: Some(1000.0),
        interval_low_per_s: 880.0,
        interval_high_per_s: Some(1000.0),
        confidence: 0.95,
        bracket_share: Some(0.05),
        converged: true,
        broke: Some(condition(broke)),
        ended_because: EndedBecause::Converged,
        cpu_us_per_request: None,
    }
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
    let table: [(CauseKind, Change); 6] = [
        (CauseKind::ThreadpoolSaturation, |c| {
            counted(c, "pool", 0, 1);
            c.pool.wait_ns = c.pool.canaries * 12 * MS;
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
fn a_rare_long_call_stops_the_loop() {
    let mut counters = healthy();
    counted(&mut counters, "process", 0, 1);
    counters.counters[0].calls = 4;
    counters.counters[0].ns = 100 * MS;
    counters.sites[0].calls = 4;
    counters.sites[0].ns = 100 * MS;
    assert_eq!(kinds(&counters), [CauseKind::EventLoopStall]);
}

/// How long a profile takes that sees all of the CPU.
fn span_of(busy_us: u64) -> u64 {
    (busy_us as f64 / CORES_BUSY) as u64
}

/// A handler that calls an expression and a package, and works by itself.
fn profile(own_us: u64, regex_us: u64, package_us: u64, node_us: u64) -> Profile {
    let frame = |function: &str, file: &str, line| Frame {
        function: function.to_owned(),
        file: file.to_owned(),
        line,
        column: 1,
    };
    let call = |frame, caller, self_us, called_on, lines: &[(u32, u64)]| Call {
        frame,
        caller,
        self_us,
        longest_us: 0,
        stays: 0,
        called_on,
        lines: lines.to_vec(),
    };
    Profile {
        span_us: span_of(own_us + regex_us + package_us + 2 * node_us),
        sampler_us: 0,
        frames: vec![
            frame("(root)", "", 0),
            frame("emit", "node:events", 470),
            frame("handler", "/srv/app.js", 10),
            frame("RegExp: ^(a+)+$", "", 0),
            frame("parse", "/srv/node_modules/@scope/deep/index.js", 3),
            frame("writev", "", 0),
        ],
        calls: vec![
            call(0, None, 0, None, &[]),
            call(1, Some(0), node_us, None, &[]),
            call(2, Some(1), own_us, None, &[(11, own_us / 4), (12, own_us * 3 / 4)]),
            call(3, Some(2), regex_us, Some(14), &[]),
            call(4, Some(2), package_us, Some(16), &[]),
            call(5, Some(1), node_us, None, &[]),
        ],
    }
}

#[test]
fn the_profile_knows_what_nobody_counts() {
    for (profile, expected) in [
        (profile(100, 0, 0, 450), vec![]),
        (profile(500, 0, 0, 250), vec![(CauseKind::HotFunction, 12)]),
        (profile(0, 200, 0, 400), vec![(CauseKind::Regex, 14)]),
        (profile(0, 0, 600, 200), vec![(CauseKind::PackageHot, 16)]),
        (
            profile(0, 300, 500, 100),
            vec![(CauseKind::PackageHot, 16), (CauseKind::Regex, 14)],
        ),
    ] {
        let diagnosis = diagnosed(&healthy(), &profile, None);
        let found: Vec<_> = diagnosis
            .causes
            .iter()
            .map(|cause| (cause.kind, cause.place.as_ref().map_or(0, |place| place.line)))
            .collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn package_without_own_caller_has_its_own_line() {
    let mut profile = profile(0, 0, 600, 200);
    profile.frames[2] = Frame {
        file: "/srv/node_modules/serve/index.js".to_owned(),
        ..profile.frames[2].clone()
    };
    profile.calls[4].lines = vec![(5, 100), (7, 500)];
    let diagnosis = diagnosed(&healthy(), &profile, None);
    let places: Vec<_> = diagnosis.causes.iter().map(|cause| cause.place.as_ref()).collect();
    let place = places[0].expect("a place");
    assert_eq!(place.file, "node_modules/@scope/deep/index.js");
    assert_eq!((places.len(), place.line, place.function.as_str()), (1, 7, "parse"));
}

#[test]
fn framework_is_a_floor_and_no_cause() {
    let mut profile = profile(250, 0, 600, 100);
    // Here the package calls the handler.
    let package = Call {
        caller: Some(1),
        called_on: None,
        ..profile.calls[4].clone()
    };
    let handler = Call {
        caller: Some(2),
        ..profile.calls[2].clone()
    };
    profile.calls.truncate(2);
    profile.calls.extend([package, handler]);
    let diagnosis = diagnosed(&healthy(), &profile, None);
    assert!(diagnosis.causes.iter().all(|cause| cause.kind != CauseKind::PackageHot));
    let slice = &diagnosis.breakdown[0];
    let name = "@scope/deep".to_owned();
    assert_eq!(slice.what, SpentOn::Framework { name });
}

#[test]
fn a_pass_without_a_probe_is_said_to_be_one() {
    let plain = plain();
    let silent = CounterFold::default();
    let passes = Passes {
        plain: &plain,
        counters: Some((&plain, &silent)),
        profile: None,
        allocations: &Profile::default(),
    };
    let findings = diagnose(&plan(), &plain, &passes);
    assert_eq!(findings.diagnosis.map(|diagnosis| diagnosis.causes), Some(vec![]));
    assert!(findings.notices.contains(&Notice::NothingCounted));
}

#[test]
fn garbage_is_a_cause_where_one_function_makes_it_or_where_there_is_much() {
    let all_ns = (CPU_US * 1e3) as u64 * REQUESTS;
    for (pauses, of_handler, expected) in [
        (0.2, 0.9, Some((Some(12), 0.18))),
        (0.2, 0.5, None),
        (0.3, 0.3, Some((None, 0.3))),
    ] {
        let mut counters = healthy();
        counters.gc.minor.ns = (all_ns as f64 * pauses) as u64;
        // The rest is asked for by Node.js.
        let allocations = profile((of_handler * 1e6) as u64, 0, 0, ((1.0 - of_handler) * 5e5) as u64);
        let diagnosis = diagnosed_with(&counters, &profile(100, 0, 0, 450), &allocations, None);
        let found = diagnosis.causes.first().map(|cause| {
            assert_eq!(cause.kind, CauseKind::Gc);
            let share = cause.cpu_share.expect("a share");
            (
                cause.place.as_ref().map(|place| place.line),
                (share * 1e3).round() / 1e3,
            )
        });
        assert_eq!(found, expected, "pauses {pauses}, {of_handler} of them for the handler");
    }
}

#[test]
fn time_in_the_profile_is_a_share_of_the_cpu_of_its_pass() {
    let mut profile = profile(0, 600, 0, 200);
    // As much again is spent where V8 takes the thread for idle.
    profile.span_us *= 2;
    let cause = diagnosed(&healthy(), &profile, None).causes.remove(0);
    assert_eq!((cause.kind, rounded(cause.cpu_share)), (CauseKind::Regex, 0.3));
    assert_eq!(cause.cpu_us_per_request.map(f64::round), Some(CPU_US * 0.3));
    assert_eq!(cause.evidence, Evidence::Profile { share: 0.6 });

    // And of that CPU half is spent on samples.
    profile.sampler_us = (profile.span_us as f64 * CORES_BUSY / 2.0) as u64;
    let cause = diagnosed(&healthy(), &profile, None).causes.remove(0);
    assert_eq!(rounded(cause.cpu_share), 0.6);
}

#[test]
fn causes_at_one_line_are_predicted_together_as_well() {
    for (second, expected) in [(5, Some(1.695)), (6, None)] {
        let mut counters = healthy();
        counted(&mut counters, "file-read", 100 * MS, 1);
        counted_as("other", &mut counters, "template", 200 * MS, second);
        let diagnosis = diagnosed(&counters, &Profile::default(), None);
        let factor = |predicted: Option<&Predicted>| predicted.map(|predicted| (predicted.factor * 1e3).round() / 1e3);
        for cause in &diagnosis.causes {
            assert!(factor(cause.predicted.as_ref()) < Some(1.5));
            assert_eq!(factor(cause.line_predicted.as_ref()), expected);
        }
        assert_eq!(diagnosis.causes.len(), 2);
    }
}

#[test]
fn threads_beside_the_loop_work_for_its_javascript_unless_they_have_tasks_of_the_service() {
    for (kind, pool_calls, expected) in [
        ("output", 0, 0.25),
        ("json", 0, 0.25),
        ("zlib", 0, 0.125),
        ("crypto", 0, 0.125),
        ("output", REQUESTS / 2, 0.125),
    ] {
        let mut counters = healthy();
        counters.cpu.thread_ns = Some(400 * MS);
        counted(&mut counters, kind, 100 * MS, 1);
        counters.counters.push(FunctionCounter {
            name: "fs.readFile".to_owned(),
            kind: "pool".to_owned(),
            calls: pool_calls,
            ..FunctionCounter::default()
        });
        let diagnosis = diagnosed(&counters, &Profile::default(), None);
        let cause = diagnosis.causes.iter().find(|cause| cause.per_request == Some(1.0));
        let share = cause.expect("a cause").cpu_share;
        assert_eq!(rounded(share), expected, "{kind} with {pool_calls} tasks");
    }
}

/// A timer that sorts by a function, beside a handler: `sort_stays` times the loop was with the sorting.
fn profile_with_timer(sort_stays: u64, handler_us: u64) -> Profile {
    let frame = |function: &str, file: &str, line| Frame {
        function: function.to_owned(),
        file: file.to_owned(),
        line,
        column: 1,
    };
    let call = |frame, caller, self_us, longest_us, stays| Call {
        frame,
        caller,
        self_us,
        longest_us,
        stays,
        called_on: None,
        lines: Vec::new(),
    };
    Profile {
        span_us: span_of(600_000 + handler_us),
        sampler_us: 0,
        frames: vec![
            frame("(root)", "", 0),
            frame("listOnTimeout", "node:internal/timers", 470),
            frame("order", "/srv/app.js", 10),
            frame("byName", "/srv/app.js", 20),
            frame("handler", "/srv/app.js", 30),
        ],
        calls: vec![
            call(0, None, 0, 600_000, 1),
            call(1, Some(0), 0, 300_000, 2),
            call(2, Some(1), 50_000, 300_000, sort_stays),
            call(3, Some(2), 550_000, 2_000, 400),
            // Requests that waited meanwhile got their responses in a row.
            call(4, Some(0), handler_us, 60_000, 100),
        ],
    }
}

#[test]
fn what_runs_while_the_loop_stands_still_is_one_cause() {
    for (sort_stays, handler_us, expected) in [
        (2, 150_000, vec![(CauseKind::EventLoopStall, "order", 0.8)]),
        (
            2,
            400_000,
            vec![
                (CauseKind::EventLoopStall, "order", 0.6),
                (CauseKind::HotFunction, "handler", 0.4),
            ],
        ),
        (300, 150_000, vec![(CauseKind::HotFunction, "byName", 0.733)]),
    ] {
        let mut counters = healthy();
        counters.event_loop.longest_delay_ns = 300 * MS;
        let diagnosis = diagnosed(&counters, &profile_with_timer(sort_stays, handler_us), None);
        let found: Vec<_> = diagnosis
            .causes
            .iter()
            .map(|cause| {
                let function = cause.place.as_ref().map_or("", |place| place.function.as_str());
                (cause.kind, function, rounded(cause.cpu_share))
            })
            .collect();
        assert_eq!(found, expected);
    }
}
