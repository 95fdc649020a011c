//! A real diagnosis of `golden/server.mjs`, recorded on Node.js 20 and read back.

#![expect(clippy::disallowed_methods, reason = "a test makes a directory of its own")]

use plimsoll_findings::{Activity, Bound, CauseKind, Findings, Headline, NextStep, Verdict};
use plimsoll_lab::replay;
use std::path::Path;

fn recorded() -> Findings {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/diagnosis");
    replay(&directory).expect("the recorded diagnosis is whole")
}

/// The line of the recorded service on which `text` stands.
fn line_of(text: &str) -> u32 {
    let source = include_str!("golden/server.mjs");
    let line = source.lines().position(|line| line.contains(text));
    line.expect("it stands in the service") as u32 + 1
}

#[test]
fn each_cost_is_found_on_its_line() {
    let findings = recorded();
    let diagnosis = findings.diagnosis.expect("a diagnosis");
    assert_eq!(diagnosis.bound, Bound::Cpu);
    for (kind, text) in [
        (CauseKind::Json, "JSON.parse("),
        (CauseKind::BlockingWrite, "console.log("),
        (CauseKind::SyncZlib, "gzipSync(source)"),
        (CauseKind::SyncCrypto, "pbkdf2Sync('x'"),
    ] {
        let cause = diagnosis.causes.iter().find(|cause| cause.kind == kind);
        let place = cause.and_then(|cause| cause.place.as_ref());
        let found = place.map(|place| (place.file.as_str(), place.line, place.function.as_str()));
        assert_eq!(found, Some(("server.mjs", line_of(text), "handler")), "{kind:?}");
    }
    // It also reads a file, for 4.6 % of the CPU.
    assert!(
        diagnosis
            .causes
            .iter()
            .all(|cause| cause.cpu_share.is_none_or(|share| share >= 0.05))
    );
}

#[test]
fn causes_stand_in_the_order_of_what_they_give_back() {
    let diagnosis = recorded().diagnosis.expect("a diagnosis");
    let factors: Vec<f64> = diagnosis
        .causes
        .iter()
        .map(|cause| cause.predicted.as_ref().map_or(1.0, |predicted| predicted.factor))
        .collect();
    assert!(factors.is_sorted_by(|a, b| a >= b), "{factors:?}");
    for cause in &diagnosis.causes {
        if let (Some(predicted), Some(share)) = (&cause.predicted, cause.cpu_share) {
            let left = (1.0 - share) * (1.0 - 0.15 * share);
            assert!((predicted.factor - 1.0 / left).abs() < 1e-9, "{cause:?}");
            assert_eq!(predicted.load_line_per_s, None, "no line was searched");
        }
    }
}

#[test]
fn the_passes_say_what_they_cost() {
    let diagnosis = recorded().diagnosis.expect("a diagnosis");
    let passes: Vec<_> = diagnosis.passes.iter().map(|pass| pass.name.as_str()).collect();
    assert_eq!(passes, ["plain", "counters", "profile"]);
    assert_eq!(diagnosis.passes[0].extra_cpu_share, None);
    assert!(diagnosis.passes[1..].iter().all(|pass| pass.extra_cpu_share.is_some()));
}

#[test]
fn the_flame_graph_holds_all_of_the_time() {
    let diagnosis = recorded().diagnosis.expect("a diagnosis");
    let root = &diagnosis.flame[0];
    assert!((root.share - 1.0).abs() < 1e-5, "{root:?}");
    for (index, call) in diagnosis.flame.iter().enumerate().skip(1) {
        let caller = call.caller.expect("only the root has none") as usize;
        assert!(caller < index);
        assert!(call.share <= diagnosis.flame[caller].share + 1e-5);
    }
}

#[test]
fn what_node_does_for_the_handler_is_charged_to_it() {
    let runtime = recorded().diagnosis.and_then(|diagnosis| diagnosis.runtime);
    let runtime = runtime.expect("there is a profile");
    let [handler] = runtime.charges.as_slice() else {
        panic!("{:?}", runtime.charges);
    };
    assert_eq!(handler.place.function, "handler");
    let does = |activity| handler.activities.iter().any(|part| part.activity == activity);
    for activity in [
        Activity::Sockets,
        Activity::Zlib,
        Activity::Crypto,
        Activity::Files,
        Activity::Formatting,
        Activity::WritingMessages,
        Activity::Garbage,
    ] {
        assert!(does(activity), "{activity:?}");
    }
    // Who listens is not charged with what comes before and after.
    assert!(!does(Activity::EndingRequests));
    let sum: f64 = runtime.activities.iter().map(|time| time.share).sum();
    assert!((sum - runtime.share).abs() < 1e-9, "{runtime:?}");
    let charged = runtime.charged;
    let all = charged.application_share + charged.package_share + charged.rest_share;
    assert!((all - 1.0).abs() < 1e-9, "{charged:?}");
    assert!(charged.application_share > 0.8, "{charged:?}");
}

#[test]
fn costly_lines_are_read_from_what_was_kept() {
    let listings = recorded().diagnosis.expect("a diagnosis").listings.expect("listings");
    let [handler] = listings.functions.as_slice() else {
        panic!("one function with text: {listings:?}");
    };
    assert_eq!(
        (handler.function.as_str(), handler.file.as_str()),
        ("handler", "server.mjs")
    );
    let sum: f64 = handler.lines.iter().map(|line| line.ms).sum();
    assert!((sum - handler.ms).abs() < handler.ms / 100.0, "{handler:?}");
    let costliest = handler
        .lines
        .iter()
        .max_by(|a, b| a.ms.total_cmp(&b.ms))
        .expect("a line");
    assert!(costliest.text.contains("/^(a+)+x$/.test(text)"), "{costliest:?}");
}

#[test]
fn diagnosis_that_was_cut_off_does_not_say_that_nothing_costs() {
    let whole = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/diagnosis");
    let part = tempfile::tempdir().expect("a directory");
    std::fs::create_dir(part.path().join("plain")).expect("a directory in it");
    let mut names: Vec<_> = [
        "host.json",
        "latency.hlog",
        "plan.json",
        "run.json",
        "target.jsonl",
        "ticks.jsonl",
    ]
    .map(|name| Path::new("plain").join(name))
    .into();
    names.extend(["plan.json", "run.json"].map(Into::into));
    for name in names {
        std::fs::copy(whole.join(&name), part.path().join(&name)).expect("a copy");
    }
    let findings = replay(part.path()).expect("what was made of it");
    assert_eq!(findings.verdict, Verdict::Interrupted);
    assert!(matches!(
        findings.headline,
        Headline::Limit {
            cause: None,
            cut_off: true,
            few_samples: false,
            ..
        }
    ));
    assert_eq!(findings.next_step, NextStep::RunToEnd);
}
