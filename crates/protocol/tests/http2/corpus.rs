//! Replays what the fuzz targets found worth keeping, so that no nightly compiler is needed to profit from it.

use crate::{hpack, invariants};
use std::panic::catch_unwind;
use std::path::Path;

/// Runs `target` on every file of the corpus of that name, which must not be empty.
#[track_caller]
fn replay(name: &str, target: fn(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(name);
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

#[test]
fn http2_connection() {
    replay(
        "http2_connection",
        invariants::connection_means_the_same_however_it_is_cut,
    );
}

#[test]
fn http2_headers() {
    replay("http2_headers", hpack::agree);
}
