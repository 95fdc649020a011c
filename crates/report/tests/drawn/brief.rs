//! A brief has at most 4 kB, whatever was found, and what matters comes first.

use crate::runs::samples;
use crate::series::{comparisons, sweeps};
use plimsoll_findings::{Cause, Noted, Notice, Place};
use plimsoll_report::{Findings, Report, Written};
use std::path::Path;

const MOST_BYTES: usize = 4096;

fn brief(of: &impl Report) -> String {
    let text = of.brief(Written {
        report: Some(Path::new("runs/2026-03-02/report.html")),
        directory: Some(Path::new("runs/2026-03-02")),
    });
    assert!(text.len() <= MOST_BYTES, "{} bytes:\n{text}", text.len());
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text}");
    assert!(text.ends_with('\n') && !text.contains("<script"), "{text}");
    text
}

#[test]
fn brief_text() {
    for (name, findings) in samples() {
        insta::assert_snapshot!(format!("brief-{name}"), brief(&findings));
    }
}

#[test]
fn brief_of_series_fits() {
    comparisons().iter().for_each(|(_, comparison)| drop(brief(comparison)));
    sweeps().iter().for_each(|(_, scaling)| drop(brief(scaling)));
}

fn sample(wanted: &str) -> Findings {
    let found = samples().into_iter().find(|(name, _)| *name == wanted);
    found.expect("a sample").1
}

fn first_cause(findings: &mut Findings) -> &mut Cause {
    let diagnosis = findings.diagnosis.as_mut().expect("a diagnosis");
    diagnosis.causes.first_mut().expect("a cause")
}

/// Everything as large as the findings of a service may be, or of somebody who wishes the reader ill.
#[test]
fn brief_of_largest_diagnosis_fits_and_proves_first_cause() {
    let mut findings = sample("diagnose");
    let ill = "<script>alert(1)</script> `rm -rf` **_|[x](y) 𝄞 ".repeat(200);
    findings.name.clone_from(&ill);
    findings.notices = (0..500)
        .map(|number| {
            Notice::Warning(Noted {
                said: format!("{number} {ill}"),
                advice: Some(ill.clone()),
            })
        })
        .collect();
    let place = first_cause(&mut findings).place.clone().expect("a line");
    let diagnosis = findings.diagnosis.as_mut().expect("a diagnosis");
    let first = diagnosis.causes[0].clone();
    for number in 0..500 {
        let mut cause = first.clone();
        cause.via = Some(format!("{number} {ill}"));
        cause.other_places = vec![place.clone(); 50];
        diagnosis.causes.push(cause);
    }
    let what_if = diagnosis.what_if[0].clone();
    diagnosis.what_if = vec![what_if; 500];
    let text = brief(&findings);
    let proof = format!("plimsoll compare PLAN --rev HEAD --diagnosis runs/2026-03-02 --fixed {place}`");
    assert!(text.contains(&format!("1. `{place}`: ")), "{text}");
    assert!(text.contains(&proof), "{text}");
    assert!(text.contains("**left out here:**"), "{text}");
    assert!(text.contains("`runs/2026-03-02/report.html`"), "{text}");
}

/// Whoever reads a command may execute it.
#[test]
fn command_of_brief_names_no_file_that_a_shell_would_expand() {
    let mut findings = sample("diagnose");
    let cause = first_cause(&mut findings);
    cause.place = Some(Place {
        file: "$(touch x).js".to_owned(),
        ..cause.place.clone().expect("a line")
    });
    let text = brief(&findings);
    let first = text.split("\n2. ").next().expect("the first cause");
    assert!(
        first.contains("prove it: `plimsoll compare PLAN --rev HEAD`"),
        "{first}"
    );
}
