//! What is made anew for each request, and what is started for it.

use super::profiled::profile;
use super::{MS, counted, counted_as, diagnosed, diagnosed_with, healthy, rounded};
use plimsoll_findings::{CauseKind, Diagnosis};
use plimsoll_measure::{Call, Frame, Makes, MakingLine, Profile};

/// Of the own code of [`profile`], line 11 takes a quarter and line 12 the rest.
pub(crate) fn making(own_us: u64, line: u32, makes: Makes) -> Profile {
    let mut profile = profile(own_us, 0, 0, 200);
    profile.text.makes.push(MakingLine {
        file: "/srv/app.js".to_owned(),
        line,
        makes,
    });
    profile
}

#[test]
fn a_line_that_makes_something_is_no_hot_function() {
    for (makes, kind) in [
        (Makes::Expression, CauseKind::ConstructedPerRequest),
        (Makes::Stack, CauseKind::ErrorStack),
    ] {
        let diagnosis = diagnosed(&healthy(), &making(400, 12, makes), None);
        let found: Vec<_> = diagnosis
            .causes
            .iter()
            .map(|cause| (cause.kind, cause.place.as_ref().map_or(0, |place| place.line)))
            .collect();
        assert_eq!(found, [(kind, 12)], "{makes:?}");
    }
}

#[test]
fn the_first_use_belongs_to_the_line_that_makes() {
    let mut profile = making(400, 11, Makes::Expression);
    profile
        .text
        .makes
        .extend(making(400, 12, Makes::ExpressionUse).text.makes);
    let diagnosis = diagnosed(&healthy(), &profile, None);
    let [cause] = diagnosis.causes.as_slice() else {
        panic!("one cause: {:?}", diagnosis.causes);
    };
    assert_eq!(cause.kind, CauseKind::ConstructedPerRequest);
    assert_eq!(cause.place.as_ref().map(|place| place.line), Some(11));
    assert_eq!(rounded(cause.cpu_share), 0.5);
}

#[test]
fn what_is_made_is_counted_where_the_profile_sees_its_time() {
    for (kind, makes, expected) in [
        ("expression", Makes::Expression, CauseKind::ConstructedPerRequest),
        ("error", Makes::Stack, CauseKind::ErrorStack),
    ] {
        let mut counters = healthy();
        // On line 12.
        counted(&mut counters, kind, 80 * MS, 1);
        let diagnosis = diagnosed(&counters, &making(400, 12, makes), None);
        let [cause] = diagnosis.causes.as_slice() else {
            panic!("one cause: {:?}", diagnosis.causes);
        };
        assert_eq!((cause.kind, cause.per_request), (expected, Some(1.0)));
        assert!(rounded(cause.cpu_share) > 0.2, "{cause:?}");
    }
    // In a package there is no line of the service that shows it.
    let mut counters = healthy();
    counted(&mut counters, "error", 80 * MS, 2);
    let causes = diagnosed(&counters, &Profile::default(), None).causes;
    let found: Vec<_> = causes.iter().map(|cause| (cause.kind, cause.per_request)).collect();
    assert_eq!(found, [(CauseKind::ErrorStack, Some(1.0))]);
}

#[test]
fn an_error_costs_what_its_constructor_takes() {
    let mut counters = healthy();
    counted(&mut counters, "error", 400 * MS, 11);
    // `super()` says nothing, and the line that throws is the one to change.
    let diagnosis = diagnosed(&counters, &profile(400, 0, 0, 200), None);
    let found = |diagnosis: &Diagnosis| -> Vec<_> {
        let causes = diagnosis.causes.iter();
        causes
            .map(|cause| (cause.kind, cause.place.as_ref().map(|place| place.line)))
            .collect()
    };
    assert_eq!(found(&diagnosis), [(CauseKind::ErrorStack, Some(40))]);

    // Beside a line that captures the stack by hand it is a part of that.
    let alone = diagnosed(&healthy(), &making(400, 11, Makes::Stack), None);
    let both = diagnosed(&counters, &making(400, 11, Makes::Stack), None);
    assert_eq!(found(&both), [(CauseKind::ErrorStack, Some(11))]);
    let share = |diagnosis: &Diagnosis| diagnosis.causes[0].cpu_share;
    assert!(share(&both) > share(&alone), "{:?}", both.causes);
}

#[test]
fn schemas_of_zod_are_told_from_validating() {
    let mut profile = profile(0, 0, 600, 200);
    profile.frames[4] = Frame {
        file: "/srv/node_modules/zod/v4/classic/schemas.js".to_owned(),
        ..profile.frames[4].clone()
    };
    for (function, expected) in [
        ("object", CauseKind::ConstructedPerRequest),
        ("parse", CauseKind::PackageHot),
    ] {
        profile.frames[4].function = function.to_owned();
        let causes = diagnosed(&healthy(), &profile, None).causes;
        let found: Vec<_> = causes
            .iter()
            .map(|cause| (cause.kind, cause.place.as_ref().map_or(0, |place| place.line)))
            .collect();
        assert_eq!(found, [(expected, 16)], "{function}");
    }
}

