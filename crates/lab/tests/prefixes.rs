//! Whatever is left of a recorded run: it is reported as interrupted, or as what the whole was.
//!
//! The directories in `golden/streams` were recorded from real runs of every command by `golden/streams/record`. Each file that
//! grows while a run goes on is cut at every byte, and what is left is replayed from the disk. Every prefix of the records goes
//! through the fold as well, as it is and with mangled endings. And each line is taken out of its file by itself: then the run is
//! interrupted too, or what the whole was in every total and objective.

#![expect(clippy::disallowed_methods, reason = "tests make and spoil directories of their own")]

use plimsoll_analysis::Fold;
use plimsoll_findings::{Findings, Headline, InterruptedBy, Notice, ObjectiveFinding, Quantity, Verdict};
use plimsoll_lab::{Series, is_series, replay, replay_series};
use plimsoll_measure::run_directory::RunReader;
use plimsoll_measure::{Ended, Host, Note, NoteKind, Record, RunEnd, StepStart};
use plimsoll_plan::Plan;
use plimsoll_study::{is_study, replay_study};
use serde_json::Value;
use std::borrow::Cow;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Files that grow by what is appended to them. All others are written in one go.
const GROWING: [&str; 3] = ["ticks.jsonl", "latency.hlog", "target.jsonl"];

fn recorded(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/streams")
        .join(name)
}

/// The verdict as JSON has it, whatever was recorded.
fn verdict(directory: &Path) -> String {
    word(&findings(directory)).to_owned()
}

fn word(findings: &Value) -> &str {
    findings["verdict"].as_str().expect("a word")
}

/// What was recorded comes to, as JSON.
fn findings(directory: &Path) -> Value {
    let json = if is_study(directory) {
        serde_json::to_value(replay_study(directory).expect("readable").findings)
    } else if is_series(directory) {
        match replay_series(directory).expect("readable") {
            Series::Comparison(comparison) => serde_json::to_value(comparison),
            Series::Scaling(scaling) => serde_json::to_value(scaling),
        }
    } else {
        let findings = replay(directory).expect("readable");
        no_figure_of_nothing(&findings);
        serde_json::to_value(findings)
    };
    json.expect("plain data")
}

/// Nothing that was not measured has a figure, and nothing that was not judged has a verdict.
fn no_figure_of_nothing(findings: &Findings) {
    for times in [&findings.response_time, &findings.service_time, &findings.schedule_lag] {
        let figures = [times.mean_ms, times.p50_ms, times.p99_ms, times.max_ms];
        assert!(times.count > 0 || figures == [None; 4], "{times:?}");
        // Nothing takes no time at all; only the lag of the closed model, which sends when it likes, is a true 0.
        let is_lag = std::ptr::eq(times, &raw const findings.schedule_lag);
        assert!(is_lag || figures.iter().all(|ms| *ms != Some(0.0)), "{times:?}");
    }
    for objective in &findings.objectives {
        assert_eq!(
            objective.passed.is_none(),
            objective.unjudged_because.is_some(),
            "{objective:?}"
        );
        assert!(
            objective.windows_judged > 0 || objective.passed.is_none(),
            "{objective:?}"
        );
    }
    let all_passed = findings
        .objectives
        .iter()
        .all(|objective| objective.passed == Some(true));
    assert!(findings.verdict != Verdict::Passed || all_passed || findings.diagnosis.is_some());
    // Responses to warm-up requests are not `No request got a response`.
    let responded = findings.totals.completed > 0;
    assert!(
        !responded || !matches!(findings.headline, Headline::NoResponse { .. }),
        "{:?}",
        findings.headline
    );
}

/// For `--nocapture`: the figures of docs/reference/reliability.md.
#[expect(clippy::print_stdout, reason = "it is read by people")]
fn say(text: &str) {
    println!("{text}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("listed") {
        let entry = entry.expect("listed").path();
        let name = entry.file_name().expect("a name");
        if entry.is_dir() {
            copy(&entry, &to.join(name));
        } else {
            fs::copy(&entry, to.join(name)).expect("copied");
        }
    }
}

