//! How much is read of a run directory at most.

use super::{owned, warnings, write};
use plimsoll_files::Directory;
use plimsoll_measure::run_directory::{Budget, MOST_PROFILES_BYTES, RunReader};
use plimsoll_measure::{NoteKind, Record};
use std::fs;
use std::path::Path;

/// A file of so many MiB.
fn large(path: &Path, line: &str, mib: usize) {
    let line = format!("{line}{}\n", " ".repeat((1 << 20) - line.len() - 1));
    fs::write(path, line.repeat(mib)).expect("written");
}

#[test]
fn profiles_together_are_read_up_to_a_limit() {
    let parent = tempfile::tempdir().expect("a directory");
    let writer = write(parent.path(), &[]);
    let first = writer.path().join("profile-000.cpuprofile");
    large(&first, "{}", 14);
    for number in 1..120 {
        let other = writer.path().join(format!("profile-{number:03}.cpuprofile"));
        fs::hard_link(&first, other).expect("linked");
    }
    fs::hard_link(&first, writer.path().join("allocations-0.heapprofile")).expect("linked");
    let reader = RunReader::open(writer.path()).expect("a run");
    let mut bytes = 0;
    let left_out = reader.for_each_profile(|profile| bytes += profile.json.len() as u64);
    assert_eq!(bytes, 56 << 20);
    assert!(bytes <= MOST_PROFILES_BYTES);
    assert_eq!(
        left_out.expect("readable").expect("some are left out"),
        "116 of 120 files *.cpuprofile are left out: beyond the 64 MiB that a directory may hold in such files"
    );
    let left_out = reader.for_each_allocations(|_| panic!("nothing is left for it"));
    assert!(
        left_out
            .expect("readable")
            .is_some_and(|left_out| left_out.starts_with("1 of 1 files *.heapprofile"))
    );
}

#[test]
fn records_of_all_rounds_are_read_up_to_a_limit() {
    let parent = tempfile::tempdir().expect("a directory");
    let first = parent.path().join("ticks.jsonl");
    large(&first, r#"{"type":"later"}"#, 40);
    let budget = Budget::default();
    let warned: Vec<Vec<String>> = (0..5)
        .map(|_| {
            let writer = write(parent.path(), &[]);
            let ticks = writer.path().join("ticks.jsonl");
            fs::remove_file(&ticks).expect("removed");
            fs::hard_link(&first, &ticks).expect("linked");
            let directory = Directory::open(writer.path()).expect("a directory");
            let mut records = Vec::new();
            RunReader::of(directory, &budget)
                .expect("a run")
                .for_each(|record| records.push(owned(record)))
                .expect("readable");
            assert!(
                records
                    .iter()
                    .all(|record| matches!(record, Record::Note(note) if note.kind == NoteKind::Torn))
            );
            warnings(&records)
        })
        .collect();
    let limit = "beyond the 128 MiB that a directory may hold in such files";
    assert_eq!(warned[..3], [[""; 0], [""; 0], [""; 0]]);
    assert_eq!(warned[3], [format!("ticks.jsonl is left out from line 9 on: {limit}")]);
    assert_eq!(warned[4], [format!("ticks.jsonl is left out from line 1 on: {limit}")]);
}