#[test]
fn an_error_costs_where_it_is_made_and_where_its_stack_is_read() {
    let mut profile = profile(0, 0, 300, 200);
    // Read on line 16.
    profile.frames[4] = Frame {
        function: "get stack".to_owned(),
        ..Frame::default()
    };
    let mut counters = healthy();
    // Made in a helper.
    counted(&mut counters, "error", 80 * MS, 7);
    let causes = diagnosed(&counters, &profile, None).causes;
    let found: Vec<_> = causes
        .iter()
        .map(|cause| (cause.kind, cause.place.as_ref().map_or(0, |place| place.line)))
        .collect();
    assert_eq!(found, [(CauseKind::ErrorStack, 16), (CauseKind::ErrorStack, 5)]);
    assert_eq!(rounded(causes[1].cpu_share), 0.1);
}

/// A schema that a handler builds on three lines and by a function of its own, each of which takes 4 % of the busy time.
fn schema_on_many_lines() -> Profile {
    let mut profile = profile(0, 0, 40, 420);
    let zod = Frame {
        file: "/srv/node_modules/zod/v4/classic/schemas.js".to_owned(),
        function: "object".to_owned(),
        ..profile.frames[4].clone()
    };
    profile.frames[4] = zod;
    profile.frames.push(Frame {
        function: "person".to_owned(),
        line: 30,
        ..profile.frames[2].clone()
    });
    let built = profile.calls[4].clone();
    let part = Call {
        frame: 6,
        self_us: 0,
        called_on: None,
        ..profile.calls[2].clone()
    };
    let below = |caller, line| Call {
        caller: Some(caller),
        called_on: Some(line),
        ..built.clone()
    };
    let calls = [
        below(2, 17),
        below(2, 18),
        Call {
            caller: Some(2),
            ..part
        },
        below(8, 31),
    ];
    profile.calls.extend(calls);
    profile
}

#[test]
fn a_schema_costs_what_all_lines_that_build_it_do() {
    let profile = schema_on_many_lines();
    let causes = diagnosed(&healthy(), &profile, None).causes;
    let [cause] = causes.as_slice() else {
        panic!("one cause: {causes:?}");
    };
    let places: Vec<u32> = cause
        .place
        .iter()
        .chain(&cause.other_places)
        .map(|place| place.line)
        .collect();
    assert_eq!(
        (cause.kind, places),
        (CauseKind::ConstructedPerRequest, vec![16, 17, 18, 31])
    );
    assert_eq!(rounded(cause.cpu_share), 0.16);
    // Its garbage is collected because of it: of the memory, half is asked for there.
    let mut allocations = profile.clone();
    allocations.calls[5].self_us = 160;
    allocations.calls[1].self_us = 0;
    let causes = diagnosed_with(&healthy(), &profile, &allocations, None).causes;
    let collecting = 20.0 / 800.0;
    assert_eq!(rounded(causes[0].cpu_share), rounded(Some(0.16 + collecting / 2.0)));
}

#[test]
fn formatters_are_counted() {
    let mut counters = healthy();
    counted_as("new Intl.NumberFormat", &mut counters, "construction", 80 * MS, 5);
    let diagnosis = diagnosed(&counters, &making(400, 12, Makes::Formatter), None);
    let [cause] = diagnosis.causes.as_slice() else {
        panic!("one cause: {:?}", diagnosis.causes);
    };
    assert_eq!(cause.kind, CauseKind::ConstructedPerRequest);
    assert_eq!(rounded(cause.cpu_share), 0.1);
}

#[test]
fn a_process_costs_what_it_uses() {
    let mut counters = healthy();
    counted(&mut counters, "process", 80 * MS, 1);
    counters.cpu.children_ns = Some(240 * MS);
    let diagnosis = diagnosed(&counters, &Profile::default(), None);
    assert_eq!(diagnosis.causes[0].kind, CauseKind::ProcessPerRequest);
    assert_eq!(rounded(diagnosis.causes[0].cpu_share), 0.4);
}

#[test]
fn threads_of_a_pool_add_nothing_to_what_the_main_thread_does() {
    let found = |started_ns| {
        let mut counters = healthy();
        counted(&mut counters, "json", 100 * MS, 1);
        // Three times as much as the main thread, of which V8's threads are a tenth.
        counters.cpu.process_ns = 3280 * MS;
        counters.cpu.started_ns = started_ns;
        diagnosed(&counters, &Profile::default(), None).causes
    };
    let [json] = &found(2400 * MS)[..] else { panic!("one") };
    assert_eq!((json.kind, rounded(json.cpu_share)), (CauseKind::Json, 0.138));
    // Nobody else is known to have used it.
    assert_eq!(rounded(found(0)[0].cpu_share), 0.513);
}

#[test]
fn a_thread_costs_what_the_main_thread_does_not() {
    let mut counters = healthy();
    counted_as("new Worker", &mut counters, "process", 80 * MS, 5);
    counters.cpu.process_ns = 800 * MS;
    counters.cpu.thread_ns = Some(400 * MS);
    let diagnosis = diagnosed(&counters, &Profile::default(), None);
    assert_eq!(diagnosis.causes[0].kind, CauseKind::ProcessPerRequest);
    assert_eq!(rounded(diagnosis.causes[0].cpu_share), 0.6);
}
