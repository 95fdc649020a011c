//! Findings as JSON, and the schema of that JSON.

use crate::terminal::Listed;
use plimsoll_analysis::{Comparison, Findings, Scaling, StudyFindings};
use serde::Serialize;
use serde_json::Value;

/// Pretty JSON in the order of the fields of [`Findings`], ending in a newline.
#[must_use]
pub fn json(findings: &Findings) -> String {
    pretty(findings)
}

/// The same for findings of any kind.
pub(crate) fn pretty<T: Serialize>(findings: &T) -> String {
    let mut text = written_by(findings, serde_json::to_string_pretty);
    text.push('\n');
    text
}

/// One line of JSON, for embedding.
pub(crate) fn compact<T: Serialize>(findings: &T) -> String {
    written_by(findings, serde_json::to_string)
}

/// The JSON Schema (draft 2020-12) of what [`json`] writes.
#[must_use]
pub fn findings_schema() -> Value {
    schemars::schema_for!(Findings).to_value()
}

/// The JSON Schema (draft 2020-12) of the findings of a comparison.
#[must_use]
pub fn comparison_schema() -> Value {
    schemars::schema_for!(Comparison).to_value()
}

/// The JSON Schema (draft 2020-12) of the findings of a sweep.
#[must_use]
pub fn scaling_schema() -> Value {
    schemars::schema_for!(Scaling).to_value()
}

/// The JSON Schema (draft 2020-12) of the findings of a study.
#[must_use]
pub fn study_schema() -> Value {
    schemars::schema_for!(StudyFindings).to_value()
}

/// The studies there are as JSON, ending in a newline.
#[must_use]
pub fn studies_json(listed: &[Listed]) -> String {
    let studies: Vec<Value> = listed
        .iter()
        .map(|study| {
            serde_json::json!({
                "name": study.name,
                "title": study.title,
                "question": study.question,
                "takes_s": study.takes_s,
            })
        })
        .collect();
    pretty(&studies)
}

fn written_by<T: Serialize>(findings: &T, write: fn(&T) -> serde_json::Result<String>) -> String {
    let text = write(findings).expect("findings consist of structs, strings and numbers");
    // A terminal obeys C1 control characters too, which JSON does not escape.
    plimsoll_plain::json(&text).into_owned()
}
