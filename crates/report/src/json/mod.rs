//! Findings as JSON, and the schema of that JSON.

mod event;
mod schema;
mod texts;

pub use event::{event_json, event_schema};

use crate::terminal::Listed;
use plimsoll_findings::{Comparison, Findings, NoiseFindings, Scaling, StudyFindings};
use serde::Serialize;
use serde_json::Value;
pub(crate) use texts::Texts;

/// Pretty JSON in the order of the fields of [`Findings`], ending in a newline.
#[must_use]
pub fn json(findings: &Findings) -> String {
    pretty(findings)
}

/// The same for findings of any kind.
pub(crate) fn pretty(findings: &(impl Serialize + Texts)) -> String {
    lines(&with_texts(findings))
}

/// One line of JSON, for embedding.
pub(crate) fn compact(findings: &(impl Serialize + Texts)) -> String {
    safe(&with_texts(findings).to_string())
}

/// One line of JSON of something that has its texts already.
pub(crate) fn line(what: &impl Serialize) -> String {
    safe(&serde_json::to_string(what).expect("it consists of structs, strings and numbers"))
}

fn with_texts(findings: &(impl Serialize + Texts)) -> Value {
    let mut json = serde_json::to_value(findings).expect("findings consist of structs, strings and numbers");
    findings.add_texts(&mut json);
    json
}

pub(crate) fn lines(json: &Value) -> String {
    safe(&format!("{json:#}")) + "\n"
}

/// The JSON Schema (draft 2020-12) of what [`json`] writes.
#[must_use]
pub fn findings_schema() -> Value {
    schema::of::<Findings>()
}

/// The JSON Schema (draft 2020-12) of the findings of a comparison.
#[must_use]
pub fn comparison_schema() -> Value {
    schema::of::<Comparison>()
}

/// The JSON Schema (draft 2020-12) of the findings of a sweep.
#[must_use]
pub fn scaling_schema() -> Value {
    schema::of::<Scaling>()
}

/// The JSON Schema (draft 2020-12) of the findings of a study.
#[must_use]
pub fn study_schema() -> Value {
    schema::of::<StudyFindings>()
}

/// The JSON Schema (draft 2020-12) of what [`noise_json`] writes.
#[must_use]
pub fn noise_schema() -> Value {
    schema::of::<NoiseFindings>()
}

/// How noisy a machine is as JSON, ending in a newline.
#[must_use]
pub fn noise_json(noise: &NoiseFindings) -> String {
    pretty(noise)
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
    lines(&Value::Array(studies))
}

/// A terminal obeys C1 control characters too, which JSON does not escape.
fn safe(json: &str) -> String {
    plimsoll_plain::json(json).into_owned()
}
