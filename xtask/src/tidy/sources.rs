//! Habits of source files.

use super::Found;
use super::tree::{File, Tree};

/// Greatest number of lines of a source file. A longer one must be one state machine, and exempted as such.
const LINES_MAX: usize = 500;
/// Greatest size of any file.
const SIZE_BYTES_MAX: u64 = 1_000_000;
/// Shortest documentation that can say one job and what must not be known.
const CRATE_DOC_CHARS_MIN: usize = 80;

/// Files that may hold `unsafe`, each with the reason.
const UNSAFE_FILES: &[(&str, &str)] = &[
    (
        "crates/engine/src/backend/io_uring.rs",
        "an io_uring shares memory with the kernel",
    ),
    (
        "crates/engine/src/backend/stamps.rs",
        "a struct of the kernel has no other constructor",
    ),
    (
        "crates/engine/src/backend/unread.rs",
        "no crate has the call that asks for the state of a TCP connection",
    ),
    (
        "crates/engine/src/descriptors.rs",
        "a thread with a descriptor table of its own does not see the descriptors of others",
    ),
    (
        "crates/thread/src/turn.rs",
        "no crate has the calls that say when a thread gets its core",
    ),
    (
        "fuzz/fuzz_targets/http2_headers.rs",
        "nghttp2, beside which header blocks are read, is a library in C",
    ),
    (
        "bench/servers/src/bin/parked.rs",
        "a thread with a descriptor table of its own does not see the descriptors of others",
    ),
];

/// Files outside of `crates/plan` that may have the raw text of a secret, each with the reason.
const REVEALING_FILES: &[(&str, &str)] = &[
    ("crates/cli/src/commands/fleet.rs", "it connects to the broker"),
    ("crates/engine/src/journeys/program.rs", "it lays out what users do"),
    (
        "crates/engine/src/journeys/response.rs",
        "it compares what users are given",
    ),
    ("crates/engine/src/journeys/session.rs", "it gives users their values"),
    (
        "crates/engine/src/journeys/session/tests.rs",
        "it looks at the values of users",
    ),
    ("crates/engine/src/laid_out.rs", "it lays out the requests"),
    ("crates/engine/src/redirects.rs", "it finds out where requests lead"),
    ("crates/engine/src/requests.rs", "it gives variables their values"),
    (
        "crates/engine/src/backend/tunnel.rs",
        "it encodes what a proxy is asked",
    ),
    (
        "crates/target/src/service.rs",
        "it asks for the path by which the service is ready",
    ),
    (
        "crates/target/src/neighbour.rs",
        "it asks for the path by which a neighbour is ready",
    ),
    ("crates/target/src/started.rs", "it starts services and neighbours"),
    ("crates/lab/src/stand_in.rs", "it hands a stand-in what it responds"),
    (
        "crates/target/src/limits/heap.rs",
        "it reads a flag of Node.js, and shows its number",
    ),
    ("crates/target/src/program.rs", "it starts programs"),
    (
        "crates/target/src/probe/mod.rs",
        "it adds to the options of Node.js that the plan gives",
    ),
    ("crates/cli/src/scale_source.rs", "it puts the size into the command"),
];

/// Text that nobody wrote as source: recorded bytes and snapshots.
fn is_recorded(file: &File) -> bool {
    file.path.starts_with("fuzz/corpus/") || file.path.contains("/golden/") || file.path.ends_with(".snap")
}

/// Every crate opens with its one job and what it must not know.
pub(crate) fn crates_open_with_documentation(tree: &Tree, found: &mut Found<'_>) {
    for file in tree.files() {
        let root = ["/src/lib.rs", "/src/main.rs"]
            .iter()
            .any(|end| file.path.ends_with(end));
        if !root {
            continue;
        }
        let doc: String = file
            .text
            .iter()
            .flat_map(|text| text.lines())
            .map_while(|line| line.strip_prefix("//!"))
            .collect();
        if doc.chars().count() < CRATE_DOC_CHARS_MIN {
            let message = if doc.is_empty() {
                "does not open with `//!`"
            } else {
                "says too little about the crate"
            };
            found.add(
                &file.path,
                1,
                message,
                "open with `//!`: its one job, then what it must not know",
            );
        }
    }
}

