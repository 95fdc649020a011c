//! Habits of documents, and of what any file may refer to.

use super::Found;
use super::tree::{File, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// The page from which every other document is found.
const INDEX: &str = "docs/README.md";
const DECISIONS: &str = "docs/decisions/";
const DECISION_HEADINGS: &[&str] = &["## Context", "## Decision", "## What it costs"];

/// A path of one machine means nothing on the next.
pub(crate) fn nothing_names_one_machine(tree: &Tree, found: &mut Found<'_>) {
    const DIRECTORIES: &[&str] = &["/home/", "/root/", "/Users/", "/work/", "C:\\Users\\"];
    for file in tree.files().iter().filter(|file| !is_foreign(file)) {
        for (line, text) in lines(file) {
            let starts_there = |directory: &&&str| {
                text.match_indices(**directory)
                    .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}~".contains(c)))
            };
            if let Some(directory) = DIRECTORIES.iter().find(starts_there) {
                found.add(
                    &file.path,
                    line,
                    format!("names a directory below {directory}"),
                    "use a path relative to the repository",
                );
            }
        }
    }
}

/// A reader has this repository and nothing beside it.
pub(crate) fn nothing_points_outside_the_repository(tree: &Tree, found: &mut Found<'_>) {
    let names: BTreeSet<_> = tree.files().iter().map(File::name).collect();
    for file in tree.files().iter().filter(|file| !is_foreign(file)) {
        let depth = file.path.matches('/').count();
        for (line, text) in lines(file) {
            let tokens = text.split(|c: char| c.is_whitespace() || "\"'`()<>[]=,;|".contains(c));
            for token in tokens.map(|token| token.trim_end_matches(['.', ':'])) {
                let up = token.split('/').take_while(|part| *part == "..").count();
                if up > depth {
                    let message = format!("{token} leaves the repository");
                    found.add(&file.path, line, message, "what is needed belongs in the repository");
                } else if !names_file(token, file, &names, tree) {
                    let message = format!("{token} is not in the repository");
                    found.add(&file.path, line, message, "say it here, or name what is there");
                }
            }
            if let Some(document) = document_before_section_mark(text) {
                let message = format!("{document} § is not a document of the repository");
                found.add(&file.path, line, message, "say it here, or name what is there");
            }
        }
    }
}

/// False when `token` names a file that does not exist: by a shouted name such as `NAME.md`, or by its path from the root.
fn names_file(token: &str, file: &File, names: &BTreeSet<&str>, tree: &Tree) -> bool {
    const DIRECTORIES: &[&str] = &["crates/", "docs/", "xtask/"];
    let path = token.split(['#', ':']).next().unwrap_or(token).trim_end_matches('/');
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.strip_suffix(".md").unwrap_or_default();
    if stem.len() > 2 && stem.chars().all(|c| c.is_ascii_uppercase()) && !token.contains("://") {
        return names.contains(name);
    }
    let from_root = DIRECTORIES.iter().any(|directory| path.starts_with(directory));
    let pattern = path.contains(['*', '{', '$', '…']) || path.contains("NNNN") || path.ends_with("/x");
    // A document links to others by paths relative to itself, and those links have a check of their own.
    let link = file.path.ends_with(".md") && path.starts_with("docs/");
    !from_root || pattern || link || tree.get(path).is_some() || tree.has_directory(path)
}

/// `NAME` of `NAME §3`. An RFC is cited by its number, so its name does not stand there.
fn document_before_section_mark(text: &str) -> Option<&str> {
    text.match_indices(" §").find_map(|(at, _)| {
        let word = text[..at].rsplit(|c: char| !c.is_alphanumeric()).next()?;
        (word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase())).then_some(word)
    })
}

/// Relative links lead to a file, and to a heading in it.
pub(crate) fn links_resolve(tree: &Tree, found: &mut Found<'_>) {
    let mut headings = BTreeMap::new();
    for file in tree.with_extension("md") {
        headings.insert(file.path.as_str(), anchors(file));
    }
    for file in tree.with_extension("md") {
        for (line, target) in links(file) {
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = if path.is_empty() {
                Some(file.path.clone())
            } else {
                resolve(&file.path, path)
            };
            let Some(path) = path.filter(|path| tree.get(path).is_some() || tree.has_directory(path)) else {
                found.add(
                    &file.path,
                    line,
                    format!("{target} leads nowhere"),
                    "fix the path; it is relative to this file",
                );
                continue;
            };
            let known = headings
                .get(path.as_str())
                .is_none_or(|anchors| anchors.contains(anchor));
            if !anchor.is_empty() && !known {
                found.add(
                    &file.path,
                    line,
                    format!("{path} has no heading #{anchor}"),
                    "use the heading as the page has it",
                );
            }
        }
    }
}

