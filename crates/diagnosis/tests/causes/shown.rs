//! Where nothing was counted, as in a service that runs already, the text of lines and the names of functions say it.

use super::made::making;
use super::profiled::profile;
use super::{diagnosed, healthy, plain, plan};
use plimsoll_diagnosis::{Passes, diagnose};
use plimsoll_findings::{CauseKind, Diagnosis};
use plimsoll_measure::{Frame, Makes, Profile};
use plimsoll_plan::Plan;

fn shown(plan: &Plan, profile: &Profile) -> Vec<(CauseKind, u32)> {
    let plain = plain();
    let passes = Passes {
        directory: Some("/srv"),
        plain: &plain,
        counters: None,
        profile: Some((&plain, profile)),
        allocations: &Profile::default(),
    };
    found(&diagnose(plan, &plain, &passes).diagnosis.expect("a diagnosis"))
}

fn found(diagnosis: &Diagnosis) -> Vec<(CauseKind, u32)> {
    let line = |cause: &plimsoll_findings::Cause| cause.place.as_ref().map_or(0, |place| place.line);
    diagnosis.causes.iter().map(|cause| (cause.kind, line(cause))).collect()
}

#[test]
fn lines_of_json_and_of_expressions_are_no_hot_function() {
    for (makes, kind) in [(Makes::Json, CauseKind::Json), (Makes::Match, CauseKind::Regex)] {
        let profile = making(400, 12, makes);
        assert_eq!(shown(&plan(), &profile), [(kind, 12)]);
        // What the probe would have counted is not taken from the text.
        let counted = found(&diagnosed(&healthy(), &profile, None));
        assert_eq!(counted, [(CauseKind::HotFunction, 12)], "{makes:?}");
    }
}

#[test]
fn an_expression_with_a_frame_and_without_one_is_one_cause() {
    let mut profile = profile(400, 100, 0, 200);
    profile.text.makes = making(400, 12, Makes::Match).text.makes;
    assert_eq!(shown(&plan(), &profile), [(CauseKind::Regex, 12)]);
}

#[test]
fn reading_what_requests_say_is_no_cause_until_it_costs_much() {
    let with_body = Plan::parse(
        r#"{ "target": "http://127.0.0.1:8080/", "scenario": { "requests": [{ "method": "POST", "body": "[1, 2, 3]" }] } }"#,
        "plan.json",
    );
    let with_body = with_body.expect("a plan");
    // Line 11 takes a quarter of what is done in the function, an eighth of all.
    let profile = making(400, 11, Makes::Json);
    assert!(shown(&plan(), &profile).contains(&(CauseKind::Json, 11)));
    assert!(!shown(&with_body, &profile).contains(&(CauseKind::Json, 11)));
    assert!(shown(&with_body, &making(400, 12, Makes::Json)).contains(&(CauseKind::Json, 12)));
}

#[test]
fn compiling_a_template_is_told_by_its_function() {
    let mut profile = profile(0, 0, 200, 200);
    profile.frames[4] = Frame {
        function: "exports.compile".to_owned(),
        file: "/srv/node_modules/ejs/lib/ejs.js".to_owned(),
        ..profile.frames[4].clone()
    };
    assert_eq!(shown(&plan(), &profile), [(CauseKind::ModuleOrTemplatePerRequest, 16)]);
    profile.frames[4].function = "render".to_owned();
    assert_eq!(shown(&plan(), &profile), [(CauseKind::PackageHot, 16)]);
}

#[test]
fn the_first_use_of_new_expressions_is_told_from_costly_ones() {
    // Line 11 takes a third of what line 12 does.
    let mut profile = making(400, 11, Makes::Expression);
    profile.text.makes.extend(making(400, 12, Makes::Match).text.makes);
    assert_eq!(shown(&plan(), &profile), [(CauseKind::ConstructedPerRequest, 11)]);
    profile.calls[2].lines = vec![(11, 4), (12, 396)];
    assert_eq!(shown(&plan(), &profile), [(CauseKind::Regex, 12)]);
}

#[test]
fn hashing_is_no_cause_until_it_costs_much_and_deriving_keys_is() {
    for (own_us, function, file, expected) in [
        (90, "Hmac.digest", "node:internal/crypto/hash", vec![]),
        (
            300,
            "Hmac.digest",
            "node:internal/crypto/hash",
            vec![(CauseKind::SyncCrypto, 14)],
        ),
        (
            90,
            "pbkdf2Sync",
            "node:internal/crypto/pbkdf2",
            vec![(CauseKind::SyncCrypto, 14)],
        ),
    ] {
        let mut profile = profile(0, own_us, 0, 400);
        profile.frames[3] = Frame {
            function: function.to_owned(),
            file: file.to_owned(),
            ..profile.frames[3].clone()
        };
        assert_eq!(shown(&plan(), &profile), expected, "{own_us} {function}");
    }
}
