//! The history file: what earlier checks measured, a line of JSON each.
//!
//! Of each line it is known on which machine and of which service it is; what another machine measured is never compared.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const FORMAT: &str = "plimsoll.history/1";
/// Older entries than these many go, so that the file stays small: about 300 bytes each.
const MOST_ENTRIES: usize = 2000;
/// Far above what these take.
pub const MOST_HISTORY_BYTES: u64 = 4 << 20;
/// Older days say little of the machine as it is now.
const MOST_DAYS: usize = 60;

/// What one check measured of the working tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    format: String,
    /// When the check began, RFC 3339, UTC.
    at: String,
    /// The machine, as a hash that says nothing else of it.
    machine: String,
    /// Name of the plan.
    service: String,
    /// What every round offered.
    load: String,
    #[serde(flatten)]
    figures: HistoryFigures,
}

/// Figures of the service, those that were measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct HistoryFigures {
    /// CPU of the service per completed request, microseconds.
    pub cpu_us_per_request: Option<f64>,
    /// Median response time, ms.
    pub p50_ms: Option<f64>,
    /// 99th percentile of the response time, ms.
    pub p99_ms: Option<f64>,
    /// Responses per second.
    pub throughput_per_s: Option<f64>,
}

/// A day on which there were checks. It counts once, because all of them share the state of the machine on that day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryDay {
    /// Such as `2026-10-04`, UTC.
    pub date: String,
    /// The geometric means over its checks.
    #[serde(flatten)]
    pub figures: HistoryFigures,
}

impl HistoryEntry {
    /// Of a check on `machine` that began at `at` and offered `load` to `service`.
    #[must_use]
    pub fn new(at: &str, machine: &str, service: &str, load: &str, figures: HistoryFigures) -> Self {
        Self {
            format: FORMAT.to_owned(),
            at: at.to_owned(),
            machine: machine.to_owned(),
            service: service.to_owned(),
            load: load.to_owned(),
            figures,
        }
    }

    fn date(&self) -> &str {
        self.at.get(..10).unwrap_or_default()
    }

    /// Whether this one is of an earlier day, of the same service under the same load on the same machine.
    fn is_before(&self, other: &Self) -> bool {
        (&self.format, &self.machine, &self.service, &self.load)
            == (&other.format, &other.machine, &other.service, &other.load)
            && self.date() < other.date()
    }
}

/// A history as it is in its file. Lines that a later version wrote stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    lines: Vec<String>,
}

impl History {
    /// Of the text of a file.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        Self {
            lines: lines.map(str::to_owned).collect(),
        }
    }

    /// The newest days before that of `entry` on which the same was measured on the same machine, oldest first.
    #[must_use]
    pub fn days_before(&self, entry: &HistoryEntry) -> Vec<HistoryDay> {
        let entries = self.lines.iter().filter_map(|line| serde_json::from_str(line).ok());
        let mut days: BTreeMap<String, Vec<HistoryFigures>> = BTreeMap::new();
        for earlier in entries.filter(|earlier: &HistoryEntry| earlier.is_before(entry)) {
            days.entry(earlier.date().to_owned()).or_default().push(earlier.figures);
        }
        let from = days.len().saturating_sub(MOST_DAYS);
        days.into_iter()
            .skip(from)
            .map(|(date, checks)| HistoryDay {
                date,
                figures: HistoryFigures::mean(&checks),
            })
            .collect()
    }

    /// The text of the file with one more entry.
    #[must_use]
    pub fn with(mut self, entry: &HistoryEntry) -> String {
        self.lines
            .push(serde_json::to_string(entry).expect("it consists of strings and numbers"));
        let from = self.lines.len().saturating_sub(MOST_ENTRIES);
        self.lines[from..].iter().map(|line| format!("{line}\n")).collect()
    }
}

impl HistoryFigures {
    fn mean(checks: &[Self]) -> Self {
        let of = |figure: fn(&Self) -> Option<f64>| {
            let logarithms: Vec<f64> = checks
                .iter()
                .filter_map(figure)
                .filter(|value| *value > 0.0 && value.is_finite())
                .map(f64::ln)
                .collect();
            (!logarithms.is_empty()).then(|| (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp())
        };
        Self {
            cpu_us_per_request: of(|check| check.cpu_us_per_request),
            p50_ms: of(|check| check.p50_ms),
            p99_ms: of(|check| check.p99_ms),
            throughput_per_s: of(|check| check.throughput_per_s),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(date: &str, machine: &str, cpu: f64) -> HistoryEntry {
        let figures = HistoryFigures {
            cpu_us_per_request: Some(cpu),
            ..HistoryFigures::default()
        };
        HistoryEntry::new(&format!("{date}T13:05:59Z"), machine, "info page", "400/s", figures)
    }

    fn file(entries: &[HistoryEntry]) -> String {
        entries
            .iter()
            .fold(String::new(), |text, entry| History::of(&text).with(entry))
    }

    #[test]
    fn entries_of_other_machines_are_kept_and_not_compared() {
        let later = r#"{"format":"plimsoll.history/2","machine":"one","new":true}"#;
        let text = History::of(&format!("{later}\nnot JSON\n\n")).with(&on("2026-10-04", "one", 1.0));
        let text = History::of(&text).with(&on("2026-10-04", "other", 2.0));
        assert_eq!(text.lines().count(), 4, "{text}");
        assert_eq!(text.lines().next(), Some(later));
        let days = History::of(&text).days_before(&on("2026-10-05", "one", 3.0));
        assert_eq!(days.len(), 1);
        assert_eq!(days[0].figures.cpu_us_per_request, Some(1.0));
    }

    #[test]
    fn day_is_the_geometric_mean_of_its_checks() {
        let text = file(&[
            on("2026-10-04", "one", 100.0),
            on("2026-10-04", "one", 400.0),
            on("2026-10-05", "one", 50.0),
            on("2026-10-06", "one", 900.0),
        ]);
        let days = History::of(&text).days_before(&on("2026-10-06", "one", 1.0));
        let dates: Vec<&str> = days.iter().map(|day| day.date.as_str()).collect();
        assert_eq!(dates, ["2026-10-04", "2026-10-05"], "today is no earlier day");
        let cpu = days[0].figures.cpu_us_per_request.expect("measured");
        assert!((cpu - 200.0).abs() < 1e-9, "{cpu}");
        assert_eq!(days[0].figures.p99_ms, None);
    }

    #[test]
    fn oldest_entries_go() {
        let text = file(&[on("2026-10-04", "one", 1.0)]).repeat(MOST_ENTRIES);
        let text = History::of(&text).with(&on("2026-10-05", "one", 9.0));
        assert_eq!(text.lines().count(), MOST_ENTRIES);
        let days = History::of(&text).days_before(&on("2026-10-06", "one", 0.0));
        assert_eq!(days.last().map(|day| day.date.as_str()), Some("2026-10-05"));
    }

    #[test]
    fn line_has_the_keys_of_the_reference() {
        let text = file(&[on("2026-10-04", "one", 100.0)]);
        assert_eq!(
            text,
            "{\"format\":\"plimsoll.history/1\",\"at\":\"2026-10-04T13:05:59Z\",\"machine\":\"one\",\"service\":\"info page\",\
             \"load\":\"400/s\",\"cpu_us_per_request\":100.0,\"p50_ms\":null,\"p99_ms\":null,\"throughput_per_s\":null}\n"
        );
    }
}
