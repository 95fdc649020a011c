//! Studies: those of this repository can be read, and what is wrong with one is said at its place, as
//! `snapshots/studies__messages.snap` shows.

use plimsoll_plan::Plan;
use plimsoll_study::{MeasurementKind, Service, Study, StudyTexts};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const PUBLISHED: &str = r#"{ "source": ["somewhere"], "figures": { "throughput": { "what": "per s", "from": 100, "to": 68 }, "wanted": { "what": "per s", "at_least": 1250 } } }"#;

const MEASUREMENTS: &str = "measurements:
  pair: { kind: compare, plan: plan.yaml, rate: 10/s, variants: { a: {}, b: { env: { X: y } } } }
  line: { kind: capacity, plan: plan.yaml }
  sizes: { kind: scale, plan: plan.yaml }
";

const EFFECTS: &str = "effects:
  throughput: { published: throughput, here: { of: pair, figure: throughput } }
  line: { published: wanted, here: { of: line, figure: load_line } }
";

fn read(study: &str, published: &str) -> Result<Study, String> {
    let texts = StudyTexts {
        study: study.to_owned(),
        published: published.to_owned(),
    };
    Study::parse(&texts, Path::new("studies/pair")).map_err(|error| error.to_string())
}

fn head() -> String {
    "title: t\nquestion: q\n".to_owned()
}

#[test]
fn messages() {
    let whole = |measurements: &str, effects: &str| format!("{}{measurements}{effects}", head());
    let with = |line: &str| whole(&format!("{MEASUREMENTS}  {line}\n"), EFFECTS);
    let showing = |line: &str| whole(MEASUREMENTS, &format!("{EFFECTS}  {line}\n"));
    let studies = [
        String::new(),
        head(),
        whole("size: { of: clients, default: 0 }\n", EFFECTS),
        whole("size: { default: 1000 }\n", EFFECTS),
        whole("", EFFECTS),
        whole(MEASUREMENTS, ""),
        with("x: { kind: comparison, plan: plan.yaml }"),
        with("x: { kind: compare, plan: plan.yaml, rate: 1/s, variants: { a: {} } }"),
        with("x: { kind: compare, plan: plan.yaml, rate: 1/s, connections: 5, variants: { a: {}, b: {} } }"),
        with("x: { kind: compare, plan: plan.yaml, rate: 1/s, rounds: 2, variants: { a: {}, b: {} } }"),
        with("x: { kind: compare, rate: 1/s, variants: { a: {}, b: {} } }"),
        with("x: { kind: run, plan: plan.yaml }"),
        with("x: { kind: run, plan: plan.yaml, of_line: lime, times: 2 }"),
        with("x: { kind: run, plan: plan.yaml, of_line: line, times: 0 }"),
        with("x: { kind: run, plan: plan.yaml, rate: 1/s, duration: 0s }"),
        with("x: { kind: scale, plan: plan.yaml, sizes: [1, 2] }"),
        with("x: { kind: command }"),
        showing("x: { here: { of: pears, figure: cpu } }"),
        showing("x: { here: { of: pair, figure: cpus } }"),
        showing("x: { here: { of: pair, figure: cpu, variant: c } }"),
        showing("x: { here: { of: sizes, figure: throughput } }"),
        showing("x: { here: { of: sizes, figure: throughput, size: 3 } }"),
        showing("x: { here: { of: sizes, figure: sigma, size: 4 } }"),
        showing("x: { here: { of: line, figure: load_line, variant: a } }"),
        showing("x: { here: { of: pair, figure: cpu }, against: { of: line, figure: cpu } }"),
        showing("x: { published: throughputs, here: { of: pair, figure: cpu } }"),
        showing("x: { published: wanted, here: { of: pair, figure: cpu } }"),
        showing("x: { published: throughput, here: { of: line, figure: load_line } }"),
        showing("x: { here: { of: pair, figure: cpu }, steps: 0 }"),
        showing("x: {}"),
    ];
    let mut said = String::new();
    for study in studies {
        let message = read(&study, PUBLISHED).expect_err(&study);
        writeln!(said, "{message}\n").expect("a String takes it");
    }
    let figure = |figure: &str| format!(r#"{{ "source": ["s"], "figures": {{ "f": {figure} }} }}"#);
    let published = [
        "{}".to_owned(),
        r#"{ "source": ["s"] }"#.to_owned(),
        figure("{}"),
        figure(r#"{ "what": "w" }"#),
        figure(r#"{ "what": "w", "from": 1 }"#),
        figure(r#"{ "what": "w", "ratio": 0 }"#),
        figure(r#"{ "what": "w", "ratio": 2, "at_least": 3 }"#),
        figure(r#"{ "what": "w", "direction": "up" }"#),
        figure(r#"{ "what": "w", "ratio": 2 }"#),
    ];
    for published in published {
        let message = read(
            &whole(MEASUREMENTS, "effects: { x: { here: { of: pair, figure: cpu } } }"),
            &published,
        );
        writeln!(said, "{}\n", message.expect_err(&published)).expect("a String takes it");
    }
    insta::assert_snapshot!("messages", said);
}

#[test]
fn what_is_left_out_has_its_default() {
    let study = read(&format!("{}{MEASUREMENTS}{EFFECTS}", head()), PUBLISHED).expect("a study");
    assert_eq!(study.name, "pair");
    // 2 × (6 + 2) rounds of 2 + 4 s, 60 s, 7 × (3 + 1) rounds of 1 + 3 s; each start and stop takes 0.9 s.
    assert_eq!(study.takes().as_millis(), 16 * 6_900 + 60_900 + 28 * 4_900);
    let short = study.shortened(Some(std::time::Duration::from_secs(1)), Some(4));
    assert_eq!(short.takes().as_millis(), 12 * 3_900 + 60_900 + 35 * 2_900);
}

fn services(kind: &MeasurementKind) -> Vec<&Service> {
    match kind {
        MeasurementKind::Compare { variants, .. } => variants.iter().map(|variant| &variant.service).collect(),
        MeasurementKind::Scale { service, .. }
        | MeasurementKind::Capacity { service, .. }
        | MeasurementKind::Run { service, .. } => vec![service],
        MeasurementKind::Command { .. } => vec![],
    }
}

#[test]
fn studies_of_this_repository() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../studies");
    let mut found = 0;
    for entry in std::fs::read_dir(root).expect("there are studies").flatten() {
        let directory = entry.path();
        if !Study::is_in(&directory) {
            continue;
        }
        found += 1;
        let texts = StudyTexts::open(&directory).unwrap_or_else(|error| panic!("{error}"));
        let study = Study::parse(&texts, &directory).unwrap_or_else(|error| panic!("{error}"));
        assert!(directory.join("README.md").is_file(), "{}: no README.md", study.name);
        let measured: Vec<String> = study
            .effects
            .iter()
            .map(|effect| effect.here.measurement.clone())
            .collect();
        for measurement in &study.measurements {
            for service in services(&measurement.kind) {
                Plan::open(&service.plan).unwrap_or_else(|error| panic!("{}: {error}", study.name));
            }
            assert!(
                measured.contains(&measurement.name)
                    || study
                        .effects
                        .iter()
                        .any(|e| e.against.as_ref().is_some_and(|a| a.measurement == measurement.name)),
                "{}: nothing is read off {}",
                study.name,
                measurement.name
            );
        }
    }
    assert!(found > 0, "no study was found");
}
