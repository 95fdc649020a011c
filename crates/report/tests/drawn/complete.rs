//! Whatever findings can say has words in every renderer: each class of failures, notice, objective, metric and unit.

use crate::page::document;
use crate::{runs, series};
use plimsoll_findings::{
    CauseKind, Condition, EndedBecause, ErrorFinding, ExampleFinding, FailureClass, FigureFinding, Late, Metric, Noted,
    Notice, ObjectiveFinding, Quantity, ResponsesBeside, Unit, Unjudged, Unsized, Unsteady, Windows,
};
use plimsoll_measure::{Resource, RunKind};
use plimsoll_report::{Findings, Report, Style, Written};
use serde_json::Value;

/// The renderers by name, without what they do to spaces, markup and line ends. Of the page only what it says counts: the findings
/// that its charts draw hold every word as well.
fn drawn(report: &impl Report) -> [(&'static str, String); 5] {
    [
        ("terminal", report.terminal(Style::default(), Written::default())),
        ("Markdown", report.markdown()),
        ("JUnit", report.junit()),
        ("JSON", report.json()),
        ("HTML", document(report)),
    ]
    .map(|(name, text)| (name, bare(&text)))
}

/// Small letters and digits alone, of text that may be escaped: some sentences begin a line and some do not.
fn bare(text: &str) -> String {
    let mut text = text.to_owned();
    for (escape, c) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#64;", "@"),
        ("&#10;", " "),
        ("&amp;", "&"),
        ("\\u003c", "<"),
        ("\\u003e", ">"),
        ("\\u0026", "&"),
        ("\\\"", "\""),
    ] {
        text = text.replace(escape, c);
    }
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[track_caller]
fn says(report: &impl Report, words: &[String]) {
    for (renderer, text) in drawn(report) {
        for word in words {
            assert!(text.contains(&bare(word)), "{renderer} does not say: {word}");
        }
    }
}

fn json(report: &impl Report) -> Value {
    serde_json::from_str(&report.json()).expect("JSON")
}

/// The texts at `key` of each element of an array.
fn texts(array: &Value, key: &str) -> Vec<String> {
    let elements = array.as_array().expect("an array").iter();
    let texts = elements.map(|element| element[key].as_str().expect("a text").to_owned());
    let texts: Vec<String> = texts.collect();
    assert!(texts.iter().all(|text| !text.is_empty()), "{texts:?}");
    texts
}

fn run() -> Findings {
    let samples = runs::samples().into_iter();
    samples
        .rev()
        .find_map(|(name, findings)| (name == "run-breached").then_some(findings))
        .expect("a sample")
}

#[test]
fn each_class_of_failures_is_everywhere() {
    let mut findings = run();
    findings.errors = FailureClass::all()
        .map(|class| ErrorFinding {
            class,
            count: 1,
            share: 0.1,
            generators_own: class.is_generators_own(),
            charged: true,
            example: None,
        })
        .collect();
    let errors = &json(&findings)["errors"];
    assert_eq!(errors.as_array().map(Vec::len), Some(findings.errors.len()));
    says(&findings, &texts(errors, "class"));
    says(&findings, &texts(errors, "meaning"));
}

/// One of each, which the compiler sees to in [`follows`].
fn notices() -> Vec<Notice> {
    let mut all = vec![Notice::Interrupted(noted("it was stopped"))];
    while let Some(next) = all.last().and_then(follows) {
        all.push(next);
    }
    all
}

fn noted(said: &str) -> Noted {
    Noted {
        said: said.to_owned(),
        advice: Some(format!("what to do when {said}")),
    }
}

/// The notice to look at after this one.
fn follows(notice: &Notice) -> Option<Notice> {
    let first = Some(ExampleFinding {
        at_s: 1.5,
        request: Some("order".to_owned()),
        expected: String::new(),
        found: "status 302 Found".to_owned(),
        received: "<html>".to_owned(),
    });
    let near = |resource| Notice::GeneratorNearLimit {
        resource,
        taken: 95,
        of: 100,
    };
    Some(match notice {
        Notice::Interrupted(_) => Notice::TargetDied(noted("the service ended")),
        Notice::TargetDied(_) => Notice::OutOfMemory(noted("the kernel ended the service")),
        Notice::OutOfMemory(_) => Notice::NeighbourDied(noted("neighbour redis ended during the run")),
        Notice::NeighbourDied(_) => Notice::PortTaken(noted("another process has the port")),
        Notice::PortTaken(_) => Notice::AgentLost(noted("an agent was lost")),
        Notice::AgentLost(_) => Notice::Torn(noted("records are lost")),
        Notice::Torn(_) => Notice::Warning(noted("something was noted")),
        Notice::Warning(_) => Notice::NotesLeftOut { count: 7 },
        Notice::NotesLeftOut { .. } => Notice::CouldNotGoOn {
            why: "it broke".to_owned(),
        },
        Notice::CouldNotGoOn { .. } => Notice::NoEnd,
        Notice::NoEnd => Notice::HistogramsLost,
        Notice::HistogramsLost => Notice::GeneratorLate {
            because: Late::Busy {
                share: 0.95,
                windows: Windows { windows: 2, judged: 3 },
            },
        },
        Notice::GeneratorLate { .. } => near(Resource::Ports),
        Notice::GeneratorNearLimit {
            resource: Resource::Ports,
            ..
        } => near(Resource::Descriptors),
        Notice::GeneratorNearLimit {
            resource: Resource::Descriptors,
            ..
        } => near(Resource::Memory),
        Notice::GeneratorNearLimit {
            resource: Resource::Memory,
            ..
        } => Notice::NotConverged,
        Notice::NotConverged => Notice::FailedBelowLine { failed: 3, judged: 9 },
        Notice::FailedBelowLine { .. } => Notice::IntervalFromStep {
            at_a_time: false,
            users: false,
            step: 2,
            rate_per_s: 1000.0,
            upper: false,
            without_per_s: 14_900.0,
        },
        Notice::IntervalFromStep { .. } => Notice::LittlesLawBroken {
            users: 1200,
            by_law: 840.0,
        },
        Notice::LittlesLawBroken { .. } => Notice::OneCoreFull {
            busy_cores: 1.02,
            cores: 4,
        },
        Notice::OneCoreFull { .. } => Notice::UnevenInstances {
            number: 3,
            pid: 4711,
            main_thread_share: 0.92,
            others: 3,
            others_share: 0.31,
        },
        Notice::UnevenInstances { .. } => Notice::InstancesChanged { ended: 2, started: 1 },
        Notice::InstancesChanged { .. } => Notice::InstancesBeyondLimit {
            instances: 8,
            cpu_cores: 0.5,
        },
        Notice::InstancesBeyondLimit { .. } => Notice::Throttled {
            users: true,
            cpu_cores: 0.5,
            throttled_ms_per_s: 412.0,
            offered_per_s: Some(1200.0),
        },
        Notice::Throttled { .. } => Notice::ProcessesKilled {
            kills: 2,
            memory_limit_bytes: Some(512 << 20),
        },
        Notice::ProcessesKilled { .. } => Notice::Redirects {
            count: 7,
            completed: 9,
            first,
        },
        Notice::Redirects { .. } => Notice::ErrorStatuses { count: 7, completed: 9 },
        Notice::ErrorStatuses { .. } => Notice::KeepAliveRaces {
            count: 1,
            repeated: 1,
            share: 0.01,
            charged: false,
            first,
        },
        Notice::KeepAliveRaces { .. } => Notice::UnrequestedBytes { connections: 2, first },
        Notice::UnrequestedBytes { .. } => Notice::NothingJudged {
            because: Unjudged::WarmUp { warm_up_s: 2.0 },
        },
        Notice::NothingJudged { .. } => Notice::Unjudged {
            objective: condition(Quantity::Cpu, None),
            because: Unjudged::NoCpu,
        },
        Notice::Unjudged { .. } => Notice::NotCounted,
        Notice::NotCounted => Notice::NothingCounted,
        Notice::NothingCounted => Notice::RequestsAllAlike,
        Notice::RequestsAllAlike => Notice::FewSamples {
            cause: "error-stack".to_owned(),
            samples: 6,
            low: 0.028,
            high: 0.125,
        },
        Notice::FewSamples { .. } => Notice::NoProfile,
        Notice::NoProfile => Notice::DiagnosisIncomplete {
            why: "a pass failed".to_owned(),
        },
        Notice::DiagnosisIncomplete { .. } => Notice::DiagnosisCutOff {
            before: Some(RunKind::Profile),
        },
        Notice::DiagnosisCutOff { .. } => Notice::LoadLinesOpenEnded {
            rounds: 4,
            used: 8,
            ended_because: EndedBecause::MaxPassed,
        },
        Notice::LoadLinesOpenEnded { .. } => Notice::WarmingUp { fell: 0.08 },
        Notice::WarmingUp { .. } => Notice::NotWarm {
            waited_s: 20.0,
            because: Unsteady::CpuPerRequest { fell: 0.12 },
        },
        Notice::NotWarm {
            because: Unsteady::CpuPerRequest { .. },
            ..
        } => Notice::NotWarm {
            waited_s: 20.0,
            because: Unsteady::Queue { least: 12, most: 3400 },
        },
        Notice::NotWarm {
            because: Unsteady::Queue { .. },
            ..
        } => Notice::ResponsesDiffer(ResponsesBeside {
            same_status: false,
            same_length: false,
            same_content: Some(false),
            mean_bytes: 5120.0,
            other_mean_bytes: 4096.0,
        }),
        Notice::ResponsesDiffer(_) => Notice::WorseThanBefore {
            figure: Metric::CpuPerRequest,
            value: 1210.0,
            usual: 1052.0,
            bound: 1124.0,
            days: 12,
        },
        Notice::WorseThanBefore { .. } => Notice::TooLittleHistory { days: 1, least: 5 },
        Notice::TooLittleHistory { .. } => Notice::MachineUnknown,
        Notice::MachineUnknown => Notice::InRound {
            round: 3,
            variant: "b".to_owned(),
            notice: Box::new(Notice::ErrorStatuses { count: 3, completed: 4 }),
        },
        Notice::InRound { .. } => return None,
    })
}

#[test]
fn each_notice_is_everywhere() {
    let mut findings = run();
    findings.notices = notices();
    let notices = &json(&findings)["notices"];
    let sentences = texts(notices, "text");
    assert_eq!(sentences.len(), findings.notices.len());
    says(&findings, &sentences);
    let hints = notices.as_array().expect("an array").iter();
    let hints: Vec<String> = hints
        .filter_map(|notice| notice["hint"].as_str().map(ToOwned::to_owned))
        .collect();
    for (renderer, text) in drawn(&findings) {
        // A build server lists what happened.
        let is_shown = |hint: &String| renderer == "JUnit" || text.contains(&bare(hint));
        assert!(hints.iter().all(is_shown), "{renderer}");
    }
}

#[test]
fn sizing_is_everywhere_with_what_it_assumes() {
    let samples = runs::samples().into_iter();
    let sized = samples
        .rev()
        .find_map(|(name, findings)| (name == "capacity-sized").then_some(findings))
        .expect("a sample");
    let assumed = "instances share nothing that runs out first, such as a database, and load is spread evenly";
    assert_eq!(json(&sized)["sizing"]["predicted"]["assumption"]["text"], assumed);
    let say = |findings: &Findings, words: [&str; 3]| says(findings, &words.map(str::to_owned));
    say(
        &sized,
        [
            "9 instances (9 to 10) for 30,000 req/s",
            "10 (10 to 11) with one spare; predicted",
            assumed,
        ],
    );
    // Nothing failed above the line.
    let mut at_most = sized.clone();
    let predicted = at_most.sizing.as_mut().and_then(|of| of.predicted.as_mut());
    let predicted = predicted.expect("it was predicted");
    predicted.at_most = true;
    (predicted.needed.instances_low, predicted.with_spare.instances_low) = (None, None);
    say(
        &at_most,
        [
            "at most 9 instances (10 or fewer) for 30,000 req/s",
            "at most 10 (11 or fewer) with one spare",
            assumed,
        ],
    );
    for because in [Unsized::NoLine, Unsized::Unjudged, Unsized::Failed] {
        let mut findings = sized.clone();
        let sizing = findings.sizing.as_mut().expect("it was asked");
        (sizing.predicted, sizing.unsized_because) = (None, Some(because));
        let because = json(&findings)["sizing"]["unsized_because"]["text"].clone();
        let because = because.as_str().expect("a text");
        say(&findings, ["not predicted for 30,000 req/s", because, "Sizing"]);
    }
}

fn condition(quantity: Quantity, request: Option<&str>) -> Condition {
    let is_time = quantity == Quantity::ResponseTime;
    Condition {
        quantity,
        quantile: is_time.then_some(0.99),
        zone: None,
        request: request.map(ToOwned::to_owned),
        bound: if is_time { 20.0 } else { 0.5 },
        unit: if is_time { Unit::Ms } else { Unit::Share },
    }
}

#[test]
fn each_objective_is_everywhere_with_its_request() {
    let mut findings = run();
    findings.objectives = Quantity::ALL
        .iter()
        .flat_map(|quantity| [None, Some("read a profile")].map(|request| condition(*quantity, request)))
        .map(|objective| ObjectiveFinding {
            interval: None,
            objective,
            passed: Some(false),
            unjudged_because: None,
            observed: Some(0.75),
            worst: None,
            windows_passed: 1,
            windows_judged: 2,
        })
        .collect();
    let objectives = json(&findings)["objectives"].clone();
    let objectives = objectives.as_array().expect("an array").iter();
    let names: Vec<String> = objectives
        .map(|objective| objective["objective"]["text"].as_str().expect("a text").to_owned())
        .collect();
    assert!(names.contains(&"p99(read a profile) <= 20ms".to_owned()), "{names:?}");
    says(&findings, &names);
}

#[test]
fn each_request_is_everywhere_with_what_became_of_it() {
    let samples = runs::samples().into_iter();
    let mixed = samples
        .rev()
        .find_map(|(name, findings)| (name == "run-mixed").then_some(findings));
    let findings = mixed.expect("a sample");
    let [read, order] = findings.requests.as_slice() else {
        panic!("{:?}", findings.requests)
    };
    assert_eq!((read.name.as_str(), order.name.as_str()), ("read a profile", "order"));
    assert_eq!((read.errors, order.errors), (0, 48));
    let rates = read.rate_per_s.zip(order.rate_per_s).expect("both were judged");
    assert!((rates.0 / rates.1 - 9.0).abs() < 0.01, "{rates:?}");
    says(
        &findings,
        &["read a profile", "order", "540", "status"].map(str::to_owned),
    );
    // The first failure names its request.
    let example = findings.errors[0].example.as_ref().expect("an example");
    assert_eq!(example.request.as_deref(), Some("order"));
    says(&findings, &["request order".to_owned()]);
}

#[test]
fn each_metric_and_unit_is_everywhere() {
    let mut comparison = series::worse();
    let one = comparison.figures.remove(0);
    // A load line is also one of users or of connections.
    let of_crowds = [Unit::UsersPerS, Unit::Users, Unit::Connections].map(|unit| (Metric::LoadLine, unit));
    comparison.figures = Metric::ALL
        .iter()
        .map(|figure| (*figure, figure.unit()))
        .chain(of_crowds)
        .map(|(figure, unit)| FigureFinding {
            figure,
            unit,
            judged: true,
            failed: true,
            ..one.clone()
        })
        .collect();
    let units: Vec<Unit> = comparison.figures.iter().map(|figure| figure.unit).collect();
    assert!(Unit::ALL.iter().all(|unit| units.contains(unit)));
    says(&comparison, &texts(&json(&comparison)["figures"], "text"));
}

#[test]
fn each_kind_of_cause_is_explained() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/findings");
    for kind in CauseKind::ALL {
        let page = docs.join(format!("{}.md", kind.as_str()));
        assert!(page.exists(), "{}", page.display());
    }
}

/// Objects with a code and no text, by their path.
fn untold(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            if object.contains_key("code") && !object.contains_key("text") {
                found.push(path.to_owned());
            }
            for (key, inner) in object {
                untold(inner, &format!("{path}.{key}"), found);
            }
        }
        Value::Array(array) => array.iter().for_each(|inner| untold(inner, path, found)),
        _ => {}
    }
}

#[test]
fn every_code_in_json_has_a_text_beside_it() {
    let mut found = Vec::new();
    for (name, findings) in runs::samples() {
        untold(&json(&findings), name, &mut found);
    }
    for (name, comparison) in series::comparisons() {
        untold(&json(&comparison), name, &mut found);
    }
    for (name, sweep) in series::sweeps() {
        untold(&json(&sweep), name, &mut found);
    }
    found.sort();
    found.dedup();
    // Parameters of what is worded as a whole.
    let is_inner = |path: &String| {
        [".headline.", ".next_step.", ".unused_because."]
            .iter()
            .any(|of| path.contains(of))
    };
    found.retain(|path| !is_inner(path));
    assert_eq!(found, Vec::<String>::new());
}
