//! What a coordinator and agents make of messages: those of a fleet that gathers, of one whose agent ends early, and those that come from anywhere, the corpus of the
//! fuzz target and what it is cut to.

#![expect(clippy::disallowed_methods, reason = "tests read their own files")]

mod early;
mod gathering;
mod invariants;
mod late;

use std::path::Path;

#[test]
fn lines_of_the_corpus_are_taken_or_refused() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join("fleet_message");
    let files: Vec<_> = std::fs::read_dir(corpus).expect("it is there").flatten().collect();
    assert!(!files.is_empty());
    for file in files {
        let bytes = std::fs::read(file.path()).expect("a file");
        invariants::lines_are_taken_or_refused(&bytes);
        (0..bytes.len())
            .step_by(7)
            .for_each(|end| invariants::lines_are_taken_or_refused(&bytes[..end]));
    }
}
