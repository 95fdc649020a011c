//! What must hold for the files of a directory, whatever is in them. The replayed corpus and the fuzz targets share it.

use plimsoll_lab::{LabError, replay, replay_series};
use plimsoll_study::replay_study;
use std::fmt::Display;
use std::fs;
use std::path::Path;

/// Files of an input, in this order, each but the last ended by a zero. The others are missing.
const OF_A_RUN: [&str; 8] = [
    "run.json",
    "plan.json",
    "ticks.jsonl",
    "latency.hlog",
    "target.jsonl",
    "probe.jsonl",
    "host.json",
    "profile-0.cpuprofile",
];
const OF_A_SERIES: [&str; 6] = [
    "comparison.json",
    "study.json",
    "study.yaml",
    "published.json",
    "round/run.json",
    "round/figures.json",
];

fn write(directory: &Path, names: &[&str], input: &[u8]) {
    for (name, content) in names.iter().zip(input.split(|&byte| byte == 0)) {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().expect("inside")).expect("made");
        fs::write(path, content).expect("written");
    }
}

fn told<T, E: Display>(result: Result<T, E>) {
    if let Err(error) = result {
        assert!(!error.to_string().is_empty());
    }
}

/// Findings, or an error in words.
pub(crate) fn a_run_is_reported_or_refused(input: &[u8]) {
    told(report(input));
}

/// The findings of a run with these files.
pub(crate) fn report(input: &[u8]) -> Result<impl Sized, LabError> {
    let directory = tempfile::tempdir().expect("a directory");
    write(directory.path(), &OF_A_RUN, input);
    replay(directory.path())
}

/// The same of a comparison, a sweep or a study.
pub(crate) fn a_series_is_reported_or_refused(input: &[u8]) {
    let directory = tempfile::tempdir().expect("a directory");
    write(directory.path(), &OF_A_SERIES, input);
    told(replay_series(directory.path()));
    told(replay_study(directory.path()));
}

/// A line of `latency.hlog`, whose histogram takes no more memory than one of ours.
pub(crate) fn a_histogram_is_read_or_refused(input: &[u8]) {
    if let Ok(line) = std::str::from_utf8(input)
        && let Some(count) = plimsoll_measure::run_directory::count_of_histogram_line(line)
    {
        assert!(count <= 1 << 48);
    }
}
