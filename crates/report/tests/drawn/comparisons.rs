//! Comparisons and sweeps in every form. The tests of the report page draw the committed samples as well:
//! `PLIMSOLL_WRITE_SAMPLES=1 cargo test -p plimsoll-report` writes them.

use crate::page::document;
use crate::series::{comparisons, sweeps};
use plimsoll_report::{Report, Style, Written, comparison_schema, scaling_schema};
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
        names_every_field(&comparison_schema(), &comparison.json());
    }
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
