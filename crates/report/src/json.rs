//! Findings as JSON, and the schema of that JSON.

use plimsoll_analysis::Findings;
use serde_json::Value;

/// Pretty JSON in the order of the fields of [`Findings`], ending in a newline.
#[must_use]
pub fn json(findings: &Findings) -> String {
    let mut text = written_by(findings, serde_json::to_string_pretty);
    text.push('\n');
    text
}

/// One line of JSON, for embedding.
pub(crate) fn compact(findings: &Findings) -> String {
    written_by(findings, serde_json::to_string)
}

/// The JSON Schema (draft 2020-12) of what [`json`] writes.
#[must_use]
pub fn findings_schema() -> Value {
    schemars::schema_for!(Findings).to_value()
}

fn written_by(findings: &Findings, write: fn(&Findings) -> serde_json::Result<String>) -> String {
    write(findings).expect("findings consist of structs, strings and numbers")
}
