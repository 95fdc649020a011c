//! Studies in every form. The published schema is that of what is written here.

use plimsoll_measure::Ended;
use plimsoll_measure::run_directory::{ProgramFigure, ProgramFigures, StudyInfo, StudyPart};
use plimsoll_report::{Listed, Report, StudyFindings, Style, Written, studies, studies_json, study_schema};
use plimsoll_study::{MeasuredPart, judge};
use plimsoll_study::{Study, StudyTexts};
use std::path::Path;

const STUDY: &str = r#"
title: A blocking log line
question: What does one console.log in each request cost?
differs: ["There standard output was a terminal; here it is a file."]
size: { of: clients, default: 100000 }
measurements:
  hundred: { kind: compare, plan: ../../plan.yaml, variants: { a: {}, b: { env: { CONSOLE_LOG: "on" } } }, connections: 50 }
  workers: { kind: scale, plan: ../../plan.yaml, sizes: [1, 2, 4, 8, 16] }
  printed: { kind: command, command: node print.js }
effects:
  CPU of the line: { published: cpu, here: { of: hundred, figure: cpu } }
  median: { published: slower, here: { of: hundred, figure: p50 } }
  contention: { published: none, here: { of: workers, figure: sigma } }
  peak: { published: peak, here: { of: workers, figure: peak } }
  parsing: { published: same, here: { of: printed, figure: fast }, against: { of: printed, figure: slow } }
  throughput: { here: { of: hundred, figure: throughput } }
  slow parsing: { here: { of: printed, figure: slow } }
"#;

const PUBLISHED: &str = r#"{"source": ["A write-up of a load test of an info page."], "figures": {
  "cpu": {"what": "microseconds of CPU per request, without and with the line", "from": 338.55, "to": 439.3},
  "slower": {"what": "median response time, in words", "direction": "less"},
  "none": {"what": "contention", "at_most": 0.01},
  "peak": {"what": "requests per second", "at_least": 250},
  "same": {"what": "two parsers", "ratio": 1}
}}"#;

/// The study with what was measured of it, as far as that went.
fn study_of(study: &str, name: &str, parts: Vec<(&str, MeasuredPart)>, ended: Ended) -> StudyFindings {
    let texts = StudyTexts {
        study: study.to_owned(),
        published: PUBLISHED.to_owned(),
    };
    let study = Study::parse(&texts, &Path::new("studies").join(name))
        .expect("a valid study")
        .sized(Some(2000));
    let part = |(name, part): &(&str, MeasuredPart)| StudyPart {
        name: (*name).to_owned(),
        directory: match part {
            MeasuredPart::Printed(_) => Some(format!("command-{name}")),
            MeasuredPart::Failed(_) => None,
            _ => Some(format!("2026-03-02T09-14-07-{name}")),
        },
        failed: match part {
            MeasuredPart::Failed(why) => Some(why.clone()),
            _ => None,
        },
    };
    let info = StudyInfo {
        format: StudyInfo::format(),
        name: name.to_owned(),
        size: study.size.as_ref().map(|size| size.chosen),
        started_at: "2026-03-02T09:14:07Z".to_owned(),
        duration_s: 166.0,
        version: "0.1.0".to_owned(),
        host: crate::streams::host(),
        parts: parts.iter().map(part).collect(),
        ended: Some(ended),
    };
    let parts: Vec<_> = parts.into_iter().map(|(name, part)| (name.to_owned(), part)).collect();
    judge(&study, &info, &parts)
}

fn printed() -> MeasuredPart {
    let figure = |middle: f64| ProgramFigure {
        unit: "ms".to_owned(),
        values: (-4..=4).map(|step| middle + f64::from(step) / 10.0).collect(),
    };
    MeasuredPart::Printed(ProgramFigures {
        figures: [("fast".to_owned(), figure(5.0)), ("slow".to_owned(), figure(9.0))].into(),
    })
}

fn partly() -> StudyFindings {
    let workers = crate::series::sweeps().into_iter().find(|(name, _)| *name == "peaks");
    let parts = vec![
        ("hundred", MeasuredPart::Compared(Box::new(crate::series::worse()))),
        ("workers", MeasuredPart::Scaled(Box::new(workers.expect("a sweep").1))),
        ("printed", printed()),
    ];
    study_of(STUDY, "blocking-log", parts, Ended::Complete)
}

/// Whatever a study from elsewhere may say wishes the reader ill.
fn failed() -> StudyFindings {
    let hostile = "a\u{1b}[31m</script><img src=x> | **b** \u{202e}c";
    let quoted = serde_json::Value::from(hostile).to_string();
    let study = STUDY
        .replace("title: A blocking log line", &format!("title: {quoted}"))
        .replace("What does one console.log in each request cost?", &quoted);
    let parts = vec![("hundred", MeasuredPart::Failed(hostile.to_owned()))];
    study_of(&study, "blocking-log", parts, Ended::Failed(hostile.to_owned()))
}

#[test]
fn every_form() {
    for (name, study) in [("partly", partly()), ("failed", failed())] {
        let written = Written {
            report: Some(Path::new("runs/x/report.md")),
            directory: Some(Path::new("runs/x")),
        };
        let text = study.terminal(Style::default(), written);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{name}");
        insta::assert_snapshot!(format!("terminal-{name}"), text);
        insta::assert_snapshot!(format!("markdown-{name}"), study.markdown());
        insta::assert_snapshot!(format!("brief-{name}"), study.brief(written));
        insta::assert_snapshot!(format!("junit-{name}"), study.junit());
        let (file, page) = study.page();
        assert_eq!(file, "report.md");
        assert!(!page.contains("<img"), "{name}");
    }
}

#[test]
fn the_page_leads_to_those_of_the_measurements() {
    let (_, page) = partly().page();
    assert!(
        page.contains("[hundred](2026-03-02T09-14-07-hundred/report.html)"),
        "{page}"
    );
    assert!(!page.contains("command-printed/report.html"), "a program has no page");
    assert!(
        !partly().markdown().contains("report.html"),
        "elsewhere the directory is not there"
    );
}

#[test]
fn a_list() {
    let listed = [
        ("blocking-log", 118.0, "A blocking log line"),
        ("gzip", 83.0, "Compressed answers"),
    ];
    let listed = listed.map(|(name, takes_s, title)| Listed {
        name: name.to_owned(),
        takes_s,
        title: title.to_owned(),
        question: "Why?".to_owned(),
    });
    insta::assert_snapshot!("list", studies(&listed, Style::default()));
    let json: serde_json::Value = serde_json::from_str(&studies_json(&listed)).expect("JSON");
    assert_eq!(json[1]["name"], "gzip");
}

#[test]
fn the_schema_names_every_field() {
    let schema = study_schema();
    let properties = schema["properties"].as_object().expect("an object");
    let value: serde_json::Value = serde_json::from_str(&partly().json()).expect("JSON");
    for field in value.as_object().expect("an object").keys() {
        assert!(properties.contains_key(field), "{field}");
    }
}
