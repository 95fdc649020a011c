//! Small files of each kind, and what their plans have to say and must not.

mod artillery;
mod collections;
mod documents;
mod http_files;
mod recordings;
mod scripts;
mod secrets;
mod test_plans;

use plimsoll_import::{Options, Source, import};
use std::fmt::Write as _;

const OPTIONS: Options<'static> = Options {
    url: None,
    body_file: &str::to_owned,
};

/// The plan of a file with no other beside it, and what is said about it.
#[track_caller]
fn imported(text: &str) -> String {
    let source = Source {
        name: "file",
        text,
        format: None,
        environment: None,
        writes: true,
        files: &|_| None,
    };
    let imported = import(&source, &OPTIONS).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    let mut shown = imported.plan;
    for needed in &imported.needed {
        let _ = write!(shown, "\nneeds {}: {}", needed.name, needed.why);
    }
    for left_out in &imported.left_out {
        let _ = write!(shown, "\nleft out {left_out}");
    }
    shown
}

/// What stands in the plan of a file, or is said of it, and what does not.
#[track_caller]
fn check(file: &str, expected: &[&str], unexpected: &[&str]) {
    let text = imported(file);
    for words in expected {
        assert!(text.contains(words), "no {words} in\n{text}\nof\n{file}");
    }
    for words in unexpected {
        assert!(!text.contains(words), "{words} in\n{text}\nof\n{file}");
    }
}
