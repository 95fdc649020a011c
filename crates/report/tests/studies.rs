//! Studies in every form. The published schema is that of what is written here.

mod failures;

use failures::error;
use plimsoll_analysis::{
    EffectFinding, EffectVerdict, HereFinding, MeasurementFinding, Notice, PublishedFinding, ResponsesFinding,
    StudyVerdict,
};
use plimsoll_report::{Listed, Report, StudyFindings, Style, Written, studies, studies_json, study_schema};
use std::path::Path;

fn published(from: f64, to: f64) -> PublishedFinding {
    PublishedFinding {
        what: "requests per second with 100 connections, without and with the line".to_owned(),
        from: Some(from),
        to: Some(to),
        ratio: Some(to / from),
        direction: None,
        at_least: None,
        at_most: None,
    }
}

fn here(from: f64, to: f64) -> HereFinding {
    HereFinding {
        figure: "throughput, with the line ÷ without".to_owned(),
        unit: "per_s".to_owned(),
        from: Some(from),
        to,
        ratio: Some(to / from),
        low: Some(to / from - 0.01),
        high: Some(to / from + 0.01),
        steps: 1,
    }
}

fn partly() -> StudyFindings {
    let reproduced = EffectFinding {
        name: "throughput, 100 connections".to_owned(),
        verdict: EffectVerdict::Reproduced,
        because: "the same direction, 61 % of the published size".to_owned(),
        rule: Some("on the same side of 1 with its whole interval, and at least 50 % as large".to_owned()),
        published: Some(published(338.55, 239.3)),
        here: Some(here(2400.0, 1943.0)),
        share_of_published: Some(0.609),
    };
    let bound = EffectFinding {
        name: "load line of one core".to_owned(),
        published: Some(PublishedFinding {
            from: None,
            to: None,
            ratio: None,
            at_least: Some(1250.0),
            ..published(1.0, 1.0)
        }),
        here: Some(HereFinding {
            from: None,
            to: 9800.0,
            ratio: Some(7.84),
            low: Some(7.6),
            high: None,
            ..here(1.0, 1.0)
        }),
        share_of_published: None,
        ..reproduced.clone()
    };
    let reversed = EffectFinding {
        name: "contention (σ)".to_owned(),
        verdict: EffectVerdict::Reversed,
        because: "the other direction".to_owned(),
        published: Some(PublishedFinding {
            from: None,
            to: None,
            ratio: None,
            direction: Some("less".to_owned()),
            ..published(1.0, 1.0)
        }),
        here: Some(HereFinding {
            unit: String::new(),
            ..here(0.0123, 0.0456)
        }),
        share_of_published: None,
        ..reproduced.clone()
    };
    let shown = EffectFinding {
        name: "CPU per request".to_owned(),
        verdict: EffectVerdict::Shown,
        because: "nothing was published of it".to_owned(),
        rule: None,
        published: None,
        here: Some(HereFinding {
            unit: "us".to_owned(),
            steps: 4,
            ..here(400.0, 520.0)
        }),
        share_of_published: None,
    };
    StudyFindings {
        format: "plimsoll.study-findings/1".to_owned(),
        name: "blocking-log".to_owned(),
        title: "A blocking log line".to_owned(),
        question: "What does one console.log in each request cost?".to_owned(),
        source: vec!["A write-up of a load test of an info page.".to_owned()],
        started_at: "2026-03-02T09:14:07Z".to_owned(),
        duration_s: 166.0,
        version: "0.1.0".to_owned(),
        host: "Linux 6.1.0, AMD EPYC 7543, 4 cores, 16.0 GiB".to_owned(),
        verdict: StudyVerdict::Partly,
        headline: "2 of 3 published effects are here as well; the other way here: contention (σ)".to_owned(),
        next_step: "Read what differs: a result that does not carry over is a result.".to_owned(),
        differs: vec!["There standard output was a terminal; here it is a file.".to_owned()],
        effects: vec![reproduced, bound, reversed, shown],
        measurements: vec![
            MeasurementFinding {
                name: "hundred".to_owned(),
                kind: "compare".to_owned(),
                folder: Some("2026-03-02T09-14-07-compare".to_owned()),
                headline: "with the line is worse: throughput -19.0 % (-20.0 % to -18.0 %)".to_owned(),
                responses: vec![ResponsesFinding {
                    of: "with the line".to_owned(),
                    finished: 1000,
                    status: [0, 990, 0, 0, 10],
                    status_other: 0,
                    errors: vec![error("status", 10, 0.01)],
                }],
            },
            MeasurementFinding {
                name: "printed".to_owned(),
                kind: "command".to_owned(),
                folder: Some("command-printed".to_owned()),
                headline: "The program printed a, b".to_owned(),
                responses: vec![],
            },
        ],
        notices: vec![],
    }
}

fn failed() -> StudyFindings {
    let hostile = "a\u{1b}[31m</script><img src=x> | **b** \u{202e}c".to_owned();
    let mut study = partly();
    study.verdict = StudyVerdict::Failed;
    study.headline.clone_from(&hostile);
    study.title.clone_from(&hostile);
    study.source = vec![hostile.clone()];
    study.effects.truncate(1);
    let effect = &mut study.effects[0];
    effect.verdict = EffectVerdict::NotMeasured;
    effect.because.clone_from(&hostile);
    effect.here = None;
    effect.share_of_published = None;
    study.measurements = vec![MeasurementFinding {
        name: hostile.clone(),
        kind: "compare".to_owned(),
        folder: None,
        headline: hostile.clone(),
        responses: vec![ResponsesFinding {
            of: hostile.clone(),
            ..ResponsesFinding::default()
        }],
    }];
    study.notices = vec![Notice {
        code: "warning".to_owned(),
        message: hostile,
        hint: None,
    }];
    study
}

#[test]
fn every_form() {
    for (name, study) in [("partly", partly()), ("failed", failed())] {
        let written = Written {
            report: Some(Path::new("runs/x/report.md")),
            folder: Some(Path::new("runs/x")),
        };
        let text = study.terminal(Style::default(), written);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{name}");
        insta::assert_snapshot!(format!("terminal-{name}"), text);
        insta::assert_snapshot!(format!("markdown-{name}"), study.markdown());
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
        page.contains("[hundred](2026-03-02T09-14-07-compare/report.html)"),
        "{page}"
    );
    assert!(!page.contains("command-printed/report.html"), "a program has no page");
    assert!(
        !partly().markdown().contains("report.html"),
        "elsewhere the folder is not there"
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
