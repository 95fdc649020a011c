//! Replays the corpus of a fuzz target.

use std::panic::catch_unwind;
use std::path::Path;

/// Runs `target` on every file of the corpus in this directory of the project, which must not be empty.
#[track_caller]
pub(crate) fn replay(corpus: &str, target: fn(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(corpus);
    let entries = std::fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("the directory can be read").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", directory.display());
    for file in files {
        let input = std::fs::read(&file).expect("the file can be read");
        assert!(catch_unwind(|| target(&input)).is_ok(), "fails on {}", file.display());
    }
}