/// `unsafe` is read with care where it stands, so it stands in few places.
pub(crate) fn unsafe_stays_in_its_files(tree: &Tree, found: &mut Found<'_>) {
    for file in tree.with_extension("rs") {
        if UNSAFE_FILES.iter().any(|(path, _)| *path == file.path) {
            continue;
        }
        for (line, text) in file.split().code.lines().enumerate() {
            if words(text).any(|word| word == "unsafe") {
                let hint =
                    "find a safe wrapper, or add the file and the reason to UNSAFE_FILES in xtask/src/tidy/sources.rs";
                found.add(&file.path, line + 1, "unsafe code", hint);
            }
        }
    }
}

/// Secrets come out where a request is encoded or a process is started, and nowhere else.
pub(crate) fn secrets_are_revealed_in_few_files(tree: &Tree, found: &mut Found<'_>) {
    for file in tree.with_extension("rs") {
        let is_tested = file.path.contains("/tests/") || file.path.contains("/examples/");
        let is_source = file.path.starts_with("crates/") && !file.path.starts_with("crates/plan/") && !is_tested;
        if !is_source || REVEALING_FILES.iter().any(|(path, _)| *path == file.path) {
            continue;
        }
        for (line, text) in file.split().code.lines().enumerate() {
            if words(text).any(|word| word == "reveal") {
                let hint =
                    "take `Shown` text, or add the file and the reason to REVEALING_FILES in xtask/src/tidy/sources.rs";
                found.add(&file.path, line + 1, "a secret in the clear", hint);
            }
        }
    }
}

/// The word leaves open what is measured from where; three words here do not.
pub(crate) fn durations_are_named_for_what_they_are(tree: &Tree, found: &mut Found<'_>) {
    const WORD: &str = "latency";
    /// Name of a file in a run directory, as tools for such logs expect it.
    const LOG: &str = "latency.hlog";
    let hint = "say response_time (from the intended start), service_time (from the send) or schedule_lag";
    for file in tree.files() {
        if file.name() != LOG && file.name().to_lowercase().contains(WORD) {
            found.add(
                &file.path,
                0,
                "the name of the file does not say which duration it means",
                hint,
            );
        }
        for (line, text) in file.split().code.lines().enumerate() {
            if let Some(word) = words(text).find(|word| word.to_lowercase().contains(WORD)) {
                found.add(
                    &file.path,
                    line + 1,
                    format!("`{word}` does not say which duration it is"),
                    hint,
                );
            }
        }
    }
}

/// What is not done is not mentioned, or it is an entry in the tracker.
pub(crate) fn nothing_is_left_for_later(tree: &Tree, found: &mut Found<'_>) {
    const MARKERS: &[&str] = &["TODO", "FIXME", "XXX", "HACK"];
    for file in tree.files().iter().filter(|file| !is_recorded(file) && !is_lock(file)) {
        for (line, text) in file.split().comments.lines().enumerate() {
            if let Some(marker) = words(text).find(|word| MARKERS.contains(word)) {
                found.add(
                    &file.path,
                    line + 1,
                    format!("{marker} in the tree"),
                    "do it now, or drop the mark",
                );
            }
        }
    }
}

/// A file that no longer has one subject is split by subject.
pub(crate) fn files_have_one_subject(tree: &Tree, found: &mut Found<'_>) {
    for file in tree
        .files()
        .iter()
        .filter(|file| file.language().is_some() && !is_recorded(file))
    {
        let lines = file.text.as_deref().unwrap_or_default().lines().count();
        if lines > LINES_MAX {
            let message = format!("{lines} lines, more than {LINES_MAX}");
            let hint = "split it by subject; if it is one state machine, exempt it in EXEMPTIONS in xtask/src/tidy.rs";
            found.add(&file.path, 0, message, hint);
        }
    }
}

/// A clone stays quick.
pub(crate) fn files_are_small(tree: &Tree, found: &mut Found<'_>) {
    for file in tree.files() {
        if file.size_bytes > SIZE_BYTES_MAX {
            let message = format!("{} bytes, more than {SIZE_BYTES_MAX}", file.size_bytes);
            found.add(
                &file.path,
                0,
                message,
                "generate it where it is needed, or make it smaller",
            );
        }
    }
}

/// A script that goes on after an error does harm further down.
pub(crate) fn scripts_stop_at_the_first_error(tree: &Tree, found: &mut Found<'_>) {
    for file in tree.files().iter().filter(|file| !is_recorded(file)) {
        let text = file.text.as_deref().unwrap_or_default();
        let Some(shebang) = text.lines().next().filter(|line| line.starts_with("#!/")) else {
            continue;
        };
        if !file.executable {
            found.add(
                &file.path,
                1,
                "begins with #! and is not executable",
                "chmod +x, or drop the line",
            );
        }
        let shell = shebang.ends_with("sh");
        if shell && !shebang.ends_with("/env bash") {
            found.add(
                &file.path,
                1,
                format!("shell script with {shebang}"),
                "begin with #!/usr/bin/env bash",
            );
        }
        if shell && !text.lines().any(|line| line == "set -euo pipefail") {
            found.add(
                &file.path,
                1,
                "goes on after an error",
                "add the line: set -euo pipefail",
            );
        }
    }
}

