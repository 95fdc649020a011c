//! What happens to connections over a whole run.

use crate::figures;
use plimsoll_findings::{Findings, Percentiles};

/// Everything that is known of it.
pub(crate) fn of_connections(findings: &Findings) -> impl Iterator<Item = (&'static str, String)> {
    let all = [
        ("TLS handshakes", handshakes(findings)),
        ("WebSockets opened", openings(findings)),
        ("Pings of the service", pings(findings)),
    ];
    all.into_iter().filter_map(|(name, text)| Some((name, text?)))
}

/// TLS handshakes over the whole run: how many of which kind, and how long they took.
pub(crate) fn handshakes(findings: &Findings) -> Option<String> {
    let handshakes = findings.handshakes.as_ref()?;
    let (full, resumed) = (figures::count(handshakes.full), figures::count(handshakes.resumed));
    Some(format!("{full} full, {resumed} resumed; {}", spread(&handshakes.time)))
}

/// Opening handshakes of WebSockets over the whole run: how many, and how long they took.
pub(crate) fn openings(findings: &Findings) -> Option<String> {
    let time = findings.openings.as_ref()?;
    Some(format!("{}; {}", figures::count(time.count), spread(time)))
}

/// Pings of the service over the whole run: how many, and how late they were.
pub(crate) fn pings(findings: &Findings) -> Option<String> {
    let lateness = findings.pings.as_ref()?;
    Some(format!(
        "{}; late by {}",
        figures::count(lateness.count),
        spread(lateness)
    ))
}

fn spread(time: &Percentiles) -> String {
    let [p50, p99, longest] =
        [time.p50_ms, time.p99_ms, time.max_ms].map(|ms| figures::known(ms, figures::duration_ms));
    format!("p50 {p50}, p99 {p99}, longest {longest}")
}
