//! What a build server shows beside a change: workflow commands of GitHub, and the report on code quality of GitLab.

use crate::words::{self, Tone};
use plimsoll_findings::{
    Cause, CompareVerdict, Comparison, Findings, Notice, Place, ScaleVerdict, Scaling, StudyFindings, StudyVerdict,
    Verdict,
};
use serde_json::json;
use std::collections::BTreeMap;

/// A verdict, a warning or a cause as build servers know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    severity: Severity,
    title: String,
    text: String,
    place: Option<Place>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Severity {
    Error,
    Warning,
    Notice,
}

impl Annotation {
    /// With the file as the repository knows it, by `path_of`; a file that it does not know has no line there.
    #[must_use]
    pub fn in_repository(self, path_of: impl Fn(&str) -> Option<String>) -> Self {
        let place = self.place.and_then(|place| {
            let file = path_of(&place.file)?;
            Some(Place { file, ..place })
        });
        Self { place, ..self }
    }
}

/// The verdict, then each cause at its line, then warnings.
pub(crate) fn run(findings: &Findings) -> Vec<Annotation> {
    let command = findings.command.as_str();
    let worded = words::verdict(findings.verdict);
    let next = words::next_step(&findings.next_step);
    let fails = findings.verdict != Verdict::Passed;
    let headline = words::headline(&findings.headline);
    let mut annotations = vec![verdict(command, fails, worded, &headline, &next)];
    let causes = findings.diagnosis.iter().flat_map(|diagnosis| &diagnosis.causes);
    annotations.extend(causes.map(|of| cause(command, of)));
    annotations.extend(warnings(command, &findings.notices));
    annotations
}

pub(crate) fn comparison(comparison: &Comparison) -> Vec<Annotation> {
    let command = words::command(comparison);
    let fails = match comparison.verdict {
        CompareVerdict::Invalid | CompareVerdict::Interrupted | CompareVerdict::Failed => true,
        CompareVerdict::Inconclusive => comparison.gate.as_ref().is_some_and(|gate| gate.fail_if_inconclusive),
        // A difference fails nothing unless that was asked for.
        _ => comparison.failed,
    };
    let worded = words::compare_verdict(comparison.verdict);
    let headline = words::compare_headline(&comparison.headline);
    let next = words::compare_next_step(comparison.next_step);
    let mut annotations = vec![verdict(command, fails, worded, &headline, &next)];
    annotations.extend(warnings(command, &comparison.notices));
    annotations
}

pub(crate) fn scaling(scaling: &Scaling) -> Vec<Annotation> {
    let fails = scaling.verdict != ScaleVerdict::Fitted;
    let worded = words::scale_verdict(scaling.verdict);
    let headline = words::scale_headline(&scaling.headline);
    let next = words::scale_next_step(scaling.next_step);
    let mut annotations = vec![verdict("scale", fails, worded, &headline, &next)];
    annotations.extend(warnings("scale", &scaling.notices));
    annotations
}

pub(crate) fn study(study: &StudyFindings) -> Vec<Annotation> {
    let fails = matches!(
        study.verdict,
        StudyVerdict::Invalid | StudyVerdict::Interrupted | StudyVerdict::Failed
    );
    let worded = words::study_verdict(study.verdict);
    let headline = words::study_headline(&study.headline);
    let next = words::study_next_step(study.verdict);
    let mut annotations = vec![verdict("study", fails, worded, &headline, next)];
    annotations.extend(warnings("study", &study.notices));
    annotations
}

/// An error where the command fails by it: with an exit code other than 0.
fn verdict(command: &str, fails: bool, (tone, word): (Tone, &str), headline: &str, next: &str) -> Annotation {
    Annotation {
        severity: match tone {
            _ if fails => Severity::Error,
            Tone::Bad | Tone::Doubtful => Severity::Warning,
            Tone::Good | Tone::Unknown => Severity::Notice,
        },
        title: format!("plimsoll {command}: {word}"),
        text: format!("{headline}. {next}"),
        place: None,
    }
}

fn cause(command: &str, cause: &Cause) -> Annotation {
    let mut facts = vec![words::cause(cause), words::cause_costs(cause)];
    let predicted = cause.line_predicted.as_ref().or(cause.predicted.as_ref());
    facts.extend(predicted.map(|predicted| format!("predicted: {}", words::predicted(predicted))));
    facts.push(format!("fix: {}", words::remedy(cause)));
    Annotation {
        severity: Severity::Warning,
        title: format!("plimsoll {command}: {}", cause.kind.as_str()),
        text: facts.join("\n"),
        place: cause.place.clone(),
    }
}

