//! Parsers of foreign bytes are fuzzed, and what the fuzzers found stays found.

use super::Found;
use super::layers::shipped_code;
use super::tree::{File, Tree};

const PAGE: &str = "fuzz/README.md";
/// Where the page lists the files that decode bytes.
const HEADING: &str = "## Parsers";
/// How code turns bytes that somebody else has written into values.
const DECODERS: &[&str] = &[
    "serde_json::from_",
    "serde_saphyr::from_",
    "httparse::",
    "SourceMap::from_",
    "sourcemap::decode",
    "brotli_decompressor::",
    "ruzstd::",
    "Deserializer::new()",
    "from_ne_bytes",
    "from_le_bytes",
    "from_be_bytes",
];
const HINT: &str = "list it in fuzz/README.md with its fuzz target, or with the reason why its bytes are not foreign";

/// A row of the table: a file, and its targets or the reason that it needs none.
struct Row<'a> {
    line: usize,
    file: &'a str,
    by: &'a str,
}

/// Every file that decodes bytes is listed with its fuzz target, or with the reason why it needs none.
pub(crate) fn parsers_are_fuzzed(tree: &Tree, found: &mut Found<'_>) {
    let rows = rows(tree);
    for file in tree.with_extension("rs").filter(|file| decodes(file)) {
        if !rows.iter().any(|row| row.file == file.path) {
            found.add(&file.path, 0, "decodes bytes and is not listed", HINT);
        }
    }
    for Row { line, file, by } in rows {
        if tree.get(file).is_none() {
            found.add(PAGE, line, format!("{file} is not there"), "remove it from the table");
        }
        for target in quoted(by) {
            if tree.get(&source_of(target)).is_none() {
                found.add(PAGE, line, format!("{target} is no fuzz target"), HINT);
            }
        }
        if by.is_empty() {
            found.add(PAGE, line, format!("{file} has neither a target nor a reason"), HINT);
        }
    }
}

/// Every fuzz target can be run, is explained, and has a corpus that an ordinary test replays.
pub(crate) fn targets_are_replayed(tree: &Tree, found: &mut Found<'_>) {
    let text = |path: &str| tree.get(path).and_then(|file| file.text.as_deref()).unwrap_or_default();
    let replays: Vec<&str> = tree
        .with_extension("rs")
        .filter(|file| file.path.starts_with("crates/"))
        .filter_map(|file| file.text.as_deref())
        .filter(|text| text.contains("fuzz/corpus"))
        .collect();
    for file in tree
        .with_extension("rs")
        .filter(|file| file.path.starts_with("fuzz/fuzz_targets/"))
    {
        let name = file.name().trim_end_matches(".rs");
        let mut miss = |what: &str, hint| found.add(&file.path, 0, what, hint);
        if !text("fuzz/Cargo.toml").contains(&format!("name = \"{name}\"")) {
            miss("is not built", "add a [[bin]] to fuzz/Cargo.toml");
        }
        if !text(PAGE).contains(&format!("`{name}`")) {
            miss("is not explained", "say in fuzz/README.md what must hold");
        }
        if !tree.has_directory(&format!("fuzz/corpus/{name}")) {
            miss(
                "has no corpus",
                "commit what it should start from to fuzz/corpus, in a directory of its name",
            );
        }
        if !replays
            .iter()
            .any(|text| text.contains(&format!("\"{name}\"")) || text.contains(&format!("corpus/{name}")))
        {
            miss(
                "is not replayed",
                "have a test of the crate read every file of its corpus",
            );
        }
    }
}

fn source_of(target: &str) -> String {
    format!("fuzz/fuzz_targets/{target}.rs")
}

/// Whether what is shipped in it decodes bytes.
fn decodes(file: &File) -> bool {
    let of_a_crate = file.path.starts_with("crates/") && file.path.contains("/src/");
    if !of_a_crate || file.path.starts_with("crates/sim/") {
        return false;
    }
    let shipped = shipped_code(file);
    DECODERS.iter().any(|decoder| shipped.contains(decoder))
}

fn rows(tree: &Tree) -> Vec<Row<'_>> {
    let page = tree.get(PAGE).and_then(|file| file.text.as_deref()).unwrap_or_default();
    let numbered = page.lines().enumerate();
    numbered
        .skip_while(|(_, text)| *text != HEADING)
        .skip(1)
        .take_while(|(_, text)| !text.starts_with("## "))
        .filter_map(|(at, text)| {
            let (file, by) = text.strip_prefix("| `")?.split_once("` |")?;
            Some(Row {
                line: at + 1,
                file,
                by: by.trim_end_matches('|').trim(),
            })
        })
        .collect()
}

/// What stands between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::super::findings;
    use super::*;

    const PARSER: (&str, &str) = ("crates/a/src/b.rs", "fn f() { serde_json::from_str(text) }");
    const TARGET: (&str, &str) = ("fuzz/fuzz_targets/b.rs", "");

    fn listed(by: &str) -> String {
        format!("# Fuzzing\n\n## Parsers\n\n| file | target |\n|---|---|\n| `crates/a/src/b.rs` | {by} |\n\n## More\n")
    }

    #[test]
    fn a_parser_needs_a_target_or_a_reason() {
        let check = |page: &str| findings(parsers_are_fuzzed, &[PARSER, TARGET, (PAGE, page)]);
        assert_eq!(
            check("# Fuzzing\n"),
            ["crates/a/src/b.rs:0: decodes bytes and is not listed"]
        );
        assert_eq!(check(&listed("`b`")), [""; 0]);
        assert_eq!(check(&listed("text of ours")), [""; 0]);
        assert_eq!(check(&listed("`c`")), ["fuzz/README.md:7: c is no fuzz target"]);
        assert_eq!(
            check(&listed("")),
            ["fuzz/README.md:7: crates/a/src/b.rs has neither a target nor a reason"]
        );
    }

    #[test]
    fn what_does_not_parse_need_not_be_listed_and_what_is_gone_must_not() {
        let tests = (
            "crates/a/src/c.rs",
            "fn f() {}\n#[cfg(test)]\nmod tests { fn g() { serde_json::from_str(text) } }",
        );
        let comment = ("crates/a/src/d.rs", "// as serde_json::from_str does");
        assert_eq!(findings(parsers_are_fuzzed, &[tests, comment]), [""; 0]);
        let page = listed("`b`");
        assert_eq!(
            findings(parsers_are_fuzzed, &[TARGET, (PAGE, &page)]),
            ["fuzz/README.md:7: crates/a/src/b.rs is not there"]
        );
    }

    #[test]
    fn a_target_is_built_explained_and_replayed() {
        let whole = [
            TARGET,
            ("fuzz/Cargo.toml", "[[bin]]\nname = \"b\"\n"),
            (PAGE, "`b`"),
            ("fuzz/corpus/b/one", "x"),
            ("crates/a/tests/replay.rs", "read(\"../../fuzz/corpus\").join(\"b\")"),
        ];
        assert_eq!(findings(targets_are_replayed, &whole), [""; 0]);
        for (missing, said) in [
            ("fuzz/Cargo.toml", "is not built"),
            (PAGE, "is not explained"),
            ("fuzz/corpus/b/one", "has no corpus"),
            ("crates/a/tests/replay.rs", "is not replayed"),
        ] {
            let left: Vec<_> = whole.into_iter().filter(|(path, _)| *path != missing).collect();
            assert_eq!(
                findings(targets_are_replayed, &left),
                [format!("fuzz/fuzz_targets/b.rs:0: {said}")]
            );
        }
    }
}