/// A document that is not listed is not read.
pub(crate) fn documents_are_listed(tree: &Tree, found: &mut Found<'_>) {
    let index = tree.get(INDEX).map(links).unwrap_or_default();
    let listed: BTreeSet<_> = index.iter().filter_map(|(_, target)| resolve(INDEX, target)).collect();
    for file in tree
        .files()
        .iter()
        .filter(|file| file.path.starts_with("docs/") && file.path != INDEX)
    {
        let document = file.path.ends_with(".md") || file.path.ends_with(".json");
        if document && !listed.contains(&file.path) {
            found.add(
                &file.path,
                0,
                format!("is not listed in {INDEX}"),
                "add a line there that says what one finds in it",
            );
        }
    }
}

/// A decision is found by its number and says what it costs.
pub(crate) fn decisions_are_numbered_and_complete(tree: &Tree, found: &mut Found<'_>) {
    let mut expected = 1;
    for file in tree.files().iter().filter(|file| file.path.starts_with(DECISIONS)) {
        let number = file
            .name()
            .split_once('-')
            .and_then(|(digits, _)| (digits.len() == 4).then(|| digits.parse::<u32>().ok()).flatten());
        if number != Some(expected) {
            let hint = "number decisions without gaps: NNNN-title.md";
            found.add(&file.path, 0, format!("expected number {expected:04}"), hint);
        }
        expected = number.unwrap_or(expected) + 1;
        let text = file.text.as_deref().unwrap_or_default();
        for heading in DECISION_HEADINGS {
            if !text.lines().any(|line| line == *heading) {
                found.add(
                    &file.path,
                    0,
                    format!("has no heading `{heading}`"),
                    "a decision has a context, a decision and a cost",
                );
            }
        }
    }
}

/// There is always a place for what a user will notice.
pub(crate) fn changelog_is_open(tree: &Tree, found: &mut Found<'_>) {
    let text = tree
        .get("CHANGELOG.md")
        .and_then(|file| file.text.as_deref())
        .unwrap_or_default();
    let sections: Vec<_> = text.lines().filter(|line| line.starts_with("## ")).collect();
    if sections.first() != Some(&"## [Unreleased]") {
        found.add(
            "CHANGELOG.md",
            0,
            "does not begin with `## [Unreleased]`",
            "keep that section first, even when it is empty",
        );
    }
}

/// Bytes that others wrote: recorded, locked or licensed.
fn is_foreign(file: &File) -> bool {
    file.path.starts_with("fuzz/corpus/")
        || matches!(
            file.name(),
            "Cargo.lock" | "package-lock.json" | "LICENSE-APACHE" | "LICENSE-MIT"
        )
}

fn lines(file: &File) -> impl Iterator<Item = (usize, &str)> {
    file.text
        .iter()
        .flat_map(|text| text.lines())
        .enumerate()
        .map(|(index, line)| (index + 1, line))
}

/// Lines of a Markdown file outside of fenced code.
fn prose(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    lines(file).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// Targets of links and images that are relative, with their lines.
fn links(file: &File) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (line, text) in prose(file) {
        let text = without_code_spans(text);
        let inline = text
            .match_indices("](")
            .filter_map(|(at, mark)| text[at + mark.len()..].split([')', ' ']).next());
        let reference = text
            .strip_prefix('[')
            .and_then(|rest| rest.split_once("]: "))
            .map(|(_, target)| target.trim());
        for target in inline.chain(reference) {
            if !target.contains("://") && !target.starts_with("mailto:") {
                found.push((line, target.to_owned()));
            }
        }
    }
    found
}

