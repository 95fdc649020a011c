//! Every renderer draws every sample; the snapshots are what a reader gets to see.

use crate::comparisons::{annotations_of, is_committed};
use crate::page::{data_range, document};
use crate::runs::samples;
use plimsoll_report::{Findings, Style, Written, findings_schema, html, json, junit, markdown, terminal};
use serde_json::Value;
use std::path::Path;

/// The tests of the report page read them too. `PLIMSOLL_WRITE_SAMPLES=1 cargo test -p plimsoll-report` writes them.
#[test]
fn committed_samples_are_those_of_the_fold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    for (name, findings) in samples() {
        let path = directory.join(format!("{name}.json"));
        if std::env::var_os("PLIMSOLL_WRITE_SAMPLES").is_some() {
            std::fs::write(&path, json(&findings)).expect("the directory can be written");
        }
        let committed = std::fs::read_to_string(&path).expect("the sample is committed");
        assert!(
            committed == json(&findings),
            "{name}: write the samples anew, as the comment of this test says"
        );
    }
}

/// What the pages say; the tests of the report page draw it.
#[test]
fn committed_documents_are_those_of_the_samples() {
    for (name, findings) in samples() {
        is_committed("documents", name, &document(&findings));
    }
}

fn written() -> Written<'static> {
    Written {
        report: Some(Path::new("runs/2026-03-02/report.html")),
        directory: Some(Path::new("runs/2026-03-02")),
    }
}

#[test]
fn annotations() {
    for (name, findings) in samples() {
        if ["diagnose", "run-breached", "hostile"].contains(&name) {
            annotations_of(&format!("run-{name}"), &findings);
        }
    }
}

#[test]
fn terminal_text() {
    for (name, findings) in samples() {
        insta::assert_snapshot!(
            format!("terminal-{name}"),
            terminal(&findings, Style::default(), written())
        );
    }
}

#[test]
fn terminal_text_in_ascii_narrow_and_coloured() {
    for (name, findings) in samples()
        .into_iter()
        .filter(|(name, _)| *name == "capacity-passed" || *name == "run-breached")
    {
        let ascii = Style {
            unicode: false,
            ..Style::default()
        };
        insta::assert_snapshot!(
            format!("terminal-ascii-{name}"),
            terminal(&findings, ascii, Written::default())
        );
        let narrow = Style {
            width: 60,
            ..Style::default()
        };
        insta::assert_snapshot!(
            format!("terminal-60-{name}"),
            terminal(&findings, narrow, Written::default())
        );
        let coloured = terminal(
            &findings,
            Style {
                colour: true,
                ..Style::default()
            },
            Written::default(),
        );
        insta::assert_snapshot!(format!("terminal-colour-{name}"), coloured.replace('\x1b', "␛"));
    }
}

#[test]
fn the_conclusion_comes_first() {
    for (name, findings) in samples().into_iter().filter(|(name, _)| *name != "hostile") {
        let text = terminal(&findings, Style::default(), Written::default());
        let first: Vec<&str> = text.lines().take(8).collect();
        assert!(
            first.iter().any(|line| line.trim_start().starts_with("next ")),
            "{name}:\n{}",
            first.join("\n")
        );
    }
}

#[test]
fn colour_carries_no_meaning() {
    for (name, findings) in samples() {
        let plain = terminal(&findings, Style::default(), written());
        let coloured = terminal(
            &findings,
            Style {
                colour: true,
                ..Style::default()
            },
            written(),
        );
        assert_eq!(without_codes(&coloured), plain, "{name}");
    }
}

fn without_codes(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        out.push_str(&rest[..at]);
        rest = &rest[at + rest[at..].find('m').expect("a colour code ends in m") + 1..];
    }
    out + rest
}

#[test]
fn lines_fit_the_terminal() {
    for (name, findings) in samples().into_iter().filter(|(name, _)| *name != "hostile") {
        let text = terminal(&findings, Style::default(), written());
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
    }
}

#[test]
fn markdown_text() {
    for (name, findings) in samples() {
        insta::assert_snapshot!(format!("markdown-{name}"), markdown(&findings));
    }
}

#[test]
fn junit_xml() {
    for (name, findings) in samples() {
        insta::assert_snapshot!(format!("junit-{name}"), junit(&findings));
    }
}

#[test]
fn json_keeps_the_order_of_the_fields() {
    let (_, mut findings) = samples().swap_remove(4);
    findings.timeline.truncate(1);
    findings.response_time_curve.truncate(1);
    findings.steps.truncate(1);
    insta::assert_snapshot!("json", json(&findings));
}

#[test]
fn html_holds_the_findings_and_nothing_of_them_is_markup() {
    let bare = html_outside_data(&samples()[0].1);
    for (name, findings) in samples() {
        assert_eq!(html_outside_data(&findings), bare, "{name}: only the data may differ");
        let page = html(&findings);
        let data = &page[data_range(&page, "findings")];
        let value = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        assert_eq!(value(data), value(&json(&findings)), "{name}");
    }
}

fn html_outside_data(findings: &Findings) -> String {
    let mut page = html(findings);
    for id in ["findings", "document"] {
        page.replace_range(data_range(&page, id), "");
    }
    page
}

#[test]
fn schema_is_published() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/findings.schema.json");
    let text = std::fs::read_to_string(path).expect("docs/reference/findings.schema.json is committed");
    let published: Value = serde_json::from_str(&text).expect("it is JSON");
    assert!(published == findings_schema(), "run `cargo xtask generate`");
}

/// Where a service is asked by messages, nothing that people read speaks of requests.
#[test]
fn line_of_messages_is_one_of_messages_everywhere() {
    let (_, mut findings) = samples()
        .into_iter()
        .find(|(name, _)| *name == "capacity-passed")
        .expect("a sample");
    findings.openings = Some(findings.response_time.clone());
    for (format, text) in [
        ("terminal", terminal(&findings, Style::default(), Written::default())),
        ("Markdown", markdown(&findings)),
    ] {
        assert!(text.contains("msg/s"), "{format}: {text}");
        assert!(!text.contains("req/s"), "{format}: {text}");
    }
}
