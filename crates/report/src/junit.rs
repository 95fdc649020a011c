//! Findings as JUnit XML, so that a CI server lists each objective as a test case.

mod comparison;
mod scaling;
mod study;

pub(crate) use comparison::comparison;
pub(crate) use scaling::scaling;
pub(crate) use study::study;

use crate::words;
use plimsoll_findings::{Findings, Notice, ObjectiveFinding, ResponsesFinding, TrendFinding, TrendOutcome, Verdict};

const NO_VERDICT: &str = "the generator was the bottleneck: no verdict";

/// What a test case came to.
enum Outcome {
    Passed,
    Failed(String),
    Error(String),
    Skipped(String),
}

/// One suite with a test case for the run as a whole and one for each objective and each trend.
#[must_use]
pub fn junit(findings: &Findings) -> String {
    let mut cases = vec![("verdict".to_owned(), run_outcome(findings))];
    cases.extend(
        findings
            .objectives
            .iter()
            .map(|o| (words::objective(&o.objective), objective_outcome(findings, o))),
    );
    if let Some(soak) = &findings.soak {
        let growth = |found: &TrendFinding| format!("growth of {}", words::trend_quantity(found.quantity));
        let trends = soak.trends.iter();
        cases.extend(trends.map(|found| (growth(found), trend_outcome(findings, found))));
    }
    suite(
        &cases,
        findings.command.as_str(),
        &findings.name,
        &findings.started_at,
        findings.duration_s,
        &run_output(findings),
    )
}

/// What no test case says: statuses, failures and notices, a line each.
fn run_output(findings: &Findings) -> String {
    let mut lines = vec![
        format!("requests: {}", words::volume(findings)),
        format!("statuses: {}", words::statuses(findings)),
    ];
    lines.extend(words::of_connections(findings).map(|(name, text)| format!("{name}: {text}")));
    if let Some(sizing) = &findings.sizing {
        lines.push(format!("sizing: {}", words::sizing(sizing)));
        let assumes = |predicted| format!("sizing {}", words::sizing_assumes(predicted));
        lines.extend(sizing.predicted.iter().map(assumes));
    }
    let shock = findings.shock.iter().flat_map(words::shock_facts);
    lines.extend(shock.map(|(name, text)| format!("shock, {name}: {text}")));
    lines.extend(findings.journeys.iter().flat_map(words::journey_lines));
    lines.extend(words::under_way(&findings.journeys));
    lines.extend(
        findings
            .requests
            .iter()
            .map(|request| words::request(findings, request)),
    );
    lines.extend(findings.errors.iter().map(words::failure));
    let layers = findings.diagnosis.iter().flat_map(|diagnosis| &diagnosis.layers);
    lines.extend(layers.flat_map(words::layer_lines));
    let what_ifs = findings.diagnosis.iter().flat_map(|diagnosis| &diagnosis.what_if);
    lines.extend(what_ifs.map(|what_if| format!("measured {}", words::what_if(what_if))));
    lines.extend(findings.notices.iter().map(notice));
    lines.join("\n")
}

/// The same of several runs, each with what it is of.
fn output<'a>(responses: impl IntoIterator<Item = (String, &'a ResponsesFinding)>, notices: &[Notice]) -> String {
    let mut lines = Vec::new();
    for (of, responses) in responses {
        lines.push(format!("statuses, {of}: {}", words::statuses_together(responses)));
        lines.extend(responses.errors.iter().map(words::failure));
    }
    lines.extend(notices.iter().map(notice));
    lines.join("\n")
}

/// Responses with what they are of.
fn named(responses: &[ResponsesFinding]) -> impl Iterator<Item = (String, &ResponsesFinding)> {
    responses
        .iter()
        .map(|responses| (words::responses_of(&responses.of).to_owned(), responses))
}

fn notice(notice: &Notice) -> String {
    format!("notice: {}", words::notice(notice))
}

fn suite(
    cases: &[(String, Outcome)],
    command: &str,
    name: &str,
    started_at: &str,
    duration_s: f64,
    output: &str,
) -> String {
    let count = |wanted: fn(&Outcome) -> bool| cases.iter().filter(|(_, outcome)| wanted(outcome)).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\"",
        cases.len(),
        count(|o| matches!(o, Outcome::Failed(_))),
        count(|o| matches!(o, Outcome::Error(_))),
        count(|o| matches!(o, Outcome::Skipped(_))),
        duration_s
    );
    let class = inert(&format!("plimsoll.{command}"));
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"plimsoll\" {counts}>\n  \
         <testsuite name=\"{}\" {counts} timestamp=\"{}\">\n",
        inert(name),
        inert(started_at)
    );
    for (name, outcome) in cases {
        let case = format!("    <testcase classname=\"{class}\" name=\"{}\"", inert(name));
        let (element, message) = match outcome {
            Outcome::Passed => {
                out.push_str(&format!("{case}/>\n"));
                continue;
            }
            Outcome::Failed(message) => ("failure", message),
            Outcome::Error(message) => ("error", message),
            Outcome::Skipped(message) => ("skipped", message),
        };
        out.push_str(&format!(
            "{case}>\n      <{element} message=\"{}\"/>\n    </testcase>\n",
            inert(message)
        ));
    }
    if !output.is_empty() {
        out.push_str(&format!("    <system-out>{}</system-out>\n", inert(output)));
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn run_outcome(findings: &Findings) -> Outcome {
    let message = || {
        let next = words::next_step(&findings.next_step);
        format!("{}\nNext: {next}", words::headline(&findings.headline))
    };
    match findings.verdict {
        Verdict::Passed => Outcome::Passed,
        Verdict::Breached => Outcome::Failed(message()),
        Verdict::Invalid | Verdict::Interrupted | Verdict::Unjudged | Verdict::Failed => Outcome::Error(message()),
    }
}

fn objective_outcome(findings: &Findings, objective: &ObjectiveFinding) -> Outcome {
    let [observed, worst, windows] = words::objective_figures(objective);
    if findings.verdict == Verdict::Invalid {
        Outcome::Skipped(NO_VERDICT.to_owned())
    } else {
        match objective.passed {
            Some(true) => Outcome::Passed,
            Some(false) => Outcome::Failed(format!(
                "observed {observed}, worst window {worst}, windows passed {windows}"
            )),
            // Build servers show skipped cases as green.
            None => Outcome::Error(words::unjudged(objective)),
        }
    }
}

fn trend_outcome(findings: &Findings, found: &TrendFinding) -> Outcome {
    let text = words::trend(found);
    match found.outcome {
        _ if findings.verdict == Verdict::Invalid => Outcome::Skipped(NO_VERDICT.to_owned()),
        TrendOutcome::Steady => Outcome::Passed,
        TrendOutcome::Grows => Outcome::Failed(text),
        TrendOutcome::Undecided => Outcome::Error(text),
        TrendOutcome::NotSeen | TrendOutcome::Unsettled => Outcome::Skipped(text),
    }
}

/// Text for an attribute. XML 1.0 has no way to write most control characters, so they are replaced.
fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            c if words::is_deceptive(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::inert;

    #[test]
    fn foreign_text_stays_inside_its_attribute() {
        assert_eq!(
            inert("a\"/><b x='&'>\n\u{1b}[0m"),
            "a&quot;/&gt;&lt;b x='&amp;'&gt;&#10;\u{fffd}[0m"
        );
    }
}