fn growing_files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("listed") {
        let path = entry.expect("listed").path();
        if path.is_dir() {
            found.extend(growing_files(&path));
        } else if GROWING.iter().any(|name| path.ends_with(name)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// How densely files are cut.
struct Cuts {
    /// At every byte whose number is a multiple of this, …
    bytes: usize,
    /// … and around the end of every line whose number is.
    lines: usize,
}

/// Cuts every growing file.
fn check_files(name: &str, cuts: &Cuts) {
    let scratch = tempfile::tempdir().expect("a directory");
    let directory = scratch.path().join(name);
    copy(&recorded(name), &directory);
    let whole = verdict(&directory);
    let mut prefixes = 0;
    for path in growing_files(&directory) {
        let content = fs::read(&path).expect("read");
        let file = File::options().write(true).open(&path).expect("opened");
        let mut line = 0;
        for length in (0..content.len()).rev() {
            let ends = content[length] == b'\n';
            line += usize::from(ends);
            let at_line = ends || length == 0 || content[length - 1] == b'\n';
            if !(at_line && line.is_multiple_of(cuts.lines) || length.is_multiple_of(cuts.bytes)) {
                continue;
            }
            file.set_len(length as u64).expect("cut");
            let left = verdict(&directory);
            assert!(
                left == "interrupted" || left == whole,
                "{left} instead of {whole} with {length} bytes of {}",
                path.display()
            );
            prefixes += 1;
        }
        drop(file);
        fs::remove_file(&path).expect("removed");
        let left = verdict(&directory);
        assert!(
            left == "interrupted" || left == whole,
            "{left} without {}",
            path.display()
        );
        fs::write(&path, content).expect("restored");
    }
    say(&format!("{name}: {whole}, {prefixes} prefixes replayed from the disk"));
}

/// Takes single lines out of every growing file, about `most` in all, evenly spread.
fn check_losses(name: &str, most: usize) {
    let scratch = tempfile::tempdir().expect("a directory");
    let directory = scratch.path().join(name);
    copy(&recorded(name), &directory);
    let whole = findings(&directory);
    let files: Vec<_> = growing_files(&directory)
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("text");
            (path, text)
        })
        .collect();
    let lines = files.iter().map(|(_, text)| text.lines().count()).sum::<usize>();
    let stride = lines.div_ceil(most);
    let (mut number, mut taken, mut interrupted) = (0, 0, 0);
    for (path, text) in &files {
        let lines: Vec<_> = text.split_inclusive('\n').collect();
        for lost in 0..lines.len() {
            number += 1;
            if number % stride != 0 {
                continue;
            }
            fs::write(path, [&lines[..lost], &lines[lost + 1..]].concat().concat()).expect("written");
            let left = findings(&directory);
            taken += 1;
            if word(&left) == "interrupted" {
                interrupted += 1;
                continue;
            }
            for figures in ["verdict", "totals", "objectives"] {
                let line = lines[lost].trim_end();
                assert_eq!(left[figures], whole[figures], "{} without {line}", path.display());
            }
        }
        fs::write(path, text).expect("restored");
    }
    let whole = word(&whole);
    say(&format!(
        "{name}: {whole}, {taken} of {lines} lines taken out, {interrupted} times interrupted"
    ));
}

