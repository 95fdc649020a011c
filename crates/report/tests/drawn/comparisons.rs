//! Comparisons and sweeps in every form. The tests of the report page draw the committed samples as well:
//! `PLIMSOLL_WRITE_SAMPLES=1 cargo test -p plimsoll-report` writes them.

use crate::page::document;
use crate::series::{comparisons, sweeps};
use plimsoll_findings::{CompareVerdict, Comparison, Disturbance, Finds, Metric, NoiseFindings, Scatter, Sees};
use plimsoll_report::{
    Report, Style, Written, code_quality, comparison_schema, github, noise, noise_json, noise_schema, scaling_schema,
};
use serde_json::Value;
use std::path::Path;

#[track_caller]
pub(crate) fn is_committed(directory: &str, name: &str, json: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(directory)
        .join(format!("{name}.json"));
    if std::env::var_os("PLIMSOLL_WRITE_SAMPLES").is_some() {
        std::fs::write(&path, json).expect("the directory can be written");
    }
    let committed = std::fs::read_to_string(&path).expect("the sample is committed");
    assert!(
        committed == json,
        "{name}: write the samples anew, as the head of this file says"
    );
}

#[track_caller]
fn every_form_of(kind: &str, name: &str, report: &impl Report) {
    let written = Written {
        report: Some(Path::new("runs/x/report.html")),
        directory: Some(Path::new("runs/x")),
    };
    let text = report.terminal(Style::default(), written);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{name}");
    insta::assert_snapshot!(format!("terminal-{kind}{name}"), text);
    insta::assert_snapshot!(format!("markdown-{kind}{name}"), report.markdown());
    insta::assert_snapshot!(format!("brief-{kind}{name}"), report.brief(written));
    insta::assert_snapshot!(format!("junit-{kind}{name}"), report.junit());
    assert!(!report.page().1.contains("<img"), "{name}");
}

#[track_caller]
pub(crate) fn annotations_of(name: &str, report: &impl Report) {
    let annotations: Vec<_> = report
        .annotations()
        .into_iter()
        .map(|annotation| annotation.in_repository(|file| Some(format!("services/{file}"))))
        .collect();
    let commands = github(&annotations);
    assert!(
        commands.lines().all(|line| line.starts_with("::")),
        "{name}: {commands}"
    );
    insta::assert_snapshot!(format!("github-{name}"), commands);
    insta::assert_snapshot!(
        format!("code-quality-{name}"),
        code_quality(&annotations, "plimsoll.yaml")
    );
}

#[track_caller]
fn names_every_field(schema: &Value, json: &str) {
    let properties = schema["properties"].as_object().expect("an object");
    let value: Value = serde_json::from_str(json).expect("JSON");
    for field in value.as_object().expect("an object").keys() {
        assert!(properties.contains_key(field), "{field}");
    }
}

#[test]
fn comparisons_in_every_form() {
    for (name, comparison) in comparisons() {
        is_committed("comparisons", name, &comparison.json());
        is_committed("documents", &format!("compare-{name}"), &document(&comparison));
        every_form_of("", name, &comparison);
        if comparison.gate.is_some() || name == "hostile" {
            annotations_of(name, &comparison);
        }
        names_every_field(&comparison_schema(), &comparison.json());
    }
}

fn sample(wanted: &str) -> Comparison {
    let found = comparisons().into_iter().find(|(name, _)| *name == wanted);
    found.expect("a sample").1
}

/// Build servers count what passed, and show skipped cases as green.
#[test]
fn no_figure_passes_without_a_verdict() {
    let passed = |line: &&str| line.contains("<testcase") && line.ends_with("/>");
    let better = sample("better");
    let count = |comparison: &Comparison| comparison.junit().lines().filter(passed).count();
    assert!(count(&better) > 1);
    for verdict in [
        CompareVerdict::Invalid,
        CompareVerdict::Interrupted,
        CompareVerdict::Failed,
    ] {
        let found = Comparison {
            verdict,
            ..better.clone()
        };
        assert_eq!(count(&found), 0, "{}", found.junit());
    }
}

#[test]
fn what_fails_the_command_is_annotated_as_an_error() {
    let severity = |comparison: &Comparison| {
        let text = github(&comparison.annotations());
        text.split(' ').next().unwrap_or_default().to_owned()
    };
    let with = |verdict, failed| Comparison {
        verdict,
        failed,
        ..sample("worse")
    };
    for (verdict, failed, expected) in [
        (CompareVerdict::Invalid, false, "::error"),
        (CompareVerdict::Interrupted, false, "::error"),
        (CompareVerdict::Mixed, true, "::error"),
        (CompareVerdict::Mixed, false, "::warning"),
        (CompareVerdict::Worse, true, "::error"),
        (CompareVerdict::Worse, false, "::warning"),
        (CompareVerdict::Better, false, "::notice"),
    ] {
        assert_eq!(severity(&with(verdict, failed)), expected, "{verdict:?} {failed}");
    }
    let mut check = sample("check-inconclusive");
    assert_eq!(severity(&check), "::warning");
    check.gate.iter_mut().for_each(|gate| gate.fail_if_inconclusive = true);
    assert_eq!(severity(&check), "::error");
}

#[test]
fn sweeps_in_every_form() {
    for (name, sweep) in sweeps() {
        is_committed("sweeps", name, &sweep.json());
        is_committed("documents", &format!("scale-{name}"), &document(&sweep));
        every_form_of("sweep-", name, &sweep);
        names_every_field(&scaling_schema(), &sweep.json());
    }
}

#[test]
fn noise_says_what_a_check_finds() {
    let finds = [(0.02, None), (0.05, Some(1_592.0)), (0.1, Some(41.5))];
    let noisy = NoiseFindings {
        format: "plimsoll.noise-findings/1".to_owned(),
        name: "info page".to_owned(),
        started_at: "2026-03-02T09:14:07Z".to_owned(),
        took_s: 124.2,
        version: "0.1.0".to_owned(),
        host: None,
        load: "400/s, even arrivals; each round 4 s judged after at least 2 s of warm-up".to_owned(),
        blocks: 6,
        block_s: 15.5,
        metric: Some(Metric::CpuPerRequest),
        scatter: vec![
            Scatter {
                figure: Metric::CpuPerRequest,
                deviation: 0.081,
            },
            Scatter {
                figure: Metric::ResponseTimeP99,
                deviation: 0.44,
            },
        ],
        finds: finds.map(|(loss, within_s)| Finds { loss, within_s }).into(),
        sees: Some(Sees {
            within_s: 600.0,
            loss: 0.079,
        }),
        disturbances: vec![
            Disturbance::GeneratorLate { late: 3, of: 16 },
            Disturbance::Drift { share: -0.071 },
            Disturbance::Stolen { share: 0.023 },
            Disturbance::OtherPrograms { cores: 1.31, of: 2 },
        ],
    };
    insta::assert_snapshot!("terminal-noise", noise(&noisy, Style::default()));
    names_every_field(&noise_schema(), &noise_json(&noisy));
    let blind = NoiseFindings {
        metric: None,
        scatter: Vec::new(),
        sees: None,
        disturbances: Vec::new(),
        ..noisy
    };
    insta::assert_snapshot!("terminal-noise-blind", noise(&blind, Style::default()));
}