fn without_code_spans(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

/// `target` as seen from `from`, as a path from the root; `None` when it leaves the repository.
fn resolve(from: &str, target: &str) -> Option<String> {
    let target = target.split('#').next().unwrap_or(target);
    let mut parts: Vec<_> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Anchors of the headings of a Markdown file, made as GitHub makes them.
fn anchors(file: &File) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for (_, line) in prose(file).filter(|(_, line)| line.starts_with('#')) {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let repeated = (1..).map(|n| format!("{anchor}-{n}"));
        let first_free = std::iter::once(anchor.clone())
            .chain(repeated)
            .find(|anchor| !anchors.contains(anchor));
        anchors.extend(first_free);
    }
    anchors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::findings;

    #[test]
    fn paths_of_one_machine() {
        let files = [
            ("a.sh", "cd /home/me\ncurl http://x/home/\ncd \"$HOME/work/x\"\n"),
            ("fuzz/corpus/a/1", "/root/x"),
        ];
        assert_eq!(
            findings(nothing_names_one_machine, &files),
            ["a.sh:1: names a directory below /home/"]
        );
    }

    #[test]
    fn references_to_what_is_not_there() {
        let files = [
            (
                "README.md",
                "See ARCHITECTURE.md and `../notes/plan.txt`.\nAs in [x](https://example.org/SKETCH.md).\n",
            ),
            (
                "crates/a/src/lib.rs",
                "//! include_str!(\"../../../README.md\")\n// IDEAS.md, RFC 9112 §4, IDEAS §4\n",
            ),
            (
                "crates/b.rs",
                "// `docs/a.md#x`, `docs/*.json`, docs/, see docs/gone.md and crates/a/src/lib.rs:7, crates/b.\n",
            ),
            ("docs/a.md", ""),
        ];
        assert_eq!(
            findings(nothing_points_outside_the_repository, &files),
            [
                "README.md:1: ARCHITECTURE.md is not in the repository",
                "README.md:1: ../notes/plan.txt leaves the repository",
                "crates/a/src/lib.rs:2: IDEAS.md is not in the repository",
                "crates/a/src/lib.rs:2: IDEAS § is not a document of the repository",
                "crates/b.rs:1: docs/gone.md is not in the repository",
                "crates/b.rs:1: crates/b is not in the repository",
            ]
        );
    }

    #[test]
    fn links_of_documents() {
        let page = "# One page\n## It's `code`, twice\n## One page\n\
                    [a](b.md) [a](b.md#b-b) [a](#one-page-1) [a](#its-code-twice) [a](https://x/y) `[x](y)`\n\
                    ```\n[a](gone.md)\n```\n\
                    ![a](gone.png)\n[a](b.md#gone) [a](../x) [a](../../x)\n[r]: gone.md\n";
        let files = [("docs/a.md", page), ("docs/b.md", "# B b\n")];
        assert_eq!(
            findings(links_resolve, &files),
            [
                "docs/a.md:8: gone.png leads nowhere",
                "docs/a.md:9: docs/b.md has no heading #gone",
                "docs/a.md:9: ../x leads nowhere",
                "docs/a.md:9: ../../x leads nowhere",
                "docs/a.md:10: gone.md leads nowhere",
            ]
        );
    }

    #[test]
    fn documents_that_nobody_finds() {
        let files = [
            (INDEX, "[plan](plan.md#top)"),
            ("docs/plan.md", ""),
            ("docs/lost.md", ""),
            ("docs/images/a.png", ""),
        ];
        assert_eq!(
            findings(documents_are_listed, &files),
            ["docs/lost.md:0: is not listed in docs/README.md"]
        );
    }

    #[test]
    fn decisions() {
        let whole = "# T\n\n## Context\n\n## Decision\n\n## What it costs\n";
        let files = [
            ("docs/decisions/0001-a.md", whole),
            ("docs/decisions/0001-b.md", whole),
            ("docs/decisions/0003-c.md", "## Context\n## Decision\n"),
        ];
        assert_eq!(
            findings(decisions_are_numbered_and_complete, &files),
            [
                "docs/decisions/0001-b.md:0: expected number 0002",
                "docs/decisions/0003-c.md:0: expected number 0002",
                "docs/decisions/0003-c.md:0: has no heading `## What it costs`",
            ]
        );
    }

    #[test]
    fn changelog() {
        let released = "# Changelog\n\n## [0.1.0]\n";
        assert_eq!(
            findings(changelog_is_open, &[("CHANGELOG.md", released)]),
            ["CHANGELOG.md:0: does not begin with `## [Unreleased]`"]
        );
        assert!(findings(changelog_is_open, &[("CHANGELOG.md", "## [Unreleased]\n## [0.1.0]\n")]).is_empty());
    }
}
