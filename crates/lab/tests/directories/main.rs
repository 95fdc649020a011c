//! Directories from elsewhere come to findings or to an error in words: the corpora of the fuzz targets.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod invariants;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

/// Runs `target` on every file of the corpus of that name, which must not be empty, and on many beginnings of it.
#[track_caller]
fn each(name: &str, target: fn(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(name);
    let mut files: Vec<_> = fs::read_dir(&directory)
        .expect("a corpus")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", directory.display());
    for file in files {
        let input = fs::read(&file).expect("a file of the corpus");
        for end in (0..=input.len()).rev().step_by(1 + input.len() / 20) {
            let part = &input[..end];
            assert!(
                catch_unwind(|| target(part)).is_ok(),
                "fails on {end} bytes of {}",
                file.display()
            );
        }
    }
}

#[test]
fn run_directories() {
    each("run_directory", invariants::a_run_is_reported_or_refused);
}

#[test]
fn series_directories() {
    each("series_directory", invariants::a_series_is_reported_or_refused);
}

#[test]
fn histogram_lines() {
    each("hlog", invariants::a_histogram_is_read_or_refused);
}