fn warnings<'a>(command: &'a str, notices: &'a [Notice]) -> impl Iterator<Item = Annotation> + 'a {
    let warnings = notices.iter().filter(|notice| notice.is_warning());
    warnings.map(move |notice| Annotation {
        severity: Severity::Warning,
        title: format!("plimsoll {command}"),
        text: words::notice(notice),
        place: None,
    })
}

/// Workflow commands, a line each: <https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions>.
#[must_use]
pub fn github(annotations: &[Annotation]) -> String {
    let line = |annotation: &Annotation| {
        let command = match annotation.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Notice => "notice",
        };
        let place = annotation.place.as_ref().map(|place| {
            let column = place.column.map_or(String::new(), |column| format!(",col={column}"));
            format!("file={},line={}{column},", in_property(&place.file), place.line)
        });
        format!(
            "::{command} {}title={}::{}\n",
            place.unwrap_or_default(),
            in_property(&annotation.title),
            in_command(&annotation.text)
        )
    };
    annotations.iter().map(line).collect()
}

/// A line break would end the command, and begin another one.
fn in_command(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    plimsoll_plain::line(&text).into_owned()
}

/// Properties end at a comma, and all of them at a colon.
fn in_property(text: &str) -> String {
    in_command(text).replace(':', "%3A").replace(',', "%2C")
}

/// A report on code quality, <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>. What is not as it should
/// be is an issue: at its line, or at the first line of `elsewhere`. A run in which all is well has none.
#[must_use]
pub fn code_quality(annotations: &[Annotation], elsewhere: &str) -> String {
    let mut taken: BTreeMap<String, u32> = BTreeMap::new();
    let issues = annotations.iter().filter_map(|annotation| {
        let severity = match annotation.severity {
            Severity::Error => "critical",
            Severity::Warning => "minor",
            Severity::Notice => return None,
        };
        let (path, line) = match &annotation.place {
            Some(place) => (place.file.as_str(), place.line),
            None => (elsewhere, 1),
        };
        // The same finding of two builds is one: by what it is and in which function, without its line and figures.
        let function = annotation.place.as_ref().map_or("", |place| &place.function);
        let mut fingerprint = format!("{}: {path}: {function}", annotation.title);
        let again = taken.entry(fingerprint.clone()).or_default();
        *again += 1;
        if *again > 1 {
            fingerprint = format!("{fingerprint}: {again}");
        }
        Some(json!({
            "description": format!("{}: {}", annotation.title, annotation.text.replace('\n', "; ")),
            "check_name": annotation.title,
            "fingerprint": fingerprint,
            "severity": severity,
            "location": { "path": path, "lines": { "begin": line } },
        }))
    });
    crate::json::lines(&issues.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(file: &str, text: &str) -> Annotation {
        Annotation {
            severity: Severity::Warning,
            title: "plimsoll diagnose: hot, 100%".to_owned(),
            text: text.to_owned(),
            place: Some(Place {
                file: file.to_owned(),
                line: 42,
                ..Place::default()
            }),
        }
    }

    #[test]
    fn values_stay_in_their_command() {
        let hostile = at("src/a,line=1::b%0A.js", "5% more\r\n::error::mine\x1b[2J");
        let commands = github(&[hostile]);
        let expected = "::warning file=src/a%2Cline=1%3A%3Ab%250A.js,line=42,title=plimsoll diagnose%3A hot%2C 100%25::5%25 \
                        more%0D%0A::error::mine";
        assert!(commands.starts_with(expected), "{commands}");
        assert!(
            commands.lines().count() == 1 && !commands.contains('\x1b'),
            "{commands:?}"
        );
    }

    #[test]
    fn file_outside_of_the_repository_has_no_line() {
        let annotation = at("/usr/lib/a.js", "hot").in_repository(|_| None);
        assert_eq!(
            github(&[annotation]),
            "::warning title=plimsoll diagnose%3A hot%2C 100%25::hot\n"
        );
    }

    #[test]
    fn issues_of_one_function_are_told_apart() {
        let report = code_quality(&[at("a.js", "one\ntwo"), at("a.js", "three")], "plimsoll.yaml");
        let issues: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        assert_ne!(issues[0]["fingerprint"], issues[1]["fingerprint"]);
        assert_eq!(issues[0]["description"], "plimsoll diagnose: hot, 100%: one; two");
        assert_eq!(
            issues[1]["location"],
            json!({ "path": "a.js", "lines": { "begin": 42 } })
        );
        assert_eq!(code_quality(&[], "plimsoll.yaml"), "[]\n");
    }
}
