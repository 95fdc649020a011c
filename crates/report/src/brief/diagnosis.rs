//! What a diagnosis adds to the brief of a run: causes with their evidence, and the command that proves the fix of each.

use super::inert::word;
use super::{Brief, FEW, code, text};
use crate::terminal::Written;
use crate::words;
use plimsoll_findings::{Cause, Diagnosis, Findings, Place};
use std::path::Path;

pub(super) fn parts(brief: &mut Brief, findings: &Findings, diagnosis: &Diagnosis, written: Written<'_>) {
    brief.fact("why", &words::why(diagnosis));
    if diagnosis.causes.is_empty() {
        brief.fact("causes", &words::no_causes(&findings.headline));
    } else {
        brief.title("Causes; gains are predicted, not measured");
        brief.block(
            "PLAN is the plan of this diagnosis. Prove a fix before it is committed: it is compared with HEAD.\n\n",
        );
    }
    for (number, cause) in (1..).zip(&diagnosis.causes) {
        brief.block(&one(number, cause, written.directory));
    }
    if !diagnosis.what_if.is_empty() {
        brief.title("Left out of the service, measured");
    }
    for what_if in &diagnosis.what_if {
        let what = text(&words::what_if_title(what_if));
        brief.block(&format!("- {what}: {}\n", text(&words::what_if_result(what_if))));
    }
    if let Some(costs) = &diagnosis.layers {
        brief.title(words::LAYERS);
        for layer in words::layer_lines(costs).take(FEW) {
            brief.block(&format!("- {}\n", text(&layer)));
        }
    }
}

fn one(number: usize, cause: &Cause, directory: Option<&Path>) -> String {
    let at = cause.place.as_ref().map(|at| format!("{}: ", line(at)));
    let title = text(&words::cause_title(cause));
    let mut out = format!(
        "{number}. {}{title} ({})\n",
        at.unwrap_or_default(),
        cause.kind.as_str()
    );
    let mut facts = vec![
        ("costs", words::cause_costs(cause)),
        ("evidence", words::evidence(cause)),
    ];
    if let Some(predicted) = cause.line_predicted.as_ref().or(cause.predicted.as_ref()) {
        facts.push((
            "predicted",
            words::of_messages(cause.by_message, words::predicted_with_assumption(predicted)),
        ));
    }
    if let Some(inside) = words::inside(cause) {
        facts.push(("inside", inside));
    }
    if let Some(caller) = &cause.called_from {
        facts.push(("called from", words::place(caller)));
    }
    if let Some(compiler) = cause.compiled {
        facts.push(("compiled", words::compiled(compiler)));
    }
    facts.push(("fix", words::remedy(cause)));
    for (name, fact) in facts {
        out.push_str(&format!("   - {name}: {}\n", text(&fact)));
    }
    if !cause.other_places.is_empty() {
        let places: Vec<String> = cause.other_places.iter().take(FEW).map(line).collect();
        out.push_str(&format!("   - also at: {}\n", places.join(", ")));
    }
    out.push_str(&format!("   - prove it: {}\n", code(&proof(cause, directory))));
    out
}

/// A line as an editor opens it.
fn line(place: &Place) -> String {
    code(&place.to_string())
}

/// What compares the service before and after a fix that is not committed yet, beside the prediction if there is one. What a service or a
/// directory is called is not trusted in a command.
fn proof(cause: &Cause, directory: Option<&Path>) -> String {
    let mut command = "plimsoll compare PLAN --rev HEAD".to_owned();
    let is_predicted = cause.predicted.is_some() || cause.line_predicted.is_some();
    let place = cause.place.as_ref().map(Place::to_string);
    let directory = directory.and_then(Path::to_str).and_then(word);
    if let (true, Some(place), Some(directory)) = (is_predicted, place.as_deref().and_then(word), directory) {
        command.push_str(&format!(" --diagnosis {directory} --fixed {place}"));
    }
    command
}
