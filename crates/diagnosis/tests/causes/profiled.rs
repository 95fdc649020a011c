//! What profiles come to.

use super::*;
use plimsoll_findings::{Headline, Notice};

/// How long a profile takes that sees all of the CPU.
fn span_of(busy_us: u64) -> u64 {
    (busy_us as f64 / CORES_BUSY) as u64
}

/// A handler that calls an expression and a package, and works by itself.
pub(crate) fn profile(own_us: u64, regex_us: u64, package_us: u64, node_us: u64) -> Profile {
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
        text: ProfileText::default(),
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
        ..Profile::default()
    }
}

#[test]
fn a_cause_of_few_samples_says_so_and_explains_nothing() {
    for (samples, expected) in [(1_000, None), (20, Some(4))] {
        let profile = Profile {
            samples,
            ..profile(0, 200, 0, 400)
        };
        let findings = findings_with(&ProbeCounters::default(), &profile, &Profile::default(), None);
        let few = findings.notices.iter().find_map(|notice| match notice {
            Notice::FewSamples { samples, low, high, .. } => Some((*samples, *low, *high)),
            _ => None,
        });
        assert_eq!(few.map(|(few, ..)| few), expected);
        assert!(few.is_none_or(|(_, low, high)| low < 0.2 && high > 0.2), "{few:?}");
        let Headline::Limit { cause, .. } = &findings.headline else {
            panic!("{:?}", findings.headline);
        };
        assert_eq!(cause.is_none(), expected.is_some(), "{samples}");
        assert_eq!(findings.diagnosis.expect("a diagnosis").causes.len(), 1, "{samples}");
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
fn an_expression_costs_what_all_who_use_it_do() {
    let mut profile = profile(0, 36, 0, 464);
    profile.frames.push(Frame {
        function: "other".to_owned(),
        line: 30,
        ..profile.frames[2].clone()
    });
    let caller = |frame, caller, at: &Call, called_on| Call {
        frame,
        caller: Some(caller),
        called_on,
        ..at.clone()
    };
    let calls = [
        caller(6, 1, &profile.calls[2], None),
        caller(3, 6, &profile.calls[3], Some(31)),
    ];
    profile.calls.extend(calls);
    let diagnosis = diagnosed(&healthy(), &profile, None);
    let [cause] = diagnosis.causes.as_slice() else {
        panic!("one cause: {:?}", diagnosis.causes);
    };
    let places: Vec<u32> = cause
        .place
        .iter()
        .chain(&cause.other_places)
        .map(|place| place.line)
        .collect();
    assert_eq!((cause.kind, places), (CauseKind::Regex, vec![14, 31]));
    assert_eq!(rounded(cause.cpu_share), 0.072);
}

/// A line of minified code says nothing of what it makes, so the profile has it as time of the function.
#[test]
fn what_a_function_makes_is_no_other_cause() {
    let all_ns = (CPU_US * 1e3) as u64 * REQUESTS;
    let kinds_with = |kind: &str, share: f64| {
        let mut counters = healthy();
        // On line 12, in the function of line 10.
        counted(&mut counters, kind, (all_ns as f64 * share) as u64, 1);
        kinds_of(&diagnosed(&counters, &profile(500, 0, 0, 250), None))
    };
    assert_eq!(kinds_with("construction", 0.4), [CauseKind::ConstructedPerRequest]);
    // An error that `super()` makes.
    assert_eq!(kinds_with("error", 0.4), [CauseKind::ErrorStack]);
    // The rest of its time is its own.
    assert_eq!(
        kinds_with("construction", 0.06),
        [CauseKind::HotFunction, CauseKind::ConstructedPerRequest]
    );
}

pub(crate) fn kinds_of(diagnosis: &Diagnosis) -> Vec<CauseKind> {
    diagnosis.causes.iter().map(|cause| cause.kind).collect()
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

/// Here the package calls the handler.
fn run_by_a_package() -> Profile {
    let mut profile = profile(250, 0, 600, 100);
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
    profile
}

#[test]
fn framework_is_a_floor_and_no_cause() {
    let diagnosis = diagnosed(&healthy(), &run_by_a_package(), None);
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
        directory: None,
        plain: &plain,
        counters: Some((&plain, &silent)),
        profile: None,
        allocations: &Profile::default(),
    };
    let findings = diagnose(&plan(), &plain, &passes);
    assert_eq!(findings.diagnosis.map(|diagnosis| diagnosis.causes), Some(vec![]));
    assert!(findings.notices.contains(&Notice::NothingCounted));
    let cut_off = Findings {
        verdict: Verdict::Interrupted,
        ..plain.clone()
    };
    let passes = Passes {
        counters: Some((&cut_off, &silent)),
        ..passes
    };
    assert!(
        !diagnose(&plan(), &plain, &passes)
            .notices
            .contains(&Notice::NothingCounted)
    );
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
pub(crate) fn profile_with_timer(sort_stays: u64, handler_us: u64) -> Profile {
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
        text: ProfileText::default(),
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
        ..Profile::default()
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

#[test]
fn costly_functions_are_listed_with_their_lines() {
    let mut profile = profile(400, 0, 0, 200);
    assert_eq!(diagnosed(&healthy(), &profile, None).listings, None, "no text is known");
    let text = |lines: &[u32]| lines.iter().map(|line| (*line, format!("line {line};"))).collect();
    profile
        .text
        .lines
        .insert("/srv/app.js".to_owned(), text(&[9, 10, 11, 12, 13, 90]));
    let listings = diagnosed(&healthy(), &profile, None).listings.expect("listings");
    assert!(listings.over_s > 0.0);
    let [listing] = listings.functions.as_slice() else {
        panic!("one function: {listings:?}");
    };
    assert_eq!(
        (listing.function.as_str(), listing.file.as_str(), listing.line),
        ("handler", "app.js", 10)
    );
    assert_eq!((listing.ms, listing.share), (0.4, 0.5));
    let lines: Vec<_> = listing
        .lines
        .iter()
        .map(|line| (line.line, line.text.as_str(), line.ms))
        .collect();
    assert_eq!(
        lines,
        [
            (10, "line 10;", 0.0),
            (11, "line 11;", 0.1),
            (12, "line 12;", 0.3),
            (13, "line 13;", 0.0)
        ]
    );
}

/// Somebody has to make text of what a handler returns.
#[test]
fn json_of_a_response_is_a_cause_where_it_is_much() {
    let all_ns = (CPU_US * 1e3) as u64 * REQUESTS;
    let found = |profile: &Profile, share: f64| {
        let mut counters = healthy();
        counted_as(
            "JSON.stringify",
            &mut counters,
            "json",
            (all_ns as f64 * share) as u64,
            9,
        );
        kinds_of(&diagnosed(&counters, profile, None)).contains(&CauseKind::Json)
    };
    assert!(!found(&run_by_a_package(), 0.15));
    assert!(found(&run_by_a_package(), 0.25));
    assert!(found(&profile(100, 0, 0, 450), 0.15), "no framework is known");
}
