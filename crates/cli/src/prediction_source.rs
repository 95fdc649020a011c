//! What a diagnosis predicted, for `plimsoll compare` to set beside the outcome.

use crate::exit::Failure;
use crate::findings_file;
use plimsoll_lab::Prediction;
use serde::Deserialize;
use std::fmt;
use std::path::Path;

/// What is read of `findings.json`, in any of its formats.
#[derive(Deserialize)]
struct Findings {
    #[serde(rename = "format")]
    _format: String,
    #[serde(default)]
    diagnosis: Option<Diagnosis>,
}

#[derive(Deserialize)]
struct Diagnosis {
    causes: Vec<Cause>,
}

#[derive(Deserialize)]
struct Cause {
    what: What,
    place: Option<Place>,
    predicted: Option<Predicted>,
    #[serde(default)]
    line_predicted: Option<Predicted>,
}

/// What a cause is: the words alone until format 2, beside their code since.
#[derive(Deserialize)]
#[serde(untagged)]
enum What {
    Words(String),
    Coded { text: String },
}

#[derive(Deserialize)]
struct Place {
    file: String,
    line: u32,
}

#[derive(Deserialize)]
struct Predicted {
    factor: f64,
    #[serde(default)]
    low: Option<f64>,
    #[serde(default)]
    high: Option<f64>,
    #[serde(default)]
    at_least: bool,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Of the cause at `fixed`, `FILE:LINE`, or else of the first one.
pub(crate) fn prediction(directory: &Path, fixed: Option<&str>) -> Result<Prediction, Failure> {
    let causes = causes(directory)?;
    let cause = match fixed {
        Some(wanted) => causes.iter().find(|cause| is_at(cause, wanted)),
        None => causes.iter().find(|cause| cause.predicted.is_some()),
    };
    let predicted = cause.and_then(|cause| Some((cause, of(cause)?)));
    let Some((cause, predicted)) = predicted else {
        return Err(nothing(directory, &causes, fixed));
    };
    let name = directory.file_name().or_else(|| directory.parent()?.file_name());
    let place = cause.place.as_ref().map(|place| format!(", {place}"));
    Ok(Prediction {
        diagnosis: name.unwrap_or_default().to_string_lossy().into_owned(),
        cause: match &cause.what {
            What::Words(text) | What::Coded { text } => text.clone() + &place.unwrap_or_default(),
        },
        factor: predicted.factor,
        low: predicted.low,
        high: predicted.high,
        at_least: predicted.at_least,
    })
}

/// A fix of a line removes every cause there.
fn of(cause: &Cause) -> Option<&Predicted> {
    cause.line_predicted.as_ref().or(cause.predicted.as_ref())
}

fn is_at(cause: &Cause, wanted: &str) -> bool {
    let ends_with = |place: &Place| Path::new(&place.to_string()).ends_with(wanted);
    of(cause).is_some() && cause.place.as_ref().is_some_and(ends_with)
}

fn causes(directory: &Path) -> Result<Vec<Cause>, Failure> {
    let hint = "--diagnosis takes the run directory of a completed `plimsoll diagnose`";
    let findings: Findings = findings_file::read(directory, hint)?;
    let diagnosis = findings.diagnosis.ok_or_else(|| {
        Failure::bad_plan(format!("{}: a run without a diagnosis", directory.display()))
            .hint("--diagnosis takes the run directory of `plimsoll diagnose`")
    })?;
    Ok(diagnosis.causes)
}

fn nothing(directory: &Path, causes: &[Cause], fixed: Option<&str>) -> Failure {
    let predicted = causes.iter().filter(|cause| of(cause).is_some());
    let mut lines: Vec<String> = predicted
        .filter_map(|cause| cause.place.as_ref())
        .map(Place::to_string)
        .collect();
    lines.dedup();
    let directory = directory.display();
    match fixed {
        Some(wanted) if !lines.is_empty() => Failure::bad_plan(format!("{directory} predicts nothing for `{wanted}`"))
            .hint(format!("it predicts a gain for {}", lines.join(", "))),
        _ => Failure::bad_plan(format!("{directory} predicts nothing"))
            .hint("a gain is predicted only for causes of what runs out first"),
    }
}
