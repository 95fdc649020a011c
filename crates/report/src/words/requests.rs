//! The requests of a scenario, each on its own.

use super::responses::statuses_of;
use crate::figures;
use plimsoll_findings::{Findings, RequestFinding};

/// What the rows of a table of them are called, and the heads of [`request_figures`], as far as there are such figures.
pub(crate) fn request_heads(findings: &Findings) -> (&'static str, &'static [&'static str]) {
    const REQUESTS: [&str; 6] = ["req/s", "p50", "p99", "longest", "errors", "statuses"];
    const MESSAGES: [&str; 6] = ["msg/s", "p50", "p99", "longest", "errors", "statuses"];
    let (name, heads) = match findings.asks_by_messages() {
        false => ("request", &REQUESTS),
        true => ("message", &MESSAGES),
    };
    match findings.has_statuses() {
        true => (name, heads),
        false => (name, &heads[..heads.len() - 1]),
    }
}

/// Which of the figures are of the whole run.
pub(crate) fn over_the_run(findings: &Findings) -> &'static str {
    match findings.has_statuses() {
        true => "errors and statuses",
        false => "errors",
    }
}

/// Its name, and how many share its place.
pub(crate) fn request_name(request: &RequestFinding) -> String {
    match request.others {
        0 => request.name.clone(),
        1 => format!("{} and 1 other", request.name),
        others => format!("{} and {others} others", request.name),
    }
}

/// What became of it, by [`request_heads`], which may end before the statuses.
pub(crate) fn request_figures(request: &RequestFinding) -> [String; 6] {
    let ms = |value| figures::known(value, figures::duration_ms);
    let errors = match request.error_share {
        Some(share) if request.errors > 0 => {
            let classes = request.failures.iter().map(|failure| failure.class.as_str());
            format!("{} ({})", figures::share(share), classes.collect::<Vec<_>>().join(", "))
        }
        share => figures::known(share, figures::share),
    };
    [
        figures::known(request.rate_per_s, figures::number),
        ms(request.response_time.p50_ms),
        ms(request.response_time.p99_ms),
        ms(request.response_time.max_ms),
        errors,
        statuses_of(&request.status, request.status_other),
    ]
}

/// The same in one line.
pub(crate) fn request(findings: &Findings, request: &RequestFinding) -> String {
    let figures = request_heads(findings).1.iter().zip(request_figures(request));
    let facts = figures.map(|(head, figure)| format!("{head} {figure}"));
    format!(
        "{} {}: {}",
        request_heads(findings).0,
        request_name(request),
        facts.collect::<Vec<_>>().join(", ")
    )
}
