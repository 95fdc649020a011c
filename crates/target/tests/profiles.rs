//! Every file of the fuzzing corpus, and a profile of the size that a long run makes.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

use plimsoll_measure::Profile;
use plimsoll_target::{read_cpuprofile, read_heapprofile, reads_probe_line, reads_source_map};
use std::path::Path;

/// Gives every file of a corpus to `reads`, whole and cut off at many places, and returns how many it takes whole.
fn replay(corpus: &str, reads: &dyn Fn(&[u8]) -> bool) -> usize {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(corpus);
    let mut taken = 0;
    let mut files = 0;
    for entry in std::fs::read_dir(directory).expect("the corpus is there").flatten() {
        let bytes = std::fs::read(entry.path()).expect("a file of the corpus");
        for end in 0..bytes.len() {
            reads(&bytes[..end]);
        }
        taken += usize::from(reads(&bytes));
        files += 1;
    }
    assert!(files > taken, "some are refused");
    taken
}

#[test]
fn lines_of_the_probe_and_source_maps_are_read_or_refused() {
    let lines = |bytes: &[u8]| {
        bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .all(reads_probe_line)
    };
    assert!(replay("probe_line", &lines) >= 5);
    assert!(replay("source_map", &reads_source_map) >= 3);
}

/// Gives every file of a corpus to `read`, whole and cut off at many places.
fn check(corpus: &str, read: &dyn Fn(&[u8]) -> Option<Profile>) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(corpus);
    let mut files = 0;
    for entry in std::fs::read_dir(directory).expect("the corpus is there").flatten() {
        let bytes = std::fs::read(entry.path()).expect("a file of the corpus");
        for (index, call) in read(&bytes).iter().flat_map(|profile| profile.calls.iter().enumerate()) {
            assert!(call.caller.is_none_or(|caller| caller < index), "{:?}", entry.path());
        }
        for end in (0..bytes.len() - 1).step_by(1 + bytes.len() / 1000) {
            assert!(read(&bytes[..end]).is_none(), "{:?} up to {end}", entry.path());
        }
        files += 1;
    }
    assert!(files > 0, "the corpus is empty");
}

#[test]
fn the_corpora_are_read_or_refused() {
    check("cpuprofile", &|bytes| read_cpuprofile(bytes).ok());
    check("heapprofile", &|bytes| read_heapprofile(bytes).ok());
}

#[test]
fn fifty_megabytes_are_read() {
    const SAMPLES: usize = 5_000_000;
    let mut text = String::from(
        r#"{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},"children":[2]},
        {"id":2,"callFrame":{"functionName":"work","url":"file:///a.js","lineNumber":0,"columnNumber":0}}],
        "startTime":0,"endTime":5000000000,"samples":[2"#,
    );
    text.push_str(&",2".repeat(SAMPLES - 1));
    text.push_str("],\"timeDeltas\":[0");
    // As wide as large figures are.
    text.push_str(&",1000   ".repeat(SAMPLES - 1));
    text.push_str("]}");
    assert!(text.len() > 50_000_000);
    let profile = read_cpuprofile(text.as_bytes()).expect("a profile");
    assert_eq!(profile.total_us(), 5_000_000_000);
}