fn is_lock(file: &File) -> bool {
    matches!(file.name(), "Cargo.lock" | "package-lock.json")
}

/// Identifiers and words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::findings;

    #[test]
    fn crate_documentation() {
        let good = "//! Turns text into plans, and refuses what cannot be run.\n//!\n//! It must not know of sockets or clocks.\n";
        let files = [
            ("crates/a/src/lib.rs", good),
            ("crates/b/src/lib.rs", "//! Short.\n"),
            ("x/src/main.rs", "fn main() {}"),
        ];
        assert_eq!(
            findings(crates_open_with_documentation, &files),
            [
                "crates/b/src/lib.rs:1: says too little about the crate",
                "x/src/main.rs:1: does not open with `//!`"
            ]
        );
    }

    #[test]
    fn unsafe_code_is_found_and_the_word_is_not() {
        let files = [("a.rs", "// unsafe\n#![deny(unsafe_code)]\nlet a = unsafe { b() };\n")];
        assert_eq!(findings(unsafe_stays_in_its_files, &files), ["a.rs:3: unsafe code"]);
    }

    #[test]
    fn secrets_in_the_clear() {
        let files = [
            ("crates/report/src/a.rs", "// reveal\nlet text = secret.reveal();\n"),
            ("crates/plan/src/a.rs", "secret.reveal()\n"),
            ("crates/report/tests/a.rs", "secret.reveal()\n"),
            ("crates/engine/src/requests.rs", "secret.reveal()\n"),
        ];
        assert_eq!(
            findings(secrets_are_revealed_in_few_files, &files),
            ["crates/report/src/a.rs:2: a secret in the clear"]
        );
    }

    #[test]
    fn names_of_durations() {
        let files = [
            (
                "src/a.rs",
                "// latency is a word here\nlet log = \"latency.hlog\";\nlet p99Latency = 1;\n",
            ),
            ("src/latency.rs", ""),
            ("runs/latency.hlog", "latency"),
            ("docs/a.md", "latency\n"),
        ];
        assert_eq!(
            findings(durations_are_named_for_what_they_are, &files),
            [
                "src/a.rs:3: `p99Latency` does not say which duration it is",
                "src/latency.rs:0: the name of the file does not say which duration it means",
            ]
        );
    }

    #[test]
    fn marks_for_later() {
        let files = [
            ("a.rs", "let a = \"TODO\";\n// TODO: later\n"),
            ("b.md", "FIXME\nTODOS\n"),
            ("fuzz/corpus/x/1", "TODO"),
            ("Cargo.lock", "XXX"),
        ];
        assert_eq!(
            findings(nothing_is_left_for_later, &files),
            ["a.rs:2: TODO in the tree", "b.md:1: FIXME in the tree"]
        );
    }

    #[test]
    fn length_counts_for_sources_alone() {
        let long = "a\n".repeat(LINES_MAX + 1);
        let enough = "a\n".repeat(LINES_MAX);
        let files = [
            ("a.rs", long.as_str()),
            ("b.rs", enough.as_str()),
            ("c.md", long.as_str()),
        ];
        assert_eq!(
            findings(files_have_one_subject, &files),
            ["a.rs:0: 501 lines, more than 500"]
        );
    }

    #[test]
    fn size() {
        let large = "x".repeat(SIZE_BYTES_MAX as usize + 1);
        assert_eq!(
            findings(files_are_small, &[("a.bin", large.as_str()), ("b.bin", "x")]),
            ["a.bin:0: 1000001 bytes, more than 1000000"]
        );
    }

    #[test]
    fn scripts() {
        let files = [
            ("good", "#!/usr/bin/env bash\nset -euo pipefail\n"),
            ("python", "#!/usr/bin/env python3\n"),
            ("bad", "#!/bin/sh\necho\n"),
            ("rust.rs", "#![allow(x)]\n"),
        ];
        assert_eq!(
            findings(scripts_stop_at_the_first_error, &files),
            ["bad:1: shell script with #!/bin/sh", "bad:1: goes on after an error"]
        );
    }
}
