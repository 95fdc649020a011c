//! Directories from elsewhere come to findings or to an error in words: the corpora of the fuzz targets.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod invariants;

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// Every file of the corpus of that name, which must not be empty.
#[track_caller]
fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
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
    let read = |file: PathBuf| {
        let input = fs::read(&file).expect("a file of the corpus");
        (file, input)
    };
    files.into_iter().map(read).collect()
}

/// Runs `target` on every file of a corpus, and on many beginnings of it.
#[track_caller]
fn each(name: &str, target: fn(&[u8])) {
    for (file, input) in corpus(name) {
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
    // An input that is refused as a whole covers little.
    for (file, input) in corpus("run_directory") {
        if let Err(error) = invariants::report(&input) {
            panic!("{}: {error}", file.display());
        }
    }
}

#[test]
fn series_directories() {
    each("series_directory", invariants::a_series_is_reported_or_refused);
}

#[test]
fn histogram_lines() {
    each("hlog", invariants::a_histogram_is_read_or_refused);
}

/// The whole numbers of a text of JSON: where each stands, and the name before it, which those of a list share.
fn whole_numbers(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut name = "";
    let mut at = 0;
    while let Some(&byte) = text.as_bytes().get(at) {
        let rest = &text[at..];
        let length = match byte {
            b'"' => {
                let length = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
                if rest[length..].starts_with(':') {
                    name = &rest[1..length - 1];
                }
                length
            }
            b'0'..=b'9' => {
                let length = rest
                    .find(|c: char| !matches!(c, '0'..='9' | '.' | 'e' | '-'))
                    .unwrap_or(rest.len());
                if rest[..length].bytes().all(|byte| byte.is_ascii_digit()) {
                    found.push((at..at + length, name));
                }
                length
            }
            _ => 1,
        };
        at += length;
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    found
}

/// Each tick many times over, so that what its numbers add up to is more than one of them can be: twenty times 18 nines is more
/// than 64 bits hold.
fn repeat_ticks(text: &str) -> String {
    const TIMES: usize = 20;
    let mut index = 0;
    let mut repeated = String::new();
    for line in text.split_inclusive('\n') {
        let tick = line.starts_with(r#"{"type":"tick""#);
        for _ in 0..if tick { TIMES } else { 1 } {
            let place = whole_numbers(line)
                .into_iter()
                .find(|(_, name)| tick && *name == "index");
            let mut line = line.to_owned();
            if let Some((place, _)) = place {
                line.replace_range(place, &index.to_string());
                index += 1;
            }
            repeated.push_str(&line);
        }
    }
    repeated
}

#[test]
fn numbers_as_great_as_are_read_are_reported_or_refused() {
    let greatest = "9".repeat(18);
    for (file, input) in corpus("run_directory") {
        let Ok(text) = std::str::from_utf8(&input) else {
            continue;
        };
        // A profile has bounds of its own.
        let text = repeat_ticks(&text[..text.rfind('\0').expect("files in a row")]);
        let numbers = whole_numbers(&text);
        let names: BTreeSet<_> = numbers.iter().map(|(_, name)| *name).collect();
        let of_the_plan_or_of_time = ["weight", "connections", "step", "index", "start_ns", "duration_ns"];
        let counters: Vec<_> = names
            .iter()
            .copied()
            .filter(|name| !of_the_plan_or_of_time.contains(name))
            .collect();
        for chosen in names.iter().map(|name| vec![*name]).chain([counters]) {
            let mut made_up = String::with_capacity(text.len() * 2);
            let mut from = 0;
            for (place, _) in numbers.iter().filter(|(_, name)| chosen.contains(name)) {
                made_up.push_str(&text[from..place.start]);
                made_up.push_str(&greatest);
                from = place.end;
            }
            made_up.push_str(&text[from..]);
            let run = || invariants::a_run_is_reported_or_refused(made_up.as_bytes());
            assert!(catch_unwind(run).is_ok(), "fails on {chosen:?} of {}", file.display());
        }
    }
}