fn owned(record: Record<'_>) -> Record<'static> {
    match record {
        Record::Tick {
            line,
            durations,
            target,
        } => Record::Tick {
            line,
            durations: Cow::Owned(durations.into_owned()),
            target,
        },
        Record::StepStart(start) => Record::StepStart(start),
        Record::Machine(sample) => Record::Machine(sample),
        Record::Collection(mark) => Record::Collection(mark),
        Record::Kept(sample) => Record::Kept(sample),
        Record::LoopDelays(told) => Record::LoopDelays(told),
        Record::Instances(sample) => Record::Instances(sample),
        Record::Neighbour(sample) => Record::Neighbour(sample),
        Record::Shock(mark) => Record::Shock(mark),
        Record::StepEnd(end) => Record::StepEnd(end),
        Record::Note(note) => Record::Note(note),
        Record::RunEnd(end) => Record::RunEnd(end),
    }
}

/// Every prefix of the records of one run through the fold, as it is and with endings that a crash does not leave.
fn check_records(name: &str) {
    let reader = RunReader::open(&recorded(name)).expect("a run");
    let plan = Plan::parse_saved(reader.plan_json().expect("kept"), "plan.json").expect("a plan");
    let mut records = Vec::new();
    reader.for_each(|record| records.push(owned(record))).expect("whole");
    let mut fold = Fold::new(&plan, reader.info(), &Host::default());
    let whole = {
        let mut fold = fold.clone();
        records.iter().for_each(|record| fold.push(record));
        fold.findings().verdict
    };
    let interrupted = Record::Note(Note {
        at_ns: 1,
        kind: NoteKind::Interrupted,
        message: "stopped".to_owned(),
        hint: None,
    });
    let end = |ended| Record::RunEnd(RunEnd { at_ns: 1, ended });
    let start = Record::StepStart(StepStart {
        step: 99,
        at_ns: 1,
        rate_micro_per_s: Some(1),
        users: None,
        connections: None,
        planned_ns: Some(1_000_000_000),
        warm_up_ns: 0,
        warms_up: false,
        target: None,
    });
    let endings: [&[Record<'_>]; 5] = [
        &[],
        std::slice::from_ref(&start),
        std::slice::from_ref(&interrupted),
        &[interrupted.clone(), end(Ended::Complete)],
        &[start.clone(), end(Ended::Interrupted)],
    ];
    for (taken, record) in records.iter().enumerate() {
        for ending in &endings {
            let mut cut = fold.clone();
            ending.iter().for_each(|record| cut.push(record));
            let findings = cut.findings();
            no_figure_of_nothing(&findings);
            let left = findings.verdict;
            assert!(
                left == Verdict::Interrupted || left == whole,
                "{left:?} instead of {whole:?} after {taken} records and {ending:?}"
            );
        }
        fold.push(record);
    }
    let prefixes = records.len() * endings.len();
    say(&format!("{name}: {whole:?}, {prefixes} prefixes through the fold"));
}

/// Cut at every byte where `PLIMSOLL_EVERY_BYTE` is set, else at the ends of lines and between them now and then.
fn check(name: &str, runs: &[&str]) {
    let cuts = match std::env::var_os("PLIMSOLL_EVERY_BYTE") {
        Some(_) => Cuts { bytes: 1, lines: 1 },
        // All rounds of a series are read for each cut; what a cut does to a round by itself is seen in those of a run.
        None if runs.is_empty() => Cuts { bytes: 1993, lines: 8 },
        None => Cuts { bytes: 61, lines: 1 },
    };
    check_files(name, &cuts);
    for run in runs {
        check_records(&format!("{name}{run}"));
    }
}

macro_rules! streams {
    ($($test:ident: $name:literal, $runs:expr;)*) => {$(
        #[test]
        fn $test() {
            check($name, $runs);
        }
    )*};
}
streams! {
    every_prefix_of_a_run: "run", &[""];
    every_prefix_of_a_breached_run: "breached", &[""];
    every_prefix_of_an_unjudged_run: "unjudged", &[""];
    every_prefix_of_a_bench: "bench", &[""];
    every_prefix_of_held_connections: "hold", &[""];
    every_prefix_of_a_search: "capacity", &[""];
    every_prefix_of_a_diagnosis: "diagnose", &[];
    every_prefix_of_a_comparison: "compare", &[];
    every_prefix_of_a_sweep: "scale", &[];
    every_prefix_of_a_study: "study", &[];
}

#[test]
fn every_stream_without_one_of_its_lines() {
    let (of_runs, of_series) = match std::env::var_os("PLIMSOLL_EVERY_BYTE") {
        Some(_) => (usize::MAX, usize::MAX),
        None => (200, 20),
    };
    for name in ["run", "breached", "unjudged", "bench", "hold", "capacity"] {
        check_losses(name, of_runs);
    }
    for name in ["diagnose", "compare", "scale", "study"] {
        check_losses(name, of_series);
    }
}

#[test]
fn percentiles_without_histograms_do_not_pass() {
    let scratch = tempfile::tempdir().expect("a directory");
    let directory = scratch.path().join("run");
    copy(&recorded("run"), &directory);
    let histograms = directory.join("latency.hlog");
    let content = fs::read_to_string(&histograms).expect("text");
    let half: String = content
        .split_inclusive('\n')
        .take(content.lines().count() / 2)
        .collect();
    for left in [Some(half.as_str()), Some(""), None] {
        match left {
            Some(left) => fs::write(&histograms, left).expect("cut"),
            None => fs::remove_file(&histograms).expect("removed"),
        }
        let findings = replay(&directory).expect("readable");
        assert_eq!(findings.verdict, Verdict::Interrupted);
        let Headline::Interrupted {
            by: InterruptedBy::LostHistograms,
            ..
        } = findings.headline
        else {
            panic!("{:?}", findings.headline);
        };
        let of_p99 = |o: &&ObjectiveFinding| o.objective.quantity == Quantity::ResponseTime;
        let p99 = findings.objectives.iter().find(of_p99);
        assert_eq!(p99.expect("one of the defaults").passed, None);
        // What is lost beside the records is a warning.
        assert!(
            findings
                .notices
                .iter()
                .all(|notice| matches!(notice, Notice::Warning(_) | Notice::HistogramsLost)),
            "{:?}",
            findings.notices
        );
    }
}

#[test]
fn a_round_without_its_histograms_does_not_count() {
    let scratch = tempfile::tempdir().expect("a directory");
    for name in ["compare", "scale", "study"] {
        let directory = scratch.path().join(name);
        copy(&recorded(name), &directory);
        let histograms = growing_files(&directory)
            .into_iter()
            .find(|path| path.ends_with("latency.hlog"));
        fs::remove_file(histograms.expect("of the first round")).expect("removed");
        assert_eq!(verdict(&directory), "interrupted", "{name}");
    }
}
