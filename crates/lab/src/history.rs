//! The history of checks: what earlier ones measured on this machine, and what this one adds. A history that cannot be used weakens a
//! check, and does not stop it.

use plimsoll_files::{Directory, given};
use plimsoll_findings::{CompareVerdict, Comparison, Metric};
use plimsoll_measure::history::{History, HistoryEntry, HistoryFigures, MOST_HISTORY_BYTES};
use plimsoll_measure::run_directory::{Before, ComparisonInfo};
use plimsoll_measure::{Note, NoteKind};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Where checks keep what they measured.
#[derive(Debug, Clone)]
pub struct HistoryFile {
    /// The file.
    pub path: PathBuf,
    /// What this machine is called, where its own identity does not tell it from others.
    pub machine: Option<String>,
}

impl HistoryFile {
    /// What it has of earlier days.
    pub(crate) fn before(&self, info: &ComparisonInfo) -> Result<Before, Note> {
        let Some(entry) = self.entry(info, HistoryFigures::default()) else {
            return Ok(Before::default());
        };
        let history = read(&self.path).map_err(|error| self.unused(&error))?;
        Ok(Before {
            knows_machine: true,
            days: history.days_before(&entry),
        })
    }

    /// Adds what was measured of the working tree. A change that was refused is no build that a later one is compared with.
    pub(crate) fn add(&self, info: &ComparisonInfo, comparison: &Comparison) -> Result<(), Note> {
        let is_kept = matches!(
            comparison.verdict,
            CompareVerdict::Passed | CompareVerdict::Inconclusive
        );
        let figures = figures(comparison);
        let entry = self.entry(info, figures);
        let Some(entry) = entry.filter(|_| is_kept && figures != HistoryFigures::default()) else {
            return Ok(());
        };
        // Read again: another check may have added to it meanwhile.
        let written = read(&self.path).and_then(|history| {
            if let Some(parent) = self.path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                Directory::create_all(parent)?;
            }
            given::write(&self.path, history.with(&entry).as_bytes())
        });
        written.map_err(|error| self.unused(&error))
    }

    /// `None` where nothing identifies the machine.
    fn entry(&self, info: &ComparisonInfo, figures: HistoryFigures) -> Option<HistoryEntry> {
        let machine = plimsoll_target::host::identity(self.machine.as_deref())?;
        Some(HistoryEntry::new(
            &info.started_at,
            &machine,
            &info.name,
            &info.load,
            figures,
        ))
    }

    fn unused(&self, error: &io::Error) -> Note {
        Note {
            at_ns: 0,
            kind: NoteKind::Warning,
            message: format!("the history {} is not used: {error}", self.path.display()),
            hint: Some("name a file of text that can be read and written, or leave out --history".to_owned()),
        }
    }
}

fn figures(comparison: &Comparison) -> HistoryFigures {
    let value = |metric| {
        let figure = comparison.figures.iter().find(|figure| figure.figure == metric)?;
        Some(figure.value)
    };
    HistoryFigures {
        cpu_us_per_request: value(Metric::CpuPerRequest),
        p50_ms: value(Metric::ResponseTimeP50),
        p99_ms: value(Metric::ResponseTimeP99),
        throughput_per_s: value(Metric::Throughput),
    }
}

fn read(path: &Path) -> io::Result<History> {
    match given::text(path, MOST_HISTORY_BYTES) {
        Ok(text) => Ok(History::of(&text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(History::default()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_findings::{FigureFinding, FigureVerdict};
    use plimsoll_measure::run_directory::Ended;

    fn info(day: u32) -> ComparisonInfo {
        ComparisonInfo {
            format: ComparisonInfo::format(),
            name: "info page".to_owned(),
            started_at: format!("2026-10-{day:02}T13:05:59Z"),
            version: String::new(),
            variants: Vec::new(),
            load: "400/s".to_owned(),
            closed: false,
            blocks: 2,
            unused_blocks: 0,
            fail_if_worse: None,
            sweep: None,
            gate: None,
            prediction: None,
            rounds: Vec::new(),
            ended: Some(Ended::Complete),
        }
    }

    fn comparison(verdict: CompareVerdict, cpu_us: f64) -> Comparison {
        let cpu = FigureFinding {
            figure: Metric::CpuPerRequest,
            unit: Metric::CpuPerRequest.unit(),
            variant: "working tree".to_owned(),
            judged: true,
            lower_is_better: true,
            baseline: cpu_us,
            value: cpu_us,
            change: 0.0,
            change_low: 0.0,
            change_high: 0.0,
            detectable: 0.05,
            verdict: FigureVerdict::Held,
            failed: false,
            block_changes: Vec::new(),
        };
        Comparison {
            verdict,
            figures: vec![cpu],
            ..plimsoll_series::compare(&info(1), &[])
        }
    }

    fn file(path: PathBuf, machine: &str) -> HistoryFile {
        HistoryFile {
            path,
            machine: Some(machine.to_owned()),
        }
    }

    #[test]
    fn check_that_passed_is_found_on_later_days_of_its_machine() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("kept/history.jsonl");
        let one = file(path.clone(), "one");
        assert!(one.before(&info(1)).expect("no file is an empty one").days.is_empty());
        for (day, verdict, cpu_us) in [
            (1, CompareVerdict::Passed, 100.0),
            (2, CompareVerdict::Worse, 900.0),
            (3, CompareVerdict::Inconclusive, 110.0),
        ] {
            one.add(&info(day), &comparison(verdict, cpu_us)).expect("written");
        }
        let before = one.before(&info(4)).expect("read");
        let dates: Vec<&str> = before.days.iter().map(|day| day.date.as_str()).collect();
        assert_eq!(dates, ["2026-10-01", "2026-10-03"], "what was refused is not kept");
        assert!(before.knows_machine);
        let other = file(path, "other").before(&info(4)).expect("read");
        assert!(other.days.is_empty());
    }

    #[test]
    fn history_that_is_no_text_is_said_and_left_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("history.jsonl");
        std::fs::write(&path, [0xff, 0xfe]).expect("written");
        let history = file(path.clone(), "one");
        let note = history.before(&info(1)).expect_err("no text");
        assert!(
            note.message.contains("history.jsonl is not used: it is not UTF-8"),
            "{}",
            note.message
        );
        history
            .add(&info(1), &comparison(CompareVerdict::Passed, 100.0))
            .expect_err("no text");
        assert_eq!(std::fs::read(&path).expect("there"), [0xff, 0xfe]);
    }
}
