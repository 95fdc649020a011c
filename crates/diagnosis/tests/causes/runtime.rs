//! What Node.js does, and for whom; and what is said where there is no cause.

use super::*;
use plimsoll_findings::{Activity, Headline, LayerRole, RuntimeTime};

fn time(profile: &Profile) -> RuntimeTime {
    let diagnosis = diagnosed_with(&healthy(), profile, &layers::allocations(300, 100), None);
    diagnosis.runtime.expect("there is a profile")
}

fn is(share: f64, expected: f64) -> bool {
    (share - expected).abs() < 1e-3
}

#[test]
fn time_of_node_has_an_activity_and_is_charged_to_lines() {
    let found = time(&layers::profile());
    assert!(is(found.share, 0.5), "{found:?}");
    let activities: Vec<Activity> = found.activities.iter().map(|time| time.activity).collect();
    assert_eq!(activities, [Activity::Events, Activity::Garbage, Activity::Native]);
    let [events, garbage, native] = found.activities.as_slice() else {
        panic!("{found:?}");
    };
    // A quarter of it is labelled, and a quarter of the callbacks were the logger's.
    assert!(is(events.share, 0.2) && is(events.uncharged_share, 0.15), "{events:?}");
    assert!(
        is(garbage.share, 0.2) && is(garbage.uncharged_share, 0.0),
        "{garbage:?}"
    );
    assert!(is(native.share, 0.1) && is(native.uncharged_share, 0.075), "{native:?}");
    let [log, logger, handle] = found.charges.as_slice() else {
        panic!("{:?}", found.charges);
    };
    assert_eq!(
        (log.package.as_deref(), log.place.function.as_str()),
        (Some("log"), "log")
    );
    assert!(is(log.share, 0.15), "{log:?}");
    let registered = logger.registers.as_ref().expect("a layer");
    assert_eq!(
        (registered.role, registered.name.as_str()),
        (LayerRole::Middleware, "logger")
    );
    assert_eq!(
        (logger.place.to_string(), &logger.package),
        ("app.js:4".to_owned(), &None)
    );
    assert!(is(logger.share, 0.075), "{logger:?}");
    assert_eq!((handle.place.function.as_str(), &handle.registers), ("handle", &None));
    assert!(is(handle.share, 0.05), "{handle:?}");
}

#[test]
fn all_busy_time_is_charged_or_not() {
    let charged = time(&layers::profile()).charged;
    assert!(is(charged.application_share, 0.425), "{charged:?}");
    assert!(is(charged.package_share, 0.35), "{charged:?}");
    assert!(is(charged.rest_share, 0.225), "{charged:?}");
    assert!(is(charged.estimated_share, 0.275), "{charged:?}");
    assert!(is(charged.framework_share, 0.0), "{charged:?}");
}

#[test]
fn what_is_read_for_a_server_is_charged_to_the_line_that_listens() {
    let mut profile = layers::profile();
    profile.layers.known[0].kind = plimsoll_measure::LayerKind::Server;
    let found = time(&profile);
    let listens = &found.charges[1];
    let registered = listens.registers.as_ref().expect("a server");
    assert_eq!(registered.role, LayerRole::Server);
    assert_eq!(listens.place.to_string(), "app.js:4");
    assert!(is(found.charged.listening_share, 0.075), "{:?}", found.charged);
    assert!(is(found.charged.application_share, 0.425), "{:?}", found.charged);
    // It is no function that could go.
    let diagnosis = diagnosed_with(&healthy(), &profile, &layers::allocations(300, 100), None);
    let layers = diagnosis.layers.expect("a handler");
    let roles: Vec<LayerRole> = layers.layers.iter().map(|layer| layer.role).collect();
    assert_eq!(roles, [LayerRole::Handler]);
}

#[test]
fn a_layer_on_a_line_that_is_not_known_is_no_line() {
    let mut unknown = layers::profile();
    for layer in &mut unknown.layers.known {
        layer.place.file.clear();
    }
    let found = time(&unknown);
    assert!(is(found.charged.rest_share, 0.3), "{:?}", found.charged);
    assert_eq!(found.charges.len(), 2, "{:?}", found.charges);
}

#[test]
fn a_package_that_takes_little_is_said_where_there_is_no_cause() {
    for (package_us, expected) in [(100, Some("@scope/deep")), (30, None)] {
        let profile = profiled::profile(0, 0, package_us, (1000 - package_us) / 2);
        let plain = plain();
        let fold = fold(&healthy());
        let found = diagnose(
            &plan(),
            &plain,
            &Passes {
                directory: None,
                plain: &plain,
                counters: Some((&plain, &fold)),
                profile: Some((&plain, &profile)),
                allocations: &Profile::default(),
            },
        );
        let Headline::Limit {
            cause: None, package, ..
        } = &found.headline
        else {
            panic!("{:?}", found.headline);
        };
        assert_eq!(package.as_ref().map(|package| package.name.as_str()), expected);
        if let Some(package) = package {
            let place = package.place.as_ref().map(ToString::to_string);
            assert_eq!(place.as_deref(), Some("app.js:16"));
            assert!(is(package.cpu_share, 0.1), "{}", package.cpu_share);
        }
    }
}

#[test]
fn what_the_console_formats_is_counted_with_its_writes() {
    let console = asked::asking("node:internal/console/constructor", 200);
    let formats = Call {
        frame: console.frames.len(),
        caller: Some(console.calls.len() - 1),
        called_on: None,
        ..console.calls[console.calls.len() - 1].clone()
    };
    let mut profile = console;
    profile.frames.push(Frame {
        function: "formatWithOptions".to_owned(),
        file: "node:internal/util/inspect".to_owned(),
        ..profile.frames[0].clone()
    });
    profile.calls.push(formats);
    let all_ns = (CPU_US * 1e3) as u64 * REQUESTS;
    let mut counters = healthy();
    // By a line that is not known.
    counted(&mut counters, "output", (all_ns as f64 * 0.2) as u64, 3);
    assert_eq!(
        profiled::kinds_of(&diagnosed(&counters, &profile, None)),
        [CauseKind::BlockingWrite]
    );
}
